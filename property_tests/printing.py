"""JSON as text in which the place of every value is known, printed in any white space
and spelling.
"""

import json
from collections.abc import Callable, Iterable
from itertools import cycle
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct

from pipeline.config.tree import ConfigKind, Document, KeyPath, Tree
from pipeline.parse import parse
from pipeline.report.outcome import fold
from property_tests.strategies import file


class Members(Struct, frozen=True):
    """An object whose keys may repeat."""

    pairs: tuple[tuple[str, Any], ...]


class Printed:
    """JSON as text: where each value and its key begin, and each repeated key with its
    first place.
    """

    def __init__(self, gaps: Iterable[str], spellings: Iterable[Callable[[str], str]]) -> None:
        self.text = ""
        self.places: dict[KeyPath, tuple[int, int]] = {}
        self.repeats: list[tuple[KeyPath, int, int]] = []
        self._gaps, self._spellings = cycle(gaps), cycle(spellings)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Count lines and columns from 1, naively."""
        before = self.text[:offset].split("\n")
        return len(before), len(before[-1]) + 1

    def write(self, value: Any, path: KeyPath = (), key: int | None = None) -> None:
        """Print a value, whose key is printed already."""
        match value:
            case dict() | Members():
                at = self._put("{")
                self._members(value.items() if isinstance(value, dict) else value.pairs, path)
                self._put("}")
            case list():
                at = self._put("[")
                for index, item in enumerate(value):
                    self._put("," if index else "")
                    self.write(item, (*path, index))
                self._put("]")
            case str():
                at = self._put(next(self._spellings)(value))
            case _:
                at = self._put(json.dumps(value))
        self.places[path] = at, at if key is None else key

    def _members(self, pairs: Iterable[tuple[str, Any]], path: KeyPath) -> None:
        first: dict[str, int] = {}
        for index, (name, item) in enumerate(pairs):
            self._put("," if index else "")
            key = self._put(next(self._spellings)(name))
            self._put(":")
            if first.setdefault(name, key) != key:
                self.repeats.append(((*path, name), key, first[name]))
            self.write(item, (*path, name), key)

    def _put(self, token: str) -> int:
        self.text += next(self._gaps) + token
        return len(self.text) - len(token)


def _all_escapes(text: str) -> str:
    return (
        '"' + "".join(f"\\u{unit}" for unit in text.encode("utf-16-be").hex(" ", 2).split()) + '"'
    )


SPELLINGS = (json.dumps, lambda text: json.dumps(text, ensure_ascii=False), _all_escapes)
"""Ways to spell a string: in ASCII, as it is, in escapes alone."""


@st.composite
def printings(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> tuple[Any, Printed]:
    """Values, each with its text in random white space and spelling of strings."""
    gaps = draw(st.lists(st.text(" \t\n\r", max_size=3), min_size=1, max_size=7))
    printed = Printed(gaps, draw(st.permutations(SPELLINGS)))
    value = draw(values)
    printed.write(value)
    printed.text += gaps[0]
    return value, printed


def tree_of(text: str, kind: ConfigKind = "json") -> Tree:
    """Parse a text that is JSON."""
    return fold(parse(Document(file(kind), text.encode())), lambda tree: tree, unexpected)


def unexpected(errors: Any) -> Any:
    """Fail a test that did not get a value."""
    raise AssertionError(errors)
