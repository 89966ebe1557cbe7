"""Hostile archives whose end contradicts itself or the rest. One property each."""

from collections.abc import Iterator
from functools import partial

from tests.support.hostile_records import PLACE, Case, main_of
from tests.support.zip_writer import FULL, SHORT, Item, deflate, filled_up, pack, patched

END_64 = "its Zip64 end record is not where and what it should be"
CONTRADICTION = "contradict each other"
BROKEN = "it is not a zip archive, or it is damaged"
CUT_OFF = "its end is missing, as when a download stops"
DAMAGED = "its table of contents is damaged"
SPLIT = "it is one part of several"


def endings(root: bytes) -> Iterator[Case]:
    """The end of the archive contradicts itself or the rest."""
    one = main_of(root)
    build = partial(pack, one)
    whole = build()
    directory = len(one.header())
    inner = pack(Item(name=root + b"/inner", data=b"inner"))
    yield Case("empty-file", "it is empty", lambda: b"")
    yield Case("no-archive", "it is a web page", lambda: b"<html>404 Not Found</html>")
    yield Case("tar", BROKEN, lambda: bytes(10_240))
    yield Case("signature-only", BROKEN, lambda: b"PK\5\6")
    for cut in (1, 21, 22, 23, 60, len(whole) - directory, len(whole) - 30):
        yield Case(f"cut-off-{cut}", CUT_OFF, lambda cut=cut: whole[:-cut])
    for signature in (b"PK\1\2", b"PK\3\4", b"PK\5\6", b"PK\6\6", b"PK\6\7", b"PK\7\x08"):
        comment = b"see " + signature + bytes(40)
        name = f"comment-with-{signature[2]}-{signature[3]}"
        yield Case(name, "its comment holds the signature", lambda comment=comment: build(comment=comment))
    yield Case("two-ends", "it has two end records", lambda: build(comment=whole[-22:]))
    yield Case("archive-as-comment", "it has two end records", lambda: build(comment=inner))
    yield Case("two-ends-one-after-the-other", PLACE, lambda: whole + whole[-22:])
    yield Case("end-in-the-end", "its comment holds", lambda: build(end={"comment_length": 4}, suffix=b"PK\5\6"))
    yield Case("comment-longer-than-said", "bytes follow", lambda: build(end={"comment_length": 1}, suffix=b"ab"))
    yield Case("comment-shorter-than-said", "bytes follow", lambda: build(end={"comment_length": 3}, suffix=b"ab"))
    for what in ("disk", "first_disk"):
        yield Case(f"end-{what}", SPLIT, lambda what=what: build(end={what: 1}))
        yield Case(f"end-{what}-full", SPLIT, lambda what=what: build(end={what: SHORT}))
    yield Case("end-here", SPLIT, lambda: build(end={"here": 0}))
    yield Case("end-total", SPLIT, lambda: build(end={"total": 2}))
    for count in (0, 2, 200):
        bent = {"here": count, "total": count}
        yield Case(f"end-counts-{count}", "counts other entries", lambda bent=bent: build(end=bent))
    for field in ("start", "length"):
        for value in (0, 1, 2**24, FULL):
            reason = "larger than 32 MiB" if (field, value) == ("length", FULL) else PLACE
            yield Case(f"end-{field}-{value:x}", reason, lambda bent={field: value}: build(end=bent))
    shift = {"start": directory + 1, "length": len(one.listing(0)) - 1}
    yield Case("end-within-the-directory", DAMAGED, lambda: build(end=shift))
    shift_back = {"start": directory - 1, "length": len(one.listing(0)) + 1}
    yield Case("end-before-the-directory", DAMAGED, lambda: build(end=shift_back))
    for field in ("name_length", "extra_length", "comment_length"):
        bent = {field: SHORT}
        yield Case(f"listed-{field}", DAMAGED, lambda bent=bent: pack(main_of(root, central=bent)))
    bad = {"signature": b"PK\1\3"}
    yield Case("listed-signature", DAMAGED, lambda: pack(main_of(root, central=bad)))
    yield Case("local-signature", "no header where", lambda: pack(main_of(root, local={"signature": b"PK\3\5"})))
    yield Case("local-name-length", "overlaps", lambda: pack(main_of(root, local={"name_length": SHORT})))
    yield Case("local-extra-length", "overlaps", lambda: pack(main_of(root, local={"extra_length": SHORT})))
    other = main_of(root, data=b"evil")
    nested = other.header() + other.listing(0)
    yield Case("second-directory", PLACE, lambda: build(behind_directory=nested))
    yield Case("cut-in-a-deflated-entry", CUT_OFF, lambda: whole[: directory - len(deflate(b"")) - 5])
    yield Case(
        "patched-zeros-in-the-directory",
        "its table of contents is damaged",
        lambda: patched(whole, directory, bytes(46)),
    )
    yield Case("empty-with-a-prefix", "bytes lie before", lambda: pack(prefix=b"x"))


def fillings(root: bytes) -> Iterator[Case]:
    """Zeros follow the end, but not as `bsdtar` fills up the last block of what it writes to a pipe."""
    build = partial(pack, main_of(root))
    whole = build()
    full = filled_up(whole)
    bent = {
        "to-another-block": filled_up(whole, 512),
        "twice": full + bytes(10_240),
        "not-at-all": whole + bytes(10_240),
        "not-to-the-end": full[:-1],
        "and-a-byte": patched(full, -1, b"x"),
        "around-a-record": patched(full, -4000, b"PK\1\2"),
        "behind-a-comment": filled_up(build(comment=b"a comment")),
        "as-half-a-comment": filled_up(build(end={"comment_length": 100})),
    }
    for what, data in bent.items():
        yield Case(f"filled-up-{what}", "bytes follow its end record", lambda data=data: data)
    yield Case("filled-up-behind-two-ends", PLACE, lambda: filled_up(whole + whole[-22:]))
    yield Case("filled-up-zip64-end-missing", END_64, lambda: filled_up(build(end_64={}, locator={"offset": 0})))
    yield Case("filled-up-around-a-decoy", "its comment holds", lambda: _decoy_in_a_block(root))


def _decoy_in_a_block(root: bytes) -> bytes:
    """An archive with another one in it, whose comment is the rest of the file."""
    item = Item(name=root + b"/decoy", data=pack(main_of(root, data=b"evil"), end={"comment_length": 0}), method=0)
    size, at = len(filled_up(pack(item))), 30 + len(item.name) + len(item.data)
    item.data = patched(item.data, -2, (size - at).to_bytes(2, "little"))
    return filled_up(pack(item))


def endings_64(root: bytes) -> Iterator[Case]:
    """The Zip64 end record contradicts itself or the rest."""
    one = main_of(root)
    build, directory = partial(pack, one), len(one.header())
    wide = partial(build, end={"length": FULL, "start": FULL})
    for field, value in (("here", 2), ("total", 2), ("disk", 1), ("first_disk", 1)):
        reason = CONTRADICTION
        yield Case(f"end-64-{field}", reason, lambda bent={field: value}: wide(end_64=bent))
    for field, value in (("length", 1), ("start", 0), ("start", 2**64 - 1)):
        yield Case(f"end-64-{field}-{value:x}", PLACE, lambda bent={field: value}: wide(end_64=bent))
    for value in (0, 43, 45, 2**63):
        bent = {"record_length": value}
        yield Case(f"end-64-record-length-{value:x}", END_64, lambda bent=bent: wide(end_64=bent))
    yield Case("end-64-signature", END_64, lambda: wide(end_64={"signature": b"PK\6\5"}))
    yield Case("end-64-extensible", END_64, lambda: wide(end_64={}, extensible=b"\0\0\x10\0" + b"z" * 16))
    for field, value in (("disk", 1), ("disks", 2), ("offset", 0), ("offset", 2**63), ("offset", directory)):
        bent = {field: value}
        yield Case(f"locator-{field}-{value:x}", END_64, lambda bent=bent: wide(end_64={}, locator=bent))
    yield Case("locator-signature", PLACE, lambda: build(end_64={}, locator={"signature": b"PK\6\5"}))
    for field, value in (("start", 0), ("length", 1), ("total", 2), ("here", 0), ("disk", 1), ("first_disk", 1)):
        bent = {field: value}
        yield Case(f"end-beside-64-{field}", CONTRADICTION, lambda bent=bent: build(end_64={}, end=bent))
    record_64 = build(end_64={})[-22 - 20 - 56 : -22 - 20]
    yield Case("end-64-without-locator", PLACE, lambda: build(behind_directory=record_64))
    locator = build(end_64={})[-22 - 20 : -22]
    yield Case("locator-without-end-64", END_64, lambda: build(behind_directory=locator))
    yield Case("end-64-without-end", CUT_OFF, lambda: build(end_64={})[:-22])
    yield Case("locator-in-a-comment", END_64, lambda: pack(main_of(root, comment=locator)))
    yield Case(
        "two-end-64", END_64, lambda: build(behind_directory=record_64, end_64={}, locator={"offset": directory})
    )
    yield Case("end-64-in-data", END_64, lambda: _decoy(root))


def _decoy(root: bytes) -> bytes:
    """An archive whose Zip64 end record lies in the data of an entry, and something else in its place."""
    item = Item(name=root + b"/decoy", data=bytes(56), method=0)
    item.data = pack(item, end_64={})[-22 - 20 - 56 : -22 - 20]
    return pack(item, end_64={"signature": b"none"}, locator={"offset": 30 + len(item.name)})
