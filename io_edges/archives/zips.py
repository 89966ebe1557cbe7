"""Zips: open archives, and archives in them. `pipeline` judges their records; data is checked
when it is read.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from hashlib import sha256
from itertools import takewhile
from pathlib import PurePath
from typing import Any, Final, Self, TypeAlias

import msgspec
from msgspec import Struct, field

from io_edges.archives.data import CHANGED, Damage, read_data
from io_edges.system.syscalls import stat_signature
from pipeline.archives.archive import ArchiveFile, Entry, EntryIndex
from pipeline.archives.vet import vet
from pipeline.archives.zip.structure import Read, read_structure, without_repeats
from pipeline.recognition.bundles import INNER_LIMIT
from pipeline.report.diagnostics.archives import Flaw, Mend
from pipeline.values import replace

LINK_LIMIT: Final = 1024
"""The maximum length of a link's target, in bytes; a longer one is refused."""
_WHOLE: Final = 1024**2
"""The size in bytes up to which an archive is read as a whole, even if only a part is needed."""
_WINDOW: Final = 8192
"""The minimum number of bytes that are read at once from a larger archive."""
_CHUNK: Final = 256 * 1024


class OpenArchive(Struct, frozen=True, dict=True):
    """An open archive: its entries, and the reasons found so far to refuse it."""

    entries: tuple[Entry, ...]
    flaws: tuple[Flaw, ...]
    read: Read
    size: int
    """The size of the archive itself, in bytes."""
    signature: tuple[int, ...] = ()
    """The stat signature of the file; empty if the archive is not a file."""
    vetted: bool = False
    """Whether this run has examined the archive already and found it harmless."""
    held: int = 0
    """The bytes that an archive in another one takes in memory, with those around it."""

    @cached_property
    def index(self) -> EntryIndex:
        """The entries by folder."""
        return EntryIndex(self.entries)

    @cached_property
    def files(self) -> dict[str, Entry]:
        """The files by name."""
        return {entry.name: entry for entry in self.entries if entry.kind == "file"}

    def digest(self) -> str:
        """The SHA-256 of the archive itself, in hexadecimal."""
        digest = sha256()
        for offset in range(0, self.size, _CHUNK):
            digest.update(self.read(offset, min(_CHUNK, self.size - offset)))
        return digest.hexdigest()

    def chunks(self, entry: Entry, library: Any = None) -> Iterable[bytes]:
        """The data of an entry, checked against its declared sizes and checksum.
        Raises `Damage`.
        """
        return read_data(self.read, entry, library)


_MadeOf: TypeAlias = tuple[tuple[Entry, ...], int, tuple[int, ...]]
"""The structure of an archive as plain data: its entries, its size and its signature."""


class Vetted(Struct):
    """The structure of the harmless archives of a drop, so that none is judged twice."""

    archives: dict[PurePath, bytes] = field(default_factory=dict)
    """The encoded structures by path. They are encoded because another process may have read
    the archives.
    """
    room: int = 4 * 1024**2
    """The bytes that may still be added."""

    def keep(self, path: PurePath, archive: OpenArchive) -> None:
        """Keep the structure of an archive, without its content, if there is room."""
        made_of = msgspec.msgpack.encode((archive.entries, archive.size, archive.signature))
        if len(made_of) <= self.room:
            self.room -= len(made_of)
            self.archives[path] = made_of

    def of(self, path: PurePath, signature: tuple[int, ...], read: Read) -> OpenArchive | None:
        """The archive, ready to be read, if its structure is known and the file has not changed."""
        if path not in self.archives:
            return None
        entries, size, known = msgspec.msgpack.decode(self.archives[path], type=_MadeOf)
        if known != signature:
            return None
        return OpenArchive(entries, (), read, size, signature, vetted=True)


@contextmanager
def open_archive(path: PurePath, vetted: Vetted | None = None) -> Iterator[OpenArchive]:
    """Open an archive once, so that the judged file is the one that is read. Raises `Damage`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a FIFO would block
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Damage(Flaw("it is not a file"))
        read = _File(path, descriptor, status.st_size).read
        signature = stat_signature(status)
        known: OpenArchive | None = None
        if vetted:
            known = vetted.of(path, signature, read)
        yield known or replace(_open(read, status.st_size), signature=signature)
    finally:
        os.close(descriptor)


def read_archive(content: bytes | bytearray) -> OpenArchive:
    """Read the records of an archive in memory, such as one in another archive."""
    return _open(lambda offset, count: bytes(content[offset : offset + count]), len(content))


def open_inner(outer: OpenArchive, name: str) -> OpenArchive:
    """Read an archive in another one into memory, given the name of its entry. Raises `Damage`."""
    entry = outer.files.get(name)
    if entry is None:
        raise Damage(CHANGED.at(name))
    held = outer.held + entry.size
    if held > INNER_LIMIT:
        raise Damage(
            Flaw(
                f"it has more than {INNER_LIMIT // 1024**2} MiB",
                Mend("put it in the drop by itself"),
            )
        )
    content = bytearray()
    for chunk in outer.chunks(entry):
        content += chunk
    return replace(read_archive(content), signature=outer.signature, held=held)


class Opener:
    """Opens archives one at a time, and a bundle only once for successive members."""

    def __init__(self, vetted: Vetted | None = None) -> None:
        self._vetted = vetted
        self._files = ExitStack()
        self._open: list[tuple[str, OpenArchive]] = []
        """The open file, and the chain of archives in it that leads to the last requested one."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def another(self) -> "Opener":
        """One that knows the same, for an archive that stays open beside those of this one."""
        return Opener(self._vetted)

    def open(self, file: ArchiveFile) -> OpenArchive:
        """Open the archive of a file, or of a member of a bundle. Raises `Damage` if
        it is refused.
        """
        wanted = file.zip_file
        alike = (one == name for (one, _), name in zip(self._open, wanted, strict=False))
        # So that only one archive of a bundle is in memory.
        del self._open[len(list(takewhile(bool, alike))) :]
        if not self._open:
            self._files.close()
        for name in wanted[len(self._open) :]:
            if self._open:
                opened = open_inner(self._open[-1][1], name)
            else:
                opened = self._files.enter_context(open_archive(file.path, self._vetted))
            if not opened.vetted:
                for refusal in vet(file.display_path, opened.entries, opened.flaws):
                    raise Damage(refusal.flaw)
            self._open.append((name, opened))
        return self._open[-1][1]


class _File:
    """A file that is read in parts of at least `_WINDOW` bytes, or as a whole if it is small."""

    def __init__(self, path: PurePath, descriptor: int, size: int) -> None:
        self.path = path
        self.descriptor = descriptor
        self.size = size
        self.ahead = _WINDOW
        if size <= _WHOLE:
            self.ahead = size
        self.begin = 0
        self.window = b""

    def read(self, offset: int, count: int) -> bytes:
        count = min(count, self.size - offset)
        if count <= 0:
            return b""
        at = offset - self.begin
        if at < 0 or at + count > len(self.window):
            self.begin = offset
            if self.size <= _WHOLE:
                self.begin = 0
            at = offset - self.begin
            try:
                self.window = os.pread(self.descriptor, max(count, self.ahead), self.begin)
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(self.path)) from error
        return self.window[at : at + count]


def _open(read: Read, size: int) -> OpenArchive:
    listed, found = read_structure(read, size)
    entries = list(listed)
    flaws = list(found)
    for index, entry in enumerate(listed):
        if entry.kind == "link" or (entry.kind == "folder" and entry.packed):
            try:
                entries[index] = _with_target(read, entry)
            except Damage as damage:
                flaws.append(damage.flaw)
    return OpenArchive(without_repeats(tuple(entries)), tuple(flaws), read, size)


def _with_target(read: Read, entry: Entry) -> Entry:
    """Read the target of a link; for a folder, check that its packed data is what its
    entry declares.
    """
    if entry.size > LINK_LIMIT:
        return entry
    content = b"".join(read_data(read, entry))
    if entry.kind != "link":
        return entry
    return replace(entry, target=content.decode(errors="surrogateescape"))
