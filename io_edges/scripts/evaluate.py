"""Evaluate: what a configuration or preset in TypeScript or JavaScript evaluates to.

A script is evaluated by Deno in a child process (`deno`): once, or again with support for common code
that Deno does not load. It may read its project and the environment, and nothing else.

Symlinks that lead out of the project: Deno itself follows them, and lets a script import or require from any folder
`node_modules`, wherever it is. On Linux 5.13 and later the kernel does not. Elsewhere such a link is followed, except
for the script itself, which `access` checks. `docs/scripts.md` says the same to users.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Final, TypeAlias

from msgspec import Struct
from returns.result import Failure, Success

from io_edges.scripts import deno
from io_edges.scripts import report as script_report
from io_edges.scripts.access import ScriptPaths, paths_of, refusal
from io_edges.scripts.channel import LINE_LIMIT, OUTPUT_LIMIT, Stream
from io_edges.scripts.crash import own_output, shortage_in
from io_edges.system.stop import Stop, cause_of, is_shortage
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.scripts import EvaluationFailed, ScriptFault, ScriptRuntimeUnavailable
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome

SECONDS: Final = 10.0
"""How long all scripts of a run may take together."""

OnLine: TypeAlias = Callable[[Stream, str], None]
"""Takes a line that the script printed, unescaped: whoever shows it escapes it."""

_OTHER: Final = PurePath("node_modules", "tool")
_OUT_OF_MEMORY: Final = b"out of memory"
_UNKNOWN_FLAG: Final = (b"error: unexpected argument", b"error: unrecognized", b"error: invalid value")


class TimeBudget(Struct):
    """The time that all scripts of a run have together, with the processing of what they print."""

    seconds: float = SECONDS
    spent: float = 0.0

    @contextmanager
    def spending(self) -> Iterator[float]:
        """Count the time of the block, and give the moment on the monotonic clock at which nothing is left."""
        began = time.monotonic()
        try:
            yield began + self.seconds - self.spent
        finally:
            self.spent += time.monotonic() - began


def evaluate(path: PurePath, start: PurePath, on_line: OnLine, time_budget: TimeBudget) -> Outcome[bytes]:
    """Evaluate a script to the JSON of its default export.

    `start` is the current folder, which file names are shown relative to. Errors, one at a time: `ConfigUnreadable`,
    `ScriptRuntimeUnavailable`, `EvaluationFailed`. Raises `Stop` if the system has no process, thread, descriptor or
    memory to give.
    """
    if error := refusal(path, start):
        return Failure((error,))
    paths, program = paths_of(path, start), deno.find()
    if program is None:
        return Failure((_unavailable(paths.name),))
    return _attempts(program, paths, on_line, time_budget)


def _attempts(program: str, paths: ScriptPaths, on_line: OnLine, time_budget: TimeBudget) -> Outcome[bytes]:
    """Evaluate, once more for each way in which an attempt was too strict, and report what the last one printed."""
    folders = (folder for folder in paths.script.parents if folder.is_relative_to(paths.project))
    has_other = any(os.path.lexists(folder / _OTHER) for folder in folders)
    loosened = ("tool",) if has_other else ()  # else `require`, and packages, would find that one
    first: script_report.Report | None = None
    with time_budget.spending() as deadline:
        while True:
            try:
                ended = deno.run(program, paths, loosened, deadline)
            except OSError as error:
                return Failure((_not_started(error, program, paths),))
            report = script_report.decode_report(ended.transcript.report) if ended.transcript.report else None
            way = script_report.loosening(report) if report else None
            if way is None or way in loosened:
                break
            first = first or report
            loosened = (*loosened, way)
        words = _report_output(ended, on_line)
        if report and first and (way or (script_report.is_unparsed(report) and "installed" not in loosened)):
            report = first  # the other way failed too: the first report says more, unless it is about TypeScript
        if not ended.transcript.started and (shortage := shortage_in(words)):
            return Failure((_not_started(shortage, program, paths),))
        return _outcome(ended, report, paths, words, time_budget)


def _not_started(error: OSError, program: str, paths: ScriptPaths) -> ScriptRuntimeUnavailable:
    """The error of a runtime that cannot be started. Raises `Stop` if that is for want of something."""
    if is_shortage(error):
        raise Stop(FileSystemProblem(program, cause_of(error))) from error
    return _unavailable(paths.name)


def _unavailable(name: str) -> ScriptRuntimeUnavailable:
    return ScriptRuntimeUnavailable(name, deno.installing_command())


def _report_output(ended: deno.Ended, on_line: OnLine) -> bytes:
    """Report what the script printed, and return the runtime's own words: everything if the script has not started."""
    if not ended.transcript.started:
        return bytes(ended.transcript.printed["stderr"])
    words = b""
    streams: tuple[Stream, ...] = ("stdout", "stderr")
    for stream in streams:
        own, of_runtime = own_output(bytes(ended.transcript.printed[stream]))
        text = script_report.without_hints(own.decode(errors="backslashreplace"))
        for line in text.removesuffix("\n").split("\n") if text.strip("\n") else ():
            on_line(stream, line)
        words += of_runtime
    return words


def _outcome(
    ended: deno.Ended,
    report: script_report.Report | None,
    paths: ScriptPaths,
    words: bytes,
    time_budget: TimeBudget,
) -> Outcome[bytes]:
    if ended.ending == "output":
        return _failed(paths, "too much output", f"{OUTPUT_LIMIT} bytes or {LINE_LIMIT} lines")
    if ended.transcript.data is not None:
        return Success(ended.transcript.data)
    if report is not None:
        return Failure((script_report.explain(report, paths),))
    if ended.ending == "answered":
        return _failed(paths, "ended early", "what it answered cannot be read")
    if ended.ending == "timeout":
        return _failed(paths, "timed out", f"{time_budget.seconds:g} s")
    return _without_answer(ended, words, paths)


def _without_answer(ended: deno.Ended, words: bytes, paths: ScriptPaths) -> Outcome[bytes]:
    """What happened to a process that ended by itself without an answer."""
    if waits := script_report.pending(words.decode(errors="replace"), paths):
        return Failure((waits,))
    if not ended.transcript.started and words.startswith(_UNKNOWN_FLAG):  # the user's own Deno, which is too old
        return Failure((_unavailable(paths.name),))
    if ended.status >= 0:
        return _failed(paths, "ended early", f"exit code {ended.status}")
    is_memory = _OUT_OF_MEMORY in words
    return _failed(paths, "out of memory") if is_memory else _failed(paths, "killed", f"{-ended.status}")


def _failed(paths: ScriptPaths, fault: ScriptFault, detail: str = "") -> Outcome[bytes]:
    return Failure((EvaluationFailed(Location(paths.name), fault, detail),))
