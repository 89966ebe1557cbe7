"""Zips: read archives, each from a file that is opened once. `pipeline` judges records; data is checked when read."""

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import PurePath
from typing import BinaryIO, Final

from msgspec import Struct
from msgspec.structs import replace

from io_edges.system.syscalls import stamp_of
from pipeline.archives.archive import ArchiveFile, Entry
from pipeline.archives.vet import Refusal
from pipeline.archives.zip.entries import entries_of
from pipeline.archives.zip.headers import STORED
from pipeline.archives.zip.records import DESCRIPTOR_SIGNATURE
from pipeline.archives.zip.structure import DataStart, Read, read_structure
from pipeline.report.build_problems import ArchiveRejected

LINK_LIMIT: Final = 1024
"""The maximum length of a link's target, in bytes; a longer one is refused."""
_WHOLE: Final = 1024**2
"""The size, in bytes, up to which an archive is read as a whole when a part of it is needed."""
_WINDOW: Final = 8192
"""The fewest bytes that are read at once from a larger archive."""
_CHUNK: Final = 256 * 1024
_DEFLATED: Final = 8
_DESCRIPTOR_BEGINNING: Final = 8
"""The length, in bytes, of the signature and the checksum that a data descriptor begins with."""
_DESCRIPTOR: Final = 16
"""The length, in bytes, of the shortest data descriptor that has a signature."""


class Damage(Exception):  # noqa: N818 - the archive's fault, reported as a refusal
    """An archive, or one entry of it, cannot be read."""

    def __init__(self, reason: str, entry: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.entry = reason, entry

    def rejection_of(self, file: ArchiveFile) -> ArchiveRejected:
        """The problem to report of an archive, or a member of a bundle, that has this damage."""
        return ArchiveRejected(file.display_path, self.reason, self.entry)


class OpenArchive(Struct, frozen=True):
    """An open archive: its entries, and the reasons found so far not to trust it."""

    entries: tuple[Entry, ...]
    refusals: tuple[Refusal, ...]
    read: Read
    places: dict[str, DataStart | None]
    """The place of each entry's data, by the entry's name; `None` if its header could not be read."""
    size: int
    """The size of the archive itself, in bytes."""
    stamp: tuple[int, ...] = ()
    """Shows whether the file was changed, without reading it; empty if the archive does not come from a file."""

    def digest(self) -> str:
        """SHA-256 of the archive itself, in hexadecimal. Raises `OSError`."""
        digest = sha256()
        for offset in range(0, self.size, _CHUNK):
            digest.update(self.read(offset, min(_CHUNK, self.size - offset)))
        return digest.hexdigest()

    def chunks(self, entry: Entry) -> Iterator[bytes]:
        """Yield the data of an entry, checked against its declared sizes and checksum. Raises `Damage`, `OSError`."""
        return _chunks(self.read, self.places.get(entry.name), entry)

    def content(self, entry: Entry) -> bytes:
        """Return the whole data of an entry. Raises `Damage`, `OSError`."""
        return b"".join(self.chunks(entry))


@contextmanager
def open_archive(path: PurePath) -> Iterator[OpenArchive]:
    """Open an archive once, so that the file that is judged is the file that is read. Raises `Damage`, `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a FIFO would block
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Damage("it is not a file")
        yield replace(_open(_File(descriptor, status.st_size).read, status.st_size), stamp=stamp_of(status))
    finally:
        os.close(descriptor)


def read_archive(file: BinaryIO) -> OpenArchive:
    """Read the records of an archive that is already open, such as one in another archive. Raises `OSError`."""

    def read(offset: int, count: int) -> bytes:
        file.seek(min(offset, size))
        return file.read(count)

    size = file.seek(0, os.SEEK_END)
    return _open(read, size)


class _File:
    """A file that is read in parts: a small one as a whole, a larger one in pieces of at least `_WINDOW` bytes."""

    def __init__(self, descriptor: int, size: int) -> None:
        self.descriptor, self.size = descriptor, size
        self.ahead = size if size <= _WHOLE else _WINDOW
        self.begin, self.window = 0, b""

    def read(self, offset: int, count: int) -> bytes:
        count = min(count, self.size - offset)
        if count <= 0:
            return b""
        at = offset - self.begin
        if at < 0 or at + count > len(self.window):
            self.begin, at = (0, offset) if self.size <= _WHOLE else (offset, 0)
            self.window = os.pread(self.descriptor, max(count, self.ahead), self.begin)
        return self.window[at : at + count]


def _open(read: Read, size: int) -> OpenArchive:
    structure = read_structure(read, size)
    entries = list(entries_of(structure.records))
    refusals = [Refusal(reason, None if index is None else entries[index].name) for reason, index in structure.faults]
    for index, (entry, place) in enumerate(zip(entries, structure.data_starts, strict=True)):
        if entry.kind == "link" or (entry.kind == "folder" and entry.packed):
            try:
                entries[index] = _with_target(read, place, entry)
            except Damage as damage:
                refusals.append(Refusal(damage.reason, damage.entry))
    places = {entry.name: place for entry, place in zip(entries, structure.data_starts, strict=True)}
    return OpenArchive(tuple(entries), tuple(refusals), read, places, size)


def _with_target(read: Read, place: DataStart | None, entry: Entry) -> Entry:
    """Read the target of a link; for a folder, check that its packed data is what its entry declares."""
    if entry.size > LINK_LIMIT:
        return entry
    content = b"".join(_chunks(read, place, entry))
    return replace(entry, target=content.decode(errors="surrogateescape")) if entry.kind == "link" else entry


def _chunks(read: Read, place: DataStart | None, entry: Entry) -> Iterator[bytes]:
    if place is None or entry.encrypted or entry.method not in {STORED, _DEFLATED}:
        raise Damage("it cannot be read", entry.name)
    data = _packed(read, place.start, entry)
    if entry.method != STORED:
        data = _inflated(data, entry)
    elif place.streamed:
        data = _without_end(data, entry)
    count, crc = 0, 0
    for chunk in data:
        count += len(chunk)
        crc = zlib.crc32(chunk, crc)
        if count > entry.size:
            raise Damage(f"it holds more than the {entry.size:,} bytes that it declares", entry.name)
        yield chunk
    if count != entry.size:
        raise Damage(f"it holds {count:,} bytes and declares {entry.size:,}", entry.name)
    if crc != entry.crc:
        raise Damage("its data is not what its checksum says; get the archive again", entry.name)


def _packed(read: Read, start: int, entry: Entry) -> Iterator[bytes]:
    """The data of an entry as it is in the archive, in blocks."""
    for at in range(0, entry.packed, _CHUNK):
        count = min(_CHUNK, entry.packed - at)
        block = read(start + at, count)
        if len(block) < count:
            raise Damage("it was cut off while it was read", entry.name)
        yield block


def _without_end(packed: Iterator[bytes], entry: Entry) -> Iterator[bytes]:
    """Yield stored data; refuse it if it contains a data descriptor that fits the data before it.

    A program that reads the archive from a pipe would stop there. More signatures than the data has room for
    descriptors would take long to judge, and are refused, too.
    """
    crc, kept, left = 0, b"", 1 + entry.packed // _DESCRIPTOR
    for block in packed:
        data, summed = kept + block, 0
        edge = len(data) - _DESCRIPTOR_BEGINNING + 1
        at = data.find(DESCRIPTOR_SIGNATURE)
        while 0 <= at < edge:
            crc, summed, left = zlib.crc32(data[summed:at], crc), at, left - 1
            if left < 0 or int.from_bytes(data[at + 4 : at + 8], "little") == crc:
                raise Damage("its data holds what may be taken for its end; pack it again with `zip`", entry.name)
            at = data.find(DESCRIPTOR_SIGNATURE, at + 1)
        edge = max(summed, edge)
        crc, kept = zlib.crc32(data[summed:edge], crc), data[edge:]
        yield block


def _inflated(packed: Iterator[bytes], entry: Entry) -> Iterator[bytes]:
    """Inflate data that must end where its packed size says; stop one byte after its declared size at the latest."""
    inflate, left = zlib.decompressobj(-zlib.MAX_WBITS), entry.size + 1
    try:
        for block in packed:
            rest, full = block, True
            while not inflate.eof and (rest or full):
                limit = min(_CHUNK, left)
                chunk = inflate.decompress(rest, limit)
                rest, full = inflate.unconsumed_tail, len(chunk) == limit
                left = max(1, left - len(chunk))
                yield chunk
            if inflate.eof and (inflate.unused_data or any(packed)):
                raise Damage("bytes follow its data; pack the archive again with `zip`", entry.name)
    except zlib.error as error:
        raise Damage("its data is damaged; get the archive again", entry.name) from error
    if not inflate.eof:
        raise Damage("its data is cut off; get the archive again", entry.name)
