"""Versions: which of two is higher, as the systems write them: `1.2.0-beta.1`, `8.x-2.20`,
`2024-02-01`, `5.9.0-pro`.

All versions are compared by one key, never by rules for pairs of them, so that the order
has no circles:

    core      of `7.x-3.5` it is 7; a version that names none is for Drupal 8 or later
    numbers   before the first word, whatever separates them; a letter right behind one is a
              number: `1.0.2g`
    words     the stage that each says, from `dev` to `patch`, and the numbers behind it

`docs/archives.md` has the rules, and where PHP's `version_compare` differs, by which most systems
compare versions.
"""

import re
from typing import Final, Literal, TypeAlias

_Digits: TypeAlias = tuple[int, str]
"""A number of any length: how many digits it has, and the digits, without leading zeros."""
_Word: TypeAlias = tuple[int, tuple[_Digits, ...]]
"""The stage that a word names, and the numbers behind it."""
Rank: TypeAlias = tuple[_Digits, tuple[_Digits, ...], tuple[_Word, ...]]

_LEADING_V: Final = r"(?ai)^[^a-z\d]*(?:v(?![a-z])[^a-z\d]*)?"
_NAMED_CORE: Final = r"(?ai)^(\d+)\.x-(?=\d)"
_WORD: Final = r"(?ai)(\.x(?:-dev)?(?![a-z\d])|(?<!\d)[a-z]+|[a-z]{2,}|[a-z](?=\d))"
"""All letters are words, except a single one between a digit and no digit."""
_CORE: Final = "8"
"""The core of a Drupal version that names none."""
_RELEASE: Final = 5
"""The stage of a version without a word, and of every word that names none."""
_STAGES: Final = {
    **dict.fromkeys(("dev", "snapshot", "nightly", ".x", ".x-dev"), 0),
    "unstable": 1,
    **dict.fromkeys(("alpha", "a", "preview", "pre"), 2),
    **dict.fromkeys(("beta", "b"), 3),
    **dict.fromkeys(("rc", "c"), 4),
    **dict.fromkeys(("p", "pl", "patch", "hotfix", "r", "build"), 6),
}
_BEFORE_NUMBERS: Final = frozenset("abc")
"""The words that name a stage only before a number."""
_COUNTED: Final = 8
"""How many words are compared."""
_NO_WORDS: Final[tuple[_Word, ...]] = ((_RELEASE, ()),) * _COUNTED


def rank(version: str | None) -> Rank | None:
    """The key by which versions are compared; `None` for a text without a digit, which cannot
    be ordered.
    """
    text = re.sub(_LEADING_V, "", (version or "").partition("+")[0])
    if not re.search(r"(?a)\d", text):
        return None
    # The core that it names, if any, and the rest are the last two.
    parts = [
        _CORE,
        *re.split(_NAMED_CORE, text),
    ]
    pieces = re.split(_WORD, parts[-1])
    words = map(_word, pieces[1::2], pieces[2::2])
    return _digits(parts[-2]), _without_zeros(pieces[0]), (*words, *_NO_WORDS)[:_COUNTED]


def _word(word: str, behind: str) -> _Word:
    """A word by its stage, and the numbers between it and the next one."""
    name = word.lower()
    numbers = _without_zeros(behind)
    if name in _BEFORE_NUMBERS and not re.search(r"(?a)\d", behind):
        return _RELEASE, numbers
    return _STAGES.get(name, _RELEASE), numbers


def _without_zeros(text: str) -> tuple[_Digits, ...]:
    """The numbers of a text without words, up to the last non-zero one."""
    numbers = [_digits(part) for part in re.findall(r"(?ai)\d+|[a-z]", text)]
    while numbers and numbers[-1] == _digits("0"):
        numbers.pop()
    return tuple(numbers)


def _digits(part: str) -> _Digits:
    """A number, or a letter by its place in the alphabet, so that it can be compared."""
    if part.isalpha():
        part = str(ord(part.lower()) - ord("a") + 1)
    significant = part.lstrip("0")
    return len(significant), significant


def compare_versions(
    version: str | None, other: str | None
) -> Literal["newer", "older", "changed"]:
    """How another version compares with a version; `changed` if they are equal or cannot
    be compared.
    """
    one = rank(version)
    two = rank(other)
    if one is None or two is None or one == two:
        return "changed"
    if two > one:
        return "newer"
    return "older"


def are_equal(version: str | None, other: str | None) -> bool:
    """Whether two versions are the same, even if written differently: `v1.0` and `1.0.0`."""
    one = rank(version)
    two = rank(other)
    return bool(version and other) and (version == other or (one is not None and one == two))
