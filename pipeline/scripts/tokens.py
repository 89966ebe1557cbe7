"""Tokens: the words of a script, what the escapes in a string stand for, and the bracket that closes each.

What JavaScript reads in one way, whatever kind of file it is in, has its kind. The rest is `odd`: no rule of the
grammar passes it, though it may be part of what is computed. Where it is not certain what a text means, as where a
slash may divide or begin a regular expression, the tokens end with one that is `unknown`.
"""

import re
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal["name", "string", "template", "number", "mark", "odd", "unknown", "end"]

_INSIDE: Final = r"""
    [^\\'"\x00-\x08\x0a-\x1f\u2028\u2029]
    | \\ (?: [^0-9xu\r\n\u2028\u2029] | \r?\n | 0(?![0-9]) | x[0-9A-Fa-f]{2} | u[0-9A-Fa-f]{4}
           | u\{ 0{0,9} (?: 10[0-9A-Fa-f]{4} | [0-9A-Fa-f]{1,5} ) \} )
"""
"""A piece of a string, besides the other kind of quotes: a character, or an escape that strict JavaScript knows."""
_TOKEN: Final = re.compile(
    rf"""
    (?P<between> (?: [ \t\n] | \r\n | //[^\r\n\u2028\u2029]* | /\*.*?\*/ )++ )
    | (?P<name> [A-Za-z_$][A-Za-z0-9_$]*+ (?![\w\\\u200c\u200d]) )
    | (?P<string> " (?: {_INSIDE} | ' )*+ " | ' (?: {_INSIDE} | " )*+ ' )
    | (?P<template> ` (?: [^`\\$\x00-\x08\x0b-\x1f] | \r\n )*+ ` )
    | (?P<number> (?: 0 | [1-9][0-9]{{0,14}} ) (?![0-9A-Za-z_$.]) )
    | (?P<mark> \.\.\. | => | \+\+ | --(?!>) | && | \|\| | \?[?.] | <[<=] | >= | <(?!!--) | -(?!->)
        | [{{}}\[\](),:;=|.*!+>`/%&^~?@\#] )
    | (?P<space> [\s\N{{ZERO WIDTH NO-BREAK SPACE}}]++ | \A\#![^\r\n\u2028\u2029]* )
    | (?P<odd> \.?[0-9](?: [eE][+-] | [\w$.] )*+
        | (?: [\w$\u200c\u200d] | \\u[0-9A-Fa-f]{{4}} | \\u\{{[0-9A-Fa-f]++\}} )++
        | " (?: [^"\\\r\n] | \\(?:\r\n|.) )*+ " | ' (?: [^'\\\r\n] | \\(?:\r\n|.) )*+ ' )
    """,
    re.VERBOSE | re.DOTALL,
)
_BREAK: Final = re.compile("[\r\n\u2028\u2029]")
_REGULAR: Final = re.compile(r"/(?![*/])(?:[^\\/\[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*+\])++/\w*")
_TEMPLATE: Final = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*+(?P<mark>`|\$\{)", re.DOTALL)
"""The text of a template, up to its end or what is put into it."""
_CLOSING: Final = {"(": ")", "[": "]", "{": "}", "${": "}", "`": "`"}
_BEFORE_VALUE: Final = re.compile(
    "await|case|class|const|default|delete|do|else|export|extends|function|if|import|in|instanceof|let|new|return|throw"
    "|typeof|var|void"
)
"""Words that a value or a declaration follows."""
_BEFORE_STATEMENT: Final = frozenset({"catch", "for", "if", "switch", "while", "with"})
"""Words before a bracket that a statement or a block follows."""

_ESCAPE: Final = re.compile(
    r"\\(?:u\{(?P<point>[0-9A-Fa-f]+)\}|u(?P<unit>[0-9A-Fa-f]{4})|x(?P<byte>[0-9A-Fa-f]{2})|(?P<other>\r\n|.))",
    re.DOTALL,
)
_OTHER: Final = {
    **{"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"},
    **dict.fromkeys(("\n", "\r\n"), ""),
}


class Token(Struct, frozen=True):
    """A word or mark of a script. `start` counts characters from 0."""

    kind: Kind
    text: str
    start: int
    on_new_line: bool
    """Whether a line ends between the token before it and this one."""
    ends: bool | None
    """Whether a value may end with it, so that a slash after it divides; `None` if that is not certain."""


class Tokens:
    """The tokens of a text, without white space and comments; the last is `end`, or `unknown`."""

    def __init__(self, text: str) -> None:
        self.found: list[Token] = []
        self.closing: dict[int, int] = {}
        """The index of each opening bracket, and that of the one which closes it."""
        self.odd: int | None = None
        """The offset of the first white space that is none in every kind of file."""
        self._text = text
        self._open: list[int] = []
        self._breaks = False
        at = 0
        while at < len(text) and (ended := self._next(at)) is not None:
            at = ended
        self._add("unknown" if at < len(text) or self._open else "end", "", at, ends=None)
        self.closing.update(dict.fromkeys(self._open, len(self.found) - 1))

    def _next(self, at: int) -> int | None:
        """Read a token or what is between two, and give where it ends; `None` where nothing is certain."""
        if (match := _TOKEN.match(self._text, at)) is None:
            return None
        kind: Any = match.lastgroup
        if kind == "mark":
            return self._mark(match[0], at)
        if kind in {"between", "space"}:
            self._breaks = self._breaks or _BREAK.search(match[0]) is not None
            self.odd = at if kind == "space" and self.odd is None else self.odd
        else:
            is_before = _BEFORE_VALUE.fullmatch(match[0]) and self.found and self.found[-1].text not in {".", "as"}
            self._add(kind, match[0], at, ends=not is_before)
        return match.end()

    def _mark(self, mark: str, at: int) -> int | None:
        """Read a mark; a bracket that closes another than the open one makes everything uncertain."""
        before = self.found[-1].ends if self.found else False
        if mark == "/" and not before:
            return self._regular(at) if before is False else None
        opened = self._close(mark) if mark in {")", "]", "}"} else ""
        if opened is None:
            return None
        ends = {"!": before, "++": before, "--": before, "}": None, ">": None, "]": True, ")": opened == "("}
        self._add("mark", mark, at, ends=ends.get(mark, False))
        if mark in _CLOSING:
            self._open.append(len(self.found) - 1)
        return self._in_template(at + 1) if mark == "`" or opened == "${" else at + len(mark)

    def _regular(self, at: int) -> int | None:
        match = _REGULAR.match(self._text, at)
        if match is not None:
            self._add("odd", match[0], at, ends=True)
        return match and match.end()

    def _in_template(self, at: int) -> int | None:
        """Pass the text of a template, up to its end or what is put into it."""
        match = _TEMPLATE.match(self._text, at)
        if match is None:
            return None
        if match["mark"] == "`":
            self._close("`")
        self._add("mark", match["mark"], match.start("mark"), ends=match["mark"] == "`")
        if match["mark"] == "${":
            self._open.append(len(self.found) - 1)
        return match.end()

    def _close(self, mark: str) -> str | None:
        """Close the open bracket, and give how it began, with the word of its statement; `None` if it is another."""
        opening = self._open.pop() if self._open else -1
        if opening < 0 or _CLOSING[self.found[opening].text] != mark:
            return None
        self.closing[opening] = len(self.found)
        before = [token.text for token in self.found[max(0, opening - 2) : opening]]
        is_of_statement = bool(before) and before[-1] in _BEFORE_STATEMENT and before[0] != "."
        return (before[-1] if is_of_statement else "") + self.found[opening].text

    def _add(self, kind: Kind, text: str, start: int, *, ends: bool | None) -> None:
        self.found.append(Token(kind, text, start, self._breaks, ends))
        self._breaks = False


def unescape(written: str) -> str:
    """Decode the escapes of a string; two halves of a surrogate pair become one character."""
    if "\\" not in written:
        return written
    units = _ESCAPE.sub(_escaped, written)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _escaped(match: re.Match[str]) -> str:
    digits = match["point"] or match["unit"] or match["byte"]
    return _OTHER.get(match["other"], match["other"]) if digits is None else chr(int(digits, 16))
