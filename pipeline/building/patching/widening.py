"""Widening: the lines around the changes of a diff, so that they say where it belongs in a later
release, too.

Above each change are as many lines as stand once by themselves in the file, at least three and at
most 40; below it are three. Lines below do not tell alike pieces of a text apart: they may be the
head of the next one. After the numbers of a hunk stand words that say that the tool wrote it, so
that it is placed with more care (`placing.py`), and, where the lines above its change do not stand
once, which of their places is meant.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from toolz import concat

from pipeline.building.merging.lines import lines_of
from pipeline.building.patching.patch_lines import Hunk, Occurrence, own_mark, read_hunk
from pipeline.building.patching.placing import MOST_ABOVE, Effort, Text

_LEAST: Final = 3
_MOST_STEPS: Final = 5_000_000
"""Lines that are compared for one file; beyond that, each change has as many lines above it as
it may have.
"""


def widen(diff: bytes, old: bytes) -> bytes:
    """The diff of a file without lines around its changes, with them, given the file before."""
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
    """Changes that are in one hunk, as the lines around them meet."""
    group = list[Hunk]()
    for change in changes:
        if group and _end(group[-1], count) < above.first(change.at):
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _end(change: Hunk, count: int) -> int:
    """The line after those below a change."""
    return min(count, change.end + _LEAST)


def _written(group: Sequence[Hunk], above: "_Above", whole: Text, grown: int) -> Iterator[bytes]:
    """A hunk with some changes, in a file that those before have made longer by some lines."""
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
    """What says that the tool wrote a hunk; nothing where it would take too long to
    say more of it.
    """
    occurrence: Occurrence | None = Occurrence()
    if first > 0:
        occurrence = whole.occurrence(whole.lines[first:at], first)
    if occurrence is None:
        return b""
    return own_mark(occurrence)


def _range(first: int, count: int) -> bytes:
    """Lines of a file, from 0, as the header of a hunk has them."""
    start = first + bool(count)
    if count == 1:
        return b"%d" % start
    return b"%d,%d" % (start, count)


def _line(signed: tuple[bytes, bytes]) -> Iterator[bytes]:
    sign, line = signed
    yield sign + line
    if not line.endswith(b"\n"):
        yield b"\n\\ No newline at end of file\n"


class _Above:
    """How many lines above a line of a text stand once by themselves."""

    def __init__(self, text: Sequence[bytes]) -> None:
        self._text = text
        self._steps = 0
        self._places = dict[bytes, list[int]]()
        for number, line in enumerate(text):
            self._places.setdefault(line, []).append(number)

    def first(self, at: int) -> int:
        """The first of the lines above a line."""
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
        return self._text[place + 1 - count] == self._text[at - count]
