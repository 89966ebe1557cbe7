"""Find: list the archives of a drop."""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

from msgspec.structs import replace

from io_edges.system.stop import Stop, cause_of, os_errors_as_problems
from pipeline.archives.archive import ArchiveFile, Shelf
from pipeline.archives.unused import DropEntry, unused_files
from pipeline.report.diagnostics.drop import DropNotFound, UnusedFiles
from pipeline.report.paths import display_path
from pipeline.report.wording import suggest
from pipeline.schema import ARCHIVE_SUFFIX, is_archive_name

SHELVES: Final[tuple[Shelf, ...]] = ("", "themes", "modules")
_NO_COMPONENTS: Final = frozenset({"themes", "modules", "node_modules", "vendor"})
"""Folders in a drop that are looked into elsewhere, or hold what other tools have put there."""
_LISTED_LIMIT: Final = 1000
"""The most names in one folder that are considered when looking for what is not read."""


def find_archives(drop: str, start: PurePath, theme: str) -> tuple[ArchiveFile, ...]:
    """List the `.zip` files of a drop, of `themes/` and `modules/` in it, and the one that the theme setting names."""
    if problem := drop_problem(drop, start):
        raise Stop(problem)
    files = tuple(file for shelf in SHELVES for file in _on_shelf(Path(start / drop), shelf))
    return _with_theme(files, theme, start) if is_archive_name(theme) else files


def drop_problem(drop: str, start: PurePath) -> DropNotFound | None:
    """Why a path is no drop, as there is no folder; `None` if there is one."""
    folder = Path(start / drop)
    try:
        if folder.is_dir():
            return None
        return DropNotFound(drop, "it is a file") if folder.exists() else _missing(drop, folder)
    except OSError as error:
        return DropNotFound(drop, cause_of(error))


def _missing(drop: str, folder: Path) -> DropNotFound:
    """That a drop does not exist, with the folders beside it that are called similarly."""
    beside = (path.name for path in _listed(folder.parent) if os.path.isdir(path))  # noqa: PTH112 - which never fails
    names = suggest(folder.name, beside)
    return DropNotFound(drop, "it does not exist", tuple(str(PurePath(drop).parent / name) for name in names))


def _on_shelf(drop: Path, shelf: Shelf) -> Iterator[ArchiveFile]:
    folder = drop / shelf
    with os_errors_as_problems(folder):
        paths = sorted(folder.iterdir()) if folder.is_dir() else []
        archives = [path for path in paths if path.suffix.lower() == ARCHIVE_SUFFIX and not path.name.startswith("._")]
        files = [path for path in archives if path.is_file()]
    for path in files:
        yield ArchiveFile(path=path, display_path=f"{shelf}/{path.name}".lstrip("/"), shelf=shelf)


def find_unused(drop: str, start: PurePath) -> tuple[UnusedFiles, ...]:
    """What is in a drop, or in `themes/` and `modules/` in it, and is not read, though it may have been meant to be.

    Nothing is opened: folders are listed, those directly in the drop and `config` in each.
    """
    folder = Path(start / drop)
    entries = (entry for shelf in SHELVES for entry in _entries_on_shelf(folder, shelf))
    return unused_files(drop, entries)


def _entries_on_shelf(drop: Path, shelf: Shelf) -> Iterator[DropEntry]:
    for path in _listed(drop / shelf):
        with suppress(OSError):  # what may not be looked at is no more than unused
            if not path.name.startswith("."):
                yield _drop_entry(path, shelf)


def _drop_entry(path: Path, shelf: Shelf) -> DropEntry:
    name = f"{shelf}/{path.name}".lstrip("/")
    if not path.is_dir():
        return DropEntry(name, "file" if path.exists() else "broken link")
    if shelf or path.name in _NO_COMPONENTS:  # what is built may be there
        return DropEntry(name, "folder")
    inside = (each.name for each in _listed(path))
    config = (f"config/{each.name}" for each in _listed(path / "config"))
    return DropEntry(name, "folder", frozenset((*inside, *config)))


def _listed(folder: Path) -> tuple[Path, ...]:
    """What is in a folder, up to a limit; nothing if it cannot be listed."""
    try:
        return tuple(islice(folder.iterdir(), _LISTED_LIMIT))
    except (OSError, ValueError):
        return ()


def _with_theme(files: tuple[ArchiveFile, ...], theme: str, start: PurePath) -> tuple[ArchiveFile, ...]:
    """Mark the archive that the theme setting names, or add it if it is elsewhere."""
    path = Path(theme)
    try:
        if not path.is_file():
            return files
        marked = tuple(replace(file, is_theme_setting=path.samefile(file.path)) for file in files)
    except (OSError, ValueError):
        return files
    if any(file.is_theme_setting for file in marked):
        return marked
    place = display_path(path, start)
    is_apart = place.startswith(("../", "/"))
    return (*marked, ArchiveFile(path=path, display_path=place if is_apart else f"./{place}", is_theme_setting=True))
