"""PHP's `version_compare`, by which most systems judge what a component needs (compared with
PHP 8.2).

It accepts every text. A version is split at dots, and where digits and other characters meet; `-`,
`_` and `+` count as dots. Parts are compared one by one: numbers by value, others by the word that
they begin with. Any other word is lowest, then `dev`, `alpha` or `a`, `beta` or `b`, `RC` or `rc`,
a number, `pl` or `p`.

The tool's own order is in `docs/archives.md`.
"""

import re
from itertools import pairwise
from typing import Final

_WORDS: Final = {
    "dev": 0,
    "alpha": 1,
    "a": 1,
    "beta": 2,
    "b": 2,
    "RC": 3,
    "rc": 3,
    "#": 4,
    "pl": 5,
    "p": 5,
}
_OTHER: Final = -1
_NUMBER: Final = "#N#"
"""Takes the place of a number beside a word, and of the end of a version."""
_LARGEST: Final = 2**63 - 1
"""The value of every higher number."""
_DIGITS: Final = 20
"""More digits than `_LARGEST` has."""
_BORDER: Final = r"(?a)\d[^\d.\-_+]|[^\d.]\d"
"""A digit beside a character that is no digit, in either order."""


def compare_as_php(version: str, other: str) -> int:
    """1 if a version is higher than another, -1 if it is lower, 0 if they are equal."""
    if not version or not other:
        return bool(version) - bool(other)
    one = _parts(version)
    two = _parts(other)
    shared = min(len(one) - (one[-1] == ""), len(two) - (two[-1] == ""))
    for part, counterpart in zip(one[:shared], two[:shared], strict=True):
        if result := _compare_parts(part, counterpart):
            return result
    if rest := one[shared:]:
        return _compare_rest(rest)
    return -_compare_rest(two[shared:])


def _compare_rest(parts: list[str]) -> int:
    """How a version with more parts compares with the same version without them."""
    if parts and not _number(parts[0]):
        return compare_as_php(".".join(parts), _NUMBER)
    return len(parts[:1])


def _compare_parts(part: str, other: str) -> int:
    number = _number(part)
    other_number = _number(other)
    if number and other_number:
        return _sign(_value(number) - _value(other_number))
    return _sign(_stage(part) - _stage(other))


def _value(number: str) -> int:
    return min(int(number.lstrip("0")[:_DIGITS] or "0"), _LARGEST)


def _number(part: str) -> str:
    """The digits at the start of a part."""
    match = re.match(r"(?a)\d+", part)
    if match is None:
        return ""
    return match[0]


def _stage(part: str) -> int:
    """The rank of the word at the start of a part."""
    if _number(part):
        part = _NUMBER
    return next((place for word, place in _WORDS.items() if part.startswith(word)), _OTHER)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _parts(version: str) -> list[str]:
    """The parts of a version. Any character right after a digit begins a new one."""
    if version.startswith("#"):
        return version.split(".")
    characters = version.encode(errors="replace").decode("latin-1")  # PHP compares bytes
    text = characters[0]
    for before, character in pairwise(characters):
        is_border = re.match(_BORDER, before + character) is not None
        is_part = is_border or (character.isascii() and character.isalnum())
        if not text.endswith(".") and (is_border or not is_part):
            text += "."
        if is_part:
            text += character
    return text.split(".")
