"""Archives as programs write them, byte by byte, and shapes that the format allows: all of them
must be accepted.

`data/benign.jsonl` has a row for each, as `zip_writer.said` reads it: what well-known programs
write, fields that may hold anything or differ between the two headers, Zip64 fields and descriptors
in every form that agrees, and names, kinds and data of every sort. An entry is a `tree`, which is a
small module, or has the fields of an `Item`.
"""

import zlib
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.support.zip_writer import FOLDER, Item, deflate, pack, said

PHP = b"<?php // something that deflates, deflates, deflates\n"
_TABLE = Path(__file__).parent / "data/benign.jsonl"


class Shape(NamedTuple):
    """An archive that must be accepted, and how it is made."""

    name: str
    build: Callable[[], bytes]


def plain(name: bytes, **bent: Any) -> Item:
    """An entry as it is written to a file."""
    return Item(**{"name": name, "data": PHP, **bent})


def folder(name: bytes) -> Item:
    """A folder."""
    return Item(name=name, data=b"", method=0, mode=FOLDER)


def streamed(name: bytes, form: str = "4sIII", known: bool = False, **bent: Any) -> Item:
    """An entry as it is written to a pipe; its size may be known beforehand."""
    item = Item(**{"name": name, "data": PHP, "flags": 8, "descriptor": form, **bent})
    local = {
        "crc": 0,
        "packed": 0,
        "size": len(item.data) if known else 0,
        **dict(bent.get("local", {})),
    }
    return Item(**{**vars(item), "local": local})


def tree(make: str = "plain", folders: bool = True, **bent: Any) -> list[Item]:
    """A small module, each of its entries made in one way."""
    names = {
        b"m/m.php": PHP,
        b"m/src/A.php": PHP * 9,
        b"m/empty": b"",
        b"m/raw.bin": bytes(range(256)),
    }
    maker = {"plain": plain, "streamed": streamed}[make]
    items = [maker(name, data=data, **bent) for name, data in names.items()]
    return [folder(b"m/"), folder(b"m/src/"), *items] if folders else items


def _entries(row: Any) -> list[Item]:
    if bent := row.get("tree"):
        others = {name: said(each, _entries) for name, each in bent.items() if name != "make"}
        return tree(bent["make"], **others)
    return [Item(**{"data": PHP, **{name: said(each, _entries) for name, each in row.items()}})]


def _of_numbers() -> Iterator[Shape]:
    """Data at every level of compression or without a pattern, many entries, and a list in
    another order.
    """
    for level in range(10):
        item = plain(b"m/m.php", data=PHP * 99, packed=deflate(PHP * 99, level))
        yield Shape(f"level-{level}", partial(pack, item))
    noise = b"".join(zlib.crc32(b"%d" % index).to_bytes(4, "little") for index in range(200_000))
    yield Shape("noise", partial(pack, plain(b"m/noise", data=noise)))
    yield Shape("noise-stored", partial(pack, plain(b"m/noise", data=noise, method=0)))
    yield Shape(
        "many",
        partial(pack, *(plain(b"m/%d" % index, data=b"", method=0) for index in range(3000))),
    )
    yield Shape("listed-in-another-order", partial(_reversed, tree()))


def _reversed(items: list[Item]) -> bytes:
    body = b""
    listings = list[bytes]()
    for item in items:
        listings.insert(0, item.listing(len(body)))
        body += item.header()
    count = {"here": len(items), "total": len(items), "start": len(body)}
    directory = b"".join(listings)
    return pack(prefix=body, behind_directory=directory, end={**count, "length": len(directory)})


@cache
def shapes() -> tuple[Shape, ...]:
    """Every archive that must be accepted."""
    rows = map(msgspec.json.decode, _TABLE.read_bytes().splitlines())
    return (
        *(Shape(row["case"], partial(said, row["archive"], _entries)) for row in rows),
        *_of_numbers(),
    )
