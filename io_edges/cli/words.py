"""Words: tell the DROP from the NAME arguments.

The words of `tool create` and others of its kind are a folder and names. The first is a name, too, if it is no folder
and a component is called so (`docs/building.md`). Who names no drop means the current folder, or that of the last run.
"""

import os
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct

from io_edges.archives.find import drop_error, find_archives
from io_edges.building.project import ProjectView
from io_edges.disk import plain_path
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.building.names import canonical_name
from pipeline.building.rollback import split_version
from pipeline.building.stores.last_drop import LastDrop
from pipeline.config.layers import Settings
from pipeline.report.diagnostics.drop import DropNotFound
from pipeline.report.paths import display_path
from pipeline.schema import AUTO, is_archive_name
from pipeline.selection.hosting import Asked
from pipeline.values import replace

CURRENT_FOLDER = "."
_LONGEST: Final = 255
"""How many bytes the name of a file or folder may have on any file system."""


class Positionals(Struct, frozen=True):
    """What is typed after a command: the drop and the names, and what speaks against the first word as the drop."""

    drop: str
    names: tuple[str, ...] = ()
    not_found: DropNotFound | None = None
    is_remembered: bool = False
    """Whether no drop is named, and it is that of an earlier run."""
    with_names: bool = False
    """Whether the remembered drop is that of a run with names, which `create` does not take."""
    is_forced: bool = False
    by_record: bool = False
    prunes: bool = False
    """The flags beside them that count for what is selected; see `Asked`."""
    is_of_disk: bool = False
    """Whether a component that is only on disk can be named as well."""

    @property
    def asked(self) -> Asked:
        """What is asked of the selection."""
        names = list(self.names)
        for word in self.names:
            if pair := split_version(word):
                names.append(pair[0])
        return Asked(tuple(names), is_forced=self.is_forced, by_record=self.by_record, prunes=self.prunes)


def gone_drop(error: DropNotFound, words: Positionals) -> DropNotFound:
    """That there is no drop; of a remembered one, that nobody has named it."""
    if not words.is_remembered:
        return error
    return replace(error, is_remembered=True, suggestions=())


def check_named(words: Positionals, first: str | None, start: PurePath, settings: Settings) -> None:
    """Ask for the drop if nobody has named it, given the first word, and the current folder has no archive."""
    if first is None and not words.is_remembered and not find_archives(words.drop, start, settings.theme):
        raise Stop(DropNotFound(words.drop, is_unnamed=True))


def report_drop(words: Positionals, console: Console) -> None:
    """Report the drop if it is that of the last run; a run that builds says so at its end."""
    if words.is_remembered:
        console.print_text(f"the drop is `{words.drop}`, as in the last run")


def read_words(words: Sequence[str | None], start: PurePath, project: ProjectView) -> Positionals:
    """Tell the drop from the names. Of the words, a first one that is left out is `None`."""
    first, *others = words
    names = tuple(word for word in others if word is not None)
    if first is None:
        return without_drop(names, start, project.path, project.last_drop)
    wrong = drop_error(first, start)
    if wrong is None and not is_component(first, start, project):
        return Positionals(first, names)
    typed = (first, *names)
    unnamed = without_drop(typed, start, project.path, project.last_drop)
    if len(os.fsencode(PurePath(first).name)) > _LONGEST:  # which no folder is called
        return unnamed
    if wrong and all(map(is_archive_name, typed)) and len({PurePath(word).parent for word in typed}) == 1:
        wrong = replace(wrong, others=names)
    return replace(unnamed, not_found=wrong)


def without_drop(names: tuple[str, ...], start: PurePath, project: PurePath, last: LastDrop) -> Positionals:
    """The words of a command line that names no drop.

    It is the current folder, unless that has no archive, and an earlier run had another drop.
    """
    if not last.folder or find_archives(CURRENT_FOLDER, start, AUTO):
        return Positionals(CURRENT_FOLDER, names)
    drop = display_path(project / last.folder, start)
    is_remembered = drop != CURRENT_FOLDER
    return Positionals(drop, names, is_remembered=is_remembered, with_names=is_remembered and last.with_names)


def remembered(drop: str, start: PurePath, project: PurePath) -> str:
    """A folder as the tool keeps it: relative to the project, if it is in it, else absolute."""
    path = plain_path(start / drop)
    for base in (Path(project), Path(os.path.realpath(project))):
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return path.as_posix()


def is_component(word: str, start: PurePath, view: ProjectView) -> bool:
    """Whether a folder is the one of a component of the project, as a shell completes its name, and no drop."""
    is_built = start == view.path and canonical_name(word) in view.record.components
    return is_built and not find_archives(word, start, AUTO)
