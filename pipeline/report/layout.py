"""Layout: lines that fit a screen: aligned columns, paragraphs wrapped by words, colour (`docs/reference/events.md`).

Every text that comes in is escaped here. Widths are in columns of a terminal.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.report.escape import escape, width
from pipeline.report.wording import LONGEST, shortened

Tone: TypeAlias = Literal["", "added", "changed", "removed", "skipped", "warning", "error", "help"]
"""What a coloured word means; without colour the word says it."""

_WIDTH: Final = 120
"""The columns that a pipe is laid out for; no line is broken there."""
_LEAST_LIMIT: Final = 40
"""The columns that a cell is padded to at the most; half of the screen, if that is more."""
_COLOURS: Final[dict[Tone, str]] = {
    "added": "32",
    "changed": "36",
    "removed": "31",
    "skipped": "2",
    "warning": "1;33",
    "error": "1;31",
    "help": "1;36",
}
_GAP: Final = "  "
_INDENT: Final = 4
"""The indent of the lines on which what does not fit goes on."""
_LEAST: Final = 24
"""The fewest columns in which a last cell is wrapped below itself; with fewer, it goes on in the next line."""
_BREAK: Final = r"(?<=\S) (?=\S)(?!s\b)"
"""Where a text may be broken: at a single space, as there are longer ones in names; not between a number and `s`."""
_MOST: Final = 2000
"""The most characters of one message that a summary shows in full."""
_TYPED: Final = r"`(?:tool |git |'?--)"
"""How code begins that a message suggests to type."""
_GLUE: Final = "\0"
"""Stands for a space at which nothing may be broken; no escaped text has it."""


class Screen(Struct, frozen=True):
    """What lines are written for."""

    columns: int = 0
    """The width of a terminal; 0 for a pipe, and where lines are read aloud, which are as long as they are."""
    is_summary: bool = False
    """Whether only what is out of the ordinary is shown one by one."""
    verbose: bool = False
    """Whether more is shown than what is usually of interest."""
    colour: bool = False
    accessible: bool = False
    """Whether lines are read aloud: sentences, without columns and drawings."""

    @property
    def at_a_glance(self) -> bool:
        """Whether it is a summary on a terminal; a log, which somebody may search later, says more."""
        return self.is_summary and self.columns > 0


PIPE: Final = Screen()
"""A file or a pipe, with every detail."""


class Row(Struct, frozen=True):
    """The cells of one line in columns; `tone` is that of the first one."""

    cells: tuple[str, ...]
    tone: Tone = ""
    below: tuple[str, ...] = ()
    """Lines under it that belong to it."""
    path: int | None = None
    """Which cell is a path, if that may lose its beginning."""


def table(rows: Sequence[Row], screen: Screen) -> tuple[str, ...]:
    """Lay out rows in columns; if they do not fit, a cell wider than half the screen pushes the rest of its row.

    Long paths then lose the folders that all begin with. A row that does not fit goes on below its last cell or, where
    that has no room, indented in the next line; such a row does not widen the columns of the others. Read aloud, a row
    is a sentence.
    """
    shown = _with_short_paths(rows, screen.columns)
    escaped = [tuple(_readable(escape(cell), screen) for cell in row.cells) for row in shown]
    widths = _widths(escaped, screen.columns)
    fitted = _sentence if screen.accessible else _line
    return tuple(
        line
        for row, cells in zip(rows, escaped, strict=True)
        for line in (
            *_toned(fitted(cells, widths, screen.columns), cells[0], row.tone, screen),
            *map(escape, row.below),
        )
    )


def paragraph(text: str, screen: Screen, lead: str = "", tone: Tone = "", hanging: int = 2) -> tuple[str, ...]:
    """Wrap a text by words behind a lead such as `error: `; the lines after the first are indented."""
    lines = _wrapped(lead + _readable(escape(text), screen), screen.columns, hanging, len(lead))
    return tuple(_toned(lines, lead.rstrip(), tone, screen))


def _readable(text: str, screen: Screen) -> str:
    """A text for a person without the middle of what is very long in it: archives and files may say anything."""
    if not screen.at_a_glance or len(text) <= LONGEST:
        return text
    return shortened(re.sub(r"`[^`]*`|\S+", lambda each: _shortened_word(each[0]), text), _MOST)


def _shortened_word(word: str) -> str:
    return word if re.match(_TYPED, word) else shortened(word)


def cut(text: str, columns: int) -> str:
    """The longest beginning of a text that fits."""
    while width(text) > columns:
        text = text[: columns if len(text) > columns else -1]
    return text


def _toned(lines: Sequence[str], word: str, tone: Tone, screen: Screen) -> Iterator[str]:
    """Colour the word that the first line begins with."""
    first, *rest = lines
    if screen.colour and tone and word and first.startswith(word):
        first = f"\x1b[{_COLOURS[tone]}m{word}\x1b[0m{first[len(word) :]}"
    yield from (first, *rest)


def toned(line: str, tone: Tone, screen: Screen) -> str:
    """Colour a whole line."""
    return "".join(_toned((line,), line, tone, screen))


def _with_short_paths(rows: Sequence[Row], columns: int) -> Sequence[Row]:
    """The rows without the folders that all their paths begin with, if one is too long for a terminal."""
    paths = [row.cells[row.path] for row in rows if row.path is not None]
    starts = [path.rpartition("/")[0].split("/") for path in paths]
    same = [each[0] for each in takewhile(lambda level: len({*level}) == 1, zip(*starts, strict=False))]
    cells = [row.cells for row in rows]
    is_long = any(width(path) > _limit(columns) for path in paths) or not all(_has_room(row, columns) for row in cells)
    if (
        _fits(_widest(cells), columns) or not is_long or len(same) < 1 + any(each == same for each in starts)
    ):  # never `modules/` alone
        return rows
    begin = len("/".join((*same, "")))
    return [
        row
        if row.path is None
        else replace(row, cells=tuple(f"…/{c[begin:]}" if at == row.path else c for at, c in enumerate(row.cells)))
        for row in rows
    ]


def _limit(columns: int) -> int:
    return max(_LEAST_LIMIT, (columns or _WIDTH) // 2)


def _widths(rows: Sequence[tuple[str, ...]], columns: int) -> list[int]:
    """How wide each column is: its widest cell if all fit, else up to a limit.

    Then the first one is so for all rows, the others for those that fit a line if their end is wrapped.
    """
    whole = _widest(rows)
    if columns and _fits(whole, columns):
        return whole
    every = _widest([row for row in rows if _has_room(row, columns)] or rows)
    return [min(_limit(columns), most) for most in (*whole[:1], *every[1:])]


def _widest(rows: Sequence[tuple[str, ...]]) -> list[int]:
    return [max(map(width, column)) for column in zip(*rows, strict=True)]


def _fits(widths: Sequence[int], columns: int) -> bool:
    """Whether columns of these widths fit one line."""
    return not columns or sum(widths) + len(_GAP) * (len(widths) - 1) <= columns


def _has_room(row: Sequence[str], columns: int) -> bool:
    *head, last = map(width, row)
    return not columns or sum(head) + len(_GAP) * len(head) + min(last, _LEAST) <= columns


def _sentence(cells: Sequence[str], _: Sequence[int], __: int) -> tuple[str, ...]:
    word, *rest = filter(None, cells)
    return (f"{word} {', '.join(rest)}".rstrip(),)


def _line(cells: Sequence[str], widths: Sequence[int], columns: int) -> tuple[str, ...]:
    """The line of one row, or the lines if it does not fit."""
    *head, last = (cell + " " * (size - width(cell)) for cell, size in zip(cells, widths, strict=True))
    before = _GAP.join((*head, ""))
    line = (before + last).rstrip()
    if not columns or width(line) <= columns:
        return (line,)
    room = columns - width(before)
    if room >= _LEAST and all(width(word) <= room for word in re.split(_BREAK, last.rstrip())):
        return _wrapped(before + last.rstrip(), columns, width(before), len(before))
    first, *rest = _flowed((*head, last), columns)
    below = (part for each in rest for part in _wrapped(each, columns, _INDENT, _INDENT))
    return (*_wrapped(first, columns, _INDENT), *below)


def _flowed(padded: Sequence[str], columns: int) -> list[str]:
    """One row in several lines: the cells that do not fit behind the first ones follow one another below."""
    lines = [padded[0]]
    for cell in padded[1:]:
        bare = cell.rstrip()
        if width(lines[-1] + _GAP + bare) <= columns:
            lines[-1] += _GAP + (cell if len(lines) == 1 else bare)
        elif bare:
            lines.append(" " * _INDENT + bare)
    return [line.rstrip() for line in lines]


def _wrapped(text: str, columns: int, hanging: int, start: int = 0) -> tuple[str, ...]:
    """Break a text at spaces, not before `start`; a word that does not fit a line alone is left as it is."""
    if not columns or width(text) <= columns:
        return (text,)
    first, *words = _words(text[start:], columns - hanging)
    lines, used = [text[:start] + first], width(text[:start]) + width(first)
    for word in words:
        if used + 1 + width(word) <= columns:
            lines[-1] += f" {word}"
            used += 1 + width(word)
        else:
            lines.append(" " * hanging + word)
            used = hanging + width(word)
    return tuple(lines)


def _words(text: str, room: int) -> Iterator[str]:
    """What a text may be broken between: its words.

    Those of code in backquotes are one if they fit a line, and always if they are typed: a terminal breaks them so that
    they can still be pasted.
    """
    for words in re.split(_BREAK, re.sub("`[^`]*`", lambda code: code[0].replace(" ", _GLUE), text)):
        together = words.replace(_GLUE, " ")
        is_whole = width(together) <= room or re.search(_TYPED, together)
        yield from (together,) if is_whole else re.split(_BREAK, together)
