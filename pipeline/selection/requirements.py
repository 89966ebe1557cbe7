"""Requirements: whether a version is one of those that a component says it runs on, as Composer writes constraints.

Drupal and Omeka S judge by Composer's rules; what other systems say is put in its words where markers are read.
Suffixes of pre-releases do not count. Total: what cannot be judged is `None`.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

_Numbers: TypeAlias = tuple[int, ...]
_Limit: TypeAlias = tuple[str, _Numbers]
"""A comparison, and what a version is compared with."""

_PARTS: Final = 6
_WHOLE: Final = 3
"""From how many parts on the upper end of `1.0 - 2.0.0` is a version, and not all that begin so."""
_NUMBERS: Final = rf"v?(\d{{1,9}}(?:\.\d{{1,9}}){{0,{_PARTS - 1}}})"
_SUFFIX: Final = r"(?:[-+@][\w.+-]{0,40}+)?+"
_VERSION: Final = rf"(?ia){_NUMBERS}{_SUFFIX}"
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


def satisfies(version: str, constraint: str) -> bool | None:
    """Whether a version satisfies a constraint: `^9.5 || ^10`, `>=1.7 <8.2`, `~2.1`, `7.x`, `1.0 - 2.0`, `!=3.1`."""
    said, plain = re.fullmatch(_VERSION, version.strip()), re.sub(_BETWEEN, r">=\1 ≤\2", constraint)
    limits = [tuple(_limits(group)) for group in re.split(r"\|\|?", plain)]
    if said is None or not all(limits) or any(limit is None for group in limits for limit in group):
        return None
    numbers = _padded(_numbers(said[1]))
    return any(all(_TESTS[how](numbers, _padded(other)) for how, other in filter(None, group)) for group in limits)


def lowest(constraint: str) -> str:
    """The lower limit alone of a constraint that has a lower and an upper one."""
    low = re.split(r" - | ?<=", constraint)[0]
    return f">={low.removeprefix('>=') or 0}"


def _limits(group: str) -> Iterator[_Limit | None]:
    """The limits that a version has to satisfy together; `None` for a term that is no constraint."""
    for term in filter(None, re.split(r"[\s,]+", re.sub(r"([<>=!^~])\s+", r"\1", group))):
        match = re.fullmatch(_TERM, term)
        how, said, rest = match.groups("") if match else ("", "", "")
        numbers = _numbers(said) if said else ()
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
