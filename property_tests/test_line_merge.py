"""Laws of merging lines."""

from hypothesis import given
from hypothesis import strategies as st

from io_edges.building.git import GIT
from pipeline.building.merging.lines import Unmerged, lines_of
from pipeline.building.merging.lines import merge_lines as merge
from property_tests.strategies import triples
from tests.support.triples import Triple

contents = st.lists(
    st.sampled_from([b"a", b"b\n", b"\n", b"\r\n", b"\xff", b"\0"]), max_size=6
).map(b"".join)
sides = triples | st.tuples(contents, contents, contents)


def merge_lines(base: bytes, mine: bytes, theirs: bytes) -> bytes | Unmerged:
    """Merge by git."""
    return merge(base, mine, theirs, GIT)


@given(sides)
def test_what_one_side_left_is_what_the_other_made(triple: Triple) -> None:
    """If one side changed nothing, the result is the other side's text; if both made the same text,
    it is that.
    """
    base, one, other = triple
    assert merge_lines(base, base, other) == other
    assert merge_lines(base, one, base) == one
    assert merge_lines(base, one, one) == one


@given(sides)
def test_sides_can_be_swapped(triple: Triple) -> None:
    """Swapping the sides gives the same result, or a conflict for the same reason at as many
    places.
    """
    base, one, other = triple
    merged, swapped = merge_lines(base, one, other), merge_lines(base, other, one)
    if isinstance(merged, Unmerged) and isinstance(swapped, Unmerged):
        assert (merged.why, len(merged.lines)) == (swapped.why, len(swapped.lines))
    else:
        assert merged == swapped


@given(sides)
def test_what_is_merged_has_the_changes_of_both(triple: Triple) -> None:
    """A merged text has only lines that one of the sides has; a conflict names lines that exist in
    the user's text.
    """
    base, one, other = triple
    merged = merge_lines(base, one, other)
    if isinstance(merged, bytes):
        assert {*lines_of(merged)} <= {*lines_of(one), *lines_of(other)}
    else:
        last = len(lines_of(one))
        assert all(1 <= first <= end <= max(1, last) for first, end in merged.lines)
