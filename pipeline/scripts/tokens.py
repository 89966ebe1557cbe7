"""Tokens: the words of a script that may be a literal.

Only those that such a script needs, and only as far as JavaScript reads them in one way, whatever kind of file it is
in. Whatever else the text has is an `unknown` token, which no rule of the grammar passes.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, NoReturn, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal["name", "string", "template", "number", "mark", "unknown", "end"]

_INSIDE: Final = r"""
    [^\\'"\x00-\x08\x0a-\x1f\u2028\u2029]
    | \\ (?: [^0-9xu\r\n\u2028\u2029] | \r?\n | 0(?![0-9]) | x[0-9A-Fa-f]{2} | u[0-9A-Fa-f]{4}
           | u\{ 0{0,9} (?: 10[0-9A-Fa-f]{4} | [0-9A-Fa-f]{1,5} ) \} )
"""
"""A piece of a string, besides the other kind of quotes: a character, or an escape that strict JavaScript knows."""
_TOKEN: Final = re.compile(
    rf"""
    (?P<between> (?: [ \t\n] | \r\n | //[^\r\n\u2028\u2029]* | /\*.*?\*/ )++ )
    | (?P<name> [A-Za-z_$][A-Za-z0-9_$]* )
    | (?P<string> " (?: {_INSIDE} | ' )*+ " | ' (?: {_INSIDE} | " )*+ ' )
    | (?P<template> ` (?: [^`\\$\x00-\x08\x0b-\x1f] | \r\n )*+ ` )
    | (?P<number> (?: 0 | [1-9][0-9]{{0,14}} ) (?![0-9A-Za-z_$.]) )
    | (?P<mark> [{{}}\[\](),:;=<|.*!+-] | >(?!=) )
    """,
    re.VERBOSE | re.DOTALL,
)
_BREAK: Final = re.compile("[\r\n\u2028\u2029]")


class Token(Struct, frozen=True):
    """A word or mark of a script. `start` counts characters from 0."""

    kind: Kind
    text: str
    start: int
    on_new_line: bool
    """Whether a line ends between the token before it and this one."""


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a script, without white space and comments; the last is `end`, or the first that is `unknown`."""
    ended, breaks = 0, False
    for match in _TOKEN.finditer(text):
        if match.start() != ended:
            break
        kind: Any = match.lastgroup
        ended = match.end()
        if kind == "between":
            breaks = _BREAK.search(match[0]) is not None
        else:
            yield Token(kind, match[0], match.start(), breaks)
            breaks = False
    yield Token("unknown" if ended < len(text) else "end", "", ended, breaks)


class RefusedToken(Exception):  # noqa: N818 - no error: the script is evaluated
    """Raised at the offset of the first thing that is not read."""

    def __init__(self, offset: int) -> None:
        self.offset = offset


class Cursor:
    """Goes through the tokens of a text. What is expected and not there raises `Refusal`."""

    def __init__(self, text: str) -> None:
        self._rest = tokens(text)
        self.token = next(self._rest)

    def is_at_end(self) -> bool:
        """Whether every token is passed."""
        return self.token.kind == "end"

    def advance(self) -> Token:
        """Give the token, and go on to the next."""
        token = self.token
        self.token = next(self._rest, token)
        return token

    def sees(self, *texts: str) -> bool:
        """Whether the token is one of some."""
        return self.token.text in texts

    def takes(self, *texts: str) -> bool:
        """Whether the token is one of some, which is then passed."""
        return self.sees(*texts) and bool(self.advance())

    def expect(self, *texts: str) -> Token:
        """Pass one of some tokens."""
        return self.advance() if self.sees(*texts) else self.refuse(self.token.start)

    def name(self) -> str:
        """Pass a name."""
        return self.advance().text if self.token.kind == "name" else self.refuse(self.token.start)

    def list_until(self, closing: str, read: Callable[[], None]) -> None:
        """Read what is separated by commas, of which one may follow the last, and pass the closing bracket."""
        while not self.takes(closing):
            read()
            if not self.sees(closing):
                self.expect(",")

    def refuse(self, offset: int) -> NoReturn:
        """Refuse what is at an offset."""
        raise RefusedToken(offset)
