"""Versions: find the archive for `NAME@VERSION`, in the drop and among the kept archives."""

from collections.abc import Collection, Mapping

from msgspec import Struct

from io_edges.building.kept import checked_builds, kept_builds, open_kept
from io_edges.building.project import ProjectView
from io_edges.building.view import DropView
from io_edges.system.stop import Stop
from pipeline.building.names import canonical_name
from pipeline.building.rollback import (
    ambiguity_among,
    copy_into,
    digest_of_kept,
    kept_choice,
    offers,
    offers_of_version,
    paths_of,
    rebuilt_instead,
    rivals_in,
    select_named,
    split_version,
    with_choice,
)
from pipeline.building.stores.kept import KeptBuild
from pipeline.building.stores.layout import kept_path
from pipeline.config.layers import Settings
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import Copy, built_again
from pipeline.report.diagnostics.drop import ComponentNotFound
from pipeline.report.diagnostics.selection import left_out
from pipeline.report.diagnostics.settings import UsageError
from pipeline.selection.choices import Choice, reason_text
from pipeline.selection.select import Selection


class RollbackFrom(Struct, frozen=True):
    """The project, the settings and the drop in which versions are looked for."""

    view: ProjectView
    settings: Settings
    drop: str


class RolledBack(Struct, frozen=True):
    """A selection in which the named versions are chosen."""

    selection: Selection
    words: Mapping[str, str] = {}
    """The words of the command line that name versions, by the paths of the components."""
    kept_patches: Mapping[str, str | None] = {}
    """The kept patch that each version was built with, as a path in the project, by the paths
    of components; `None` without a patch.
    """
    warnings: tuple[WarningDiagnostic, ...] = ()
    again: WarningDiagnostic | None = None


def takes_no_version(command: str) -> UsageError:
    """The error of a command that takes no `NAME@VERSION`."""
    message = "a version is taken only by `create`, `diff` and `inspect`"
    return UsageError(message, command, instead="leave out `@` and what follows it")


def roll_back(
    names: Collection[str],
    known: Mapping[str, Collection[str]],
    before: Selection,
    drop_view: DropView,
    at: RollbackFrom,
) -> RolledBack:
    """Choose the archive of each named version. Raises `Stop` if there is none."""
    asked = dict[str, tuple[str, str]]()
    for name in names:
        pair = split_version(name)
        if pair and canonical_name(name) not in known:
            asked[name] = pair
    if not asked:
        return RolledBack(before)
    kept = kept_builds(at.view)
    selection = before
    words = dict[str, str]()
    patches = dict[str, str | None]()
    warnings = list[WarningDiagnostic]()
    archives = list[str]()
    copies = list[Copy]()
    reader = drop_view.reader
    for word, (name, version) in asked.items():
        for path in paths_of(name, known, kept, at.view.record.places):
            words[path] = word
            choice = _chosen(word, path, version, (selection, kept), at)
            selection = with_choice(selection, choice)
            patches[path] = _patch_of(choice, path, kept)
            if not choice.selected:
                warnings.append(left_out(word, reason_text(choice.reason), choice.reason.location))
                continue
            archives += rebuilt_instead(before, choice)
            if digest := digest_of_kept(choice):
                taken = {other.archive.file.whole for other in before.choices}
                built = (choice.archive.file.recorded, choice.component.version or "")
                copies.append(copy_into(at.drop, reader.command.output, digest, built, taken))
    again = None
    if archives or copies:
        command = reader.command.line("create")
        again = built_again(
            tuple(dict.fromkeys(archives)), tuple(copies), command, at.settings.lists_below
        )
    return RolledBack(selection, words, patches, tuple(warnings), again)


def _chosen(
    word: str,
    path: str,
    version: str,
    among: tuple[Selection, tuple[KeptBuild, ...]],
    at: RollbackFrom,
) -> Choice:
    """The archive of a version: the one in the drop, or else the kept one that was built last."""
    selection, kept = among
    offered = offers_of_version(version, offers(path, selection, kept))
    in_drop = rivals_in(offered)
    if len(in_drop) > 1:
        raise Stop(ambiguity_among(in_drop))
    if in_drop:
        return select_named(in_drop[0])
    for offer in offered:
        if not isinstance(offer.source, KeptBuild):
            continue
        archive = open_kept(at.view, offer.source)
        if archive is None:
            continue
        choice = kept_choice(archive, offer.source, at.view.record.places, at.settings)
        if choice:
            return choice
    shown = map(str, offers(path, selection, checked_builds(at.view)))
    raise Stop(
        ComponentNotFound(version, at.drop, component=path, versions=tuple(dict.fromkeys(shown)))
    )


def _patch_of(choice: Choice, path: str, kept: Collection[KeptBuild]) -> str | None:
    """The kept patch that an archive was built with, as a path in the project; `None` without
    a patch.
    """
    patch = None
    for build in kept:
        if build.digest == choice.archive.digest and build.built.path == path and build.built.patch:
            patch = kept_path(build.built.patch, "patch")
    return patch
