"""Escape: make text that comes from archives, files or scripts harmless to a terminal and a log.

Control characters (C0, DEL and C1), line and paragraph separators, bidirectional overrides and lone
surrogates are shown as escapes, and so is the first character of what a CI service could take for a
command (`docs/reference/events.md`).
"""

import re
from typing import Final
from unicodedata import category, east_asian_width

import msgspec

_BEYOND: Final = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_SURROGATES: Final = ("\ud800", "\udfff")
_LATIN_1: Final = 0xFF
_JOINING: Final = ("Mn", "Me", "Cf")
"""The Unicode categories of characters without a width of their own: marks and
format characters.
"""
_SOFT_HYPHEN: Final = "\xad"
_NAMED: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ANYWHERE: Final = r"#(?=#\w*\[)"
"""The start of `##[error]` or `##vso[task.debug]`, which GitHub Actions and Azure Pipelines obey
anywhere in a line.
"""
_AT_BEGINNING: Final = r"(?<!\S):(?=:)"
"""The start of `::error::`, which GitHub Actions obeys at the start of a line; a line can break
before any word.
"""
_HARMFUL: Final = f"[\x00-\x1f{_BEYOND}]"
_HARMFUL_IN_JSON: Final = f"[{_BEYOND}]|{_ANYWHERE}"
"""The harmful characters in JSON text; the others are already escaped, or are white space
between tokens.
"""


def escape(text: str) -> str:
    r"""Show harmful characters as escapes: `\n`, `\x1b`, `\u202e`."""
    plain = text
    if not (text.isascii() and text.isprintable()):
        plain = re.sub(_HARMFUL, _escaped, text)
    if "::" in plain or "##" in plain:
        plain = re.sub(f"{_AT_BEGINNING}|{_ANYWHERE}", _escaped, plain)
    return plain


def to_json(data: object) -> str:
    """Encode plain data, or a struct of it, as one line of JSON with no harmful character in it.

    A lone surrogate, which JSON in UTF-8 cannot hold, becomes the text of its escape.
    """
    try:
        return escape_json(msgspec.json.encode(data).decode())
    except UnicodeEncodeError:
        import json  # costs start-up time

        return escape_json(
            json.dumps(msgspec.to_builtins(data), ensure_ascii=False, separators=(",", ":"))
        )


def escape_json(text: str) -> str:
    """Write the harmful characters in JSON strings as JSON escapes; line breaks between
    tokens stay.
    """
    if text.isascii() and "\x7f" not in text and "##" not in text:
        return text
    return re.sub(_HARMFUL_IN_JSON, _escaped_in_json, text)


def width(text: str) -> int:
    """The columns that a text takes on a terminal: two for a wide character, none for a
    combining one.
    """
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if category(character) in _JOINING and character != _SOFT_HYPHEN:
        return 0
    return 1 + (east_asian_width(character) in "WF")


def _escaped_in_json(match: re.Match[str]) -> str:
    code = f"u{ord(match[0]):04x}"
    if _SURROGATES[0] <= match[0] <= _SURROGATES[1]:
        return f"\\\\{code}"
    return f"\\{code}"


def _escaped(match: re.Match[str]) -> str:
    named = _NAMED.get(match[0])
    if named:
        return named
    code = ord(match[0])
    if code <= _LATIN_1:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}"
