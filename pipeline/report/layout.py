"""Layout: lines for people: aligned columns, wrapped paragraphs, colour (`docs/reference/events.md`).

Every text that comes in is escaped here. Widths are in columns of a terminal, which breaks what is wider by itself.
"""

import re
from collections.abc import Sequence
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
    """Lay out rows in columns; a cell that is too wide pushes the rest of its row. Read aloud, a row is a sentence."""
    cells = [tuple(_readable(cell, screen) for cell in row.cells) for row in rows]
    limit = screen.columns // 2 or _WIDEST
    widths = [min(limit, max(map(width, column))) for column in zip(*cells, strict=True)]
    lines: list[str] = []
    for row, shown in zip(rows, cells, strict=True):
        line = _sentence(shown) if screen.accessible else _aligned(shown, widths)
        lines += (toned(line, shown[0], row.tone, screen), *map(escape, row.below))
    return tuple(lines)


def paragraph(text: str, screen: Screen, lead: str = "", tone: Tone = "", hanging: int = 2) -> tuple[str, ...]:
    """Wrap a text by words behind a lead such as `error: `; the lines after the first are indented."""
    whole = lead + _readable(text, screen)
    lines = [whole]
    if screen.columns and width(whole) > screen.columns:
        first, *words = re.findall(_WORD, whole[len(lead) :])
        lines = [lead + first]
        for word in words:
            if width(lines[-1]) + 1 + width(word) <= screen.columns:
                lines[-1] += f" {word}"
            else:
                lines.append(" " * hanging + word)
    return (toned(lines[0], lead.rstrip(), tone, screen), *lines[1:])


def toned(line: str, word: str, tone: Tone, screen: Screen) -> str:
    """Colour the word that a line begins with."""
    if screen.colour and tone and word and line.startswith(word):
        return f"\x1b[{_COLOURS[tone]}m{word}\x1b[0m{line[len(word) :]}"
    return line


def cut(text: str, columns: int) -> str:
    """The longest beginning of a text that fits."""
    while width(text) > columns:
        text = text[: columns if len(text) > columns else -1]
    return text


def _readable(text: str, screen: Screen) -> str:
    return shortened(escape(text), _MOST) if screen.at_a_glance else escape(text)


def _sentence(cells: Sequence[str]) -> str:
    word, *rest = filter(None, cells)
    return f"{word} {', '.join(rest)}".rstrip()


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    return _GAP.join(cell + " " * (size - width(cell)) for cell, size in zip(cells, widths, strict=True)).rstrip()
