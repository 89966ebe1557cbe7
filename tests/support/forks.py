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
from typing import IO, Any, Final, Literal, Self, TypedDict, Unpack

from msgspec import Struct

from tests.support import memory

_ROOT = Path(__file__).parent.parent.parent
_INHERITED: Final = ("PATH", "HOME", "LANG", "LC_ALL")
TOOL: Final = Path(sys.executable).with_name("tool")
"""The installed command."""
PATIENCE: Final = 120
"""Seconds after which a run is taken to hang; a busy machine needs a few."""


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Give the variables of a run: no more of the environment than it needs, and those that
    a test sets.
    """
    return {
        **{name: os.environ[name] for name in _INHERITED if name in os.environ},
        **(variables or {}),
    }


GROUP: Final = 54_321
"""The number of a group of several users."""


class Fault(TypedDict, total=False):
    """What goes wrong in a run."""

    number: int
    """Which of the calls that change the disk is broken, from 1; 0, none: they are listed."""
    way: str
    """How: `KILL`, `INT`, `TERM`, `STAGED`, `FINISHED`, or the name of an error; empty, not at all.
    """
    lasts: bool
    """Whether every call after the broken one fails, too."""
    reads: bool
    """Whether the calls that are counted and broken are those that read the disk."""
    in_helpers: bool
    """Whether they are those of helpers, not of the process that they help."""
    meanwhile: Literal["", "writes", "deletes"]
    """What a running system does meanwhile: it replaces a file of its own before each of the calls
    up to the broken one, and some after it, if that is refused; or it deletes one before the call.
    """
    then: int
    """How many calls after the broken one the run is killed; 0, it is not."""
    fails_again: bool
    """Whether that call fails like the broken one, instead."""
    renameat2: bool
    """Whether the system has this call."""
    apart: str
    """The name of the error with which the system refuses to move whole components; empty if
    it does not.
    """
    files: int
    """How many files the run may have open."""
    processes: int
    """How many processes share the work, however little it is; 0, as the tool decides."""
    modeless: bool
    """Whether the disks keep no modes of files."""
    user: int
    """The number of another user that runs the command, who belongs to `GROUP`, too; 0, the one
    that runs the tests.
    """


class Forked(Struct, frozen=True):
    """A run: its exit code (less the signal that ended it), and what it wrote."""

    code: int
    out: str
    err: str
    calls: list[str]
    """The calls that change the disk, if there was a way to break one: name and first argument."""
    broken: str
    """The call that was broken, if the run came that far."""


NO_FAULT: Final = {
    **{
        "tool": str(TOOL),
        "terminal": False,
        "number": 0,
        "way": "",
        "renameat2": True,
        "apart": "",
    },
    **{"lasts": False, "reads": False, "in_helpers": False, "meanwhile": "", "then": 0},
    **{"fails_again": False, "files": 0, "processes": 0, "modeless": False, "user": 0},
}
"""What a run is asked for, unless said otherwise."""


class Opened:
    """A run on a terminal that goes on, with what a process of `subprocess` has; its standard
    output is a pipe.
    """

    def __init__(self, server: subprocess.Popen[str], pid: int, stdout: IO[bytes]) -> None:
        self.server, self.pid, self.stdout = server, pid, stdout
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, if the run has ended."""
        return self._ended(0)

    def wait(self, timeout: float = PATIENCE) -> int:
        """Wait for the end; the exit code."""
        if (code := self._ended(timeout)) is None:
            raise subprocess.TimeoutExpired(str(TOOL), timeout)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the run has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the run at once."""
        self.send_signal(signal.SIGKILL)

    def _ended(self, seconds: float) -> int | None:
        assert self.server.stdout
        if self.returncode is None and select.select([self.server.stdout], [], [], seconds)[0]:
            self.returncode = json.loads(self.server.stdout.readline())["code"]
        return self.returncode


class Forks:
    """The process that forks, started by the first run. On terminals, one run at a time."""

    def __init__(self, *, on_terminals: bool = False) -> None:
        self.server: subprocess.Popen[str] | None = None
        self.on_terminals = on_terminals

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

        Without an environment, the log is in JSON. The standard outputs are files, and standard
        input has what is typed.
        """
        with tempfile.TemporaryDirectory(prefix="run-", dir=memory.place()) as scratch:
            streams = {name: Path(scratch, name) for name in ("stdin", "out", "err")}
            for name, path in streams.items():
                path.write_bytes(typed if name == "stdin" else b"")
            answer = self._ask(
                {
                    **NO_FAULT,
                    **{name: str(path) for name, path in streams.items()},
                    **{"cwd": str(cwd), "args": args, "umask": _mask()},
                    "env": environment({"TOOL_LOG_FORMAT": "json"} if env is None else env),
                    **fault,
                }
            )
            out, err = (
                os.fsdecode(streams["out"].read_bytes()),
                streams["err"].read_text(encoding="utf-8"),
            )
        number, calls = fault.get("number", 0), answer["calls"]
        return Forked(
            answer["code"], out, err, calls, calls[number - 1] if 0 < number <= len(calls) else ""
        )

    def open(self, terminal: str, cwd: Path, *args: str, env: Mapping[str, str]) -> Opened:
        """Begin a run of the command on a terminal, with exactly these variables."""
        with tempfile.TemporaryDirectory(prefix="run-", dir=memory.place()) as scratch:
            os.mkfifo(pipe := Path(scratch, "out"))
            answer = self._ask(
                {
                    **NO_FAULT,
                    **{"stdin": terminal, "out": str(pipe), "err": terminal, "terminal": True},
                    **{"cwd": str(cwd), "args": args, "env": {**env}, "umask": _mask()},
                }
            )
            stdout = pipe.open("rb")  # once the run has opened it, too
        assert self.server
        return Opened(self.server, answer["pid"], stdout)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.server is None:
            self.server = _started(*(["terminals"] if self.on_terminals else []))
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


_BY_SHELL: Final = """\
#!/bin/sh
'''exec' '{}' -IS "$0" "$@"
'''
"""
"""What begins a program in Python whose path may hold blanks, as pip writes it: to Python,
it is a text.
"""


class Shells:
    """A process that forks for shells, and the folder with the `tool` by which they ask it, for
    their `PATH`.
    """

    def __init__(self) -> None:
        self.scratch: tempfile.TemporaryDirectory[str] | None = None

    @property
    def folder(self) -> Path:
        """The folder; the process is started when it is asked for first."""
        if self.scratch is None:
            self.scratch = tempfile.TemporaryDirectory(prefix="shells-", dir=memory.place())
            client = Path(self.scratch.name, "tool")
            code = Path(__file__).with_name("shell_client.py").read_text(encoding="utf-8")
            client.write_text(_BY_SHELL.format(sys.executable) + code, encoding="utf-8")
            client.chmod(0o755)
            server = _started("shells", f"{client}.socket")
            assert server.stdout
            server.stdout.readline()
            atexit.register(self.scratch.cleanup)
            atexit.register(server.kill)
        return Path(self.scratch.name)


def _mask() -> int:
    os.umask(mask := os.umask(0o077))
    return mask


def _started(*args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.fork_server", *args]
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
ON_TERMINALS: Final = Forks(on_terminals=True)
"""That of runs on terminals, which has imported what asks questions there."""
SHELLS: Final = Shells()
"""That of runs from shells."""
