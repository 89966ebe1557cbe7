"""Archives as programs write them, byte by byte, and shapes that the format allows: all of them must be accepted."""

import struct
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from tests.support.zip_writer import (
    FOLDER,
    FULL,
    LINK,
    RUN,
    SHORT,
    Item,
    asi_unix,
    deflate,
    extra,
    filled_up,
    longs,
    pack,
    streamed_zeros,
    unicode_path,
)

PHP = b"<?php // something that deflates, deflates, deflates\n"
UT_LOCAL = extra(0x5455, b"\3" + struct.pack("<II", 1_700_000_000, 1_700_000_001))
UT_LISTED = extra(0x5455, b"\3" + struct.pack("<I", 1_700_000_000))
UX = extra(0x7875, b"\1\4" + struct.pack("<I", 1000) + b"\4" + struct.pack("<I", 1000))
UX_OLD = extra(0x7855, struct.pack("<HH", 1000, 1000))
NTFS = extra(0x000A, bytes(4) + struct.pack("<HHQQQ", 1, 24, *[133_000_000_000_000_000] * 3))
EMPTY = {"data": b"", "method": 0}


class Shape(NamedTuple):
    """An archive that must be accepted, and how it is made."""

    name: str
    build: Callable[[], bytes]


def of(name: str, *items: Item, **ends: Any) -> Shape:
    """An archive of entries."""
    return Shape(name, lambda: pack(*items, **ends))


def streamed(name: bytes, form: str = "4sIII", known: bool = False, **bent: Any) -> Item:
    """An entry as it is written to a pipe; its size may be known beforehand."""
    item = Item(**{"name": name, "data": PHP, "flags": 8, "descriptor": form, **bent})
    local = {"crc": 0, "packed": 0, "size": len(item.data) if known else 0, **dict(bent.get("local", {}))}
    return Item(**{**vars(item), "local": local})


def tree(make: Callable[..., Item], folders: bool = True, **bent: Any) -> list[Item]:
    """A small module, each of its entries made in one way."""
    names = {b"m/m.php": PHP, b"m/src/A.php": PHP * 9, b"m/empty": b"", b"m/raw.bin": bytes(range(256))}
    items = [make(name, data=data, **bent) for name, data in names.items()]
    return [folder(b"m/"), folder(b"m/src/"), *items] if folders else items


def plain(name: bytes, **bent: Any) -> Item:
    """An entry as it is written to a file."""
    return Item(**{"name": name, "data": PHP, **bent})


def folder(name: bytes, **bent: Any) -> Item:
    """A folder."""
    return Item(**{"name": name, **EMPTY, "mode": FOLDER, **bent})


def link(name: bytes, target: bytes, **bent: Any) -> Item:
    """A symbolic link."""
    return Item(**{"name": name, "data": target, "method": 0, "mode": LINK, **bent})


def listed(item: Item, **fields: Any) -> Item:
    """The same entry with other fields in the table of contents."""
    return Item(**{**vars(item), "central": {**item.central, **fields}})


def writers() -> Iterator[Shape]:
    """What well-known programs write."""
    info = {"extra": UT_LOCAL + UX, "central": {"extra": UT_LISTED + UX}}
    bsd = {"extra": extra(0x5455, b"\7" + bytes(12)) + UX, "central": {"extra": UT_LISTED + UX, "made_by": 20}}
    zip64 = {"crc": 0, "packed": FULL, "size": FULL, "extra": longs(0, 0), "version": 45}
    dos = {"central": {"host": 0, "attributes": 0x20}}
    jar = {"flags": 0x808, "central": {"host": 0, "attributes": 0, "made_by": 20}}
    jar_first = folder(b"META-INF/", **{**jar, "method": 8, "descriptor": "4sIII", "extra": extra(0xCAFE, b"")})
    yield of("infozip", *tree(plain, **info))
    yield of("infozip-stored", *tree(plain, method=0, **info))
    yield of("infozip-no-folders", *tree(plain, folders=False, **info))
    yield of("infozip-links", *tree(plain, **info), link(b"m/src/B.php", b"A.php", **info))
    yield of("infozip-comment", *tree(plain, **info), comment=b"a shop\r\n")
    yield of("infozip-entry-comments", *tree(plain, comment=b"for the shop"))
    yield of("infozip-to-a-pipe", *tree(streamed, known=True, **info))
    yield of("infozip-from-a-pipe", streamed(b"m/m.php", "4sIQQ", local=zip64, central={"extra": b"", "version": 45}))
    yield of("infozip-zip64", *map(_wide_in_the_header, tree(plain)))
    yield of("infozip-text", *tree(plain, central={"internal": 1}))
    yield of("infozip-old-ids", *tree(plain, extra=UX_OLD, central={"extra": extra(0x7855, b"")}))
    yield of("bsdtar", *tree(streamed, known=True, **bsd))
    yield of("bsdtar-stored", *tree(streamed, known=True, method=0, **bsd))
    yield of("bsdtar-unknown-size", *(streamed(b"m/" + name, "4sIQQ", local=zip64) for name in (b"a", b"b")))
    to_a_pipe = pack(*tree(streamed, known=True, **bsd))
    yield Shape("bsdtar-to-a-pipe", lambda: filled_up(to_a_pipe))
    yield Shape("bsdtar-to-a-pipe-zip64", lambda: filled_up(pack(*tree(streamed, known=True, **bsd), end_64={})))
    yield Shape("bsdtar-to-a-pipe-nothing-to-fill", lambda: _of_a_block(10_240))
    yield Shape("bsdtar-to-a-pipe-almost-a-block", lambda: filled_up(_of_a_block(10_241)))
    yield Shape("bsdtar-to-a-pipe-archive-stored", lambda: filled_up(pack(plain(b"m/i.zip", data=to_a_pipe, method=0))))
    yield of("7zip-windows", *tree(plain, central={"extra": NTFS, "host": 0, "attributes": 0x20}))
    yield of("7zip-linux", *tree(plain, central={"attributes": 0o100644 << 16 | 0x8020, "made_by": 63}))
    yield of("python", *tree(plain, mode=0o600, central={"made_by": 20}))
    yield of("python-to-a-pipe", *tree(streamed, central={"made_by": 20}))
    yield of("python-to-a-pipe-zip64", *tree(streamed, form="4sIQQ", local=zip64))
    yield of("python-mkdir", folder(b"m/", central={"attributes": FOLDER << 16 | 0x10}), plain(b"m/m.php"))
    yield of("jar", jar_first, *tree(streamed, folders=False, **jar))
    yield of("jar-folders-deflated", jar_first, streamed(b"m/m.php", **jar))
    yield of("jar-stored", *tree(plain, method=0, central={"host": 0, "attributes": 0}))
    yield of("windows-explorer", *tree(plain, folders=False, **dos))
    yield of("windows-utf-8", *tree(plain, flags=0x800, **dos))
    yield of("dos", *tree(plain, **dos), plain(b"m/gr\x94\xe1e.php", **dos))
    yield of("dot-net", *tree(plain, central={"host": 0, "attributes": 0, "made_by": 20}))
    yield of("dot-net-backslashes", *_with_backslashes(tree(plain, folders=False, **dos)))
    yield of("dot-net-to-a-pipe", *tree(streamed, central={"host": 3, "made_by": 20}))
    yield of("go", *tree(streamed, flags=0x808, extra=extra(0x5455, b"\1" + bytes(4))))
    yield of("php", *tree(plain, mode=0, central={"made_by": 20, "host": 3}))
    yield of("git-archive", *tree(plain, extra=extra(0x5455, b"\1" + bytes(4))), comment=b"0" * 40)
    yield of("github", *tree(plain, central={"made_by": 0, "host": 0}), comment=b"a1" * 20)
    yield of("git-archive-links", *tree(plain), link(b"m/link", b"src/A.php"), comment=b"0" * 40)


def more_writers() -> Iterator[Shape]:
    """What other well-known programs write."""
    zip64 = {"crc": 0, "packed": FULL, "size": FULL, "extra": longs(0, 0), "version": 45}
    mac = {"extra": extra(0x5855, bytes(12)), "central": {"extra": extra(0x5855, bytes(8)), "made_by": 21}}
    yield of("macos", *tree(streamed, **mac), *_junk(mac))
    yield of("macos-junk-first", *_junk(mac), *tree(streamed, **mac))
    yield of("macos-ditto", *tree(streamed, central={"made_by": 21}, extra=UX + UT_LISTED))
    yield of("os-x-host", *tree(plain, central={"host": 19}))
    yield of("commons-compress-always-zip64", *map(_wide_in_both, tree(plain)))
    yield of("commons-compress-pipe", *tree(streamed, form="4sIQQ", local=zip64))
    yield of("asi-unix", *tree(plain), plain(b"m/asi", extra=asi_unix(0o100644)))
    yield of("android-aligned", *tree(plain, method=0, extra=extra(0xD935, b"\4\0" + bytes(3))))
    yield of("jszip", *tree(plain, central={"host": 0, "attributes": 0x20, "made_by": 20, "version": 10}))
    yield of("archiver", *tree(streamed, central={"made_by": 45, "version": 45}))
    yield of("winzip-unicode", *(_with_unicode_path("m/ü.php"), plain(b"m/m.php")))
    yield of("perl-archive-zip", *tree(streamed, form="4sIII", known=True))


def _junk(mac: dict[str, Any]) -> list[Item]:
    return [streamed(name, data=b"\0\5\x16\7", **mac) for name in (b"__MACOSX/m/._m.php", b"m/.DS_Store")]


def _with_backslashes(items: list[Item]) -> list[Item]:
    return [Item(**{**vars(item), "name": item.name.replace(b"/", b"\\")}) for item in items]


def _with_unicode_path(name: str) -> Item:
    return plain(name.encode(), extra=unicode_path(name.encode(), name.encode()))


def _wide_in_the_header(item: Item) -> Item:
    sizes = {"size": FULL, "packed": FULL, "extra": longs(len(item.data), len(item.raw)), "version": 45}
    return Item(**{**vars(item), "local": sizes})


def _wide_in_both(item: Item) -> Item:
    wide = _wide_in_the_header(item)
    return listed(wide, **dict(wide.local))


def fields() -> Iterator[Shape]:
    """Fields that may hold anything, or differ between the two headers."""
    for host in (0, 1, 2, 5, 6, 7, 10, 11, 14, 16, 18, 30, 255):
        yield of(f"host-{host}", *tree(plain, mode=0, central={"host": host}))
    for name in (b"m/;1/x", b"m/x;1.php", b"m/a;b"):
        yield of(f"semicolon-{name.decode().replace('/', '-')}", *tree(plain), plain(name))
    for version in (0, 10, 45, 63, 0x314):
        yield of(f"version-{version}", *tree(plain, both={"version": version}))
    yield of("versions-differ", *tree(plain, local={"version": 10}))
    for made_by in (0, 10, 63, 255):
        yield of(f"made-by-{made_by}", *tree(plain, central={"made_by": made_by}))
    yield of("utf-8-flag-in-the-list-only", *tree(plain, central={"flags": 0x800}))
    yield of("utf-8-flag-in-the-header-only", *tree(plain, local={"flags": 0x800}))
    here = [Item(**{**vars(item), "name": b"./" + item.name}) for item in tree(plain)]
    yield of("dot-first", *here)
    yield of("dot-first-and-the-root", folder(b"./"), *here)
    yield of("dot-first-of-some", *here[:3], *tree(plain)[3:])
    for flags in (0x2, 0x4, 0x6, 0x800, 0x806):
        yield of(f"flags-{flags:x}", *tree(plain, flags=flags))
    yield of("descriptor-flag-in-the-list-only", *tree(plain, central={"flags": 8}))
    yield of("descriptor-flag-in-the-header-only", *tree(streamed, central={"flags": 0}))
    for what, time in {"zero": 0, "full": SHORT, "odd": 0xBF7D}.items():
        yield of(f"time-{what}", *tree(plain, both={"time": time, "date": time}))
    yield of("times-differ", *tree(plain, local={"time": 1, "date": 0x21}))
    yield of("internal", *tree(plain, central={"internal": SHORT}))
    for what, mode in {"none": 0, "read-only": 0o100444, "set-id": 0o106755, "all": 0o100777, "no-form": 0o644}.items():
        yield of(f"mode-{what}", *tree(plain, mode=mode))
    for attributes in (0x01, 0x02, 0x04, 0x20, 0x27, 0x80, 0x2000):
        yield of(
            f"attributes-{attributes:x}", *tree(plain, folders=False, central={"host": 0, "attributes": attributes})
        )
    yield of("folder-by-its-attribute", folder(b"m/", central={"host": 0, "attributes": 0x10}), plain(b"m/m.php"))
    yield of("executable", *tree(plain), plain(b"m/bin/run", mode=RUN))
    for what, comment in {
        "one-byte": b"x",
        "text": b"by the shop",
        "utf-8": "für den Laden".encode(),
        "latin-1": b"f\xfcr",
        "nul": bytes(20),
        "initials": b"PK",
        "nearly-a-signature": b"PK\5\5 PK\3 K\5\6",
        "longest": b"x" * SHORT,
    }.items():
        yield of(f"comment-{what}", *tree(plain), comment=comment)
    yield of("entry-comment-longest", plain(b"m/m.php", comment=b"x" * SHORT))
    yield of("entry-comment-with-signature", plain(b"m/m.php", comment=b"PK\1\2"))
    known = {
        **{"ntfs": NTFS, "times": UT_LISTED, "unix": UX, "unix-old": UX_OLD, "jar": extra(0xCAFE, b"")},
        **{"unicode-comment": extra(0x6375, b"\1abcd"), "alignment": extra(0xD935, bytes(6))},
        **{"unknown": extra(0xFFFF, b"anything"), "empty": extra(0x1234, b""), "longest": extra(0x5455, bytes(65_531))},
        **{"twice": UX + UX, "acl": extra(0x4453, bytes(30)), "beos": extra(0x6542, bytes(9))},
    }
    for what, data in known.items():
        yield of(f"extra-{what}", plain(b"m/m.php", extra=data))
    yield of("extra-in-the-header-only", *tree(plain, local={"extra": UX}))
    yield of("extra-in-the-list-only", *tree(plain, central={"extra": UX}))
    for where in ("local", "central", "both"):
        path = unicode_path(b"m/m.php", b"m/m.php")
        yield of(f"unicode-path-{where}", plain(b"m/m.php", **{where: {"extra": path}}))


def sizes() -> Iterator[Shape]:
    """Zip64 fields and data descriptors in every form that agrees."""
    item = plain(b"m/m.php")
    size, packed = len(item.data), len(item.raw)
    both, one = longs(size, packed), longs(size)
    for what, fields_ in {
        "both": {"size": FULL, "packed": FULL, "extra": both},
        "size": {"size": FULL, "extra": one},
        "packed": {"packed": FULL, "extra": longs(packed)},
        "offset": {"offset": FULL, "extra": longs(0)},
        "all": {"size": FULL, "packed": FULL, "offset": FULL, "extra": longs(size, packed, 0)},
        "disk": {"disk": SHORT, "extra": extra(1, bytes(4))},
        "with-others": {"size": FULL, "extra": UT_LISTED + one + UX},
    }.items():
        yield of(f"zip64-listed-{what}", listed(item, **fields_))
    for what, fields_ in {
        "both": {"size": FULL, "packed": FULL, "extra": both},
        "size-alone": {"size": FULL, "extra": one},
        "packed-alone": {"packed": FULL, "extra": longs(packed)},
        "size-with-both": {"size": FULL, "extra": both},
        "packed-with-both": {"packed": FULL, "extra": both},
    }.items():
        yield of(f"zip64-header-{what}", plain(b"m/m.php", local=fields_))
    for form in ("4sIII", "III", "4sIQQ", "IQQ"):
        for method in (0, 8):
            name = f"descriptor-{form}-{method}"
            yield of(name, *tree(streamed, form=form, method=method))
    yield of("descriptor-with-everything-known", *tree(plain, flags=8, descriptor="4sIII"))
    announced = {"extra": longs()}
    yield of("descriptor-in-64-bits-announced", streamed(b"m/m.php", "4sIQQ", local=announced))
    ends: dict[str, dict[str, int]] = {
        "without-need": {},
        "counts": {"here": SHORT, "total": SHORT},
        "place": {"length": FULL, "start": FULL},
        "start": {"start": FULL},
        "all": {"here": SHORT, "total": SHORT, "length": FULL, "start": FULL, "disk": SHORT, "first_disk": SHORT},
    }
    for what, end in ends.items():
        yield of(f"end-64-{what}", *tree(plain), end_64={}, end=end)
    yield of("end-64-with-comment", *tree(plain), end_64={}, comment=b"a comment")
    yield of("end-64-no-disks", *tree(plain), end_64={}, locator={"disks": 0})
    yield of("end-64-empty", end_64={})


def contents() -> Iterator[Shape]:
    """Names, kinds and data of every sort."""
    yield of("nothing")
    yield of("nothing-but-a-comment", comment=b"nothing")
    yield of("nothing-but-a-folder", folder(b"m/"))
    yield of("nothing-but-a-file", plain(b"m.php"))
    for what, name in {
        "utf-8": "m/größe.php",
        "decomposed": "m/gro\u0308ße.php",
        "emoji": "m/😀.php",
        "japanese": "m/日本語/ファイル.php",
        "arabic": "m/ملف.php",
        "space": "m/a b.php",
        "quotes": "m/a'b\"c`d$e.php",
        "marks": "m/a!#%&()+,;=@[]^{}~.php",
        "colon-inside": "m/a:b.php",
        "question": "m/a?b*c|d<e>.php",
        "dots": "m/a..b...php",
        "dots-first": "m/...a",
        "dot-file": "m/.htaccess",
        "git-files": "m/.gitignore",
        "git-keep": "m/.gitkeep",
        "github": "m/.github/workflows/x.yml",
        "git-in-a-name": "m/digit.git-x/a.git",
        "space-behind": "m/a ",
        "dot-behind": "m/a.",
        "device": "m/con/aux.php",
        "long-part": "m/" + "x" * 255,
        "long": "m" + "/" + "/".join(["x" * 203] * 5) + "/xx",
        "deep": "m" + "/x" * 31,
        "dash": "m/-rf",
        "tilde": "m/~x",
        "git-short-name": "m/git~2",
    }.items():
        for flags in (0, 0x800):
            yield of(f"name-{what}-{flags:x}", plain(b"m/m.php"), plain(name.encode(), flags=flags))
    yield of("names-differ-in-case", plain(b"m/Read.me"), plain(b"m/README", data=b"other"))
    dos = {"host": 0, "attributes": 0x20}
    backslashed = [plain(name, central=dos) for name in (b"m\\m.php", b"m\\src\\A.php")]
    yield of("backslashes", *backslashed)
    yield of("backslashes-with-folders", folder(b"m\\", central=dos), folder(b"m\\src\\", central=dos), *backslashed)
    for what, target in {
        "beside": b"A.php",
        "below": b"lib/B.php",
        "above": b"../m.php",
        "dot": b"./A.php",
        "nowhere": b"not/there",
        "folder": b"..",
        "itself": b"x",
        "utf-8": "größe".encode(),
    }.items():
        yield of(f"link-{what}", *tree(plain), link(b"m/src/x", target))
    yield of("link-deflated", *tree(plain), link(b"m/src/x", b"A.php", method=8))
    yield of("link-streamed", *tree(plain), streamed(b"m/src/x", data=b"A.php", mode=LINK))
    yield of("link-to-a-link", plain(b"m/m.php"), link(b"m/a", b"b"), link(b"m/b", b"m.php"))
    yield of("folders-behind", plain(b"m/src/A.php"), folder(b"m/src/"), folder(b"m/"))
    yield of("folder-without-mode", folder(b"m/", mode=0), plain(b"m/m.php"))
    yield of("folder-like-a-file", folder(b"m/", mode=0o100644), plain(b"m/m.php"))
    yield of("folder-deflated", folder(b"m/", method=8), plain(b"m/m.php"))
    for level in range(10):
        yield of(f"level-{level}", plain(b"m/m.php", data=PHP * 99, packed=deflate(PHP * 99, level)))
    stored = b"\1" + struct.pack("<HH", len(PHP), len(PHP) ^ SHORT) + PHP
    yield of("deflated-without-compression", plain(b"m/m.php", packed=stored))
    fixed = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FIXED)
    flat = fixed.compress(PHP) + fixed.flush()
    yield of("deflated-with-fixed-codes", plain(b"m/m.php", packed=flat))
    yield of("deflated-in-blocks", plain(b"m/m.php", data=bytes(3 * 1024**2), packed=streamed_zeros(3 * 1024**2)))
    yield of("deflated-nothing", plain(b"m/m.php", data=b""))
    yield of("deflated-nothing-without-compression", plain(b"m/m.php", data=b"", packed=b"\1\0\0\xff\xff"))
    noise = b"".join(zlib.crc32(b"%d" % index).to_bytes(4, "little") for index in range(200_000))
    yield of("noise", plain(b"m/noise", data=noise))
    yield of("noise-stored", plain(b"m/noise", data=noise, method=0))
    yield of("an-archive-stored", plain(b"m/inner.zip", data=pack(plain(b"x")), method=0))
    yield of("an-archive-stored-last", plain(b"m/m.php"), plain(b"m/z.zip", data=pack(comment=b"x"), method=0))
    marks = b"PK\1\2PK\3\4PK\5\6PK\6\6PK\6\7PK\7\x08" * 40
    yield of("signatures-in-data", plain(b"m/marks", data=marks, method=0))
    yield of("descriptor-in-data", plain(b"m/d.bin", data=b"PK\7\x08" + bytes(4), method=0))
    yield of("signatures-in-streamed-data", streamed(b"m/marks", data=marks, method=0))
    nothing = bytes.fromhex("d00dfacecb199ef0")
    yield of("checksum-zero", plain(b"m/zero", data=nothing), plain(b"m/none", data=b""))
    yield of("checksum-full", plain(b"m/full", data=bytes.fromhex("ffffffff"), method=0))
    yield of("the-same-twice", plain(b"m/a"), plain(b"m/b"))
    yield Shape("listed-in-another-order", lambda: _reversed(tree(plain)))
    yield of("ratio-below-64-mib", plain(b"m/zeros", data=bytes(8 * 1024**2)))
    yield of("many", *(plain(b"m/%d" % index, **EMPTY) for index in range(3000)))


def _of_a_block(size: int) -> bytes:
    """An archive of so many bytes."""
    short = len(pack(plain(b"m/x", data=b"", method=0)))
    return pack(plain(b"m/x", data=b"x" * (size - short), method=0))


def _reversed(items: list[Item]) -> bytes:
    body, listings = b"", []
    for item in items:
        listings.insert(0, item.listing(len(body)))
        body += item.header()
    count = {"here": len(items), "total": len(items), "start": len(body)}
    directory = b"".join(listings)
    return pack(prefix=body, behind_directory=directory, end={**count, "length": len(directory)})


def shapes() -> tuple[Shape, ...]:
    """Every archive that must be accepted."""
    return tuple(chain(writers(), more_writers(), fields(), sizes(), contents()))
