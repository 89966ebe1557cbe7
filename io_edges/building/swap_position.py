"""Swap position: which folder is in a component's place and which in the staging folder, and the moves between them."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.trees import survey
from pipeline.building.journal import Occupant, Position, Swap, position
from pipeline.building.layout import STAGING
from pipeline.report.diagnostics.conflicts import OutputConflict

_TAKEN = frozenset({errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR})
_BLOCKED = frozenset({errno.ELOOP, errno.ENOTDIR})


def position_of(swap: Swap, project: Folder, staging: Folder) -> Position:
    """How far a swap has come. Raises `OSError`."""
    return position(swap, _occupant(project, swap.path, swap), _occupant(staging, swap.slot, swap))


@contextmanager
def place_of(swap: Swap, project: Folder, *, make: bool = False) -> Iterator[tuple[Folder, str]]:
    """The opened folder that a component goes into, and the component's name there."""
    parent, _, name = swap.path.rpartition("/")
    with inside(project, parent, make=make) as folder:
        yield folder, name


def inside(project: Folder, path: str, *, make: bool = False) -> Folder:
    """Open a folder of the project. Raises `Stop` for an obstacle, which appeared after the plan was made."""
    try:
        return project.inner(path, make=make)
    except OSError as error:
        obstacle = project.obstacle(path) if error.errno in _BLOCKED else None
        if obstacle is None:
            raise
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1])) from error


def demand_old(swap: Swap, project: Folder) -> None:
    """Raise `Stop` unless the old folder is in place."""
    with place_of(swap, project) as (folder, name):
        _demand_old(swap, folder, name)


def _demand_old(swap: Swap, folder: Folder, name: str) -> None:
    status = folder.look(name)
    if status is None or status.st_ino != swap.old:
        raise Stop(OutputConflict(swap.path, reason="changed"))


def put(swap: Swap, project: Folder, staging: Folder) -> None:
    """Put the new folder in place, and the old one in the staging folder. Raises `Stop` and `OSError`."""
    status = staging.look(swap.slot)
    if swap.new is not None and (status is None or status.st_ino != swap.new):
        raise Stop(OutputConflict(f"{STAGING}/{swap.slot}", reason="changed"))
    with place_of(swap, project, make=True) as (folder, name):
        if swap.old is not None:
            _demand_old(swap, folder, name)
        if swap.new is None:
            folder.move(name, staging, swap.slot)
        elif swap.old is not None:
            _exchange(swap, staging, folder, name)
        else:
            try:
                staging.move(swap.slot, folder, name)
            except OSError as error:
                if error.errno not in _TAKEN:
                    raise
                raise Stop(OutputConflict(swap.path, reason="changed")) from error


def take_back(swap: Swap, project: Folder, staging: Folder) -> None:
    """Undo `put`. Raises `Stop` and `OSError`."""
    with place_of(swap, project) as (folder, name):
        if swap.new is None:
            staging.move(swap.slot, folder, name)
        elif swap.old is not None:
            _exchange(swap, staging, folder, name)
        else:
            folder.move(name, staging, swap.slot)


def put_back(swap: Swap, project: Folder, staging: Folder) -> Position:
    """Put the old folder back if its place is empty; return how far the swap has come. Raises `Stop` and `OSError`."""
    at = position_of(swap, project, staging)
    if at == "before" and _occupant(staging, swap.slot, swap) == "old":
        with place_of(swap, project, make=True) as (folder, name):
            staging.move(swap.slot, folder, name)
    return at


def _exchange(swap: Swap, staging: Folder, folder: Folder, name: str) -> None:
    """Exchange the folder in the staging folder and the one in place. Raises `OSError`."""
    if not staging.exchange(swap.slot, folder, name):
        raise OSError(errno.ENOTSUP, "this disk cannot exchange two folders in one step")


def _occupant(folder: Folder, path: str, swap: Swap) -> Occupant:
    """Which folder is at a path: judged by its inode or, if the project was copied, by its files."""
    if folder.obstacle(path):
        return "other"
    status = folder.status(path)
    if status is None:
        return None
    if status.st_ino in {swap.new, swap.old}:
        return "new" if status.st_ino == swap.new else "old"
    files = survey(folder, path).files.items()
    left = {(name, state) for name, state in files if state.kind != "folder"}
    new = swap.after.items() if swap.new is not None else None
    old = swap.before.items() if swap.old is not None else None
    if new is not None and files == new:
        return "new"
    if old is not None and left <= old:  # some of them may have been removed already, and left their folders empty
        return "old"
    return "new" if new is not None and left <= new else "other"
