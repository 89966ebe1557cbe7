"""Drop: look at every archive of the folder that the user filled."""

from collections.abc import Iterator
from pathlib import Path, PurePath

from msgspec.structs import replace

from io_edges.disk import why
from io_edges.stop import Stop, filesystem
from io_edges.zips import Damage, OpenArchive, open_archive
from pipeline.archives import Archive, ArchiveFile, Shelf, describe
from pipeline.outcome import fold
from pipeline.paths import shown
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


def look_into(file: ArchiveFile) -> tuple[Archive, ...]:
    """Open an archive and say what it is; what is wrong with it is in its refusals."""
    try:
        with open_archive(file.path) as opened:
            return (_examine(file, opened),)
    except Damage as damage:
        return (Archive(file=file, refusals=(ArchiveRejected(file.shown, damage.reason, damage.entry),)),)
    except OSError as error:
        return (Archive(file=file, refusals=(FileSystemProblem(str(file.path), why(error)),)),)


def _examine(file: ArchiveFile, opened: OpenArchive) -> Archive:
    """Vet the entries, then recognise; of an archive that is refused it may be known all the same what it is."""
    entries = opened.entries
    archive = Archive(file=file, stamp=opened.stamp, digest=opened.digest(), refusals=vet(file.shown, entries))
    if any(isinstance(refusal, ArchiveRejected) and refusal.entry is None for refusal in archive.refusals):
        return archive
    contents = _markers(opened, tolerant=bool(archive.refusals))
    return fold(
        recognise(file, entries, contents),
        lambda found: replace(
            describe(archive, found[0], entries),
            notes=found[1],
            refusals=vet(file.shown, entries, found[0].root) if found[0].root else archive.refusals,
        ),
        lambda refusals: replace(archive, refusals=(*archive.refusals, *refusals)),
    )


def _markers(opened: OpenArchive, *, tolerant: bool) -> dict[str, bytes]:
    """Read the files that the recognisers want, and those that they want once they have seen them."""
    by_name = {entry.name: entry for entry in opened.entries}
    contents: dict[str, bytes] = {}
    while missing := [name for name in wanted(opened.entries, contents) if name not in contents]:
        for name in missing:
            try:
                contents[name] = opened.content(by_name[name])
            except Damage:
                if not tolerant:
                    raise
                contents[name] = b""
    return contents


def _on_shelf(drop: Path, shelf: Shelf) -> Iterator[ArchiveFile]:
    folder = drop / shelf
    with filesystem(folder):
        paths = sorted(folder.iterdir()) if folder.is_dir() else []
        archives = [path for path in paths if path.suffix.lower() == ".zip" and not path.name.startswith("._")]
        files = [path for path in archives if path.is_file()]
    for path in files:
        yield ArchiveFile(path=path, shown=f"{shelf}/{path.name}".lstrip("/"), shelf=shelf)


def _with_theme(files: tuple[ArchiveFile, ...], theme: str, start: PurePath) -> tuple[ArchiveFile, ...]:
    """Mark the archive that the theme setting names, or add it if it lies elsewhere."""
    path = Path(theme)
    try:
        if not path.is_file():
            return files
        marked = tuple(replace(file, named=path.samefile(file.path)) for file in files)
    except (OSError, ValueError):
        return files
    if any(file.named for file in marked):
        return marked
    place = shown(path, start)
    return (*marked, ArchiveFile(path=path, shown=place if "/" in place else f"./{place}", named=True))
