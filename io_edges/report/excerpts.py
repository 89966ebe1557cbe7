"""Excerpts: the line that an error points to, from text loaded as
configuration (`docs/reference/events.md`).

No file is opened here, because a script may have forged the location of an error.
"""

import os
from functools import cache
from typing import Final

from msgspec import Struct, field

from pipeline.report.escape import escape, width
from pipeline.report.layout import Screen, cut
from pipeline.report.location import Location

_LIMIT: Final = 1024 * 1024
"""The number of bytes of a text from which lines are shown."""
_BEFORE: Final = 59
"""The number of characters before the location that are shown of a long line."""
_SHOWN: Final = 100
"""The number of characters that are shown of a long line."""
_MORE: Final = "…"
"""Replaces the last shown character of a line that goes on."""


class Excerpts(Struct):
    """The configurations and presets that were loaded, by their names in messages."""

    texts: dict[str, bytes] = field(default_factory=dict)

    def add(self, name: str, content: bytes) -> None:
        """Allow excerpts of a file."""
        self.texts[os.path.normpath(name)] = content[:_LIMIT]

    def at(self, location: Location, screen: Screen) -> tuple[str, ...]:
        """The line that a location points to, with a caret under the column; empty if it
        was not loaded.

        If a line is too long for the screen, the part around the column is shown, with `…`
        where it goes on.
        """
        content = self.texts.get(os.path.normpath(location.name))
        if content is None:
            return ()
        lines = _lines(content)
        if not 0 < location.line <= len(lines):
            return ()
        line = lines[location.line - 1].rstrip("\r")
        column = location.column - 1
        start = max(0, column - _BEFORE)
        left = _harmless(line[start:column])
        right = _harmless(line[column : start + _SHOWN])
        before, after = _fitted(left, right, screen.columns - len(f" {location.line} | "))
        if before and (start or before != left):
            before = _MORE + before[1:]
        if after[1:] and (len(line) > start + _SHOWN or after != right):
            after = after[:-1] + _MORE
        if screen.accessible:
            return (f"  the line reads: {(before + after).strip()}",)
        gutter = " " * len(str(location.line))
        return (
            f" {gutter} |",
            f" {location.line} | {before}{after}",
            f" {gutter} | {' ' * width(before)}^",
        )


def _harmless(text: str) -> str:
    return escape(text.replace("\t", " "))


def _fitted(before: str, after: str, room: int) -> tuple[str, str]:
    """Cut the texts before and after a column to the room on the screen, which is negative
    without a limit.
    """
    if room < 0:
        return before, after
    before = cut(before[::-1], max(room - width(after), room * 2 // 3))[::-1]
    return before, cut(after, room - width(before))


@cache
def _lines(content: bytes) -> tuple[str, ...]:
    return tuple(content.decode("utf-8-sig", errors="replace").split("\n"))
