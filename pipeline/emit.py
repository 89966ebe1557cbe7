"""Emit: format settings and events as lines of text or JSON.

Takes values and gives strings; the edge writes them. Every string is escaped. The format is described in
`docs/output.md`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, assert_never

import msgspec

from pipeline.config.layers import Decision, Settings
from pipeline.report.escape import escape, to_json, width
from pipeline.report.events import (
    Action,
    ArchiveEvent,
    ComponentEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    HookEvent,
    InDrop,
    ListElement,
    OutputEvent,
    Overridden,
    StartEvent,
    StatusEvent,
    SummaryEvent,
    WarningEvent,
)
from pipeline.report.values import value_text, word
from pipeline.schema import LogFormat

COLUMN_LIMIT: Final = 40
"""The most columns of the screen that a cell is padded to."""


def decisions(settings: Settings) -> tuple[DecisionEvent, ...]:
    """One event for each leaf, in the order of the schema."""
    return tuple(map(_decision, settings.decisions))


def emit(events: Iterable[Event], log_format: LogFormat) -> tuple[str, ...]:
    """The lines for events; in text, consecutive events of one kind are aligned."""
    if log_format == "json":
        return tuple(to_json(msgspec.to_builtins(event)) for event in events)
    return tuple(line for _, run in groupby(events, type) for line in _aligned([_cells(event) for event in run]))


def _decision(decision: Decision) -> DecisionEvent:
    winner, kept = decision.winner, len(decision.extended)
    written = winner.value if isinstance(winner.value, tuple) and winner.splices else ()
    return DecisionEvent(
        decision.path,
        decision.value,
        winner.layer,
        str(winner.source),
        tuple(
            Overridden(origin.layer, str(origin.source), origin.value, depth < kept)
            for depth, origin in enumerate(decision.overridden)
        ),
        written,
        tuple(
            ListElement(each.value, each.layer, str(each.source))
            for each in decision.elements
            if written or decision.detected
        ),
        tuple(each.value for each in decision.detected),
    )


def _cells(event: Event) -> tuple[str, ...]:
    """The columns of one event in text."""
    match event:
        case StartEvent():
            return (f"tool {event.tool}",)
        case DecisionEvent():
            return event.path, value_text(event.value), event.layer, event.source, _below(event)
        case ArchiveEvent():
            version = f" {event.version}" if event.version else ""
            chosen = "use" if event.selected else "skip"
            evidence = f"[{event.evidence}]" if event.evidence else ""
            return event.archive, f"{event.kind} {event.name}{version}", evidence, f"{chosen}: {event.reason}"
        case ComponentEvent():
            return _WILL[event.action], event.path, _versions(event), _files(event)
        case StatusEvent():
            return event.path, event.version or "-", event.archive, "; ".join(_states(event)) or "as built"
        case HookEvent():
            took = f"{event.seconds:.2f} s" if event.seconds is not None else ""
            status = f"{event.status} ({event.exit})" if event.exit else event.status
            return "hook", f"{event.stage}/{event.script}", status, took
        case OutputEvent():
            return (f"{event.source}: {event.line}",)
        case WarningEvent():
            return (f"warning: {event.message}{_at(event.source, event.message)}",)
        case ErrorEvent():
            return (f"error: {event.error}: {event.message}{_at(event.source, event.message)}",)
        case SummaryEvent():
            return (f"{event.project}: {_ending(event)}",)
        case _:
            assert_never(event)


def _ending(event: SummaryEvent) -> str:
    """How a run ended, in one clause."""
    if event.outcome == "unchanged":
        return "nothing was changed"
    refused = f", {event.refused} refused" if event.refused else ""
    if event.outcome == "planned":
        plan = f"{event.added} to add, {event.updated} to update, {event.kept} to keep, {event.removed} to remove"
        return f"{plan}{refused}; nothing was written"
    counts = f"{event.added} added, {event.updated} updated, {event.kept} kept, {event.removed} removed{refused}"
    return f"{counts} in {event.seconds:.2f} s" + ("; then the run stopped" if event.outcome == "stopped" else "")


_WILL: Final[dict[Action, str]] = {
    "add": "will add",
    "update": "will update",
    "keep": "keep",
    "remove": "will remove",
}


def _versions(event: ComponentEvent) -> str:
    """The version, or the step from the one that is there to another."""
    if event.action != "update" or event.previous in {None, event.version}:
        return event.version or ""
    return f"{event.previous} → {event.version or 'no version'}" + (" (downgrade)" if event.downgrade else "")


def _files(event: ComponentEvent) -> str:
    """How many files there are, and how many of the user's stay."""
    counts = ((event.edited, "edited"), (event.added, "added"))
    stay = ", ".join(f"{count} {word}" for count, word in counts if count)
    return f"{event.files} file{'' if event.files == 1 else 's'}" + (f"; {stay} by you" if stay else "")


_IN_DROP: Final[dict[InDrop, str]] = {
    "same": "",
    "repacked": "its archive was packed again, with the same content",
    "newer": "the drop has {}, which is newer",
    "older": "the drop has {}, which is older",
    "changed": "its archive has changed",
    "new": "not built",
    "unselected": "not selected",
    "gone": "its archive is not in the drop",
    "unknown": "a refused archive may hold it",
}


def _states(event: StatusEvent) -> Iterator[str]:
    """What differs, in clauses."""
    if event.drop == "new" and event.added:
        yield "not in the record"
    elif text := _IN_DROP[event.drop].format(event.available):
        yield text
    counts = {"edited": event.edited, "added": event.added, "deleted": event.deleted, "mode": event.mode}
    if found := ", ".join(f"{len(names)} {word}" for word, names in counts.items() if names):
        yield found


def _below(event: DecisionEvent) -> str:
    """What the layers below say: what is kept, what was detected, and what lost."""
    kept = ", ".join(f"{value_text(each.value)} ({_by(each)})" for each in event.overridden if each.extended)
    lost = ", ".join(f"{value_text(each.value)} ({_by(each)})" for each in event.overridden if not each.extended)
    detected = ", ".join(f"{word(each.value)} ({each.source})" for each in event.elements if each.layer == "default")
    parts = (("extends", kept), ("detects", detected), ("overrides", lost))
    return "; ".join(f"{how} {what}" for how, what in parts if what)


def _by(lost: Overridden) -> str:
    """Who set a value that did not win: `config tool.config.json:3:12`, or `default`."""
    return lost.layer if lost.layer == "default" else f"{lost.layer} {lost.source}"


def _at(source: str | None, message: str) -> str:
    """The place, unless the message already has it."""
    return f" ({source})" if source and f"`{source}`" not in message else ""


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Lay out rows of cells in columns; a cell that is wider than `COLUMN_LIMIT` pushes the rest of its row."""
    cells = [[escape(cell) for cell in row] for row in rows]
    widths = [min(COLUMN_LIMIT, max(map(width, column))) for column in zip(*cells, strict=True)]
    return ["  ".join(map(_padded, row, widths)).rstrip() for row in cells]


def _padded(cell: str, columns: int) -> str:
    return cell + " " * (columns - width(cell))
