"""Tokens: the words of a literal, one after the other, and what the escapes in a string stand for.

Only what JavaScript reads in one way, whatever kind of file it is in, has a kind. Anything else is `odd`: no rule of
the grammar takes it, so reading ends there, and each character is looked at once.
"""

import re
from collections.abc import Callable
from typing import Final, NoReturn, TypeVar

from pipeline.config.json_reader import DEPTH_LIMIT

_ESCAPES: Final = r"""\\ (?: [^0-9xu\r\n\u2028\u2029] | \r?\n | 0(?![0-9]) | x[0-9A-Fa-f]{2} | u[0-9A-Fa-f]{4}
    | u\{ 0{0,9} (?: 10[0-9A-Fa-f]{4} | [0-9A-Fa-f]{1,5} ) \} )"""
"""An escape that strict JavaScript knows."""
_TOKEN: Final = re.compile(
    rf"""
    (?: [ \t\n]++ | \r\n | //[^\r\n\u2028\u2029]*+ | /\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/ )*+
    (?: (?P<name> [A-Za-z_$][A-Za-z0-9_$]*+ (?![\w\\\u200c\u200d]) )
    | (?P<string> " (?: [^\\"\x00-\x08\x0a-\x1f\u2028\u2029]++ | {_ESCAPES} )*+ "
        | ' (?: [^\\'\x00-\x08\x0a-\x1f\u2028\u2029]++ | {_ESCAPES} )*+ ' )
    | (?P<mark> [{{}}\[\](),:;=.<!+-] | >(?!=) | \|(?!\|) | \* )
    | (?P<number> (?: 0 | [1-9][0-9]{{0,14}}+ ) (?![0-9A-Za-z_$.]) )
    | (?P<template> ` (?: [^`\\$\x00-\x08\x0b-\x1f]++ | \r\n )*+ ` )
    | (?P<end> \Z )
    | (?P<odd> ) )
    """,
    re.VERBOSE,
)
_BREAK: Final = re.compile("[\r\n\u2028\u2029]")
_ESCAPE: Final = re.compile(
    r"\\(?:u\{(?P<point>[0-9A-Fa-f]+)\}|u(?P<unit>[0-9A-Fa-f]{4})|x(?P<byte>[0-9A-Fa-f]{2})|(?P<other>\r\n|.))",
    re.DOTALL,
)
_OTHER: Final = {
    **{"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"},
    **dict.fromkeys(("\n", "\r\n"), ""),
}

_Read = TypeVar("_Read")


class NotLiteral(Exception):  # noqa: N818 - no error: something is computed
    """Raised at the offset of the first thing that no literal has."""

    def __init__(self, offset: int) -> None:
        self.offset = offset


class Tokens:
    """Goes through the tokens of a text. A rule passes what it reads, and refuses anything that it does not expect."""

    def __init__(self, text: str) -> None:
        self._text, self._matches = text, _TOKEN.finditer(text)
        self._end = 0
        self._depth = 0
        self.advance()

    def advance(self) -> None:
        """Go on to the next token; none is after one that is `odd` or the `end`."""
        match, before = next(self._matches), self._end
        self.kind, self.text = match.lastgroup or "odd", match[match.lastindex or 0]
        self.start, self._end = match.span(self.kind)
        """Its offset, in characters from 0, and where it ends."""
        self.on_new_line = self.start > before and _BREAK.search(self._text, before, self.start) is not None
        """Whether a line ends between the token before it and this one."""

    def sees(self, *texts: str) -> bool:
        """Whether the token is one of some."""
        return self.text in texts

    def takes(self, *texts: str) -> bool:
        """Whether the token is one of some, which is then passed."""
        if self.text not in texts:
            return False
        self.advance()
        return True

    def expect(self, *texts: str) -> None:
        """Pass one of some tokens."""
        if not self.takes(*texts):
            self.refuse(self.start)

    def name(self) -> str:
        """Pass a name."""
        name = self.text if self.kind == "name" else self.refuse(self.start)
        self.advance()
        return name

    def list_until(self, closing: str, read: Callable[[], None]) -> None:
        """Read what is separated by commas, of which one may follow the last, and pass the closing bracket."""
        while not self.takes(closing):
            read()
            if not self.sees(closing):
                self.expect(",")

    def inside(self, read: Callable[[], _Read]) -> _Read:
        """Read something one level deeper; what is too deep is not read."""
        self._depth += 1
        if self._depth > DEPTH_LIMIT:
            self.refuse(self.start)
        found = read()
        self._depth -= 1
        return found

    def refuse(self, offset: int) -> NoReturn:
        """Refuse what is at an offset."""
        raise NotLiteral(offset)


def unescape(written: str) -> str:
    """Decode the escapes of a string; two halves of a surrogate pair become one character."""
    if "\\" not in written:
        return written
    units = _ESCAPE.sub(_escaped, written)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _escaped(match: re.Match[str]) -> str:
    digits = match["point"] or match["unit"] or match["byte"]
    return _OTHER.get(match["other"], match["other"]) if digits is None else chr(int(digits, 16))
