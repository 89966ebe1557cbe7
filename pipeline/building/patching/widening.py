"""Widening: add context lines to the diffs that the tool writes, so that each change finds its
place in a later release (`docs/building.md`, "Patches").

Above each change are as many lines as it takes for them to be unique in the file, at least three
and at most 40; below it are three. Lines below do not tell similar pieces of a text apart, because
they may be the head of the next piece. The words after the line numbers of a hunk say that the tool
wrote it, so that it is placed with more care (`placing.py`). If the lines above its change are not
unique, the words also say which occurrence is meant.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from toolz import concat

from pipeline.building.merging.lines import lines_of
from pipeline.building.patching.patch_lines import Hunk, Occurrence, own_mark, read_hunk
from pipeline.building.patching.placing import MOST_ABOVE, Effort, Text

_LEAST: Final = 3
"""The fewest context lines above and below a change, if the file has as many."""
_MOST_STEPS: Final = 5_000_000
"""The most lines that are compared for one file; beyond that, each change gets the most context
lines above it.
"""


def widen(diff: bytes, old: bytes) -> bytes:
    """Add context lines to the diff of a file, given the diff without context and the old content
    of the file.
    """
    lines = lines_of(diff)
    begin = next((at for at, line in enumerate(lines) if line.startswith(b"@@ ")), len(lines))
    changes = list[Hunk]()
    at = begin
    while at < len(lines):
        hunk, at = read_hunk(lines, at)
        changes.append(hunk)
    whole = Text(old, Effort())
    text = whole.lines
    above = _Above(text)
    grown = 0
    result = lines[:begin]
    for group in _groups(changes, above, len(text)):
        result += _written(group, above, whole, grown)
        grown += sum(len(change.new) - len(change.old) for change in group)
    return b"".join(result)


def _groups(changes: Sequence[Hunk], above: "_Above", count: int) -> Iterator[list[Hunk]]:
    """Group the changes by hunk: changes whose context lines meet are in one hunk."""
    group = list[Hunk]()
    for change in changes:
        if group and _end(group[-1], count) < above.first(change.at):
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _end(change: Hunk, count: int) -> int:
    """The line below the context of a change, in a file with this number of lines."""
    return min(count, change.end + _LEAST)


def _written(group: Sequence[Hunk], above: "_Above", whole: Text, grown: int) -> Iterator[bytes]:
    """The text of a hunk with some changes, in a file that the hunks above have lengthened by
    `grown` lines.
    """
    text = whole.lines
    first = above.first(group[0].at)
    signed = list[tuple[bytes, bytes]]()
    at = first
    for change in group:
        signed += ((b" ", line) for line in text[at : change.at])
        signed += change.lines
        at = change.end
    signed += ((b" ", line) for line in text[at : _end(group[-1], len(text))])
    old = sum(sign != b"+" for sign, _ in signed)
    new = sum(sign != b"-" for sign, _ in signed)
    mark = _mark(first, group[0].at, whole)
    yield b"@@ -%b +%b @@%b\n" % (_range(first, old), _range(first + grown, new), mark)
    yield from concat(map(_line, signed))


def _mark(first: int, at: int, whole: Text) -> bytes:
    """The words that say that the tool wrote a hunk; empty if counting the occurrences of its lines
    takes too long.
    """
    occurrence: Occurrence | None = Occurrence()
    if first > 0:
        occurrence = whole.occurrence(whole.lines[first:at], first)
    if occurrence is None:
        return b""
    return own_mark(occurrence)


def _range(first: int, count: int) -> bytes:
    """A range of lines, from 0, as the header of a hunk writes it."""
    start = first + bool(count)
    if count == 1:
        return b"%d" % start
    return b"%d,%d" % (start, count)


def _line(signed: tuple[bytes, bytes]) -> Iterator[bytes]:
    """The text of a line of a hunk, given its sign and the line."""
    sign, line = signed
    yield sign + line
    if not line.endswith(b"\n"):
        yield b"\n\\ No newline at end of file\n"


class _Above:
    """How many lines above a line of a text have to be taken together to be unique."""

    def __init__(self, text: Sequence[bytes]) -> None:
        self._text = text
        self._steps = 0
        self._places = dict[bytes, list[int]]()
        for number, line in enumerate(text):
            self._places.setdefault(line, []).append(number)

    def first(self, at: int) -> int:
        """The first context line above a line."""
        if at == 0:
            return 0
        others = self._places[self._text[at - 1]]
        count = 1
        while len(others) > 1 and count < min(at, MOST_ABOVE) and self._steps < _MOST_STEPS:
            self._steps += len(others)
            count += 1
            others = [
                place for place in others if place + 1 >= count and self._has(place, at, count)
            ]
        if self._steps >= _MOST_STEPS:
            count = MOST_ABOVE
        return max(0, at - max(count, _LEAST))

    def _has(self, place: int, at: int, count: int) -> bool:
        """Whether the lines above two places are the same at this distance."""
        return self._text[place + 1 - count] == self._text[at - count]
