"""Outcome: how a stage fails. A `Result` whose failure is a tuple of errors, never empty."""

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from returns.result import Failure, Result, Success

from pipeline.report.diagnostics import ConfigError, Error

_Value = TypeVar("_Value")
_Error = TypeVar("_Error", bound=Error)
_Folded = TypeVar("_Folded")

Outcome: TypeAlias = Result[_Value, tuple[ConfigError, ...]]
"""What a stage of the configuration chain returns."""
BuildOutcome: TypeAlias = Result[_Value, tuple[Error, ...]]
"""What a stage of the plan returns."""


def fold(
    result: Result[_Value, tuple[_Error, ...]],
    done: Callable[[_Value], _Folded],
    failed: Callable[[tuple[_Error, ...]], _Folded],
) -> _Folded:
    """Handle both cases of a `Result`, as `match` cannot: the type checker does not know that there
    are only two.
    """
    match result:
        case Success(value):
            return done(value)
        case Failure(errors):
            return failed(errors)
        case _:  # pragma: no cover - there is no third case
            raise AssertionError(result)


def value_of(result: Result[_Value, tuple[_Error, ...]]) -> _Value | None:
    """The value of a result; `None` if it failed."""
    return result.value_or(None)


def errors_of(result: Result[_Value, tuple[_Error, ...]]) -> tuple[_Error, ...]:
    """The errors of a result; none if it has a value."""
    return fold(result, lambda _: (), lambda errors: errors)


def collect(
    results: Iterable[Result[_Value, tuple[_Error, ...]]],
) -> Result[tuple[_Value, ...], tuple[_Error, ...]]:
    """Collect every value or, if any failed, every error, in order."""
    values: tuple[_Value, ...] = ()
    errors: tuple[_Error, ...] = ()
    for result in results:
        value, faults = fold(result, lambda value: ((value,), ()), lambda errors: ((), errors))
        values = values + value
        errors = errors + faults
    if errors:
        return Failure(errors)
    return Success(values)
