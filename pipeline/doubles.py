"""Doubles: of several archives of one component that are selected, one is built (`docs/selection.md`)."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import TypeAlias

from msgspec.structs import replace
from toolz import groupby, unique

from pipeline.choices import Choice, Reason
from pipeline.notes import DuplicateArchive, Note, OlderArchive
from pipeline.problems import ComponentAmbiguous
from pipeline.versions import rank

_Loss: TypeAlias = tuple[Choice, Reason, Note]


def settle_doubles(
    choices: tuple[Choice, ...],
) -> tuple[tuple[Choice, ...], tuple[Note, ...], tuple[ComponentAmbiguous, ...]]:
    """Leave out what is there twice; give the choices, what was noted, and which components remain ambiguous.

    Of archives with the same content the first by name is kept, of others the one with the highest version.
    """
    selected = sorted((choice for choice in choices if choice.selected), key=by_place)
    groups: dict[object, list[Choice]] = groupby(_name, selected)
    losses: list[_Loss] = []
    ambiguous: list[ComponentAmbiguous] = []
    for group in groups.values():
        rivals: tuple[Choice, ...] = tuple(unique(group, key=_content))
        losses += _same(group, rivals)
        best = _highest(rivals)
        if best:
            losses += _older(rivals, best)
        else:
            names = tuple(rival.archive.file.shown for rival in rivals)
            ambiguous.append(ComponentAmbiguous(*_name(group[0]), names))
    reasons = {choice.archive.key: reason for choice, reason, _ in losses}
    kept = (
        replace(choice, selected=False, reason=reasons[choice.archive.key]) if choice.archive.key in reasons else choice
        for choice in choices
    )
    return tuple(kept), tuple(note for _, _, note in losses), tuple(ambiguous)


def by_place(choice: Choice) -> tuple[str, PurePath]:
    """Order archives by their names as they are shown."""
    return choice.archive.file.shown, choice.archive.file.path


def _same(group: list[Choice], rivals: tuple[Choice, ...]) -> Iterator[_Loss]:
    """Those with the content of one that is kept."""
    firsts = {_content(rival): rival for rival in rivals}
    for choice in group:
        first = firsts[_content(choice)]
        if choice is not first:
            file, taken = choice.archive.file.shown, first.archive.file.shown
            yield choice, Reason("same content", word=taken), DuplicateArchive(file, taken)


def _older(rivals: tuple[Choice, ...], best: Choice) -> Iterator[_Loss]:
    taken, highest = best.archive.file.shown, best.component.version or ""
    for rival in rivals:
        if rival is not best:
            note = OlderArchive(rival.archive.file.shown, rival.component.version or "", taken, highest)
            yield rival, Reason("older", word=taken), note


def _highest(rivals: tuple[Choice, ...]) -> Choice | None:
    """The only one, or the one whose version is higher than that of every other; nothing where there is none."""
    ranks = [rank(rival.component.version) for rival in rivals]
    known = sorted(each for each in ranks if each is not None)
    if len(rivals) == 1:
        return rivals[0]
    if len(known) < len(rivals) or known[-1] == known[-2]:
        return None
    return rivals[ranks.index(known[-1])]


def _name(choice: Choice) -> tuple[str, str]:
    return choice.component.kind, choice.component.name


def _content(choice: Choice) -> str:
    return choice.archive.content
