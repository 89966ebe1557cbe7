"""Extract: write files of an archive into a folder, each checked against what the archive declares."""

import os
from collections.abc import Collection
from hashlib import sha256
from typing import Self

from msgspec import Struct

from io_edges.archives.data import Damage
from io_edges.archives.members import Opener
from io_edges.archives.zips import OpenArchive
from io_edges.building.targets import without_parents
from io_edges.report.progress import Bar
from io_edges.system.dir_chain import DirChain
from io_edges.system.folder import NEW, Folder, write_all
from io_edges.system.likeness import give_as_replaced, give_as_replaced_link
from io_edges.system.stop import Stop
from io_edges.system.syscalls import stamp_of
from io_edges.system.trees import Snapshot
from pipeline.archives.archive import Entry, contents, with_component
from pipeline.archives.entry_names import clashes
from pipeline.archives.vet import vet_links
from pipeline.building.record import Files, FileState
from pipeline.building.stamps import Stamp
from pipeline.selection.choices import Choice


class Extractor(Struct, frozen=True):
    """What opens archives and shows the progress, and how files are written."""

    opener: Opener
    bar: Bar
    ignores_case: bool = False
    mtime: int | None = None
    """The time of written files, in seconds; `None` for the time of writing."""

    @property
    def times(self) -> tuple[int, int] | None:
        """The two times of written files, in nanoseconds; `None` for the time of writing."""
        return None if self.mtime is None else (self.mtime * 10**9, self.mtime * 10**9)


def extract(
    choice: Choice, files: Files | None, folder: Folder, extractor: Extractor, old: Folder | None = None
) -> Snapshot:
    """Write files of a component, and return them with their digests: those of `files`, with these executable bits.

    `None` stands for all files, as the archive has them. What replaces a file of the `old` folder is like it.

    Raises `Stop` if the archive is refused, and `OSError`.
    """
    archive, root = choice.archive, choice.component.root
    extractor.bar.begin(archive.file.display_path)
    try:
        vetted = extractor.opener.open(archive.file)
        opened, below = vetted.opened, vetted.index.below(root)
        if refusals := (*vetted.refusals, *vet_links(archive.file.display_path, below, root)):
            raise Stop(*refusals)
        if opened.stamp != archive.stamp or not (
            opened.vetted or with_component(archive, choice.component, below) == archive
        ):
            raise Damage("it changed while it was read")
        entries = contents(below, root)
        for name, other in clashes(name for name, _ in entries) if extractor.ignores_case else ():
            raise Damage(f"it differs from `{name}` only in case, which this disk does not tell apart", other)
        return _write_all(without_parents(entries), files, opened, _Places(folder, old), extractor)
    except Damage as damage:
        raise Stop(damage.rejection_of(archive.file)) from damage


class _Places:
    """The folders that files are written into, and beside each the one of what they replace, if there is any."""

    def __init__(self, new: Folder, old: Folder | None) -> None:
        self.new, self.old = DirChain(new, make=True), DirChain(old) if old else None
        self._at: tuple[str, Folder | None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.new.__exit__()
        if self.old:
            self.old.__exit__()

    def replaced(self, above: str) -> Folder | None:
        """The folder of what is replaced in the folder at a path."""
        if self.old and (self._at is None or self._at[0] != above):
            self._at = above, self.old.folder_at(above)
        return self._at[1] if self._at else None


class _File(Struct, frozen=True):
    """A file to write: its name, whether it is executable, and the folder of what it replaces."""

    name: str
    executable: bool
    replaced: Folder | None


def _write_all(
    entries: Collection[tuple[str, Entry]],
    files: Files | None,
    opened: OpenArchive,
    places: _Places,
    extractor: Extractor,
) -> Snapshot:
    """Write entries. The folders on the way to the last one stay open for the next."""
    written = Snapshot({}, {})
    with places:
        for name, entry in entries:
            if files is not None and name not in files:
                continue
            if entry.kind == "folder":
                places.new.to(name)
                written.files[name] = FileState(kind="folder")
                continue
            above, _, last = name.rpartition("/")
            inside, replaced = places.new.to(above), places.replaced(above)
            if entry.kind == "link":
                written.files[name] = _write_link(entry, last, inside, replaced, extractor)
                continue
            executable = entry.executable if files is None else files[name].executable
            file = _File(last, executable, replaced)
            digest, stamp = _write_file(entry, file, opened, inside, extractor)
            written.files[name] = FileState(executable=executable, digest=digest)
            written.stamps[name] = stamp
    return written


def _write_link(entry: Entry, name: str, folder: Folder, replaced: Folder | None, extractor: Extractor) -> FileState:
    folder.link(name, entry.target or "")
    if replaced:
        give_as_replaced_link(replaced.look(name), folder, name)
    if extractor.times:
        os.utime(name, ns=extractor.times, dir_fd=folder.fd, follow_symlinks=False)
    return FileState(kind="link", target=entry.target)


def _write_file(
    entry: Entry, file: _File, opened: OpenArchive, folder: Folder, extractor: Extractor
) -> tuple[str, Stamp]:
    """Write a file; return its digest and its stamp.

    Modes are 0755 for executable files and folders and 0644 for others, less the umask.
    """
    digest = sha256()
    with folder.naming_errors(file.name):
        descriptor = os.open(file.name, NEW, 0o755 if file.executable else 0o644, dir_fd=folder.fd)
        try:
            for chunk in opened.chunks(entry):
                digest.update(chunk)
                write_all(descriptor, chunk)
                extractor.bar.advance(len(chunk))
            if file.replaced:
                give_as_replaced(file.replaced, file.name, descriptor, executable=file.executable)
            if extractor.times:
                os.utime(descriptor, ns=extractor.times)
            stamp = stamp_of(os.fstat(descriptor))
        finally:
            os.close(descriptor)
    return digest.hexdigest(), stamp
