"""Duplicates: if several archives of one component are selected, one is built (`docs/selection.md`)."""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from pathlib import PurePath
from typing import TypeAlias

from msgspec.structs import replace
from toolz import groupby, unique

from pipeline.archives.archive import Archive
from pipeline.report.problems.archives import DuplicateArchive, OlderArchive
from pipeline.report.problems.selection import ComponentAmbiguous
from pipeline.report.subject import Note
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.versions import rank

_Loss: TypeAlias = tuple[Choice, Reason, Note]


def drop_duplicates(
    choices: tuple[Choice, ...],
) -> tuple[tuple[Choice, ...], tuple[Note, ...], tuple[ComponentAmbiguous, ...]]:
    """Leave out duplicates; return the choices, the notes, and the components that remain ambiguous.

    Of archives with the same content the first by name is kept, otherwise the one with the highest version.
    """
    selected = sorted((choice for choice in choices if choice.selected), key=by_place)
    groups: dict[object, list[Choice]] = groupby(_name, selected)
    losses: list[_Loss] = []
    ambiguous: list[ComponentAmbiguous] = []
    for group in groups.values():
        rivals: tuple[Choice, ...] = tuple(unique(group, key=_content))
        losses += _same(group, rivals)
        best = highest(rival.archive for rival in rivals)
        if best:
            losses += _older(rivals, best)
        else:
            names = tuple(rival.archive.file.display_path for rival in rivals)
            ambiguous.append(ComponentAmbiguous(*_name(group[0]), names))
    reasons = {choice.archive.key: reason for choice, reason, _ in losses}
    doubtful = {(each.kind, each.name) for each in ambiguous}
    kept = (
        replace(choice, selected=False, reason=reasons[choice.archive.key])
        if choice.archive.key in reasons
        else replace(choice, is_ambiguous=choice.selected and _name(choice) in doubtful)
        for choice in choices
    )
    return tuple(kept), tuple(note for _, _, note in losses), tuple(ambiguous)


def highest(archives: Iterable[Archive]) -> Archive | None:
    """The archive to build, of several of one component; `None` if their versions do not decide it.

    Archives with the same content count as one.
    """
    rivals: list[Archive] = list(unique(archives, key=attrgetter("content")))
    if len(rivals) == 1:
        return rivals[0]
    ranked = sorted(((rank(_version(rival)) or (), -index) for index, rival in enumerate(rivals)), reverse=True)
    (first, index), (second, _) = ranked[:2]
    return None if first == second or not ranked[-1][0] else rivals[-index]


def by_place(choice: Choice) -> tuple[str, PurePath]:
    """A sort key: by the names as shown."""
    return choice.archive.file.display_path, choice.archive.file.path


def _same(group: list[Choice], rivals: tuple[Choice, ...]) -> Iterator[_Loss]:
    """The choices with the same content as one that is kept."""
    firsts = {_content(rival): rival for rival in rivals}
    for choice in group:
        first = firsts[_content(choice)]
        if choice is not first:
            file, winner = choice.archive.file.display_path, first.archive.file.display_path
            yield choice, Reason("same content", word=winner), DuplicateArchive(file, winner)


def _older(rivals: tuple[Choice, ...], best: Archive) -> Iterator[_Loss]:
    winner, version = best.file.display_path, _version(best) or ""
    for rival in rivals:
        if rival.archive is not best:
            note = OlderArchive(rival.archive.file.display_path, rival.component.version or "", winner, version)
            yield rival, Reason("older", word=winner), note


def _name(choice: Choice) -> tuple[str, str]:
    return choice.component.kind, choice.component.name


def _version(archive: Archive) -> str | None:
    return archive.component.version if archive.component else None


def _content(choice: Choice) -> str:
    return choice.archive.content
