"""Evaluate: run a configuration or preset in TypeScript or JavaScript, and return the data
that it exports.

Deno evaluates a script once, in a child process (`deno`), with hooks that load modules which Deno
alone does not. The script may read its project and the environment, with two exceptions: Deno
follows symbolic links out of the project, and lets a script import from any folder `node_modules`,
wherever it is; only the path of the script itself is checked (`access`). `docs/scripts.md` has
these rules.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from returns.result import Failure, Success

from io_edges.scripts import deno
from io_edges.scripts import report as script_report
from io_edges.scripts.access import ScriptPaths, paths_of, refusal
from io_edges.scripts.confine import OUTPUT_LIMIT
from io_edges.system.stop import Stop, is_shortage, problem_of
from pipeline.config.disk import Exported
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.scripts import (
    EvaluationFailed,
    ScriptFault,
    ScriptRuntimeUnavailable,
)
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome

SECONDS: Final = 10.0
"""The seconds that all scripts of a run may take together."""

Stream: TypeAlias = Literal["stdout", "stderr"]
OnLine: TypeAlias = Callable[[Stream, str], None]
"""A function that takes a line of a script's output. The line is not escaped."""

_UNKNOWN_FLAG: Final = (
    b"error: unexpected argument",
    b"error: unrecognized",
    b"error: invalid value",
)


class TimeBudget(Struct):
    """The time for all scripts of a run together, including the processing of their output."""

    seconds: float = SECONDS
    spent: float = 0.0

    @contextmanager
    def spending(self) -> Iterator[float]:
        """Count the time of the block; yield the moment, on the monotonic clock, when the
        time runs out.
        """
        began = time.monotonic()
        try:
            yield began + self.seconds - self.spent
        finally:
            self.spent += time.monotonic() - began


class _Attempt(Struct, frozen=True):
    """The result of an attempt, and the output of the script."""

    outcome: Exported | ConfigError
    printed: tuple[tuple[Stream, bytes], ...] = ()

    def lines(self) -> Iterator[tuple[Stream, str]]:
        """The output of the script, line by line."""
        for stream, printed in self.printed:
            if printed.strip(b"\n"):
                text = script_report.without_hints(printed.decode(errors="backslashreplace"))
                yield from ((stream, line) for line in text.removesuffix("\n").split("\n"))


def evaluate(
    path: PurePath, start: PurePath, on_line: OnLine, time_budget: TimeBudget
) -> Outcome[Exported]:
    """Evaluate a script to its default export.

    Messages show file names relative to `start`, the current folder. Errors, one at a time:
    `ConfigUnreadable`, `ScriptRuntimeUnavailable`, `EvaluationFailed`. Raises `Stop` if the system
    has no process, thread, descriptor or memory left.
    """
    error = refusal(path, start)
    if error:
        return Failure((error,))
    paths = paths_of(path, start)
    program = deno.find()
    if program is None:
        return Failure((_unavailable(paths.name),))
    with time_budget.spending() as deadline:
        attempt = _attempt(program, paths, deadline, time_budget.seconds)
        for stream, line in attempt.lines():
            if time.monotonic() > deadline:
                return Failure((_timed_out(paths, time_budget.seconds),))
            on_line(stream, line)
    if not isinstance(attempt.outcome, Exported):
        return Failure((attempt.outcome,))
    return Success(attempt.outcome)


def _attempt(program: str, paths: ScriptPaths, deadline: float, seconds: float) -> _Attempt:
    try:
        ended = deno.run(program, paths, deadline - time.monotonic())
    except OSError as error:
        return _Attempt(_not_started(error, program, paths))
    errors, words = script_report.own_output(ended.stderr)
    printed: tuple[tuple[Stream, bytes], ...] = (("stdout", ended.stdout), ("stderr", errors))
    if len(ended.stdout) + len(ended.stderr) > OUTPUT_LIMIT:
        return _Attempt(_failed(paths, "too much output", f"{OUTPUT_LIMIT // 1024**2} MiB"), ())
    excess = script_report.excess(ended.answer)
    if excess:
        return _Attempt(_failed(paths, "not data", excess), printed)
    answer = script_report.decode(ended.answer)
    if answer is not None and answer.kind == "data":
        return _Attempt(Exported(bytes(answer.data), answer.preset), printed)
    if answer is not None:
        return _Attempt(script_report.explain(answer, paths), printed)
    if ended.status is None:
        return _Attempt(_timed_out(paths, seconds), printed)
    # The user's own Deno, which is too old.
    if ended.stderr.startswith(_UNKNOWN_FLAG) and not ended.stdout:
        return _Attempt(_unavailable(paths.name))
    shortage = script_report.shortage_in(ended.stderr)
    if shortage:
        return _Attempt(_not_started(shortage, program, paths))
    return _Attempt(script_report.without_answer(ended.status, words, paths), printed)


def _not_started(error: OSError, program: str, paths: ScriptPaths) -> ScriptRuntimeUnavailable:
    """The error of a runtime that cannot be started. Raises `Stop` if the system has run out
    of something.
    """
    if is_shortage(error):
        raise Stop(problem_of(program, error)) from error
    return _unavailable(paths.name)


def _unavailable(name: str) -> ScriptRuntimeUnavailable:
    return ScriptRuntimeUnavailable(name, deno.installing_command())


def _timed_out(paths: ScriptPaths, seconds: float) -> EvaluationFailed:
    return _failed(paths, "timed out", f"{seconds:g} s")


def _failed(paths: ScriptPaths, fault: ScriptFault, detail: str) -> EvaluationFailed:
    return EvaluationFailed(Location(paths.name), fault, detail)
