"""Runs the command in forks of one process that has everything imported, and breaks calls that change the disk.

Reads requests as lines of JSON on standard input (`forks` sends them) and answers each with a line. The
ways to break a call are to kill the process before it, to ask the process to end, or to let the call fail.
"""

import errno
import io
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from io_edges import cli
from io_edges.commands import create
from io_edges.system import syscalls

MUTATING: Final = ("mkdir", "rename", "unlink", "rmdir", "symlink", "fsync", "open", "truncate", "ftruncate", "chmod")
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_BROKEN: Final = 3
_IMPORTED: Final = (cli, create)
"""What a run needs, before the functions are replaced that it looks for."""


class Shim:
    """Counts the calls that change the disk, and breaks one of them."""

    def __init__(self, number: int, way: str) -> None:
        self.number, self.way, self.count = number, way, 0

    def call(self, name: str, do: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Do a call, unless it is the one that is broken."""
        self.count += 1
        if self.count == self.number:
            os.write(_BROKEN, f"{name} {args[:1]}".encode())
            if self.way == "KILL":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.way in {"INT", "TERM"}:
                os.kill(os.getpid(), getattr(signal, f"SIG{self.way}"))
            else:
                raise OSError(getattr(errno, self.way), os.strerror(getattr(errno, self.way)))
        return do(*args, **kwargs)

    def install(self, exchange: bool) -> None:
        """Put the shim before every call of `os` that changes the disk, and before those of the C library."""
        for name in MUTATING:
            setattr(os, name, self._before(name, getattr(os, name)))
        os.fdopen = self._fdopen
        called = syscalls._called

        def broken(name: str, *args: Any) -> int:
            if name == "renameat2" and not exchange:
                return errno.ENOSYS
            try:
                return self.call(name, called, name, *args)
            except OSError as error:
                return error.errno

        syscalls._called = broken

    def _before(self, name: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if name == "open" and not args[1] & _WRITING:
                return do(*args, **kwargs)
            return self.call(name, do, *args, **kwargs)

        return wrapped

    def _fdopen(self, fd: int, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        shim = self

        class Raw(io.FileIO):
            def write(self, data: Any) -> int:
                return shim.call("write", super().write, data)

        return io.BufferedWriter(Raw(fd, mode)) if "w" in mode else open(fd, mode, *args, **kwargs)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run the command once; give its exit code, or less the signal that ended it, and the call that was broken."""
    with Path(request["err"]).open("wb") as err:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            _run(request, writing, err.fileno())
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as broken:
            call = broken.read()
        return {"code": os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), "broken": call}


def _run(request: dict[str, Any], broken: int, err: int) -> None:
    code = 70
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for there, here in ((null, 0), (null, 1), (err, 2), (broken, _BROKEN)):
            os.dup2(there, here)
        os.set_inheritable(_BROKEN, False)
        os.chdir(request["cwd"])
        os.environ.update(request["env"])
        if request["way"]:
            Shim(request["number"], request["way"]).install(request["exchange"])
        if request["files"]:
            resource.setrlimit(resource.RLIMIT_NOFILE, (request["files"], request["files"]))
        sys.argv = ["tool", *request["args"]]
        code = cli.main()
    finally:
        os._exit(code)


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(answer(json.loads(line)))}\n")
        sys.stdout.flush()
