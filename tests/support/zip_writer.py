"""A writer of zip archives that writes whatever it is asked to: every field of every record can be
bent.

Fields that are not given are right. The writer knows nothing of the tool, and shares no code with
it.
"""

import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.tables import rows

_RECORDS = ("local", "central", "end", "end 64", "locator")
LOCAL, CENTRAL, END, END_64, LOCATOR = (tuple(rows("zip_records", each)) for each in _RECORDS)
"""The fields of each record, with their formats."""
FULL, SHORT = 0xFFFFFFFF, 0xFFFF
FOLDER, LINK, RUN = 0o40755, 0o120777, 0o100755
Fields = Mapping[str, Any]


def record(layout: tuple[tuple[str, str], ...], values: Fields) -> bytes:
    """Lay out the fields of a record."""
    return struct.pack(
        "<" + "".join(code for _, code in layout), *(values[name] for name, _ in layout)
    )


def deflate(data: bytes, level: int = 9) -> bytes:
    """Compress as zip archives do, without a header."""
    compressor = zlib.compressobj(level, zlib.DEFLATED, -15)
    return compressor.compress(data) + compressor.flush()


@dataclass
class Item:
    """An entry. `local` and `central` bend the fields of its two headers; `both` bends one
    field in both.
    """

    name: bytes = b"m/m.php"
    data: bytes = b"<?php // something that deflates, deflates, deflates"
    method: int = 8
    flags: int = 0
    mode: int = 0o100644
    extra: bytes = b""
    comment: bytes = b""
    packed: bytes | None = None
    """The data as it lies in the archive, if that is not what the method makes of it."""
    descriptor: str | bytes = b""
    """The layout of a descriptor, such as `4sIII`, or its bytes."""
    before: bytes = b""
    """Bytes that lie before the header."""
    listed: bool = True
    present: bool = True
    both: Fields = field(default_factory=dict)
    local: Fields = field(default_factory=dict)
    central: Fields = field(default_factory=dict)

    def values(self, offset: int) -> dict[str, Any]:
        """Every field as it should be."""
        packed = self.raw
        right = {
            **{
                "made_by": 30,
                "host": 3,
                "version": 20,
                "flags": self.flags,
                "method": self.method,
                "time": 0,
            },
            **{
                "date": 0x5A21,
                "crc": zlib.crc32(self.data),
                "packed": len(packed),
                "size": len(self.data),
            },
            **{
                "name": self.name,
                "extra": self.extra,
                "comment": self.comment,
                "disk": 0,
                "internal": 0,
            },
            **{"attributes": self.mode << 16, "offset": offset},
        }
        return {**right, **self.both}

    @property
    def raw(self) -> bytes:
        """The data as it lies in the archive."""
        if self.packed is not None:
            return self.packed
        return deflate(self.data) if self.method == 8 else self.data

    def header(self) -> bytes:
        """The local header, the data and the descriptor."""
        values = {"signature": b"PK\3\4", **self.values(0), **self.local}
        values = {
            "name_length": len(values["name"]),
            "extra_length": len(values["extra"]),
            **values,
        }
        return record(LOCAL, values) + values["name"] + values["extra"] + self.raw + self.trailer()

    def trailer(self) -> bytes:
        """The descriptor."""
        if isinstance(self.descriptor, bytes):
            return self.descriptor
        signature = [b"PK\7\x08"] if self.descriptor.startswith("4s") else []
        values = self.values(0)
        return struct.pack(
            f"<{self.descriptor}", *signature, values["crc"], len(self.raw), len(self.data)
        )

    def listing(self, offset: int) -> bytes:
        """The record in the central directory."""
        values = {"signature": b"PK\1\2", **self.values(offset), **self.central}
        lengths = {f"{name}_length": len(values[name]) for name in ("name", "extra", "comment")}
        return (
            record(CENTRAL, {**lengths, **values})
            + values["name"]
            + values["extra"]
            + values["comment"]
        )


def pack(  # noqa: PLR0913 - each is a place in an archive that can be bent
    *items: Item,
    prefix: bytes = b"",
    before_directory: bytes = b"",
    behind_directory: bytes = b"",
    suffix: bytes = b"",
    comment: bytes = b"",
    end: Fields | None = None,
    end_64: Fields | None = None,
    locator: Fields | None = None,
    extensible: bytes = b"",
) -> bytes:
    """Write an archive: the entries, the central directory, and its end; a Zip64 end record if its
    fields are given.
    """
    body, directory, listed = bytearray(prefix), bytearray(), 0
    for item in items:
        body += item.before
        if item.listed:
            directory += item.listing(len(body))
            listed += 1
        if item.present:
            body += item.header()
    body += before_directory
    place = {
        "disk": 0,
        "first_disk": 0,
        "here": listed,
        "total": listed,
        "length": len(directory),
        "start": len(body),
    }
    body += directory + behind_directory
    if end_64 is not None:
        at = len(body)
        length = {"record_length": 44 + len(extensible), "made_by": 45, "version": 45}
        body += record(END_64, {"signature": b"PK\6\6", **length, **place, **end_64}) + extensible
        body += record(
            LOCATOR,
            {"signature": b"PK\6\7", "disk": 0, "offset": at, "disks": 1, **(locator or {})},
        )
    ending = {"signature": b"PK\5\6", **place, "comment_length": len(comment), **(end or {})}
    return bytes(body) + record(END, ending) + comment + suffix


def filled_up(data: bytes, block: int = 10_240) -> bytes:
    """An archive with zeros behind it to the end of a block, as `bsdtar` writes it to a pipe."""
    return data + bytes(-len(data) % block)


def extra(identifier: int, data: bytes, length: int | None = None) -> bytes:
    """A field of an extra field."""
    return struct.pack("<HH", identifier, len(data) if length is None else length) + data


def longs(*values: int) -> bytes:
    """A Zip64 field."""
    return extra(1, struct.pack(f"<{len(values)}Q", *values))


def asi_unix(mode: int, target: bytes = b"") -> bytes:
    """An ASi Unix field: a mode, owners and what a link points to."""
    data = struct.pack("<HIHH", mode, len(target), 0, 0) + target
    return extra(0x756E, struct.pack("<I", zlib.crc32(data)) + data)


def unicode_path(name: bytes, header: bytes, version: int = 1) -> bytes:
    """A Unicode path field, which says `name` where the header says something else."""
    return extra(0x7075, struct.pack("<BI", version, zlib.crc32(header)) + name)


def patched(data: bytes, at: int, *values: bytes) -> bytes:
    """Bytes in which some are replaced."""
    new = b"".join(values)
    at %= len(data)
    return data[:at] + new + data[at + len(new) :]


def streamed_zeros(size: int) -> bytes:
    """Compressed zeros, far more than could be compressed in a test: one block again and again."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = 1024**2
    first = compressor.compress(bytes(block)) + compressor.flush(zlib.Z_FULL_FLUSH)
    return first * (size // block) + deflate(bytes(size % block))


_MAKERS: dict[str, Callable[..., bytes]] = {
    **{
        "extra": extra,
        "longs": longs,
        "asi_unix": asi_unix,
        "unicode_path": unicode_path,
        "filled_up": filled_up,
    },
    **{
        "deflate": deflate,
        "streamed_zeros": streamed_zeros,
        "times": lambda text, number: text * number,
    },
}


def said(data: Any, items_of: Callable[[Fields], list[Item]]) -> Any:
    """The value of a row of data: a text is bytes, a list is its parts joined, and `{"longs()": [1,
    2]}` calls a function.

    `{"zip()": {"items": …}}` is an archive, of which `items_of` makes the entries; `{"layout()":
    …}` is a text.
    """
    match data:
        case str():
            return data.encode("latin-1")
        case list():
            return b"".join(said(each, items_of) for each in data)
        case {"layout()": text}:
            return text
        case {"zip()": fields}:
            items = [item for each in fields.get("items", ()) for item in items_of(each)]
            return pack(
                *items,
                **{name: said(each, items_of) for name, each in fields.items() if name != "items"},
            )
        case dict() if len(data) == 1 and (name := next(iter(data))).endswith("()"):
            values = data[name] if isinstance(data[name], list) else [data[name]]
            return _MAKERS[name.removesuffix("()")](*(said(each, items_of) for each in values))
        case dict():
            return {name: said(each, items_of) for name, each in data.items()}
    return data
