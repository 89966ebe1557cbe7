"""Laws of merging lines, and what git makes of the same texts."""

from collections.abc import Callable
from math import sqrt
from pathlib import Path
from subprocess import run

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.building.line_merge import Unmerged, lines_of, merge_lines
from tests.support.sweep import examples
from tests.support.triples import Triple, of_code, of_few_lines, of_texts

seeds = st.integers(0, 2**32)
contents = st.lists(st.sampled_from([b"a", b"b\n", b"\n", b"\r\n", b"\xff", b"\0", b"x" * 10_001]), max_size=6).map(
    b"".join
)
triples = st.builds(of_few_lines, seeds) | st.builds(of_code, seeds) | st.tuples(contents, contents, contents)


@given(triples)
def test_what_one_side_left_is_what_the_other_made(triple: Triple) -> None:
    """Where one side changed nothing, the other's text is the result; so it is where both are the same."""
    base, one, other = triple
    assert merge_lines(base, base, other) == other
    assert merge_lines(base, one, base) == one
    assert merge_lines(base, one, one) == one


@given(triples)
def test_sides_can_be_swapped(triple: Triple) -> None:
    """With the sides swapped, the result is the same; or it is a conflict for the same reason, at as many places."""
    base, one, other = triple
    merged, swapped = merge_lines(base, one, other), merge_lines(base, other, one)
    if isinstance(merged, Unmerged) and isinstance(swapped, Unmerged):
        assert (merged.why, len(merged.lines)) == (swapped.why, len(swapped.lines))
    else:
        assert merged == swapped


@given(triples)
def test_what_is_merged_has_the_changes_of_both(triple: Triple) -> None:
    """What is merged has no line that neither side has, and is merged again with either side to the same."""
    base, one, other = triple
    merged = merge_lines(base, one, other)
    if isinstance(merged, bytes):
        assert {*lines_of(merged)} <= {*lines_of(one), *lines_of(other)}
    else:
        last = len(lines_of(one))
        assert all(1 <= first <= end <= max(1, last) for first, end in merged.lines)


@pytest.mark.parametrize(
    ("make", "number", "least"),
    [(of_few_lines, 3_000, 0.5), (of_code, 6_000, 0.95), (of_texts, 1_000, 0.95)],
    ids=["few lines", "code", "texts"],
)
def test_git_merges_alike(
    make: Callable[[int], Triple],
    number: int,
    least: float,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """What is merged is merged by git, to the same; and of what git merges, nearly all is.

    With few different lines there are many ways to align them, and less is certain.
    """
    by_git = merged = 0
    tried = examples(number // 10)
    for seed in range(tried):
        triple = make(seed)
        theirs, ours = _git(tmp_path, *triple), merge_lines(*triple)
        by_git += theirs is not None
        if isinstance(ours, bytes):
            assert ours == theirs, f"{make.__name__}({seed})"
            merged += 1
    by_chance = 2 * sqrt(by_git * least * (1 - least))  # two standard deviations, which counts where few are tried
    assert merged >= least * by_git - by_chance, (merged, by_git)
    record_property("examples", tried)


def _git(folder: Path, base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """What git merges; `None` if there is a conflict."""
    for name, content in (("base", base), ("mine", mine), ("theirs", theirs)):
        (folder / name).write_bytes(content)
    done = run(
        ["git", "merge-file", "--stdout", "mine", "base", "theirs"], cwd=folder, capture_output=True, check=False
    )
    return done.stdout if done.returncode == 0 else None
