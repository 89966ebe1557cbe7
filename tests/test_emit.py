"""Emit, run alone: settings and events as lines (`docs/reference/events.md`)."""

import json
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from pipeline.config.layers import Assignment, Element, Layer
from pipeline.emit import decisions, emit
from pipeline.merge import merge
from pipeline.report.events import (
    ArchiveEvent,
    ComponentEvent,
    DecisionEvent,
    ErrorEvent,
    HookEvent,
    InDrop,
    ListElement,
    Obstacle,
    OutputEvent,
    Overridden,
    ScriptsEvent,
    StartEvent,
    StatusEvent,
    SummaryEvent,
    SystemEvent,
    UndoEvent,
    WarningEvent,
)
from pipeline.report.layout import Screen
from pipeline.report.location import Location
from pipeline.schema import SETTINGS
from tests.support.disks import START, assignment

EVENTS = (
    DecisionEvent("theme", "a", "flag", "--theme", (Overridden("config", "c.json:1:2", "b"),)),
    DecisionEvent("modules.only", ("x", "y"), "env", "TOOL_MODULES_ONLY", ()),
    DecisionEvent(
        "cache.enabled", False, "preset", "preset:ci", (Overridden("default", "built-in", True),)
    ),
    ArchiveEvent(
        "a.zip", "theme", "a", "1.0", True, "the only theme in the drop", "config/theme.yml"
    ),
    ArchiveEvent("bb.zip", "module", "bb", None, False, "why", None),
    ComponentEvent("theme", "a", "add", "themes/a", 1),
    ComponentEvent("module", "b", "keep", "modules/b", 12, "2", "1", "b.zip", 2, 1),
    ComponentEvent("module", "c", "update", "modules/c", 2, "2", "2"),
    ComponentEvent("module", "d", "update", "modules/d", 2, "2", None, edited=1),
    ComponentEvent("module", "e", "update", "modules/e", 2, "2", "10", downgrade=True),
    ComponentEvent("module", "f", "update", "modules/f", 2, None, "1"),
    ComponentEvent("module", "g", "remove", "modules/g", 2),
    HookEvent("init", "10 db.sh", "failed", 3, 0.1234),
    HookEvent("post", "x", "planned"),
    OutputEvent("init/10 db.sh", "stderr", "a\x1b[31mb\u202e"),
    WarningEvent("some-code", "a message", "here:1:2"),
    WarningEvent("other", "no place", None),
    ErrorEvent("SchemaValidationError", 65, "theme", "bad", "c.json:1:2"),
    SummaryEvent("/p", "done", 0, 0, 3, 0, 0, 0.5),
    SummaryEvent("/p", "stopped", 1, 2, 3, 4, 5, 0.5),
    SummaryEvent("/p", "planned", 1, 2, 3, 4, 0, 0.5),
    SummaryEvent("/p", "unchanged", 0, 0, 0, 0, 0, 0.5),
    StartEvent(1, "1.2.3"),
    SystemEvent("Drupal", "web/core/lib/Drupal.php", "web/themes", "web/modules"),
    UndoEvent("2026-01-01T00:00:00Z", ("tool", "create", "my drop")),
    ScriptsEvent(("init-scripts/a\x1b.sh",)),
)


def test_text() -> None:
    """In text, events of one kind that follow one another are aligned, and harmful characters are
    escaped.

    The last line of a log has every count, even if it is zero.
    """
    assert emit(EVENTS, "text") == (
        "theme          a       flag    --theme            overrides b (config c.json:1:2)",
        "modules.only   [x, y]  env     TOOL_MODULES_ONLY",
        "cache.enabled  false   preset  preset:ci          overrides true (default)",
        "a.zip   theme a 1.0  [config/theme.yml]  use: the only theme in the drop",
        "bb.zip  module bb                        skip: why",
        "will add     themes/a                       1 file",
        "keep         modules/b  2                   12 files; 2 edited, 1 added by you",
        "will update  modules/c  2                   2 files",
        "will update  modules/d  2                   2 files; 1 edited by you",
        "will update  modules/e  10 → 2 (downgrade)  2 files",
        "will update  modules/f  1 → no version      2 files",
        "will remove  modules/g                      2 files",
        "hook  init/10 db.sh  failed (3)  0.12 s",
        "hook  post/x         planned",
        "init/10 db.sh: a\\x1b[31mb\\u202e",
        "warning: here:1:2: a message",
        "warning: no place",
        "error: SchemaValidationError: bad",
        "  --> c.json:1:2",
        "/p: 0 added, 0 updated, 3 kept, 0 removed in 0.50 s",
        "/p: 1 added, 2 updated, 3 kept, 4 removed, 5 refused in 0.50 s; then the run stopped",
        "/p: 1 to add, 2 to update, 3 to keep, 4 to remove; nothing was written",
        "/p: nothing was changed",
        "tool 1.2.3",
        "found Drupal (web/core/lib/Drupal.php): themes go to web/themes, modules to web/modules",
        "reverses the run of 2026-01-01T00:00:00Z: tool create 'my drop'",
        "new or changed since the last run here: `init-scripts/a\\x1b.sh`",
    )


def test_json() -> None:
    """In JSON each event is one object on one line, and plain ASCII where text could harm."""
    lines = emit(EVENTS, "json")
    assert lines[0] == (
        '{"event":"decision","path":"theme","value":"a","layer":"flag","source":"--theme",'
        '"overridden":[{"layer":"config","source":"c.json:1:2","value":"b"}]}'
    )
    assert lines[14] == (
        '{"event":"output","source":"init/10 '
        'db.sh","stream":"stderr","line":"a\\u001b[31mb\\u202e"}'
    )


def status(
    name: str, drop: InDrop, obstacle: Obstacle | None = None, **lists: tuple[str, ...]
) -> StatusEvent:
    """The status of a module."""
    nothing: dict[str, Any] = dict.fromkeys(("edited", "added", "deleted", "mode"), ())
    return StatusEvent(
        kind="module",
        name=name,
        path=f"modules/{name}",
        version="1.0" if drop != "new" else None,
        archive=f"{name}.zip",
        drop=drop,
        available="2.0",
        obstacle=obstacle or UNSET,
        **{**nothing, **lists},
    )


def test_spliced_lists() -> None:
    """A list with `"..."` shows what it extends and overrides, and in JSON which layer set each
    string.
    """
    low = Overridden("config", "c.json:1:2", ("y",), True)
    elements = (ListElement("y", "config", "c.json:1:3"), ListElement("x", "flag", "--only"))
    lost = Overridden("default", "built-in", ())
    event = DecisionEvent(
        "modules.only", ("y", "x"), "flag", "--only", (low, lost), ("...", "x"), elements
    )
    assert emit((event,), "text") == (
        (
            "modules.only  [y, x]  flag  --only  extends [y] (config c.json:1:2); overrides [] "
            "(default)"
        ),
    )
    assert json.loads(emit((event,), "json")[0]) == {
        "event": "decision",
        "path": "modules.only",
        "value": ["y", "x"],
        "layer": "flag",
        "source": "--only",
        "overridden": [
            {"layer": "config", "source": "c.json:1:2", "value": ["y"], "extended": True},
            {"layer": "default", "source": "built-in", "value": []},
        ],
        "written": ["...", "x"],
        "elements": [
            {"value": "y", "layer": "config", "source": "c.json:1:3"},
            {"value": "x", "layer": "flag", "source": "--only"},
        ],
    }


def test_detected_presets() -> None:
    """The decision about presets lists the detected ones, each with its file or variable."""
    found = (Element(Assignment("default", Location("p/default.ts"), ("default",)), 0),)
    event = decisions(merge((), START, found))[4]
    assert emit((event,), "text") == (
        "presets  auto  default  built-in  detects default (p/default.ts)",
    )
    assert json.loads(emit((event,), "json")[0]) == {
        "event": "decision",
        "path": "presets",
        "value": "auto",
        "layer": "default",
        "source": "built-in",
        "overridden": [],
        "elements": [
            {
                "value": "default",
                "layer": "default",
                "source": "p/default.ts",
                "file": "p/default.ts",
            }
        ],
        "detected": ["default"],
    }


def test_status() -> None:
    """In text, the last column of a component lists the differences: first the drop, then
    numbers of files.
    """
    events = (
        status("a", "same"),
        status("b", "newer", edited=("x", "y"), mode=("z",)),
        status("c", "new"),
        status("d", "gone", added=("x",), deleted=("y",)),
        status("e", "new", added=("x",)),
        status("f", "same", obstacle=Obstacle("modules", "link")),
        replace(status("g", "newer", edited=("x", "y")), conflicts=("x",)),
        replace(status("h", "new", added=("x",)), conflicts=("x",)),
    )
    assert emit(events, "text") == (
        "modules/a  1.0        a.zip  as built",
        "modules/b  1.0 → 2.0  b.zip  newer in the drop; 2 edited, 1 mode",
        "modules/c  2.0        c.zip  not built",
        "modules/d  1.0        d.zip  its archive is not in the drop; 1 added, 1 deleted",
        "modules/e  2.0        e.zip  not built; 1 added",
        "modules/f  1.0        f.zip  modules is a symbolic link",
        "modules/g  1.0 → 2.0  g.zip  newer in the drop; 1 edited, 1 in conflict",
        "modules/h  2.0        h.zip  not built; 1 in conflict",
    )


def test_what_is_refused() -> None:
    """A refused archive is shown as refused, whether it is selected or not; an unrecognised one has
    no kind.
    """
    events = (
        ArchiveEvent("a.zip", "module", "a", None, True, "why", "x", refused=True),
        ArchiveEvent("b.zip", None, None, None, False, "why", None, refused=True),
        ErrorEvent("ArchiveRejected", 76, None, "bad", None),
    )
    assert emit(events, "text") == (
        "a.zip  module a        [x]  refused: the error says why",
        "b.zip  not recognised       refused: the error says why",
        "error: ArchiveRejected: bad",
    )


def test_status_in_full() -> None:
    """With `--verbose`, each differing file has a line below its component, with harmful characters
    escaped.
    """
    event = status("b", "same", edited=("x\x1b",), added=("y",), mode=("z",))
    assert emit((event,), "text", Screen(verbose=True)) == (
        "modules/b  1.0  b.zip  1 edited, 1 added, 1 mode",
        "  edited   modules/b/x\\x1b",
        "  added    modules/b/y",
        "  mode     modules/b/z",
    )


def test_one_decision_for_each_setting() -> None:
    """Settings give exactly one decision for each setting, in the order of the schema."""
    reported = decisions(merge((), START))
    assert reported == tuple(
        DecisionEvent(setting.path, setting.default, "default", "built-in", ())
        for setting in SETTINGS
    )


def test_what_a_decision_overrides() -> None:
    """The decision on a setting has the layers that it overrides, highest first, each with its
    location and value.
    """
    flag = Layer({"theme": (assignment("flag", Location("--theme"), "x"),)})
    config = Layer({"theme": (assignment("config", Location("c.json", 1, 2), "y"),)})
    assert next(iter(decisions(merge((flag, config), START)))) == DecisionEvent(
        "theme",
        "x",
        "flag",
        "--theme",
        (
            Overridden("config", "c.json:1:2", "y", file="c.json", line=1, column=2),
            Overridden("default", "built-in", "auto"),
        ),
    )


def test_a_decision_about_a_list() -> None:
    """A list that extends another says what was written and who wrote each element; a plain list
    has one location.
    """
    own, kept = Location("c.json", 1, 2), Location("p.json", 3, 4)
    upper = Layer({"modules.only": (assignment("config", own, ("...", "a")),)})
    lower = Layer({"modules.only": (assignment("preset", kept, ("b",)),)})
    place: dict[str, Any] = {"file": "c.json", "line": 1, "column": 2}
    below: dict[str, Any] = {"file": "p.json", "line": 3, "column": 4}
    default = Overridden("default", "built-in", ())
    assert decisions(merge((upper, lower), START))[3] == DecisionEvent(
        "modules.only",
        ("b", "a"),
        "config",
        "c.json:1:2",
        (Overridden("preset", "p.json:3:4", ("b",), extended=True, **below), default),
        ("...", "a"),
        (
            ListElement("b", "preset", "p.json:3:4", **below),
            ListElement("a", "config", "c.json:1:2", **place),
        ),
        **place,
    )
    assert decisions(merge((lower,), START))[3] == DecisionEvent(
        "modules.only", ("b",), "preset", "p.json:3:4", (default,), **below
    )
