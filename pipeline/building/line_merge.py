"""Line merge: merge the changes of two sides to one text, where they do not touch.

As `git merge-file`, but where the lines can be aligned in several ways it does not choose one: only lines that are
certain (`alignment.py`) keep changes apart. Changes that touch are a conflict, unless they are the same on both sides.
Lines are bytes that end with a line feed; a carriage return, a last line without its end and an encoding are part of
them. The laws are in `property_tests/test_line_merge.py`.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from pipeline.building.alignment import certain_lines, common_ends
from pipeline.report.diagnostics.conflicts import LineRange, Unmergeable

LONGEST_LINE: Final = 10_000
"""Bytes. A program wrote what has longer ones: it is minified, and nothing that people edit by lines."""
MOST_BYTES: Final = 2 * 1024**2
"""The maximum size of a text that is compared by lines."""


class Unmerged(Struct, frozen=True):
    """Why texts are not merged, and at which lines of `mine` changes touch."""

    why: Unmergeable
    lines: tuple[LineRange, ...] = ()
    both: tuple[tuple[bytes, bytes], ...] = ()
    """The lines of `mine` and of `theirs` where changes touch."""
    rest: bytes = b""
    """The merged text, if `theirs` is taken where changes touch."""


def merge_lines(base: bytes, mine: bytes, theirs: bytes) -> bytes | Unmerged:
    """Merge two versions of a base, or return why not."""
    if theirs in {base, mine}:
        return mine
    if mine == base:
        return theirs
    if max(map(len, (base, mine, theirs))) > MOST_BYTES:
        return Unmerged("large")
    if not all(map(is_text, (base, mine, theirs))):
        return Unmerged("binary")
    texts = lines_of(base), lines_of(mine), lines_of(theirs)
    left, right = certain_lines(texts[0], texts[1]), certain_lines(texts[0], texts[2])
    if left is None or right is None:
        return Unmerged("large")
    apart = [(line, left[line], right[line]) for line in sorted(left.keys() & right.keys())]
    return _joined(texts, [(-1, -1, -1), *apart, (len(texts[0]), len(texts[1]), len(texts[2]))])


def is_text(content: bytes) -> bool:
    """Whether a content is to be looked at by lines."""
    return b"\0" not in content and max(map(len, content.split(b"\n"))) <= LONGEST_LINE


def lines_of(content: bytes) -> list[bytes]:
    """The lines of a text, with their ends."""
    *lines, last = content.split(b"\n")
    return [*(line + b"\n" for line in lines), *([last] if last else [])]


def _joined(texts: Sequence[list[bytes]], apart: Sequence[tuple[int, int, int]]) -> bytes | Unmerged:
    """Join what lies between lines that keep changes apart; each is given by its numbers in the three texts."""
    merged, touching, both = list[bytes](), list[LineRange](), list[tuple[bytes, bytes]]()
    for before, after in pairwise(apart):
        base, mine, theirs = (text[i + 1 : j] for text, i, j in zip(texts, before, after, strict=True))
        if base not in (mine, theirs) and not (mine == theirs and _is_plain(base, mine)):
            touching.append(_narrowed(base, mine, theirs, before[1] + 1))
            head, tail = common_ends(mine, theirs)
            both.append((b"".join(mine[head : len(mine) - tail]), b"".join(theirs[head : len(theirs) - tail])))
            mine = theirs
        merged += theirs if base == mine else mine
        merged += texts[0][after[0] : after[0] + 1]
    result = b"".join(merged)
    return Unmerged("touching", tuple(touching), tuple(both), result) if touching else result


def _is_plain(base: list[bytes], side: list[bytes]) -> bool:
    """Whether there is one way to see a change: all lines are others, or lines are put in or taken out in one place."""
    return set(base).isdisjoint(side) or sum(common_ends(base, side)) == min(len(base), len(side))


def _narrowed(base: list[bytes], mine: list[bytes], theirs: list[bytes], start: int) -> LineRange:
    """The lines of `mine`, which follow line `start`, without those at both ends that all three have."""
    head, tail = common_ends(base, mine, theirs)
    last = max(1, start + len(mine) - tail)
    return min(start + head + 1, last), last
