"""Data: read the content of an entry, and check it against its declared size and checksum.

It is checked while it is read, and never gets longer than declared (`docs/archives.md`).
"""

import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

from pipeline.archives.archive import ArchiveFile, Entry
from pipeline.archives.vet import unreadable
from pipeline.archives.zip.headers import STORED
from pipeline.archives.zip.records import DESCRIPTOR_SIGNATURE
from pipeline.archives.zip.structure import Read
from pipeline.report.diagnostics.archives import ANEW, DOWNLOAD, REPACK, ArchiveRejected, Flaw, Mend


@cache
def inflater() -> Any:
    """The library to inflate and to compute checksums: zlib-ng, almost twice as fast, or zlib if it
    has no wheel.

    Both accept the same streams. ISA-L accepts codes that zlib refuses.
    """
    try:
        from zlib_ng import zlib_ng  # costs start-up time
    except ImportError:
        return zlib
    return zlib_ng


_CHUNK: Final = 256 * 1024
"""The bytes that are read or inflated at once. Nearly all entries are smaller."""
_DESCRIPTOR_BEGINNING: Final = 8
"""The length of the signature and the checksum at the beginning of a data descriptor, in bytes."""
_DESCRIPTOR: Final = 16
"""The length of the shortest data descriptor with a signature, in bytes."""
CHANGED: Final = Flaw("it changed while it was read", Mend("run the command again"))
_UNREADABLE: Final = Flaw("it cannot be read")
_SHORTENED: Final = Flaw("it was cut off while it was read", DOWNLOAD)
_DAMAGED: Final = Flaw("its data is damaged", DOWNLOAD)
_FOLLOWED: Final = Flaw("bytes follow its data", ANEW)
_CUT_OFF: Final = Flaw("its data is cut off", DOWNLOAD)
_OTHER_DATA: Final = Flaw("its data is not what its checksum says", DOWNLOAD)
_END_WITHIN: Final = Flaw("its data holds what may be taken for its end", REPACK)


class Damage(Exception):  # noqa: N818 - the archive's fault, reported as a refusal
    """Raised if an archive, or an entry of it, cannot be read."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw)
        self.flaw = flaw

    def rejection_of(self, file: ArchiveFile) -> ArchiveRejected:
        """The error to report for an archive, or a member of a bundle, with this damage."""
        return ArchiveRejected(file.display_path, self.flaw)


def read_data(read: Read, entry: Entry, library: Any = None) -> Iterable[bytes]:
    """The data of an entry, inflated by the fastest library, or by `library`. Raises `Damage`.

    Small data is read at once, because generators would take most of the time.
    """
    library = library or inflater()
    flaw = unreadable(entry)
    if entry.start is None or flaw:
        raise Damage((flaw or _UNREADABLE).at(entry.name))
    is_deflated = entry.method != STORED and bool(entry.packed or entry.size)
    if is_deflated and max(entry.packed, entry.size) < _CHUNK:
        return (_inflated_at_once(read, entry.start, entry, library),)
    data = _packed(read, entry.start, entry)
    if is_deflated:
        data = _inflated(data, entry, library)
    elif entry.streamed:
        data = _without_end(data, entry, library)
    return _verified(data, entry, library)


def _verified(data: Iterator[bytes], entry: Entry, library: Any) -> Iterator[bytes]:
    """Yield data, and compare it with the declared size and checksum; stop at the first
    byte too many.
    """
    count = 0
    crc = 0
    for chunk in data:
        count += len(chunk)
        crc = library.crc32(chunk, crc)
        if count > entry.size:
            break
        yield chunk
    _verify(entry, count, crc)


def _verify(entry: Entry, count: int, crc: int) -> None:
    """Compare the size and checksum of an entry's content with the declared ones."""
    if count > entry.size:
        raise Damage(
            Flaw(f"it holds more than the {entry.size:,} bytes that it declares", ANEW, entry.name)
        )
    if count != entry.size:
        raise Damage(
            Flaw(f"it holds {count:,} bytes and declares {entry.size:,}", ANEW, entry.name)
        )
    if crc != entry.crc:
        raise Damage(_OTHER_DATA.at(entry.name))


def _packed(read: Read, start: int, entry: Entry) -> Iterator[bytes]:
    """The packed data of an entry, in blocks."""
    for at in range(0, entry.packed, _CHUNK):
        count = min(_CHUNK, entry.packed - at)
        block = read(start + at, count)
        if len(block) < count:
            raise Damage(_SHORTENED.at(entry.name))
        yield block


def _without_end(packed: Iterator[bytes], entry: Entry, library: Any) -> Iterator[bytes]:
    """Yield stored data; refuse it if it contains a data descriptor that fits the data before it.

    A program that reads the archive from a pipe would stop there. More signatures than the data has
    room for would take too long to judge, and are refused as well.
    """
    crc = 0
    kept = b""
    left = 1 + entry.packed // _DESCRIPTOR
    for block in packed:
        data = kept + block
        summed = 0
        edge = len(data) - _DESCRIPTOR_BEGINNING + 1
        at = data.find(DESCRIPTOR_SIGNATURE)
        while 0 <= at < edge:
            crc = library.crc32(data[summed:at], crc)
            summed = at
            left = left - 1
            if left < 0 or int.from_bytes(data[at + 4 : at + 8], "little") == crc:
                raise Damage(_END_WITHIN.at(entry.name))
            at = data.find(DESCRIPTOR_SIGNATURE, at + 1)
        edge = max(summed, edge)
        crc = library.crc32(data[summed:edge], crc)
        kept = data[edge:]
        yield block


def _inflated_at_once(read: Read, start: int, entry: Entry, library: Any) -> bytes:
    """Inflate and verify the data of a small entry."""
    packed = read(start, entry.packed)
    if len(packed) < entry.packed:
        raise Damage(_SHORTENED.at(entry.name))
    inflate = library.decompressobj(-library.MAX_WBITS)
    try:
        content: bytes = inflate.decompress(packed, entry.size + 1)
    except library.error as error:
        raise Damage(_DAMAGED.at(entry.name)) from error
    if len(content) <= entry.size:
        if not inflate.eof:
            raise Damage(_CUT_OFF.at(entry.name))
        if inflate.unused_data:
            raise Damage(_FOLLOWED.at(entry.name))
    _verify(entry, len(content), library.crc32(content))
    return content


def _inflated(packed: Iterator[bytes], entry: Entry, library: Any) -> Iterator[bytes]:
    """Inflate data that must end with its packed size; stop at most one byte beyond its
    declared size.
    """
    inflate = library.decompressobj(-library.MAX_WBITS)
    left = entry.size + 1
    try:
        for block in packed:
            rest = block
            full = True
            while not inflate.eof and (rest or full):
                limit = min(_CHUNK, left)
                chunk = inflate.decompress(rest, limit)
                rest = inflate.unconsumed_tail
                full = len(chunk) == limit
                left = max(1, left - len(chunk))
                yield chunk
            if inflate.eof and (inflate.unused_data or any(packed)):
                raise Damage(_FOLLOWED.at(entry.name))
    except library.error as error:
        raise Damage(_DAMAGED.at(entry.name)) from error
    if not inflate.eof:
        raise Damage(_CUT_OFF.at(entry.name))
