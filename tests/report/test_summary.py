"""Brief, run alone: unusual facts are shown one by one, and the rest as a number
(`docs/reference/events.md`).
"""

from typing import Any

import pytest

from pipeline.emit import emit
from pipeline.report.events import (
    ArchiveEvent,
    ComponentEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    ForcedEvent,
    ListElement,
    NextEvent,
    Overridden,
    StatusEvent,
    SummaryEvent,
    WarningEvent,
)
from pipeline.report.layout import Screen
from pipeline.report.location import Location
from pipeline.report.states import state
from pipeline.report.text import error_lines
from tests.support.tables import rows

DEFAULT = Overridden("default", "built-in", "auto")
UNSET = DecisionEvent("theme", "auto", "default", "built-in", ())
TWICE = DecisionEvent(
    "theme",
    "a",
    "flag",
    "--theme",
    (Overridden("variable", "TOOL_THEME", "b"), Overridden("config", "c.json", "c")),
)
SET = DecisionEvent(
    "cache.enabled",
    False,
    "flag",
    "--no-cache",
    (Overridden("config", "c.json:1:2", True), DEFAULT),
)


def reported(*events: Event, accessible: bool = False) -> tuple[str, ...]:
    """The lines on a screen of eighty columns."""
    screen = Screen(columns=80, is_summary=True, is_terminal=True, accessible=accessible)
    return emit(events, "text", screen)


def archive(name: str, reason: str) -> ArchiveEvent:
    """An archive that is used, or skipped for a reason, or refused."""
    is_refused = reason == "refused"
    return ArchiveEvent(
        f"{name}.zip", "module", name, None, not reason, reason or "why", None, is_refused
    )


@pytest.mark.parametrize(
    ("decisions", "lines"),
    [
        ((UNSET,), ("1 setting has its default; --verbose lists it",)),
        ((SET,), ("cache.enabled  false  flag --no-cache; overrides true (config c.json:1:2)",)),
        (
            (TWICE,),
            ("theme  a  flag --theme; overrides b (variable TOOL_THEME), c (config c.json)",),
        ),
        (
            (UNSET, SET, UNSET),
            (
                "cache.enabled  false  flag --no-cache; overrides true (config c.json:1:2)",
                "2 settings have their defaults; --verbose lists them",
            ),
        ),
        (
            (
                DecisionEvent(
                    "presets",
                    "auto",
                    "default",
                    "built-in",
                    (),
                    (),
                    (ListElement("ci", "default", "CI"),),
                    ("ci",),
                ),
            ),
            ("presets  auto  default; detects ci (CI)",),
        ),
        (
            (DecisionEvent("log.format", "json", "preset", "preset:ci", ()),),
            ("log.format  json  preset:ci",),
        ),
    ],
)
def test_settings(decisions: tuple[DecisionEvent, ...], lines: tuple[str, ...]) -> None:
    """Settings that a layer sets, or that are detected, are shown with what they override; the
    others are counted.
    """
    assert reported(*decisions) == lines


def test_settings_that_are_read_aloud() -> None:
    """A screen reader on a terminal reads the settings that a terminal shows."""
    screen = Screen(is_summary=True, is_terminal=True, accessible=True)
    assert emit((UNSET, SET), "text", screen) == (
        "cache.enabled false, flag --no-cache; overrides true (config c.json:1:2)",
        "1 setting has its default; --verbose lists it",
    )


def test_settings_in_a_log() -> None:
    """In a pipe or with `--verbose`, every setting has its line."""
    assert emit((UNSET, SET), "text", Screen(is_summary=True)) == emit((UNSET, SET), "text") != ()


@pytest.mark.parametrize(("archives", "lines"), rows("summary", "archives"))
def test_archives(archives: tuple[tuple[str, str], ...], lines: tuple[str, ...]) -> None:
    """Skipped and refused archives are shown, many with the same reason in one line."""
    assert reported(*(archive(name, reason) for name, reason in archives)) == lines


def test_components() -> None:
    """Added, updated and removed components are shown; kept ones are not."""
    components = (
        ComponentEvent("theme", "a", "add", "themes/a", 1, "2.0"),
        ComponentEvent("module", "b", "keep", "modules/b", 2, "1"),
        ComponentEvent("module", "c", "update", "modules/c", 2, "2", "1", edited=1),
        ComponentEvent("module", "d", "remove", "modules/d", 3),
        ComponentEvent("module", "e", "update", "modules/e", 2, "1", "1", added=1, restored=2),
        ComponentEvent(
            "module",
            "f",
            "update",
            "modules/f",
            2,
            "2",
            "1",
            changes=("x", "y"),
            removed=1,
            merged=1,
        ),
        ComponentEvent("module", "g", "keep", "modules/g", 2, "2", "1", recorded=True, edited=1),
        ComponentEvent("module", "h", "keep", "modules/h", 2, "1", recorded=True),
        ComponentEvent(
            "module", "i", "update", "modules/i", 1, "2", "1", changes=("x", "y"), removed=2
        ),
    )
    assert reported(*components) == (
        "add     themes/a   2.0    1 file",
        "update  modules/c  1 → 2  2 files; 1 edited by you",
        "remove  modules/d         3 files",
        "update  modules/e  1      2 files; 2 put back; 1 added by you",
        "update  modules/f  1 → 2  2 of 2 files change; 1 removed; 1 merged",
        "record  modules/g  1 → 2  2 files; updated by the system; 1 edited by you",
        "record  modules/h  1      2 files; taken over",
        "update  modules/i  1 → 2  2 files change; 2 removed",
    )
    assert reported(components[1]) == ()
    assert reported(components[2], accessible=True) == (
        "update modules/c, from 1 to 2, 2 files; 1 edited by you",
    )


def test_components_in_full() -> None:
    """With `--verbose`, changed files are named below their component."""
    update = ComponentEvent("module", "f", "update", "modules/f", 2, "2", "1", changes=("x",))
    assert emit((update,), "text", Screen(columns=80, verbose=True)) == (
        "will update  modules/f  1 → 2  1 of 2 files changes",
        "  modules/f/x",
    )


END = {
    **dict.fromkeys(("added", "updated", "kept", "removed", "refused"), 0),
    "project": "/p",
    "seconds": 0.5,
}


@pytest.mark.parametrize(("fields", "lines"), rows("summary", "end"))
def test_the_end(fields: dict[str, Any], lines: tuple[str, ...]) -> None:
    """The last line counts what was done, and leaves out zeros."""
    assert reported(SummaryEvent(**{**END, **fields})) == lines


def test_an_end_in_a_log() -> None:
    """In a log, the last line has every count, even if it is zero."""
    end = SummaryEvent("/p", "done", 0, 0, 2, 0, 0, 0.5)
    assert emit((end,), "text") == ("/p: 0 added, 0 updated, 2 kept, 0 removed in 0.50 s",)


def test_an_end_in_colour() -> None:
    """The last line is green if all was done, and yellow if something was skipped."""
    ends = (
        SummaryEvent("/p", "done", 1, 0, 0, 0, 0, 0.5),
        SummaryEvent("/p", "done", 1, 0, 0, 0, 1, 0.5),
    )
    assert emit(ends, "text", Screen(is_summary=True, colour=True)) == (
        "\x1b[32mdone:\x1b[0m 1 added in 0.50 s",
        "\x1b[1;33mdone:\x1b[0m 1 added, 1 refused in 0.50 s",
    )


def test_warnings() -> None:
    """A warning begins with its place, unless the message names it or it is the current folder; its
    help is below.
    """
    assert reported(
        WarningEvent("c", "no marker", "drop/a.zip"),
        WarningEvent("c", "`T` is not read", "T", "did you mean `U`?"),
        WarningEvent("c", "nothing", "."),
        WarningEvent("c", "none", None),
    ) == (
        "warning: drop/a.zip: no marker",
        "warning: `T` is not read",
        "  = help: did you mean `U`?",
        "warning: nothing",
        "warning: none",
    )


def test_help_that_several_warnings_share() -> None:
    """If warnings that follow one another have the same help, it is shown once, below the last."""
    assert reported(
        WarningEvent("c", "`a` matches no module", None, "check the name"),
        WarningEvent("c", "`b` matches no module", None, "check the name"),
        WarningEvent("c", "no folder", None, "create it"),
        WarningEvent("c", "no marker", None),
    ) == (
        "warning: `a` matches no module",
        "warning: `b` matches no module",
        "  = help: check the name",
        "warning: no folder",
        "  = help: create it",
        "warning: no marker",
    )


def test_errors_that_are_read_aloud() -> None:
    """With `ACCESSIBLE=1`, the place and the help are sentences."""
    error = ErrorEvent(
        "SchemaValidationError", 65, "theme", "theme: expected a string", "c.json:1:2", "write one"
    )
    lines = [
        [*error_lines(error, source, ("  the line reads: x",), Screen(accessible=True))]
        for source in (Location("c.json", 1, 2), Location("--theme"))
    ]
    assert lines == [
        [
            "error: SchemaValidationError: theme: expected a string",
            place,
            "  the line reads: x",
            "help: write one",
        ]
        for place in ("in c.json, line 1, column 2", "at --theme")
    ]


def component(name: str, *, archive: str = "", **fields: Any) -> StatusEvent:
    """A module that is as built, but for some fields."""
    lists: dict[str, Any] = dict.fromkeys(("edited", "added", "deleted", "mode"), ())
    default = {
        "version": "1.0",
        "archive": archive or f"{name}.zip",
        "drop": "same",
        "available": "1.0",
    }
    path = f"modules/{name}"
    return StatusEvent(kind="module", name=name, path=path, **{**default, **lists, **fields})


def test_status_of_many() -> None:
    """However many components are in one state, each has a line, with the versions in a column."""
    built = [component(f"m{number}") for number in range(11)]
    changed = (
        component("a", drop="newer", available="1.10"),
        component("b", drop="older", available="0.9"),
        component("c", drop="changed", available=None),
        component("d", drop="changed"),
        component("e", drop="new", version=None, available="2.0"),
        component("f", drop="new", version=None, available=None),
        component("g", drop="new", version=None, available="2.0", alike=4),
        component("h", missing=True),
        component("i", drop="newer", available="1.1", changes=("a", "b"), removed=1, edited=("c",)),
        component("j", drop="older", available="0.9", changes=("a",)),
        component("k", installed="1.1", available="1.1", added=("a",)),
        component("l", drop="other", installed="1.1", available="1.2", base="unknown"),
        component("m", drop="other", installed="1.1", available="0.9", base="behind"),
        component("n", drop="new", version=None, installed="1.1", available="1.2", base="unknown"),
    )
    assert reported(*built, *changed) == (
        *(f"modules/m{number:<2}  1.0         as built" for number in range(11)),
        "modules/a    1.0 → 1.10  newer in the drop",
        "modules/b    1.0 → 0.9   older in the drop",
        "modules/c    1.0         its archive has changed",
        "modules/d    1.0         its archive has changed",
        "modules/e    2.0         not built",
        "modules/f    -           not built",
        "modules/g    -           not in the record: 4 as in the archive, 0 differ",
        "modules/h    1.0         missing",
        "modules/i    1.0 → 1.1   newer in the drop: 2 files change, 1 removed; 1 edited",
        "modules/j    1.0 → 0.9   older in the drop: 1 file changes",
        "modules/k    1.0         replaced: 1.1 is on disk; 1 added",
        "modules/l    1.0 → 1.2   replaced: 1.1 is on disk; unknown base",
        "modules/m    1.0 → 0.9   replaced: 1.1 is on disk; older in the drop, so it",
        "                         stays",
        "modules/n    1.1 → 1.2   not in the record: 1.1 is on disk; unknown base",
    )
    assert reported(changed[0], accessible=True) == (
        "modules/a from 1.0 to 1.10, newer in the drop",
    )


def test_what_force_would_do() -> None:
    """The effects of `--force` are comments of the diff: files for the backup by name, the others
    counted.
    """
    assert reported(ForcedEvent("modules/m", ("b",), ("c", "d"), ("a",))) == (
        (
            "# modules/m: --force would leave 2 files unchanged, replace 1 and move 1 away; these "
            "go "
            "to the backup:"
        ),
        "# modules/m/a",
        "# modules/m/b",
    )


def test_status_leaves_out_archives() -> None:
    """The names of archives are left out if that saves a line."""
    long = component(
        "m",
        archive="a-module-of-a-vendor-2.0.0-for-everything.zip",
        drop="newer",
        available="2.0.0",
    )
    assert reported(long, component("n")) == (
        "modules/m  1.0 → 2.0.0  newer in the drop",
        "modules/n  1.0          as built",
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    rows("summary", "differs"),
)
def test_what_differs(fields: dict[str, Any], words: str) -> None:
    """The row of a component counts its edited and patched files, and says which version is
    there.
    """
    assert state(component("m", **fields))[0] == words


def test_what_the_system_still_needs() -> None:
    """The steps that the system still needs are one line."""
    assert reported(NextEvent("Backdrop", ("clear the caches", "run the database update"))) == (
        "next: in Backdrop, clear the caches; run the database update",
    )
