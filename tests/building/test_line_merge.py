"""Merging lines: what is clean, what touches, and what is not merged at all."""

import pytest

from pipeline.building.alignment import certain_lines
from pipeline.building.line_merge import Unmerged, lines_of, merge_lines

ONE_TO_NINE = b"".join(b"%d\n" % number for number in range(1, 10))


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
        (edited(l2="a\nb\n", l7="mine\n"), edited(l2="b\n", l7="theirs\n"), ((2, 3), (8, 8))),
    ],
)
def test_changes_that_touch_are_told_by_their_lines(mine: bytes, theirs: bytes, lines: object) -> None:
    """Of changes in one line, or in lines next to one another, the lines in the user's text are told."""
    merged = merge_lines(ONE_TO_NINE, mine, theirs)
    assert isinstance(merged, Unmerged)
    assert (merged.why, merged.lines) == ("touching", lines)


def test_what_touches_is_given_with_the_rest() -> None:
    """Both texts are given where changes touch, and the merge with the other side's version there."""
    mine, theirs = edited(l2="two\n", l5="mine\n", l9=""), edited(l5="theirs\n", l7="seven\n", l9="neun\n")
    merged = merge_lines(ONE_TO_NINE, mine, theirs)
    assert isinstance(merged, Unmerged)
    assert merged.both == ((b"mine\n", b"theirs\n"), (b"", b"neun\n"))
    assert merged.rest == edited(l2="two\n", l5="theirs\n", l7="seven\n", l9="neun\n")
    shared = merge_lines(ONE_TO_NINE, edited(l2="a\nb\n"), edited(l2="b\n"))
    assert isinstance(shared, Unmerged)
    assert shared.both == ((b"a\n", b""),)


def test_frequent_lines_separate_changes() -> None:
    """Lines that stand everywhere, such as a closing brace, tell changes before and after them apart."""
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


def test_the_same_change_is_a_conflict_if_it_can_be_seen_in_two_ways() -> None:
    """Where both sides have the same lines, and it is uncertain which of them were there before, both are told."""
    mine, theirs = edited(l3="a\n3\nb\n3\nc\n", l6="six\n"), edited(l3="a\n3\nb\n3\nc\n", l9="nine\n")
    merged = merge_lines(ONE_TO_NINE, mine, theirs)
    assert isinstance(merged, Unmerged)
    assert (merged.why, merged.lines) == ("touching", ((3, 7),))


def test_lines_are_bytes() -> None:
    """The ends of lines, a last line without one and any encoding stay as they are on the side that changed them."""
    base = b"a\r\nb\nc\xe9\r\nd\ne"
    assert merge_lines(base, base.replace(b"a\r", b"A\r"), base.replace(b"\xe9", b"\xe8")) == b"A\r\nb\nc\xe8\r\nd\ne"
    assert merge_lines(base, base + b"\n", base.replace(b"b", b"B")) == b"a\r\nB\nc\xe9\r\nd\ne\n"


@pytest.mark.parametrize("odd", [b"\0\n", b"x" * 10_001])
def test_what_is_no_text_is_not_merged(odd: bytes) -> None:
    """A file with a NUL or with a line that only programs write is not merged, unless one side has not changed it."""
    assert merge_lines(ONE_TO_NINE, edited(l1="one\n"), edited(l9="nine\n") + odd) == Unmerged("binary")
    assert merge_lines(ONE_TO_NINE, ONE_TO_NINE, odd) == odd


def test_too_much_is_not_merged() -> None:
    """Where it would take long to find out what is certain, nothing is merged."""
    base = [b"%d\n" % number for number in range(2_000)]
    turned = b"".join((*base[1_000:], *base[:1_000]))
    assert merge_lines(b"".join(base), turned, b"".join(base[1:])) == Unmerged("large")
    assert merge_lines(b"".join(base), b"".join(base[1:]), turned) == Unmerged("large")
    assert merge_lines(b"".join(base), b"\n" * 3_000_000, b"".join(base[1:])) == Unmerged("large")


def test_a_line_is_certain_that_has_one_counterpart() -> None:
    """Of lines that are repeated, those are certain that no other way to align the texts has elsewhere."""
    assert certain_lines([b"a", b"x", b"b"], [b"a", b"x", b"x", b"b"]) == {0: 0, 2: 3}
    assert certain_lines([b"a", b"b"], [b"b", b"a"]) == {}
    assert certain_lines([b"a", b"b"], [b"a", b"b", b"a", b"b"]) == {}
    assert certain_lines([b"1", *[b"}"] * 4, b"2"], [b"3", *[b"}"] * 4, b"4"]) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert certain_lines([], [b"a"]) == {}


def test_frequent_lines_keep_nothing_apart_that_git_does_not_align() -> None:
    """Braces between lines that all were changed belong to the change: what the other side put there touches it."""
    rest = [line for number in range(30) for line in (b"%d\n" % number, b"}\n")]
    before, after = ([b"%s %d\n" % (name, number) for number in range(5)] for name in (b"before", b"after"))
    base = [*rest, *before, b"}\n", b"}\n", *after, *rest]
    mine = [*rest, *(line.upper() for line in before), b"}\n", b"}\n", *(line.upper() for line in after), *rest]
    theirs = [*rest, *before, b"}\n", b"new\n", b"}\n", *after, *rest]
    texts = tuple(b"".join(lines) for lines in (base, mine, theirs))
    merged = merge_lines(*texts)
    assert isinstance(merged, Unmerged)
    assert (merged.why, merged.lines) == ("touching", ((61, 72),))
