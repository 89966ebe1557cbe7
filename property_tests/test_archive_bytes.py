"""Laws of archives as bytes: an archive that is bent, cut off or made up is refused, or read as
other programs read it.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from io_edges.archives.data import Damage
from io_edges.archives.zips import read_archive
from pipeline.archives.vet import vet
from pipeline.archives.zip.records import SIGNATURES
from pipeline.archives.zip.structure import FAULT_LIMIT, read_structure
from tests.support.recognition import refusals_of
from tests.support.sweep import law
from tests.support.zip_writer import (
    CENTRAL,
    END,
    END_64,
    FOLDER,
    FULL,
    LINK,
    LOCAL,
    LOCATOR,
    Item,
    longs,
    pack,
)

Tree: TypeAlias = dict[str, bytes | None]

UNZIP = shutil.which("unzip")
WIDTHS = {"B": 8, "H": 16, "I": 32, "Q": 64}
PHP = b"<?php // something that deflates, deflates, deflates"
STREAM = {"flags": 8, "descriptor": "4sIII", "local": {"crc": 0, "packed": 0, "size": 0}}
WIDE = {"size": FULL, "packed": FULL, "extra": longs(3, 3)}
UX = b"ux\x0b\0\1\4\0\0\0\0\4\0\0\0\0"


def items() -> list[dict[str, Any]]:
    """The fields of the entries of a small module, one of each sort."""
    return [
        {"name": b"m/", "data": b"", "method": 0, "mode": FOLDER},
        {"name": b"m/m.php", "data": PHP, "extra": UX},
        {"name": b"m/raw", "data": b"raw", "method": 0, "local": WIDE, "central": WIDE},
        {"name": b"m/streamed", "data": PHP * 3, **STREAM},
        {"name": b"m/link", "data": b"raw", "method": 0, "mode": LINK},
    ]


def right() -> bytes:
    """The small module with nothing bent."""
    return pack(*(Item(**each) for each in items()), end_64={}, comment=b"a comment")


def tree(data: bytes) -> Tree | None:
    """What an archive holds, the bytes of a file or what a link points to; none if
    it is refused.
    """
    opened = read_archive(data)
    if refusals_of(opened.entries, "m/", opened.flaws):
        return None
    try:
        return {
            entry.name: None if entry.kind == "folder" else b"".join(opened.chunks(entry))
            for entry in opened.entries
        }
    except Damage:
        return None


def by_unzip(data: bytes) -> tuple[bool, Tree]:
    """Whether `unzip` takes an archive, perhaps with a warning, and what it writes to the disk."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent, "out")
        folder.mkdir()
        Path(parent, "x.zip").write_bytes(data)
        command = f"{UNZIP} -qq -o ../x.zip; code=$?; chmod -R u+rwX .; exit $code"
        done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, check=False)
        return done.returncode <= 1, {
            path.relative_to(folder).as_posix(): _content(path) for path in folder.rglob("*")
        }


def with_folders(found: Tree) -> Tree:
    """A tree with the folders that are not listed in it."""
    folders = {parent.as_posix() for name in found for parent in Path(name).parents} - {"."}
    return {**dict.fromkeys(folders), **found}


def _content(path: Path) -> bytes | None:
    if path.is_symlink():
        return os.fsencode(path.readlink())
    return None if path.is_dir() else path.read_bytes()


def values(code: str) -> st.SearchStrategy[Any]:
    """What a field of a record may hold."""
    if code not in WIDTHS:
        return st.sampled_from(SIGNATURES) | st.binary(min_size=4, max_size=4)
    top = 2 ** WIDTHS[code] - 1
    special = (
        0,
        1,
        2,
        3,
        8,
        9,
        0x14,
        0x2D,
        0x800,
        len(PHP),
        0o100644 << 16,
        0o120777 << 16,
        0o40755 << 16,
        top,
    )
    powers = st.integers(0, WIDTHS[code] - 1).map(lambda bit: 1 << bit)
    return (
        st.sampled_from([value for value in special if value <= top]) | powers | st.integers(0, top)
    )


def fields(layout: tuple[tuple[str, str], ...]) -> st.SearchStrategy[dict[str, Any]]:
    """One field of a record with another value."""
    return st.sampled_from(layout).flatmap(
        lambda field: values(field[1]).map(lambda value: {field[0]: value})
    )


NAMES = st.sampled_from(
    [b"m/other", b"../x", b"m//x", b"m/.git/x", b"m/m.php/x", b"m/raw", b"m\\x", b"x", b"m/x/"]
)
EXTRAS = st.sampled_from(
    [UX, UX[:-1], longs(1), longs(3, 3), longs(), b"up\x05\0\1abcd", b"\0", b"\0\0\0\0"]
)
bent_items = st.tuples(
    st.integers(0, len(items()) - 1),
    st.one_of(
        fields(LOCAL).map(lambda field: ("local", field)),
        fields(CENTRAL).map(lambda field: ("central", field)),
        fields(CENTRAL[3:10]).map(lambda field: ("both", field)),
        st.tuples(
            st.sampled_from(["local", "central", "both"]), NAMES.map(lambda name: {"name": name})
        ),
        st.tuples(
            st.sampled_from(["local", "central", "both"]),
            EXTRAS.map(lambda extra: {"extra": extra}),
        ),
    ),
).map(lambda drawn: _with_item(drawn[0], *drawn[1]))
bent_ends = st.one_of(
    fields(END).map(lambda field: {"end": field}),
    fields(END_64).map(lambda field: {"end_64": field}),
    fields(LOCATOR).map(lambda field: {"end_64": {}, "locator": field}),
).map(lambda ends: pack(*(Item(**each) for each in items()), **ends))


def _with_item(index: int, where: str, field: dict[str, Any]) -> bytes:
    bent = items()
    bent[index][where] = {**bent[index].get(where, {}), **field}
    return pack(*(Item(**each) for each in bent))


@pytest.mark.skipif(UNZIP is None, reason="unzip is not installed")
@settings(max_examples=law(600))
@given(bent_items | bent_ends)
def test_a_bent_field_is_refused_or_harmless(data: bytes) -> None:
    """An archive with one bent field is refused, or the tool and `unzip` read the same files in it,
    as far as `unzip` reads it at all.
    """
    found = tree(data)
    if found is not None:
        taken, written = by_unzip(data)
        wanted = with_folders(found)
        assert written == (
            wanted if taken else {name: wanted.get(name, b"not there") for name in written}
        )


@settings(max_examples=law(1500))
@given(st.integers(0, len(right()) - 1), st.integers(1, 255))
def test_a_changed_byte_is_refused_or_harmless(at: int, change: int) -> None:
    """An archive with one changed byte is refused, or still holds the same contents; only times and
    modes may differ.
    """
    data = bytearray(right())
    data[at] ^= change
    assert tree(bytes(data)) in (None, tree(right()))


def test_an_archive_that_is_cut_off_is_refused() -> None:
    """An archive that lacks any number of bytes at its end or at its beginning is refused."""
    data = right()
    assert tree(data) is not None
    assert [
        cut
        for cut in range(1, len(data))
        if tree(data[:-cut]) is not None or tree(data[cut:]) is not None
    ] == []


@settings(max_examples=law(800))
@given(st.data())
def test_no_bytes_make_the_reader_raise(data: st.DataObject) -> None:
    """The reader never raises: any bytes, and any archive with bytes put in anywhere, give
    refusals, or entries that are read or damaged.
    """
    archive = data.draw(st.one_of(st.just(right()), bent_items, bent_ends, st.binary(max_size=99)))
    shards = st.lists(st.sampled_from(SIGNATURES) | st.binary(max_size=30), max_size=4)
    for shard in data.draw(shards):
        at = data.draw(st.integers(0, len(archive)))
        over = data.draw(st.booleans())
        archive = archive[:at] + shard + archive[at + len(shard) * over :]
    opened = read_archive(archive)
    assert len(vet("x.zip", opened.entries, opened.flaws)) <= FAULT_LIMIT + 1
    for entry in opened.entries:
        try:
            assert sum(map(len, opened.chunks(entry))) == entry.size
        except Damage as damage:
            assert damage.flaw.entry == entry.name


@given(st.integers(0, len(right())))
def test_a_file_that_shrinks_while_it_is_read(kept: int) -> None:
    """A file that becomes shorter while it is read is refused, and never makes the reader raise."""
    data = right()
    _, flaws = read_structure(lambda offset, count: data[:kept][offset : offset + count], len(data))
    assert bool(flaws) == (kept < len(data))
