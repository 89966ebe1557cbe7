"""Mounts: what in a project can be neither moved nor replaced, as something is mounted there or its disk says so."""

import os
import re
from pathlib import Path

from io_edges.system.folder import Folder
from io_edges.system.syscalls import attributes
from io_edges.system.trees import walk
from pipeline.building.obstacles import inside
from pipeline.building.tree import Why

_WHY: tuple[tuple[int, Why], ...] = ((0x10, "immutable"), (0x20, "append-only"), (0x2000, "mounted"))
"""The attributes that `statx` reports."""


def mounts_below(folder: Folder) -> tuple[str, ...]:
    """The paths below a folder at which something is mounted; none if the system does not tell."""
    try:
        top = f"{Path(f'/proc/self/fd/{folder.fd}').readlink()}/".replace("//", "/")
        table = Path("/proc/self/mountinfo").read_bytes()
    except OSError:
        return ()
    points = (_unescaped(line.split(b" ")[4]) for line in table.splitlines())
    return tuple(point.removeprefix(top) for point in points if point.startswith(top))


def immovable_parts(project: Folder, path: str) -> dict[str, Why]:
    """The immovable parts of a component by their paths; an empty path is the component itself. Raises `OSError`."""
    fixed: dict[str, Why] = dict.fromkeys(inside(path, mounts_below(project)), "mounted")
    disks: dict[str, int] = {}
    for place, folder in walk(project, path):
        below = place[len(path) + 1 :]
        disks[below] = os.fstat(folder.fd).st_dev
        if disks[below] != disks[below.rpartition("/")[0]]:  # where the system tells no mounts
            fixed[below] = "mounted"
        for name in (".", *(name for name, is_folder in folder.entries() if not is_folder)):
            if why := why_immovable(folder, name):
                fixed[f"{below}/{name}".strip("/") if name != "." else below] = why
        if os.fstatvfs(folder.fd).f_flag & os.ST_RDONLY:
            fixed[below] = "on a read-only disk"
    return fixed


def why_immovable(folder: Folder, name: str) -> Why | None:
    """Why a name in a folder can be neither replaced nor removed; `None` if the system does not say that."""
    flags = attributes(folder.fd, name)
    return next((why for flag, why in _WHY if flags & flag), None)


def _unescaped(field: bytes) -> str:
    """A path of the table, in which blanks and the like are escaped."""
    return os.fsdecode(re.sub(rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), field))
