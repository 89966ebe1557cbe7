"""The reader of archives, given files that are large, special, or changed while they are read."""

import os
from pathlib import Path

import pytest

from io_edges.archives.data import Damage
from io_edges.archives.zips import OpenArchive, open_archive, read_archive
from pipeline.archives.archive import Entry
from pipeline.archives.zip.structure import FAULT_LIMIT, read_structure
from pipeline.report.diagnostics.archives import ANEW, Flaw
from tests.support.zip_writer import LINK, Item, pack

NOISE = os.urandom(3_000_000)
ITEMS = (
    Item(name=b"m/stored", data=NOISE, method=0),
    Item(name=b"m/deflated", data=NOISE),
    Item(name=b"m/link", data=b"stored", method=0, mode=LINK),
    *(Item(name=b"m/%d" % index, data=b"%d" % index * 99) for index in range(2000)),
)


def contents(opened: OpenArchive) -> dict[bytes, bytes]:
    """Everything in an archive."""
    return {entry.name.encode(): b"".join(opened.chunks(entry)) for entry in opened.entries}


def test_a_large_archive(tmp_path: Path) -> None:
    """A large archive, which is not read as a whole, gives its contents in any order, from a file
    and from memory.
    """
    data, expected = pack(*ITEMS), {item.name: item.data for item in ITEMS}
    path = tmp_path / "m.zip"
    path.write_bytes(data)
    with open_archive(path) as opened:
        assert contents(opened) == expected
        assert opened.flaws == ()
        backwards = {
            entry.name.encode(): b"".join(opened.chunks(entry))
            for entry in reversed(opened.entries)
        }
        assert backwards == expected
    assert contents(read_archive(data)) == expected


def test_only_a_file_is_an_archive(tmp_path: Path) -> None:
    """Only a file is an archive: a folder is damage, and so is a pipe, for which nothing waits; a
    missing file is an error of the disk.
    """
    os.mkfifo(tmp_path / "m.zip")
    with pytest.raises(Damage, match="it is not a file"), open_archive(tmp_path / "m.zip"):
        pass
    with pytest.raises(Damage, match="it is not a file"), open_archive(tmp_path):
        pass
    with pytest.raises(FileNotFoundError), open_archive(tmp_path / "missing.zip"):
        pass


@pytest.mark.parametrize("items", [ITEMS[:2], ITEMS[2:9]], ids=["large", "small"])
def test_a_file_that_is_replaced(tmp_path: Path, items: tuple[Item, ...]) -> None:
    """An archive that is replaced while it is open is still read as it was: the archive that was
    judged is the one that is built.
    """
    path, other = tmp_path / "m.zip", tmp_path / "other.zip"
    path.write_bytes(pack(*items))
    other.write_bytes(pack(*(Item(name=item.name, data=item.data[::-1]) for item in items)))
    with open_archive(path) as opened:
        other.replace(path)
        assert contents(opened) == {item.name: item.data for item in items}


def test_a_file_that_is_overwritten(tmp_path: Path) -> None:
    """An archive that is overwritten or cut off while it is open is damage."""
    path = tmp_path / "m.zip"
    path.write_bytes(pack(*ITEMS[:2]))
    with open_archive(path) as opened:
        with path.open("r+b") as file:
            file.seek(2_000_000)
            file.write(b"other bytes than those that were there")
        with pytest.raises(Damage, match="not what its checksum says"):
            b"".join(opened.chunks(opened.entries[0]))
        os.truncate(path, 1_000_000)
        with pytest.raises(Damage, match="cut off while it was read"):
            b"".join(opened.chunks(opened.entries[0]))
        with pytest.raises(Damage, match="cut off while it was read"):
            b"".join(opened.chunks(opened.entries[1]))


def test_damage_is_reported_at_once() -> None:
    """An entry gives no more than it declares, to the byte, however much it holds."""
    data = pack(Item(name=b"m/x", data=NOISE, both={"size": 1_000_000}))
    opened = read_archive(data)
    count = 0
    with pytest.raises(Damage, match="more than the 1,000,000 bytes"):
        for chunk in opened.chunks(opened.entries[0]):
            count += len(chunk)
    assert count <= 1_000_000


def test_an_entry_that_is_not_there() -> None:
    """An entry of another archive counts as damage."""
    opened = read_archive(pack(ITEMS[0]))
    with pytest.raises(Damage, match="it cannot be read"):
        b"".join(opened.chunks(Entry(name="m/other")))


def test_few_of_many_faults_are_looked_for() -> None:
    """In an archive with many faults, the search ends one fault after the reported ones, and no
    entry is given.
    """
    items = [Item(name=b"m/%d" % index, local={"method": 12}) for index in range(3 * FAULT_LIMIT)]
    data = pack(*items)
    offsets = []

    def read(offset: int, count: int) -> bytes:
        offsets.append(offset)
        return data[offset : offset + count]

    entries, flaws = read_structure(read, len(data))
    flaw = Flaw("its two headers disagree about its method", ANEW)
    assert flaws == tuple(flaw.at(f"m/{index}") for index in range(FAULT_LIMIT + 1))
    assert entries == ()
    assert len(offsets) < 2 * FAULT_LIMIT, offsets


@pytest.mark.parametrize(("size", "is_refused"), [(10_239, False), (10_240, True)])
def test_a_last_block_that_is_filled_up(size: int, is_refused: bool) -> None:
    """The end record may be followed by zeros up to the end of a block of 10,240 bytes, but not by
    a whole block.
    """
    headers = len(pack(Item(name=b"m/a", data=b"", method=0)))
    data = pack(Item(name=b"m/a", data=bytes(size - headers), method=0))
    filled = data + bytes(10_240 - size % 10_240)
    _, flaws = read_structure(lambda offset, count: filled[offset : offset + count], len(filled))
    assert (len(data), bool(flaws)) == (size, is_refused)
