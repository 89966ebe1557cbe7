"""File moves: bring the files of a component from one state to another, one by one, each by a rename.

Of each file that is replaced or removed, a link is kept first; on another disk the old file and the new one are copied.
One that can be neither linked nor read is moved. What is done already is passed over, and so is a file that somebody
else has changed, so that what was broken off can be finished, or taken back, by doing the same once more.
"""

import errno
import os
import stat

from msgspec import Struct, field

from io_edges.report.progress import Bar
from io_edges.system.disks import mounts_below
from io_edges.system.folder import Folder
from io_edges.system.metadata import copy_over, link_or_copy
from io_edges.system.trees import NOTHING, above, discard, prune_at, state_of
from pipeline.building.stores.changes import FileMove
from pipeline.building.stores.record import Files, FileState, are_alike, is_unread
from pipeline.building.stores.tree import Tree

_STAYING = frozenset({errno.ELOOP, errno.ENOTDIR, errno.ENOTEMPTY})
"""The errors of removing a folder that has something in it, or is none."""


class Sides(Struct, frozen=True):
    """The component in its place, the folder that files come from, and the one that keeps those that they replace."""

    place: Folder
    source: Folder
    kept: Folder
    end: Files
    """The files in the end."""
    aside: Folder | None = None
    """The folder that files come from which an earlier run moved unread, and to which they go back."""
    is_back: bool = False
    """Whether the files of the source were in place before."""
    is_again: bool = False
    """Whether that was begun before, so that somebody may have removed or changed what was brought."""
    known: Tree = NOTHING
    """What is known of the files in place, of which links may be made."""
    bar: Bar = field(default_factory=Bar)

    def executable_of(self, wanted: FileState) -> bool | None:
        """The executable bit that the copy of a new file gets; `None` for the file's own, as in what was in place."""
        if self.is_back:
            return None
        return wanted.executable


def bring(sides: Sides, moves: tuple[FileMove, ...]) -> tuple[str, ...]:
    """Bring files from one state to another; return the paths of those that are not as they were."""
    changed = list[str]()
    for move in moves:
        act = _remove
        if move.wanted:
            act = _put
        if not act(sides, move):
            changed.append(move.name)
        sides.bar.count()
    return tuple(changed)


def _remove(sides: Sides, move: FileMove) -> bool:
    """Remove a file or an empty folder, and the folders that are empty then; `False` if it is not as it was."""
    path = move.name
    place = sides.place
    there = state_of(place, path, sides.known)
    if there is not None and move.current and move.current.kind != "folder":
        if not _keep(sides, move, there):
            return False
        with above(place, path) as (folder, name):
            folder.discard(name)
    while path and not _is_folder(sides.end.get(path)):
        if sides.is_back:  # what stays does not keep the rest from being put back
            prune_at(place, path)
        else:
            remove_empty(place, path)
        path = path.rpartition("/")[0]
    return True


def remove_empty(top: Folder, path: str) -> None:
    """Remove the folder at a path, if it is there, unless something is in it or it is mounted. Raises `OSError`."""
    try:
        with above(top, path) as (folder, name), folder.naming_errors(name):
            os.rmdir(name, dir_fd=folder.fd)
    except OSError as error:
        if error.errno == errno.EBUSY:
            prune_at(top, path)  # it was busy for a moment
        if error.errno not in _STAYING and _is_directory(top, path) and path not in mounts_below(top):
            raise


def _put(sides: Sides, move: FileMove) -> bool:
    """Put a file in place; `False` if the one there is not as it was, or somebody has removed the new one since."""
    path = move.name
    place = sides.place
    wanted = move.wanted
    if wanted is None or wanted.kind == "folder":
        place.inner(path, make=True).close()
        return True
    there = state_of(place, path, sides.known)
    if there == wanted:
        return True
    if there is None and _is_directory(place, path):
        return False
    source = _source_of(path, wanted, sides)
    if sides.is_again and source.status(path) is None:
        return False
    if there is not None and not _keep(sides, move, there):
        return False
    with above(source, path) as (staged, name), above(place, path, make=True) as (folder, _):
        is_handed_on = there is None and _hands_on(folder, staged)
        if is_handed_on or not _move(staged, name, folder):
            copy_over(staged, name, folder, sides.executable_of(wanted))
    return True


def _source_of(path: str, wanted: FileState, sides: Sides) -> Folder:
    """The folder that a file comes from: where an earlier run moved it unread, unless it was staged."""
    if sides.aside and is_unread(wanted) and sides.source.status(path) is None:
        return sides.aside
    return sides.source


def _move(staged: Folder, name: str, folder: Folder) -> bool:
    """Move a file into a folder; `False` if that is on another disk."""
    try:
        staged.move(name, folder, name)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        return False
    return True


def _keep(sides: Sides, move: FileMove, there: FileState) -> bool:
    """Keep a file that goes, unless that was done; `False` if it, or what was kept of it, is not as planned."""
    if not are_alike(there, move.current):
        return False
    path = move.name
    known = sides.known
    keeps = sides.kept
    if sides.aside and is_unread(move.current):
        keeps = sides.aside
    if sides.is_again and are_alike(state_of(keeps, path, known), move.current):
        return True
    with above(sides.place, path) as (folder, name), above(keeps, path, make=True) as (kept, _):
        if sides.is_again:
            discard(kept, name)  # a copy that a killed run has left half written
        is_moved = _link_or_move(folder, name, kept, move)
        if are_alike(state_of(keeps, path, known), move.current):
            return True
        if is_moved:
            kept.move(name, folder, name)
        else:
            kept.discard(name)
    return False


def _link_or_move(folder: Folder, name: str, kept: Folder, move: FileMove) -> bool:
    """Link or copy a file; one that this user may neither link nor read is moved, and so missing for a moment.

    Returns whether it was moved.
    """
    try:
        link_or_copy(folder, name, kept, name)
    except PermissionError:
        if not is_unread(move.current):
            raise
        folder.move(name, kept, name)
        return True
    return False


def _hands_on(folder: Folder, staged: Folder) -> bool:
    """Whether a new file gets another group if it is made in a folder than the staged one has."""
    above = os.fstat(folder.fd)
    own = os.fstat(staged.fd)
    return bool(above.st_mode & stat.S_ISGID) and above.st_gid != own.st_gid


def _is_folder(state: FileState | None) -> bool:
    return state is not None and state.kind == "folder"


def _is_directory(place: Folder, path: str) -> bool:
    status = place.status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)
