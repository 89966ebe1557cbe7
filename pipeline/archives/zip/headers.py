"""Zip headers: what an entry says about itself in the table of contents, before its data
and after it.

Takes records as they are; gives each with the values of its Zip64 field, and the first reason not
to trust it (`docs/archives.md`).
"""

from functools import lru_cache
from struct import Struct as Format
from typing import Any, Final

from pipeline.archives.zip.fields import (
    JUDGED,
    ZIP64,
    Fields,
    asi_fault,
    fields_of,
    path_fault,
    unicode_name,
)
from pipeline.archives.zip.records import (
    DESCRIPTOR_SIGNATURE,
    IN_ZIP64,
    IN_ZIP64_SHORT,
    LOCAL,
    STREAMED,
    UTF_8,
    CentralRecord,
)
from pipeline.report.diagnostics.archives import ANEW, REPACK, UNPACK_WITH_7ZIP, Flaw
from pipeline.values import replace

MALFORMED: Final = Flaw("its extra field is malformed", UNPACK_WITH_7ZIP)
STRAY: Final = Flaw("bytes that belong to no entry lie behind it", REPACK)
STORED: Final = 0
_IN_ZIP64: Final = IN_ZIP64.to_bytes(4, "little")
_LATEST: Final = 63
"""The latest version of the format that is accepted, 6.3, though only with features of the
first versions.
"""
_PLAIN: Final = 0x0006 | STREAMED | UTF_8
"""The flags that are accepted: the compression level, the data descriptor, UTF-8."""
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


def widen(record: CentralRecord) -> tuple[CentralRecord, Flaw | None]:
    """Put the values of its Zip64 field into a record; return it and the first reason not to trust
    it by itself.
    """
    wide = IN_ZIP64 in (record.size, record.packed, record.offset) or record.disk == IN_ZIP64_SHORT
    if record.extra or wide:
        fields = fields_of(record.extra)
        if fields is None:
            return record, MALFORMED
        if _are_judged(fields) and (fault := _field_fault(fields, record)):
            return record, fault
        if wide:
            widened = _widened(record, fields)
            if widened is None:
                return record, Flaw("its Zip64 field is not the one that it needs", ANEW)
            record = widened
    if record.disk:
        return record, Flaw("it lies on another disk", ANEW)
    return record, _flag_fault(record)


def header_fault(
    record: CentralRecord, fixed: bytes, name: bytes, extra: bytes, *, is_followed: bool
) -> Flaw | None:
    """The first reason to doubt that a local header belongs to a widened record.

    `fixed` begins with its fixed part. `is_followed` says whether there is room for a descriptor
    behind the data.
    """
    if name != record.name:
        return _disagree_about("name")
    # Cheaper to find out than comparing the fields one by one.
    repeats = fixed[6:28] == record.shared and _IN_ZIP64 not in record.shared
    if repeats and not extra and not record.extra:
        return None
    fields = fields_of(extra)
    if fields is None:
        return MALFORMED
    if record.has_old_name and unicode_name(name, fields) != unicode_name(
        name, fields_of(record.extra) or ()
    ):
        return _disagree_about("Unicode path field")
    if repeats and not _are_judged(fields):
        return None
    return _field_fault(fields, record) or _disagreement(
        record, LOCAL.unpack_from(fixed), fields, is_followed
    )


def descriptor_fault(record: CentralRecord, descriptor: bytes) -> Flaw | None:
    """The reason to doubt the bytes between the data of an entry and the next record."""
    form = _DESCRIPTORS.get(len(descriptor))
    if form is None or (
        len(descriptor) in _SIGNED and not descriptor.startswith(DESCRIPTOR_SIGNATURE)
    ):
        return STRAY
    if form.unpack(descriptor) != (record.crc, record.packed, record.size):
        return Flaw("its data descriptor disagrees with the table of contents", ANEW)
    return None


@lru_cache(maxsize=16)
def _are_judged(fields: Fields) -> bool:
    """Whether there is a field that matters here; most archives have none."""
    return any(identifier in JUDGED for identifier, _ in fields)


def _flag_fault(record: CentralRecord) -> Flaw | None:
    """Why the flags, version or sizes of an entry are not accepted. Encryption is
    reported elsewhere.
    """
    is_plain = not record.flags & ~_PLAIN and record.version <= _LATEST
    if is_plain and (record.method != STORED or record.packed == record.size):
        return None
    if record.is_encrypted:
        return None
    if not is_plain:
        return Flaw("it needs what only some programs can do", REPACK)
    return Flaw("it is not compressed, and its two sizes differ", ANEW)


def _widened(record: CentralRecord, fields: Fields) -> CentralRecord | None:
    """The record with the values that its Zip64 field has for it; `None` if the field lacks one
    that is called for.
    """
    wanted = [name for name in ("size", "packed", "offset") if getattr(record, name) == IN_ZIP64]
    disk = record.disk == IN_ZIP64_SHORT
    found = [data for identifier, data in fields if identifier == ZIP64]
    if len(found) != 1 or len(found[0]) < _LONG.size * len(wanted) + _SHORT.size * disk:
        return None
    values = {
        name: _LONG.unpack_from(found[0], _LONG.size * index)[0]
        for index, name in enumerate(wanted)
    }
    if disk:
        values["disk"] = _SHORT.unpack_from(found[0], _LONG.size * len(wanted))[0]
    return replace(record, **values)


def _field_fault(fields: Fields, record: CentralRecord) -> Flaw | None:
    """Why fields that some programs prefer to the mode or the name cannot be trusted."""
    fault = asi_fault(fields, record.name, record.attributes >> 16, record.extra)
    return fault or path_fault(fields, record.name, is_old=record.has_old_name)


def _disagree_about(what: str) -> Flaw:
    """The flaw of an entry whose two headers have a different name, size or the like."""
    return Flaw(f"its two headers disagree about its {what}", ANEW)


def _disagreement(
    record: CentralRecord, header: tuple[Any, ...], fields: Fields, is_followed: bool
) -> Flaw | None:
    """The first contradiction of a local header. If a descriptor follows the data, it may omit
    sizes and checksum.
    """
    _, flags, method, crc, packed, size, *_ = header
    may_differ = STREAMED | UTF_8 if record.name.isascii() else STREAMED
    if (flags ^ record.flags) & ~may_differ:
        return _disagree_about("flags")
    if method != record.method:
        return _disagree_about("method")
    sizes = _sizes(size, packed, fields)
    if sizes is None:
        return Flaw("the Zip64 field of its header is not the one that it needs", ANEW)
    stated = (("checksum", crc), ("size", sizes[0]), ("packed size", sizes[1]))
    listed = (record.crc, record.size, record.packed)
    for (what, here), there in zip(stated, listed, strict=True):
        is_omitted = not here and flags & STREAMED
        if here != there and not is_omitted:
            return _disagree_about(what)
        if here != there and not is_followed:
            return Flaw("its data descriptor is missing", REPACK)
    return None


def _sizes(size: int, packed: int, fields: Fields) -> tuple[int, int] | None:
    """The two sizes of a local header, from its Zip64 field if they call for it; `None` if
    that lacks one.

    The field has both sizes first, as the format requires, or only the one that is called for.
    """
    size_called = size == IN_ZIP64
    packed_called = packed == IN_ZIP64
    if not (size_called or packed_called):
        return size, packed
    found = [data for identifier, data in fields if identifier == ZIP64]
    if len(found) != 1 or len(found[0]) < _LONG.size:
        return None
    (first,) = _LONG.unpack_from(found[0])
    second = first
    if len(found[0]) >= _BOTH.size:
        _, second = _BOTH.unpack_from(found[0])
    elif size_called and packed_called:
        return None
    if size_called:
        size = first
    if packed_called:
        packed = second
    return size, packed
