"""Stands before every call of a run that changes the disk, and breaks one of them.

The ways to break a call are to kill the process before it, to ask the process to end, to let
another process replace a folder, or to let the call fail: `Fault` of `forks` has everything that a
test can ask for.
"""

import errno
import io
import os
import signal
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from io_edges.system import helpers, syscalls

MUTATING: Final = (
    *("mkdir", "rename", "unlink", "rmdir", "symlink", "link", "mkfifo", "fsync", "open"),
    *("write", "truncate", "ftruncate", "chmod"),
)
READING: Final = ("open", "stat", "lstat", "fstat", "scandir", "listdir", "readlink")
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT

REPLACED: Final = {"STAGED": ".tool/staging/0", "FINISHED": "modules/m"}
"""The folder that another process replaces before a call, by the way that says so."""
_LIVE, _LIVE_AFTER = 9, 3
_REPLACE: Final = "test -d {0} && mv {0} moved && mkdir {0} && echo -n stranger > {0}/stranger"


class Shim:
    """Writes a line to a descriptor for each call that changes the disk, and breaks one of them,
    counted from 1.
    """

    def __init__(self, fault: Mapping[str, Any], descriptor: int) -> None:
        self.fault, self.meanwhile, self.reads = fault, fault["meanwhile"], fault["reads"]
        self.number, self.way, self.count = fault["number"], fault["way"], 0
        self.last = self.number + fault["then"] if fault["then"] else 0
        self.pid = os.getpid()
        self.streams, self.tell = (1, 2, descriptor), partial(os.write, descriptor)

    def call(self, name: str, do: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Do a call, unless it is the one to break."""
        if (os.getpid() == self.pid) is self.fault["in_helpers"]:
            return do(*args, **kwargs)
        self.count += 1
        self.tell(f"{name} {args[:1]!a}\n".encode())
        if (
            self.meanwhile == "writes"
            and 0 <= self.number - self.count + (_LIVE_AFTER if self.way else 0) < _LIVE
        ):
            _write_live(self.count)
        elif (
            self.meanwhile == "deletes"
            and self.count >= self.number > 0
            and _RUN("test ! -d modules/m")
        ):
            self.meanwhile = str(_RUN("rm -r modules/m/cache"))
        if self.count == self.last and not self.fault["fails_again"]:
            os.kill(os.getpid(), signal.SIGKILL)
        if not self.way:
            return do(*args, **kwargs)
        is_later = self.fault["lasts"] and 0 < self.number < self.count
        if self.count in (self.number, self.last) or is_later:
            if self.way == "KILL":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.way in {"INT", "TERM"}:
                os.kill(os.getpid(), getattr(signal, f"SIG{self.way}"))
            elif self.way in REPLACED:
                os.system(_REPLACE.format(REPLACED[self.way]))
            else:
                raise OSError(code := getattr(errno, self.way), os.strerror(code))
        return do(*args, **kwargs)

    def install(self) -> None:
        """Put the shim before every call of `os` that changes the disk, and before those of
        the C library.
        """
        renameat2, apart = self.fault["renameat2"], self.fault["apart"]
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
    """A rename that refuses to move a whole component into the staging folder or out of it, as if
    that were on another disk.
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
