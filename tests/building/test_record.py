"""Record, journal and cache as values: what is the user's, what was done, what is known (`docs/building.md`)."""

from hashlib import sha256
from pathlib import PurePath

import msgspec
import pytest

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.building.cache import Known, is_built, is_foreign, may_be_known, read_cache, write_cache
from pipeline.building.journal import Journal, Swap, read_journal, settled
from pipeline.building.record import (
    FileState,
    Record,
    RecordedComponent,
    changed_since,
    is_untouched,
    read_record,
    users_contents,
    users_files,
    without_times,
    write_record,
)
from pipeline.building.sealed import seal, unseal
from pipeline.report.build_notes import EmptyArchive, UnrecognisedArchive
from pipeline.report.build_problems import ArchiveRejected, FileSystemProblem

FILE = FileState(size=3, mtime=5, digest="d")
LINK = FileState(kind="link", target="a")
COMPONENT = RecordedComponent(archive="m.zip", digest="1", content="2", files={"a": FILE, "l": LINK})
RECORD = Record({"modules/m": COMPONENT, "modules/b": COMPONENT})


def state(**fields: object) -> FileState:
    """The file with other fields."""
    return msgspec.structs.replace(FILE, **fields)


def test_a_record_is_read_as_it_was_written() -> None:
    """A record survives the file, whatever its layout; its components are in order of their paths."""
    data = write_record(RECORD)
    assert read_record(data) == RECORD
    assert data.index(b"modules/b") < data.index(b"modules/m")
    assert read_record(msgspec.json.format(data, indent=0)) == RECORD


def test_a_record_that_was_changed_is_none() -> None:
    """A record with any byte changed, or cut off anywhere, is not read; nor is one of other data, or of a bad path."""
    data = write_record(Record({"modules/m": COMPONENT}))
    shown = {i for i in range(len(data)) if not data[i : i + 1].isspace()}
    for place in shown:
        changed = bytearray(data)
        changed[place] ^= 1
        assert read_record(bytes(changed)) is None, data[place - 9 : place + 9]
        assert read_record(data[:place]) is None
    assert read_record(b"[]") is read_record(b"") is read_record(seal(Record({"modules/../m": COMPONENT}))) is None


@pytest.mark.parametrize(
    ("seen", "changed"),
    [
        ({"a": FILE, "l": LINK}, ()),
        ({"a": state(digest="")}, ()),
        ({"a": state(mtime=6)}, ("a",)),
        ({"a": state(size=4)}, ("a",)),
        ({"a": state(executable=True)}, ("a",)),
        ({"a": LINK, "l": msgspec.structs.replace(LINK, target="b")}, ("a", "l")),
        ({"l": msgspec.structs.replace(LINK, mtime=7)}, ()),
        ({"a": FILE, "new": FILE, "pipe": FileState(kind="other")}, ("new", "pipe")),
    ],
)
def test_what_a_glance_tells(seen: dict[str, FileState], changed: tuple[str, ...]) -> None:
    """A file is as it was by size, time, mode and target; a component is untouched if all are."""
    assert changed_since(COMPONENT.files, seen) == changed
    assert is_untouched(COMPONENT.files, seen) == (not changed and seen.keys() == COMPONENT.files.keys())


@pytest.mark.parametrize(
    ("read", "users"),
    [
        ({"a": state(mtime=9, size=3), "l": LINK}, ()),
        ({}, ()),
        ({"a": state(digest="e")}, ("a",)),
        ({"a": state(executable=True)}, ("a",)),
        ({"a": LINK, "b/new": FILE}, ("a", "b/new")),
    ],
)
def test_what_is_the_users(read: dict[str, FileState], users: tuple[str, ...]) -> None:
    """A file is the user's if its content, mode or target is not what was written, or nothing was.

    Its mode does not count where nothing is known to have been written.
    """
    modes_alone = read == {"a": state(executable=True)}
    assert users_files(COMPONENT.files, read) == users
    assert users_contents(COMPONENT.files, read) == (() if modes_alone else users)


def test_a_component_comes_from_its_archive() -> None:
    """An archive gives a component again if neither its bytes nor what is taken from it have changed."""
    archive = Archive(file=ArchiveFile(path=PurePath("/d/m.zip"), display_path="m.zip"), digest="1", content="2")
    others = (msgspec.structs.replace(archive, digest="x"), msgspec.structs.replace(archive, content="x"))
    assert [COMPONENT.comes_from(each) for each in (archive, *others)] == [True, False, False]


def test_what_a_killed_run_has_done() -> None:
    """The record of before takes over the swaps that are done: what came, what was replaced, what was taken away."""
    new = msgspec.structs.replace(COMPONENT, digest="new")
    swaps = (
        Swap(path="modules/m", slot="0", inode=1, replaces=True, component=new),
        Swap(path="modules/n", slot="1", inode=2, component=new),
        Swap(path="modules/b", slot="2", replaces=True),
    )
    journal = Journal(swaps=swaps, backup=".tool-backup/1")
    assert settled(RECORD, journal, ()) == RECORD
    assert settled(RECORD, journal, {"modules/m", "modules/n", "modules/b"}) == Record(
        {"modules/m": new, "modules/n": new}
    )
    assert swaps[0].aside == "0~"


@pytest.mark.parametrize(
    "journal",
    [
        Journal(swaps=(Swap(path="../m", slot="0"),), backup=".tool-backup/1"),
        Journal(swaps=(Swap(path="modules/m", slot="0", users=("a/../../b",)),), backup=".tool-backup/1"),
        Journal(swaps=(Swap(path="modules/m", slot="0", users=("/etc/passwd",)),), backup=".tool-backup/1"),
        Journal(swaps=(Swap(path="modules/m", slot="../m"),), backup=".tool-backup/1"),
        Journal(swaps=(Swap(path="modules/m", slot="0", seen={"../a": FILE}),), backup=".tool-backup/1"),
        Journal(swaps=(), backup=".tool-backup/1", made=("..",)),
        Journal(swaps=(), backup="elsewhere"),
        Record(),
    ],
)
def test_a_journal_that_leads_elsewhere(journal: Journal | Record) -> None:
    """A journal that would move anything out of a component or to another place than the backup is not read."""
    assert read_journal(seal(journal)) is None


def test_a_journal_is_read_as_it_was_written() -> None:
    """A journal survives the file."""
    swap = Swap(
        path="modules/m", slot="0", inode=1, replaces=True, component=COMPONENT, seen={"a": FILE}, users=("b/a",)
    )
    journal = Journal(swaps=(swap,), backup=".tool-backup/20260101-000000-2", made=("modules",))
    assert read_journal(seal(journal)) == journal


FOUND = Archive(
    file=ArchiveFile(path=PurePath("/d/m.zip"), display_path="m.zip", shelf="modules"),
    stamp=(1, 2, 3, 4),
    digest="d",
    files=1,
    component=Component(kind="module", name="m", version="1"),
    notes=(EmptyArchive("m.zip"), UnrecognisedArchive("m.zip", "m")),
)
KNOWN = Known(FOUND.file, FOUND.stamp, (FOUND,))


def test_a_cache_is_read_as_it_was_written() -> None:
    """What is known of archives survives the file; what another version wrote is as good as nothing."""
    data = write_cache([KNOWN])
    assert read_cache(data) == (KNOWN,)
    assert read_cache(data.replace(b"/d/m.zip", b"/d/n.zip")) is read_cache(data[:-9]) is None


def test_a_cache_of_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version may see something else in an archive, so that its cache is passed over."""
    data = write_cache([KNOWN])
    monkeypatch.setattr("pipeline.building.cache.__version__", "0")
    assert read_cache(data) == ()


def test_what_the_disk_refused_is_asked_for_again() -> None:
    """What is wrong with an archive stays so until it changes; what is wrong with the disk may pass."""
    rejected, unread = ArchiveRejected("m.zip", "it is damaged"), FileSystemProblem("m.zip", "permission denied")
    refused, closed = (msgspec.structs.replace(FOUND, refusals=(each,)) for each in (rejected, unread))
    assert (may_be_known([FOUND, refused]), may_be_known([FOUND, closed])) == (True, False)
    assert read_cache(write_cache([Known(FOUND.file, (1,), (refused,))])) == (Known(FOUND.file, (1,), (refused,)),)


@pytest.mark.parametrize(
    ("name", "data", "foreign"),
    [
        (".tool-cache.json", b"garbage", False),
        ("package.json", b"{}", True),
        ("other.json", b"", False),
        ("other.json", b'{"digest":"sha256:0"}', True),
        (".tool-manifest.json", b"", True),
        ("other.json", write_cache([KNOWN])[:20], False),
        ("other.json", write_cache([KNOWN])[:9], False),
    ],
)
def test_what_is_no_cache(name: str, data: bytes, foreign: bool) -> None:
    """A file of another name that does not begin as a cache does is the user's."""
    assert is_foreign(PurePath("/p", name), data) == foreign


def test_other_fields_are_no_damage() -> None:
    """A record of a version that knows more fields, or fewer, is read; one of another schema is not."""
    content = b'{"components":{"modules/m":{"archive":"a","digest":"1","content":"2","files":{},"new":[1]}}}'
    sealed = b'{"kind":"record","schema":1,"digest":"%b","content":%b}' % (
        sha256(content).hexdigest().encode(),
        content,
    )
    component = RecordedComponent(archive="a", digest="1", content="2", files={})
    assert read_record(sealed) == Record({"modules/m": component})
    assert read_record(sealed.replace(b'"schema":1', b'"schema":2')) is None


def test_names_that_are_not_utf_8() -> None:
    """A name of other bytes, which Python knows by lone surrogates, survives the file."""
    record = Record({"modules/m": msgspec.structs.replace(COMPONENT, archive="\udce9.zip", files={"\udce9": FILE})})
    assert read_record(write_record(record)) == record


def test_a_record_without_times() -> None:
    """Two records that differ in times alone say the same of what was written."""
    later = msgspec.structs.replace(COMPONENT, files={"a": state(mtime=9), "l": LINK})
    other = msgspec.structs.replace(COMPONENT, files={"a": state(digest="e"), "l": LINK})
    told = [without_times(Record({"modules/m": each})) for each in (COMPONENT, later, other)]
    assert (told[0] == told[1], told[0] == told[2]) == (True, False)


def test_a_sealed_path_must_be_text() -> None:
    """A path is text in the file; anything else there is no path."""
    sealed = seal(ArchiveFile(path=PurePath("/a"), display_path="a"))
    assert unseal(sealed, ArchiveFile) == ArchiveFile(path=PurePath("/a"), display_path="a")
    other = msgspec.defstruct("ArchiveFile", [("path", int), ("display_path", str)])
    assert unseal(seal(other(1, "a")), ArchiveFile) is None


@pytest.mark.parametrize(
    ("file", "built"),
    [
        ("/p/.tool-cache.json", False),
        ("/p/themes/c.json", False),
        ("/p/themes/t/a/c.json", True),
        ("/p/modules/m/c.json", True),
        ("/p/.tool-staging/c.json", True),
        ("/p/.tool-backup/c.json", True),
        ("/p/modules.json", False),
        ("/q/modules/c.json", False),
    ],
)
def test_a_cache_among_what_is_built(file: str, built: bool) -> None:
    """A cache file does not belong where components, staging and backups of the same project lie."""
    assert is_built(PurePath(file), PurePath("/p")) == built
