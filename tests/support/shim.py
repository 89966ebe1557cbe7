"""Stands before every call of a run that changes the disk, and breaks one of them.

The ways to break a call are to kill the process before it, to ask the process to end, to let
another process replace a folder, or to let the call fail; with a `+` after the error, every call
from it on fails. The process may be killed at a later call as well; with a `&` after the error,
that call fails, too. In front of each may stand what the system writes meanwhile.
"""

import errno
import io
import os
import signal
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from io_edges.system import helpers, syscalls

MUTATING: Final = (
    *("mkdir", "rename", "unlink", "rmdir", "symlink", "link", "mkfifo", "fsync", "open"),
    *("write", "truncate", "ftruncate", "chmod"),
)
READING: Final = ("open", "stat", "lstat", "fstat", "scandir", "listdir", "readlink")
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT

HELPER: Final = "HELPER "
"""What a way begins with that breaks the calls of helpers; any other breaks those of the process
that they help.
"""
READ: Final = "READ "
"""What a way begins with that breaks the calls which read the disk, instead of those
that change it.
"""
REPLACED: Final = {"STAGED": ".tool/staging/0", "FINISHED": "modules/m"}
"""The folder that another process replaces before a call, by the way that says so."""
LIVE, CLEARED = "LIVE", "CLEARED"
"""A system replaces a file of its own before each of the calls up to the broken one, and some after
it, if that is refused; or it deletes one before the call."""
_LIVE, _LIVE_AFTER = 9, 3
_REPLACE: Final = "test -d {0} && mv {0} moved && mkdir {0} && echo -n stranger > {0}/stranger"


class Shim:
    """Tells of each call that changes the disk on a descriptor, a line each, and breaks the one of
    a number from 1.
    """

    def __init__(self, number: int, way: str, descriptor: int, then: int = 0) -> None:
        self.last = number + then if then else 0
        self.number, self.way, self.count = number, way.removeprefix(HELPER).removeprefix(READ), 0
        self.reads = way.startswith(READ)
        self.meanwhile, _, self.way = (
            self.way.partition(" ") if self.way.startswith((LIVE, CLEARED)) else ("", "", self.way)
        )
        self.pid, self.in_helpers = os.getpid(), way.startswith(HELPER)
        self.streams, self.tell = (1, 2, descriptor), partial(os.write, descriptor)

    def call(self, name: str, do: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Do a call, unless it is the one that is broken."""
        if (os.getpid() == self.pid) is self.in_helpers:
            return do(*args, **kwargs)
        self.count += 1
        self.tell(f"{name} {args[:1]!a}\n".encode())
        if (
            self.meanwhile == LIVE
            and 0 <= self.number - self.count + (_LIVE_AFTER if self.way else 0) < _LIVE
        ):
            _write_live(self.count)
        elif (
            self.meanwhile == CLEARED
            and self.count >= self.number > 0
            and _RUN("test ! -d modules/m")
        ):
            self.meanwhile = str(_RUN("rm -r modules/m/cache"))
        if self.count == self.last and not self.way.endswith("&"):
            os.kill(os.getpid(), signal.SIGKILL)
        if not self.way:
            return do(*args, **kwargs)
        is_second = self.count == self.last or (
            self.way.endswith("+") and 0 < self.number < self.count
        )
        if self.count == self.number or is_second:
            if self.way == "KILL":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.way in {"INT", "TERM"}:
                os.kill(os.getpid(), getattr(signal, f"SIG{self.way}"))
            elif self.way in REPLACED:
                os.system(_REPLACE.format(REPLACED[self.way]))
            else:
                raise OSError(code := getattr(errno, self.way.rstrip("+&")), os.strerror(code))
        return do(*args, **kwargs)

    def install(self, renameat2: bool, apart: str) -> None:
        """Put the shim before every call of `os` that changes the disk, and before those of
        the C library.
        """
        if apart:
            os.rename = _not_of_folders(os.rename, getattr(errno, apart))
        for name in READING if self.reads else MUTATING:
            setattr(os, name, self._before(name, getattr(os, name)))
        os.fdopen = os.fdopen if self.reads else self._fdopen
        called = syscalls._called

        def broken(name: str, *args: Any) -> int:
            if self.reads and renameat2:
                return called(name, *args)
            if name == "renameat2" and not renameat2:
                return errno.ENOSYS
            try:
                return self.call(name, called, name, *args)
            except OSError as error:
                return error.errno or errno.EIO

        syscalls._called = broken

    def _before(self, name: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            is_read = name in READING and not (name == "open" and args[1] & _WRITING)
            if (
                is_read is not self.reads
                or os.devnull in args[:1]
                or (name == "write" and args[0] in self.streams)
            ):
                return do(*args, **kwargs)
            return self.call(name, do, *args, **kwargs)

        return wrapped

    def _fdopen(self, fd: int, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        shim = self

        class Raw(io.FileIO):
            def write(self, data: Any) -> int:
                return shim.call("write", super().write, data)

        return io.BufferedWriter(Raw(fd, mode)) if "w" in mode else open(fd, mode, *args, **kwargs)


_OPEN, _WRITE, _CLOSE, _RENAME, _RUN = os.open, os.write, os.close, os.rename, os.system


def _write_live(count: int) -> None:
    """Replace a file of the system as programs do, unless its folder is not there, and keep what
    was written.
    """
    for name in ("modules/m/live", "newest"):
        try:
            descriptor = _OPEN(f"{name}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        except FileNotFoundError:
            return
        _WRITE(descriptor, f"{count}".encode())
        _CLOSE(descriptor)
        _RENAME(f"{name}.new", name)


def _not_of_folders(do: Callable[..., Any], code: int) -> Callable[..., Any]:
    """Rename anything but a whole component into the staging folder or out of it, as if it were on
    another disk.
    """

    def rename(name: str, new: str, **kwargs: Any) -> Any:
        if _is_slot(name) is not _is_slot(new):
            raise OSError(code, os.strerror(code))
        return do(name, new, **kwargs)

    return rename


def _is_slot(name: str) -> bool:
    return name.removesuffix(".undo").isdecimal()


def share_all_work(processes: int) -> None:
    """Let so many processes share any work, however little."""
    helpers.processes = lambda work: processes
