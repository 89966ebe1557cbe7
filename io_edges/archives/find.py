"""Find: list the archives of a drop."""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

from io_edges.system.stop import Stop, cause_of, os_errors_as_diagnostics
from pipeline.archives.archive import ArchiveFile, Shelf
from pipeline.recognition.unmarked import DropEntry, unused_in
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.drop import DropNotFound
from pipeline.report.paths import display_path
from pipeline.report.wording import suggest
from pipeline.schema import ARCHIVE_SUFFIX, is_archive_name
from pipeline.values import replace

SHELVES: Final[tuple[Shelf, ...]] = ("", "themes", "modules")
_NO_COMPONENTS: Final = frozenset({"themes", "modules", "node_modules", "vendor"})
"""The folders of a drop that are searched elsewhere, or that other tools fill."""
_LISTED_LIMIT: Final = 1000
"""The maximum number of names in a folder that the search for unused files considers."""


def find_archives(drop: str, start: PurePath, theme: str) -> tuple[ArchiveFile, ...]:
    """List the `.zip` files of a drop, of its `themes/` and `modules/`, and the one that the theme
    setting names.
    """
    if error := drop_error(drop, start):
        raise Stop(error)
    files = tuple(file for shelf in SHELVES for file in _on_shelf(Path(start / drop), shelf))
    if is_archive_name(theme):
        return _with_theme(files, theme, start)
    return files


def drop_error(drop: str, start: PurePath) -> DropNotFound | None:
    """The error of a drop that is not a folder; `None` if it is one."""
    folder = Path(start / drop)
    try:
        if folder.is_dir():
            return None
        if folder.exists():
            return DropNotFound(drop, "it is a file")
        return _missing(drop, folder)
    except OSError as error:
        return DropNotFound(drop, cause_of(error))


def _missing(drop: str, folder: Path) -> DropNotFound:
    """The error of a missing drop, with folders beside it that have similar names."""
    listed = _listed(folder.parent)
    beside = (path.name for path in listed if os.path.isdir(path))  # noqa: PTH112 - it never fails
    names = suggest(folder.name, beside)
    return DropNotFound(drop, "", tuple(str(PurePath(drop).parent / name) for name in names))


def _on_shelf(drop: Path, shelf: Shelf) -> Iterator[ArchiveFile]:
    folder = drop / shelf
    with os_errors_as_diagnostics(folder):
        paths = list[Path]()
        if folder.is_dir():
            paths = sorted(folder.iterdir())
        archives = [
            path
            for path in paths
            if path.suffix.lower() == ARCHIVE_SUFFIX and not path.name.startswith("._")
        ]
        files = [path for path in archives if path.is_file()]
    for path in files:
        yield ArchiveFile(
            path=path, display_path=f"{shelf}/{path.name}".removeprefix("/"), shelf=shelf
        )


def find_unused(drop: str, start: PurePath) -> tuple[WarningDiagnostic, ...]:
    """Warn of files and folders in a drop that look like archives or components but
    are not read.
    """
    entries = (
        _drop_entry(path, shelf) for shelf in SHELVES for path in _listed(Path(start / drop, shelf))
    )
    return unused_in(drop, filter(None, entries))


def _drop_entry(path: Path, shelf: Shelf) -> DropEntry | None:
    """A file of a drop, or a folder with the names of its files; `None` if it is to be ignored."""
    name = f"{shelf}/{path.name}".removeprefix("/")
    with suppress(OSError):  # the system may refuse to look at it
        if path.name.startswith("."):
            return None
        if not path.is_dir():
            return DropEntry(name, is_file=path.is_file())
        # Else one may be built there.
        if is_archive_name(path.name) or (not shelf and path.name not in _NO_COMPONENTS):
            config = (f"config/{each.name}" for each in _listed(path / "config"))
            return DropEntry(name, frozenset((*(each.name for each in _listed(path)), *config)))
    return None


def _listed(folder: Path) -> tuple[Path, ...]:
    """The files and folders in a folder, up to a limit; none if it cannot be listed."""
    try:
        return tuple(islice(folder.iterdir(), _LISTED_LIMIT))
    except (OSError, ValueError):
        return ()


def _with_theme(
    files: tuple[ArchiveFile, ...], theme: str, start: PurePath
) -> tuple[ArchiveFile, ...]:
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
    if not place.startswith(("../", "/")):
        place = f"./{place}"
    return (*marked, ArchiveFile(path=path, display_path=place, is_theme_setting=True))


def drop_signature(files: tuple[ArchiveFile, ...]) -> object:
    """The names, sizes and times of the archives of a drop, which show whether it has changed."""
    names = set[str]()
    signatures = list[tuple[int, int]]()
    try:
        for folder in {file.path.parent for file in files}:
            names |= {
                path.name
                for path in Path(folder).iterdir()
                if path.suffix.lower() == ARCHIVE_SUFFIX
            }
        for file in files:
            status = Path(file.path).stat()
            signatures.append((status.st_size, status.st_mtime_ns))
    except OSError as error:
        return str(error)
    return names, signatures
