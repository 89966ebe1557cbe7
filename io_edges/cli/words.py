"""Words: distinguish the DROP from the NAME arguments.

The words of `tool create` and similar commands are a folder and names. The first word is also a
name if it is not a folder but the name of a component (`docs/building.md`). Without a drop, it is
the current folder, or the last run's.
"""

import os
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct

from io_edges.archives.find import drop_error, find_archives
from io_edges.building.project import ProjectView
from io_edges.cli.session import CURRENT_FOLDER, AnyRun
from io_edges.disk import plain_path
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.building.names import canonical_name
from pipeline.building.rollback import split_version
from pipeline.building.stores.last_drop import LastDrop
from pipeline.report.diagnostics.drop import DropNotFound
from pipeline.report.paths import display_path
from pipeline.schema import AUTO, is_archive_name
from pipeline.selection.hosting import Asked
from pipeline.values import replace

_LONGEST: Final = 255
"""The maximum length of a name on any file system, in bytes."""


class Positionals(Struct, frozen=True):
    """The words after a command: the drop and the names."""

    drop: str
    names: tuple[str, ...] = ()
    not_found: DropNotFound | None = None
    """Why the first word is not the drop, if it is not."""
    is_remembered: bool = False
    """Whether the drop is that of an earlier run, because no drop is named."""
    with_names: bool = False
    """Whether the remembered drop is that of a run with names, which `tool create`
    does not accept.
    """
    is_forced: bool = False
    """Whether `--force` is given; see `Asked`."""
    by_record: bool = False
    """Whether `--frozen` is given; see `Asked`."""
    prunes: bool = False
    """Whether `--prune` is given; see `Asked`."""
    is_of_disk: bool = False
    """Whether a component that is only on disk can be named as well."""

    @property
    def asked(self) -> Asked:
        """The part of the words and flags that the selection needs."""
        names = list(self.names)
        for word in self.names:
            if pair := split_version(word):
                names.append(pair[0])
        return Asked(
            tuple(names), is_forced=self.is_forced, by_record=self.by_record, prunes=self.prunes
        )


def gone_drop(error: DropNotFound, words: Positionals) -> DropNotFound:
    """The error of a missing drop; for a remembered one, it says so."""
    if not words.is_remembered:
        return error
    return replace(error, is_remembered=True, suggestions=())


def check_named(words: Positionals, run: AnyRun) -> None:
    """Raise `Stop` if no drop is named, and the current folder has no archive."""
    if (
        run.drop is None
        and not words.is_remembered
        and not find_archives(words.drop, run.start, run.settings.theme)
    ):
        raise Stop(DropNotFound(words.drop, is_unnamed=True))


def report_drop(words: Positionals, console: Console) -> None:
    """Report the drop if it is that of the last run. A run that builds reports it in
    its last line.
    """
    if words.is_remembered:
        console.print_text(f"the drop is `{words.drop}`, as in the last run")


def read_words(run: AnyRun, project: ProjectView) -> Positionals:
    """Distinguish the drop from the names; messages name the drop from here on."""
    words = _read(run.drop, run.names, run.start, project)
    run.console.context = replace(run.console.context, drop=words.drop)
    return words


def _read(
    first: str | None, names: tuple[str, ...], start: PurePath, project: ProjectView
) -> Positionals:
    if first is None:
        return without_drop(names, start, project.path, project.last_drop)
    wrong = drop_error(first, start)
    if wrong is None and not is_component(first, start, project):
        return Positionals(first, names)
    typed = (first, *names)
    unnamed = without_drop(typed, start, project.path, project.last_drop)
    if len(os.fsencode(PurePath(first).name)) > _LONGEST:  # no folder has such a name
        return unnamed
    if (
        wrong
        and all(map(is_archive_name, typed))
        and len({PurePath(word).parent for word in typed}) == 1
    ):
        wrong = replace(wrong, others=names)
    return replace(unnamed, not_found=wrong)


def without_drop(
    names: tuple[str, ...], start: PurePath, project: PurePath, last: LastDrop
) -> Positionals:
    """The words of a command line without a drop.

    The drop is the current folder, or if that has no archive, the drop of the last run.
    """
    if not last.folder or find_archives(CURRENT_FOLDER, start, AUTO):
        return Positionals(CURRENT_FOLDER, names)
    drop = display_path(project / last.folder, start)
    is_remembered = drop != CURRENT_FOLDER
    return Positionals(
        drop, names, is_remembered=is_remembered, with_names=is_remembered and last.with_names
    )


def remembered(drop: str, start: PurePath, project: PurePath) -> str:
    """The path of a folder for the tool's files: relative to the project if it is in it,
    else absolute.
    """
    path = plain_path(start / drop)
    for base in (Path(project), Path(os.path.realpath(project))):
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return path.as_posix()


def is_component(word: str, start: PurePath, view: ProjectView) -> bool:
    """Whether a folder without archives is that of a component, whose name a shell may
    have completed.
    """
    is_built = start == view.path and canonical_name(word) in view.record.components
    return is_built and not find_archives(word, start, AUTO)
