"""Disks: whether a disk keeps modes, and what is mounted in a project.

Disks of Windows and of networks may show every file as executable. There the executable bit means
nothing: it is read as not set, and is not compared (`docs/building.md`).
"""

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from io_edges.system.folder import Folder, fresh_name
from io_edges.system.signals import held_signals


def mounts_below(folder: Folder) -> tuple[str, ...]:
    """The paths below a folder at which a disk is mounted; none if the system does not say."""
    try:
        top = f"{Path(f'/proc/self/fd/{folder.fd}').readlink()}/".replace("//", "/")
        table = Path("/proc/self/mountinfo").read_bytes()
    except OSError:
        return ()
    points = (_unescaped(line.split(b" ")[4]) for line in table.splitlines())
    return tuple(point.removeprefix(top) for point in points if point.startswith(top))


def may_change(folder: Folder, path: str = ".") -> bool:
    """Whether the user may create and remove files in a folder, or in the one at
    `path` below it.
    """
    return os.access(path, os.W_OK | os.X_OK, dir_fd=folder.fd)


def _unescaped(field: bytes) -> str:
    """A path from the table of mounts, which escapes spaces and control characters."""
    return os.fsdecode(re.sub(rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), field))


_MODELESS: Final[set[int]] = set()
"""The devices that this run has found to keep no modes."""


def is_executable(status: os.stat_result) -> bool:
    """Whether its owner may execute a file; `False` on a disk that keeps no modes."""
    return bool(status.st_mode & stat.S_IXUSR) and status.st_dev not in _MODELESS


def keeps_modes(status: os.stat_result) -> bool:
    """Whether the disk of a file or folder keeps modes, as far as `learn_modes` has found out."""
    return status.st_dev not in _MODELESS


def learn_modes(file: os.stat_result | None, folder: Folder | None) -> None:
    """Learn whether a disk keeps modes, given a file that the tool wrote with mode 0644.

    If it is executable, somebody may have made it so: then a file is created in `folder` to try it
    again. If that is impossible, the disk keeps no modes.
    """
    if (
        file
        and stat.S_ISREG(file.st_mode)
        and file.st_mode & stat.S_IXUSR
        and (folder is None or _is_lost(folder))
    ):
        _MODELESS.add(file.st_dev)


def _is_lost(folder: Folder) -> bool:
    """Whether a file becomes executable that is created in a folder without the executable bit."""
    name = fresh_name()
    status = None
    with suppress(OSError), held_signals():
        try:
            descriptor = folder.create(name)
            status = os.fstat(descriptor)
            os.close(descriptor)
        finally:
            folder.discard(name)
    return status is None or bool(status.st_mode & stat.S_IXUSR)
