"""Emit: format settings and events as lines of text or JSON.

Takes values and gives strings; the edge writes them. Every string is escaped. The format is
described in `docs/reference/events.md`.
"""

from collections.abc import Iterable
from itertools import groupby

from pipeline.config.layers import Decision, Element, Settings
from pipeline.report.escape import to_json
from pipeline.report.events import DecisionEvent, Event, ListElement, Overridden
from pipeline.report.layout import PIPE, Screen
from pipeline.report.text import in_text
from pipeline.schema import LogFormat


def decisions(settings: Settings) -> tuple[DecisionEvent, ...]:
    """One event for each setting, in the order of the schema."""
    return tuple(map(_decision, settings.decisions))


def emit(events: Iterable[Event], log_format: LogFormat, screen: Screen = PIPE) -> tuple[str, ...]:
    """The lines for events; in text, consecutive events of one kind are aligned, or summarised."""
    if log_format == "json":
        return tuple(to_json(event) for event in events)
    return tuple(line for _, run in groupby(events, type) for line in in_text(run, screen))


def _list_element(element: Element) -> ListElement:
    return ListElement(
        element.value, element.layer, str(element.location), **element.location.place
    )


def _decision(decision: Decision) -> DecisionEvent:
    winner = decision.winner
    kept = len(decision.contributors) - 1  # those below the winner come first
    written: tuple[str, ...] = ()
    if winner.splices:
        written = winner.strings
    elements: tuple[ListElement, ...] = ()
    if written or decision.detected:
        elements = tuple(map(_list_element, decision.elements))
    return DecisionEvent(
        decision.path,
        decision.value,
        winner.layer,
        str(winner.location),
        tuple(
            Overridden(
                assignment.layer,
                str(assignment.location),
                assignment.value,
                depth < kept,
                **assignment.location.place,
            )
            for depth, assignment in enumerate(decision.overridden)
        ),
        written,
        elements,
        tuple(each.value for each in decision.detected),
        **winner.location.place,
    )
