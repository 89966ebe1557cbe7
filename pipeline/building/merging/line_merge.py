"""Line merge: merge the changes of two sides to one text, where they do not touch, as `git merge-file` does.

Lines are bytes that end with a line feed; a carriage return, a last line without its end and an encoding are part of
them. Where changes touch, the lines of the user's text are told.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from pipeline.report.diagnostics.conflicts import LineRange, Unmergeable

MOST_BYTES: Final = 2 * 1024**2
"""The maximum size of a text that is compared by lines."""
_MARKS: Final = re.compile(rb"^(?:<+|=+|>+)", re.MULTILINE)
_CONFLICT: Final = rb"^<{%d} mine\r?\n(?P<mine>(?:.*\n)*?)={%d}\r?\n(?:.*\n)*?>{%d} theirs\r?\n"
_HUNK: Final = re.compile(rb"^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class Git(Struct, frozen=True):
    """What is asked of git, as a record of functions."""

    merge: Callable[[bytes, bytes, bytes, int], bytes]
    """The merge of a base with two sides, `mine` and `theirs`, which stand between marks of this length where they
    touch."""
    hunks: Callable[[Sequence[tuple[bytes, bytes]], int], Sequence[bytes]]
    """The hunks of a unified diff of each pair of texts, with this many lines around changes."""


class Unmerged(Struct, frozen=True):
    """Why texts are not merged, and at which lines of `mine` changes touch."""

    why: Unmergeable
    lines: tuple[LineRange, ...] = ()


def merge_lines(base: bytes, mine: bytes, theirs: bytes, git: Git) -> bytes | Unmerged:
    """Merge two versions of a base, or return why not."""
    if theirs in {base, mine}:
        return mine
    if mine == base:
        return theirs
    texts = (base, mine, theirs)
    if max(map(len, texts)) > MOST_BYTES:
        return Unmerged("large")
    if not all(map(is_text, texts)):
        return Unmerged("binary")
    size = 7 + max(len(mark) for text in texts for mark in (b"", *_MARKS.findall(text)))
    merged = git.merge(base, mine, theirs, size)
    conflict = re.compile(_CONFLICT % (size, size, size), re.MULTILINE)
    if not conflict.search(merged):
        return merged
    with_mine = conflict.sub(lambda found: found["mine"], merged)
    (hunks,) = git.hunks([(mine, with_mine)], 0)
    return Unmerged("touching", tuple(_touching(conflict, merged, hunks)))


def _touching(conflict: re.Pattern[bytes], merged: bytes, hunks: bytes) -> Iterator[LineRange]:
    """The lines of `mine` between marks, given a merge with marks, and what changes `mine` outside of them."""
    by_theirs = [tuple(int(number or b"1") for number in found.groups()) for found in _HUNK.finditer(hunks)]
    line = 1
    done = 0
    for found in conflict.finditer(merged):
        line += merged.count(b"\n", done, found.start())
        done = found.end()
        there = line - sum(new - old for old, at, new in by_theirs if at < line)
        count = found["mine"].count(b"\n")
        last = max(1, there + count - 1)
        yield min(there, last), last
        line += count


def is_text(content: bytes) -> bool:
    """Whether a content is to be looked at by lines."""
    return b"\0" not in content


def lines_of(content: bytes) -> list[bytes]:
    """The lines of a text, with their ends."""
    *lines, last = content.split(b"\n")
    return [*(line + b"\n" for line in lines), *([last] if last else [])]
