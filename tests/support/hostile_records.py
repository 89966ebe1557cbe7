"""Hostile archives whose records do not fit together. Each has one property and the reason that it is refused for."""

import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from tests.support.zip_writer import FULL, Item, pack

DISAGREE = "two headers disagree about its"
BEHIND = "bytes that belong to no entry lie behind it"
PLACE = "its table of contents is not where its end record says"
CUT_OFF = "its end is missing, as when a download stops"


class Case(NamedTuple):
    """An archive that must be refused: what is special about it, a part of the reason, and how it is made."""

    name: str
    reason: str
    build: Callable[[], bytes]


def main_of(root: bytes, **bent: Any) -> Item:
    """The entry that shows that an archive is a module, bent."""
    return Item(name=root + b"/" + root + b".php", **bent)


def streamed(root: bytes, descriptor: str | bytes = "4sIII", **bent: Any) -> Item:
    """The same as it is written to a pipe: sizes and checksum are in the descriptor."""
    local = {"crc": 0, "packed": 0, "size": 0, **bent.pop("local", {})}
    return main_of(root, flags=8, descriptor=descriptor, local=local, **bent)


def headers(root: bytes) -> Iterator[Case]:
    """The local header says something else than the table of contents."""
    item, right = partial(main_of, root), main_of(root)
    crc, packed, size = (right.values(0)[name] for name in ("crc", "packed", "size"))
    names = {
        "other": right.name.replace(b".php", b".txt"),
        "shorter": right.name[:-1],
        "longer": right.name + b"x",
        "nul": right.name + b"\0",
        "case": right.name.upper(),
        "empty": b"",
        "climbs": b"../" + right.name,
        "absolute": b"/" + right.name,
        "backslash": right.name.replace(b"/", b"\\"),
        "folder": right.name + b"/",
    }
    for what, name in names.items():
        yield Case(f"local-name-{what}", f"{DISAGREE} name", lambda name=name: pack(item(local={"name": name})))
    for bit in (0, 1, 2, *range(4, 11), *range(12, 16)):
        yield Case(f"local-flag-{bit}", f"{DISAGREE} flags", lambda bit=bit: pack(item(local={"flags": 1 << bit})))
    for bit in (0, 1, 2, 6, 13):
        yield Case(f"listed-flag-{bit}", f"{DISAGREE} flags", lambda bit=bit: pack(item(central={"flags": 1 << bit})))
    umlaut = {"name": root + "/ü".encode()}
    for where in ("local", "central"):
        bent = Item(**umlaut, **{where: {"flags": 0x800}})
        yield Case(f"utf-8-flag-of-umlauts-{where}", f"{DISAGREE} flags", lambda bent=bent: pack(item(), bent))
    for field, what, values in (
        ("method", "method", (0, 9, 12, 99)),
        ("crc", "checksum", (crc + 1, crc ^ 0x80000000, 0, FULL)),
        ("size", "size", (size + 1, size - 1, 0)),
        ("packed", "packed size", (packed + 1, packed - 1, 0)),
    ):
        for value in values:
            bent = {field: value}
            yield Case(f"local-{field}-{value:x}", f"{DISAGREE} {what}", lambda bent=bent: pack(item(local=bent)))
    yield Case("listed-crc", f"{DISAGREE} checksum", lambda: pack(item(central={"crc": crc ^ 1})))
    yield Case("listed-size", f"{DISAGREE} size", lambda: pack(item(central={"size": size * 2})))
    yield Case("listed-method", f"{DISAGREE} method", lambda: pack(item(central={"method": 12})))
    for what, bent in (("size", {"size": size + 1}), ("packed", {"packed": packed - 1}), ("crc", {"crc": crc ^ 1})):
        yield Case(f"streamed-local-{what}", DISAGREE, lambda bent=bent: pack(streamed(root, local=bent)))


def placing(root: bytes) -> Iterator[Case]:
    """Records lie where none is listed, or share bytes, or are listed and not there."""
    one, two = main_of(root), Item(name=root + b"/two", data=b"two" * 50)
    inner = pack(Item(name=root + b"/inner", data=b"inner"))
    long = Item(name=root + b"/long", method=0, data=two.header() + b"x" * 99)
    yield Case("prefix", "bytes lie before its first entry", lambda: pack(one, prefix=b"x"))
    yield Case("prefix-program", "bytes lie before", lambda: pack(one, prefix=b"#!/bin/sh\nexec unzip\n"))
    yield Case("prefix-not-counted", PLACE, lambda: b"MZ" + pack(one))
    yield Case("prefix-span-marker", "bytes lie before", lambda: pack(one, prefix=b"PK00"))
    yield Case("prefix-archive", "bytes lie before", lambda: pack(one, prefix=inner))
    yield Case("prefix-archive-not-counted", PLACE, lambda: inner + pack(one))
    yield Case("prefix-unlisted-entry", "bytes lie before", lambda: pack(one, prefix=two.header()))
    yield Case("between-entries", BEHIND, lambda: pack(one, Item(name=root + b"/two", before=b"x")))
    yield Case("between-entries-zeros", BEHIND, lambda: pack(one, Item(name=root + b"/two", before=bytes(512))))
    yield Case("unlisted-entry-between", BEHIND, lambda: pack(one, Item(name=root + b"/b", listed=False), two))
    yield Case("unlisted-entry-last", BEHIND, lambda: pack(one, Item(name=root + b"/b", listed=False)))
    yield Case("unlisted-twin", BEHIND, lambda: pack(one, main_of(root, data=b"evil", listed=False)))
    yield Case("before-directory", BEHIND, lambda: pack(one, before_directory=b"x"))
    yield Case("before-directory-archive", BEHIND, lambda: pack(one, before_directory=inner))
    yield Case("behind-directory", PLACE, lambda: pack(one, behind_directory=b"x"))
    yield Case("behind-directory-signature", PLACE, lambda: pack(one, behind_directory=b"PK\5\5\0\0"))
    yield Case("behind-directory-record", PLACE, lambda: pack(one, behind_directory=two.listing(0)))
    yield Case("suffix", "bytes follow its end record", lambda: pack(one, suffix=b"x"))
    yield Case("suffix-zeros", "bytes follow its end record", lambda: pack(one, suffix=bytes(9000)))
    yield Case("suffix-long", CUT_OFF, lambda: pack(one, suffix=bytes(70_000)))
    yield Case("suffix-archive", PLACE, lambda: pack(one) + inner)
    yield Case("listed-entry-missing", "no header where", lambda: pack(one, Item(name=root + b"/b", present=False)))
    alias = Item(name=root + b"/b", central={"offset": 0}, present=False)
    yield Case("same-header-by-another-name", "overlaps", lambda: pack(one, alias))
    for shift in (-1, 1, 30, 10_000, 2**31):
        bent = {"offset": max(0, len(one.header()) + shift)}
        name = f"offset-{shift}".replace("--", "-minus-")
        yield Case(name, "no header where", lambda bent=bent: pack(one, Item(name=root + b"/b", central=bent)))
    yield Case("same-header", "overlaps", lambda: pack(one, Item(name=one.name, central={"offset": 0}, present=False)))
    yield Case("header-in-data", "overlaps", lambda: pack(long, _inside(long, two)))
    yield Case("data-over-the-directory", "overlaps", lambda: pack(main_of(root, both={"packed": 9000})))
    yield Case("data-over-the-next", "overlaps", lambda: pack(main_of(root, both={"packed": 300}), two, two))


def descriptors(root: bytes) -> Iterator[Case]:
    """A data descriptor is missing, wrong, or there without need."""
    item, right = partial(streamed, root), main_of(root)
    crc, packed, size = (right.values(0)[name] for name in ("crc", "packed", "size"))
    forms = {"signed": "<4sIII", "bare": "<III", "signed-64": "<4sIQQ", "bare-64": "<IQQ"}
    for form, layout in forms.items():
        for what, values in (
            ("crc", (crc ^ 1, packed, size)),
            ("packed", (crc, packed + 1, size)),
            ("size", (crc, packed, size - 1)),
            ("zeros", (0, 0, 0)),
            ("swapped", (crc, size, packed)),
        ):
            data = struct.pack(layout, *([b"PK\7\x08"] if "4s" in layout else []), *values)
            reason = "its data descriptor disagrees"
            yield Case(f"descriptor-{form}-{what}", reason, lambda data=data: pack(item(data)))
    right_one = struct.pack("<III", crc, packed, size)
    wrong = {
        "with-another-signature": b"PK\7\7" + right_one,
        "with-no-signature-but-zeros": bytes(4) + right_one,
        "cut-off": right_one[:-1],
        "with-a-byte-behind": right_one + b"x",
        "twice": right_one * 2,
        "with-one-long": struct.pack("<IIQ", crc, packed, size)[:-1],
    }
    for what, data in wrong.items():
        yield Case(f"descriptor-{what}", BEHIND, lambda data=data: pack(item(data)))
    yield Case("descriptor-missing", "its data descriptor is missing", lambda: pack(item(b"")))
    yield Case("descriptor-without-flag", BEHIND, lambda: pack(main_of(root, descriptor="4sIII")))
    yield Case(
        "descriptor-flag-in-the-list-only", BEHIND, lambda: pack(main_of(root, descriptor="III", central={"flags": 8}))
    )
    yield Case("flag-without-descriptor", "is missing", lambda: pack(main_of(root, flags=8)))


def _inside(outer: Item, inner: Item) -> Item:
    """An entry whose header lies in the data of another."""
    at = 30 + len(outer.name)
    return Item(name=inner.name, data=inner.data, present=False, central={"offset": at})
