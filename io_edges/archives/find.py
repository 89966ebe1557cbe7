"""Find: list the archives of a drop."""

from collections.abc import Iterator
from pathlib import Path, PurePath

from msgspec.structs import replace

from io_edges.system.stop import Stop, cause_of, os_errors_as_problems
from pipeline.archives.archive import ArchiveFile, Shelf
from pipeline.report.build_problems import DropNotFound
from pipeline.report.paths import display_path
from pipeline.schema import is_theme_archive

_SHELVES: tuple[Shelf, ...] = ("", "themes", "modules")


def find_archives(drop: str, start: PurePath, theme: str) -> tuple[ArchiveFile, ...]:
    """List the `.zip` files of a drop, of `themes/` and `modules/` in it, and the one that the theme setting names."""
    folder = Path(start / drop)
    try:
        if not folder.is_dir():
            raise Stop(DropNotFound(drop, "it is a file" if folder.exists() else "it does not exist"))
    except OSError as error:
        raise Stop(DropNotFound(drop, cause_of(error))) from error
    except ValueError as error:
        raise Stop(DropNotFound(drop, str(error))) from error
    files = tuple(file for shelf in _SHELVES for file in _on_shelf(folder, shelf))
    return _with_theme(files, theme, start) if is_theme_archive(theme) else files


def _on_shelf(drop: Path, shelf: Shelf) -> Iterator[ArchiveFile]:
    folder = drop / shelf
    with os_errors_as_problems(folder):
        paths = sorted(folder.iterdir()) if folder.is_dir() else []
        archives = [path for path in paths if path.suffix.lower() == ".zip" and not path.name.startswith("._")]
        files = [path for path in archives if path.is_file()]
    for path in files:
        yield ArchiveFile(path=path, display_path=f"{shelf}/{path.name}".lstrip("/"), shelf=shelf)


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
    return (
        *marked,
        ArchiveFile(path=path, display_path=place if "/" in place else f"./{place}", is_theme_setting=True),
    )
