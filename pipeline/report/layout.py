"""Layout: lines for people: aligned columns, wrapped paragraphs, colour (`docs/reference/events.md`).

Every text that comes in is escaped here. Widths are in columns of a terminal. On one, rows and paragraphs go on in the
next line, between words and at the slashes of a path in a row; a name that is wider is left to the terminal.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.report.escape import escape, width
from pipeline.report.wording import shortened

Tone: TypeAlias = Literal["", "added", "changed", "removed", "skipped", "warning", "error", "help"]
"""What a coloured word means; without colour the word says it."""

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
_WIDEST: Final = 60
"""The columns of a pipe that a cell is padded to at the most; on a terminal it is half of its width."""
_MOST: Final = 2000
"""The most characters of one text that a summary shows in full."""
_WORD: Final = r"(?:`[^`]*`|\S| (?= )|(?<= ) )+"
"""What a text is wrapped between: single spaces, but not in code in backquotes, as that may be pasted."""
_PART: Final = r"[^/!]*[/!]+|[^/!]+"
"""What a path is made of: a break in it is behind a slash, or behind the `!` before a member of an archive."""
_HANGING: Final = 4
"""How far the lines of a row are indented after the first one, where a cell does not go on in its column."""
_NARROW: Final = 24
"""The columns that a cell needs at least to go on in its column, if it is as wide."""


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


def table(rows: Sequence[Row], screen: Screen) -> tuple[str, ...]:
    """Lay out rows in columns; a cell that is too wide pushes the rest of its row. Read aloud, a row is a sentence.

    On a terminal, a row that is too wide goes on in the next line: the last cell by words, others as a whole. There a
    column is as wide as its widest cell if the table has no more lines then.
    """
    cells = [tuple(_readable(cell, screen) for cell in row.cells) for row in rows]
    limit = screen.columns // 2 or _WIDEST
    widest = [max(map(width, column)) for column in zip(*cells, strict=True)]
    limited = [min(limit, each) for each in widest]
    lines = _in_columns(rows, cells, limited, screen)
    is_in_reach = sum(widest[:-1]) + len(_GAP) * len(widest[:-1]) < screen.columns
    if is_in_reach and limited[:-1] != widest[:-1]:
        aligned = _in_columns(rows, cells, widest, screen)
        if len(aligned) <= len(lines):
            return aligned
    return lines


def _in_columns(
    rows: Sequence[Row], cells: Sequence[tuple[str, ...]], widths: Sequence[int], screen: Screen
) -> tuple[str, ...]:
    """The lines of rows, given what is shown in their cells, and the widths that the columns are padded to."""
    lines: list[str] = []
    for row, shown in zip(rows, cells, strict=True):
        line = _line(shown, widths, screen)
        broken = [line]
        if screen.columns and width(line) > screen.columns:
            broken = _broken(shown, widths, screen.columns)
        lines += (toned(broken[0], shown[0], row.tone, screen), *broken[1:])
        for text in map(escape, row.below):
            pieces = [text]
            if screen.columns and width(text) > screen.columns:
                pieces = _pieces(pieces, screen.columns - _HANGING)
            lines += _flowing(pieces[:1], pieces[1:], _HANGING, screen.columns)
    return tuple(lines)


def _broken(cells: Sequence[str], widths: Sequence[int], columns: int) -> list[str]:
    """A row in several lines, its cells in their columns as far as there is room."""
    lines = [""]
    starts = list(accumulate((size + len(_GAP) for size in widths), initial=0))
    shown = [(cell, start) for cell, start in zip(cells, starts, strict=False) if cell]
    for number, (cell, start) in enumerate(shown):
        words = [cell]
        if number == len(shown) - 1:
            words = re.findall(_WORD, cell)
        pieces = _pieces(words, columns - _HANGING)
        room = columns - start
        is_narrow = room < max(min(width(cell), _NARROW), *map(width, pieces))
        at = width(lines[-1]) + len(_GAP) * bool(lines[-1])
        needed = width(pieces[0])
        indent = start
        if not is_narrow:
            at = max(at, start)
        else:
            indent = _HANGING
            if width(cell) <= columns - _HANGING:
                needed = width(cell)
        if lines[-1] and at + needed > columns:
            lines.append("")
            at = indent
        lines[-1] += " " * (at - width(lines[-1])) + pieces[0]
        lines = _flowing(lines, pieces[1:], indent, columns)
    return lines


def _pieces(words: Sequence[str], most: int) -> list[str]:
    """Words with the space before them, of which those that are wider than `most` columns are divided as paths are."""
    pieces = list[str]()
    for word in words or [""]:
        parts = [word]
        if width(word) > most:
            parts = re.findall(_PART, word)
        if pieces:
            parts[0] = f" {parts[0]}"
        pieces.append(parts[0])
        for part in parts[1:]:
            if width(pieces[-1]) + width(part) <= most:
                pieces[-1] += part
            else:
                pieces.append(part)
    return pieces


def _flowing(lines: list[str], pieces: Iterable[str], indent: int, columns: int) -> list[str]:
    """Lines with further pieces, indented where one begins a line."""
    flowing = list(lines)
    for piece in pieces:
        if width(flowing[-1]) + width(piece) <= columns:
            flowing[-1] += piece
        else:
            flowing.append(" " * indent + piece.removeprefix(" "))
    return flowing


def paragraph(text: str, screen: Screen, lead: str = "", tone: Tone = "", hanging: int = 2) -> tuple[str, ...]:
    """Wrap a text by words behind a lead such as `error: `; the lines after the first are indented."""
    whole = lead + _readable(text, screen)
    lines = [whole]
    if screen.columns and width(whole) > screen.columns:
        first, *words = re.findall(_WORD, whole[len(lead) :])
        lines = _flowing([lead + first], (f" {word}" for word in words), hanging, screen.columns)
    return (toned(lines[0], lead.rstrip(), tone, screen), *lines[1:])


def toned(line: str, word: str, tone: Tone, screen: Screen) -> str:
    """Colour the word that a line begins with."""
    if screen.colour and tone and word and line.startswith(word):
        return f"\x1b[{_COLOURS[tone]}m{word}\x1b[0m{line[len(word) :]}"
    return line


def cut(text: str, columns: int) -> str:
    """The longest beginning of a text that fits."""
    while width(text) > columns:
        text = text[: min(columns, len(text) - 1)]
    return text


def _readable(text: str, screen: Screen) -> str:
    if screen.at_a_glance:
        return shortened(escape(text), _MOST)
    return escape(text)


def _line(cells: Sequence[str], widths: Sequence[int], screen: Screen) -> str:
    """A row in one line: a sentence if it is read aloud, else aligned."""
    if screen.accessible:
        word, *rest = filter(None, cells)
        return f"{word} {', '.join(rest)}".rstrip()
    return _GAP.join(cell + " " * (size - width(cell)) for cell, size in zip(cells, widths, strict=True)).rstrip()
