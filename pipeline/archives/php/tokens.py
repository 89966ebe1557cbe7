"""Tokens: a PHP statement split into tokens, with comments and multi-line texts, as PHP 8.2 does.

The time is in proportion to the length of what is matched. Something that is not closed extends to
the end of the file.
"""

import re
from typing import Final

from msgspec import Struct

COMMENTS: Final = (
    r"/\*.*?(?:\*/|\Z)",
    r"//.*?(?=[\r\n]|\?>|\Z)",
    r"\#(?!\[).*?(?=[\r\n]|\?>|\Z)",
)
HEREDOC: Final = (
    r"<<<[ \t]*+(?P<mark>[\"']?)(?P<label>\w++)(?P=mark)(?=[\r\n])"
    r"(?P<body>.*?)(?:[\r\n][ \t]*+(?P=label)\b|\Z)"
)
SINGLE: Final = r"'[^'\\]*+(?:\\(?:.|\Z)[^'\\]*+)*+(?:'|\Z)"
DOUBLE: Final = r'"[^"\\]*+(?:\\(?:.|\Z)[^"\\]*+)*+(?:"|\Z)'
_TOKEN: Final = re.compile(
    "|".join(
        (
            r"(?s)\s++",
            *COMMENTS,
            r"(?P<end>[;{}]|\?>)",
            HEREDOC,
            rf"(?P<text>{SINGLE}|{DOUBLE})",
            r"(?P<number>(?:\d++(?:\.\d*+)?+|\.\d++)(?![\w.]))",
            r"(?P<word>[\w\\\x80-\xff]++)",
            r"(?P<sign>\?\?=|->|::|=>|===?|[!<>.+*/%|&^-]=|.)",
        )
    ).encode()
)
_ESCAPE: Final = (
    rb"(?s)\\(?:([nrtvef\\$\"])|x([0-9A-Fa-f]{1,2})|u\{([0-9A-Fa-f]{1,6})\}|([0-7]{1,3}))"
)
_ESCAPED: Final = dict(zip(b'nrtvef\\$"', b'\n\r\t\v\x1b\f\\$"', strict=True))
_VARIABLE: Final = rb"(?s)(?:[^\\$]|\\.|\$(?![\w{\x80-\xff]))*+\$"
_LINE_BREAK: Final = rb"\r\n?|\n"


class Token(Struct, frozen=True):
    """A part of a statement: `text`, `body` (of a heredoc), `number`, `word`, or `sign`."""

    kind: str
    text: bytes


def statement(php: bytes, position: int) -> tuple[tuple[Token, ...], int]:
    """The tokens from a position to the end of the statement or to a brace, and where they end."""
    tokens = list[Token]()
    while (match := _TOKEN.match(php, position)) and match.lastgroup != "end":
        position = match.end()
        if match.lastgroup:
            tokens.append(Token(match.lastgroup, match[0]))
    return tuple(tokens), position


def string_of(token: Token) -> str | None:
    """The text that a quoted text or heredoc stands for; `None` if it contains variables or has
    no end.
    """
    if token.kind == "body":
        return _heredoc(token.text)
    inner = token.text[1:-1]
    if token.text[-1:] != token.text[:1]:
        return None
    if token.text.startswith(b"'"):
        return re.sub(rb"\\([\\'])", rb"\1", inner).decode(errors="replace")
    return _unescaped(inner)


def _heredoc(text: bytes) -> str | None:
    """The lines of a heredoc, without the indentation of its last line."""
    match = re.match(f"(?s){HEREDOC}".encode(), text)
    if match is None or match.end("body") == len(text):
        return None
    indented = text[match.end("body") :].lstrip(b"\r\n").removesuffix(match["label"])
    lines = (line.removeprefix(indented) for line in re.split(_LINE_BREAK, match["body"])[1:])
    body = b"\n".join(lines)
    if match["mark"] == b"'":
        return body.decode(errors="replace")
    return _unescaped(body)


def _unescaped(text: bytes) -> str | None:
    if re.match(_VARIABLE, text):
        return None
    return re.sub(_ESCAPE, _character, text).decode(errors="replace")


def _character(match: re.Match[bytes]) -> bytes:
    """The character that an escape stands for."""
    if match[1]:
        return bytes([_ESCAPED[match[1][0]]])
    if match[3]:
        return chr(min(int(match[3], 16), 0xFFFD)).encode(errors="replace")
    if match[2]:
        return bytes([int(match[2], 16) & 0xFF])
    return bytes([int(match[4], 8) & 0xFF])
