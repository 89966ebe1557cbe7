"""Rollback: what `NAME@VERSION` on the command line stands for, and what the next run would build without it.

A version is looked for among the archives of the drop, then among those that are kept. It is an ordinary plan with
another choice (`docs/howto/rollback.md`).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TypeAlias

from msgspec import Struct
from toolz import concat, unique

from pipeline.archives.archive import Archive
from pipeline.archives.entry_names import last_part
from pipeline.archives.places import Places
from pipeline.archives.versions import are_equal, compare_versions
from pipeline.building.names import canonical_name, canonical_path
from pipeline.building.stores.kept import SHORTEST, KeptBuild
from pipeline.building.stores.layout import is_digest, kept_path
from pipeline.config.layers import Settings
from pipeline.report.diagnostics.building import Copy
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.report.location import in_drop
from pipeline.schema import ARCHIVE_SUFFIX, NONE
from pipeline.selection.choices import DUPLICATES, Choice, Reason
from pipeline.selection.patterns import judge, leaves_out
from pipeline.selection.select import Selection
from pipeline.values import replace

Versions: TypeAlias = Mapping[str, str]
"""The versions that are asked for, by the paths of their components."""
_OVERRULED: frozenset[str] = DUPLICATES | {"other version", "not here", "no parent", "undecided theme"}
"""Rules by which an archive is left out for another one, so that naming its version brings it in."""


class Offer(Struct, frozen=True):
    """An archive of a component: a choice in the drop, or what is known of a kept one."""

    source: Choice | KeptBuild

    @property
    def version(self) -> str:
        """Its version; empty if it has none."""
        built = self.source.built if isinstance(self.source, KeptBuild) else self.source.component
        return built.version or ""

    @property
    def digest(self) -> str:
        """The digest of the archive."""
        return self.source.digest if isinstance(self.source, KeptBuild) else self.source.archive.digest

    def __str__(self) -> str:
        """How a message names it: by its version, or else the beginning of its digest, and where it is."""
        name = self.version or self.digest[:SHORTEST]
        if isinstance(self.source, Choice):
            return f"`{name}` in the drop (`{self.source.archive.file.display_path}`)"
        damaged = f", but damaged (`{kept_path(self.digest)}`)" if self.source.is_damaged else ""
        return f"`{name}` kept{damaged}"


def divided(word: str) -> tuple[str, str] | None:
    """Name and version of `NAME@VERSION`; `None` if a word has no version."""
    name, _, version = word.rpartition("@")
    return (name, version) if name and version else None


def paths_of(
    name: str, known: Mapping[str, Collection[str]], kept: Iterable[KeptBuild], places: Places
) -> tuple[str, ...]:
    """The paths of the components that a name stands for, also of those that only kept archives have."""
    plain = canonical_name(name)
    if plain in known:
        return tuple(known[plain])
    paths = unique(each.built.path for each in kept)
    return tuple(path for path in paths if plain in {path, last_part(path), canonical_path(path, places)})


def offers(path: str, selection: Selection, kept: Iterable[KeptBuild]) -> tuple[Offer, ...]:
    """Every archive of a component: those of the drop, then the kept ones, the one that was built last first."""
    archives = (
        each for each in selection.choices if each.path == path and each.archive.component and each.archive.files
    )
    builds = [each for each in kept if each.built.path == path]
    return (*(Offer(each) for each in archives if not each.archive.refusals), *map(Offer, reversed(builds)))


def matching(version: str, every: Sequence[Offer]) -> tuple[Offer, ...]:
    """The archives of a version: of the same spelling, else of an equal version, else with such a digest."""
    same = tuple(each for each in every if each.version == version)
    equal = tuple(each for each in every if each.version and are_equal(each.version, version))
    is_beginning = re.fullmatch(r"[0-9a-f]+", version.lower()) and len(version) >= SHORTEST
    by_digest = tuple(each for each in every if is_beginning and each.digest.startswith(version.lower()))
    return same or equal or by_digest


def rivals_in(offered: Sequence[Offer]) -> tuple[Choice, ...]:
    """Of the archives of a version those in the drop, each content once; those that run on the system, if any does."""
    choices = [each.source for each in offered if isinstance(each.source, Choice)]
    fit = [choice for choice in choices if choice.reason.rule != "other version"]
    return tuple(unique(fit or choices, key=lambda choice: choice.archive.content))


def ambiguous(choices: Sequence[Choice]) -> ComponentAmbiguous:
    """That several archives of the drop have the version, with different contents."""
    component = choices[0].component
    names = tuple(each.archive.file.display_path for each in choices)
    return ComponentAmbiguous(component.built_kind, component.name, names)


def kept_choice(archive: Archive, built: KeptBuild, places: Places, settings: Settings) -> Choice | None:
    """The choice of a kept archive, as what it was built as; `None` if that is not in it.

    The settings decide about it as if it were in the drop.
    """
    if archive.component is None:
        return None
    path = built.built.path
    kind = places.kind_of(path)
    component = replace(
        archive.component,
        kind=kind,
        name=last_part(path),
        what=None,
        version=built.built.version,
        is_guessed=False,
        bundled_in="",
    )
    file = replace(archive.file, recorded=built.built.archive)
    names = (component.name, *_names_of(built.built.archive))
    if kind == "theme":
        winner = settings.decision("theme").winner
        reason = leaves_out(settings, names[1:])
        if winner.value == NONE:
            reason = Reason("no theme", setting="theme", word=NONE, location=winner.location)
        is_in = reason is None
    else:
        is_in, reason = judge(settings, names)
    folder = path.rpartition("/")[0]
    whole = replace(archive, file=file, component=component)
    named = Reason("named version", word=file.display_path)
    return Choice(whole, component, is_in, named if is_in or reason is None else reason, folder=folder)


def _names_of(recorded: str) -> tuple[str, ...]:
    """The names of a recorded archive that a pattern can match, as those of `ArchiveFile`."""
    whole, _, member = PurePath(recorded).as_posix().partition("!")
    name = last_part(whole)
    return (name, f"{name}!{member}", last_part(member)) if member else (name,)


def brought_in(choice: Choice) -> Choice:
    """A choice in the drop whose version is named: selected, unless a setting leaves it out."""
    if choice.selected or choice.reason.rule in _OVERRULED:
        named = Reason("named version", word=choice.archive.file.display_path)
        return replace(choice, selected=True, is_ambiguous=False, reason=named)
    return choice


def with_choice(selection: Selection, choice: Choice) -> Selection:
    """A selection in which this archive of its component is chosen, and no other one stops the run."""
    path = choice.path
    others = [each for each in selection.choices if each.path == path and each.archive.file != choice.archive.file]
    files = {each.archive.file for each in others}
    word = choice.archive.file.display_path
    left_out = tuple(
        replace(each, selected=False, is_ambiguous=False, reason=Reason("another version", word=word))
        if each.archive.file in files and (each.selected or each.reason.rule in DUPLICATES)
        else each
        for each in selection.choices
        if each.archive.file != choice.archive.file
    )
    refusals = set(concat(each.archive.refusals for each in others))
    about = {in_drop(each.archive.file.display_path) for each in (*others, choice)}
    component = choice.component
    errors = tuple(
        each
        for each in selection.errors
        if each not in refusals
        and not (isinstance(each, ComponentAmbiguous) and (each.kind, each.name) == (component.kind, component.name))
    )
    warnings = tuple(
        each for each in selection.warnings if not (each.code == "duplicate-archive" and each.location in about)
    )
    return replace(selection, choices=(*left_out, choice), warnings=warnings, errors=errors)


def rebuilt_instead(before: Selection, choice: Choice) -> Iterator[str]:
    """The archives of the drop that a run without the version would build instead of this one."""
    own = [each for each in before.choices if each.path == choice.path and not each.archive.refusals]
    if not any(each.selected for each in own):
        return
    for each in own:
        is_rival = each.selected or each.reason.rule in DUPLICATES
        is_other = each.archive.content != choice.archive.content
        is_older = compare_versions(choice.component.version, each.component.version) == "older"
        if is_rival and is_other and not is_older:
            yield each.archive.file.display_path


def copy_into(drop: str, project: str, digest: str, built: tuple[str, str], taken: Collection[str]) -> Copy:
    """What puts a kept archive into a drop, given as the user wrote them, under a name that is not taken there.

    `built` is the name of the archive, as the record has it, and its version.
    """
    whole, _, member = built[0].partition("!")
    name = member.rpartition("!")[2] if member.endswith(ARCHIVE_SUFFIX) else whole
    path = PurePath(name if name == whole else last_part(name))
    mark = re.sub(r"[^\w.+]+", "-", built[1]) or digest[:SHORTEST]
    names = (path, *(path.with_name(f"{path.stem}-{each}{ARCHIVE_SUFFIX}") for each in (mark, digest)))
    target = next(each for each in names if each.as_posix() not in taken or digest in each.name)
    return Copy(PurePath(project, kept_path(digest)).as_posix(), PurePath(drop, target).as_posix())


def digest_of_kept(choice: Choice) -> str:
    """The digest of the kept archive that a choice is; empty if it is in the drop."""
    digest = choice.archive.file.path.stem
    return digest if choice.archive.file.recorded and is_digest(digest) else ""
