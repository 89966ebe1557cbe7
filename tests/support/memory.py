"""A disk in memory: what is written there waits for no real one."""

import os
from typing import Final

_DISK: Final = "/dev/shm"
_NEEDED: Final = 1 << 30
"""Bytes; a run of the tests needs a quarter of them."""


def place() -> str | None:
    """The folder of such a disk, if there is one with room, from which programs may be run."""
    if not os.access(_DISK, os.W_OK):
        return None
    disk = os.statvfs(_DISK)
    has_room = disk.f_bavail * disk.f_frsize >= _NEEDED
    return _DISK if has_room and not disk.f_flag & os.ST_NOEXEC else None


def use() -> None:
    """Let pytest make its folders there, unless a place was chosen."""
    if folder := place():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", folder)
