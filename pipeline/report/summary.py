"""Summary: what a person wants to know at a glance: what is out of the ordinary, and what changes (`docs/output.md`).

Takes events of one kind; what is not shortened is as in `text`.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from toolz import groupby

from pipeline.report.events import ArchiveEvent, ComponentEvent, DecisionEvent, Event, StatusEvent
from pipeline.report.layout import Row, Screen, Tone, table
from pipeline.report.text import ACTION_TONES, below, compared_versions, files, in_text, setter, state, versions
from pipeline.report.values import value_text
from pipeline.report.wording import listed

ALIKE: Final = 3
"""How many archives that are skipped for one reason have a line each; more share one."""
NAMED: Final = 5
"""How many of those that share a line are named."""


def in_summary(events: Sequence[Event], screen: Screen) -> Iterator[str]:
    """The lines for events of one kind, on a screen."""
    decisions = [event for event in events if isinstance(event, DecisionEvent)]
    archives = [event for event in events if isinstance(event, ArchiveEvent)]
    components = [event for event in events if isinstance(event, ComponentEvent)]
    built = [event for event in events if isinstance(event, StatusEvent)]
    if decisions:
        yield from _decisions(decisions, screen)
    elif archives:
        yield from _archives(archives, screen)
    elif components:
        yield from _changes(components, screen)
    elif built:
        yield from _states(built, screen)
    else:
        yield from in_text(events, screen)


def _decisions(events: Sequence[DecisionEvent], screen: Screen) -> Iterator[str]:
    """On a terminal the settings that are not the default; a log that is kept has all of them."""
    if not screen.at_a_glance:
        yield from in_text(events, screen)
    elif chosen := [event for event in events if event.layer != "default" or event.detected]:
        yield from table([_decision(event, screen) for event in chosen], screen)


def _decision(event: DecisionEvent, screen: Screen) -> Row:
    why = "; ".join(filter(None, (setter(event), below(event, screen))))
    return Row((event.path, value_text(event.value), why))


def _archives(events: Sequence[ArchiveEvent], screen: Screen) -> Iterator[str]:
    """The archives that are refused or skipped; what comes of the others, the components tell."""
    refused = [event for event in events if event.refused]
    skipped = (event for event in events if not (event.selected or event.refused))
    groups: dict[str, list[ArchiveEvent]] = groupby(lambda event: event.reason, skipped)
    rows = [row for reason, group in groups.items() for row in _group("skip", group, reason)]
    rows += _group("refuse", refused, "the error says why" if len(refused) == 1 else "the errors say why")
    if rows:
        yield from table(rows, screen)


def _group(word: Literal["skip", "refuse"], events: Sequence[ArchiveEvent], reason: str) -> Iterator[Row]:
    """The lines for archives that share their fate: one each, or one for all of many."""
    tone: Tone = "skipped" if word == "skip" else "error"
    if len(events) <= ALIKE:
        yield from (Row((word, event.archive, reason), tone) for event in events)
    else:
        names = listed([event.archive for event in events], NAMED, mark="")
        yield Row((word, f"{len(events)} archives", f"{reason}: {names}"), tone)


def _changes(events: Sequence[ComponentEvent], screen: Screen) -> Iterator[str]:
    """The components that are added, updated or removed."""
    changed = [event for event in events if event.action != "keep"]
    if changed:
        yield from table([_change(event, screen) for event in changed], screen)


def _change(event: ComponentEvent, screen: Screen) -> Row:
    cells = (event.action, event.path, versions(event, screen), files(event, screen))
    return Row(cells, ACTION_TONES[event.action])


def _states(events: Sequence[StatusEvent], screen: Screen) -> Iterator[str]:
    """What is built; without the archives if that takes fewer lines."""
    rows = [(event.path, compared_versions(event, screen), event.archive, *state(event)) for event in events]
    full = [Row((path, version, archive, words), tone) for path, version, archive, words, tone in rows]
    brief = [Row((path, version, words), tone) for path, version, _, words, tone in rows]
    yield from min(table(full, screen, aligned=True), table(brief, screen, aligned=True), key=len)
