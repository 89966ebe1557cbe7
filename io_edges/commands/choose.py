"""Choose: what the commands that look at a drop have in common: the settings, the cache, and what is selected."""

from collections.abc import Callable, Iterable, Sized
from pathlib import PurePath

from msgspec import Struct
from msgspec.structs import replace

from io_edges.building.cache import OpenCache, size_of
from io_edges.building.project import ProjectView
from io_edges.report.console import Console
from io_edges.report.progress import progress
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.config.layers import Settings
from pipeline.report.build_problems import ArchiveRejected, FileSystemProblem
from pipeline.report.drop_notes import UnusedFiles
from pipeline.report.problems import Problem
from pipeline.schema import CACHE_FILE
from pipeline.selection.select import Selection, select, stays_closed


class DropSelection(Struct, frozen=True):
    """The selection in a drop, and what a plan must know of the drop besides."""

    selection: Selection
    is_elsewhere: bool
    """Whether this is probably not the drop: it has no archive, and a folder in it has."""
    refused: tuple[Problem, ...] = ()
    """With `--keep-going`, the problems of refused archives, which are passed over."""

    def passing_over(self) -> "DropSelection":
        """The same without the problems of refused archives, if there are no others."""
        problems = self.selection.problems
        if all(isinstance(each, ArchiveRejected | FileSystemProblem) for each in problems):
            return DropSelection(replace(self.selection, problems=()), self.is_elsewhere, problems)
        return self


def is_elsewhere(archives: Sized, unused: Iterable[UnusedFiles]) -> bool:
    """Whether this is probably not the drop: it has no archive, and a folder in it has."""
    return not archives and any(note.kind == "deeper" for note in unused)


def choose(
    settings: Settings, files: tuple[ArchiveFile, ...], drop: str, cache: OpenCache, console: Console
) -> Selection:
    """Look into the archives of a drop, and select among them."""
    opened = open_all((file for file in files if not stays_closed(settings, file)), cache, console)
    return select(settings, archives_in(settings, files, opened.__getitem__), drop)


def open_all(
    files: Iterable[ArchiveFile], cache: OpenCache, console: Console
) -> dict[ArchiveFile, tuple[Archive, ...]]:
    """Look into archives, with a progress bar where it takes long."""
    opened = tuple(files)
    with progress(console, "reading", sum(map(size_of, opened))) as bar:
        return dict(zip(opened, cache.look_into(opened, bar), strict=True))


def archives_in(
    settings: Settings, files: Iterable[ArchiveFile], look: Callable[[ArchiveFile], tuple[Archive, ...]]
) -> tuple[Archive, ...]:
    """The archives of a drop; those that the settings keep closed are not looked into."""
    return tuple(
        archive for file in files for archive in ((Archive(file=file),) if stays_closed(settings, file) else look(file))
    )


def cache_file(settings: Settings, view: ProjectView) -> PurePath | None:
    """The cache file, if one is used; one that no setting names lies in the project."""
    if not settings.cache_enabled:
        return None
    is_named = settings.decision("cache.file").winner.layer != "default"
    return settings.cache_file if is_named else view.path / CACHE_FILE
