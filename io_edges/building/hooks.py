"""Hooks: run the scripts of a folder."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from codecs import IncrementalDecoder, getincrementaldecoder
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path, PurePath
from typing import IO, Final, Literal, TypeAlias

from msgspec import Struct, field

from io_edges.report.console import Console
from io_edges.system.signals import held_signals, reap
from io_edges.system.stop import Stop, cause_of
from pipeline.building.hooks import Hook, missing_program
from pipeline.config.variables import HOOK_STAGE
from pipeline.report.diagnostics.runs import FailedHook, HookFailed
from pipeline.report.events import HookEvent, OutputEvent
from pipeline.schema import OnFailure

StreamName: TypeAlias = Literal["stdout", "stderr"]

LINE_LIMIT: Final = 64 * 1024
"""The maximum length of a line of output, in bytes; a longer one is reported in pieces."""
DRAIN_SECONDS: Final = 1.0
"""How long a pause in the output of a script that has ended must be to mean that there is no more."""
DRAIN_LIMIT: Final = 3.0
"""How long output without a pause is waited for, which comes from a program that outlives the script."""
SILENT_SECONDS: Final = 10.0
"""After how long a script is named that has not printed anything."""
LAST_LINES: Final = 20
"""How many lines of a script that fails are reported even if those of others are not."""
_LINE: Final = 256
"""How much of a first line the system reads, in bytes."""
_SIGNAL_BASE: Final = 128
_NOT_RUN: Final = 126


def run_hooks(
    hooks: Iterable[Hook], project: PurePath, variables: Mapping[str, str], on_failure: OnFailure, console: Console
) -> None:
    """Run scripts one after the other in the project; with `fail`, the first that fails stops the run."""
    for hook in hooks:
        started = time.monotonic()
        ended = _run(hook, project, variables, console)
        seconds = round(time.monotonic() - started, 3)
        console.report(HookEvent(hook.stage, hook.path.name, "failed" if ended.code else "ok", ended.code, seconds))
        if ended.code and console.quiet:
            console.insist(*ended.last_lines)
        if ended.code and on_failure == "fail":
            raise Stop(HookFailed(hook.stage, hook.display_path, ended.status))
        if ended.code:
            console.warn((FailedHook(hook.stage, hook.display_path, ended.status),))


class _Ended(Struct, frozen=True):
    """How a script ended."""

    code: int
    """Its exit code, as a shell would give it."""
    status: str
    """The same in words."""
    last_lines: tuple[OutputEvent, ...] = ()


def _run(hook: Hook, project: PurePath, variables: Mapping[str, str], console: Console) -> _Ended:
    """Run one script."""
    environ = {**os.environ, **variables, HOOK_STAGE: hook.stage}
    process: subprocess.Popen[bytes] | None = None
    try:
        with held_signals():  # until there is a process that can be ended
            process = _start(_command(hook), project, environ, apart=console.log_format == "json")
        code, last_lines = _relay(process, hook.display_path, console)
    except OSError as error:
        return _Ended(_NOT_RUN, f"it cannot be run: {_cause_of(error, hook)}")
    finally:
        if process and process.poll() is None:
            _end(process)
    if code < 0:
        return _Ended(_SIGNAL_BASE - code, f"ended by signal {-code}", last_lines)
    return _Ended(code, f"exit code {code}", last_lines)


def _cause_of(error: OSError, hook: Hook) -> str:
    """Why a script cannot be run. If something is missing, it may be the program that its first line names."""
    with suppress(OSError), Path(hook.path).open("rb") as script:
        if error.errno == errno.ENOENT and (missing := missing_program(script.read(_LINE))):
            return missing
    return cause_of(error)


def _command(hook: Hook) -> list[str]:
    path = str(hook.path)
    return {"itself": [path], "sh": ["sh", path], "python": [sys.executable, path]}[hook.runner]


def _start(
    command: list[str], project: PurePath, environ: Mapping[str, str], *, apart: bool
) -> subprocess.Popen[bytes]:
    """Start a script in a process group of its own. If it has no `#!` line, `sh` runs it, as from a shell.

    Only if they are `apart` can its two streams be told from each other, and only if not is their order known.
    """

    def start(command: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            cwd=project,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if apart else subprocess.STDOUT,
            start_new_session=True,
        )

    try:
        return start(command)
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        return start(["sh", *command])


class _Reader(Struct):
    """Reports one stream of a script's output."""

    stream: IO[bytes]
    name: StreamName
    source: str
    console: Console
    last_lines: deque[OutputEvent]
    """What was reported last, of both streams."""
    decoder: IncrementalDecoder = field(default_factory=lambda: getincrementaldecoder("utf-8")("backslashreplace"))
    rest: bytes = b""
    """The start of a line that has not ended."""
    lines: int = 0
    telling: bool = False
    """Whether a line is being printed, which takes time if the output of the tool is read slowly."""

    def tell(self) -> None:
        """Report each line as it comes, to the end."""
        with self.stream:
            while piece := os.read(self.stream.fileno(), LINE_LIMIT):
                data, self.rest = BytesIO(self.rest + piece), b""
                while line := data.readline(LINE_LIMIT):
                    if line.endswith(b"\n") or len(line) == LINE_LIMIT:
                        self._say(self.decoder.decode(line, line.endswith(b"\n")))
                    else:
                        self.rest = line
        self.end()

    def end(self) -> None:
        """Report the line that has not ended."""
        rest, self.rest = self.rest, b""
        self._say(self.decoder.decode(rest, True))

    def _say(self, text: str) -> None:
        self.telling = True
        if text:
            event = OutputEvent(self.source, self.name, text.rstrip("\r\n"))
            self.last_lines.append(event)
            self.console.report(event)
        self.telling, self.lines = False, self.lines + 1


def _relay(process: subprocess.Popen[bytes], source: str, console: Console) -> tuple[int, tuple[OutputEvent, ...]]:
    """Report each line that a script prints, as it comes; return its exit code and the last of the lines.

    The output of a program that outlives the script is not waited for; a slow reader of the tool's output is.
    """
    last_lines: deque[OutputEvent] = deque(maxlen=LAST_LINES)
    streams: tuple[tuple[IO[bytes] | None, StreamName], ...] = ((process.stdout, "stdout"), (process.stderr, "stderr"))
    readers = [_Reader(stream, name, source, console, last_lines) for stream, name in streams if stream]
    threads = [threading.Thread(target=reader.tell, daemon=True) for reader in readers]
    for thread in threads:
        thread.start()
    code, lines = _wait(process, readers, source, console), -1
    last = time.monotonic() + DRAIN_LIMIT
    while any(reader.telling for reader in readers) or (
        lines < sum(reader.lines for reader in readers) and time.monotonic() < last
    ):
        lines, deadline = sum(reader.lines for reader in readers), time.monotonic() + DRAIN_SECONDS
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        if not any(thread.is_alive() for thread in threads):
            break
    for reader, thread in zip(readers, threads, strict=True):
        if thread.is_alive():
            reader.end()
    return code, tuple(last_lines)


def _wait(process: subprocess.Popen[bytes], readers: Iterable[_Reader], source: str, console: Console) -> int:
    """Wait for the end of a script, and say which one it is that is waited for if it prints nothing."""

    with suppress(subprocess.TimeoutExpired):
        return process.wait(SILENT_SECONDS)
    if not any(reader.lines for reader in readers):
        console.say(f"waiting for `{source}`, which has printed nothing yet")
    return process.wait()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a script that is still running, and after it whatever is left of its process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
        os.killpg(process.pid, signal.SIGKILL)
    reap(process)
