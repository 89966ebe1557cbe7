r"""Ini files as PHP's `parse_ini_file` reads them, with sections, in its normal mode (compared
with PHP 8.2).

    [info] ; about it       a section; one of the same name replaces it
    version = "1.0"         text in quotes may go on over several lines
    needs[] = a b           a list; a key between the brackets makes it a mapping
    offer = none            `no`, `off`, `false`, `null` are empty, too; `true`, `on`, `yes` are 1
    range = 3.0|4.2         a calculation, which gives 7: outside quotes, `& | ^ ~ ! ( )` calculate

A fault anywhere makes PHP refuse the whole file. What it would take from its constants and its
environment is text here, and empty.
"""

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

Ini: TypeAlias = Mapping[str, Any]
"""The value of each key: text, or a mapping for a section; for a list, a mapping by the position of
each item.
"""

_KEY: Final = r'[^=\n\r\t;&|^$~(){}!"\[]'
_NAME: Final = r'[^=\n\r\t;&|^$~(){}!"\[\]]'
_NEWLINE: Final = r"(?:\r\n?|\n)"
_ESCAPED: Final = r"\\(?s:.)|\$(?!\{)(?s:.)"
_PLAIN: Final = r"""(?:[^$= \t\n\r;&|^~()!"']|\$(?s:\\.|[^{\\]))"""
_LINE_END: Final = rf"[ \t]*(?:;[^\r\n]*(?:{_NEWLINE}|\Z)|{_NEWLINE})|\Z"
_NO_VALUE: Final = rf"[ \t]*(?:;[^\r\n]*)?{_NEWLINE}|'(?=')|\$?\Z"
"""Nothing up to the end of the line. Two single quotes with nothing between them end a value before
the second one.
"""
_VALUE_END: Final = rf"{_LINE_END}|'(?=')|'(?![^']+')(?s:.*)|\$\Z"
"""The end of a value. PHP stops reading at a quote that is not closed."""
_EQUALS: Final = r"[ \t]*=[ \t]*"
_WORDS: Final = r"(?i:(true|on|yes)|false|off|no|none|null)"
_STATEMENT: Final = (
    rf"{_LINE_END}|(?P<section>\[)|(?P<list>{_KEY}+\[)[ \t]*"
    rf"|(?![ \t]*=)(?:[ \t]*\t|(?!{_WORDS}[ \t]*(?!{_KEY}|\Z))(?P<key>{_KEY}+))"
)
_SECTION_END: Final = rf"\][ \t]*{_NEWLINE}?"
_PLACE_END: Final = r"[ \t]*\]"
_BRACKETED: Final = rf"""(?:[^$\n\r;"'\]\\]|{_ESCAPED})+"""
_SPECIAL: Final = rf"""[ \t]*(?P<quote>")|'(?P<raw>[^']+)'|\$\{{{_NAME}+\}}"""
_IN_QUOTES: Final = (
    rf"""\$\{{{_NAME}+\}}|(?P<text>(?s:[^"$\\]|\$(?!\{{)|\\"(?![\r\n]|\Z)|\\[^"]|\\(?="))+)"""
)
_CLOSED: Final = r'"[ \t]*'
_WORD: Final = rf"{_WORDS}(?!{_PLAIN})[ \t]*"
_PIECE: Final = rf"{_PLAIN}+|[ \t]+"
_PREFIX: Final = r"([~!(])[ \t]*"
_PARENTHESIS: Final = r"\)[ \t]*"
_OPERATOR: Final = r"([&|^])[ \t]*"
_OPERATIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
_DEEPEST: Final = 32
"""How deep calculations may be nested; no marker has one."""


class IniFault(Struct, frozen=True):
    """Why PHP refuses a file: the line where it stops, and the character there; empty at
    the end.
    """

    line: int
    at: str


class _Items(dict[str, str]):
    """The items of a list by their positions, and the next position."""

    following = 0


class _RefusedError(Exception):
    """PHP refuses the file."""


def read_ini(content: bytes) -> Ini | IniFault:
    """The sections, and the keys before them; or why PHP refuses the file."""
    text = content.partition(b"\0")[0].decode("utf-8-sig", errors="replace")
    reader = _Reader(text)
    try:
        return reader.read()
    except _RefusedError:
        return IniFault(text.count("\n", 0, reader.at) + 1, text[reader.at : reader.at + 1])


class _Reader:
    """Reads a text from its start. `at` is the current offset."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def read(self) -> Ini:
        """Read every statement."""
        everything: dict[str, Any] = {}
        values = everything
        while self.at < len(self.text):
            match = self._expect(_STATEMENT)
            if match["section"]:
                values = {}
                everything[self._bracketed(_SECTION_END)] = values
            elif match["list"]:
                place = self._bracketed(_PLACE_END)
                self._expect(_EQUALS)
                _put(values, match["list"][:-1].strip(" "), place, self._value())
            elif match["key"] and self._take(_EQUALS):
                values[match["key"].strip(" ")] = self._value()
        return everything

    def _take(self, pattern: str) -> re.Match[str] | None:
        """Advance past the next match, if there is one."""
        match = self._match(pattern)
        if match:
            self.at = match.end()
        return match

    def _match(self, pattern: str) -> re.Match[str] | None:
        """Find the next match. Patterns are compiled at first use, because few drops have
        an ini file.
        """
        return re.compile(pattern).match(self.text, self.at)

    def _expect(self, pattern: str) -> re.Match[str]:
        """Advance past the next match, which must be there."""
        match = self._take(pattern)
        if match is None:
            raise _RefusedError
        return match

    def _bracketed(self, end: str) -> str:
        """The text between brackets."""
        pieces = list[str]()
        while not self._take(end):
            piece = self._special()
            if piece is None:
                piece = self._expect(_BRACKETED)[0]
            pieces.append(piece)
        return "".join(pieces)

    def _special(self) -> str | None:
        """A quoted piece, or a variable, which is empty; `None` if neither comes next."""
        match = self._take(_SPECIAL)
        if match is None:
            return None
        if not match["quote"]:
            return match["raw"] or ""
        pieces = list[str]()
        while match := self._take(_IN_QUOTES):
            pieces.append(re.sub(r'\\([\\"])', r"\1", match["text"] or ""))
        self._expect(_CLOSED)
        return "".join(pieces)

    def _value(self) -> str:
        """The value behind an equals sign, up to the end of the line."""
        if self._take(_NO_VALUE):
            return ""
        word = self._take(_WORD)
        value = ""
        if word is None:
            value = self._calculation(0)
        elif word[1]:
            value = "1"
        self._expect(_VALUE_END)
        return value

    def _calculation(self, depth: int) -> str:
        """Numbers with operators between them, from left to right; or a text."""
        value = self._operand(depth)
        while match := self._take(_OPERATOR):
            result = _OPERATIONS[match[1]](_number(value), _number(self._operand(depth)))
            value = str(result)
        return value

    def _operand(self, depth: int) -> str:
        """A text, or a calculation in parentheses, with the signs before it."""
        prefix = self._take(_PREFIX)
        if prefix is None:
            return self._text()
        if depth == _DEEPEST:
            raise _RefusedError
        if prefix[1] == "(":
            value = self._calculation(depth + 1)
            self._expect(_PARENTHESIS)
            return value
        number = _number(self._operand(depth + 1))
        if prefix[1] == "~":
            return str(~number)
        return str(int(not number))

    def _text(self) -> str:
        """The pieces of a text, some of them quoted; none is a word such as `true`."""
        pieces = list[str]()
        while not (self._match(_LINE_END) or self._match(_WORD)):
            piece = self._special()
            if piece is None:
                match = self._take(_PIECE)
                if match is None:
                    break
                piece = match[0]
            pieces.append(piece)
        if not pieces:
            raise _RefusedError
        return "".join(pieces)


def _put(values: dict[str, Any], key: str, place: str, value: str) -> None:
    """Store a value in a list, at a position or behind the highest one."""
    items = values.get(key)
    if not isinstance(items, _Items):
        items = _Items()
        values[key] = items
    place = place or str(items.following)
    if re.fullmatch(r"(?a)0|[1-9]\d{0,17}", place):
        items.following = max(items.following, int(place) + 1)
    items[place] = value


def _number(text: str) -> int:
    """The 32-bit number at the start of a text."""
    match = re.match(r"(?a)\s*([-+]?\d{1,19})", text)
    if match is None:
        return 0
    return (int(match[1]) + 2**31) % 2**32 - 2**31
