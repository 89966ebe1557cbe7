"""Globs: whether a pattern matches everything that another one matches."""

import re
from fnmatch import fnmatchcase
from typing import Final

_TOKEN: Final = re.compile(r"\*+|\?|\[!?\]?[^\]]*\]|.", re.DOTALL)


def covers(wide: str, narrow: str) -> bool:
    """Whether each name that the narrow pattern matches is matched by the wide one.

    If not sure it says no, as of `[ab]` and `[ba]`.
    """
    if wide.isalnum():
        return wide == narrow
    tokens = [token[0][:1] if token[0][0] == "*" else token[0] for token in _TOKEN.finditer(wide)]
    ends = _past_stars(tokens, {0})
    for token in _TOKEN.findall(narrow):
        stay = {end for end in ends if tokens[end : end + 1] == ["*"]}
        step = {end + 1 for end in ends - stay if end < len(tokens) and _covers_one(tokens[end], token)}
        ends = _past_stars(tokens, stay | step)
    return len(tokens) in ends


def _past_stars(tokens: list[str], ends: set[int]) -> set[int]:
    """The ends of what has been used of a pattern, with those behind a `*`, which may match nothing more."""
    return ends | {end + 1 for end in ends if tokens[end : end + 1] == ["*"]}


def _covers_one(wide: str, narrow: str) -> bool:
    """Whether a token that stands for one character covers another token."""
    if narrow[0] == "*":
        return False
    return wide in {"?", narrow} or (len(narrow) == 1 and narrow != "?" and fnmatchcase(narrow, wide))
