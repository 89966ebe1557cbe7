"""Patch lines: the names, times and hunks in the lines of a unified diff (`docs/building.md`,
"Patches").

The functions take the lines of a patch as bytes and positions that count from 0. A line that cannot
be read raises `UnreadableError`, of which `read_patch` makes an error.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NoReturn

from msgspec import Struct

NOTHING: Final = b"/dev/null"
"""The name that stands for no file."""
HUNK: Final = rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@"
"""The header of a hunk: the first line and the number of lines, of the old and of the new file."""
_OWN: Final = rb" tool patch(?:, (\d{1,9}) of (\d{1,9}))?\s*"
"""The words after the line numbers of a hunk that the tool wrote. Other programs take them for the
name of the function around the hunk.
"""
_TIME: Final = rb" +\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*"
"""A time after a name, in a patch in which an editor has replaced the tab by blanks."""
_EPOCH: Final = rb"\s(1969-12-31|1970-01-01)[ T](\d\d):(\d\d):00(?:\.0+)? ([+-]\d\d)(\d\d)$"
"""A time that may be the beginning of 1970 in UTC, which programs write for a missing file."""
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
    """A patch cannot be read: the line at fault, from 1, the reason, and what mends it."""


def refuse(line: int, reason: str, mends: str = "") -> NoReturn:
    """Raise `UnreadableError` because of a line."""
    raise UnreadableError(line + 1, reason, mends)


class Occurrence(Struct, frozen=True):
    """One of the places in a file at which the same lines stand: its number, from 1, and how many
    places there are.
    """

    number: int = 1
    count: int = 1


class Hunk(Struct, frozen=True, dict=True):
    """A hunk of a patch: lines of a file, and the lines that replace them."""

    line: int
    """The line of the hunk's header in the patch, from 1."""
    start: int
    """The number of the first old line in the file, from 1; without old lines, the number of the
    line above the hunk.
    """
    new_start: int
    """The same for the new lines."""
    lines: tuple[tuple[bytes, bytes], ...]
    """Each line after its sign: a blank (context), `-` or `+`."""
    occurrence: Occurrence | None = None
    """Which occurrence of the lines above the change is meant, in the file that the patch was made
    from; `None` if the tool did not write the hunk.
    """

    @cached_property
    def old(self) -> list[bytes]:
        """The old lines: context and removed lines."""
        return [line for sign, line in self.lines if sign != b"+"]

    @cached_property
    def new(self) -> list[bytes]:
        """The new lines: context and added lines."""
        return [line for sign, line in self.lines if sign != b"-"]

    @property
    def at(self) -> int:
        """The first old line in the file, from 0; without old lines, the line above which the new
        ones are inserted.
        """
        return self.start - bool(self.old)

    @property
    def end(self) -> int:
        """The line of the file below the old lines, from 0."""
        return self.at + len(self.old)

    @property
    def above(self) -> int:
        """How many context lines the hunk begins with."""
        return _common(self.lines)

    @property
    def below(self) -> int:
        """How many context lines the hunk ends with."""
        return _common(self.lines[::-1])


def _common(lines: Sequence[tuple[bytes, bytes]]) -> int:
    """How many context lines these lines begin with."""
    for number, (sign, _) in enumerate(lines):
        if sign != b" ":
            return number
    return len(lines)


def read_hunk(lines: Sequence[bytes], begin: int) -> tuple[Hunk, int]:
    """Read the hunk whose header is at line `begin`; return it with the line below it.

    Errors: the header has no line numbers or wrong ones, or the hunk changes nothing.
    """
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
    """The occurrence that the tool wrote after the line numbers of a hunk; `None` for any other
    text.
    """
    own = re.fullmatch(_OWN, rest)
    if own is None:
        return None
    if own[1] is None:
        return Occurrence()
    return Occurrence(int(own[1]), int(own[2]))


def own_mark(occurrence: Occurrence) -> bytes:
    """The words that the tool writes after the line numbers of its own hunks."""
    if occurrence.count == 1:
        return b" tool patch"
    return b" tool patch, %d of %d" % (occurrence.number, occurrence.count)


def _signed(lines: Sequence[bytes], at: int) -> tuple[bytes, bytes]:
    """The sign of a line of a hunk, and the rest of the line; both are empty after the last line.

    An empty line is context whose blank an editor has removed.
    """
    if at >= len(lines):
        return b"", b""
    line = lines[at]
    if line in (b"\n", b"\r\n"):
        return b" ", line
    return line[:1], line[1:]


def have_names(lines: Sequence[bytes], at: int) -> bool:
    """Whether a line and the next one name a file before and after the change: `--- a/f` and
    `+++ b/f`.
    """
    names = lines[at : at + 2]
    return len(names) > 1 and names[0].startswith(b"--- ") and names[1].startswith(b"+++ ")


def names_of_git(names: bytes) -> tuple[bytes, bytes]:
    """The two names in a line of git after `diff --git `; both are empty if they cannot be
    separated.
    """
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
    """The name in a line that begins with `--- ` or `+++ `, without the time that may follow it."""
    name = line[4:].rstrip(b"\r\n")
    quoted = re.match(_QUOTED, name)
    if quoted:
        return _unquoted(quoted[1])
    return re.sub(_TIME, b"", name.partition(b"\t")[0])


def is_not_there(line: bytes) -> bool:
    """Whether a line with a name says that there is no such file: in words, or by the beginning of
    1970 as its time.
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
    """A name in quotation marks, with its escapes decoded."""
    return re.sub(_OCTAL_OR_ESCAPE, _unescaped, name)


def _unescaped(found: re.Match[bytes]) -> bytes:
    """The byte that an escape stands for."""
    if found[1]:
        return bytes((int(found[1], 8),))
    return _ESCAPES.get(found[2], found[2])
