"""Layout: lines for people: aligned columns, wrapped paragraphs,
colour (`docs/reference/events.md`).

This module escapes every text. Widths are in terminal columns. On a terminal, rows and
paragraphs are wrapped between words, and a path in a row also after a slash; a longer name is
left to the terminal.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.report.escape import escape, width
from pipeline.report.wording import shortened

Tone: TypeAlias = Literal["", "added", "changed", "removed", "skipped", "warning", "error", "help"]
"""The meaning of a coloured word; without colour, the word alone has to say it."""

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
"""The most columns that a cell is padded to in a pipe; on a terminal, the limit is half
of its width.
"""
_MOST: Final = 2000
"""The longest text, in characters, that a summary shows in full."""
_WORD: Final = r"(?:`[^`]*`|\S| (?= )|(?<= ) )+"
"""A word for wrapping. Text breaks at single spaces, but not within backquotes, because code
may be pasted.
"""
_PART: Final = r"[^/!]*[/!]+|[^/!]+"
"""A part of a path. A path breaks after a slash, or after the `!` before a member of an archive."""
_HANGING: Final = 4
"""The indent of the further lines of a row, if a cell does not continue in its own column."""
_NARROW: Final = 24
"""The least columns in which a wide cell continues in its own column."""


class Screen(Struct, frozen=True):
    """The output that lines are written for: its width, and the amount and form of detail."""

    columns: int = 0
    """The width of a terminal; 0 for a pipe or a screen reader, where lines are not wrapped."""
    is_summary: bool = False
    """Whether only unusual events are shown one by one."""
    is_terminal: bool = False
    """Whether a person reads the lines as they are printed, or has them read aloud."""
    verbose: bool = False
    """Whether details are shown that are rarely of interest."""
    colour: bool = False
    """Whether words are coloured."""
    accessible: bool = False
    """Whether lines are for a screen reader: sentences, without columns and drawings."""

    @property
    def at_a_glance(self) -> bool:
        """Whether this is a summary on a terminal; a log, which may be searched later, has
        more detail.
        """
        return self.is_summary and self.is_terminal


PIPE: Final = Screen()
"""A file or a pipe, with every detail."""


class Row(Struct, frozen=True):
    """The cells of one line in columns; `tone` colours the first cell."""

    cells: tuple[str, ...]
    tone: Tone = ""
    below: tuple[str, ...] = ()
    """Lines below the row that belong to it."""


def table(rows: Sequence[Row], screen: Screen) -> tuple[str, ...]:
    """Lay out rows in columns; a cell that is too wide pushes the rest of its row. For a screen
    reader, a row is a sentence.

    On a terminal, a row that is too wide continues in the next line: the last cell word by word,
    the others as a whole. There a column is as wide as its widest cell, unless the table would then
    have more lines.
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
    """The lines of rows, given the displayed text of their cells and the widths of the
    padded columns.
    """
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
    """A row in several lines, with cells in their own columns where there is room."""
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
    """Words with the space before each; a word wider than `most` columns is divided like a path."""
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
    """Lines continued with pieces; a piece that begins a new line is indented."""
    flowing = list(lines)
    for piece in pieces:
        if width(flowing[-1]) + width(piece) <= columns:
            flowing[-1] += piece
        else:
            flowing.append(" " * indent + piece.removeprefix(" "))
    return flowing


def paragraph(
    text: str, screen: Screen, lead: str = "", tone: Tone = "", hanging: int = 2
) -> tuple[str, ...]:
    """Wrap a text by words behind a lead such as `error: `; the lines after the first
    are indented.
    """
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
    """The longest beginning of a text that fits into a number of columns."""
    while width(text) > columns:
        text = text[: min(columns, len(text) - 1)]
    return text


def _readable(text: str, screen: Screen) -> str:
    if screen.at_a_glance:
        return shortened(escape(text), _MOST)
    return escape(text)


def _line(cells: Sequence[str], widths: Sequence[int], screen: Screen) -> str:
    """A row in one line: a sentence for a screen reader, otherwise aligned cells."""
    if screen.accessible:
        word, *rest = filter(None, cells)
        return f"{word} {', '.join(rest)}".rstrip()
    return _GAP.join(
        cell + " " * (size - width(cell)) for cell, size in zip(cells, widths, strict=True)
    ).rstrip()
