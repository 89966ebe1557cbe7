"""Hooks: run hook scripts, and report what they print."""

import errno
import os
import selectors
import signal
import subprocess
import sys
import time
from codecs import IncrementalDecoder, getincrementaldecoder
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from io import BytesIO
from itertools import chain
from pathlib import Path, PurePath
from typing import IO, Final, Literal, TypeAlias

from msgspec import Struct, field

from io_edges.building.local import local_in
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals, reap
from io_edges.system.stop import Stop, cause_of
from io_edges.system.whole_file import write_whole
from pipeline.building.hooks import BEGINNING, Hook, Runner, Stage, missing_program
from pipeline.building.showing.plan_events import component_event
from pipeline.building.steps import Plan
from pipeline.building.stores.layout import LOCAL, PLAN_FILE
from pipeline.config.variables import HOOK_PLAN, HOOK_PROJECT, HOOK_STAGE, HOOK_THEME
from pipeline.report.diagnostics.runs import HookFailed, failed_hook
from pipeline.report.escape import to_json
from pipeline.report.events import HookEvent, HookStatus, OutputEvent
from pipeline.schema import OnFailure

StreamName: TypeAlias = Literal["stdout", "stderr"]

LINE_LIMIT: Final = 64 * 1024
"""The maximum length of a line of output, in bytes; a longer one is reported in pieces."""
DRAIN_SECONDS: Final = 1.0
"""After a script has ended, a pause in its output of so many seconds means that
there is no more.
"""
DRAIN_LIMIT: Final = 3.0
"""Seconds to wait in all for output after the end of a script, from a program that outlives it."""
AFTERWARDS: Final = 1024**2
"""How many bytes of output are read after the end of a script: as many as a pipe holds at most."""
_POLL: Final = 0.1
"""Seconds between checks whether a silent script has ended: a program that it started may keep its
output open.
"""
SILENT_SECONDS: Final = 10.0
"""Seconds after which a silent script is reported by its name."""
LAST_LINES: Final = 20
"""The number of lines of a failing script that `--quiet` reports."""
_SIGNAL_BASE: Final = 128
_NOT_RUN: Final = 126


def run_hooks(
    hooks: Iterable[Hook],
    project: PurePath,
    variables: Mapping[str, str],
    on_failure: OnFailure,
    console: Console,
) -> None:
    """Run scripts one after the other. If `on_failure` is `fail`, the first failing one
    stops the run.
    """
    for hook in hooks:
        started = time.monotonic()
        ended = _run(hook, project, variables, console)
        seconds = round(time.monotonic() - started, 3)
        outcome: HookStatus = "ok"
        if ended.code:
            outcome = "failed"
        console.report(HookEvent(hook.stage, hook.path.name, outcome, ended.code, seconds))
        if ended.code and console.quiet:
            console.report_always(*ended.last_lines)
        if ended.code and on_failure == "fail":
            raise Stop(HookFailed(hook.stage, hook.display_path, ended.status))
        if ended.code:
            console.warn((failed_hook(hook.stage, hook.display_path, ended.status),))


def run_stage(
    stage: Stage, plan: Plan, project: Folder, on_failure: OnFailure, console: Console
) -> None:
    """Run the hook scripts of a stage, with the plan in a file that they can read."""
    hooks = plan.hooks.at(stage)
    if not hooks:
        return
    content = {"project": str(plan.project), "components": list(map(component_event, plan.steps))}
    themes = [step.name for step in plan.steps if step.kind == "theme" and step.choice]
    variables = {
        HOOK_PROJECT: str(plan.project),
        HOOK_THEME: "".join(themes[:1]),  # the themes that it builds on come after it
        HOOK_PLAN: str(plan.project / LOCAL / PLAN_FILE),
    }
    with local_in(project) as local:
        try:
            write_whole(local, PLAN_FILE, to_json(content).encode(), like="folder")
            run_hooks(hooks, plan.project, variables, on_failure, console)
        finally:
            local.discard(PLAN_FILE)


class _Ending(Struct, frozen=True):
    """How a script ended."""

    code: int
    """The exit code, as a shell would report it."""
    status: str
    """How the script ended, in words."""
    last_lines: tuple[OutputEvent, ...] = ()


def _run(hook: Hook, project: PurePath, variables: Mapping[str, str], console: Console) -> _Ending:
    """Run one script."""
    environ = {**os.environ, **variables, HOOK_STAGE: hook.stage}
    process: subprocess.Popen[bytes] | None = None
    try:
        with held_signals():  # until there is a process that can be ended
            process = _start(_command(hook), project, environ, apart=console.log_format == "json")
        code, last_lines = _relay(process, hook.display_path, console)
    except OSError as error:
        return _Ending(_NOT_RUN, f"it cannot be run: {_cause_of(error, hook)}")
    finally:
        if process and process.poll() is None:
            _end(process)
    if code < 0:
        return _Ending(_SIGNAL_BASE - code, f"ended by signal {-code}", last_lines)
    return _Ending(code, f"exit code {code}", last_lines)


def _cause_of(error: OSError, hook: Hook) -> str:
    """Why a script cannot be run. If something is missing, it may be the program that its
    first line names.
    """
    if error.errno != errno.ENOENT:
        return cause_of(error)
    with suppress(OSError), Path(hook.path).open("rb") as script:
        missing = missing_program(script.read(BEGINNING), hook.runner)
        if missing:
            return missing
    return cause_of(error)


def _command(hook: Hook) -> list[str | bytes]:
    """The words of the command line."""
    path = str(hook.path)
    commands: dict[Runner, list[str | bytes]] = {
        "itself": [path],
        "interpreter": [*hook.words, path],
        "sh": ["sh", path],
        "python": [sys.executable, *hook.words, path],
    }
    return commands[hook.runner]


def _start(
    command: list[str | bytes], project: PurePath, environ: Mapping[str, str], *, apart: bool
) -> subprocess.Popen[bytes]:
    """Start a script in a process group of its own. If it has no `#!` line, `sh` runs it, as
    from a shell.

    With `apart`, its two streams are separate; otherwise they are one, so that the order of
    lines is known.
    """

    errors = subprocess.STDOUT
    if apart:
        errors = subprocess.PIPE

    def start(command: list[str | bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            cwd=project,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )

    try:
        return start(command)
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        return start(["sh", *command])


class _Stream(Struct):
    """One stream of a script's output, cut into lines."""

    name: StreamName
    decoder: IncrementalDecoder = field(
        default_factory=lambda: getincrementaldecoder("utf-8")("backslashreplace")
    )
    rest: bytes = b""
    """The beginning of a line that is not complete."""

    def lines(self, piece: bytes | None) -> Iterator[str]:
        """The lines that a piece of output completes; `None` ends the last one. Long lines
        come in parts.
        """
        data = BytesIO(self.rest + (piece or b""))
        self.rest = b""
        while line := data.readline(LINE_LIMIT):
            is_whole = line.endswith(b"\n") or piece is None
            if is_whole or len(line) == LINE_LIMIT:
                yield self.decoder.decode(line, is_whole)
            else:
                self.rest = line
        if piece is None:  # a part that was too long may have ended within a character
            yield self.decoder.decode(b"", True)


def _relay(
    process: subprocess.Popen[bytes], source: str, console: Console
) -> tuple[int, tuple[OutputEvent, ...]]:
    """Report each line that a script prints, as it comes; return its exit code and
    the last lines.
    """
    last_lines: deque[OutputEvent] = deque(maxlen=LAST_LINES)
    pipes: tuple[tuple[IO[bytes] | None, StreamName], ...] = (
        (process.stdout, "stdout"),
        (process.stderr, "stderr"),
    )
    streams = [(pipe, _Stream(name)) for pipe, name in pipes if pipe]
    with selectors.DefaultSelector() as selector, ExitStack() as stack:
        for pipe, stream in streams:
            selector.register(stack.enter_context(pipe), selectors.EVENT_READ, stream)
        rests = ((stream, None) for _, stream in streams)
        for stream, piece in chain(_pieces(process, selector, source, console), rests):
            for text in filter(None, stream.lines(piece)):
                last_lines.append(OutputEvent(source, stream.name, text.rstrip("\r\n")))
                console.report(last_lines[-1])
    return process.wait(), tuple(last_lines)


def _pieces(
    process: subprocess.Popen[bytes],
    selector: selectors.BaseSelector,
    source: str,
    console: Console,
) -> Iterator[tuple[_Stream, bytes]]:
    """Read the output of a script as it comes, and up to a limit that of a program that
    outlives it.

    Only the time spent waiting counts towards the limit, because the output of this tool may be
    read slowly.
    """
    silent_since: float | None = time.monotonic()
    waited = 0.0
    left = AFTERWARDS
    while selector.get_map():
        has_ended = process.poll() is not None
        before = time.monotonic()
        pause = _POLL
        if has_ended:
            pause = DRAIN_SECONDS
        ready = selector.select(pause)
        if has_ended:
            waited += time.monotonic() - before
            if not ready or waited > DRAIN_LIMIT or left <= 0:
                return
        for key, _ in ready:
            silent_since = None
            if piece := os.read(key.fd, LINE_LIMIT):
                if has_ended:
                    left -= len(piece)
                yield key.data, piece
            else:
                selector.unregister(key.fileobj)
        if silent_since is not None and time.monotonic() - silent_since > SILENT_SECONDS:
            silent_since = None
            console.print_text(f"waiting for `{source}`, which has printed nothing yet")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a script that is still running, and then the rest of its process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
        os.killpg(process.pid, signal.SIGKILL)
    reap(process)
