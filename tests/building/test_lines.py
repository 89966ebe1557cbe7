"""Merging and comparing texts by lines: clean merges, touching changes, and files that are not
compared.
"""

import pytest
from msgspec import UNSET

from io_edges.building.git import GIT
from pipeline.building.merging.lines import (
    EXECUTABLE,
    LINK,
    FileDiff,
    Unmerged,
    Version,
    file_diffs,
    lines_of,
    merge_lines,
)
from pipeline.report.events import Becoming, DiffEvent, Incomparable

ONE_TO_NINE = b"".join(b"%d\n" % number for number in range(1, 10))


def merged(base: bytes, mine: bytes, theirs: bytes) -> bytes | Unmerged:
    """Merge by git."""
    return merge_lines(base, mine, theirs, GIT)


def edited(content: bytes = ONE_TO_NINE, **lines: str) -> bytes:
    """A text with other lines in the places of some: `l3="three"`."""
    numbered = lines_of(content)
    for name, line in lines.items():
        numbered[int(name[1:]) - 1] = line.encode()
    return b"".join(numbered)


def test_changes_apart_are_put_together() -> None:
    """Lines that either side changed, inserted or removed are changed, inserted or removed in the
    result.
    """
    mine, theirs = edited(l2="two\n", l6="6\nhotfix\n"), edited(l4="", l9="nine\n")
    assert merged(ONE_TO_NINE, mine, theirs) == b"1\ntwo\n3\n5\n6\nhotfix\n7\n8\nnine\n"


@pytest.mark.parametrize(
    ("mine", "theirs", "lines"),
    [
        (edited(l3="mine\n"), edited(l3="theirs\n"), ((3, 3),)),
        (edited(l3="mine\n"), edited(l4="theirs\n"), ((3, 4),)),
        (edited(l3=""), edited(l3="theirs\n"), ((2, 2),)),
        (edited(l1="", l2=""), edited(l1="theirs\n"), ((1, 1),)),
        (b"", edited(l1="theirs\n"), ((1, 1),)),
        (edited(l9="9\nmine\n"), edited(l9="9\ntheirs\n"), ((10, 10),)),
        (edited(l9="9\nmine\n"), edited(l9="9"), ((9, 10),)),
        (edited(l2="a\nb\n", l7="mine\n"), edited(l2="b\n", l7="theirs\n"), ((2, 2), (8, 8))),
    ],
)
def test_changes_that_touch_are_told_by_their_lines(
    mine: bytes, theirs: bytes, lines: object
) -> None:
    """If both sides change a line, or lines next to each other, the lines in the user's text are
    reported.
    """
    result = merged(ONE_TO_NINE, mine, theirs)
    assert isinstance(result, Unmerged)
    assert (result.why, result.lines) == ("touching", lines)


def test_what_is_no_text_is_not_merged() -> None:
    """A file with a NUL is only merged if one side has not changed it; a file that is too large is
    never merged.
    """
    assert merged(ONE_TO_NINE, edited(l1="one\n"), edited(l9="\0\n")) == Unmerged("binary")
    assert (
        merged(ONE_TO_NINE, ONE_TO_NINE, b"\0") == merged(ONE_TO_NINE, b"\0", ONE_TO_NINE) == b"\0"
    )
    large = ONE_TO_NINE + b"x" * (2_097_152 - len(ONE_TO_NINE))
    assert merged(ONE_TO_NINE, edited(l1="one\n"), large + b"x") == Unmerged("large")
    assert merged(ONE_TO_NINE, edited(l1="one\n"), large) == large.replace(b"1\n", b"one\n", 1)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_marks_in_a_text_are_text(end: str) -> None:
    """Lines that look like the marks of a conflict are lines like any other, with every end."""
    marks = f"<<<<<<< mine{end}======={end}>>>>>>> theirs{end}"
    base = "".join(f"{number}{end}" for number in range(1, 10)).replace(f"5{end}", marks)
    mine, theirs = (base.replace(f"8{end}", f"{name}{end}") for name in ("eight", "acht"))
    result = merged(base.encode(), mine.encode(), theirs.encode())
    assert isinstance(result, Unmerged)
    assert result.lines == ((10, 10),)
    assert merged(base.encode(), mine.encode(), (base + marks).encode()) == (mine + marks).encode()


def test_lines_are_those_of_the_user() -> None:
    """Reported lines are counted in the user's text; lines that the archive adds or removes above
    make no difference.
    """
    theirs = edited(l1="1\n1a\n1b\n", l4="", l8="acht\n")
    result = merged(ONE_TO_NINE, edited(l8="eight\nhotfix\n"), theirs)
    assert isinstance(result, Unmerged)
    assert result.lines == ((8, 9),)


TEN = b"".join(b"%d\n" % number for number in range(1, 11))


def file_diff(path: str, old: Version | None, new: Version | None) -> FileDiff:
    """The diff of one file, by git."""
    (diff,) = file_diffs([(path, old, new)], GIT)
    return diff


def shown(old: Version, new: Version) -> list[str]:
    """The lines of a diff."""
    return file_diff("modules/m/a.php", old, new).text.decode().splitlines()


def test_an_odd_name_is_quoted() -> None:
    """A name that git or `patch` would misread is quoted, its odd bytes as octal numbers."""
    lines = file_diff('m/é "b".css', Version(b"a\n"), Version(b"b\n")).text.splitlines()
    assert lines[2:4] == [
        rb'--- "a/m/\303\251 \042b\042.css"',
        rb'+++ "b/m/\303\251 \042b\042.css"',
    ]


def test_a_change_is_shown_with_three_lines_around_it() -> None:
    """Changes with few lines between them are in one hunk; both contents have the ids that git
    gives them.
    """
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


def test_modes_and_kinds_are_shown() -> None:
    """A new mode needs no hunk; a link that replaces a file is shown as a removed file and an added
    link.
    """
    head = "diff --git a/modules/m/a.php b/modules/m/a.php"
    assert shown(Version(b"a\n"), Version(b"a\n", EXECUTABLE)) == [
        head,
        "old mode 100644",
        "new mode 100755",
    ]
    lines = shown(Version(b"a\n"), Version(b"b.php", LINK))
    assert [line for line in lines if "mode" in line or line[:1] in "-+\\"] == [
        *("deleted file mode 100644", "--- a/modules/m/a.php", "+++ /dev/null", "-a"),
        *(
            "new file mode 120000",
            "--- /dev/null",
            "+++ b/modules/m/a.php",
            "+b.php",
            "\\ No newline at end of file",
        ),
    ]


@pytest.mark.parametrize(
    ("old", "new", "why", "line"),
    [
        (Version(b"\0"), Version(b"abc"), "binary", "changed, not text, 1 to 3 bytes"),
        (Version(b"\n" * 2_097_153), None, "large", "removed, too large to be compared"),
    ],
)
def test_what_is_not_compared_is_named(
    old: Version | None, new: Version | None, why: Incomparable, line: str
) -> None:
    """A file that is not text, or is larger than 2 MiB, is shown as a line with its sizes."""
    path = "modules/m/a.php"
    becomes: Becoming = "changed" if new else "removed"
    event = DiffEvent(path, becomes, added=0, removed=0, binary=why == "binary", incomparable=why)
    assert file_diff(path, old, new) == FileDiff(event, f"# {path}: {line}\n".encode())


def test_a_text_of_two_mebibytes_is_compared() -> None:
    """A text of exactly 2 MiB is compared."""
    diff = file_diff("modules/m/a.php", Version(b"x" * 2_097_152), None)
    assert (diff.event.removed, diff.event.incomparable) == (1, UNSET)
