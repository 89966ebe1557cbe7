"""Drop: find the archives in the user's folder, and look at what is in each."""

from collections.abc import Iterator
from pathlib import Path, PurePath

from msgspec import Struct
from msgspec.structs import replace
from toolz import unique

from io_edges.archives.marker_reader import Budget, MarkerReader
from io_edges.archives.members import open_inner
from io_edges.archives.zips import Damage, OpenArchive, open_archive
from io_edges.disk import why
from io_edges.system.stop import Stop, filesystem
from pipeline.archives.archive import Archive, ArchiveFile, Entry, Shelf, describe
from pipeline.archives.bundles import Members, excess, inner_archives, is_package, left_alone, load_of
from pipeline.archives.markers import Root
from pipeline.archives.recognise import Sight, by_name, find_roots, passed_over, recognise, recognise_folders
from pipeline.archives.vet import vet, vet_links
from pipeline.report.notes import Note, PassedOver
from pipeline.report.paths import shown
from pipeline.report.problems import ArchiveRejected, DropNotFound, FileSystemProblem
from pipeline.schema import is_theme_archive

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


class Look(Struct, frozen=True):
    """What was seen in an archive, and the entries that it was seen in."""

    archive: Archive
    entries: tuple[Entry, ...] = ()


def look_into(file: ArchiveFile) -> tuple[Archive, ...]:
    """Open an archive and say what it is, or what each member of a bundle is. What is wrong is in the refusals."""
    return tuple(look.archive for look in examine(file))


def examine(file: ArchiveFile) -> tuple[Look, ...]:
    """As `look_into`, with the entries."""
    try:
        with open_archive(file.path) as opened:
            return _examine(file, opened, Budget())
    except Damage as damage:
        return (_refused(file, damage),)
    except OSError as error:
        return (Look(Archive(file=file, refusals=(FileSystemProblem(str(file.path), why(error)),))),)


def _on_shelf(drop: Path, shelf: Shelf) -> Iterator[ArchiveFile]:
    folder = drop / shelf
    with filesystem(folder):
        paths = sorted(folder.iterdir()) if folder.is_dir() else []
        archives = [path for path in paths if path.suffix.lower() == ".zip" and not path.name.startswith("._")]
        files = [path for path in archives if path.is_file()]
    for path in files:
        yield ArchiveFile(path=path, shown=f"{shelf}/{path.name}".lstrip("/"), shelf=shelf)


def _with_theme(files: tuple[ArchiveFile, ...], theme: str, start: PurePath) -> tuple[ArchiveFile, ...]:
    """Mark the archive that the theme setting names, or add it if it is elsewhere."""
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


def _examine(file: ArchiveFile, opened: OpenArchive, budget: Budget) -> tuple[Look, ...]:
    """Vet the entries, then recognise what they are; a refused archive may be recognised all the same.

    Raises `Damage` if reading the markers exceeds the budget.
    """
    refusals = vet(file.shown, opened.entries, found=opened.refusals)
    archive = Archive(file=file, stamp=opened.stamp, digest=opened.digest(), refusals=refusals)
    if any(isinstance(refusal, ArchiveRejected) and refusal.entry is None for refusal in archive.refusals):
        return (Look(archive, opened.entries),)
    reader = MarkerReader(opened, budget)
    roots = find_roots(opened.entries, reader.read)
    sights = recognise(file, roots)
    budget.check()
    members = Members() if sights else _members_of(file, roots, reader, budget)
    if not archive.refusals:
        archive = replace(archive, refusals=tuple(_rejected(file, damage) for damage in reader.damages))
    if sights or (reader.damages and not members.folders):
        return _looks(archive, opened, sights) or (Look(archive, opened.entries),)
    return _without_marker(archive, opened, roots, members, budget)


def _members_of(file: ArchiveFile, roots: tuple[Root, ...], reader: MarkerReader, budget: Budget) -> Members:
    """What may be the members of a bundle; none if looking into its folders exceeds the budget.

    An archive in a bundle may spend half of what is left, so that some remains for those after it.
    """
    share = budget.left // 2 if file.inner else budget.left
    reader.budget = Budget(share)
    folders = recognise_folders(file, roots)
    if folders:  # a bundle is built whole, or refused
        reader.budget.check()
    archives = inner_archives(roots) if reader.budget.left >= 0 else ()
    budget.left -= min(share, share - reader.budget.left)
    return Members(folders, archives) if reader.budget.left >= 0 else Members()


def _without_marker(
    archive: Archive, opened: OpenArchive, roots: tuple[Root, ...], members: Members, budget: Budget
) -> tuple[Look, ...]:
    """Look at an archive without a marker of its own: at its folders and archives, as a bundle, else at its name."""
    file, folders = archive.file, members.folders
    if file.inner:
        return _looks(archive, opened, (passed_over(file, roots, nested=bool(folders or members.archives)),))
    inside = _archives_in(file, opened, roots[-1].prefix, members.archives, budget) if members.archives else ()
    if folders or any(look.archive.component and look.archive.component.evidence for look in inside):
        first, *rest = (*_looks(archive, opened, folders), *inside)
        return (_noted(first, left_alone(file, roots[-1], members)), *rest)
    if any(_tells_why_not(look) for look in inside) and is_package(roots[-1], members.archives):
        return inside
    return _looks(archive, opened, (by_name(file, roots),))


def _noted(look: Look, notes: tuple[Note, ...]) -> Look:
    return replace(look, archive=replace(look.archive, notes=(*look.archive.notes, *notes)))


def _tells_why_not(look: Look) -> bool:
    """Whether an archive in a bundle is not a component for a better reason than a missing marker."""
    nested = any(isinstance(note, PassedOver) and note.nested for note in look.archive.notes)
    return nested or bool(look.archive.refusals)


def _looks(archive: Archive, opened: OpenArchive, sights: tuple[Sight, ...]) -> tuple[Look, ...]:
    """Everything that was recognised in an archive, each with the entries that it is made of."""
    return tuple(_look(archive, sight, entries) for sight, entries in zip(sights, _shares(opened, sights), strict=True))


def _look(archive: Archive, sight: Sight, entries: tuple[Entry, ...]) -> Look:
    found = replace(archive, file=sight.file, notes=sight.notes, refusals=(*archive.refusals, *sight.refusals))
    if sight.component is None:
        return Look(found, entries)
    root = sight.component.root
    if root and any(entry.kind == "link" for entry in entries):  # it may stay in the archive but leave the component
        found = replace(found, refusals=tuple(unique((*found.refusals, *vet_links(sight.file.shown, entries, root)))))
    return Look(describe(found, sight.component, entries), entries)


def _shares(opened: OpenArchive, sights: tuple[Sight, ...]) -> tuple[tuple[Entry, ...], ...]:
    """The entries that each sight is made of: for the archive itself all, for a folder those in it."""
    folders = [sight.component.root if sight.component and sight.file.member else "" for sight in sights]
    shares: dict[str, list[Entry]] = {folder: [] for folder in folders if folder}
    depths = sorted({folder.count("/") for folder in shares})
    for entry in opened.entries if depths else ():
        parts = entry.name.split("/")
        for depth in depths:
            if len(parts) >= depth and (folder := "/".join(parts[:depth]) + "/") in shares:
                shares[folder].append(entry)
    return tuple(tuple(shares[folder]) if folder else opened.entries for folder in folders)


def _archives_in(
    file: ArchiveFile, opened: OpenArchive, prefix: str, names: tuple[str, ...], budget: Budget
) -> tuple[Look, ...]:
    """Look into the archives of a bundle. Raises `Damage` if too much would come out of them, or has to be read."""
    files = {entry.name: entry for entry in opened.entries if entry.kind == "file"}
    load = load_of(opened.entries)
    looks: list[Look] = []
    for name in names:
        if name in files:
            found = _archive_in(file.at(name.removeprefix(prefix), inner=name), opened, files[name], budget)
            budget.check()
            load = load.and_in_it(found[0].entries)
            looks += found
        if reason := excess(load):
            raise Damage(reason)
    return tuple(looks)


def _archive_in(file: ArchiveFile, outer: OpenArchive, entry: Entry, budget: Budget) -> tuple[Look, ...]:
    try:
        with open_inner(outer, entry) as opened:
            return _examine(file, opened, budget)
    except Damage as damage:
        return (_refused(file, damage),)


def _refused(file: ArchiveFile, damage: Damage) -> Look:
    return Look(Archive(file=file, refusals=(_rejected(file, damage),)))


def _rejected(file: ArchiveFile, damage: Damage) -> ArchiveRejected:
    return ArchiveRejected(file.shown, damage.reason, damage.entry)
