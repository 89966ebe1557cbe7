"""Diffs of files, in the form of git."""

import pytest
from msgspec import UNSET

from io_edges.building.git import GIT
from pipeline.building.merging.lines import EXECUTABLE, LINK, FileDiff, Version, file_diffs
from pipeline.report.events import Becoming, DiffEvent, Incomparable

TEN = b"".join(b"%d\n" % number for number in range(1, 11))


def file_diff(path: str, old: Version | None, new: Version | None) -> FileDiff:
    """The diff of one file, by git."""
    (diff,) = file_diffs([(path, old, new)], GIT)
    return diff


def shown(old: Version | None, new: Version | None, path: str = "modules/m/a.php") -> list[str]:
    """The lines of a diff."""
    return file_diff(path, old, new).text.decode().splitlines()


def test_a_change_is_shown_with_three_lines_around_it() -> None:
    """Two changes with few lines between them are one hunk, with the ids that git gives to both contents."""
    new = Version(TEN.replace(b"2\n", b"two\n", 1).replace(b"9\n10\n", b"nine\nhotfix"), EXECUTABLE)
    assert file_diff("modules/m/a.php", Version(TEN, EXECUTABLE), new) == FileDiff(
        DiffEvent("modules/m/a.php", "changed", added=3, removed=3, binary=False),
        b"""\
diff --git a/modules/m/a.php b/modules/m/a.php
index f00c965d83..15799854c4 100755
--- a/modules/m/a.php
+++ b/modules/m/a.php
@@ -1,10 +1,10 @@
 1
-2
+two
 3
 4
 5
 6
 7
 8
-9
-10
+nine
+hotfix
\\ No newline at end of file
""",
    )


def test_changes_far_apart_are_hunks_of_their_own() -> None:
    """Each hunk says where it begins, and how many lines it has if it is not one."""
    long = Version(TEN * 2)
    assert shown(long, Version(b"0\n" + TEN * 2 + b"21"))[4:] == [
        *("@@ -1,3 +1,4 @@", "+0", " 1", " 2", " 3"),
        *("@@ -18,3 +19,4 @@", " 8", " 9", " 10", "+21", "\\ No newline at end of file"),
    ]
    assert shown(Version(b"1\n"), Version(b"2\n"))[4] == "@@ -1 +1 @@"


def test_what_is_added_and_removed_has_one_side() -> None:
    """A file that is not there yet, or not any more, is nothing on the other side; an empty one has no lines."""
    assert shown(None, Version(b"new\n", EXECUTABLE)) == [
        "diff --git a/modules/m/a.php b/modules/m/a.php",
        "new file mode 100755",
        "index 0000000000..3e757656cf",
        "--- /dev/null",
        "+++ b/modules/m/a.php",
        "@@ -0,0 +1 @@",
        "+new",
    ]
    assert shown(Version(b""), None) == [
        "diff --git a/modules/m/a.php b/modules/m/a.php",
        "deleted file mode 100644",
        "index e69de29bb2..0000000000",
    ]


def test_modes_and_kinds_are_shown() -> None:
    """A new mode needs no lines; a link in the place of a file is a file removed and a link added."""
    head = "diff --git a/modules/m/a.php b/modules/m/a.php"
    assert shown(Version(b"a\n"), Version(b"a\n", EXECUTABLE)) == [head, "old mode 100644", "new mode 100755"]
    lines = shown(Version(b"a\n"), Version(b"b.php", LINK))
    assert [line for line in lines if "mode" in line or line[:1] in "-+\\"] == [
        *("deleted file mode 100644", "--- a/modules/m/a.php", "+++ /dev/null", "-a"),
        *("new file mode 120000", "--- /dev/null", "+++ b/modules/m/a.php", "+b.php", "\\ No newline at end of file"),
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("m/a.php", "a/m/a.php"),
        ("m/a b.php", '"a/m/a b.php"'),
        ("m/\u00e9.php", '"a/m/\\303\\251.php"'),
        ('m/"\\\n', '"a/m/\\042\\134\\012"'),
        ("m/\x7f", '"a/m/\\177"'),
        ("m/\udcff", '"a/m/\\377"'),
    ],
)
def test_odd_names_are_quoted(path: str, name: str) -> None:
    """Names are quoted as git does, so that both programs find the file."""
    assert shown(Version(b""), None, path)[0].startswith(f"diff --git {name} ")


@pytest.mark.parametrize(
    ("old", "new", "why", "line"),
    [
        (Version(b"\0"), Version(b"abc"), "binary", "changed, not text, 1 to 3 bytes"),
        (Version(b"\n" * 2_097_153), None, "large", "removed, too large to be compared"),
    ],
)
def test_what_is_not_compared_is_named(old: Version | None, new: Version | None, why: Incomparable, line: str) -> None:
    """What is no text, or larger than 2 MiB, is a line with its sizes."""
    path = "modules/m/a.php"
    becomes: Becoming = "changed" if new else "removed"
    event = DiffEvent(path, becomes, added=0, removed=0, binary=why == "binary", incomparable=why)
    assert file_diff(path, old, new) == FileDiff(event, f"# {path}: {line}\n".encode())


def test_a_text_of_two_mebibytes_is_compared() -> None:
    """It is the largest one that is."""
    diff = file_diff("modules/m/a.php", Version(b"x" * 2_097_152), None)
    assert (diff.event.removed, diff.event.incomparable) == (1, UNSET)
