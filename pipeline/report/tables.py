"""Tables: events in columns; in a summary, only the unusual ones (`docs/reference/events.md`)."""

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
    Overridden,
    StatusEvent,
)
from pipeline.report.layout import Row, Screen, Tone, table
from pipeline.report.states import counts, files_that_differ, state
from pipeline.report.wording import agreeing, clause, counted, listed, value_text, word

ALIKE: Final = 3
"""The most archives skipped for the same reason that have a line each; more archives
share one line.
"""
_NAMED: Final = 5
"""How many archives are named if they share a line."""
_ACTIONS: Final[dict[Action, Tone]] = {
    "add": "added",
    "update": "changed",
    "keep": "",
    "remove": "removed",
}
_INCOMPARABLE: Final[dict[object, str]] = {
    "binary": "not text",
    "large": "too large",
    "unkept": "not kept as it was built",
}
_HOOK_TONES: Final[dict[HookStatus, Tone]] = {
    "planned": "",
    "skipped": "skipped",
    "ok": "",
    "failed": "error",
}
_OF_OTHER_VERSION: Final[frozenset[InDrop]] = frozenset(
    {"new", "other", "newer", "older", "changed"}
)
"""The comparisons with the drop for which both versions are shown."""
Tabular: TypeAlias = (
    DecisionEvent | ArchiveEvent | ComponentEvent | StatusEvent | DiffEvent | HookEvent
)


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
    """The line that counts the settings without a line of their own."""
    if count == 1:
        return "1 setting has its default; --verbose lists it"
    return f"{count} settings have their defaults; --verbose lists them"


def _is_shown(event: Tabular, screen: Screen) -> bool:
    """Whether an event has a line: a summary shows changes, a terminal the settings that
    somebody set.
    """
    match event:
        case DecisionEvent():
            return not screen.at_a_glance or event.layer != "default" or bool(event.detected)
        case ComponentEvent():
            return not screen.is_summary or event.action != "keep" or event.recorded is True
        case _:
            return True


def _outcomes(events: Sequence[ArchiveEvent]) -> Iterator[Row]:
    """The rows for archives that are skipped or refused; the other archives appear
    as components.
    """
    skipped = (event for event in events if not (event.selected or event.refused))
    groups: dict[str, list[ArchiveEvent]] = groupby(lambda event: event.reason, skipped)
    for reason, group in groups.items():
        yield from _group("skip", group, reason, "skipped")
    refused = [event for event in events if event.refused]
    yield from _group(
        "refuse", refused, agreeing(refused, "the error says why", "the errors say why"), "error"
    )


def _group(word: str, events: Sequence[ArchiveEvent], reason: str, tone: Tone) -> Iterator[Row]:
    """The rows for archives with the same outcome: one each, or one row for many."""
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
            return Row(
                (
                    event.path,
                    value_text(event.value),
                    event.layer,
                    event.source,
                    _below(event, screen),
                )
            )
        case ArchiveEvent():
            what = (
                " ".join(filter(None, (event.kind, event.name, event.version))) or "not recognised"
            )
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
    return Row(
        (action, event.path, _versions(event, screen), _files(event)), _ACTIONS[event.action], below
    )


def _status(event: StatusEvent, screen: Screen) -> Row:
    words, tone = state(event)
    cells = [event.path, _compared_versions(event, screen), event.archive, words]
    if screen.is_summary:
        del cells[2]
    below: tuple[str, ...] = ()
    if screen.verbose:
        files = ((what, name) for what, names in files_that_differ(event).items() for name in names)
        below = tuple(f"  {what:8} {event.path}/{name}" for what, name in files)
    return Row(tuple(cells), tone, below)


def _reason(event: HookEvent) -> str:
    """Why a script did not run or failed; otherwise how long it took, if it has run."""
    if event.reason or event.seconds is None:
        return event.reason or ""
    return f"{event.seconds:.2f} s"


def _setter(each: DecisionEvent | Overridden) -> str:
    """The layer and place that set a value: `config tool.config.json:3:12`, `preset:ci`,
    or `default`.
    """
    if each.layer == "default":
        return each.layer
    if each.source.startswith("preset:"):
        return each.source
    return f"{each.layer} {each.source}"


def _below(event: DecisionEvent, screen: Screen) -> str:
    """The values of lower layers: those that are kept, detected or overridden; at a glance without
    the default.
    """
    layers = [
        each for each in event.overridden if not (screen.at_a_glance and each.layer == "default")
    ]
    kept = ", ".join(
        f"{value_text(each.value)} ({_setter(each)})" for each in layers if each.extended
    )
    lost = ", ".join(
        f"{value_text(each.value)} ({_setter(each)})" for each in layers if not each.extended
    )
    detected = ", ".join(
        f"{word(each.value)} ({each.source})" for each in event.elements if each.layer == "default"
    )
    parts = (("extends", kept), ("detects", detected), ("overrides", lost))
    return "; ".join(f"{how} {what}" for how, what in parts if what)


def _verdict(event: ArchiveEvent) -> str:
    if event.refused:
        return "refused: the error says why"
    if event.selected:
        return f"use: {event.reason}"
    return f"skip: {event.reason}"


def _versions(event: ComponentEvent, screen: Screen) -> str:
    """The version, or the step from the version on disk to the new one."""
    if not (event.action == "update" or event.recorded) or event.previous in {None, event.version}:
        return event.version or ""
    step = _step(event.previous, event.version or "no version", screen)
    if event.downgrade:
        return f"{step} (downgrade)"
    return step


def _compared_versions(event: StatusEvent, screen: Screen) -> str:
    """The built version, and the one in the drop if it differs; only the latter if
    nothing is built.
    """
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
    """The number of files, of those that change or are restored, and of your edits."""
    parts = [
        _number(event),
        _takeover(event),
        counts(removed=event.removed or 0),
        counts(**{"put back": event.restored or 0}),
        counts(merged=event.merged or 0),
        counts(patched=event.patched or 0),
        clause("{} by you", counts(edited=event.edited, added=event.added)),
    ]
    return "; ".join(filter(None, parts))


def _number(event: ComponentEvent) -> str:
    """The number of files, or the number of those that change."""
    number = counted(event.files, "file")
    if not event.changes:
        return number
    count = len(event.changes)
    if count > event.files:  # some are removed
        return f"{counted(count, 'file')} {agreeing(event.changes, 'changes', 'change')}"
    return f"{count:,} of {number} {agreeing(event.changes, 'changes', 'change')}"


def _takeover(event: ComponentEvent) -> str:
    """How a component that no run has built came to be recorded; empty for any other."""
    if not event.recorded or event.downgrade:
        return ""
    if event.previous in {None, event.version}:
        return "taken over"
    return "updated by the system"
