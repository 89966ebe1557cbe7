"""System: two calls of the operating system that Python does not offer, if the system has them."""

import errno
import os
from functools import cache
from typing import Any

_NEW_NAME, _EXCHANGE = 1, 2
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


def _renamed(one_fd: int, one: str, other_fd: int, other: str, how: int) -> bool:
    code = _called("renameat2", one_fd, os.fsencode(one), other_fd, os.fsencode(other), how)
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
        import ctypes  # costs start-up time, and only a run that writes needs it
    except ImportError:
        return None
    return ctypes.CDLL(None, use_errno=True)
