"""Duplicates: if several archives of one component are selected, one is built (`docs/selection.md`)."""

from collections.abc import Iterable
from operator import attrgetter
from pathlib import PurePath

from msgspec.structs import replace
from toolz import groupby, unique

from pipeline.archives.archive import Archive
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import DuplicateArchive
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.versions import rank


def drop_duplicates(
    choices: tuple[Choice, ...],
) -> tuple[tuple[Choice, ...], tuple[WarningDiagnostic, ...], tuple[ComponentAmbiguous, ...]]:
    """Leave out duplicates; return the choices, the notes, and the components that remain ambiguous.

    Of archives with the same content the first by name is kept, otherwise the one with the highest version.
    """
    groups: dict[tuple[str, str], list[Choice]] = groupby(
        lambda choice: (choice.component.kind, choice.component.name),
        sorted((choice for choice in choices if choice.selected), key=by_place),
    )
    kept, notes, ambiguous = (
        [each for each in choices if not each.selected],
        list[WarningDiagnostic](),
        list[ComponentAmbiguous](),
    )
    for component, group in groups.items():
        firsts = {choice.archive.content: choice for choice in reversed(group)}
        best = highest(choice.archive for choice in group)
        for choice in group:
            settled, note = _compared(choice, firsts[choice.archive.content], best)
            kept.append(settled)
            notes += [note] if note else []
        if best is None:
            rivals = (choice for choice in group if choice is firsts[choice.archive.content])
            ambiguous.append(ComponentAmbiguous(*component, tuple(each.archive.file.display_path for each in rivals)))
    return tuple(kept), tuple(notes), tuple(ambiguous)


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


def _compared(choice: Choice, first: Choice, best: Archive | None) -> tuple[Choice, WarningDiagnostic | None]:
    """A choice, left out if another archive has the same content or a higher version, and what is said of that."""
    file = choice.archive.file.display_path
    if choice is not first:
        same = DuplicateArchive(file, first.archive.file.display_path)
        return replace(choice, selected=False, reason=Reason("same content", word=same.built_archive)), same
    if best is None or choice.archive is best:
        return replace(choice, is_ambiguous=best is None), None
    older = DuplicateArchive(file, best.file.display_path, choice.component.version or "", _version(best) or "")
    return replace(choice, selected=False, reason=Reason("older", word=older.built_archive)), older


def _version(archive: Archive) -> str | None:
    return archive.component.version if archive.component else None
