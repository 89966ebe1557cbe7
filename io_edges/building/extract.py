"""Extract: write files of an archive into a folder, each checked against what the archive declares."""

import os
from collections.abc import Collection
from hashlib import sha256

from msgspec import Struct

from io_edges.archives.data import Damage
from io_edges.archives.members import Opener
from io_edges.archives.zips import OpenArchive
from io_edges.building.targets import without_parents
from io_edges.report.progress import Bar
from io_edges.system.folder import NEW, Folder, write_all
from io_edges.system.stop import Stop
from io_edges.system.syscalls import stamp_of
from io_edges.system.trees import Snapshot
from io_edges.system.way import Way
from pipeline.archives.archive import Entry, contents, with_component
from pipeline.archives.entry_names import clashes
from pipeline.archives.vet import vet_links
from pipeline.building.record import Files, FileState, Stamp
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


def extract(choice: Choice, files: Files | None, folder: Folder, extractor: Extractor) -> Snapshot:
    """Write files of a component, and return them with their digests: those of `files`, with these executable bits.

    `None` stands for all files, as the archive has them.

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
        return _write_all(without_parents(entries), files, opened, folder, extractor)
    except Damage as damage:
        raise Stop(damage.rejection_of(archive.file)) from damage


def _write_all(
    entries: Collection[tuple[str, Entry]],
    files: Files | None,
    opened: OpenArchive,
    folder: Folder,
    extractor: Extractor,
) -> Snapshot:
    """Write entries. The folders on the way to the last one stay open for the next."""
    written = Snapshot({}, {})
    with Way(folder, make=True) as way:
        for name, entry in entries:
            if files is not None and name not in files:
                continue
            if entry.kind == "folder":
                way.to(name)
                written.files[name] = FileState(kind="folder")
                continue
            above, _, last = name.rpartition("/")
            inside = way.to(above)
            if entry.kind == "link":
                written.files[name] = _write_link(entry, last, inside, extractor)
                continue
            executable = entry.executable if files is None else files[name].executable
            digest, stamp = _write_file(entry, (last, executable), opened, inside, extractor)
            written.files[name] = FileState(executable=executable, digest=digest)
            written.stamps[name] = stamp
    return written


def _write_link(entry: Entry, name: str, folder: Folder, extractor: Extractor) -> FileState:
    folder.link(name, entry.target or "")
    if extractor.times:
        os.utime(name, ns=extractor.times, dir_fd=folder.fd, follow_symlinks=False)
    return FileState(kind="link", target=entry.target)


def _write_file(
    entry: Entry, named: tuple[str, bool], opened: OpenArchive, folder: Folder, extractor: Extractor
) -> tuple[str, Stamp]:
    """Write a file, given its name and whether it is executable; return its digest and its stamp.

    Modes are 0755 for executable files and folders and 0644 for others, less the umask.
    """
    (name, executable), digest = named, sha256()
    with folder.naming_errors(name):
        descriptor = os.open(name, NEW, 0o755 if executable else 0o644, dir_fd=folder.fd)
        try:
            for chunk in opened.chunks(entry):
                digest.update(chunk)
                write_all(descriptor, chunk)
                extractor.bar.advance(len(chunk))
            if extractor.times:
                os.utime(descriptor, ns=extractor.times)
            stamp = stamp_of(os.fstat(descriptor))
        finally:
            os.close(descriptor)
    return digest.hexdigest(), stamp
