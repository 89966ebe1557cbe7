"""Patch lines: the names, times and hunks in the lines of a patch."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NoReturn

from msgspec import Struct

NOTHING: Final = b"/dev/null"
HUNK: Final = rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@"
_OWN: Final = rb" tool patch(?:, (\d{1,9}) of (\d{1,9}))?\s*"
"""What follows in a hunk that the tool wrote. Other programs take it for the function that
the hunk is in.
"""
_TIME: Final = rb" +\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*"
"""A time after a name, where an editor has put blanks in place of the tab."""
_EPOCH: Final = rb"\s(1969-12-31|1970-01-01)[ T](\d\d):(\d\d):00(?:\.0+)? ([+-]\d\d)(\d\d)$"
"""A time that may be the first of all times, which programs give to a file that is not there."""
_DAY: Final = 24 * 60
_OCTAL_OR_ESCAPE: Final = rb"(?s)\\(?:([0-3][0-7]{2})|(.))"
_ESCAPES: Final = {
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
}
_SIGNS: Final = (b" ", b"-", b"+")
_QUOTED: Final = rb'"((?:[^"\\]|\\.)*)"'


class UnreadableError(Exception):
    """A line, why nothing can be read from it on, and what mends that."""


def refuse(line: int, reason: str, mends: str = "") -> NoReturn:
    """Raise that a patch cannot be read, because of a line, from 0."""
    raise UnreadableError(line + 1, reason, mends)


class Occurrence(Struct, frozen=True):
    """Which of the places where lines occur in a file is meant, from 1, and how many there are."""

    number: int = 1
    count: int = 1


class Hunk(Struct, frozen=True, dict=True):
    """Lines of a file, and the lines that take their place."""

    line: int
    """Where it begins in the patch."""
    start: int
    """The number of its first line in the old file; if it has no old line, of the line before."""
    new_start: int
    lines: tuple[tuple[bytes, bytes], ...]
    """Each with its sign: a blank, `-` or `+`."""
    occurrence: Occurrence | None = None
    """Where the lines above its change occurred in the file that it was made from, if the
    tool wrote it.
    """

    @cached_property
    def old(self) -> list[bytes]:
        """The lines before."""
        return [line for sign, line in self.lines if sign != b"+"]

    @cached_property
    def new(self) -> list[bytes]:
        """The lines after."""
        return [line for sign, line in self.lines if sign != b"-"]

    @property
    def at(self) -> int:
        """Where it is in the old file: the first line that it replaces, from 0."""
        return self.start - bool(self.old)

    @property
    def end(self) -> int:
        """The first line there after those that it replaces."""
        return self.at + len(self.old)

    @property
    def above(self) -> int:
        """How many common lines it begins with."""
        return _common(self.lines)

    @property
    def below(self) -> int:
        """How many common lines it ends with."""
        return _common(self.lines[::-1])


def _common(lines: Sequence[tuple[bytes, bytes]]) -> int:
    """With how many common lines some lines begin."""
    for number, (sign, _) in enumerate(lines):
        if sign != b" ":
            return number
    return len(lines)


def read_hunk(lines: Sequence[bytes], begin: int) -> tuple[Hunk, int]:
    """The hunk that begins in a line, and the line after it."""
    header = re.match(HUNK, lines[begin])
    if header is None:
        refuse(begin, "a hunk has no line numbers")
    start, old, new_start, new = (int(number or b"1") for number in header.groups())
    at = begin + 1
    read = list[tuple[bytes, bytes]]()
    while old > 0 or new > 0 or (at < len(lines) and lines[at].startswith(b"\\")):
        sign, text = _signed(lines, at)
        if sign == b" ":
            old -= 1
            new -= 1
        elif sign == b"-":
            old -= 1
        elif sign == b"+":
            new -= 1
        if sign == b"\\" and read:
            read[-1] = (read[-1][0], read[-1][1].rstrip(b"\r\n"))
        elif sign not in _SIGNS or old < 0 or new < 0:
            refuse(min(at, len(lines) - 1), "the line counts of a hunk are wrong")
        else:
            read.append((sign, text))
        at += 1
    if all(sign == b" " for sign, _ in read):
        refuse(begin, "a hunk changes nothing")
    occurrence = _occurrence_in(lines[begin][header.end() :])
    return Hunk(begin + 1, start, new_start, tuple(read), occurrence), at


def _occurrence_in(rest: bytes) -> Occurrence | None:
    """What the tool has written after the numbers of a hunk; `None` if it is another text."""
    own = re.fullmatch(_OWN, rest)
    if own is None:
        return None
    if own[1] is None:
        return Occurrence()
    return Occurrence(int(own[1]), int(own[2]))


def own_mark(occurrence: Occurrence) -> bytes:
    """What the tool writes after the numbers of a hunk."""
    if occurrence.count == 1:
        return b" tool patch"
    return b" tool patch, %d of %d" % (occurrence.number, occurrence.count)


def _signed(lines: Sequence[bytes], at: int) -> tuple[bytes, bytes]:
    """The sign of a line of a hunk, and the rest of it; an editor may have taken away the blank of
    an empty one.
    """
    if at >= len(lines):
        return b"", b""
    line = lines[at]
    if line in (b"\n", b"\r\n"):
        return b" ", line
    return line[:1], line[1:]


def have_names(lines: Sequence[bytes], at: int) -> bool:
    """Whether a line and the next one name a file before and after."""
    names = lines[at : at + 2]
    return len(names) > 1 and names[0].startswith(b"--- ") and names[1].startswith(b"+++ ")


def names_of_git(names: bytes) -> tuple[bytes, bytes]:
    """The two names in the first line that git writes; empty ones if they cannot be told apart."""
    if first := re.match(_QUOTED, names):
        second = names[first.end() + 1 :]
        other = re.fullmatch(_QUOTED, second)
        if other:
            second = _unquoted(other[1])
        return _unquoted(first[1]), second
    middle = len(names) // 2
    if names[middle : middle + 1] != b" ":
        return b"", b""
    return names[:middle], names[middle + 1 :]


def name_in(line: bytes) -> bytes:
    """The name in a line that begins with `--- ` or `+++ `; a time may follow it."""
    name = line[4:].rstrip(b"\r\n")
    quoted = re.match(_QUOTED, name)
    if quoted:
        return _unquoted(quoted[1])
    return re.sub(_TIME, b"", name.partition(b"\t")[0])


def is_not_there(line: bytes) -> bool:
    """Whether what follows a name says that there is no such file: in words, or by the first
    of all times.
    """
    text = line.rstrip()
    if text.endswith(b"\t(nonexistent)"):
        return True
    time = re.search(_EPOCH, text)
    if time is None:
        return False
    minutes = int(time[2]) * 60 + int(time[3])
    offset = int(time[4][:1] + b"1") * (int(time[4][1:]) * 60 + int(time[5]))
    if time[1].startswith(b"1969"):
        minutes -= _DAY
    return minutes == offset


def _unquoted(name: bytes) -> bytes:
    """The name that stands between quotes."""
    return re.sub(_OCTAL_OR_ESCAPE, _unescaped, name)


def _unescaped(found: re.Match[bytes]) -> bytes:
    """The byte that an escape is."""
    if found[1]:
        return bytes((int(found[1], 8),))
    return _ESCAPES.get(found[2], found[2])
