"""Exchange: which folder is in a component's place and which in the staging folder, and the moves between them."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from msgspec.structs import replace

from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.trees import survey
from pipeline.building.journal import Change, Occupant, Position, position
from pipeline.building.layout import STAGING
from pipeline.report.diagnostics.conflicts import OutputConflict

_TAKEN = frozenset({errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR})
_BLOCKED = frozenset({errno.ELOOP, errno.ENOTDIR})


Occupants: TypeAlias = tuple[Occupant, Occupant]


def occupants(change: Change, project: Folder, staging: Folder) -> Occupants:
    """Which folder is in a component's place, and which in the staging folder. Raises `OSError`."""
    return _occupant(project, change.path, change), _occupant(staging, change.slot, change)


def position_of(change: Change, project: Folder, staging: Folder) -> Position:
    """How far a change has come. Raises `OSError`."""
    return position(change, *occupants(change, project, staging))


def known_anew(change: Change, there: Occupants, project: Folder, staging: Folder) -> Change:
    """The change with the inodes that its folders have now, as the project may have been copied. Raises `OSError`."""
    inodes = {
        who: status.st_ino
        for who, folder, path in zip(there, (project, staging), (change.path, change.slot), strict=True)
        if who in {"old", "new"} and (status := folder.status(path))
    }
    return replace(change, **inodes)


@contextmanager
def place_of(change: Change, project: Folder, *, make: bool = False) -> Iterator[tuple[Folder, str]]:
    """The opened folder that a component goes into, and the component's name there."""
    parent, _, name = change.path.rpartition("/")
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


def check_old(change: Change, project: Folder) -> None:
    """Raise `Stop` unless the old folder is in place."""
    with place_of(change, project) as (folder, name):
        _demand_old(change, folder, name)


def _demand_old(change: Change, folder: Folder, name: str) -> None:
    status = folder.lstat(name)
    if status is None or status.st_ino != change.old:
        raise Stop(OutputConflict(change.path, reason="changed"))


def put(change: Change, project: Folder, staging: Folder) -> None:
    """Put the new folder in place, and the old one in the staging folder. Raises `Stop` and `OSError`."""
    status = staging.lstat(change.slot)
    if change.new is not None and (status is None or status.st_ino != change.new):
        raise Stop(OutputConflict(f"{STAGING}/{change.slot}", reason="changed"))
    with place_of(change, project, make=True) as (folder, name):
        if change.old is not None:
            _demand_old(change, folder, name)
        if change.new is None:
            folder.move(name, staging, change.slot)
        elif change.old is not None:
            _exchange(change, staging, folder, name)
        else:
            try:
                staging.move(change.slot, folder, name)
            except OSError as error:
                if error.errno not in _TAKEN:
                    raise
                raise Stop(OutputConflict(change.path, reason="changed")) from error


def take_back(change: Change, project: Folder, staging: Folder) -> None:
    """Undo `put`. Raises `Stop` and `OSError`."""
    with place_of(change, project) as (folder, name):
        if change.new is None:
            if staging.lstat(change.slot):  # else somebody has removed it
                staging.move(change.slot, folder, name)
        elif change.old is not None:
            _exchange(change, staging, folder, name)
        else:
            folder.move(name, staging, change.slot)


def put_back(change: Change, project: Folder, staging: Folder) -> Position:
    """Put the old folder back if its place is empty; return how far the change has come. Raises `Stop`, `OSError`."""
    at = position_of(change, project, staging)
    if at == "before" and _occupant(staging, change.slot, change) == "old":
        with place_of(change, project, make=True) as (folder, name):
            staging.move(change.slot, folder, name)
    return at


def _exchange(change: Change, staging: Folder, folder: Folder, name: str) -> None:
    """Exchange the folder in the staging folder and the one in place. Raises `OSError`."""
    if not staging.exchange(change.slot, folder, name):
        raise OSError(errno.ENOTSUP, "this disk cannot exchange two folders in one step")


def _occupant(folder: Folder, path: str, change: Change) -> Occupant:
    """Which folder is at a path: judged by its inode or, if the project was copied, by its files."""
    if folder.obstacle(path):
        return "other"
    status = folder.status(path)
    if status is None:
        return None
    if status.st_ino in {change.new, change.old}:
        return "new" if status.st_ino == change.new else "old"
    files = survey(folder, path).files.items()
    left = {(name, state) for name, state in files if state.kind != "folder"}
    new = change.after.items() if change.new is not None else None
    old = change.before.items() if change.old is not None else None
    if new is not None and files == new:
        return "new"
    if old is not None and left <= old:  # some of them may have been removed already, and left their folders empty
        return "old"
    return "new" if new is not None and left <= new else "other"
