"""Tables: events that are shown in columns: in full, or the unusual ones in a summary (`docs/reference/events.md`)."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias, assert_never

from msgspec import UNSET
from toolz import groupby

from pipeline.report.events import (
    Action,
    ArchiveEvent,
    ComponentEvent,
    DecisionEvent,
    DiffEvent,
    HookEvent,
    HookStatus,
    InDrop,
    Obstacle,
    Overridden,
    StatusEvent,
)
from pipeline.report.layout import Row, Screen, Tone, table
from pipeline.report.wording import agreeing, clause, counted, listed, value_text, word

ALIKE: Final = 3
"""How many archives that are skipped for one reason have a line each; more share one."""
_NAMED: Final = 5
"""How many of those that share a line are named."""
_ACTIONS: Final[dict[Action, Tone]] = {"add": "added", "update": "changed", "keep": "", "remove": "removed"}
_INCOMPARABLE: Final[dict[object, str]] = {
    "binary": "not text",
    "large": "too large",
    "unkept": "not kept as it was built",
}
_HOOK_TONES: Final[dict[HookStatus, Tone]] = {"planned": "", "skipped": "skipped", "ok": "", "failed": "error"}
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
    "ambiguous": ("several archives of the drop differ", "warning"),
    "unknown": ("a refused archive may hold it", "warning"),
}
_OF_OTHER_VERSION: Final[frozenset[InDrop]] = frozenset({"new", "other", "newer", "older", "changed"})
"""How a component stands to the drop where the versions of both are shown."""
_LEFT: Final = {
    "": "",
    "unknown": "unknown base",
    "behind": "older in the drop, so it stays",
}
_OBSTACLES: Final = {"link": "symbolic link", "file": "file"}
AS_BUILT: Final[tuple[str, Tone]] = ("as built", "")
"""The state of a component in which nothing differs."""
Tabular: TypeAlias = DecisionEvent | ArchiveEvent | ComponentEvent | StatusEvent | DiffEvent | HookEvent


def in_table(events: Sequence[Tabular], screen: Screen) -> tuple[str, ...]:
    """The lines for events of one kind, aligned with one another."""
    archives = [event for event in events if isinstance(event, ArchiveEvent)]
    if archives and screen.is_summary:
        return table(tuple(_outcomes(archives)), screen)
    shown = [event for event in events if _is_shown(event, screen)]
    lines = table([_row(event, screen) for event in shown], screen)
    if isinstance(events[0], DecisionEvent) and len(shown) < len(events):
        return (*lines, _defaults(len(events) - len(shown)))
    return lines


def _defaults(count: int) -> str:
    """The line for the settings that have no line of their own."""
    if count == 1:
        return "1 setting has its default; --verbose lists it"
    return f"{count} settings have their defaults; --verbose lists them"


def _is_shown(event: Tabular, screen: Screen) -> bool:
    """Whether there is a line for it: in a summary for what changes, on a terminal for settings that somebody set."""
    match event:
        case DecisionEvent():
            return not screen.at_a_glance or event.layer != "default" or bool(event.detected)
        case ComponentEvent():
            return not screen.is_summary or event.action != "keep" or event.recorded is True
        case _:
            return True


def _outcomes(events: Sequence[ArchiveEvent]) -> Iterator[Row]:
    """The archives that are refused or skipped; what comes of the others, the components tell."""
    skipped = (event for event in events if not (event.selected or event.refused))
    groups: dict[str, list[ArchiveEvent]] = groupby(lambda event: event.reason, skipped)
    for reason, group in groups.items():
        yield from _group("skip", group, reason, "skipped")
    refused = [event for event in events if event.refused]
    yield from _group("refuse", refused, agreeing(refused, "the error says why", "the errors say why"), "error")


def _group(word: str, events: Sequence[ArchiveEvent], reason: str, tone: Tone) -> Iterator[Row]:
    """The lines for archives that share their outcome: one each, or one for all of many."""
    if len(events) <= ALIKE:
        yield from (Row((word, event.archive, reason), tone) for event in events)
    else:
        names = listed([event.archive for event in events], _NAMED, mark="")
        yield Row((word, f"{len(events)} archives", f"{reason}: {names}"), tone)


def _row(event: Tabular, screen: Screen) -> Row:
    """The columns of one event."""
    match event:
        case DecisionEvent() if screen.at_a_glance:
            why = "; ".join(filter(None, (_setter(event), _below(event, screen))))
            return Row((event.path, value_text(event.value), why))
        case DecisionEvent():
            return Row((event.path, value_text(event.value), event.layer, event.source, _below(event, screen)))
        case ArchiveEvent():
            what = " ".join(filter(None, (event.kind, event.name, event.version))) or "not recognised"
            return Row((event.archive, what, clause("[{}]", event.evidence), _verdict(event)))
        case ComponentEvent():
            return _component(event, screen)
        case StatusEvent():
            return _status(event, screen)
        case DiffEvent():
            lines = f"+{event.added} -{event.removed}"
            differs = _INCOMPARABLE.get(event.incomparable, lines)
            return Row((event.path, event.change, differs), event.change)
        case HookEvent():
            status = f"{event.status}{clause(' ({})', event.exit)}"
            cells = ("hook", f"{event.stage}/{event.script}", status, _reason(event))
            return Row(cells, _HOOK_TONES[event.status])
        case _:
            assert_never(event)


def _component(event: ComponentEvent, screen: Screen) -> Row:
    action: str = event.action
    if event.recorded:
        action = "record"
    if action != "keep" and not screen.is_summary:
        action = f"will {action}"
    below: tuple[str, ...] = ()
    if screen.verbose and event.changes:
        below = tuple(f"  {event.path}/{name}" for name in event.changes)
    return Row((action, event.path, _versions(event, screen), _files(event)), _ACTIONS[event.action], below)


def _status(event: StatusEvent, screen: Screen) -> Row:
    words, tone = state(event)
    cells = [event.path, _compared_versions(event, screen), event.archive, words]
    if screen.is_summary:
        del cells[2]
    below: tuple[str, ...] = ()
    if screen.verbose:
        files = ((what, name) for what, names in _lists(event).items() for name in names)
        below = tuple(f"  {what:8} {event.path}/{name}" for what, name in files)
    return Row(tuple(cells), tone, below)


def _reason(event: HookEvent) -> str:
    """Why a script did not run or failed; else how long it took, if it has run."""
    if event.reason or event.seconds is None:
        return event.reason or ""
    return f"{event.seconds:.2f} s"


def _setter(each: DecisionEvent | Overridden) -> str:
    """Who set a value: `config tool.config.json:3:12`, `preset:ci`, or `default`."""
    if each.layer == "default":
        return each.layer
    if each.source.startswith("preset:"):
        return each.source
    return f"{each.layer} {each.source}"


def _below(event: DecisionEvent, screen: Screen) -> str:
    """What the layers below say: what is kept, what was detected, and what lost; at a glance without the default."""
    layers = [each for each in event.overridden if not (screen.at_a_glance and each.layer == "default")]
    kept = ", ".join(f"{value_text(each.value)} ({_setter(each)})" for each in layers if each.extended)
    lost = ", ".join(f"{value_text(each.value)} ({_setter(each)})" for each in layers if not each.extended)
    detected = ", ".join(f"{word(each.value)} ({each.source})" for each in event.elements if each.layer == "default")
    parts = (("extends", kept), ("detects", detected), ("overrides", lost))
    return "; ".join(f"{how} {what}" for how, what in parts if what)


def _verdict(event: ArchiveEvent) -> str:
    if event.refused:
        return "refused: the error says why"
    if event.selected:
        return f"use: {event.reason}"
    return f"skip: {event.reason}"


def _versions(event: ComponentEvent, screen: Screen) -> str:
    """The version, or the step from the one that is there to another."""
    if not (event.action == "update" or event.recorded) or event.previous in {None, event.version}:
        return event.version or ""
    step = _step(event.previous, event.version or "no version", screen)
    if event.downgrade:
        return f"{step} (downgrade)"
    return step


def _compared_versions(event: StatusEvent, screen: Screen) -> str:
    """The version that is built, and the one in the drop if that differs; only this of what is not there yet."""
    version = event.version or event.installed or ""
    available = event.available
    if event.drop == "new" and not version:
        if event.base or event.alike is not UNSET:
            return "-"
        return available or "-"
    if available in {None, version} or event.drop not in _OF_OTHER_VERSION:
        return version or "-"
    return _step(version or "-", available, screen)


def _step(old: str | None, new: str | None, screen: Screen) -> str:
    if screen.accessible:
        return f"from {old} to {new}"
    return f"{old} → {new}"


def _files(event: ComponentEvent) -> str:
    """How many files there are, how many of them are put back, and what stays."""
    parts = [
        _number(event),
        _takeover(event),
        _counts(removed=event.removed or 0),
        _counts(**{"put back": event.restored or 0}),
        _counts(merged=event.merged or 0),
        _counts(patched=event.patched or 0),
        clause("{} by you", _counts(edited=event.edited, added=event.added)),
    ]
    return "; ".join(filter(None, parts))


def _number(event: ComponentEvent) -> str:
    """How many files there are, or how many of them change."""
    number = counted(event.files, "file")
    if not event.changes:
        return number
    count = len(event.changes)
    if count > event.files:  # some are removed
        return f"{counted(count, 'file')} {agreeing(event.changes, 'changes', 'change')}"
    return f"{count:,} of {number} {agreeing(event.changes, 'changes', 'change')}"


def _takeover(event: ComponentEvent) -> str:
    """How a component came to be recorded that no run has built."""
    if not event.recorded or event.downgrade:
        return ""
    if event.previous in {None, event.version}:
        return "taken over"
    return "updated by the system"


def state(event: StatusEvent) -> tuple[str, Tone]:
    """What differs, in clauses, and what that means."""
    if event.state:
        return "interrupted: the next `tool create` or `tool undo` completes it", "error"
    if isinstance(event.obstacle, Obstacle):
        return f"{event.obstacle.path} is a {_OBSTACLES[event.obstacle.kind]}", "error"
    if event.foreign:
        return _foreign(event), _IN_DROP[event.drop][1]
    numbers = {name: len(names) for name, names in _lists(event).items()}
    numbers["in conflict"] = numbers.pop("conflict")
    stands, tone = _IN_DROP[event.drop]
    if isinstance(event.alike, int):
        differ = numbers.pop("edited") + numbers.pop("in conflict")
        stands = f"not in the record: {event.alike} as in the archive, {differ} differ{'s' * (differ == 1)}"
    elif event.installed or event.base:
        stands = _replaced(event, stands)
    if event.changes:
        stands = f"{stands or 'its patch has changed'}: {_changes(event)}"
    is_changed = bool(event.missing or any(numbers.values()))
    differing = _counts(**numbers, patched=len(event.patched or ()))
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
    """What lies beside the components that are built, and whether the drop has an archive of it."""
    match event.foreign:
        case "component" | "file" if event.system:
            what = f"a {event.kind} of {event.system}"
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
        in_drop = "no archive of the drop is it"
    if event.kept:
        versions = [f"{event.name}@{version}" for version in event.kept]
        in_drop += f", but {listed(versions)} {agreeing(versions, 'is', 'are')} kept"
    return f"not in the record: {what}; {in_drop}"


def _replaced(event: StatusEvent, stands: str) -> str:
    """Which version is there instead of what was written, why it stays, and how what was written `stands` to the drop.

    What no run has written stands to nothing.
    """
    there = f"{event.installed or 'no version'} is there"
    left = _LEFT[event.base or ""]
    if not event.version:
        return "; ".join(filter(None, (f"not in the record: {there}", left)))
    return "; ".join(filter(None, (f"replaced: {there}", left, stands)))


def _changes(event: StatusEvent) -> str:
    """How many files an update changes, and how many it removes."""
    number = len(event.changes or ())
    changes = f"{counted(number, 'file')} change{'s' * (number == 1)}"
    return ", ".join(filter(None, (changes, _counts(removed=event.removed or 0))))


def _lists(event: StatusEvent) -> dict[str, tuple[str, ...]]:
    """The files that differ, each in one list: those in conflict are in no other."""
    absent = "deleted"
    if isinstance(event.alike, int):
        absent = "missing"
    lists = {"edited": event.edited, "added": event.added, absent: event.deleted, "mode": event.mode}
    conflicts = event.conflicts or ()
    others = {what: tuple(name for name in names if name not in conflicts) for what, names in lists.items()}
    return {**others, "conflict": conflicts}


def _counts(**counts: int) -> str:
    """List the counts above zero: `2 edited, 1 added`."""
    return ", ".join(f"{number} {name}" for name, number in counts.items() if number)
