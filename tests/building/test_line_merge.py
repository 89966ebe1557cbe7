"""Merging lines: what is clean, what touches, and what is not merged at all."""

import pytest

from io_edges.building.git import GIT
from pipeline.building.merging.lines import Unmerged, lines_of
from pipeline.building.merging.lines import merge_lines as merge

ONE_TO_NINE = b"".join(b"%d\n" % number for number in range(1, 10))


def merge_lines(base: bytes, mine: bytes, theirs: bytes) -> bytes | Unmerged:
    """Merge by git."""
    return merge(base, mine, theirs, GIT)


def edited(content: bytes = ONE_TO_NINE, **lines: str) -> bytes:
    """A text with other lines in the places of some: `l3="three"`."""
    numbered = lines_of(content)
    for name, line in lines.items():
        numbered[int(name[1:]) - 1] = line.encode()
    return b"".join(numbered)


def test_changes_apart_are_put_together() -> None:
    """Lines that were changed, put in and taken out on either side are so in the result."""
    mine, theirs = edited(l2="two\n", l6="6\nhotfix\n"), edited(l4="", l9="nine\n")
    assert merge_lines(ONE_TO_NINE, mine, theirs) == b"1\ntwo\n3\n5\n6\nhotfix\n7\n8\nnine\n"


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
def test_changes_that_touch_are_told_by_their_lines(mine: bytes, theirs: bytes, lines: object) -> None:
    """Of changes in one line, or in lines next to one another, the lines in the user's text are reported."""
    merged = merge_lines(ONE_TO_NINE, mine, theirs)
    assert isinstance(merged, Unmerged)
    assert (merged.why, merged.lines) == ("touching", lines)


def test_frequent_lines_separate_changes() -> None:
    """Lines that stand everywhere, such as a closing brace, do not join the changes before and after them."""
    base = b"".join(b".r%d {\n  color: %d;\n}\n\n" % (number, number) for number in range(20))
    mine = base.replace(b": 9;", b": mine;")
    theirs = base.replace(b".r10 {\n  color: 10;", b".r10,\n.x {\n  color: 11;")
    assert merge_lines(base, mine, theirs) == theirs.replace(b": 9;", b": mine;")


def test_the_same_change_on_both_sides_is_made_once() -> None:
    """A fix that was taken over by hand is no conflict with itself."""
    mine, theirs = edited(l3="fixed\n", l5="mine\n"), edited(l3="fixed\n", l9="theirs\n")
    assert merge_lines(ONE_TO_NINE, mine, theirs) == edited(l3="fixed\n", l5="mine\n", l9="theirs\n")
    assert merge_lines(ONE_TO_NINE, mine, mine) == mine
    assert merge_lines(ONE_TO_NINE, ONE_TO_NINE, theirs) == theirs


def test_lines_are_bytes() -> None:
    """The ends of lines, a last line without one and any encoding stay as they are on the side that changed them."""
    base = b"a\r\nb\nc\xe9\r\nd\ne"
    assert merge_lines(base, base.replace(b"a\r", b"A\r"), base.replace(b"\xe9", b"\xe8")) == b"A\r\nb\nc\xe8\r\nd\ne"
    assert merge_lines(base, base + b"\n", base.replace(b"b", b"B")) == b"a\r\nB\nc\xe9\r\nd\ne\n"


def test_what_is_no_text_is_not_merged() -> None:
    """A file with a NUL is not merged, unless one side has not changed it, nor is one that is too large."""
    assert merge_lines(ONE_TO_NINE, edited(l1="one\n"), edited(l9="\0\n")) == Unmerged("binary")
    assert merge_lines(ONE_TO_NINE, ONE_TO_NINE, b"\0") == b"\0"
    large = ONE_TO_NINE + b"x" * (2_097_152 - len(ONE_TO_NINE))
    assert merge_lines(ONE_TO_NINE, edited(l1="one\n"), large + b"x") == Unmerged("large")
    assert merge_lines(ONE_TO_NINE, edited(l1="one\n"), large) == large.replace(b"1\n", b"one\n", 1)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_marks_in_a_text_are_text(end: str) -> None:
    """Lines that look like the marks of a conflict are lines like any other, with every end."""
    marks = f"<<<<<<< mine{end}======={end}>>>>>>> theirs{end}"
    base = "".join(f"{number}{end}" for number in range(1, 10)).replace(f"5{end}", marks)
    mine, theirs = (base.replace(f"8{end}", f"{name}{end}") for name in ("eight", "acht"))
    merged = merge_lines(base.encode(), mine.encode(), theirs.encode())
    assert isinstance(merged, Unmerged)
    assert merged.lines == ((10, 10),)
    assert merge_lines(base.encode(), mine.encode(), (base + marks).encode()) == (mine + marks).encode()


def test_lines_are_those_of_the_user() -> None:
    """Lines that the archive adds or removes above do not count."""
    theirs = edited(l1="1\n1a\n1b\n", l4="", l8="acht\n")
    merged = merge_lines(ONE_TO_NINE, edited(l8="eight\nhotfix\n"), theirs)
    assert isinstance(merged, Unmerged)
    assert merged.lines == ((8, 9),)
