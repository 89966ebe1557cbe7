"""The text of every error and every warning: examples of each, and of each case in which it
differs.

An example is a line of `tests/report/words.jsonl`: the function that makes it, and its arguments;
`*` stands for each value that a field can have, `tool.json:3:5` for a location, a list for a flaw.
The texts are kept in `tests/report/words.txt`; `python -m tests.support.words` writes that again.
"""

import json
from collections.abc import Iterator
from inspect import getsource, isfunction
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Final, get_args, get_type_hints

from msgspec import convert

from io_edges.report.console import error_event, warning_event
from pipeline.emit import emit
from pipeline.report.diagnostic import PathContext, WarningDiagnostic
from pipeline.report.diagnostics import (
    Error,
    archives,
    bases,
    building,
    configuration,
    conflicts,
    disk,
    drop,
    patches,
    runs,
    scripts,
    selection,
    settings,
    updates,
)
from pipeline.report.diagnostics.bases import UnknownBase, UnknownComponent, unknown_base
from pipeline.report.diagnostics.conflicts import (
    DisputedFile,
    InTheWay,
    OutputConflict,
    Unmergeable,
)
from pipeline.report.diagnostics.patches import Misfit, PatchConflict
from pipeline.report.diagnostics.selection import (
    ThemeAmbiguous,
    bringing_in,
    needed_component,
    problem_ahead,
)
from pipeline.report.events import ErrorEvent, WarningEvent
from pipeline.report.location import BUILT_IN, Location

Diagnostic = Error | WarningDiagnostic
_HERE: Final = Path(__file__).parent.parent / "report"
KEPT: Final = _HERE / "words.txt"
_MODULES: Final[tuple[ModuleType, ...]] = (
    *(settings, configuration, drop, selection, archives, bases, conflicts),
    *(patches, building, disk, runs, updates, scripts),
)


def every() -> tuple[Diagnostic, ...]:
    """The examples."""
    rows = map(json.loads, (_HERE / "words.jsonl").read_text(encoding="utf-8").splitlines())
    makers = {name: make for module in _MODULES for name, make in vars(module).items()}
    return (*(each for name, fields in rows for each in _made(makers[name], fields)), *_others())


def _made(make: Any, fields: dict[str, Any]) -> Iterator[Diagnostic]:
    hints = get_type_hints(make)
    several = [name for name, each in fields.items() if each == "*"]
    beside = {name: each for name, each in fields.items() if several and isinstance(each, dict)}
    known = {
        name: _value(each, hints[name])
        for name, each in fields.items()
        if name not in {*several, *beside}
    }
    for value in literals(hints[several[0]]) if several else ():
        others = {name: each[value] for name, each in beside.items() if value in each}
        yield make(**known, **others, **{several[0]: value})
    if not several:
        yield make(**known)


def _value(value: Any, hint: Any) -> Any:
    if hint is archives.Flaw:
        return _flaw(*value)
    if Location not in (hint, *get_args(hint)):
        return convert(value, hint)
    name, _, place = value.partition(":")
    if not place:
        return Location(name)
    line, column = place.split(":")
    return Location(name, int(line), int(column))


def _flaw(what: str, mend: str = "", entry: str | None = None) -> archives.Flaw:
    """A flaw, given the name of what mends it."""
    if not mend:
        return archives.Flaw(what)
    return archives.Flaw(what, getattr(archives, mend), entry)


def literals(hint: Any) -> Iterator[str]:
    """The values of a type of literals, or of a union of such."""
    for each in get_args(hint):
        yield from [each] if isinstance(each, str) else literals(each)


def _others() -> Iterator[Diagnostic]:
    """Examples that are made of other diagnostics, or of types in others."""
    at, flag, only = Location("tool.config.json", 3, 5), Location("--exclude"), Location("--only")
    yield unknown_base(
        UnknownBase(UnknownComponent("modules/m", "1.5.0")),
        "put the archive of 1.5.0 into the drop",
    )
    yield problem_ahead(ThemeAmbiguous(("bay", "harbour"), BUILT_IN), BUILT_IN)
    yield needed_component("b", ("a",), bringing_in("b", "modules.exclude", at, None), at)
    yield needed_component("b", ("a", "c"), bringing_in("b", "modules.exclude", flag, None), flag)
    yield needed_component("b", ("a",), bringing_in("b", "modules.only", only, None), only)
    texts = [
        ("none", "1", ""),
        ("none", "", "2"),
        ("none", "", ""),
        *((each, "1", "2") for each in get_args(Misfit)),
    ]
    for why, text, found in texts:
        known = {"why": why, "expected": text, "found": found, "at_line": 9}
        yield PatchConflict("m.patch", 12, path="modules/m", name="a", archive="m.zip", **known)
    yield from (
        OutputConflict("m", disputed=(DisputedFile("m/a", "edited", each),))
        for each in get_args(Unmergeable)
    )
    yield from (
        OutputConflict("tool.config.json", reason=each)
        for each in get_args(InTheWay)
        if each != "case"
    )


def variants(union: Any) -> set[type]:
    """The members of a union, also of unions in it."""
    members: set[type] = set()
    for member in get_args(union):
        members |= variants(member) if isinstance(member, UnionType) else {member}
    return members


def warning_codes() -> list[str]:
    """The code of each warning: the name of the function that makes it, in the order of
    the modules.
    """
    return [
        name.replace("_", "-")
        for module in _MODULES
        for name, make in vars(module).items()
        if isfunction(make)
        and make.__module__ == module.__name__
        and "WarningDiagnostic(" in getsource(make)
    ]


def event(diagnostic: Diagnostic) -> ErrorEvent | WarningEvent:
    """The event that reports a diagnostic."""
    if isinstance(diagnostic, WarningDiagnostic):
        return warning_event(diagnostic, PathContext())
    return error_event(diagnostic, PathContext())


def name_of(diagnostic: Diagnostic) -> str:
    """The type of an error, the code of a warning."""
    return (
        diagnostic.code if isinstance(diagnostic, WarningDiagnostic) else type(diagnostic).__name__
    )


def words() -> str:
    """The text of each example."""
    parts = (f"{name_of(each)}\n" + "\n".join(emit((event(each),), "text")) for each in every())
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    KEPT.write_text(words(), encoding="utf-8")
