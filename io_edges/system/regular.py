"""Regular files: open a file that someone may have replaced by a pipe or a device."""

import errno
import os
import stat
from pathlib import PurePath
from typing import BinaryIO


def open_regular(path: PurePath) -> BinaryIO:
    """Open a regular file to read. Raises `OSError`, also for other kinds, so that no pipe blocks."""
    return open(path, "rb", opener=_opened)


def _opened(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "it is not a file")
