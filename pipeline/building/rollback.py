"""Rollback: what `NAME@VERSION` on the command line stands for, and what the next run would
build without it.

A version is looked for among the archives of the drop, then among those that are kept. It is an
ordinary plan with another choice (`docs/howto/rollback.md`).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TypeAlias

from msgspec import Struct
from toolz import concat, unique

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.entry_names import last_part
from pipeline.archives.places import Places
from pipeline.archives.versions import are_equal, compare_versions
from pipeline.building.names import canonical_name, canonical_path
from pipeline.building.stores.kept import SHORTEST, KeptBuild
from pipeline.building.stores.layout import is_digest, kept_path
from pipeline.config.layers import Settings
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import BuildError
from pipeline.report.diagnostics.building import Copy
from pipeline.report.diagnostics.selection import ComponentAmbiguous
from pipeline.report.location import in_drop
from pipeline.schema import ARCHIVE_SUFFIX, NONE
from pipeline.selection.choices import DUPLICATES, Choice, Reason
from pipeline.selection.patterns import judge, leaves_out
from pipeline.selection.select import Selection
from pipeline.values import replace

Versions: TypeAlias = Mapping[str, str]
"""The versions that the command line names, by the path of the component."""
_OVERRULED: frozenset[str] = DUPLICATES | {
    "other version",
    "not recorded",
    "not here",
    "no parent",
    "undecided theme",
}
"""Rules that leave an archive out in favour of another; naming its version overrules them."""


class Offer(Struct, frozen=True):
    """An archive of a component: a choice in the drop, or a kept archive."""

    source: Choice | KeptBuild

    @property
    def version(self) -> str:
        """The version of the component in the archive; empty if it states none."""
        if isinstance(self.source, KeptBuild):
            return self.source.built.version or ""
        return self.source.component.version or ""

    @property
    def digest(self) -> str:
        """The digest of the archive."""
        if isinstance(self.source, KeptBuild):
            return self.source.digest
        return self.source.archive.digest

    def __str__(self) -> str:
        """The name of the archive in a message: its version or the beginning of its digest, and
        where it is.
        """
        name = self.version or self.digest[:SHORTEST]
        if isinstance(self.source, Choice):
            return f"`{name}` in the drop (`{self.source.archive.file.display_path}`)"
        if self.source.is_damaged:
            return f"`{name}` kept, but damaged (`{kept_path(self.digest)}`)"
        return f"`{name}` kept"


def split_version(word: str) -> tuple[str, str] | None:
    """Split `NAME@VERSION` into name and version; `None` if the word has no version."""
    name, _, version = word.rpartition("@")
    if not (name and version):
        return None
    return name, version


def paths_of(
    name: str, known: Mapping[str, Collection[str]], kept: Iterable[KeptBuild], places: Places
) -> tuple[str, ...]:
    """The paths of the components that a name stands for, including components with kept
    archives only.
    """
    plain = canonical_name(name)
    if plain in known:
        return tuple(known[plain])
    paths = unique(build.built.path for build in kept)
    return tuple(
        path for path in paths if plain in {path, last_part(path), canonical_path(path, places)}
    )


def offers(path: str, selection: Selection, kept: Iterable[KeptBuild]) -> tuple[Offer, ...]:
    """Every archive of a component: first those in the drop, then kept archives, the last
    built first.
    """
    offered = list[Offer]()
    for choice in selection.choices:
        archive = choice.archive
        if (
            choice.path == path
            and archive.component
            and archive.file_count
            and not archive.refusals
        ):
            offered.append(Offer(choice))
    builds = [build for build in kept if build.built.path == path]
    return (*offered, *map(Offer, reversed(builds)))


def offers_of_version(version: str, every: Sequence[Offer]) -> tuple[Offer, ...]:
    """The archives with a version: spelled the same, else equal, else with a digest that
    begins with it.
    """
    same = tuple(offer for offer in every if offer.version == version)
    if same:
        return same
    equal = tuple(offer for offer in every if offer.version and are_equal(offer.version, version))
    if equal:
        return equal
    beginning = version.lower()
    if len(beginning) < SHORTEST or not re.fullmatch(r"[0-9a-f]+", beginning):
        return ()
    return tuple(offer for offer in every if offer.digest.startswith(beginning))


def rivals_in(offered: Sequence[Offer]) -> tuple[Choice, ...]:
    """The archives in the drop that compete for a version, one for each content.

    If any of them runs on the system in the project, the others are left out.
    """
    choices = [offer.source for offer in offered if isinstance(offer.source, Choice)]
    fit = [choice for choice in choices if choice.reason.rule != "other version"]
    return tuple(unique(fit or choices, key=lambda choice: choice.archive.content))


def ambiguity_among(choices: Sequence[Choice]) -> ComponentAmbiguous:
    """The error of a version that several archives in the drop have, with different contents."""
    component = choices[0].component
    names = tuple(choice.archive.file.display_path for choice in choices)
    return ComponentAmbiguous(component.built_kind, component.name, names)


def kept_choice(
    archive: Archive, built: KeptBuild, places: Places, settings: Settings
) -> Choice | None:
    """The choice that builds a kept archive as it was built before; `None` if it has no component.

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
    whole = replace(archive, file=file, component=component)
    reason = _out_by(settings, component, _names_of(built.built.archive))
    choice = Choice(
        whole, component, selected=True, reason=_named(file), folder=path.rpartition("/")[0]
    )
    if reason is None:
        return choice
    return replace(choice, selected=False, reason=reason)


def _out_by(settings: Settings, component: Component, names: tuple[str, ...]) -> Reason | None:
    """Why the settings leave out an archive with these names; `None` if they do not."""
    if component.kind == "theme":
        winner = settings.decision("theme").winner
        if winner.value == NONE:
            return Reason("no theme", setting="theme", word=NONE, location=winner.location)
        return leaves_out(settings, names)
    is_in, reason = judge(settings, (component.name, *names))
    if is_in:
        return None
    return reason


def _named(file: ArchiveFile) -> Reason:
    """The reason of an archive whose version the command line names."""
    return Reason("named version", word=file.display_path)


def _names_of(recorded: str) -> tuple[str, ...]:
    """The names of a recorded archive that a pattern can match, as `ArchiveFile.names` has them."""
    whole, _, member = PurePath(recorded).as_posix().partition("!")
    name = last_part(whole)
    if not member:
        return (name,)
    return name, f"{name}!{member}", last_part(member)


def select_named(choice: Choice) -> Choice:
    """Select an archive in the drop whose version is named, unless a setting leaves it out."""
    if choice.selected or choice.reason.rule in _OVERRULED:
        return replace(
            choice, selected=True, is_ambiguous=False, reason=_named(choice.archive.file)
        )
    return choice


def with_choice(selection: Selection, choice: Choice) -> Selection:
    """The selection with this choice instead of the other archives of its component, and without
    their errors.
    """
    file = choice.archive.file
    apart = [other for other in selection.choices if other.archive.file != file]
    others = [other for other in apart if other.path == choice.path]
    files = {other.archive.file for other in others}
    reason = Reason("another version", word=file.display_path)
    choices = list[Choice]()
    for other in apart:
        if other.archive.file in files and _is_rival(other):
            choices.append(replace(other, selected=False, is_ambiguous=False, reason=reason))
        else:
            choices.append(other)
    refusals = set(concat(other.archive.refusals for other in others))
    errors = list[BuildError]()
    for error in selection.errors:
        if error not in refusals and not _is_ambiguity_of(choice, error):
            errors.append(error)
    own = {in_drop(each.archive.file.display_path) for each in (*others, choice)}
    warnings = list[WarningDiagnostic]()
    for warning in selection.warnings:
        if warning.about != "rivals" or warning.location not in own:
            warnings.append(warning)
    return replace(
        selection, choices=(*choices, choice), warnings=tuple(warnings), errors=tuple(errors)
    )


def _is_rival(choice: Choice) -> bool:
    """Whether an archive is built, or is left out only in favour of another archive of
    its component.
    """
    return choice.selected or choice.reason.rule in DUPLICATES


def _is_ambiguity_of(choice: Choice, error: BuildError) -> bool:
    """Whether an error says that several archives of this choice's component compete."""
    component = choice.component
    return isinstance(error, ComponentAmbiguous) and (error.kind, error.name) == (
        component.kind,
        component.name,
    )


def rebuilt_instead(before: Selection, choice: Choice) -> Iterator[str]:
    """The archives in the drop that the next run, without the named version, would
    build instead.
    """
    own = [
        other
        for other in before.choices
        if other.path == choice.path and not other.archive.refusals
    ]
    if not any(other.selected for other in own):
        return
    for other in own:
        is_other = other.archive.content != choice.archive.content
        is_older = compare_versions(choice.component.version, other.component.version) == "older"
        if _is_rival(other) and is_other and not is_older:
            yield other.archive.file.display_path


def copy_into(
    drop: str, project: str, digest: str, built: tuple[str, str], taken: Collection[str]
) -> Copy:
    """The copy that puts a kept archive into the drop under a free name.

    `drop` and `project` are as the user wrote them, `built` is the recorded name of the archive and
    its version, and `taken` has the names in the drop.
    """
    whole, _, member = built[0].partition("!")
    name = whole
    if member.endswith(ARCHIVE_SUFFIX):
        name = member.rpartition("!")[2]
    if name != whole:
        name = last_part(name)
    target = _free_name(PurePath(name), digest, built[1], taken)
    return Copy(PurePath(project, kept_path(digest)).as_posix(), PurePath(drop, target).as_posix())


def _free_name(name: PurePath, digest: str, version: str, taken: Collection[str]) -> PurePath:
    """A free name for an archive in the drop: its own, else with its version, else
    with its digest.
    """
    mark = re.sub(r"[^\w.+]+", "-", version) or digest[:SHORTEST]
    for free in (name, name.with_name(f"{name.stem}-{mark}{ARCHIVE_SUFFIX}")):
        if free.as_posix() not in taken or digest in free.name:
            return free
    return name.with_name(f"{name.stem}-{digest}{ARCHIVE_SUFFIX}")


def digest_of_kept(choice: Choice) -> str:
    """The digest of a choice's kept archive; empty if the archive is in the drop."""
    digest = choice.archive.file.path.stem
    if choice.archive.file.recorded and is_digest(digest):
        return digest
    return ""
