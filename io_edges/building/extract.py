"""Extract: write files of an archive into a folder, each checked against what the
archive declares.
"""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from io_edges.archives.data import CHANGED, Damage
from io_edges.archives.zips import OpenArchive, Opener
from io_edges.building.contents import without_parents
from io_edges.report.progress import Bar
from io_edges.system.folder import NEW, Folder, executable_mode, one_name, write_all
from io_edges.system.metadata import give_as_replaced, give_as_replaced_link
from io_edges.system.stop import Stop
from io_edges.system.syscalls import stat_signature
from io_edges.system.trees import DirChain
from pipeline.archives.archive import ArchiveFile, Entry, contents, with_component
from pipeline.archives.entry_names import clashes
from pipeline.archives.vet import vet_links
from pipeline.building.stores.record import Files, FileState, implied_folders
from pipeline.building.stores.tree import StatSignature, Tree
from pipeline.report.diagnostics.archives import Flaw
from pipeline.selection.choices import Choice
from pipeline.values import replace


class Extractor(Struct, frozen=True):
    """How archives are opened and files are written, and the bar that shows the progress."""

    opener: Opener
    bar: Bar
    ignores_case: bool = False
    """Whether the disk of the project does not distinguish names that differ only in case."""
    times: tuple[int, int] | None = None
    """The access and modification times of new files, in nanoseconds; `None` for the
    time of writing.
    """


class Source(Struct, frozen=True):
    """A component that is extracted."""

    choice: Choice
    texts: Mapping[str, bytes]
    """The contents of the files that its patch changes, or that were merged, by their paths."""


_Rights: TypeAlias = tuple[int, int, int]
"""The owner, the group and the mode of a new file."""


class NewFile(NamedTuple):
    """A file, link or empty folder to write."""

    name: str
    """Its path in the component."""
    entry: Entry
    """Its entry with its final executable bit."""
    text: bytes | None = None
    """Its content, if that does not come from the archive."""


class Extraction(Struct, frozen=True):
    """The files of a component to write, or a part of them, and the open archive with them."""

    file: ArchiveFile
    opened: OpenArchive
    wanted: Sequence[NewFile]
    has_folders: bool = False
    """Whether the folders for it are made."""

    def chunks(self, wanted: NewFile) -> Iterable[bytes]:
        """The content of a file. Raises `Damage` and `OSError`."""
        if wanted.text is None:
            return self.opened.chunks(wanted.entry)
        return (wanted.text,)


class _Place(Struct, frozen=True):
    """A folder that files are written into."""

    path: str
    """Its path in the component."""
    folder: Folder
    replaced: Folder | None
    """The folder of the files that they replace, if they replace any."""
    rights: tuple[_Rights, _Rights]
    """The rights of a file that is not executable, and of one that is."""


def extract(
    source: Source,
    extractor: Extractor,
    files: Files | None,
    folder: Folder,
    old: Folder | None = None,
) -> Tree:
    """Write the files of a component that are in `files`, with these executable bits; return them
    with their digests.

    `None` stands for all files, as the archive has them. A file that replaces one of the `old`
    folder gets its metadata. Raises `Stop` if the archive is refused.
    """
    return write(extraction(source, extractor, files), extractor, folder, old)


def extraction(source: Source, extractor: Extractor, files: Files | None) -> Extraction:
    """Open the archive of a component, and list the files to write, as in `extract`.

    Raises `Stop` if the archive is refused.
    """
    choice = source.choice
    texts = source.texts
    archive = choice.archive
    root = choice.component.root
    extractor.bar.begin(archive.file.display_path)
    try:
        opened = extractor.opener.open(archive.file)
        below = opened.index.below(root)
        if refusals := vet_links(archive.file.display_path, below, root):
            raise Stop(*refusals)
        if opened.signature != archive.signature or not (
            opened.vetted or with_component(archive, choice.component, below) == archive
        ):
            raise Damage(CHANGED)
        entries = contents(below, root, choice.component.apart)
        if extractor.ignores_case:
            _check_case(dict.fromkeys((*(name for name, _ in entries), *texts)))
        return Extraction(archive.file, opened, _wanted(entries, files, texts))
    except Damage as damage:
        raise Stop(damage.rejection_of(archive.file)) from damage


def _check_case(names: Iterable[str]) -> None:
    """Raise `Damage` if two names differ only in case."""
    for name, other in clashes(names):
        what = f"it differs from `{name}` only in case, which this disk ignores"
        raise Damage(Flaw(what, entry=other))


def _wanted(
    entries: tuple[tuple[str, Entry], ...], files: Files | None, texts: Mapping[str, bytes]
) -> list[NewFile]:
    """The files to write, in the order of the archive; last come those from elsewhere."""
    plain = without_parents(entries)
    if files is None:
        return [NewFile(name, entry) for name, entry in plain]
    wanted = list[NewFile]()
    for name, entry in plain:
        if name in files and name not in texts:
            wanted.append(NewFile(name, replace(entry, executable=files[name].executable)))
    for name, text in texts.items():
        if name in files:
            wanted.append(NewFile(name, Entry(name=name, executable=files[name].executable), text))
    return wanted


def make_folders(wanted: Sequence[NewFile], folder: Folder) -> None:
    """Make the folders of a component, so that several processes can write into them."""
    paths = implied_folders(each.name for each in wanted)
    paths.update(each.name for each in wanted if each.entry.kind == "folder")
    with DirChain(folder, make=True) as chain:
        for path in sorted(paths):
            chain.to(path)


def write(
    extracted: Extraction, extractor: Extractor, folder: Folder, old: Folder | None = None
) -> Tree:
    """Write files of a component. Raises `Stop` if the archive is refused."""
    try:
        return _write_all(extracted, extractor, folder, old)
    except Damage as damage:
        raise Stop(damage.rejection_of(extracted.file)) from damage


def _write_all(
    extracted: Extraction, extractor: Extractor, folder: Folder, old: Folder | None
) -> Tree:
    """Write entries. The folders above an entry stay open for the next one."""
    files = dict[str, FileState]()
    signatures = dict[str, StatSignature]()
    place: _Place | None = None
    with DirChain(folder, make=not extracted.has_folders) as new, DirChain(old or folder) as olds:
        for wanted in extracted.wanted:
            name = wanted.name
            entry = wanted.entry
            if entry.kind == "folder":
                new.to(name)
                place = None
                files[name] = FileState(kind="folder")
                continue
            above, _, last = name.rpartition("/")
            if place is None or place.path != above:
                place = _opened_at(above, new)
                if old:
                    place = replace(place, replaced=olds.folder_at(above))
            if entry.kind == "link":
                files[name] = _write_link(entry, last, place, extractor)
                continue
            chunks = extracted.chunks(wanted)
            digest, signatures[name] = _write_file(last, chunks, entry.executable, place, extractor)
            files[name] = FileState(executable=entry.executable, digest=digest)
    return Tree(files, signatures)


def _opened_at(path: str, chain: DirChain) -> _Place:
    """Open the folder at a path, in which no file is replaced."""
    folder = chain.to(path)
    owner, group, mode = folder.rights()
    return _Place(path, folder, None, ((owner, group, mode), (owner, group, executable_mode(mode))))


def _write_link(entry: Entry, name: str, place: _Place, extractor: Extractor) -> FileState:
    folder = place.folder
    folder.link(name, entry.target or "")
    if place.replaced:
        give_as_replaced_link(place.replaced.lstat(name), folder, name)
    if extractor.times:
        os.utime(name, ns=extractor.times, dir_fd=folder.fd, follow_symlinks=False)
    return FileState(kind="link", target=entry.target)


def _write_file(
    name: str, chunks: Iterable[bytes], executable: bool, place: _Place, extractor: Extractor
) -> tuple[str, StatSignature]:
    """Write a file with the metadata of the one that it replaces, or else of its folder.

    Returns its digest and its stat signature.
    """
    rights = place.rights[executable]
    try:
        descriptor = os.open(one_name(name), NEW, rights[-1], dir_fd=place.folder.fd)
        try:
            digest = sha256()
            for chunk in chunks:
                digest.update(chunk)
                write_all(descriptor, chunk)
                extractor.bar.advance(len(chunk))
            status = os.fstat(descriptor)
            is_other = (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) != rights
            if is_other:
                place.folder.give_rights(descriptor, executable=executable)
            if place.replaced:
                give_as_replaced(place.replaced, name, descriptor, executable=executable)
            if extractor.times:
                os.utime(descriptor, ns=extractor.times)
            if is_other or place.replaced or extractor.times:
                status = os.fstat(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:  # a context manager would take longer, for each file
        raise place.folder.error_at(name, error) from error
    return digest.hexdigest(), stat_signature(status)
