"""Mounts: what is mounted in a project, and folders in which this user can change nothing."""

import os
import re
from pathlib import Path

from io_edges.system.folder import Folder


def mounts_below(folder: Folder) -> tuple[str, ...]:
    """The paths below a folder at which something is mounted; none if the system does not tell."""
    try:
        top = f"{Path(f'/proc/self/fd/{folder.fd}').readlink()}/".replace("//", "/")
        table = Path("/proc/self/mountinfo").read_bytes()
    except OSError:
        return ()
    points = (_unescaped(line.split(b" ")[4]) for line in table.splitlines())
    return tuple(point.removeprefix(top) for point in points if point.startswith(top))


def why_closed(folder: Folder) -> str | None:
    """Why this user can change nothing in a folder; `None` if it is writable."""
    if os.fstatvfs(folder.fd).f_flag & os.ST_RDONLY:
        return "on a read-only disk"
    return None if os.access(".", os.W_OK | os.X_OK, dir_fd=folder.fd) else "not writable"


def _unescaped(field: bytes) -> str:
    """A path of the table, in which blanks and the like are escaped."""
    return os.fsdecode(re.sub(rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), field))
