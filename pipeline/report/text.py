"""Text: every kind of event as lines for people, in full (`docs/output.md`)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, TypeVar, assert_never

from msgspec import UNSET
from msgspec.structs import replace

from pipeline.report.escape import escape
from pipeline.report.events import (
    Action,
    ArchiveEvent,
    Becoming,
    ComponentEvent,
    DecisionEvent,
    DiffEvent,
    ErrorEvent,
    Event,
    HookEvent,
    HookStatus,
    InDrop,
    Obstacle,
    OutputEvent,
    Overridden,
    RunOutcome,
    StartEvent,
    StatusEvent,
    SummaryEvent,
    SystemEvent,
    WarningEvent,
)
from pipeline.report.layout import Row, Screen, Tone, paragraph, table
from pipeline.report.source import BUILT_IN, Source
from pipeline.report.values import value_text, word

ACTION_TONES: Final[dict[Action, Tone]] = {"add": "added", "update": "changed", "keep": "", "remove": "removed"}
ROOMY: Final = 60
"""The columns from which there is room for what is nice to know."""
_DONE: Final = ("added", "updated", "kept", "removed")
_PLANNED: Final = ("to add", "to update", "to keep", "to remove")
_LEADS: Final[dict[RunOutcome, str]] = {"done": "done: ", "planned": "dry run: ", "unchanged": "", "stopped": ""}
_CHANGES: Final[dict[Becoming, Tone]] = {"added": "added", "removed": "removed", "changed": "changed"}
_INCOMPARABLE: Final[dict[object, str]] = {
    "binary": "not text",
    "large": "too large",
    "unkept": "not kept as it was built",
}
_HOOK_TONES: Final[dict[HookStatus, Tone]] = {"planned": "", "skipped": "skipped", "ok": "", "failed": "error"}
_IN_DROP: Final[dict[InDrop, tuple[str, Tone]]] = {
    "same": ("", ""),
    "repacked": ("its archive was packed again, with the same content", ""),
    "adopted": ("taken over; {} of the drop is not built over it", ""),
    "newer": ("newer in the drop", "changed"),
    "older": ("older in the drop", "changed"),
    "changed": ("its archive has changed", "changed"),
    "new": ("not built", "added"),
    "unselected": ("not selected", "skipped"),
    "gone": ("its archive is not in the drop", "skipped"),
    "unknown": ("a refused archive may hold it", "warning"),
}
AS_BUILT: Final[tuple[str, Tone]] = ("as built", "")
"""The state of a component in which nothing differs."""
_Event = TypeVar("_Event", bound=Event)
_Tabular: TypeAlias = DecisionEvent | ArchiveEvent | ComponentEvent | StatusEvent | DiffEvent | HookEvent


def in_text(events: Iterable[Event], screen: Screen) -> Iterator[str]:
    """The lines for events of one kind, aligned with one another."""
    rows = []
    for event in share_help(tuple(events)):
        match event:
            case StartEvent():
                yield f"tool {event.tool}"
            case SystemEvent():
                yield from paragraph(_found(event), screen)
            case OutputEvent():
                yield escape(f"{event.source}: {event.line}")
            case WarningEvent():
                yield from _warning(event, screen)
            case ErrorEvent():
                yield from error_lines(event, Source(event.source) if event.source else None, (), screen)
            case SummaryEvent():
                yield from _summary(event, screen)
            case _:
                rows.append(_row(event, screen))
    if rows:
        yield from table(rows, screen, aligned=isinstance(event, StatusEvent | DiffEvent))


def _found(event: SystemEvent) -> str:
    folders = f"themes go to {event.themes}, modules to {event.modules}"
    return f"found {event.system} ({event.evidence}): {folders}"


def share_help(events: Sequence[_Event]) -> Iterator[_Event]:
    """Leave out the advice of a warning or error that the next one repeats: it stands once, below the last of them."""
    for event, following in zip(events, (*events[1:], None), strict=True):
        match event, following:
            case (WarningEvent() | ErrorEvent(), WarningEvent() | ErrorEvent()) if event.help == following.help:
                yield replace(event, help=None)
            case _:
                yield event


def error_lines(event: ErrorEvent, source: Source | None, excerpt: Iterable[str], screen: Screen) -> Iterator[str]:
    """An error: what is wrong, where, the line that it is about, and what to do."""
    yield from paragraph(f"{event.error}: {event.message}", screen, "error: ", "error")
    place = source if source != BUILT_IN else None  # nowhere to look
    if place and screen.spoken:
        name, line, column = place.name, place.line, place.column
        yield from paragraph(f"in {name}, line {line}, column {column}" if line else f"at {name}", screen)
    elif place:
        yield f"  --> {escape(str(place))}"
    yield from excerpt
    yield from _advice(event.help, screen)


def ending(event: SummaryEvent, screen: Screen) -> str:
    """How a run ended, in one clause; in a summary without what there was none of."""
    if event.outcome == "unchanged":
        return "nothing was changed"
    is_plan = event.outcome == "planned"
    numbers = (event.added, event.updated, event.kept, event.removed)
    counts = zip(numbers, _PLANNED if is_plan else _DONE, strict=True)
    parts = [f"{number} {name}" for number, name in counts if number or not screen.is_summary]
    if screen.is_summary and not (event.added or event.updated or event.removed):
        parts.insert(0, "nothing to change")
    others = ((event.refused, "refused"), (event.conflicts, "in conflict"))
    parts += [f"{number} {name}" for number, name in others if number]
    end = "; nothing was written" if is_plan else f" in {event.seconds:.2f} s"
    end += f"; the drop is `{event.drop}`, that of the last run" if event.drop else ""
    return ", ".join(parts) + end + "; then the run stopped" * (event.outcome == "stopped")


def versions(event: ComponentEvent, screen: Screen) -> str:
    """The version, or the step from the one that is there to another."""
    if event.action != "update" or event.previous in {None, event.version}:
        return event.version or ""
    step = _step(event.previous, event.version or "no version", screen)
    return step + (" (downgrade)" if event.downgrade else "")


def compared_versions(event: StatusEvent, screen: Screen) -> str:
    """The version that is built, and the one in the drop if that differs; only this of what is not there yet."""
    version, available = event.version or "-", event.available
    if event.drop == "new" and event.alike is UNSET:
        return available or "-"
    is_other = available not in {None, version} and event.drop in {"newer", "older", "changed"}
    return _step(version, available, screen) if is_other else version


def _step(old: str | None, new: str | None, screen: Screen) -> str:
    return f"from {old} to {new}" if screen.spoken else f"{old} → {new}"


def files(event: ComponentEvent, screen: Screen) -> str:
    """How many files there are, unless there is little room, how many of them are put back, and what stays."""
    stay = _counts(edited=event.edited, added=event.added)
    number = "" if 0 < screen.columns < ROOMY else f"{event.files} file{'' if event.files == 1 else 's'}"
    if number and event.changes:
        count = len(event.changes)  # more than there are, if some are removed
        number = f"{f'{count} of {number}' if count <= event.files else f'{count} files'} change{'s' * (count == 1)}"
    back = f"{event.restored} put back" if event.restored else ""
    merged = f"{event.merged} merged" if event.merged else ""
    return "; ".join(filter(None, (number, back, merged, f"{stay} by you" if stay else "")))


def setter(each: DecisionEvent | Overridden) -> str:
    """Who set a value: `config tool.config.json:3:12`, `preset:ci`, or `default`."""
    if each.layer == "default":
        return each.layer
    return each.source if each.source.startswith("preset:") else f"{each.layer} {each.source}"


def below(event: DecisionEvent, screen: Screen) -> str:
    """What the layers below say: what is kept, what was detected, and what lost; at a glance without the default."""
    layers = [each for each in event.overridden if not (screen.at_a_glance and each.layer == "default")]
    kept = ", ".join(f"{value_text(each.value)} ({setter(each)})" for each in layers if each.extended)
    lost = ", ".join(f"{value_text(each.value)} ({setter(each)})" for each in layers if not each.extended)
    detected = ", ".join(f"{word(each.value)} ({each.source})" for each in event.elements if each.layer == "default")
    parts = (("extends", kept), ("detects", detected), ("overrides", lost))
    return "; ".join(f"{how} {what}" for how, what in parts if what)


def _row(event: _Tabular, screen: Screen) -> Row:
    """The columns of one event."""
    match event:
        case DecisionEvent():
            return Row((event.path, value_text(event.value), event.layer, event.source, below(event, screen)))
        case ArchiveEvent():
            what = " ".join(filter(None, (event.kind, event.name, event.version))) or "not recognised"
            evidence = f"[{event.evidence}]" if event.evidence else ""
            return Row((event.archive, what, evidence, _verdict(event)))
        case ComponentEvent():
            will = event.action if event.action == "keep" else f"will {event.action}"
            cells = (will, event.path, versions(event, screen), files(event, screen))
            changes = (event.changes or ()) if screen.verbose else ()
            return Row(cells, ACTION_TONES[event.action], tuple(f"  {event.path}/{name}" for name in changes))
        case StatusEvent():
            words, tone = state(event)
            lists = _lists(event).items() if screen.verbose else ()
            differing = tuple(f"  {what:8} {event.path}/{name}" for what, names in lists for name in names)
            return Row((event.path, compared_versions(event, screen), event.archive, words), tone, differing)
        case DiffEvent():
            lines = f"+{event.added} -{event.removed}"
            return Row((event.path, event.change, _INCOMPARABLE.get(event.incomparable, lines)), _CHANGES[event.change])
        case HookEvent():
            took = f"{event.seconds:.2f} s" if event.seconds is not None else ""
            more = event.reason if isinstance(event.reason, str) else took
            status = f"{event.status} ({event.exit})" if event.exit else event.status
            return Row(("hook", f"{event.stage}/{event.script}", status, more), _HOOK_TONES[event.status])
        case _:
            assert_never(event)


def _verdict(event: ArchiveEvent) -> str:
    if event.refused:
        return "refused: the error says why"
    return f"{'use' if event.selected else 'skip'}: {event.reason}"


def state(event: StatusEvent) -> tuple[str, Tone]:
    """What differs, in clauses, and what that means."""
    form, tone = _IN_DROP[event.drop]
    if isinstance(event.obstacle, Obstacle):
        return f"{event.obstacle.path} is a {'symbolic link' if event.obstacle.kind == 'link' else 'file'}", "error"
    text = "not in the record" if event.drop == "new" and event.added else form.format(event.available)
    lists = _lists(event)
    numbers = {"in conflict" if name == "conflict" else name: len(names) for name, names in lists.items()}
    installed = event.installed if isinstance(event.installed, str) and event.missing is not True else ""
    if isinstance(event.alike, int):
        differ = numbers.pop("edited") + numbers.pop("in conflict")
        there = f"{installed} is there; " if installed else ""
        text = f"not in the record: {there}{event.alike} as in the archive, {differ} differ{'s' * (differ == 1)}"
    elif installed:
        text, tone = f"replaced: {installed} is there", "error"
    counts = _counts(**numbers)
    if isinstance(event.declined, dict):
        counts = f"{counts}; {len(event.declined)} declined of {', '.join(sorted({*event.declined.values()}))}"
    differing = "missing" if event.missing is True else counts
    tone = "error" if lists["conflict"] else tone or ("changed" if differing else "")
    told = "; ".join(filter(None, (text, differing)))
    return (told, tone) if told else AS_BUILT


def _lists(event: StatusEvent) -> dict[str, tuple[str, ...]]:
    """The files that differ, each in one list: those in conflict are in no other."""
    gone = "missing" if isinstance(event.alike, int) else "deleted"
    lists = {"edited": event.edited, "added": event.added, gone: event.deleted, "mode": event.mode}
    conflicts = event.conflicts or ()
    others = {what: tuple(name for name in names if name not in conflicts) for what, names in lists.items()}
    return {**others, "conflict": conflicts}


def _counts(**counts: int) -> str:
    """Those of which there are any: `2 edited, 1 added`."""
    return ", ".join(f"{number} {name}" for name, number in counts.items() if number)


def _summary(event: SummaryEvent, screen: Screen) -> Iterator[str]:
    if screen.is_summary:
        tone: Tone = "warning" if event.refused or event.conflicts else "added"
        yield from paragraph(ending(event, screen), screen, _LEADS[event.outcome], tone)
    else:
        yield from paragraph(ending(event, screen), screen, f"{escape(event.project)}: ")


def _warning(event: WarningEvent, screen: Screen) -> Iterator[str]:
    """A warning behind its place, unless the message has it."""
    is_told = event.source in {None, "."} or f"`{event.source}`" in event.message
    place = "" if is_told else f"{event.source}: "
    yield from paragraph(f"{place}{event.message}", screen, "warning: ", "warning")
    yield from _advice(event.help, screen)


def _advice(text: str | None, screen: Screen) -> Iterator[str]:
    if text:
        lead = "help: " if screen.spoken else "  = help: "
        yield from paragraph(text, screen, lead, "help", hanging=len(lead))
