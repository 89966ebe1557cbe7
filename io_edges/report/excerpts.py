"""Excerpts: the line that a problem points to, from text that the tool has loaded as configuration (`docs/output.md`).

No file is opened here: where a problem is may be something that a script has made up.
"""

import os
from functools import cache
from typing import Final

from msgspec import Struct, field

from pipeline.report.escape import escape, width
from pipeline.report.layout import Screen, cut
from pipeline.report.source import Source

_LIMIT: Final = 1024 * 1024
"""Bytes of a text from which lines are shown."""


class Excerpts(Struct):
    """The configurations and presets that were loaded, by their names as shown."""

    texts: dict[str, bytes] = field(default_factory=dict)

    def add(self, name: str, content: bytes) -> None:
        """Allow excerpts of a file."""
        self.texts[os.path.normpath(name)] = content[:_LIMIT]

    def at(self, source: Source, screen: Screen) -> tuple[str, ...]:
        """The line that a source points to, with a caret under the column; empty if it was not loaded.

        Of a line that is too long for the screen, the part around the column is shown.
        """
        content = self.texts.get(os.path.normpath(source.name))
        lines = _lines(content) if content is not None else ()
        if not 0 < source.line <= len(lines):
            return ()
        line = lines[source.line - 1]
        start = max(0, source.column - 60)
        before, after = line[start : source.column - 1], line[source.column - 1 : start + 100].rstrip("\r")
        before, after = _fitted(_harmless(before), _harmless(after), screen.columns - len(f" {source.line} | "))
        if screen.spoken:
            return (f"  the line reads: {(before + after).strip()}",)
        gutter = " " * len(str(source.line))
        return f" {gutter} |", f" {source.line} | {before}{after}", f" {gutter} | {' ' * width(before)}^"


def _harmless(text: str) -> str:
    return escape(text.replace("\t", " "))


def _fitted(before: str, after: str, room: int) -> tuple[str, str]:
    """Cut what is before and after a column to the room that there is; without a limit it is negative."""
    if room < 0:
        return before, after
    before = cut(before[::-1], max(room - width(after), room * 2 // 3))[::-1]
    return before, cut(after, room - width(before))


@cache
def _lines(content: bytes) -> tuple[str, ...]:
    return tuple(content.decode("utf-8-sig", errors="replace").split("\n"))
