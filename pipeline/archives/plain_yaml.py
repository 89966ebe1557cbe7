"""YAML of plain lines, as most markers have it: it is read without PyYAML, whose import takes long.

    # a comment
    name: Harbour             a key, and a text that means nothing else in YAML
    author:
      name: "Jane Doe"        a mapping is indented; nothing is escaped in quotes
    css:
    - id: theme               a list, also of mappings
      path: theme.css

If a single line of a file is different, the whole file is left to PyYAML: a law of `property_tests` holds that both
read the same.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

NULL: Final = frozenset({"~", "null"})
_CHARACTERS: Final = r"(?:[ -~\w]|\r?\n)*+"
_COMMENT: Final = r"[ ]*(?:#.*)?"
_REST_OF_WORD: Final = r"(?:[^ :]|:(?=[^ ]))*+"
_PLAIN: Final = rf"[\w./^$(]{_REST_OF_WORD}(?:[ ]++[^ :#]{_REST_OF_WORD})*+"
_LINE: Final = (
    r"(?P<indent>[ ]{0,12})(?P<dash>-[ ])?(?:(?P<key>\w[\w.-]*+):(?:[ ]++|$))?"
    rf"""(?:'(?P<single>[^']*+)'|"(?P<double>[^"\\]*+)"|(?P<plain>{_PLAIN}))?[ ]*"""
)
"""A line that is indented by so little that nothing is nested too deep."""


class _Line(Struct, frozen=True):
    """A key, or the dash of an item, and its value."""

    column: int
    key: str | None
    value: str | None
    is_open: bool
    """Whether the value is below it, if anywhere."""


class _NotPlainError(Exception):
    """A line is not plain, or is not indented as it should be."""


def read_plain_yaml(text: str) -> Any:
    """The data of a file; `None` if it is left to PyYAML."""
    if not re.fullmatch(_CHARACTERS, text):
        return None
    try:
        return _Reader(text).read()
    except _NotPlainError:
        return None


class _Reader:
    """Reads a text from its first line. `at` is the line that it has come to."""

    def __init__(self, text: str) -> None:
        self.at = 0
        self.lines = list[_Line]()
        for line in text.splitlines():
            if not re.fullmatch(_COMMENT, line):
                self.lines.extend(_lines_of(line))

    def read(self) -> Any:
        """Read every line."""
        if not self.lines:
            raise _NotPlainError
        data = self._block()
        if self.at < len(self.lines):
            raise _NotPlainError
        return data

    def _block(self) -> Any:
        """The mapping or the list that begins with a line."""
        first = self.lines[self.at]
        if first.key is None:
            return self._list(first.column)
        return self._mapping(first.column)

    def _mapping(self, column: int) -> dict[str, Any]:
        pairs = dict[str, Any]()
        while (line := self._line_in(column)) and line.key is not None:
            if line.key in pairs:
                raise _NotPlainError
            pairs[line.key] = self._value(line)
        return pairs

    def _list(self, column: int) -> list[Any]:
        items = list[Any]()
        while (line := self._line_in(column)) and line.key is None:
            items.append(self._value(line))
        return items

    def _line_in(self, column: int) -> _Line | None:
        """The next line, if it begins in a column."""
        if self.at < len(self.lines) and self.lines[self.at].column == column:
            return self.lines[self.at]
        return None

    def _value(self, line: _Line) -> Any:
        """Go past a line, and past what belongs to it."""
        self.at += 1
        if line.is_open and self.at < len(self.lines):
            below = self.lines[self.at]
            is_list_of_key = line.key is not None and below.key is None and below.column == line.column
            if below.column > line.column or is_list_of_key:
                return self._block()
        return line.value


def _lines_of(text: str) -> Iterator[_Line]:
    """Take a line apart; a key behind a dash is a line of its own."""
    match = re.fullmatch(_LINE, text)
    if match is None or not (match["dash"] or match["key"]):
        raise _NotPlainError
    column = len(match["indent"])
    if match["dash"] and match["key"]:
        yield _Line(column, None, "", is_open=True)
        column += len(match["dash"])
    value = match["plain"]
    if value is not None and value.lower() in NULL:
        value = None
    elif value is None:
        value = match["single"] or match["double"] or ""
    is_open = match["plain"] is None and match["single"] is None and match["double"] is None
    yield _Line(column, match["key"], value, is_open)
