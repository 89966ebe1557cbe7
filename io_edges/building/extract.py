"""Extract: write files of an archive into a folder, each checked against what the archive declares."""

import os
from collections.abc import Collection
from contextlib import ExitStack
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from io_edges.archives.members import Opener
from io_edges.archives.zips import Damage, OpenArchive
from io_edges.building.targets import without_parents
from io_edges.report.progress import Bar
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from pipeline.archives.archive import Entry, contents, describe
from pipeline.archives.entry_names import clashes
from pipeline.archives.vet import vet_links
from pipeline.building.record import Files, FileState
from pipeline.selection.choices import Choice


class Extractor(Struct, frozen=True):
    """What opens archives and shows the progress, and how files are written."""

    opener: Opener
    bar: Bar
    ignores_case: bool = False
    mtime: int | None = None
    """The time of written files, in seconds; `None` for the time of writing."""


def extract(choice: Choice, files: Files | None, folder: Folder, extractor: Extractor) -> dict[str, FileState]:
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
        if opened.stamp != archive.stamp or describe(archive, choice.component, below) != archive:
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
) -> dict[str, FileState]:
    """Write entries. For those in the same folder that follow one another, the folder is opened only once."""
    states: dict[str, FileState] = {}
    with ExitStack() as stack:
        inside, here = folder, ""
        for name, entry in entries:
            if files is not None and name not in files:
                continue
            if entry.kind == "folder":
                folder.inner(name, make=True).close()
                states[name] = FileState(kind="folder")
                continue
            above, _, last = name.rpartition("/")
            if above != here:
                stack.close()
                inside, here = stack.enter_context(folder.inner(above, make=True)) if above else folder, above
            executable = entry.executable if files is None else files[name].executable
            states[name] = _write(replace(entry, executable=executable), last, opened, inside, extractor)
    return states


def _write(entry: Entry, name: str, opened: OpenArchive, folder: Folder, extractor: Extractor) -> FileState:
    """Write a file or link. Modes are 0755 for executable files and folders and 0644 for others, less the umask."""
    times = (extractor.mtime * 10**9,) * 2 if extractor.mtime is not None else None
    if entry.kind == "link":
        folder.link(name, entry.target or "")
        if times:
            os.utime(name, ns=times, dir_fd=folder.fd, follow_symlinks=False)
        return FileState(kind="link", target=entry.target)
    digest = sha256()
    with os.fdopen(folder.create(name, 0o755 if entry.executable else 0o644), "wb") as file:
        for chunk in opened.chunks(entry):
            digest.update(chunk)
            file.write(chunk)
            extractor.bar.advance(len(chunk))
        file.flush()
        if times:
            os.utime(file.fileno(), ns=times)
    return FileState(executable=entry.executable, digest=digest.hexdigest())
