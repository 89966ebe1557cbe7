"""Hostile archives whose records fit together: their names, kinds, data or sizes could harm. One property each."""

import struct
import zlib
from collections.abc import Iterator

from tests.support.hostile_records import Case, main_of
from tests.support.zip_writer import FOLDER, FULL, LINK, RUN, Item, deflate, longs, pack, streamed_zeros

UNSAFE = "control or bidirectional character"
EMPTY = "its name has an empty part or a `.`"
REPOSITORY = "its name leads into `.git`"
SETTINGS = "it is a link that may leave the component"
TAKEN = "another entry has its name"
GIB = 1024**3


def names(root: bytes) -> Iterator[Case]:
    """A name is no plain relative path."""
    reported = {
        "climbs": (b"../x", "its name has `..`"),
        "climbs-far": (b"../" * 12 + b"etc/passwd", "its name has `..`"),
        "climbs-inside": (root + b"/../../x", "its name has `..`"),
        "climbs-and-comes-back": (root + b"/a/../x", "its name has `..`"),
        "is-the-folder-above": (b"..", "its name has `..`"),
        "ends-above": (root + b"/..", "its name has `..`"),
        "absolute": (b"/etc/passwd", "is absolute"),
        "absolute-twice": (b"//server/share", "is absolute"),
        "drive": (b"C:/x", "is absolute"),
        "drive-relative": (b"c:x", "is absolute"),
        "dot": (root + b"/./x", EMPTY),
        "dot-first-twice": (b"././x", EMPTY),
        "dot-alone": (b".", EMPTY),
        "empty-part": (root + b"//x", EMPTY),
        "empty": (b"", EMPTY),
        "slash": (b"/", EMPTY),
        "two-slashes-behind": (root + b"/x//", EMPTY),
        "backslash": (root + b"/a\\b", "its name has a backslash"),
        "backslash-climbs": (root + b"/..\\..\\x", "its name has a backslash"),
        "part-too-long": (root + b"/" + b"x" * 256, "a part of its name is longer than 255 bytes"),
        "part-too-long-in-utf-8": (root + b"/" + "ü".encode() * 128, "a part of its name is longer than 255 bytes"),
        "name-too-long": (root + (b"/" + b"x" * 200) * 6, "its name is longer than 1,024 bytes"),
        "name-far-too-long": (root + b"/" + b"x" * 65_000, "longer than 255 bytes"),
        "too-deep": (root + b"/x" * 32, "its name has more than 32 parts"),
        "vms-version": (root + b"/x.php;1", "its name ends in `;`"),
        "vms-version-of-no-digits": (root + b"/x.php;", "its name ends in `;`"),
        "vms-version-twice": (root + b"/x;1;23", "its name ends in `;`"),
        "far-too-deep": (root + b"/x" * 32_000, "its name is longer than 1,024 bytes"),
    }
    for what, (name, reason) in reported.items():
        yield Case(f"name-{what}", reason, lambda name=name: pack(main_of(root), Item(name=name)))
    for character in "\0\1\t\n\r\x1b\x7f\x80\x85\x9b\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069":
        name = f"/a{character}b".encode()
        bad = Item(name=root + name, flags=0x800)
        yield Case(f"name-with-{ord(character):04x}", UNSAFE, lambda bad=bad: pack(main_of(root), bad))
    for what, data in {
        "cp437": b"\x81",
        "latin-1": b"\xfc",
        "overlong": b"\xc0\xaf",
        "surrogate": b"\xed\xa0\x80",
        "cut-off": b"\xe2\x82",
        "beyond-unicode": b"\xf5\x80\x80\x80",
        "utf-16": "ü".encode("utf-16"),
    }.items():
        bad = Item(name=root + b"/" + data, flags=0x800)
        expected = "its name claims to be UTF-8" if what != "utf-16" else "its name"
        yield Case(f"name-in-{what}", expected, lambda bad=bad: pack(main_of(root), bad))
    for what, part in {
        "plain": ".git",
        "capitals": ".GIT",
        "mixed": ".gIt",
        "short": "git~1",
        "dot-behind": ".git.",
        "space-behind": ".git ",
        "stream": ".git::$INDEX_ALLOCATION",
        "joiner": ".g\u200cit",
        "joiner-behind": ".git\u200d",
        "bom": "\ufeff.git",
    }.items():
        for where, name in {"top": f"{part}/config", "inside": f"{root.decode()}/{part}/hooks/x"}.items():
            bad = Item(name=name.encode(), flags=0x800, mode=RUN)
            yield Case(f"repository-{what}-{where}", REPOSITORY, lambda bad=bad: pack(main_of(root), bad))
    yield Case(
        "repository-file", REPOSITORY, lambda: pack(main_of(root), Item(name=root + b"/.git", data=b"gitdir: /"))
    )
    only = [Item(name=name) for name in (root + b"\\a", b"..\\x")]
    yield Case("backslashes-only-climb", "its name has `..`", lambda: pack(*only))
    share = [Item(name=name) for name in (root + b"\\a", b"\\\\server\\x")]
    yield Case("backslashes-only-share", "is absolute", lambda: pack(*share))
    yield Case("junk-climbs", "its name has `..`", lambda: pack(main_of(root), Item(name=b"__MACOSX/../../x")))


def kinds(root: bytes) -> Iterator[Case]:
    """An entry is neither file nor folder nor a link that stays, or two entries contradict each other."""
    for what, form in {
        "fifo": 1,
        "character-device": 2,
        "block-device": 6,
        "socket": 12,
        "door": 13,
        "all": 15,
    }.items():
        bad = Item(name=root + b"/x", data=b"", mode=form << 12 | 0o644)
        yield Case(f"kind-{what}", "it is neither file, folder nor", lambda bad=bad: pack(main_of(root), bad))
    odd = {
        "link-with-slash": Item(name=root + b"/x/", data=b"y", method=0, mode=LINK),
        "device-with-slash": Item(name=root + b"/x/", data=b"", method=0, mode=0o20644),
        "volume-label": Item(name=root + b"/x", central={"host": 0, "attributes": 0x28}),
        **{
            f"link-of-system-{host}": Item(name=root + b"/x", data=b"y", mode=LINK, central={"host": host})
            for host in (0, 2, 5, 11, 16, 19, 30, 255)
        },
    }
    for what, bad in {
        "by-its-mode": Item(name=root + b"/x", data=b"", method=0, mode=FOLDER),
        "by-its-attribute": Item(name=root + b"/x", data=b"", central={"host": 0, "attributes": 0x10}),
        "by-its-attribute-alone": Item(name=root + b"/x", data=b"", central={"attributes": 0x10}),
        "with-data": Item(name=root + b"/x", mode=FOLDER),
    }.items():
        reason = "it is a folder without the slash"
        yield Case(f"folder-without-slash-{what}", reason, lambda bad=bad: pack(main_of(root), bad))
    twice = Item(name=b"./" + root + b"/a"), Item(name=root + b"/a")
    yield Case("name-twice-with-a-dot", "another entry has its name", lambda: pack(main_of(root), *twice))
    filled = Item(name=b"./", data=b"", packed=deflate(b"hidden"))
    yield Case("root-with-hidden-data", "it holds more than", lambda: pack(main_of(root), filled))
    half = Item(name=b"./" + root + b"/a", local={"name": root + b"/a"})
    yield Case(
        "dot-first-in-the-list-only", "its two headers disagree about its name", lambda: pack(main_of(root), half)
    )
    for what, bad in odd.items():
        yield Case(f"kind-{what}", "it is neither file, folder nor", lambda bad=bad: pack(main_of(root), bad))
    for what, bad in {
        "stored": Item(name=root + b"/x/", data=b"data", method=0, mode=FOLDER),
        "deflated": Item(name=root + b"/x/", mode=FOLDER),
        "without-mode": Item(name=root + b"/x/", mode=0),
        "as-a-file": Item(name=root + b"/x/"),
    }.items():
        yield Case(f"folder-with-data-{what}", "it is a folder with data", lambda bad=bad: pack(main_of(root), bad))
    hidden = Item(name=root + b"/x/", data=b"", packed=deflate(b"hidden"), mode=FOLDER)
    yield Case("folder-with-hidden-data", "it holds more than", lambda: pack(main_of(root), hidden))
    junk = Item(name=root + b"/x/", data=b"", packed=deflate(b"") + b"hidden", mode=FOLDER)
    yield Case("folder-with-data-behind", "bytes follow its data", lambda: pack(main_of(root), junk))
    targets = {
        "absolute": b"/etc/passwd",
        "climbs": b"../../x",
        "climbs-far": b"../" * 40 + b"etc",
        "climbs-later": b"a/../../../x",
        "climbs-behind-a-folder": b"a/..",
        "drive": b"C:/x",
        "backslash": b"..\\..\\x",
        "empty": b"",
        "nul": b"x\0y",
        "newline": b"x\ny",
        "escape": b"x\x1b[2J",
        "override": "x\u202ey".encode(),
        "not-utf-8": b"\xff",
        "repository": b".git/config",
        "too-long": b"x/" * 600,
        "to-the-folder-above": b"../..",
    }
    for what, target in targets.items():
        bad = Item(name=root + b"/x", data=target, method=0, mode=LINK)
        yield Case(f"link-{what}", SETTINGS, lambda bad=bad: pack(main_of(root), bad))
    folder = Item(name=root + b"/d", data=b".", method=0, mode=LINK)
    escape = Item(name=root + b"/d/up", data=b"x", method=0, mode=LINK)
    yield Case("link-behind-a-link", "which is a link", lambda: pack(main_of(root), folder, escape))
    yield Case("file-behind-a-link", "which is a link", lambda: pack(main_of(root), folder, Item(name=root + b"/d/x")))
    yield Case("file-behind-a-link-first", "which is a link", lambda: pack(Item(name=root + b"/d/x"), folder))
    file = Item(name=root + b"/d")
    yield Case("file-behind-a-file", "which is a file", lambda: pack(file, Item(name=root + b"/d/x")))
    yield Case("file-far-behind-a-file", "which is a file", lambda: pack(Item(name=root + b"/d/x/y/z"), file))
    yield Case(
        "folder-behind-a-file", "which is a file", lambda: pack(file, Item(name=root + b"/d/x/", data=b"", method=0))
    )
    pairs = {
        "file": (b"/x", b"/x"),
        "folder-and-file": (b"/x/", b"/x"),
        "folder": (b"/x/", b"/x/"),
        "composed": ("/é".encode(), "/e\u0301".encode()),
        "ohm": ("/\u2126".encode(), "/\u03a9".encode()),
        "hangul": ("/\uac00".encode(), "/\u1100\u1161".encode()),
        "in-a-composed-folder": ("/é/a".encode(), "/e\u0301/b".encode()),
    }
    for what, twins in pairs.items():
        items = [Item(name=root + name, data=b"", method=0, mode=0) for name in twins]
        yield Case(f"twin-{what}", TAKEN, lambda items=items: pack(main_of(root), *items))
    link = Item(name=root + b"/x", data=b"y", method=0, mode=LINK)
    yield Case("twin-link-and-file", TAKEN, lambda: pack(main_of(root), link, Item(name=root + b"/x")))
    yield Case("twin-with-other-data", TAKEN, lambda: pack(main_of(root), main_of(root, data=b"evil")))
    for bit in (0, 6, 13):
        yield Case(f"encrypted-{bit}", "it is encrypted", lambda bit=bit: pack(main_of(root, flags=1 << bit)))
    yield Case("encrypted-strongly", "it is encrypted", lambda: pack(main_of(root, flags=0x41)))
    yield Case("encrypted-aes", "it is encrypted", lambda: pack(main_of(root, flags=1, method=99)))
    for method in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 16, 18, 19, 20, 93, 94, 95, 96, 97, 98, 99, 0xFFFF):
        reason = "by a method other than deflate; pack it again with `zip`"
        yield Case(f"method-{method}", reason, lambda method=method: pack(main_of(root, method=method)))


def damage(root: bytes) -> Iterator[Case]:
    """What comes out of an entry is not what is declared, which is found when it is read."""

    def of(**bent: object) -> bytes:
        return pack(main_of(root), Item(**{"name": root + b"/x", "data": b"five!" * 9, **bent}))  # type: ignore[arg-type]

    right = deflate(b"five!" * 9)
    yield Case("declares-more", "it holds 45 bytes and declares 500", lambda: of(both={"size": 500}))
    yield Case("declares-one-more", "and declares 46", lambda: of(both={"size": 46}))
    yield Case("declares-less", "it holds more than the 5 bytes", lambda: of(both={"size": 5}))
    yield Case("declares-one-less", "it holds more than the 44 bytes", lambda: of(both={"size": 44}))
    yield Case("declares-nothing", "it holds more than the 0 bytes", lambda: of(both={"size": 0}))
    yield Case("declares-all-zeros", "it holds more than the 0 bytes", lambda: of(both={"size": 0, "crc": 0}))
    prefix = {"size": 5, "crc": zlib.crc32(b"five!")}
    yield Case("declares-its-beginning", "it holds more than the 5 bytes", lambda: of(both=prefix))
    for what, crc in {"one-bit": zlib.crc32(b"five!" * 9) ^ 1, "zero": 0, "full": FULL}.items():
        yield Case(f"checksum-{what}", "not what its checksum says", lambda crc=crc: of(both={"crc": crc}))
    for method in (0, 8):
        item = {"method": method, "both": {"crc": 1}}
        yield Case(f"checksum-of-method-{method}", "not what its checksum says", lambda item=item: of(**item))
    packed = {
        "follows": (right + b"x", "bytes follow its data"),
        "follows-zeros": (right + bytes(300_000), "bytes follow its data"),
        "follows-a-stream": (right + right, "bytes follow its data"),
        "cut-off": (right[:-1], "its data is cut off"),
        "cut-off-early": (right[:3], "its data is cut off"),
        "nothing": (b"", "its data is cut off"),
        "not-deflated": (b"five!" * 9, "its data is damaged"),
        "zlib": (zlib.compress(b"five!" * 9), "its data is damaged"),
        "reserved-block": (b"\x07", "its data is damaged"),
        "too-far-back": (b"\x4b\x04\xa2\x00", "its data is damaged"),
        "codes-missing": (bytes.fromhex("1d81010900000082f05e8f7c1f22c601"), "its data is damaged"),  # ISA-L takes it
        "not-ended": (b"\0\x2d\0\xd2\xff" + b"five!" * 9, "its data is cut off"),
        "lengths-differ": (b"\1\x2d\0\xd2\xfe" + b"five!" * 9, "its data is damaged"),
    }
    for what, (data, reason) in packed.items():
        yield Case(f"data-{what}", reason, lambda data=data: of(packed=data))
    flat = b"".join(struct.pack("<BHH", last, 65_531, 4) + bytes(65_531) for last in (0, 0, 0, 1))  # ends with a part
    later = {"data": bytes(4 * 65_531), "packed": flat + b"x"}
    yield Case("data-follows-in-the-next-part", "bytes follow its data", lambda: of(**later))
    yield Case("more-than-declared", "it holds more than", lambda: of(packed=streamed_zeros(10**9)))
    streamed = {"flags": 8, "descriptor": "4sIII", "local": {"crc": 0, "packed": 0, "size": 0}, "both": {"crc": 7}}
    yield Case("checksum-of-a-streamed-entry", "not what its checksum says", lambda: of(**streamed))
    for what, count in {"beginning": 5, "middle": 256 * 1024 - 6}.items():  # where the reader's first part ends
        begun = bytes(count)
        data = begun + b"PK\7\x08" + struct.pack("<III", zlib.crc32(begun), count, count) + b"PK\7\x08" + right
        piped = {"method": 0, "data": data, **streamed, "both": {}}
        reason = "what may be taken for its end"
        yield Case(f"descriptor-in-the-{what}", reason, lambda piped=piped: of(**piped))
    crowd = {"method": 0, "data": b"PK\7\x08" * 100, **streamed, "both": {}}
    yield Case("descriptors-that-crowd", "what may be taken for its end", lambda: of(**crowd))
    wide = {"size": FULL, "packed": FULL, "extra": longs(46, len(right))}
    yield Case("zip64-declares-more", "and declares 46", lambda: of(local=wide, central=wide))


def limits(root: bytes) -> Iterator[Case]:
    """Too much of something."""
    main = main_of(root)
    small = {"packed": b"\3\0", "data": b""}

    def wide(size: int, count: int = 1) -> bytes:
        bent = {"size": FULL, "extra": longs(size)}
        items = (Item(name=root + b"/%d" % i, local=bent, central=bent, **small) for i in range(count))  # type: ignore[arg-type]
        return pack(main, *items)

    yield Case("size-2-gib", "more than 2 GiB would come out", lambda: wide(2 * GIB))
    yield Case("size-in-parts", "more than 2 GiB would come out", lambda: wide(GIB, 3))
    yield Case("size-4-gib", "more than 2 GiB would come out", lambda: wide(4 * GIB))
    yield Case("size-281-tb", "more than 2 GiB would come out", lambda: wide(281 * 10**12))
    yield Case("size-of-64-bits", "more than 2 GiB would come out", lambda: wide(2**64 - 1))
    yield Case("size-in-32-bits", "more than 2 GiB would come out", lambda: pack(main, Item(both={"size": FULL - 1})))
    hundred = {"size": 65 * 1024**2}
    yield Case("ratio", "it would grow more than 100 times", lambda: pack(main, Item(name=root + b"/x", both=hundred)))
    yield Case("ratio-in-parts", "it would grow more than 100 times", lambda: wide(33 * 1024**2, 2))
    counts = {"here": 100_001, "total": 100_001}
    yield Case(
        "count",
        "it has more than 100,000 entries",
        lambda: pack(main, end_64=counts, end={"here": 0xFFFF, "total": 0xFFFF}),
    )
    yield Case(
        "count-of-64-bits",
        "it has more than 100,000",
        lambda: pack(main, end_64={"here": 2**64 - 1, "total": 2**64 - 1}, end={"here": 0xFFFF, "total": 0xFFFF}),
    )
    large = {"length": 33 * 1024**2}
    yield Case("directory", "its table of contents is larger than 32 MiB", lambda: pack(main, end=large))
