"""The opener of archives: how often it reads an archive and its entries."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from io_edges.archives import zips
from io_edges.archives.data import Damage
from io_edges.archives.examine import look_into
from io_edges.building.contents import contents_of, targets_at
from io_edges.building.project import ProjectView
from io_edges.system.folder import Folder
from pipeline.archives import archive as archives
from pipeline.archives.archive import ArchiveFile, Entry, EntryIndex
from pipeline.archives.entry_names import is_junk
from pipeline.archives.zip.structure import Read, read_structure
from pipeline.building.stores.record import Record
from pipeline.building.stores.state import State
from pipeline.selection.choices import Choice, Reason
from tests.support.zip_writer import Item, pack

COMPONENTS, FILES = 30, 10
NAMES = tuple(f"m{number:03}" for number in range(COMPONENTS))


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the structure of an archive is read, and an entry is looked at for the contents of
    a component.
    """
    counts: Counter[str] = Counter()

    def counted_read(read: Read, size: int) -> object:
        counts["structures"] += 1
        return read_structure(read, size)

    def counted_junk(name: str) -> bool:
        counts["entries"] += 1
        return is_junk(name)

    monkeypatch.setattr(zips, "read_structure", counted_read)
    monkeypatch.setattr(archives, "is_junk", counted_junk)
    return counts


def module(name: str, prefix: str = "") -> list[Item]:
    """The entries of a module of `FILES` files."""
    described = Item(
        name=f"{prefix}{name}/module.json".encode(), data=f'{{"name": "{name}"}}'.encode()
    )
    return [
        described,
        *(Item(name=f"{prefix}{name}/{number}".encode()) for number in range(1, FILES)),
    ]


def choices_in(path: Path, content: bytes) -> list[Choice]:
    """Every component of an archive, as selected."""
    path.write_bytes(content)
    found = look_into(ArchiveFile(path=path, display_path=path.name))
    return [
        Choice(each, each.component, True, Reason("unmentioned"))
        for each in found
        if each.component
    ]


def test_taking_over_a_bundle_of_folders(tmp_path: Path, work: Counter[str]) -> None:
    """If a bundle is compared with a project that has no record, the bundle is read once, and so is
    each entry.
    """
    items = [item for name in NAMES for item in module(name)]
    choices = choices_in(tmp_path / "bundle.zip", pack(*items))
    for item in items:
        path = tmp_path / "modules" / item.name.decode()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(item.data)
    work.clear()
    with Folder.at(str(tmp_path)) as folder:
        view = ProjectView(tmp_path, folder, Record(), State())
        targets = targets_at([choice.path for choice in choices], view)
        files = [each.unwrap() for each in contents_of(choices, zips.Vetted())]
    assert files == [target.files for target in targets.values()]
    assert list(map(len, files)) == [FILES] * COMPONENTS
    assert work == {"structures": 1, "entries": COMPONENTS * FILES}


def test_a_bundle_of_archives(tmp_path: Path, work: Counter[str]) -> None:
    """A bundle of archives is opened once, and so is each archive in it, however many components it
    has.
    """
    inner = {name: pack(*module("a", f"{name}-"), *module("b", f"{name}-")) for name in NAMES}
    outer = pack(*(Item(name=f"{name}.zip".encode(), data=data) for name, data in inner.items()))
    path = tmp_path / "bundle.zip"
    path.write_bytes(outer)
    file = ArchiveFile(path=path, display_path="bundle.zip")
    with zips.Opener() as opener:
        for name in NAMES:
            for folder in ("a", "b"):
                vetted = opener.open(file.at(f"{name}.zip", inner=f"{name}.zip").at(folder))
                below = vetted.index.below(f"{name}-{folder}/")
                assert vetted.flaws == ()
                assert len(below) == FILES
    assert work == {"structures": 1 + COMPONENTS}


def test_records_are_read_once(tmp_path: Path, work: Counter[str]) -> None:
    """The records of an archive are read and judged once in a run, as long as the file does not
    change.
    """
    path, other = tmp_path / "m.zip", tmp_path / "other"
    path.write_bytes(pack(*module("m")))
    other.write_bytes(pack(*module("n")))
    file, vetted = ArchiveFile(path=path, display_path="m.zip"), zips.Vetted()
    look_into(file, vetted)
    with zips.Opener(vetted) as opener:
        known = opener.open(file)
        content = [b"".join(known.chunks(entry)) for entry in known.entries]
    assert content == [item.data for item in module("m")]
    assert work["structures"] == 1
    other.replace(path)
    with zips.Opener(vetted) as opener:
        names = [entry.name for entry in opener.open(file).entries]
    assert names == [item.name.decode() for item in module("n")]
    assert work["structures"] == 2


def test_what_is_kept_of_archives(tmp_path: Path) -> None:
    """Only harmless archives are kept in memory, and only as far as there is room."""
    contents = {"a": pack(*module("a")), "b": pack(*module("b")), "c": pack(*module("../c"))}
    vetted = zips.Vetted(room=50 * FILES)
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        look_into(ArchiveFile(path=tmp_path / name, display_path=name), vetted)
    assert [*vetted.archives] == [tmp_path / "a"]


def test_an_index_looks_at_each_entry_once() -> None:
    """Folders are found in an index without another look at the entries; the archive's
    order is kept.
    """
    looks: Counter[str] = Counter()

    def entries() -> Iterator[Entry]:
        for name in ("b/2", "a-b/1", "b/1/x", "a", "b.txt", "a/1", "b"):
            looks[name] += 1
            yield Entry(name=name)

    index = EntryIndex(entries())
    below = {
        folder: [entry.name for entry in index.below(folder)]
        for folder in ("b/", "a/", "b/1/", "c/")
    }
    assert below == {"b/": ["b/2", "b/1/x"], "a/": ["a/1"], "b/1/": ["b/1/x"], "c/": []}
    assert [entry.name for entry in index.below("")] == [
        "b/2",
        "a-b/1",
        "b/1/x",
        "a",
        "b.txt",
        "a/1",
        "b",
    ]
    assert set(looks.values()) == {1}


def test_an_archive_that_is_gone_from_its_bundle(tmp_path: Path) -> None:
    """If a bundle is replaced by one without the archive, the archive is reported as damaged."""
    path = tmp_path / "bundle.zip"
    path.write_bytes(pack(Item()))
    file = ArchiveFile(path=path, display_path="bundle.zip").at("m.zip", inner="m.zip")
    with zips.Opener() as opener, pytest.raises(Damage) as caught:
        opener.open(file)
    assert str(caught.value.flaw) == "it changed while it was read; run the command again"
    assert caught.value.flaw.entry == "m.zip"
