"""Zip headers: what an entry says about itself in the table of contents, before its data and after it.

Takes records as they are; gives each with the values of its Zip64 field, and the first reason not to trust it, as a
clause (`docs/archives.md`).
"""

import zlib
from functools import lru_cache
from struct import Struct as Format
from typing import Any, Final, TypeAlias

from pipeline.archives.zip.records import (
    DESCRIPTOR_SIGNATURE,
    IN_ZIP64,
    IN_ZIP64_SHORT,
    LOCAL,
    STREAMED,
    UTF_8,
    CentralRecord,
    fields_of,
)
from pipeline.values import replace

MALFORMED: Final = "its extra field is malformed; pack it again with `zip`"
DISAGREE: Final = "its two headers disagree about its {}"
STRAY: Final = "bytes that belong to no entry lie behind it; pack it again with `zip`"
STORED: Final = 0
_IN_ZIP64: Final = IN_ZIP64.to_bytes(4, "little")
_LATEST: Final = 63
"""The latest version of the format that is accepted, 6.3, though only with features of the first versions."""
_PLAIN: Final = 0x0006 | STREAMED | UTF_8
"""The flags that are accepted: the compression level, the data descriptor, UTF-8."""
_ZIP64: Final = 0x0001
_ASI_UNIX: Final = 0x756E
_UNICODE_PATH: Final = 0x7075
Fields: TypeAlias = tuple[tuple[int, bytes], ...]
_PATH_HEAD: Final = Format("<BI")
_LONG: Final = Format("<Q")
_BOTH: Final = Format("<QQ")
_SHORT: Final = Format("<I")
_DESCRIPTORS: Final = {
    12: Format("<III"),
    16: Format("<4xIII"),
    20: Format("<IQQ"),
    24: Format("<4xIQQ"),
}
"""A descriptor by its length: with or without a signature, in 32 or 64 bits."""
_SIGNED: Final = frozenset({16, 24})
DESCRIPTOR_LENGTH: Final = max(_DESCRIPTORS)


def widen(record: CentralRecord) -> tuple[CentralRecord, str | None]:
    """Put the values of its Zip64 field into a record; return it and the first reason not to trust it by itself."""
    wide = IN_ZIP64 in (record.size, record.packed, record.offset) or record.disk == IN_ZIP64_SHORT
    if record.extra or wide:
        fields = fields_of(record.extra)
        if fields is None:
            return record, MALFORMED
        if wide or _are_judged(fields):
            fault = _field_fault(fields, record)
            widened = _widened(record, fields)
            if fault or widened is None:
                return record, fault or "its Zip64 field is not the one that it needs; pack it again with `zip`"
            record = widened
    if record.disk:
        return record, "it lies on another disk; join the parts of the archive, or pack it again"
    return record, _flag_fault(record)


def header_fault(record: CentralRecord, fixed: bytes, name: bytes, extra: bytes) -> str | None:
    """The first reason to doubt that a local header belongs to a widened record. `fixed` begins with its fixed part."""
    if name != record.name:
        return DISAGREE.format("name")
    fields = fields_of(extra)
    if fields is None:
        return MALFORMED
    if not _are_judged(fields) and fixed[6:28] == record.shared and _IN_ZIP64 not in record.shared:
        return None  # cheaper to find out than comparing the fields one by one
    return _field_fault(fields, record) or _disagreement(record, LOCAL.unpack_from(fixed), fields)


def descriptor_fault(record: CentralRecord, descriptor: bytes) -> str | None:
    """The reason to doubt the bytes between the data of an entry and the next record."""
    if not descriptor:
        return "its data descriptor is missing; pack it again with `zip`"
    form = _DESCRIPTORS.get(len(descriptor))
    if form is None or (len(descriptor) in _SIGNED and not descriptor.startswith(DESCRIPTOR_SIGNATURE)):
        return STRAY
    if form.unpack(descriptor) != (record.crc, record.packed, record.size):
        return "its data descriptor disagrees with the table of contents"
    return None


@lru_cache(maxsize=16)
def _are_judged(fields: Fields) -> bool:
    """Whether there is a field that matters here; most archives have none."""
    return any(identifier in {_ZIP64, _ASI_UNIX, _UNICODE_PATH} for identifier, _ in fields)


def _flag_fault(record: CentralRecord) -> str | None:
    """Why the flags, version or sizes of an entry are not accepted. Encryption is reported elsewhere."""
    is_plain = not record.flags & ~_PLAIN and record.version <= _LATEST
    if is_plain and (record.method != STORED or record.packed == record.size):
        return None
    if record.is_encrypted:
        return None
    if not is_plain:
        return "it needs what only some programs can do; pack it again with `zip`"
    return "it is not compressed, and its two sizes differ"


def _widened(record: CentralRecord, fields: Fields) -> CentralRecord | None:
    """The record with the values of its Zip64 field; `None` unless it has exactly the values that are called for."""
    wanted = [name for name in ("size", "packed", "offset") if getattr(record, name) == IN_ZIP64]
    disk = record.disk == IN_ZIP64_SHORT
    found = [data for identifier, data in fields if identifier == _ZIP64]
    if not wanted and not disk:
        return None if found else record
    if len(found) != 1 or len(found[0]) != _LONG.size * len(wanted) + _SHORT.size * disk:
        return None
    values = {name: _LONG.unpack_from(found[0], _LONG.size * index)[0] for index, name in enumerate(wanted)}
    if disk:
        values["disk"] = _SHORT.unpack_from(found[0], _LONG.size * len(wanted))[0]
    return replace(record, **values)


def _field_fault(fields: Fields, record: CentralRecord) -> str | None:
    """Why fields that some programs prefer to the mode or the name cannot be trusted."""
    mode = (record.attributes >> 16).to_bytes(2, "little")
    if any(identifier == _ASI_UNIX and data[4:6] != mode for identifier, data in fields):
        return "its ASi Unix field has not its mode; pack it again with `zip`"
    found = [data for identifier, data in fields if identifier == _UNICODE_PATH]
    if len(found) > 1:
        return "its Unicode path field stands twice"
    expected = _PATH_HEAD.pack(1, zlib.crc32(record.name)) + record.name
    return "its Unicode path field is not its name" if found and found[0] != expected else None


def _disagreement(record: CentralRecord, header: tuple[Any, ...], fields: Fields) -> str | None:
    """The first contradiction of a local header. If a descriptor follows the data, it may omit sizes and checksum."""
    _, flags, method, crc, packed, size, *_ = header
    may_differ = STREAMED | UTF_8 if record.name.isascii() else STREAMED
    if (flags ^ record.flags) & ~may_differ:
        return DISAGREE.format("flags")
    if method != record.method:
        return DISAGREE.format("method")
    sizes = _sizes(size, packed, fields, is_streamed=bool(flags & STREAMED))
    if sizes is None:
        return "the Zip64 field of its header is not the one that it needs; pack it again with `zip`"
    stated = (("checksum", crc), ("size", sizes[0]), ("packed size", sizes[1]))
    listed = (record.crc, record.size, record.packed)
    for (what, here), there in zip(stated, listed, strict=True):
        if here != there and (here or not flags & STREAMED):
            return DISAGREE.format(what)
    return None


def _sizes(size: int, packed: int, fields: Fields, *, is_streamed: bool) -> tuple[int, int] | None:
    """The two sizes of a local header, from its Zip64 field if they call for it; `None` if that does not fit.

    The field has both sizes, as the format requires, or only the one that is called for. An empty field announces that
    the descriptor is in 64 bits.
    """
    found = [data for identifier, data in fields if identifier == _ZIP64]
    size_called = size == IN_ZIP64
    packed_called = packed == IN_ZIP64
    if not (size_called or packed_called):
        return (size, packed) if not found or (found == [b""] and is_streamed) else None
    if len(found) != 1:
        return None
    if len(found[0]) == _LONG.size and size_called != packed_called:
        (value,) = _LONG.unpack(found[0])
        return (value, packed) if size_called else (size, value)
    if len(found[0]) != _BOTH.size:
        return None
    wide: tuple[int, int] = _BOTH.unpack(found[0])
    fits = (size_called or size == wide[0]) and (packed_called or packed == wide[1])
    return wide if fits else None
