"""Zip records: decode the records that a zip archive is made of.

The names follow the description of the format (PKWARE's `APPNOTE.TXT`, section 4.3). All that is
judged here is whether bytes can be read as what they claim to be: a record that makes no sense
becomes an entry that `pipeline/archives/vet.py` refuses.
"""

import stat
from collections.abc import Mapping
from struct import Struct as Format
from typing import Final

from msgspec import Struct

from pipeline.archives.archive import Entry, EntryKind
from pipeline.archives.zip.fields import fields_of, is_executable_by_asi, unicode_name

LOCAL_SIGNATURE: Final = b"PK\x03\x04"
CENTRAL_SIGNATURE: Final = b"PK\x01\x02"
END_SIGNATURE: Final = b"PK\x05\x06"
END_64_SIGNATURE: Final = b"PK\x06\x06"
LOCATOR_SIGNATURE: Final = b"PK\x06\x07"
DESCRIPTOR_SIGNATURE: Final = b"PK\x07\x08"
SIGNATURES: Final = (
    *(LOCAL_SIGNATURE, CENTRAL_SIGNATURE, END_SIGNATURE),
    *(END_64_SIGNATURE, LOCATOR_SIGNATURE, DESCRIPTOR_SIGNATURE),
)
IN_ZIP64: Final = 0xFFFFFFFF
"""In place of a size or offset: its value is in the Zip64 field or the Zip64 end record."""
IN_ZIP64_SHORT: Final = 0xFFFF
"""The same in place of a count or the number of a disk."""
STREAMED: Final = 0x8
"""The flag that says that a data descriptor follows the data."""

_CENTRAL: Final = Format("<4sxBBxHH4xIIIHHHH2xII")
LOCAL: Final = Format("<4s2xHH4xIIIHH")
"""A local header: signature, flags, method, checksum, packed size, size, and the lengths of name
and extra field.
"""
_END: Final = Format("<4xHHHHIIH")
_END_64: Final = Format("<4sQ4xIIQQQQ")
_LOCATOR: Final = Format("<4xIQI")
CENTRAL_LENGTH: Final = _CENTRAL.size
LOCAL_LENGTH: Final = LOCAL.size
END_LENGTH: Final = _END.size
END_64_LENGTH: Final = _END_64.size
LOCATOR_LENGTH: Final = _LOCATOR.size
UTF_8: Final = 0x800
"""The flag of an entry whose name is in UTF-8."""
_ENCRYPTED: Final = 0x2041
_OLD: Final = "cp437"
"""The encoding of a name that is not UTF-8 and does not claim to be, as the format defines."""
_UNIX: Final = 3
"""The system for which every program reads the upper half of the attributes as a Unix mode.

Some programs do so for other systems. They differ in which, so a link there is refused, and nothing
is executable.
"""
_LABEL: Final = 0x08
_FOLDER: Final = 0x10
"""DOS attributes, in the lower half: a volume label, which some programs skip, and a folder."""
_KINDS: Final[dict[tuple[int, bool], EntryKind]] = {
    (0, False): "file",
    (0, True): "folder",
    (stat.S_IFREG, False): "file",
    (stat.S_IFREG, True): "folder",
    (stat.S_IFDIR, True): "folder",
    (stat.S_IFDIR, False): "folder without slash",
    (stat.S_IFLNK, False): "link",
    (stat.S_IFIFO, False): "file",  # what `7zz -si` packs from a pipe
}
"""The kind of an entry, by the file type in its mode and whether its name ends in a slash; others
are refused.
"""


class CentralRecord(Struct, frozen=True, gc=False):
    """An entry as the central directory, an archive's table of contents, lists it, with the fields
    as they are.
    """

    host: int
    """The system that made it, which decides how to read `attributes`."""
    version: int
    """The version of the format, in tenths, that a program has to support to read the entry."""
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    disk: int
    attributes: int
    offset: int
    """The offset of its local header, in bytes from the beginning of the archive."""
    name: bytes
    extra: bytes
    shared: bytes
    """The bytes from the flags to the length of the name, which the local header
    usually repeats.
    """

    @property
    def is_encrypted(self) -> bool:
        """Whether the data of an entry, or its header, cannot be read without a password."""
        return bool(self.flags & _ENCRYPTED)

    @property
    def has_old_name(self) -> bool:
        """Whether the name may be in an old code page: it is not ASCII, and no flag says that
        it is UTF-8.
        """
        return not self.name.isascii() and not self.flags & UTF_8


class End(Struct, frozen=True, gc=False):
    """An end record, which describes the central directory."""

    disk: int
    first_disk: int
    here: int
    total: int
    length: int
    start: int


def read_central_record(directory: bytes, at: int) -> tuple[CentralRecord | None, int]:
    """Read the record at an offset of the central directory; return it, or `None`, and where the
    next one begins.
    """
    if at + CENTRAL_LENGTH > len(directory):
        return None, at
    (
        signature,
        host,
        version,
        flags,
        method,
        crc,
        packed,
        size,
        name,
        extra,
        comment,
        disk,
        attributes,
        offset,
    ) = _CENTRAL.unpack_from(directory, at)
    name_end = at + CENTRAL_LENGTH + name
    end = name_end + extra + comment
    if signature != CENTRAL_SIGNATURE or end > len(directory):
        return None, at
    file_name = directory[at + CENTRAL_LENGTH : name_end]
    more = directory[name_end : name_end + extra]
    shared = directory[at + 8 : at + 30]
    return CentralRecord(
        host,
        version,
        flags,
        method,
        crc,
        packed,
        size,
        disk,
        attributes,
        offset,
        file_name,
        more,
        shared,
    ), end


def read_end(tail: bytes, at: int) -> tuple[End, int]:
    """Read the end record at an offset, which must be complete; return it and the length of the
    comment after it.
    """
    *values, comment = _END.unpack_from(tail, at)
    return End(*values), comment


def read_locator(data: bytes) -> tuple[int, int, int] | None:
    """Read the bytes before the end record: the disk and the offset of the Zip64 end record, and
    how many disks.

    `None` if they are not a locator.
    """
    if len(data) != LOCATOR_LENGTH or not data.startswith(LOCATOR_SIGNATURE):
        return None
    disk, offset, disks = _LOCATOR.unpack(data)
    return disk, offset, disks


def read_end_64(data: bytes) -> End | None:
    """Read a Zip64 end record; `None` if the bytes are not exactly one."""
    if len(data) != END_64_LENGTH or not data.startswith(END_64_SIGNATURE):
        return None
    _, length, *values = _END_64.unpack(data)
    return End(*values) if length == END_64_LENGTH - 12 else None


def entries_of(
    records: list[CentralRecord], starts: Mapping[int, tuple[int, bool]]
) -> tuple[Entry, ...]:
    """The entries that an archive lists, in its order, given where the data of each begins, and
    whether it is streamed.

    A `./` at the beginning of a name, as some programs write it, is left out.
    The targets of links are not in the records.
    """
    decoded = [_decoded(record) for record in records]
    names = with_slashes(tuple(name for name, _ in decoded))
    return tuple(
        _entry(name, guessed, record, *starts.get(at, (None, False)))
        for at, (name, record, (_, guessed)) in enumerate(zip(names, records, decoded, strict=True))
    )


def name_of(record: CentralRecord) -> str:
    """The name of an entry by itself, as `entries_of` gives it unless no name of the
    archive has a `/`.
    """
    return _decoded(record)[0].removesuffix("/")


def _decoded(record: CentralRecord) -> tuple[str, bool]:
    """The name of an entry, and whether its encoding is guessed; one that lies about it has
    lone surrogates.
    """
    if record.extra and record.has_old_name:
        name = unicode_name(record.name, fields_of(record.extra) or ())
        if name is not None:
            return name, False
    try:
        return record.name.decode(), False
    except UnicodeDecodeError:
        if record.flags & UTF_8:
            return record.name.decode(errors="surrogateescape"), False
        return record.name.decode(_OLD), True


def with_slashes(names: tuple[str, ...]) -> tuple[str, ...]:
    r"""Take `\` for a separator, as some Windows programs write it, if no name has a `/`."""
    if any("/" in name for name in names):
        return names
    return tuple(name.replace("\\", "/") for name in names)


def _entry(
    name: str, guessed: bool, record: CentralRecord, start: int | None, streamed: bool
) -> Entry:
    kind = _kind(name.endswith("/"), record.attributes, record.host)
    return Entry(
        name=name.removesuffix("/").removeprefix("./"),
        kind=kind,
        size=record.size,
        packed=record.packed,
        crc=record.crc,
        executable=kind == "file" and _is_executable(record),
        encrypted=record.is_encrypted,
        method=record.method,
        start=start,
        streamed=streamed,
        guessed=guessed,
    )


def _is_executable(record: CentralRecord) -> bool:
    """Whether the mode of an entry has the bit; if it has none, whether its ASi Unix
    field has it.
    """
    mode = record.attributes >> 16
    if not mode:
        return is_executable_by_asi(record.extra)
    return record.host == _UNIX and bool(mode & 0o111)


def _kind(slash: bool, attributes: int, host: int) -> EntryKind:
    form = stat.S_IFMT(attributes >> 16)
    if host == _UNIX and (form or not attributes & _FOLDER):
        return _KINDS.get((form, slash), "other")
    if form == stat.S_IFLNK or attributes & _LABEL:
        return "other"
    return "folder without slash" if attributes & _FOLDER and not slash else _KINDS[0, slash]
