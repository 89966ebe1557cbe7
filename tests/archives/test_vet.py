"""Vet, run alone: archives that are refused for their table of contents (`docs/archives.md`)."""

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Entry
from pipeline.archives.entry_names import clashes
from pipeline.archives.vet import vet, vet_links
from pipeline.archives.zip.records import with_slashes
from pipeline.archives.zip.structure import FAULT_LIMIT
from pipeline.report.diagnostics.archives import UNPACK, ArchiveRejected, Flaw, Mend
from tests.support.recognition import refusals_of
from tests.support.tables import rows

FILE = Entry(name="a/b.txt", size=1, packed=1)
GIB = 1024**3


def reasons(*entries: Entry, root: str = "") -> list[tuple[str | None, str]]:
    """The entry and the reason of each refusal."""
    return [(refusal.flaw.entry, str(refusal.flaw)) for refusal in refusals_of(entries, root)]


def link(name: str, target: str | None) -> Entry:
    """A symbolic link."""
    return Entry(name=name, kind="link", target=target)


def test_links_of_a_component() -> None:
    """The links of an archive are judged again from the folder of the component."""
    entries = (FILE, link("a/up", "../b"), link("a/c/here", "../b.txt"), FILE)
    mend = Mend("make it relative or leave it out, and pack the archive again")
    flaw = Flaw("it is a link that may leave the component", mend, "a/up")
    assert vet_links("x.zip", entries, "") == ()
    assert vet_links("x.zip", entries, "a/") == (ArchiveRejected("x.zip", flaw),)


def test_what_is_accepted() -> None:
    """Files, folders, executables, links that stay inside, dot-files and long names within the
    limits are accepted.
    """
    entries = (
        Entry(name="a", kind="folder"),
        FILE,
        Entry(name="a/.htaccess", executable=True, method=8),
        link("a/c/here", "../b.txt"),
        link("a/c/there", "./d//e"),
        Entry(name="a/" + "x" * 255),
        Entry(name="/".join("x" * 31)),
        Entry(name="a/ünïcode 😀.txt"),
        Entry(name="a/.gitignore"),
        Entry(name="a/b..c"),
    )
    assert refusals_of(entries, "a/") == ()


@pytest.mark.parametrize(
    ("name", "reason"),
    rows("vet", "names"),
)
def test_names(name: str, reason: str) -> None:
    """A name that is not a plain relative path is refused."""
    assert reasons(FILE, Entry(name=name)) == [(name, reason)]


FOREIGN = "it is compressed by a method other than deflate"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (
            replace(FILE, encrypted=True),
            "it is encrypted; unpack it with its password, and pack it again without one",
        ),
        (replace(FILE, method=12), f"{FOREIGN}; pack it again with `zip`"),
        (replace(FILE, method=9), f"{FOREIGN}; unpack it with 7-Zip, and pack it again with `zip`"),
        (replace(FILE, method=97), f"{FOREIGN}; have it packed again, with another program"),
        (
            replace(FILE, kind="other"),
            (
                "it is neither file, folder nor symbolic link; leave it out, and pack the archive "
                "again"
            ),
        ),
        (
            replace(FILE, kind="folder"),
            "it is a folder with data; have it packed again, with another program",
        ),
    ],
)
def test_entries(entry: Entry, reason: str) -> None:
    """An entry that cannot be written as a plain file, folder or link is refused."""
    assert reasons(entry) == [("a/b.txt", reason)]


@pytest.mark.parametrize(
    "target",
    [
        "/etc/passwd",
        "../../x",
        "../..",
        "c/../../../x",
        "b/..",
        "C:\\x",
        "..\\x",
        "",
        None,
        "a\nb",
        "\udcff",
    ],
)
def test_links_that_may_leave(target: str | None) -> None:
    """A link is refused if it is absolute, climbs above the component, or climbs after it went
    down.
    """
    assert reasons(link("a/b/c", target), root="a/") == [
        (
            "a/b/c",
            (
                "it is a link that may leave the component; make it relative or leave it out, and "
                "pack the archive again"
            ),
        )
    ]


@pytest.mark.parametrize(
    ("entries", "name", "reason"),
    [
        ((FILE, FILE), "a/b.txt", "another entry has its name"),
        ((Entry(name="\u00e9"), Entry(name="e\u0301")), "e\u0301", "another entry has its name"),
        (
            (Entry(name="\u00e9/a"), Entry(name="e\u0301/b")),
            "e\u0301",
            "another entry has its name",
        ),
        ((Entry(name="a"), FILE), "a/b.txt", "it lies below `a`, which is a file"),
        (
            (Entry(name="a/b.txt/c/d"), FILE),
            "a/b.txt/c/d",
            "it lies below `a/b.txt`, which is a file",
        ),
        ((link("a", "c"), FILE), "a/b.txt", "it lies below `a`, which is a link"),
        ((Entry(name="a", kind="other"), FILE), "a/b.txt", "it lies below `a`, which is no folder"),
    ],
)
def test_entries_that_contradict_each_other(
    entries: tuple[Entry, ...], name: str, reason: str
) -> None:
    """One name twice, also after Unicode normalisation, or a file or link that is used as a
    folder, is refused.
    """
    contradictions = [
        each for each in reasons(*entries) if "neither file, folder nor" not in each[1]
    ]
    assert contradictions == [
        (name, f"{reason}; leave one of the two out, and pack the archive again")
    ]


@pytest.mark.parametrize(
    ("sizes", "refused"),
    [
        ([(2 * GIB, GIB)], []),
        (
            [(2 * GIB, GIB), (1, 1)],
            ["more than 2 GiB would come out of it; pack only what you need of it"],
        ),
        ([(64 * 1024**2, 1)], []),
        ([(64 * 1024**2 + 1, 1)], ["it would grow more than 100 times; do not use the archive"]),
        ([(100 * 1024**2, 1024**2)], []),
        (
            [(100 * 1024**2 + 1, 1024**2)],
            ["it would grow more than 100 times; do not use the archive"],
        ),
    ],
)
def test_sizes(sizes: list[tuple[int, int]], refused: list[str]) -> None:
    """An archive may unpack to at most 2 GiB and, beyond 64 MiB, to at most 100 times its size."""
    entries = (
        Entry(name=str(index), size=size, packed=packed)
        for index, (size, packed) in enumerate(sizes)
    )
    assert [reason for _, reason in reasons(*entries)] == refused


def test_the_number_of_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many entries as the limit are accepted, and not one more; the limit is 100,000."""
    monkeypatch.setattr("pipeline.archives.vet.ENTRY_LIMIT", 100)
    entries = tuple(Entry(name=str(index)) for index in range(101))
    assert [vet("x.zip", entries[1:]), vet("x.zip", entries)] == [
        (),
        (
            ArchiveRejected(
                "x.zip",
                Flaw("it has more than 100,000 entries", Mend("pack only what you need of it")),
            ),
        ),
    ]


def test_many_refusals() -> None:
    """Of an archive with many bad entries, the first twenty are reported, and that there are
    more.
    """
    entries = tuple(Entry(name=f"../{index}") for index in range(30))
    reported = [(f"../{index}", "its name has `..`; do not use the archive") for index in range(20)]
    assert reasons(*entries[:20]) == reported
    assert reasons(*entries) == [*reported, (None, "more is wrong with it than these")]


def test_what_was_found_before() -> None:
    """Faults of the records are reported first, and are the only ones reported of their entry."""
    found = (Flaw("its headers disagree", entry="/a"), Flaw("bytes lie before it"))
    assert vet("x.zip", (Entry(name="/a"), Entry(name="/b")), record_flaws=found) == (
        ArchiveRejected("x.zip", Flaw("its headers disagree", entry="/a")),
        ArchiveRejected("x.zip", Flaw("bytes lie before it")),
        ArchiveRejected("x.zip", Flaw("its name is absolute", UNPACK, "/b")),
    )


def test_names_that_differ_in_case() -> None:
    """Paths of entries or folders that differ only in case are reported in pairs."""
    assert clashes(("a/Read.me", "a/read.me", "a/README", "A/x", "b")) == (
        ("a", "A"),
        ("a/Read.me", "a/read.me"),
    )
    assert clashes(("straße", "STRASSE", "\u00c9", "e\u0301")) == (
        ("straße", "STRASSE"),
        ("\u00c9", "e\u0301"),
    )
    assert clashes(("a", "a/b", "a/b")) == ()
    assert vet("x.zip", (Entry(name="a"), Entry(name="A"))) == ()


def test_every_refusal_is_reported() -> None:
    """Each bad entry is reported once."""
    assert reasons(Entry(name="../a\n"), Entry(name="/b", encrypted=True)) == [
        ("../a\n", "its name has a control or bidirectional character; do not use the archive"),
        ("/b", "its name is absolute; unpack it, and pack it again with `zip`"),
    ]


def test_backslashes() -> None:
    """A backslash separates folders if no name has a slash; otherwise it is part of the name."""
    assert with_slashes(("a\\b", "c\\")) == ("a/b", "c/")
    assert with_slashes(("a\\b", "c/d")) == ("a\\b", "c/d")


def test_more_is_wrong_with_the_records_than_is_reported() -> None:
    """If more is wrong with the records than is reported, entries are not checked, and the whole
    archive is refused.
    """
    records = tuple(
        Flaw("it overlaps another", entry=f"e{number}") for number in range(FAULT_LIMIT + 1)
    )
    reported = tuple(ArchiveRejected("m.zip", flaw) for flaw in records[:FAULT_LIMIT])
    more = ArchiveRejected("m.zip", Flaw("more is wrong with it than these"))
    assert vet("m.zip", (Entry(name="/etc/passwd"),), records) == (*reported, more)
