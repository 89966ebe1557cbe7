"""System calls that Python does not offer, or that some systems or disks do not allow."""

import errno
import os
import signal
from functools import cache
from typing import Any

_NEW_NAME, _EXCHANGE = 0, 1
_RENAMES = {"renameat2": (1, 2), "renameatx_np": (4, 2)}
"""The calls on Linux and macOS, each with its flags to rename to a free name, and to exchange two names."""
_NOT_FOLLOWED, _STATX_SIZE = 0x100, 256
_CLONE = 0x40049409
"""The request by which Linux lets files share their blocks; other systems refuse it."""
_PARENT_DEATH_SIGNAL = 1
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP})


def exchange(one_fd: int, one: str, other_fd: int, other: str) -> bool:
    """Exchange two names in one step; `False` if that is not possible and nothing was done. Raises `OSError`."""
    return _renamed(one_fd, one, other_fd, other, _EXCHANGE)


def rename_to_new(folder_fd: int, name: str, new: str) -> bool:
    """Rename a file to a name that must be free; `False` if the disk cannot and nothing was done. Raises `OSError`."""
    return _renamed(folder_fd, name, folder_fd, new, _NEW_NAME)


def sync(folder_fd: int) -> None:
    """Flush everything that was written to the disk that a folder is on. Raises `OSError`."""
    code = _called("syncfs", folder_fd)
    if code == errno.ENOSYS:
        os.sync()
    elif code:
        raise OSError(code, os.strerror(code))


def clone(source: int, target: int) -> bool:
    """Let a new file share the blocks of another; `False` if the disk cannot and nothing was done."""
    import fcntl  # only on POSIX systems

    try:
        fcntl.ioctl(target, _CLONE, source)
    except OSError:
        return False
    return True


def end_with_parent(parent: int) -> None:
    """Have the system kill this process, a fork of another, as soon as that one ends, or has ended already."""
    _called("prctl", _PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def stat_signature(status: os.stat_result) -> tuple[int, ...]:
    """The stat signature of a file: its size in bytes, two times in nanoseconds and its inode."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def attributes(folder_fd: int, name: str) -> int:
    """The attributes of a name in a folder, as bits; 0 if the system reports none."""
    if not hasattr(_library(), "statx"):
        return 0
    import ctypes

    status = ctypes.create_string_buffer(_STATX_SIZE)
    code = _called("statx", folder_fd, os.fsencode(name), _NOT_FOLLOWED, 0, status)
    return 0 if code else ctypes.c_uint64.from_buffer(status, 8).value


def lock(descriptor: int) -> bool | str:
    """Lock a file; `False` if it is already locked, and the cause in words if the disk has no locks."""
    import fcntl  # only on POSIX systems

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # as the systems differ
        return False
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return True


def is_locked(descriptor: int) -> bool:
    """Whether another process holds the lock of a file. Takes none for longer than the question."""
    import fcntl  # only on POSIX systems

    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return True
    except OSError:  # the disk has no locks
        return False
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False


def _renamed(one_fd: int, one: str, other_fd: int, other: str, how: int) -> bool:
    name = next((each for each in _RENAMES if hasattr(_library(), each)), "renameat2")
    code = _called(name, one_fd, os.fsencode(one), other_fd, os.fsencode(other), _RENAMES[name][how])
    if code and code not in _UNSUPPORTED:
        raise OSError(code, os.strerror(code))
    return not code


def _called(name: str, *arguments: object) -> int:
    """Call a function of the C library; return its error number: 0 for none, `ENOSYS` if there is no such function."""
    call = getattr(_library(), name, None)
    if call is None:
        return errno.ENOSYS
    import ctypes

    return ctypes.get_errno() if call(*arguments) else 0


@cache
def _library() -> Any:
    """The C library; `None` if it cannot be called, as when Python was built without `ctypes`."""
    try:
        import ctypes
    except ImportError:
        return None
    return ctypes.CDLL(None, use_errno=True)
