"""Run the command many times, each in a fork of a process that has everything imported already."""

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypedDict, Unpack

from msgspec import Struct

from tests.support import memory

_ROOT = Path(__file__).parent.parent.parent
_INHERITED: Final = ("PATH", "HOME", "LANG", "LC_ALL")
TOOL: Final = Path(sys.executable).with_name("tool")
"""The installed command."""
PATIENCE: Final = 120
"""Seconds after which a run is taken to hang; a busy machine needs a few."""


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Give the variables of a run: no more of the environment than it needs, and those that a test sets."""
    return {**{name: os.environ[name] for name in _INHERITED if name in os.environ}, **(variables or {})}


class Fault(TypedDict, total=False):
    """What goes wrong in a run."""

    number: int
    """Which of the calls that change the disk is broken, from 1; 0, none: they are listed."""
    way: str
    """How: `KILL`, `INT`, `TERM`, `STAGED`, `FINISHED`, or the name of an error, with `+` for all calls from it on."""
    exchange: bool
    """Whether the system can exchange two folders in one step."""
    in_place: str
    """The name of the error with which the system refuses to move folders of components; empty if it does not."""
    files: int
    """How many files the run may have open."""
    processes: int
    """How many processes share the work, however little it is; 0, as the tool decides."""


class Forked(Struct, frozen=True):
    """A run: its exit code (less the signal that ended it), and what it wrote."""

    code: int
    out: str
    err: str
    calls: list[str]
    """The calls that change the disk, if there was a way to break one: name and first argument."""
    broken: str
    """The call that was broken, if the run came that far."""


class Forks:
    """The process that forks, started by the first run."""

    def __init__(self) -> None:
        self.server: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self.server is not None:
            self.server.communicate()
            self.server = None

    def run(
        self,
        cwd: Path,
        *args: str,
        env: Mapping[str, str] | None = None,
        typed: bytes = b"",
        **fault: Unpack[Fault],
    ) -> Forked:
        """Run the command in a folder.

        Without an environment, the log is in JSON. The standard outputs are files, standard input what is typed.
        """
        os.umask(umask := os.umask(0o077))
        with tempfile.TemporaryDirectory(prefix="run-", dir=memory.place()) as scratch:
            streams = {name: Path(scratch, name) for name in ("stdin", "out", "err")}
            for name, path in streams.items():
                path.write_bytes(typed if name == "stdin" else b"")
            answer = self._ask(
                {
                    **{name: str(path) for name, path in streams.items()},
                    "tool": str(TOOL),
                    "cwd": str(cwd),
                    "args": args,
                    "env": environment({"TOOL_LOG_FORMAT": "json"} if env is None else env),
                    "umask": umask,
                    "number": 0,
                    "way": "",
                    "exchange": True,
                    "in_place": "",
                    "files": 0,
                    "processes": 0,
                    **fault,
                }
            )
            out, err = os.fsdecode(streams["out"].read_bytes()), streams["err"].read_text(encoding="utf-8")
        number, calls = fault.get("number", 0), answer["calls"]
        return Forked(answer["code"], out, err, calls, calls[number - 1] if 0 < number <= len(calls) else "")

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.server is None:
            self.server = _started()
            atexit.register(self.close)
        server = self.server
        assert server.stdin and server.stdout
        server.stdin.write(f"{json.dumps(request)}\n")
        server.stdin.flush()
        if not select.select([server.stdout], [], [], PATIENCE)[0]:
            os.killpg(server.pid, signal.SIGKILL)
        line = server.stdout.readline()
        if not line:
            self.close()
            raise AssertionError(f"no answer to {request['args']} in {PATIENCE} s")
        answer: dict[str, Any] = json.loads(line)
        return answer


def _started() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.fork_server"]
    return subprocess.Popen(
        command,
        cwd=_ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # what a hook script does to its process group reaches no test
    )


FORKS: Final = Forks()
"""The process that all tests of a worker share."""
