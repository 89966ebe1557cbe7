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
from pipeline.report.wording import counted, listed, value_text, word

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
_LEFT: Final = {
    "": "",
    "unknown": "unknown base",
    "behind": "older in the drop, so it stays",
}
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
    yield from _group("refuse", refused, "the error says why" if len(refused) == 1 else "the errors say why", "error")


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
            evidence = f"[{event.evidence}]" if event.evidence else ""
            return Row((event.archive, what, evidence, _verdict(event)))
        case ComponentEvent():
            action = "record" if event.recorded else event.action
            will = action if screen.is_summary or action == "keep" else f"will {action}"
            cells = (will, event.path, _versions(event, screen), _files(event))
            changes = (event.changes or ()) if screen.verbose else ()
            return Row(cells, _ACTIONS[event.action], tuple(f"  {event.path}/{name}" for name in changes))
        case StatusEvent():
            words, tone = state(event)
            lists = [(what, name) for what, names in _lists(event).items() for name in names]
            differing = tuple(f"  {what:8} {event.path}/{name}" for what, name in lists if screen.verbose)
            archive = () if screen.is_summary else (event.archive,)
            return Row((event.path, _compared_versions(event, screen), *archive, words), tone, differing)
        case DiffEvent():
            lines = f"+{event.added} -{event.removed}"
            differs = _INCOMPARABLE.get(event.incomparable, lines)
            return Row((event.path, event.change, differs), event.change)
        case HookEvent():
            took = f"{event.seconds:.2f} s" if event.seconds is not None else ""
            status = f"{event.status} ({event.exit})" if event.exit else event.status
            cells = ("hook", f"{event.stage}/{event.script}", status, event.reason or took)
            return Row(cells, _HOOK_TONES[event.status])
        case _:
            assert_never(event)


def _setter(each: DecisionEvent | Overridden) -> str:
    """Who set a value: `config tool.config.json:3:12`, `preset:ci`, or `default`."""
    if each.layer == "default":
        return each.layer
    return each.source if each.source.startswith("preset:") else f"{each.layer} {each.source}"


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
    return f"{'use' if event.selected else 'skip'}: {event.reason}"


def _versions(event: ComponentEvent, screen: Screen) -> str:
    """The version, or the step from the one that is there to another."""
    if not (event.action == "update" or event.recorded) or event.previous in {None, event.version}:
        return event.version or ""
    step = _step(event.previous, event.version or "no version", screen)
    return step + (" (downgrade)" if event.downgrade else "")


def _compared_versions(event: StatusEvent, screen: Screen) -> str:
    """The version that is built, and the one in the drop if that differs; only this of what is not there yet."""
    version = event.version or event.installed or ""
    available = event.available
    if event.drop == "new" and not version:
        return "-" if event.base or event.alike is not UNSET else available or "-"
    is_other = available not in {None, version} and event.drop in {"new", "other", "newer", "older", "changed"}
    version = version or "-"
    return _step(version, available, screen) if is_other else version


def _step(old: str | None, new: str | None, screen: Screen) -> str:
    return f"from {old} to {new}" if screen.accessible else f"{old} → {new}"


def _files(event: ComponentEvent) -> str:
    """How many files there are, how many of them are put back, and what stays."""
    stay = _counts(edited=event.edited, added=event.added)
    number = counted(event.files, "file")
    if event.changes:
        count = len(event.changes)  # more than there are, if some are removed
        which = f"{count:,} of {number}" if count <= event.files else counted(count, "file")
        number = f"{which} change{'s' * (count == 1)}"
    counts = {"removed": event.removed, "put back": event.restored, "merged": event.merged, "patched": event.patched}
    parts = (_counts(**{what: number or 0}) for what, number in counts.items())
    recorded = "taken over" if event.previous in {None, event.version} else "updated by the system"
    others = (recorded if event.recorded and not event.downgrade else "", *parts)
    return "; ".join(filter(None, (number, *others, f"{stay} by you" if stay else "")))


def state(event: StatusEvent) -> tuple[str, Tone]:
    """What differs, in clauses, and what that means."""
    if event.state:
        return "interrupted: the next `tool create` or `tool undo` completes it", "error"
    if isinstance(event.obstacle, Obstacle):
        kind = "symbolic link" if event.obstacle.kind == "link" else "file"
        return f"{event.obstacle.path} is a {kind}", "error"
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
        tone = "error" if event.base == "unknown" else tone
    if event.changes:
        stands = f"{stands or 'its patch has changed'}: {_changes(event)}"
    is_changed = bool(event.missing or any(numbers.values()))
    differing = "missing" if event.missing else _counts(**numbers, patched=len(event.patched or ()))
    if not stands and not is_changed:
        return ", ".join(filter(None, (AS_BUILT[0], differing))), AS_BUILT[1]
    if event.conflicts:
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
    explained = "no archive of the drop is it" if event.drop == "gone" else _IN_DROP[event.drop][0]
    if event.kept:
        are = "is" if len(event.kept) == 1 else "are"
        explained += f", but {listed([f'{event.name}@{version}' for version in event.kept])} {are} kept"
    return f"not in the record: {what}; {explained}"


def _replaced(event: StatusEvent, stands: str) -> str:
    """Which version is there instead of what was written, why it stays, and how what was written `stands` to the drop.

    What no run has written stands to nothing.
    """
    how = "replaced" if event.version else "not in the record"
    there = f"{how}: {event.installed or 'no version'} is there"
    return "; ".join(filter(None, (there, _LEFT[event.base or ""], stands if event.version else "")))


def _changes(event: StatusEvent) -> str:
    """How many files an update changes, and how many it removes."""
    number = len(event.changes or ())
    changes = f"{counted(number, 'file')} change{'s' * (number == 1)}"
    return ", ".join(filter(None, (changes, _counts(removed=event.removed or 0))))


def _lists(event: StatusEvent) -> dict[str, tuple[str, ...]]:
    """The files that differ, each in one list: those in conflict are in no other."""
    gone = "missing" if isinstance(event.alike, int) else "deleted"
    lists = {"edited": event.edited, "added": event.added, gone: event.deleted, "mode": event.mode}
    conflicts = event.conflicts or ()
    others = {what: tuple(name for name in names if name not in conflicts) for what, names in lists.items()}
    return {**others, "conflict": conflicts}


def _counts(**counts: int) -> str:
    """List the counts above zero: `2 edited, 1 added`."""
    return ", ".join(f"{number} {name}" for name, number in counts.items() if number)
