"""Text: every kind of event as lines for people, in full or in a
summary (`docs/reference/events.md`).
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from pipeline.report.escape import escape
from pipeline.report.events import (
    ErrorEvent,
    Event,
    ForcedEvent,
    NextEvent,
    OutputEvent,
    RunOutcome,
    ScriptsEvent,
    StartEvent,
    SummaryEvent,
    SystemEvent,
    UndoEvent,
    WarningEvent,
)
from pipeline.report.layout import Screen, Tone, paragraph
from pipeline.report.location import BUILT_IN, Location
from pipeline.report.tables import Tabular, in_table
from pipeline.report.wording import counted, listed
from pipeline.values import replace

_DONE: Final = ("added", "updated", "kept", "removed")
_PLANNED: Final = ("to add", "to update", "to keep", "to remove")
_LEADS: Final[dict[RunOutcome, str]] = {
    "done": "done: ",
    "planned": "dry run: ",
    "unchanged": "",
    "stopped": "",
}
_Event = TypeVar("_Event", bound=Event)


def in_text(events: Iterable[Event], screen: Screen) -> Iterator[str]:
    """The lines for events of one kind, as they are printed."""
    rows = list[Tabular]()
    for event in share_help(tuple(events)):
        match event:
            case StartEvent():
                yield f"tool {event.tool}"
            case SystemEvent():
                folders = f"themes go to {event.themes}, modules to {event.modules}"
                yield from paragraph(f"found {event.system} ({event.evidence}): {folders}", screen)
            case UndoEvent():
                yield from paragraph(
                    f"reverses the run of {event.time}: {shlex.join(event.command)}", screen
                )
            case ScriptsEvent():
                yield from paragraph(
                    f"new or changed since the last run here: {listed(event.new)}", screen
                )
            case NextEvent():
                yield from paragraph(
                    f"in {event.system}, {'; '.join(event.steps)}", screen, "next: ", "help"
                )
            case OutputEvent():
                yield escape(f"{event.source}: {event.line}")
            case ForcedEvent():
                yield from _forced(event)
            case WarningEvent():
                yield from _warning(event, screen)
            case ErrorEvent():
                yield from _error(event, screen)
            case SummaryEvent():
                yield from _summary(event, screen)
            case _:
                rows.append(event)
    if rows:
        yield from in_table(rows, screen)


def _forced(event: ForcedEvent) -> Iterator[str]:
    """What `--force` would do, as comments in a diff: files for the backup by name, the
    others counted.
    """
    backed_up = f"replace {len(event.replaces):,} and move {len(event.moves):,} away"
    leaves = f"--force would leave {counted(len(event.leaves), 'file')} unchanged"
    yield escape(f"# {event.path}: {leaves}, {backed_up}; these go to the backup:")
    yield from (
        escape(f"# {event.path}/{name}") for name in sorted((*event.replaces, *event.moves))
    )


def share_help(events: Sequence[_Event]) -> Iterator[_Event]:
    """Remove the advice of a warning or error that the next one repeats, so that it is printed
    once, after the last.
    """
    for event, following in zip(events, (*events[1:], None), strict=True):
        match event, following:
            case (WarningEvent() | ErrorEvent(), WarningEvent() | ErrorEvent()) if (
                event.help == following.help
            ):
                yield replace(event, help=None)
            case _:
                yield event


def _error(event: ErrorEvent, screen: Screen) -> Iterator[str]:
    """The lines of an error without an excerpt."""
    source = None
    if event.source:
        source = Location(event.source)
    yield from error_lines(event, source, (), screen)


def error_lines(
    event: ErrorEvent, source: Location | None, excerpt: Iterable[str], screen: Screen
) -> Iterator[str]:
    """The lines of an error: what is wrong, where, the excerpt, and what to do."""
    yield from paragraph(f"{event.error}: {event.message}", screen, "error: ", "error")
    if source and source != BUILT_IN:  # which is no place to look at
        yield from _place(source, screen)
    yield from excerpt
    yield from _advice(event.help, screen)


def _place(place: Location, screen: Screen) -> Iterable[str]:
    """The lines that say where an error is."""
    if not screen.accessible:
        return (f"  --> {escape(str(place))}",)
    if not place.line:
        return paragraph(f"at {place.name}", screen)
    return paragraph(f"in {place.name}, line {place.line}, column {place.column}", screen)


def ending(event: SummaryEvent, screen: Screen) -> str:
    """The outcome of a run and its counts, in clauses; a summary omits counts of zero."""
    if event.outcome == "unchanged":
        return "nothing was changed"
    counts = ", ".join((*_unchanged(event, screen), *_counted(event, screen)))
    if event.outcome == "planned":
        clauses = [counts]
        if event.refused or event.conflicts:
            clauses.append("without `--keep-going` a run stops there")
        clauses.append("nothing was written")
    else:
        clauses = [f"{counts} in {event.seconds:.2f} s"]
    if event.drop:
        clauses.append(f"the drop is `{event.drop}`, as in the last run")
    if event.outcome == "stopped":
        clauses.append("then the run stopped")
    return "; ".join(clauses)


def _unchanged(event: SummaryEvent, screen: Screen) -> Iterator[str]:
    """The clause for a run in which no component changes."""
    if event.added or event.updated or event.removed:
        return
    if event.record and event.outcome == "planned":
        yield "record to update"
    elif event.record:
        yield "record updated"
    elif screen.is_summary:
        yield "nothing to change"


def _counted(event: SummaryEvent, screen: Screen) -> Iterator[str]:
    """The number of components for each action and problem."""
    numbers = (event.added, event.updated, event.kept, event.removed)
    names = _DONE
    if event.outcome == "planned":
        names = _PLANNED
    for number, name in zip(numbers, names, strict=True):
        if number or not screen.is_summary:
            yield f"{number} {name}"
    others = (
        (event.refused, "refused"),
        (event.conflicts, "in conflict"),
        (event.not_built, "not built"),
    )
    yield from (f"{count} {name}" for count, name in others if count)


def _summary(event: SummaryEvent, screen: Screen) -> Iterator[str]:
    if screen.is_summary:
        tone: Tone = "added"
        if event.refused or event.conflicts or event.not_built:
            tone = "warning"
        yield from paragraph(ending(event, screen), screen, _LEADS[event.outcome], tone)
    else:
        yield from paragraph(ending(event, screen), screen, f"{escape(event.project)}: ")
    if event.rest:
        yield from paragraph("to build what can be built:", screen)
        yield f"  {escape(event.rest)}"  # not wrapped, as it is to be pasted


def _warning(event: WarningEvent, screen: Screen) -> Iterator[str]:
    """The lines of a warning, after its location, unless the message names that."""
    message = event.message
    if event.source not in {None, "."} and f"`{event.source}`" not in message:
        message = f"{event.source}: {message}"
    yield from paragraph(message, screen, "warning: ", "warning")
    yield from _advice(event.help, screen)


def _advice(text: str | None, screen: Screen) -> Iterator[str]:
    if not text:
        return
    lead = "  = help: "
    if screen.accessible:
        lead = "help: "
    yield from paragraph(text, screen, lead, "help", hanging=len(lead))
