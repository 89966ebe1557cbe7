"""Requirements: whether a version is one of those that a component says it runs on, as Composer writes constraints.

Drupal and Omeka S judge by Composer's rules; what other systems say is put in its words where markers are read.
Suffixes of pre-releases do not count. Total: what cannot be told is `None`.
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
_SUFFIX: Final = r"(?:[-+@][\w.+-]{0,40}+)?+"
_VERSION: Final = rf"(?ia)v?(\d{{1,9}}(?:\.\d{{1,9}}){{0,{_PARTS - 1}}}){_SUFFIX}"
_TERM: Final = (
    rf"(?ia)(\^|~|[<>!=]=|<>|[<>=])?v?(\d{{1,9}}(?:\.\d{{1,9}}){{0,{_PARTS - 1}}})?(\.?[*x](?:\.[*x])*)?{_SUFFIX}"
)
_TESTS: Final[Mapping[str, Callable[[_Numbers, _Numbers], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
_SAME: Final = {"": "==", "=": "==", "<>": "!="}


def satisfies(version: str, constraint: str) -> bool | None:
    """Whether a version satisfies a constraint: `^9.5 || ^10`, `>=1.7 <8.2`, `~2.1`, `7.x`, `1.0 - 2.0`, `!=3.1`."""
    said, groups = re.fullmatch(_VERSION, version.strip()), re.split(r"\s*\|\|?\s*", constraint.strip())
    limits = [tuple(_limits(group)) for group in groups]
    if said is None or not all(limits) or any(limit is None for group in limits for limit in group):
        return None
    numbers = _padded(_numbers(said[1]))
    return any(all(_TESTS[how](numbers, _padded(other)) for how, other in filter(None, group)) for group in limits)


def _limits(group: str) -> Iterator[_Limit | None]:
    """The limits that hold together; `None` for what is no constraint."""
    text = re.sub(r"([<>=!^~])\s+", r"\1", group)
    if between := re.fullmatch(r"(\S+)\s+-\s+(\S+)", text):
        low, high = (re.fullmatch(_VERSION, each) for each in between.groups())
        yield (">=", _numbers(low[1])) if low else None
        yield _upper_end(_numbers(high[1])) if high else None
        return
    for term in filter(None, re.split(r"[\s,]+", text)):
        yield from _of_term(term)


def _upper_end(numbers: _Numbers) -> _Limit:
    return ("<=", numbers) if len(numbers) >= _WHOLE else ("<", _next(numbers))


def _of_term(term: str) -> Iterator[_Limit | None]:
    match = re.fullmatch(_TERM, term)
    how, said, rest = match.groups() if match else (None, None, None)
    numbers = _numbers(said) if said else ()
    if not numbers:
        yield (">=", (0,)) if rest and not how else None
    elif rest:
        yield from ((">=", numbers), ("<", _next(numbers))) if not how else (None,)
    elif how == "^":
        first = next((place for place, number in enumerate(numbers) if number), len(numbers) - 1)
        yield from ((">=", numbers), ("<", _next(numbers[: first + 1])))
    elif how == "~":
        yield from ((">=", numbers), ("<", _next(numbers[: max(len(numbers) - 1, 1)])))
    else:
        yield _SAME.get(how or "", how or ""), numbers


def _numbers(text: str) -> _Numbers:
    return tuple(map(int, text.split(".")))


def _padded(numbers: _Numbers) -> _Numbers:
    return (*numbers, *(0,) * (_PARTS - len(numbers)))


def _next(numbers: _Numbers) -> _Numbers:
    """The first version after all that begin with some numbers."""
    return (*numbers[:-1], numbers[-1] + 1)
