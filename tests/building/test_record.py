"""Record, journal and cache as values (`docs/building.md`)."""

import json
import pickle
import time
from hashlib import sha256
from pathlib import Path, PurePath

import msgspec
import pytest
from msgspec.structs import replace

from io_edges.building.cache import OpenCache, save_cache
from io_edges.report.console import Console
from pipeline import __version__
from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.places import Places
from pipeline.building.stores.cache import (
    Cache,
    KnownArchive,
    is_foreign,
    may_be_known,
    read_cache,
    write_cache,
)
from pipeline.building.stores.changes import Change, Run, StoreEntry
from pipeline.building.stores.journal import Journal, read_journal
from pipeline.building.stores.record import (
    FileState,
    Record,
    RecordedComponent,
    archive_name,
    as_recorded,
    is_merging,
    read_record,
    write_record,
)
from pipeline.building.stores.sealed import seal, unseal
from pipeline.building.stores.state import LastBuild
from pipeline.building.stores.tree import GRAIN, SECOND, Tree, shows_changes
from pipeline.report.diagnostics.archives import (
    ArchiveRejected,
    Flaw,
    not_built,
    unrecognised_archive,
)
from pipeline.report.diagnostics.disk import denied

FILE = FileState(digest="d")
LINK = FileState(kind="link", target="a")
COMPONENT = RecordedComponent(
    archive="m.zip", digest="1", content="2", version="1", files={"a": FILE, "l": LINK}
)
RUN = Run(id="1", time="", command=())
RECORD = Record({"modules/m": COMPONENT, "modules/b": COMPONENT})


@pytest.mark.parametrize(
    ("data", "merging"),
    [
        (b'{\n<<<<<<< HEAD\n  "digest": "1",\n=======\n  "digest": "2",\n>>>>>>> theme\n}\n', True),
        (
            (
                b'{\r\n<<<<<<< HEAD\r\n  "digest": "1",\r\n=======\r\n  "digest": "2",\r\n>>>>>>> '
                b"theme\r\n}\r\n"
            ),
            True,
        ),
        (b'{\n<<<<<<< HEAD\n  "digest": "1",\n', False),
        (b'{"name": "<<<<<<< ======= >>>>>>>"}', False),
        (b"", False),
    ],
)
def test_a_record_with_both_sides_of_a_merge(data: bytes, merging: bool) -> None:
    """A record with the conflict marks of git at the beginnings of lines is recognised as such; no
    other record has them.
    """
    assert is_merging(data) == merging
    assert not is_merging(write_record(RECORD))


def test_a_record_is_read_as_it_was_written() -> None:
    """A record can be written and read back, whatever its layout; its components are sorted by
    path.
    """
    data = write_record(RECORD)
    assert read_record(data) == RECORD
    assert data.index(b"modules/b") < data.index(b"modules/m")
    assert read_record(msgspec.json.format(data, indent=0)) == RECORD


@pytest.mark.parametrize("version", ["1.0", "\x7f", "\x1b\b\n", "é", "\udce9", "\\u00e9", "<&/>"])
def test_the_layout_of_a_record(version: str) -> None:
    """A record is indented JSON in ASCII, whatever its texts, with a line for each fact."""
    component = replace(COMPONENT, version=version)
    data = write_record(Record({"modules/m": component, "modules/b": replace(component, files={})}))
    assert data == json.dumps(json.loads(data), indent=2).encode() + b"\n"


def test_a_record_that_was_changed_is_none() -> None:
    """A record is not read if any byte was changed, if it is cut off anywhere, or if it has other
    data or an unsafe path.
    """
    data = write_record(Record({"modules/m": COMPONENT}))
    shown = {i for i in range(len(data)) if not data[i : i + 1].isspace()}
    for place in shown:
        changed = bytearray(data)
        changed[place] ^= 1
        assert read_record(bytes(changed)) is None, data[place - 9 : place + 9]
        assert read_record(data[:place]) is None
    assert (
        read_record(b"[]")
        is read_record(b"")
        is read_record(seal(Record({"modules/../m": COMPONENT})))
        is None
    )


def test_a_record_of_another_version() -> None:
    """A record with more fields, such as times and sizes, or with fewer is read; one of another
    schema is not.
    """
    content = (
        b'{"components":{"modules/m":{"archive":"m.zip","digest":"1","content":"2","new":[1],'
        b'"files":{"a":{"size":3,"mtime":5,"digest":"d"}}}}}'
    )
    sealed = b'{"kind":"record","schema":1,"digest":"%b","content":%b}' % (
        sha256(content).hexdigest().encode(),
        content,
    )
    component = RecordedComponent(archive="m.zip", digest="1", content="2", files={"a": FILE})
    assert read_record(sealed) == Record({"modules/m": component})
    assert read_record(sealed.replace(b'"schema":1', b'"schema":2')) is None


@pytest.mark.parametrize(
    "name", ["", "/a", "a//b", "../a", "a/../b", ".", "a\0", "\ud800", "\udc7f"]
)
def test_a_record_that_leads_elsewhere(name: str) -> None:
    """A record is not read if it has a path that no file of a component can have."""
    assert read_record(seal(Record({"modules/m": replace(COMPONENT, files={name: FILE})}))) is None


def test_a_record_of_files_that_another_process_wrote() -> None:
    """A record has the same bytes, whichever process extracted the files."""
    tree = Tree({**COMPONENT.files, "\udc7f": FILE}, {"a": (1, 2, 3, 4)})
    received = pickle.loads(pickle.dumps(tree))
    assert received == tree
    here = Record({"modules/m": replace(COMPONENT, files=tree.files)})
    there = Record({"modules/m": replace(COMPONENT, files=received.files)})
    assert write_record(there) == write_record(here)


def test_whether_records_differ_depends_on_their_components() -> None:
    """Records differ if their components do, not if only their folders do."""
    folders = Places("themes", "plugins")
    others = [replace(RECORD, folders=folders), Record({"modules/m": COMPONENT}), Record()]
    assert [RECORD.differs_from(other) for other in others] == [False, True, True]


def test_a_record_has_one_order() -> None:
    """A record has the same bytes whatever the order in which its facts were found, and has no
    times.
    """
    turned = replace(COMPONENT, files={"l": LINK, "a": FILE})
    data = write_record(Record({"modules/b": turned, "modules/m": COMPONENT}))
    assert data == write_record(RECORD)
    assert b"time" not in data


@pytest.mark.parametrize(
    ("file", "name"),
    [
        (ArchiveFile(path=PurePath("/d/m.zip"), display_path="m.zip"), "m.zip"),
        (
            ArchiveFile(
                path=PurePath("/d/themes/m.zip"), display_path="themes/m.zip", shelf="themes"
            ),
            "themes/m.zip",
        ),
        (
            ArchiveFile(path=PurePath("/d/m.zip"), display_path="m.zip").at("in/n.zip", "in/n.zip"),
            "m.zip!in/n.zip",
        ),
        (
            ArchiveFile(
                path=PurePath("/x/m.zip"), display_path="../x/m.zip", is_theme_setting=True
            ),
            "m.zip",
        ),
        (
            ArchiveFile(
                path=PurePath("/p/x/m.zip"), display_path="x/m.zip", is_theme_setting=True
            ).at("n"),
            "m.zip!n",
        ),
        (
            ArchiveFile(path=PurePath("/k/1.zip"), display_path="k/1.zip", recorded="in/m.zip"),
            "in/m.zip",
        ),
    ],
)
def test_what_the_record_calls_an_archive(file: ArchiveFile, name: str) -> None:
    """The record names an archive by its path in the drop; one from elsewhere by its file name, as
    its path differs by machine. A kept archive has the name that it had when it was built.
    """
    assert archive_name(file) == name


def test_what_is_recorded() -> None:
    """The record has the files of the archive, without folders, sorted."""
    component = Component(kind="module", name="m", version="3")
    file = ArchiveFile(path=PurePath("/d/m.zip"), display_path="m.zip")
    archive = Archive(file=file, digest="1", content="2", component=component)
    files = {"l": LINK, "empty": FileState(kind="folder"), "a": FILE}
    expected = RecordedComponent(
        archive="m.zip", digest="1", content="2", version="3", files={"a": FILE, "l": LINK}
    )
    assert as_recorded(archive, files) == expected
    assert list(as_recorded(archive, files).files) == ["a", "l"]
    assert as_recorded(replace(archive, component=None), {}).version is None


def test_a_component_comes_from_its_archive() -> None:
    """A component came from an archive if neither the archive's bytes nor the files taken from it
    have changed.
    """
    archive = Archive(
        file=ArchiveFile(path=PurePath("/d/m.zip"), display_path="m.zip"), digest="1", content="2"
    )
    others = (replace(archive, digest="x"), replace(archive, content="x"))
    assert [COMPONENT.comes_from(each) for each in (archive, *others)] == [True, False, False]


OUTSIDE = replace(COMPONENT, files={"../a": FILE})
ELSEWHERE = (
    Change(path="../m", slot="0"),
    Change(path="modules/m", slot="0", backed_up=("a/../../b",)),
    Change(path="modules/m", slot="0", backed_up=("/etc/passwd",)),
    Change(path="modules/m", slot="../m"),
    Change(path="modules/m", slot="0", before={"../a": FILE}),
    Change(path="modules/m", slot="0", entry_before=StoreEntry(OUTSIDE)),
    Change(path="modules/m", slot="0", entry_after=StoreEntry(None, LastBuild(component=OUTSIDE))),
    Change(path="modules/m", slot="0", after={"a/../../b": FILE}),
    Change(path="modules/m", slot="0", aside="modules/m"),
    Change(path="modules/m", slot="0", aside=".tool/backup/1/modules/n"),
    Change(path="modules/m", slot="0", aside=".tool/backup/1/modules/m/../../../../b"),
)
NOTHING = Journal(run=RUN, changes=(), backup=".tool/backup/1")


@pytest.mark.parametrize(
    "journal",
    [
        *(replace(NOTHING, changes=(each,)) for each in ELSEWHERE),
        replace(NOTHING, made=("..",)),
        replace(NOTHING, unmade=("..",)),
        replace(NOTHING, backup="elsewhere"),
        Record(),
    ],
)
def test_a_journal_that_leads_elsewhere(journal: Journal | Record) -> None:
    """A journal is not read if it would move a file out of its component to any place but the
    backup.
    """
    assert read_journal(seal(journal)) is None


def test_a_journal_is_read_as_it_was_written() -> None:
    """A journal can be written and read back."""
    change = Change(
        path="modules/m",
        slot="0",
        entry_after=StoreEntry(COMPONENT),
        before={"a": FILE},
        after={},
        backed_up=("b/a",),
    )
    change = replace(change, aside=".tool/backup/1/modules/m")
    journal = Journal(
        run=RUN, changes=(change,), backup=".tool/backup/20260101-000000-2", made=("modules",)
    )
    assert read_journal(seal(journal)) == journal


FOUND = Archive(
    file=ArchiveFile(path=PurePath("/d/m.zip"), display_path="m.zip", shelf="modules"),
    signature=(1, 2, 3, 4),
    digest="d",
    file_count=1,
    component=Component(kind="module", name="m", version="1"),
    warnings=(not_built("m.zip", "empty"), unrecognised_archive("m.zip", "m")),
)
KNOWN = KnownArchive(FOUND.file, FOUND.signature, (FOUND,))


NOW = 1_000 * SECOND


def test_a_cache_is_read_as_it_was_written() -> None:
    """The facts about archives can be written and read back; a damaged cache is recognised."""
    data = write_cache([KNOWN])
    assert read_cache(data) == Cache(__version__, (KNOWN,))
    assert read_cache(data.replace(b"/d/m.zip", b"/d/n.zip")) is read_cache(data[:-9]) is None


@pytest.mark.parametrize(
    ("signature", "is_shown"),
    [
        ((5, NOW, NOW, 1), False),
        ((5, NOW - SECOND, NOW - SECOND, 1), False),
        ((5, NOW - GRAIN, NOW - SECOND, 1), False),
        ((5, NOW + GRAIN, NOW + GRAIN, 1), False),
        ((5, NOW - GRAIN, NOW - GRAIN, 1), True),
        ((5, NOW, NOW + 4, 1), True),
        ((5, NOW - 4, NOW, 1), True),
        ((), True),
    ],
)
def test_stamps_that_a_change_may_leave_as_they_are(
    signature: tuple[int, ...], is_shown: bool
) -> None:
    """On a disk with times in whole seconds, a file that has just changed may change again without
    a new stat signature.
    """
    assert shows_changes(signature, NOW) is is_shown


def test_a_tree_during_a_run() -> None:
    """A file that gets a link stays known, although that changes one time of its signature; a
    written file replaces what was known.
    """
    tree, written = (
        Tree({"a": FILE, "l": LINK}, {"a": (5, 1, 2, 3)}),
        Tree({"b": FILE}, {"b": (5, 6, 7, 8)}),
    )
    assert tree.linked == Tree(tree.files, {"a": (5, 1, 3)})
    assert tree.with_written(written) == Tree(
        {**tree.files, "b": FILE}, {"a": (5, 1, 2, 3), "b": (5, 6, 7, 8)}
    )


def test_a_cache_on_a_disk_with_times_in_whole_seconds(tmp_path: Path) -> None:
    """An archive that changed during the run is not recognised by its stat signature."""
    now, archive = time.time_ns() // SECOND * SECOND, FOUND.file
    recent, old = (1, now, now, 4), (1, now - GRAIN, now - GRAIN, 4)
    known = [KnownArchive(archive, signature, (FOUND,)) for signature in (recent, old)]
    cache = OpenCache(tmp_path / "cache.json", findings=known)
    save_cache(cache, Console())
    assert read_cache((tmp_path / "cache.json").read_bytes()) == Cache(__version__, (known[1],))


def test_a_cache_of_another_version() -> None:
    """A cache of another version of the tool is ignored, as that may read archives differently."""
    assert read_cache(seal(Cache("0", (KNOWN,)))) == Cache(__version__)


def test_a_cache_that_leads_elsewhere() -> None:
    """A cache with a valid seal is damaged if it has a component or an archive that no run can have
    found.
    """
    evil = Component(kind="module", name="../../evil")
    named = replace(FOUND, component=evil)
    refused = replace(named, refusals=(ArchiveRejected("m.zip", Flaw("it has no safe name")),))
    other = replace(FOUND, file=ArchiveFile(path=PurePath("/etc/x.zip"), display_path="x.zip"))
    for archive, is_read in ((FOUND, True), (named, False), (refused, True), (other, False)):
        assert (
            read_cache(write_cache([KnownArchive(FOUND.file, (1,), (archive,))])) is not None
        ) is is_read


def test_what_the_disk_refused_is_asked_for_again() -> None:
    """An error in an archive is cached until the archive changes; an error of the disk is not
    cached.
    """
    rejected, unread = ArchiveRejected("m.zip", Flaw("it is damaged")), denied("m.zip")
    refused, closed = (replace(FOUND, refusals=(each,)) for each in (rejected, unread))
    assert may_be_known([FOUND, refused])
    assert not may_be_known([FOUND, closed])
    known = KnownArchive(FOUND.file, (1,), (refused,))
    assert read_cache(write_cache([known])) == Cache(__version__, (known,))


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
    """A file with another name that does not begin like a cache is the user's."""
    assert is_foreign(PurePath("/p", name), data) == foreign


def test_names_that_are_not_utf_8() -> None:
    """A name that is not UTF-8, which Python holds as lone surrogates, can be written and read
    back.
    """
    record = Record({"modules/m": replace(COMPONENT, archive="\udce9.zip", files={"\udce9": FILE})})
    assert read_record(write_record(record)) == record


def test_a_sealed_path_must_be_text() -> None:
    """In a sealed file, a path has to be text."""
    sealed = seal(ArchiveFile(path=PurePath("/a"), display_path="a"))
    assert unseal(sealed, ArchiveFile) == ArchiveFile(path=PurePath("/a"), display_path="a")
    other = msgspec.defstruct("ArchiveFile", [("path", int), ("display_path", str)])
    assert unseal(seal(other(1, "a")), ArchiveFile) is None
