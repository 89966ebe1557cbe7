"""Runs the command as on macOS: `python -m tests.support.macos ARGUMENT…`.

A simulation: everything is taken away that Python or the C library has on Linux and not there, and
`sys.platform` says so. The disk, the limits and the errors of calls remain those of Linux.
"""

import ctypes
import errno
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

_LACKING: Final[dict[ModuleType, str]] = {
    os: "listxattr getxattr setxattr removexattr XATTR_CREATE XATTR_REPLACE XATTR_SIZE_MAX "
    "sched_getaffinity "
    "sched_setaffinity sched_getparam sched_setparam sched_getscheduler sched_setscheduler "
    "sched_rr_get_interval "
    "sched_param SCHED_BATCH SCHED_IDLE SCHED_RESET_ON_FORK O_PATH O_TMPFILE O_DIRECT O_NOATIME "
    "O_LARGEFILE O_RSYNC "
    "memfd_create pidfd_open P_PIDFD eventfd eventfd_read eventfd_write copy_file_range splice "
    "getrandom getresuid "
    "getresgid setresuid setresgid pipe2 posix_fadvise posix_fallocate fdatasync unshare setns "
    "timerfd_create "
    "ST_APPEND ST_MANDLOCK ST_NOATIME ST_NODEV ST_NODIRATIME ST_NOEXEC ST_RELATIME ST_SYNCHRONOUS "
    "ST_WRITE",
    select: "epoll",
    signal: "sigtimedwait sigwaitinfo pidfd_send_signal SIGPWR SIGSTKFLT SIGRTMIN SIGRTMAX",
    resource: (
        "prlimit RUSAGE_THREAD RLIMIT_OFILE RLIMIT_NICE RLIMIT_RTPRIO RLIMIT_RTTIME "
        "RLIMIT_SIGPENDING"
    ),
    errno: "EBADFD EBADE EREMOTEIO ENOMEDIUM EHWPOISON",
}
"""What is there on Linux alone."""
_CALLS: Final = {
    "renameat2",
    "statx",
    "syncfs",
    "prctl",
    "close_range",
    "copy_file_range",
    "memfd_create",
    "gettid",
}
"""Functions of the C library of Linux."""
_RENAMES: Final = {2: 2, 4: 1}
"""The bits of `renameatx_np` that exchange two names, or ask for a new one, and those of Linux
for the same.
"""
_PROC: Final = "/proc"


def simulate() -> None:
    """Take everything from this process that it would not find on macOS."""
    for module, names in _LACKING.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    found = ctypes.CDLL.__getattr__

    def function(library: ctypes.CDLL, name: str) -> Any:
        if name == "renameatx_np":
            rename = library["renameat2"]
            return lambda *names_and_flag: rename(
                *names_and_flag[:-1], _RENAMES[names_and_flag[-1]]
            )
        if name in _CALLS:
            raise AttributeError(name)
        return found(library, name)

    ctypes.CDLL.__getattr__ = function  # type: ignore[method-assign]
    for name in ("stat", "lstat", "readlink", "access"):
        setattr(os, name, _without_proc(getattr(os, name)))
    os.mkfifo = _in_a_folder_only(os.mkfifo)
    sys.addaudithook(_hide_proc)
    sys.platform = "darwin"


def _is_hidden(path: object) -> bool:
    return isinstance(path, str | bytes | os.PathLike) and f"{os.fsdecode(path)}/".startswith(
        f"{_PROC}/"
    )


def _refuse(path: object) -> None:
    if _is_hidden(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


def _without_proc(do: Callable[..., Any]) -> Callable[..., Any]:
    def done(path: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse(path)
        return do(path, *args, **kwargs)

    return done


def _in_a_folder_only(do: Callable[..., None]) -> Callable[..., None]:
    """Python makes a pipe there only by its path."""

    def done(path: str, mode: int = 0o666, *, dir_fd: int | None = None) -> None:
        if dir_fd is not None:
            raise NotImplementedError("mkfifo: dir_fd unavailable on this platform")
        do(path, mode)

    return done


def _hide_proc(event: str, arguments: tuple[Any, ...]) -> None:
    if event in {"open", "os.listdir", "os.scandir", "os.chmod"}:
        _refuse(arguments[0])


if __name__ == "__main__":
    sys.argv[0] = "tool"
    simulate()
    from io_edges.start import main

    main()
