"""Versions: which of two is higher, as the systems write them: `1.2.0-beta.1`, `8.x-2.20`, `7.x-2.0-rc1`, `v3.1`.

A Drupal version that names its core, `7.x-3.5`, is compared by the core first; one that names none is for Drupal 8 or
later. A development snapshot is lower than any release of its number: it does not say which release it follows.

What a component runs on is a constraint as Composer writes it: Drupal and Omeka S judge by its rules, and what other
systems say is put in its words where markers are read. Suffixes of pre-releases do not count there.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

Rank: TypeAlias = tuple[int, tuple[int, ...], int, int]

_VERSION: Final = (
    r"(?ia)v?(?:(\d{1,9})\.x-)?(\d{1,18}(?:\.\d{1,18}){0,9})(\.x)?"
    r"(?:[-._]?(dev|snapshot|alpha|a|beta|b|rc|c|patch|pl|p)[-._]?(\d{0,9}))?(?:\+.*)?"
)
_CORE: Final = 8
"""The core of a Drupal version that names none."""
_RELEASE: Final = 4
_STAGES: Final = {"d": 0, "s": 0, "a": 1, "b": 2, "c": 3, "r": 3, "p": 5}
"""The rank of each word for a stage, by its first letter: `dev`, `snapshot`, `alpha`, `beta`, `c` or `rc`, `patch`."""
_Numbers: TypeAlias = tuple[int, ...]
_Limit: TypeAlias = tuple[str, _Numbers]
"""A comparison, and what a version is compared with."""

_PARTS: Final = 6
_WHOLE: Final = 3
"""From how many parts on the upper end of `1.0 - 2.0.0` is a version, and not all that begin so."""
_NUMBERS: Final = rf"v?(\d{{1,9}}(?:\.\d{{1,9}}){{0,{_PARTS - 1}}})"
_SUFFIX: Final = r"(?:[-+@][\w.+-]{0,40}+)?+"
_PLAIN: Final = rf"(?ia){_NUMBERS}{_SUFFIX}"
_TERM: Final = rf"(?ia)([<>!=]=|<>|[<>=^~≤])?(?:{_NUMBERS})?(\.?[*x](?:\.[*x])*)?{_SUFFIX}"
_BETWEEN: Final = r"([^\s|,]+)\s+-\s+([^\s|,]+)"
_TESTS: Final[Mapping[str, Callable[[_Numbers, _Numbers], bool]]] = {
    **dict.fromkeys(("", "=", "=="), operator.eq),
    **dict.fromkeys(("!=", "<>"), operator.ne),
    **dict.fromkeys(("<=", "≤"), operator.le),
    **{">=": operator.ge, ">": operator.gt, "<": operator.lt},
}
"""The comparisons; `≤` is the upper end of a range."""
_KEPT: Final[Mapping[str, Callable[[_Numbers], int]]] = {
    "^": lambda numbers: next((at for at, number in enumerate(numbers, 1) if number), len(numbers)),
    "~": lambda numbers: max(len(numbers) - 1, 1),
}
"""How many numbers all versions have in common that such a constraint accepts."""


def rank(version: str | None) -> Rank | None:
    """The key that versions are compared by; `None` if a version cannot be compared."""
    match = re.fullmatch(_VERSION, version.strip()) if version else None
    if match is None:
        return None
    core, numbers, branch, stage, count = match.groups()
    parts = [int(part) for part in numbers.split(".")]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    word = "dev" if branch else stage or ""
    return int(core or _CORE), tuple(parts), _STAGES.get(word[:1].lower(), _RELEASE), int(count or 0)


def compare_versions(version: str | None, other: str | None) -> Literal["newer", "older", "changed"]:
    """How another version stands to a version; `changed` if they cannot be compared, or are equal."""
    one = rank(version)
    two = rank(other)
    if one is None or two is None or one == two:
        return "changed"
    return "newer" if two > one else "older"


def are_equal(version: str | None, other: str | None) -> bool:
    """Whether two versions are one, perhaps written differently: `v1.0` and `1.0.0`."""
    one = rank(version)
    two = rank(other)
    return bool(version and other) and (version == other or (one is not None and one == two))


def satisfies(version: str, constraint: str) -> bool | None:
    """Whether a version satisfies a constraint: `^9.5 || ^10`, `>=1.7 <8.2`, `~2.1`, `7.x`, `1.0 - 2.0`, `!=3.1`."""
    match = re.fullmatch(_PLAIN, version.strip())
    plain = re.sub(_BETWEEN, r">=\1 ≤\2", constraint)
    limits = [tuple(_limits(group)) for group in re.split(r"\|\|?", plain)]
    if match is None or not all(limits) or any(limit is None for group in limits for limit in group):
        return None
    numbers = _padded(_numbers(match[1]))
    return any(all(_TESTS[how](numbers, _padded(other)) for how, other in filter(None, group)) for group in limits)


def lowest(constraint: str) -> str:
    """The lower limit alone of a constraint that has a lower and an upper one."""
    low = re.split(r" - | ?<=", constraint)[0]
    return f">={low.removeprefix('>=') or 0}"


def _limits(group: str) -> Iterator[_Limit | None]:
    """The limits that a version has to satisfy together; `None` for a term that is no constraint."""
    for term in filter(None, re.split(r"[\s,]+", re.sub(r"([<>=!^~])\s+", r"\1", group))):
        match = re.fullmatch(_TERM, term)
        how, version, rest = match.groups("") if match else ("", "", "")
        numbers = _numbers(version) if version else ()
        if (rest and how) or not (rest or numbers):
            yield None
        elif rest or how in _KEPT:
            yield ">=", numbers or (0,)
            if numbers:
                yield "<", _next(numbers[: _KEPT.get(how, len)(numbers)])
        elif how == "≤" and len(numbers) < _WHOLE:
            yield "<", _next(numbers)
        else:
            yield how, numbers


def _numbers(text: str) -> _Numbers:
    return tuple(map(int, text.split(".")))


def _padded(numbers: _Numbers) -> _Numbers:
    return (*numbers, *(0,) * (_PARTS - len(numbers)))


def _next(numbers: _Numbers) -> _Numbers:
    """The first version after all that begin with some numbers."""
    return (*numbers[:-1], numbers[-1] + 1)
