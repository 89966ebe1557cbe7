"""Hostile archives whose extra fields, disks or flags are not what they should be. One property each."""

import struct
from collections.abc import Iterator
from functools import partial

from tests.support.hostile_records import DISAGREE, Case, main_of
from tests.support.zip_writer import FULL, LINK, RUN, SHORT, asi_unix, extra, longs, pack, unicode_path

NEEDED = "Zip64 field is not the one that it needs"
HEADER_NEEDED = "Zip64 field of its header is not the one that it needs"
MALFORMED = "its extra field is malformed"


def extras(root: bytes) -> Iterator[Case]:
    """An extra field is malformed, or its Zip64 or Unicode path field is not what it should be."""
    item, right = partial(main_of, root), main_of(root)
    name, size, packed = right.name, len(right.data), len(right.raw)
    malformed = {
        "one-byte": b"\0",
        "two-bytes": bytes(2),
        "three-bytes": bytes(3),
        "three-spaces": b"   ",
        "padding-behind": extra(0x5455, b"\1abcd") + bytes(3),
        "too-long": extra(0x5455, b"\1abcd", 6),
        "far-too-long": extra(0x5455, b"\1abcd", SHORT),
        "second-too-long": extra(0x5455, b"") + extra(0x7875, b"ab", 3),
    }
    for what, data in malformed.items():
        yield Case(f"extra-{what}", MALFORMED, lambda data=data: pack(item(extra=data)))
        yield Case(f"local-extra-{what}", MALFORMED, lambda data=data: pack(item(local={"extra": data})))
        yield Case(f"listed-extra-{what}", MALFORMED, lambda data=data: pack(item(central={"extra": data})))
    paths = {
        "other": unicode_path(b"evil", name),
        "crc": unicode_path(name, b"x"),
        "version": unicode_path(name, name, version=2),
        "empty": extra(0x7075, b""),
        "short": extra(0x7075, b"\1abc"),
        "twice": unicode_path(name, name) * 2,
        "chain": unicode_path(b"a", name) + unicode_path(b"b", b"x") + unicode_path(name, name),
        "longer": unicode_path(name + b"\0", name),
    }
    for what, data in paths.items():
        yield Case(f"unicode-path-{what}", "its Unicode path field", lambda data=data: pack(item(extra=data)))
    for where in ("local", "central"):
        bent = {where: {"extra": paths["other"]}}
        yield Case(f"unicode-path-{where}", "its Unicode path field is not", lambda bent=bent: pack(item(**bent)))
    modes = {
        "link": (0, asi_unix(LINK, b"target")),
        "executable": (0, asi_unix(RUN)),
        "other": (0o100644, asi_unix(RUN)),
        "short": (0o100644, extra(0x756E, bytes(4))),
        "second": (RUN, asi_unix(RUN) + asi_unix(LINK)),
    }
    for what, (mode, data) in modes.items():
        for where in ("both", "local", "central"):
            bent = {"mode": mode, where: {"extra": data}}
            yield Case(
                f"asi-unix-{what}-{where}", "its ASi Unix field has not its mode", lambda b=bent: pack(item(**b))
            )
    full = {"size": FULL, "packed": FULL}
    listed: dict[str, tuple[dict[str, int], bytes]] = {
        "idle": ({}, longs(size, packed)),
        "idle-empty": ({}, longs()),
        "missing": (full, b""),
        "size-missing": ({"size": FULL}, b""),
        "offset-missing": ({"offset": FULL}, b""),
        "disk-missing": ({"disk": SHORT}, b""),
        "too-short": (full, longs(size)),
        "too-long": (full, longs(size, packed, 0)),
        "one-too-long": ({"size": FULL}, longs(size, packed)),
        "odd-length": (full, extra(1, struct.pack("<QQ", size, packed) + b"\0")),
        "twice": (full, longs(size, packed) * 2),
        "offset-too-long": ({"offset": FULL}, longs(0, 0)),
        "disk-too-long": ({"disk": SHORT}, extra(1, bytes(8))),
    }
    for what, (bent, data) in listed.items():
        central = {**bent, "extra": data}
        yield Case(f"zip64-{what}", NEEDED, lambda central=central: pack(item(central=central)))
    values: dict[str, tuple[str, dict[str, int], bytes]] = {
        "size": ("size", {"size": FULL}, longs(size + 1)),
        "packed": ("packed size", {"packed": FULL}, longs(packed + 1)),
        "both": ("size", full, longs(packed, size)),
        "huge": ("size", full, longs(2**63, packed)),
    }
    for what, (field, bent, data) in values.items():
        local = {**bent, "extra": data}
        yield Case(f"zip64-local-{what}", f"{DISAGREE} {field}", lambda local=local: pack(item(local=local)))
    for what in ("idle", "idle-empty", "missing", "size-missing", "too-short", "too-long", "odd-length", "twice"):
        local = {**listed[what][0], "extra": listed[what][1]}
        yield Case(f"zip64-local-{what}", HEADER_NEEDED, lambda local=local: pack(item(local=local)))
    other = {"size": FULL, "packed": packed + 1, "extra": longs(size, packed)}
    yield Case("zip64-local-beside-another", HEADER_NEEDED, lambda: pack(item(local=other)))
    half = {"both": full, "central": {"extra": longs(size, packed)}}
    yield Case("zip64-listed-only", HEADER_NEEDED, lambda: pack(item(**half)))
    far = {"offset": FULL, "extra": longs(2**63)}
    yield Case("zip64-offset-out-of-range", "no header where", lambda: pack(item(central=far)))
    on_disk = {"disk": SHORT, "extra": extra(1, struct.pack("<I", 1))}
    yield Case("zip64-another-disk", "it lies on another disk", lambda: pack(item(central=on_disk)))
    yield Case("another-disk", "it lies on another disk", lambda: pack(item(central={"disk": 1})))
    for bit in (4, 5, 7, 8, 9, 10, 12, 14, 15):
        yield Case(f"flag-{bit}", "it needs what only some programs can do", lambda bit=bit: pack(item(flags=1 << bit)))
    yield Case("version", "it needs what only some programs can do", lambda: pack(item(both={"version": 64})))
    stored = {"size": size + 1}
    yield Case("stored-and-larger", "its two sizes differ", lambda: pack(item(method=0, both=stored)))
    yield Case("stored-and-smaller", "its two sizes differ", lambda: pack(item(method=0, both={"size": 0})))
