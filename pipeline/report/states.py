"""States: what differs in a component on disk, or between it and the drop, in clauses."""

from typing import Final

from pipeline.report.events import InDrop, Obstacle, StatusEvent
from pipeline.report.layout import Tone
from pipeline.report.wording import agreeing, counted, listed

_IN_DROP: Final[dict[InDrop, tuple[str, Tone]]] = {
    "same": ("", ""),
    "repacked": ("its archive was packed again, with the same content", ""),
    "other": ("", "changed"),
    "newer": ("newer in the drop", "changed"),
    "older": ("older in the drop", "changed"),
    "changed": ("its archive has changed", "changed"),
    "new": ("not built", "added"),
    "unselected": ("not selected", "skipped"),
    "gone": ("its archive is not in the drop", "skipped"),
    "ambiguous": ("several archives in the drop differ", "warning"),
    "unknown": ("a refused archive may have it", "warning"),
}
"""How the archives of a component compare, as a clause, and how that is shown."""
_LEFT: Final = {
    "": "",
    "unknown": "unknown base",
    "behind": "older in the drop, so it stays",
}
_OBSTACLES: Final = {"link": "symbolic link", "file": "file"}
AS_BUILT: Final[tuple[str, Tone]] = ("as built", "")
"""The state of a component without differences."""


def state(event: StatusEvent) -> tuple[str, Tone]:
    """The differences of a component, in clauses, and how they are shown."""
    if event.state:
        return "interrupted: the next `tool create` or `tool undo` completes it", "error"
    if isinstance(event.obstacle, Obstacle):
        return f"{event.obstacle.path} is a {_OBSTACLES[event.obstacle.kind]}", "error"
    if event.foreign:
        return _foreign(event), _IN_DROP[event.drop][1]
    numbers = {name: len(names) for name, names in files_that_differ(event).items()}
    numbers["in conflict"] = numbers.pop("conflict")
    stands, tone = _IN_DROP[event.drop]
    if isinstance(event.alike, int):
        differ = numbers.pop("edited") + numbers.pop("in conflict")
        stands = (
            f"not in the record: {event.alike} as in the archive, {differ} "
            f"differ{'s' * (differ == 1)}"
        )
    elif event.installed or event.base:
        stands = _replaced(event, stands)
    if event.changes:
        stands = f"{stands or 'its patch has changed'}: {_changes(event)}"
    is_changed = bool(event.missing or any(numbers.values()))
    differing = counts(**numbers, patched=len(event.patched or ()))
    if event.missing:
        differing = "missing"
    if not stands and not is_changed:
        return ", ".join(filter(None, (AS_BUILT[0], differing))), AS_BUILT[1]
    if event.conflicts or (event.base == "unknown" and not isinstance(event.alike, int)):
        tone = "error"
    elif not tone and is_changed:
        tone = "changed"
    return "; ".join(filter(None, (stands, differing))), tone


def _foreign(event: StatusEvent) -> str:
    """What a file or folder is that the tool did not build, and whether the drop has an
    archive of it.
    """
    match event.foreign:
        case "component" | "file" if event.system:
            what = f"{_article(event.system)} {event.system} {event.kind}"
        case "component":
            what = f"a {event.kind}"
        case "folder":
            what = f"a folder without the marker of a {event.kind}"
        case "link":
            what = "a link that leads to nothing"
        case _:
            what = "a file"
    in_drop = _IN_DROP[event.drop][0]
    if event.drop == "gone":
        in_drop = "the drop has no archive of it"
    if event.kept:
        versions = [f"{event.name}@{version}" for version in event.kept]
        in_drop += f", but {listed(versions)} {agreeing(versions, 'is', 'are')} kept"
    return f"not in the record: {what}; {in_drop}"


def _article(name: str) -> str:
    """The indefinite article before the name of a system."""
    if name[0] in "AEIO":
        return "an"
    return "a"


def _replaced(event: StatusEvent, stands: str) -> str:
    """The version that is on disk instead of the built one, why it stays, and how the
    drop compares.

    `stands` says how the archive that was built compares with the drop. It is left out if no run
    built the component.
    """
    there = f"{event.installed or 'no version'} is on disk"
    left = _LEFT[event.base or ""]
    if not event.version:
        return "; ".join(filter(None, (f"not in the record: {there}", left)))
    return "; ".join(filter(None, (f"replaced: {there}", left, stands)))


def _changes(event: StatusEvent) -> str:
    """The number of files that an update changes, and the number that it removes."""
    number = len(event.changes or ())
    changes = f"{counted(number, 'file')} change{'s' * (number == 1)}"
    return ", ".join(filter(None, (changes, counts(removed=event.removed or 0))))


def files_that_differ(event: StatusEvent) -> dict[str, tuple[str, ...]]:
    """The files that differ, by how they differ; files in conflict are in that list only."""
    absent = "deleted"
    if isinstance(event.alike, int):
        absent = "missing"
    lists = {
        "edited": event.edited,
        "added": event.added,
        absent: event.deleted,
        "mode": event.mode,
    }
    conflicts = event.conflicts or ()
    others = {
        what: tuple(name for name in names if name not in conflicts)
        for what, names in lists.items()
    }
    return {**others, "conflict": conflicts}


def counts(**counts: int) -> str:
    """List the counts above zero: `2 edited, 1 added`."""
    return ", ".join(f"{number} {name}" for name, number in counts.items() if number)
