"""How much of the long tables is tried: a sample on every run, everything in a sweep, a sixteenth
in one for a change.

A sweep is a run with `TOOL_TESTS_SWEEP=all` in the environment (`make sweep`), or
`sixteenth` (`.ci/run`).
"""

import os
from collections.abc import Callable, Sequence
from itertools import cycle, product
from typing import Any, Final, TypeVar

import pytest

T = TypeVar("T")
W = TypeVar("W")
VARIABLE: Final = "TOOL_TESTS_SWEEP"
HOW_MUCH: Final = os.environ.get(VARIABLE, "")
SWEEP: Final = HOW_MUCH in {"all", "sixteenth"}
SHARE: Final = 16
LIVES: Final = int(os.environ.get("TOOL_TESTS_LIVES", "0"))
"""How many lives of a project are tried that no run has tried before (`make lives`); 0, those
of every run.
"""


def sample(cases: Sequence[T], at_most: int = 5) -> list[T]:
    """Give at most so many cases, spread evenly from the first to the last, the same ones on every
    run; in a sweep, all.

    A sixteenth is every sixteenth case, beside the first and the last: as a rule, others than those
    of every run.
    """
    if HOW_MUCH == "all" or len(cases) <= at_most:
        return list(cases)
    if HOW_MUCH == "sixteenth":
        return [
            cases[index]
            for index in sorted({0, *range(SHARE // 2, len(cases), SHARE), len(cases) - 1})
        ]
    return _spread(cases, at_most)


def _spread(cases: Sequence[T], at_most: int) -> list[T]:
    if len(cases) <= at_most:
        return list(cases)
    return [cases[index * (len(cases) - 1) // max(1, at_most - 1)] for index in range(at_most)]


def some(cases: Sequence[T], at_most: int) -> list[T]:
    """Give at most so many cases, each of which has a long table of its own; in any sweep, all."""
    return list(cases) if SWEEP else sample(cases, at_most)


def nested(cases: Sequence[T], at_most: int) -> list[T]:
    """Give at most so many cases that are tried with each case of a long table; in the whole sweep,
    all.
    """
    return list(cases) if HOW_MUCH == "all" else _spread(cases, at_most)


def sweep_only(test: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a test that only runs in a sweep, as it takes seconds and covers no line of its own."""
    skip = pytest.mark.skipif(
        not SWEEP, reason="it takes seconds, for which there is time in `make sweep`"
    )
    return pytest.mark.sweep(skip(test))


def examples(number: int) -> int:
    """Give how many examples Hypothesis tries: a quarter as many; in a sweep ten times as
    many, or a third.
    """
    return {"all": number * 10, "sixteenth": number // 3}.get(HOW_MUCH, number // 4)


def law(number: int) -> int:
    """Give how many examples Hypothesis tries of a law that no page counts: a quarter of
    `examples`, or all of them.
    """
    return examples(number) if SWEEP else max(8, number // 16)


def in_turn(cases: Sequence[T], ways: Sequence[W], at_most: int) -> list[tuple[T, W]]:
    """Give at most so many cases, each with the way whose turn it is; in a sweep, every case with
    every way.

    A sixteenth is every sixteenth case, or enough cases for every way to have one.
    """
    if HOW_MUCH == "all":
        return [*product(cases, ways)]
    if HOW_MUCH == "sixteenth":  # with another way than that of every run
        step = max(1, min(SHARE, len(cases) // len(ways)))
        indexes = sorted({*range(0, len(cases), step), len(cases) - 1})
        return [
            *zip((cases[index] for index in indexes), cycle((*ways[1:], ways[0])), strict=False)
        ]
    return [*zip(sample(cases, at_most), cycle(ways), strict=False)]


Thinned = Callable[..., list[T]]
"""Takes a sequence, and how many of it to keep at most; `sample` says which."""

TakeTurns = Callable[[Sequence[T], Sequence[W], int], list[tuple[T, W]]]
"""Takes cases, ways, and how many cases to keep at most; `in_turn` says which."""

Counted = Callable[[str, int], None]
"""Takes what was tried, and how often; the sums are printed at the end of the run."""
