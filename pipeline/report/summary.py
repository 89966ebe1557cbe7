"""Summary: what a person wants to know at a glance: what is out of the ordinary, and what changes (`docs/output.md`).

Takes events of one kind; what is not shortened is as in `text`.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from toolz import groupby

from pipeline.report.events import ArchiveEvent, ComponentEvent, DecisionEvent, Event, StatusEvent
from pipeline.report.layout import Row, Screen, Tone, paragraph, table
from pipeline.report.text import ACTION_TONES, below, files, in_text, setter, state, versions
from pipeline.report.values import value_text

ALIKE: Final = 3
"""How many archives that are skipped for one reason have a line each; more share one."""
NAMED: Final = 5
"""How many of those that share a line are named."""
CROWD: Final = 10
"""How many components that are alike have a line each in `tool status`; more share one."""


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
        names = ", ".join(event.archive for event in events[:NAMED])
        rest = f" and {len(events) - NAMED} more" if len(events) > NAMED else ""
        yield Row((word, f"{len(events)} archives", f"{reason}: {names}{rest}"), tone)


def _changes(events: Sequence[ComponentEvent], screen: Screen) -> Iterator[str]:
    """The components that are added, updated or removed."""
    changed = [event for event in events if event.action != "keep"]
    if changed:
        yield from table([_change(event, screen) for event in changed], screen)


def _change(event: ComponentEvent, screen: Screen) -> Row:
    cells = (event.action, event.path, versions(event, screen), files(event, screen))
    return Row(cells, ACTION_TONES[event.action])


def _states(events: Sequence[StatusEvent], screen: Screen) -> Iterator[str]:
    """What is built; of very many components in the same state, in which no file differs, only how many there are."""
    alike: dict[str, list[StatusEvent]] = groupby(_shared, events)
    crowds = {words: len(group) for words, group in alike.items() if words and len(group) > CROWD}
    if others := [event for event in events if _shared(event) not in crowds]:
        layouts = (table([_status(event, archive=archive) for event in others], screen) for archive in (True, False))
        yield from min(layouts, key=len)
    for words, number in crowds.items():
        yield from paragraph(f"{number} components: {words} (`--verbose` lists them)", screen)


def _shared(event: StatusEvent) -> str:
    """The state of a component, if it says everything about it."""
    differs = event.edited or event.added or event.mode or event.conflicts or (event.deleted and not event.missing)
    tells = differs or event.obstacle or event.installed or event.declined
    return "" if tells else state(event)[0]


def _status(event: StatusEvent, *, archive: bool) -> Row:
    """One component; without its archive the line is shorter."""
    words, tone = state(event)
    return Row((event.path, event.version or "-", *([event.archive] * archive), words), tone)
