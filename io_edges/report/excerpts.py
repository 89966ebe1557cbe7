"""Excerpts: the line that a problem points to, from text that the tool has loaded as configuration (`docs/output.md`).

No file is opened here: where a problem is may be something that a script has made up.
"""

import os
from functools import cache
from typing import Final

from msgspec import Struct, field

from pipeline.report.escape import escape, width
from pipeline.report.source import Source

_LIMIT: Final = 1024 * 1024
"""Bytes of a text from which lines are shown."""


class Excerpts(Struct):
    """The configurations and presets that were loaded, by their names as shown."""

    texts: dict[str, bytes] = field(default_factory=dict)

    def add(self, name: str, content: bytes) -> None:
        """Allow excerpts of a file."""
        self.texts[os.path.normpath(name)] = content[:_LIMIT]

    def at(self, source: Source) -> tuple[str, ...]:
        """The line that a source points to, with a caret under the column; empty if it was not loaded."""
        content = self.texts.get(os.path.normpath(source.name))
        lines = _lines(content) if content is not None else ()
        if not 0 < source.line <= len(lines):
            return ()
        line = lines[source.line - 1]
        start = max(0, source.column - 60)
        before = escape(line[start : source.column - 1].replace("\t", " "))
        excerpt = before + escape(line[source.column - 1 : start + 100].rstrip("\r").replace("\t", " "))
        gutter = " " * len(str(source.line))
        return f" {gutter} |", f" {source.line} | {excerpt}", f" {gutter} | {' ' * width(before)}^"


@cache
def _lines(content: bytes) -> tuple[str, ...]:
    return tuple(content.decode("utf-8-sig", errors="replace").split("\n"))
