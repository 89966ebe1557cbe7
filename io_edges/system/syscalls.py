"""System calls that Python does not offer, or that some systems or disks do not allow."""

import errno
import os
import signal
import stat
from collections.abc import Callable
from functools import cache
from io import BufferedReader
from operator import attrgetter
from pathlib import PurePath
from typing import Any, Final

_RENAMES = {"renameat2": 1, "renameatx_np": 4}
"""The calls on Linux and macOS that rename to a free name, each with its flag for that."""
_PARENT_DEATH_SIGNAL = 1
_LOCKED: Final[set[tuple[int, int]]] = set()
"""The device and inode of each file that this process has locked."""
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP})
stat_signature: Final[Callable[[os.stat_result], tuple[int, ...]]] = attrgetter(
    "st_size", "st_mtime_ns", "st_ctime_ns", "st_ino"
)
"""Gives the stat signature of a file: its size in bytes, two times in nanoseconds and its inode."""


def rename_to_new(folder_fd: int, name: str, new: str) -> bool:
    """Rename a file to a name that must be free; `False` if the disk does not support that:
    nothing is done.
    """
    call = next((each for each in _RENAMES if hasattr(_library(), each)), "renameat2")
    code = _called(call, folder_fd, os.fsencode(name), folder_fd, os.fsencode(new), _RENAMES[call])
    if code and code not in _UNSUPPORTED:
        raise OSError(code, os.strerror(code))
    return not code


def sync(folder_fd: int) -> None:
    """Flush everything that was written to the disk of a folder."""
    code = _called("syncfs", folder_fd)
    if code == errno.ENOSYS:
        os.sync()
    elif code:
        raise OSError(code, os.strerror(code))


def end_with_parent(parent: int) -> None:
    """Have the system kill this process when its parent ends, or at once if that has
    ended already.
    """
    _called("prctl", _PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def lock(descriptor: int) -> bool | str:
    """Lock a file. Return `False` if it is locked already, or the cause in words if the disk
    has no locks.
    """
    import fcntl  # only on POSIX systems

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # as the systems differ
        return False
    except OSError as error:
        return (error.strerror or str(error)).lower()
    _LOCKED.add(_file_of(descriptor))
    return True


def _file_of(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def is_locked(descriptor: int) -> bool:
    """Whether another process has locked a file. The answer leaves no lock behind."""
    import fcntl  # only on POSIX systems

    if _file_of(descriptor) in _LOCKED:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return True
    except OSError:  # the disk has no locks
        return False
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False


def _called(name: str, *arguments: object) -> int:
    """Call a function of the C library; return its error number: 0 for success, `ENOSYS` if it
    does not exist.
    """
    call = getattr(_library(), name, None)
    if call is None:
        return errno.ENOSYS
    import ctypes

    if not call(*arguments):
        return 0
    return ctypes.get_errno()


@cache
def _library() -> Any:
    """The C library; `None` if it cannot be called, as when Python was built without `ctypes`."""
    try:
        import ctypes
    except ImportError:
        return None
    return ctypes.CDLL(None, use_errno=True)


def open_regular(path: PurePath) -> BufferedReader:
    """Open a regular file for reading. Raises `OSError` for other kinds, so that no pipe blocks."""
    return open(path, "rb", opener=_opened)


def _opened(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "it is not a file")
