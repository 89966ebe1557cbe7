"""Every hostile archive of the table, each with one fault, and the known bombs.

`data/hostile.jsonl` has a row for each: its fault, a part of the reason, and what it is made of, as
`zip_writer.said` reads it. The records of those that are refused `when` they are read agree with
one another.
"""

import struct
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tests.support.zip_writer import (
    FULL,
    SHORT,
    Item,
    deflate,
    extra,
    longs,
    pack,
    patched,
    said,
    streamed_zeros,
)

GIB = 1024**3
EMPTY_BLOCKS = b"\0\0\0\xff\xff" * 4 * 10**6
"""What deflate makes of nothing, as often as one likes."""
ROOT: Final = b"m000"
"""The folder of the module in each row."""
_TABLE = Path(__file__).parent / "data/hostile.jsonl"


class Case(NamedTuple):
    """An archive that must be refused: its fault, a part of the reason, and how it is made, given
    the folder of its module, whose name is as long as `ROOT`.
    """

    name: str
    reason: str
    make: Callable[[bytes], bytes]

    def build(self, root: bytes = ROOT) -> bytes:
        """Make the archive."""
        return self.make(root)


def main_of(root: bytes, **bent: Any) -> Item:
    """The entry that makes an archive a module, with bent fields."""
    return Item(name=root + b"/" + root + b".php", **bent)


def _entries(row: Any) -> list[Item]:
    return [Item(**{name: said(each, _entries) for name, each in row.items()})]


@cache
def _table(when: str) -> tuple[Case, ...]:
    rows = map(msgspec.json.decode, _TABLE.read_bytes().splitlines())
    return tuple(
        Case(row["case"], row["reason"], partial(_built, row["archive"]))
        for row in rows
        if row.get("when", "sight") == when
    )


def _built(archive: Any, root: bytes) -> bytes:
    named = msgspec.json.decode(msgspec.json.encode(archive).replace(ROOT, root))
    data: bytes = said(named, _entries)
    return data


def refused_at_sight() -> tuple[Case, ...]:
    """Archives that are refused for their records."""
    return _table("sight")


def refused_when_read() -> tuple[Case, ...]:
    """Archives that are refused for what comes out of them."""
    return _table("read")


@cache
def bombs() -> tuple[Case, ...]:
    """Archives that are small and cost much, in the ways that are known."""
    large, overlaps = "more than 2 GiB would come out of it", "overlaps what lies behind it"
    return (
        Case("bomb-of-zeros", large, _declared),
        Case("bomb-that-declares-nothing", "it holds more than", _declaring_nothing),
        Case("bomb-below-the-limit", "it would grow more than 100 times", _below_the_limit),
        Case("bomb-of-overlapping-entries", overlaps, _overlapping),
        Case("bomb-of-one-header", overlaps, lambda root: _of_one_header(root, 100_000, 1024)),
        Case("bomb-of-quoted-headers", overlaps, _quoted),
        Case("bomb-of-sizes", large, _of_sizes),
        Case("bomb-in-encrypted-archives", "it is encrypted", _of_archives),
        Case("bomb-of-entries", "it has more than 100,000 entries", _of_too_many_entries),
        Case("bomb-of-names", "longer than 255 bytes", _of_names),
        Case("bomb-of-extras", "its table of contents is larger than 32 MiB", _of_extras),
        Case("bomb-of-folders", "its name has more than 32 parts", _of_folders),
        Case("bomb-of-end-records", "its comment holds the signature of a record", _of_end_records),
        Case("bomb-of-empty-blocks", "its data is cut off", _of_empty_blocks),
    )


def _declared(root: bytes) -> bytes:
    ten = {"size": FULL, "extra": longs(10 * GIB)}
    zeros = streamed_zeros(10 * GIB)
    return pack(main_of(root), Item(name=root + b"/zeros", packed=zeros, local=ten, central=ten))


def _declaring_nothing(root: bytes) -> bytes:
    return pack(main_of(root), _hidden(root, streamed_zeros(10 * GIB)))


def _of_empty_blocks(root: bytes) -> bytes:
    return pack(main_of(root), _hidden(root, EMPTY_BLOCKS))


def _overlapping(root: bytes) -> bytes:
    return _of_one_header(root, 65_000, 10 * 1024**2)


def _of_too_many_entries(root: bytes) -> bytes:
    return of_entries(root, 100_001)


def _of_end_records(root: bytes) -> bytes:
    return pack(main_of(root), comment=b"PK\5\6" * 16_000)


def _hidden(root: bytes, packed: bytes) -> Item:
    return Item(name=root + b"/zeros", data=b"", packed=packed)


def _below_the_limit(root: bytes) -> bytes:
    size = 2 * GIB - 10**6
    zeros = Item(name=root + b"/zeros", packed=streamed_zeros(size), both={"size": size})
    return pack(main_of(root), zeros)


def _of_one_header(root: bytes, count: int, size: int) -> bytes:
    """Many records of the table of contents that share one header and its data."""
    main = main_of(root)
    shared = Item(name=root + b"/zeros", packed=bytes(size), both={"size": 4 * GIB - 2})
    listing = shared.listing(len(main.header()))
    length = len(main.listing(0)) + len(listing) * (count - 1)
    ends = {"here": count, "total": count, "length": length}
    if count <= SHORT:
        return pack(main, shared, behind_directory=listing * (count - 2), end=ends)
    far = {"offset": len(main.header()) + len(shared.header()) + length}
    full = {"here": SHORT, "total": SHORT, "length": length}
    return pack(
        main, shared, behind_directory=listing * (count - 2), end=full, end_64=ends, locator=far
    )


def _quoted(root: bytes) -> bytes:
    """Entries each of which holds, in a block that is not compressed, the header of the next, and
    then its data.
    """
    items: list[Item] = []
    count, data = 250, deflate(bytes(10**6))
    for index in range(count):
        sizes = {"size": 10**6 + index, "packed": len(data)}
        items.insert(0, Item(name=root + b"/%03d" % index, packed=b"", both=sizes))
        header = items[0].header()
        data = struct.pack("<BHH", 0, len(header), len(header) ^ SHORT) + header + data
    step = len(items[0].header()) + 5
    listing = b"".join(item.listing(step * index) for index, item in enumerate(items))
    ends = {"here": count, "total": count, "length": len(listing), "start": len(data) - 5}
    return pack(prefix=data[5:], behind_directory=listing, end=ends)


def _of_sizes(root: bytes) -> bytes:
    wide = {"size": FULL, "extra": longs(281 * 10**12)}
    names = (root + b"/%d" % index for index in range(1000))
    items = (Item(name=name, data=b"", local=wide, central=wide) for name in names)
    return pack(main_of(root), *items)


def _of_archives(root: bytes) -> bytes:
    """Archives in archives, encrypted so that nobody looks into them."""
    level = pack(Item(name=b"zeros", packed=streamed_zeros(10**8), both={"size": 4 * GIB - 2}))
    for _ in range(4):
        level = pack(*(Item(name=b"%x.zip" % index, data=level, method=8) for index in range(16)))
    names = (root + b"/lib %x.zip" % index for index in range(16))
    return pack(main_of(root), *(Item(name=name, data=level, flags=1) for name in names))


def of_entries(root: bytes, count: int) -> bytes:
    """An archive of so many sound entries; they are counted in the Zip64 end record only if
    necessary.
    """
    item = Item(name=root + b"/000000", data=b"", method=0)
    header, listing = item.header(), item.listing(0)
    body, directory = bytearray(), bytearray()
    for index in range(count):
        name = root + b"/%06d" % index
        directory += patched(listing, 42, struct.pack("<I", len(body)), name)
        body += header[:30] + name
    ends = {"here": count, "total": count, "length": len(directory)}
    behind, prefix = bytes(directory), bytes(body)
    if count <= SHORT:
        return pack(prefix=prefix, behind_directory=behind, end=ends)
    far, full = {"offset": len(body) + len(directory)}, {**ends, "here": SHORT, "total": SHORT}
    return pack(prefix=prefix, behind_directory=behind, end_64=ends, end=full, locator=far)


def _of_names(root: bytes) -> bytes:
    names = (root + b"/%03d" % index + b"x" * 65_000 for index in range(200))
    return pack(main_of(root), *(Item(name=name, data=b"") for name in names))


def _of_extras(root: bytes) -> bytes:
    main = main_of(root)
    listing = Item(extra=extra(0x5455, bytes(65_000))).listing(0)
    length = len(main.listing(0)) + len(listing) * 600
    return pack(
        main, behind_directory=listing * 600, end={"here": 601, "total": 601, "length": length}
    )


def _of_folders(root: bytes) -> bytes:
    names = (root + b"/%d" % index + b"/x" * 400 for index in range(3000))
    return pack(main_of(root), *(Item(name=name, data=b"") for name in names))
