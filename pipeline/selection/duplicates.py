"""Duplicates: if several archives of one component are selected, one is
built (`docs/archives.md`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import PurePath
from typing import Final, TypeAlias

from toolz import groupby, unique

from pipeline.archives.archive import Archive
from pipeline.archives.versions import Rank, rank
from pipeline.report.diagnostic import ListsBelow, WarningDiagnostic
from pipeline.report.diagnostics.drop import duplicate_archive
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.selection.choices import Choice, Reason, VersionRule
from pipeline.values import replace

Standing: TypeAlias = Callable[[Archive], int]
"""How an archive suits the version of the project's system; among several, the lowest
is preferred.
"""
NOT_RECORDED: Final = 3
"""The standing of an archive that the record does not name, if only the record decides."""


def drop_duplicates(
    choices: tuple[Choice, ...],
    lists_below: ListsBelow = None,
    may_be_base: Callable[[Choice], bool] = lambda _: False,
    folders: Mapping[tuple[str, str], str] | None = None,
    standing: Standing = lambda _: 0,
) -> tuple[tuple[Choice, ...], tuple[WarningDiagnostic, ...], tuple[ComponentAmbiguous, ...]]:
    """Leave out duplicates; return the choices, a warning for each component, and the components
    that remain ambiguous.

    Among archives with the same content, the first by name is kept; otherwise the one with the
    highest version of those that run on the project's system. No warning names an archive from
    which the files on disk may have been built: an update is compared with it. `folders` are the
    names of the folders in which the project has components, by the kinds and names of the
    components: two names may share one.
    """

    def home(choice: Choice) -> tuple[str, str]:
        key = choice.component.kind, choice.component.name
        return choice.component.kind, (folders or {}).get(key, choice.component.name)

    decided = list[Choice]()
    selected = list[Choice]()
    for choice in choices:
        if choice.selected:
            selected.append(choice)
        else:
            decided.append(choice)
    warnings = list[WarningDiagnostic]()
    ambiguous = list[ComponentAmbiguous]()
    groups: dict[tuple[str, str], list[Choice]] = groupby(home, sorted(selected, key=by_place))
    for (kind, name), of_component in groups.items():
        group, unfit = _by_standing(of_component, standing)
        decided += unfit
        if len(group) == 1:
            decided += group
            continue
        rivals = _rivals(choice.archive for choice in group)
        decided += _settled(group, rivals)
        if len(rivals) > 1:
            ambiguous.append(_ambiguous(kind, name, group, rivals))
            continue
        best = rivals[0]
        useless = list[Archive]()
        for choice in group:
            archive = choice.archive
            if archive is not best and (archive.content == best.content or not may_be_base(choice)):
                useless.append(archive)
        if useless:
            warnings.append(_duplicates(useless, best, lists_below))
    return tuple(decided), tuple(warnings), tuple(ambiguous)


def _ambiguous(
    kind: str, name: str, group: Iterable[Choice], rivals: tuple[Archive, ...]
) -> ComponentAmbiguous:
    """The error about several archives of a component, with those whose content differs from
    the first.
    """
    names = tuple(rival.file.display_path for rival in rivals)
    contents = {rival.content for rival in rivals[1:]}
    copies = list[str]()
    for choice in group:
        path = choice.archive.file.display_path
        if choice.archive.content in contents and path not in names:
            copies.append(path)
    return ComponentAmbiguous(kind, name, names, tuple(copies))


def _by_standing(group: list[Choice], standing: Standing) -> tuple[list[Choice], list[Choice]]:
    """The archives of a component with the best standing, and the others, left out."""
    places = [standing(choice.archive) for choice in group]
    best = min(places)
    fit = list[Choice]()
    others = list[tuple[Choice, int]]()
    for choice, place in zip(group, places, strict=True):
        if place == best:
            fit.append(choice)
        else:
            others.append((choice, place))
    chosen, *_ = _rivals(choice.archive for choice in fit)
    unfit = list[Choice]()
    for choice, place in others:
        rule: VersionRule = "other version"
        if place == NOT_RECORDED:
            rule = "not recorded"
        reason = Reason(rule, word=chosen.file.display_path)
        unfit.append(replace(choice, selected=False, reason=reason))
    return fit, unfit


def highest(archives: Sequence[Archive], standing: Standing = lambda _: 0) -> Archive | None:
    """The archive to build, of several of one component; `None` if their versions do not decide."""
    least = min(map(standing, archives))
    best, *others = _rivals(archive for archive in archives if standing(archive) == least)
    if others:
        return None
    return best


def _rivals(archives: Iterable[Archive]) -> tuple[Archive, ...]:
    """The archives of a component that may be the one to build: the highest, and those without
    a rank.

    Archives with the same content count as one. The highest come first.
    """
    ranked = defaultdict[Rank, list[Archive]](list)
    unranked = list[Archive]()
    for archive in unique(archives, key=attrgetter("content")):
        place = rank(_version(archive))
        if place is None:
            unranked.append(archive)
        else:
            ranked[place].append(archive)
    if not ranked:
        return tuple(unranked)
    return (*ranked[max(ranked)], *unranked)


def by_place(choice: Choice) -> tuple[str, PurePath]:
    """A sort key: the displayed names."""
    return choice.archive.file.display_path, choice.archive.file.path


def _settled(group: Iterable[Choice], rivals: tuple[Archive, ...]) -> Iterator[Choice]:
    """The choices of a component, left out if another archive has the same content or a
    higher version.
    """
    firsts = dict[str, Choice]()
    for choice in group:
        archive = choice.archive
        first = firsts.setdefault(archive.content, choice)
        if choice is not first:
            same = Reason("same content", word=first.archive.file.display_path)
            yield replace(choice, selected=False, reason=same)
        elif any(archive is rival for rival in rivals):
            yield replace(choice, is_ambiguous=len(rivals) > 1)
        else:
            yield replace(
                choice, selected=False, reason=Reason("older", word=rivals[0].file.display_path)
            )


def _duplicates(
    rivals: Sequence[Archive], best: Archive, lists_below: ListsBelow
) -> WarningDiagnostic:
    """List the archives of a component that are not built."""
    others = list[tuple[str, str]]()
    for archive in rivals:
        version = _version(archive) or ""
        if archive.content == best.content:
            version = ""
        others.append((archive.file.display_path, version))
    return duplicate_archive(
        best.file.display_path, _version(best) or "", tuple(others), lists_below
    )


def _version(archive: Archive) -> str | None:
    if archive.component is None:
        return None
    return archive.component.version
