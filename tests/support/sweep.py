"""How much of the long tables is tried: a sample on every run, everything in a sweep.

A sweep is a run with `TOOL_TESTS_SWEEP=all` in the environment (`make sweep`).
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import pytest

T = TypeVar("T")
VARIABLE: Final = "TOOL_TESTS_SWEEP"
SWEEP: Final = os.environ.get(VARIABLE) == "all"


def sample(cases: Sequence[T], at_most: int = 5) -> list[T]:
    """Give so many cases, spread evenly from the first to the last: the same ones on every run; in a sweep, all."""
    if SWEEP or len(cases) <= at_most:
        return list(cases)
    return [cases[index * (len(cases) - 1) // max(1, at_most - 1)] for index in range(at_most)]


def sweep_only(test: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a test that is tried in a sweep alone, as it takes seconds and covers no line of its own."""
    skip = pytest.mark.skipif(not SWEEP, reason="it takes seconds, for which there is time in `make sweep`")
    return pytest.mark.sweep(skip(test))


def examples(number: int) -> int:
    """Give how many examples Hypothesis tries: a quarter as many, and in a sweep ten times as many."""
    return number * 10 if SWEEP else number // 4


Thinned = Callable[..., list[T]]
"""Takes a sequence, and how many of it to keep at most; `sample` says which."""

Counted = Callable[[str, int], None]
"""Takes what was tried, and how often; the sums are printed at the end of the run."""
