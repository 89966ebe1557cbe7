"""Mounts: what in a project can be neither moved nor replaced: the disk forbids it, or the permissions do."""

import os
import re
import stat
from pathlib import Path

from io_edges.system.dir_chain import deepest
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
    closed: dict[str, Why] = {}  # what the user may write into after all, unless files are replaced one by one
    with deepest(project, path.rpartition("/")[0]) as above:
        if why := why_closed(above) or _why_stuck(above, os.fstat(above.fd), path.rpartition("/")[2]):
            fixed.setdefault("", why if why == "on a read-only disk" else "in a folder that is not writable")
    for place, folder in walk(project, path):
        below, status = place[len(path) + 1 :], os.fstat(folder.fd)
        disks[below] = status.st_dev
        if disks[below] != disks[below.rpartition("/")[0]]:  # where the system tells no mounts
            fixed[below] = "mounted"
        for name in (".", *(name for name, is_folder in folder.entries() if not is_folder)):
            if why := why_immovable(folder, name) or _why_stuck(folder, status, name):
                fixed[f"{below}/{name}".strip("/") if name != "." else below] = why
        if fixed.get(below) not in {"immutable", "append-only"} and (why := why_closed(folder)):
            is_own = status.st_uid == os.geteuid() and why == "not writable"
            (closed if is_own and below else fixed)[below] = why
    return {**closed, **fixed} if fixed else {}


def why_closed(folder: Folder) -> Why | None:
    """Why this user can change nothing in a folder; `None` if it is writable."""
    if os.fstatvfs(folder.fd).f_flag & os.ST_RDONLY:
        return "on a read-only disk"
    return None if os.access(".", os.W_OK | os.X_OK, dir_fd=folder.fd) else "not writable"


def _why_stuck(folder: Folder, above: os.stat_result, name: str) -> Why | None:
    """Why this user can neither replace nor remove a name in a folder of some status, if that is sticky."""
    if not above.st_mode & stat.S_ISVTX or name == "." or (user := os.geteuid()) in {0, above.st_uid}:
        return None
    status = folder.lstat(name)
    return "another user's, in a sticky folder" if status and status.st_uid != user else None


def why_immovable(folder: Folder, name: str) -> Why | None:
    """Why a name in a folder can be neither replaced nor removed; `None` if the system does not say that."""
    flags = attributes(folder.fd, name)
    return next((why for flag, why in _WHY if flags & flag), None)


def _unescaped(field: bytes) -> str:
    """A path of the table, in which blanks and the like are escaped."""
    return os.fsdecode(re.sub(rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), field))
