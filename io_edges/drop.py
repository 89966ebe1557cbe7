"""Drop: look at every archive of the folder that the user filled."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePath

from msgspec.structs import replace

from io_edges.disk import why
from io_edges.stop import Stop, filesystem
from io_edges.zips import Damage, OpenArchive, open_archive
from pipeline.archives import Archive, ArchiveFile, Shelf
from pipeline.outcome import fold
from pipeline.problems import ArchiveRejected, DropNotFound, FileSystemProblem
from pipeline.recognise import recognise, wanted
from pipeline.schema import is_theme_archive
from pipeline.vet import vet

_SHELVES: tuple[Shelf, ...] = ("", "themes", "modules")


def find_archives(drop: str, start: PurePath, theme: str) -> tuple[ArchiveFile, ...]:
    """List the `.zip` files of a drop, of `themes/` and `modules/` in it, and the one that the theme setting names."""
    folder = Path(start / drop)
    try:
        if not folder.is_dir():
            raise Stop(DropNotFound(drop, "it is a file" if folder.exists() else "it does not exist"))
    except OSError as error:
        raise Stop(DropNotFound(drop, why(error))) from error
    except ValueError as error:
        raise Stop(DropNotFound(drop, str(error))) from error
    files = tuple(file for shelf in _SHELVES for file in _on_shelf(folder, shelf))
    return _with_theme(files, theme, start) if is_theme_archive(theme) else files


def look_into(file: ArchiveFile) -> Archive:
    """Open an archive and say what it is; what is wrong with it is in its refusals."""
    try:
        with open_archive(file.path) as opened:
            return _examine(file, opened)
    except Damage as damage:
        return Archive(file=file, refusals=(ArchiveRejected(file.shown, damage.reason, damage.entry),))
    except OSError as error:
        return Archive(file=file, refusals=(FileSystemProblem(str(file.path), why(error)),))


def _examine(file: ArchiveFile, opened: OpenArchive) -> Archive:
    entries = opened.entries
    safe = vet(file.shown, entries)
    unreadable = tuple(problem for problem in safe if problem.entry is None)
    if unreadable:
        return Archive(file=file, entries=entries, refusals=unreadable)
    names = {entry.name: entry for entry in entries}
    contents = {name: opened.content(names[name]) for name in wanted(entries)}
    archive = Archive(file=file, entries=entries)
    return fold(
        recognise(file, entries, contents),
        lambda found: replace(
            archive, component=found[0], notes=found[1], refusals=vet(file.shown, entries, found[0].root)
        ),
        lambda refusals: replace(archive, refusals=(*safe, *refusals)),
    )


def _on_shelf(drop: Path, shelf: Shelf) -> Iterator[ArchiveFile]:
    folder = drop / shelf
    if not folder.is_dir():
        return
    with filesystem(folder):
        names = sorted(name for name in os.listdir(folder) if name.lower().endswith(".zip"))  # noqa: PTH208 - names only
    for name in names:
        if not name.startswith("._") and (folder / name).is_file():
            yield ArchiveFile(path=folder / name, shown=f"{shelf}/{name}".lstrip("/"), shelf=shelf)


def _with_theme(files: tuple[ArchiveFile, ...], theme: str, start: PurePath) -> tuple[ArchiveFile, ...]:
    """Mark the archive that the theme setting names, or add it if it lies elsewhere."""
    path = Path(theme)
    try:
        if not path.is_file():
            return files
    except (OSError, ValueError):
        return files
    marked = tuple(replace(file, named=path.samefile(file.path)) for file in files)
    if any(file.named for file in marked):
        return marked
    return (*marked, ArchiveFile(path=path, shown=os.path.relpath(path, start), named=True))
