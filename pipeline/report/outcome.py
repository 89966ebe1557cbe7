"""Outcome: how a stage fails. A `Result` whose failure is a tuple of problems, never empty."""

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from returns.result import Failure, Result, Success

from pipeline.report.diagnostics import ConfigProblem, Problem

_Value = TypeVar("_Value")
_Problem = TypeVar("_Problem", bound=Problem)
_Folded = TypeVar("_Folded")

Outcome: TypeAlias = Result[_Value, tuple[ConfigProblem, ...]]
"""What a stage of the configuration chain returns."""
BuildOutcome: TypeAlias = Result[_Value, tuple[Problem, ...]]
"""What a stage of the plan returns."""


def fold(
    result: Result[_Value, tuple[_Problem, ...]],
    done: Callable[[_Value], _Folded],
    failed: Callable[[tuple[_Problem, ...]], _Folded],
) -> _Folded:
    """Unwrap a `Result`: the only place that does."""
    match result:
        case Success(value):
            return done(value)
        case Failure(problems):
            return failed(problems)
        case _:  # pragma: no cover - `Result` has only two cases, which the type checker cannot see
            raise AssertionError(result)


def value_of(result: Result[_Value, tuple[_Problem, ...]]) -> _Value | None:
    """The value of a result; `None` if it failed."""
    return result.value_or(None)


def problems_of(result: Result[_Value, tuple[_Problem, ...]]) -> tuple[_Problem, ...]:
    """The problems of a result; none if it has a value."""
    return fold(result, lambda _: (), lambda problems: problems)


def collect(
    results: Iterable[Result[_Value, tuple[_Problem, ...]]],
) -> Result[tuple[_Value, ...], tuple[_Problem, ...]]:
    """Collect every value or, if any failed, every problem, in order."""
    values: tuple[_Value, ...] = ()
    problems: tuple[_Problem, ...] = ()
    for result in results:
        value, faults = fold(result, lambda value: ((value,), ()), lambda problems: ((), problems))
        values, problems = values + value, problems + faults
    return Failure(problems) if problems else Success(values)
