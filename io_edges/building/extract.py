"""Extract: write files of an archive into a folder, each checked against what the archive declares."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import TypeAlias

from msgspec import Struct

from io_edges.archives.data import CHANGED, Damage
from io_edges.archives.zips import OpenArchive, Opener
from io_edges.building.contents import without_parents
from io_edges.report.progress import Bar
from io_edges.system.folder import NEW, Folder, write_all
from io_edges.system.metadata import give_as_replaced, give_as_replaced_link
from io_edges.system.stop import Stop
from io_edges.system.syscalls import stat_signature
from io_edges.system.trees import DirChain
from pipeline.archives.archive import Entry, contents, with_component
from pipeline.archives.entry_names import clashes
from pipeline.archives.vet import vet_links
from pipeline.building.stores.record import Files, FileState
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
    """The access and modification times of new files, in nanoseconds; `None` for the time of writing."""


class Source(Struct, frozen=True):
    """A component that is extracted."""

    choice: Choice
    texts: Mapping[str, bytes]
    """The contents of the files that its patch changes, or that were merged, by their paths."""


class _Target(Struct, frozen=True):
    """The path of a new file."""

    name: str
    folder: Folder
    replaced: Folder | None
    """The folder of the file that it replaces, if it replaces one."""


_Rights: TypeAlias = tuple[int, int, int]
"""The owner, the group and the mode of a new file."""


def extract(
    source: Source, extractor: Extractor, files: Files | None, folder: Folder, old: Folder | None = None
) -> Tree:
    """Write the files of a component that are in `files`, with these executable bits; return them with their digests.

    `None` stands for all files, as the archive has them. A file that replaces one of the `old` folder gets its
    metadata. Raises `Stop` if the archive is refused.
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
        names = dict.fromkeys((*(name for name, _ in entries), *texts))
        if extractor.ignores_case:
            _check_case(names)
        return _write_all(_wanted(entries, files, texts, opened), folder, old, extractor)
    except Damage as damage:
        raise Stop(damage.rejection_of(archive.file)) from damage


def _check_case(names: Iterable[str]) -> None:
    """Raise `Damage` if two names differ only in case."""
    for name, other in clashes(names):
        what = f"it differs from `{name}` only in case, which this disk does not tell apart"
        raise Damage(Flaw(what, entry=other))


def _wanted(
    entries: tuple[tuple[str, Entry], ...], files: Files | None, texts: Mapping[str, bytes], opened: OpenArchive
) -> Iterator[tuple[str, Entry, Iterable[bytes]]]:
    """For each file to write: its path in the component, an entry with its final executable bit, and its content."""
    for name, entry in without_parents(entries):
        if files is None:
            yield name, entry, opened.chunks(entry)
        elif name in files and name not in texts:
            yield name, replace(entry, executable=files[name].executable), opened.chunks(entry)
    for name in texts:
        if files and name in files:
            yield name, Entry(name=name, executable=files[name].executable), (texts[name],)


def _write_all(
    wanted: Iterable[tuple[str, Entry, Iterable[bytes]]], folder: Folder, old: Folder | None, extractor: Extractor
) -> Tree:
    """Write entries. The folders above an entry stay open for the next one."""
    written = Tree({}, {})
    with DirChain(folder, make=True) as new, DirChain(old or folder) as olds:
        replaced_in = lru_cache(maxsize=1)(olds.folder_at)
        rights_in = lru_cache(maxsize=2)(Folder.rights)
        for name, entry, chunks in wanted:
            if entry.kind == "folder":
                new.to(name)
                written.files[name] = FileState(kind="folder")
                continue
            above, _, last = name.rpartition("/")
            place = new.to(above)
            replaced = None
            if old:
                replaced = replaced_in(above)
            target = _Target(last, place, replaced)
            if entry.kind == "link":
                written.files[name] = _write_link(entry, target, extractor)
            else:
                rights = rights_in(place, executable=entry.executable)
                digest, signature = _write_file(entry, chunks, target, rights, extractor)
                written.files[name] = FileState(executable=entry.executable, digest=digest)
                written.signatures[name] = signature
    return written


def _write_link(entry: Entry, target: _Target, extractor: Extractor) -> FileState:
    folder = target.folder
    folder.link(target.name, entry.target or "")
    if target.replaced:
        give_as_replaced_link(target.replaced.lstat(target.name), folder, target.name)
    if extractor.times:
        os.utime(target.name, ns=extractor.times, dir_fd=folder.fd, follow_symlinks=False)
    return FileState(kind="link", target=entry.target)


def _write_file(
    entry: Entry, chunks: Iterable[bytes], target: _Target, rights: _Rights, extractor: Extractor
) -> tuple[str, StatSignature]:
    """Write a file with the metadata of the one that it replaces, or else of its folder.

    Returns its digest and its stat signature.
    """
    digest = sha256()
    folder = target.folder
    name = target.name
    with folder.naming_errors(name):
        descriptor = os.open(name, NEW, rights[-1], dir_fd=folder.fd)
        try:
            for chunk in chunks:
                digest.update(chunk)
                write_all(descriptor, chunk)
                extractor.bar.advance(len(chunk))
            status = os.fstat(descriptor)
            if is_other := (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) != rights:
                folder.give_rights(descriptor, executable=entry.executable)
            if target.replaced:
                give_as_replaced(target.replaced, name, descriptor, executable=entry.executable)
            if extractor.times:
                os.utime(descriptor, ns=extractor.times)
            if is_other or target.replaced or extractor.times:
                status = os.fstat(descriptor)
            signature = stat_signature(status)
        finally:
            os.close(descriptor)
    return digest.hexdigest(), signature
