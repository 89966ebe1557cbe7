"""Duplicates: if several archives of one component are selected, one is built (`docs/archives.md`)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from pathlib import PurePath
from typing import TypeAlias

from toolz import groupby, unique

from pipeline.archives.archive import Archive
from pipeline.archives.versions import rank
from pipeline.report.diagnostic import ListsBelow, WarningDiagnostic
from pipeline.report.diagnostics.drop import duplicate_archive
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.selection.choices import Choice, Reason
from pipeline.values import replace

Standing: TypeAlias = Callable[[Archive], int]
"""How an archive stands to the version of the system in the project; of several the lowest counts."""


def drop_duplicates(
    choices: tuple[Choice, ...],
    lists_below: ListsBelow = None,
    may_be_base: Callable[[Choice], bool] = lambda _: False,
    folders: Mapping[tuple[str, str], str] | None = None,
    standing: Standing = lambda _: 0,
) -> tuple[tuple[Choice, ...], tuple[WarningDiagnostic, ...], tuple[ComponentAmbiguous, ...]]:
    """Leave out duplicates; return the choices, a warning for each component, and the components that remain ambiguous.

    Of archives with the same content the first by name is kept, otherwise the one with the highest version of those
    that run on the system in the project. No warning names an archive that what is on disk may have been made from: an
    update is compared with that. `folders` are the names of those in which the project has components, by the kinds and
    names of these: two names may have one.
    """

    def home(choice: Choice) -> tuple[str, str]:
        key = choice.component.kind, choice.component.name
        return choice.component.kind, (folders or {}).get(key, choice.component.name)

    groups: dict[tuple[str, str], list[Choice]] = groupby(
        home,
        sorted((choice for choice in choices if choice.selected), key=by_place),
    )
    kept = [each for each in choices if not each.selected]
    warnings = list[WarningDiagnostic]()
    ambiguous = list[ComponentAmbiguous]()
    for (kind, name), every in groups.items():
        group, unfit = _by_standing(every, standing)
        kept += unfit
        if len(group) == 1:
            kept += group
            continue
        firsts = {choice.archive.content: choice for choice in reversed(group)}
        rivals = _rivals(choice.archive for choice in group)
        kept += (_settled(choice, firsts[choice.archive.content], rivals) for choice in group)
        if len(rivals) > 1:
            names = tuple(rival.file.display_path for rival in rivals)
            others = {rival.content for rival in rivals[1:]}
            same = (choice.archive.file.display_path for choice in group if choice.archive.content in others)
            copies = tuple(each for each in same if each not in names)
            ambiguous.append(ComponentAmbiguous(kind, name, names, copies))
        else:
            best = rivals[0]
            left = [each for each in group if each.archive is not best]
            useless = [each.archive for each in left if each.archive.content == best.content or not may_be_base(each)]
            if useless:
                warnings.append(_duplicates(useless, best, lists_below))
    return tuple(kept), tuple(warnings), tuple(ambiguous)


def _by_standing(group: list[Choice], standing: Standing) -> tuple[list[Choice], list[Choice]]:
    """Of several archives of a component those for the version of the system, and the others, left out."""
    places = [standing(choice.archive) for choice in group]
    best = min(places)
    fit = [choice for choice, place in zip(group, places, strict=True) if place == best]
    chosen, *_ = _rivals(choice.archive for choice in fit)
    reason = Reason("other version", word=chosen.file.display_path)
    others = [
        replace(choice, selected=False, reason=reason)
        for choice, place in zip(group, places, strict=True)
        if place != best
    ]
    return fit, others


def highest(archives: Sequence[Archive], standing: Standing = lambda _: 0) -> Archive | None:
    """The archive to build, of several of one component; `None` if their versions do not decide it."""
    least = min(map(standing, archives))
    best, *others = _rivals(each for each in archives if standing(each) == least)
    return None if others else best


def _rivals(archives: Iterable[Archive]) -> tuple[Archive, ...]:
    """Of several archives of one component those that may be the one to build: the highest, and those without a rank.

    Archives with the same content count as one. The highest come first.
    """
    ranked = [(rank(_version(each)), each) for each in unique(archives, key=attrgetter("content"))]
    best = max((place for place, _ in ranked if place), default=None)
    tied = [each for place, each in ranked if place == best]
    return tuple(unique((*tied, *(each for place, each in ranked if place is None)), key=id))


def by_place(choice: Choice) -> tuple[str, PurePath]:
    """A sort key: by the names as shown."""
    return choice.archive.file.display_path, choice.archive.file.path


def _settled(choice: Choice, first: Choice, rivals: tuple[Archive, ...]) -> Choice:
    """A choice, left out if another archive has the same content or a higher version."""
    if choice is not first:
        same = Reason("same content", word=first.archive.file.display_path)
        return replace(choice, selected=False, reason=same)
    if any(choice.archive is rival for rival in rivals):
        return replace(choice, is_ambiguous=len(rivals) > 1)
    return replace(choice, selected=False, reason=Reason("older", word=rivals[0].file.display_path))


def _duplicates(rivals: Sequence[Archive], best: Archive, lists_below: ListsBelow) -> WarningDiagnostic:
    """Note the archives of a component that are not built."""
    versions = ["" if archive.content == best.content else _version(archive) or "" for archive in rivals]
    others = zip((archive.file.display_path for archive in rivals), versions, strict=True)
    return duplicate_archive(best.file.display_path, _version(best) or "", tuple(others), lists_below)


def _version(archive: Archive) -> str | None:
    return archive.component.version if archive.component else None
