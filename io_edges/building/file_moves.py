"""File moves: bring the files of a component from one state to another, one by one, each
by a rename.

A link to each file that is replaced or removed is kept first. On another disk, the old file and the
new one are copied. A file that can be neither linked nor read is moved. What is done already is
skipped, and so is a file that somebody else has changed; so the moves of a killed run can be
finished, or taken back, by repeating them.
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
from pipeline.building.stores.record import Files, FileState, are_alike, is_denied
from pipeline.building.stores.tree import Tree

_STAYS = frozenset({errno.ELOOP, errno.ENOTDIR, errno.ENOTEMPTY})
"""The errors of removing a folder that is not empty, or something that is not a folder."""


class MoveContext(Struct, frozen=True):
    """The folders that files are moved between, and how."""

    place: Folder
    """The component in the project."""
    source: Folder
    """The folder that new files come from."""
    kept: Folder
    """The folder that keeps the files that are replaced or removed."""
    final_files: Files
    """The files of the component once everything is moved."""
    aside: Folder | None = None
    """The folder to which an earlier run moved unreadable files: they come from it, and
    go back to it.
    """
    is_back: bool = False
    """Whether the moves take back a run, so that the files of `source` were in place before."""
    is_again: bool = False
    """Whether the moves may be done in part already, so that somebody else may have changed their
    files since.
    """
    known: Tree = NOTHING
    """What is known of the files in place, to which links may be made."""
    bar: Bar = field(default_factory=Bar)

    def executable_of(self, wanted: FileState) -> bool | None:
        """The executable bit for the copy of a new file; `None` keeps its own, as for one that was
        in place before.
        """
        if self.is_back:
            return None
        return wanted.executable


def move_all(context: MoveContext, moves: tuple[FileMove, ...]) -> tuple[str, ...]:
    """Make all moves; return the paths of the files that somebody else has changed, which
    are skipped.
    """
    changed = list[str]()
    for move in moves:
        if not _make(context, move):
            changed.append(move.name)
        context.bar.count()
    return tuple(changed)


def _make(context: MoveContext, move: FileMove) -> bool:
    """Make a move; `False` if somebody else has changed the file."""
    if move.wanted:
        return _put(context, move)
    return _remove(context, move)


def _remove(context: MoveContext, move: FileMove) -> bool:
    """Remove a file or an empty folder, and the folders above it that become empty.

    `False` if somebody else has changed the file.
    """
    path = move.name
    place = context.place
    there = state_of(place, path, context.known)
    if there is not None and move.current and move.current.kind != "folder":
        if not _keep(context, move, there):
            return False
        with above(place, path) as (folder, name):
            folder.discard(name)
        if _is_folder(context.final_files.get(path)):  # a folder takes its place
            return True
        path = path.rpartition("/")[0]
    while path and not _is_folder(context.final_files.get(path)):
        # A folder that cannot be removed does not stop the rest from being put back.
        if context.is_back:
            prune_at(place, path)
        else:
            remove_empty(place, path)
        path = path.rpartition("/")[0]
    return True


def remove_empty(top: Folder, path: str) -> None:
    """Remove the folder at a path, if it exists, unless it is not empty or something is
    mounted there.
    """
    try:
        with above(top, path) as (folder, name), folder.naming_errors(name):
            os.rmdir(name, dir_fd=folder.fd)
    except OSError as error:
        if error.errno in _STAYS:
            return
        if error.errno == errno.EBUSY:
            prune_at(top, path)  # it may have been busy for a moment only
        if _is_directory(top, path) and path not in mounts_below(top):
            raise


def _put(context: MoveContext, move: FileMove) -> bool:
    """Put a file in place; `False` if somebody else has changed the old file, or removed the
    new one since.
    """
    path = move.name
    place = context.place
    wanted = move.wanted
    if wanted is None or wanted.kind == "folder":
        place.inner(path, make=True).close()
        return True
    there = state_of(place, path, context.known)
    if there == wanted:
        return True
    if there is None and _is_directory(place, path):
        return False
    source = _source_of(path, wanted, context)
    if context.is_again and source.status(path) is None:
        return False
    if there is not None and not _keep(context, move, there):
        return False
    with above(source, path) as (staged, name), above(place, path, make=True) as (folder, _):
        is_other_group = there is None and _inherits_other_group(folder, staged)
        if is_other_group or not _move(staged, name, folder):
            copy_over(staged, name, folder, context.executable_of(wanted))
    return True


def _source_of(path: str, wanted: FileState, context: MoveContext) -> Folder:
    """The folder that a file comes from: unless it is staged, the one to which an earlier run
    moved it unread.
    """
    if context.aside and is_denied(wanted) and context.source.status(path) is None:
        return context.aside
    return context.source


def _move(staged: Folder, name: str, folder: Folder) -> bool:
    """Move a file into a folder; `False` if that is on another disk."""
    try:
        staged.move(name, folder, name)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        return False
    return True


def _keep(context: MoveContext, move: FileMove, there: FileState) -> bool:
    """Keep a file before it is replaced or removed; `False` if it is not as the plan says.

    A repeated run checks the file that it has kept before, and replaces half a copy.
    """
    if not are_alike(there, move.current):
        return False
    path = move.name
    known = context.known
    target = context.kept
    if context.aside and is_denied(move.current):
        target = context.aside
    if context.is_again and are_alike(state_of(target, path, known), move.current):
        return True
    with above(context.place, path) as (folder, name), above(target, path, make=True) as (kept, _):
        if context.is_again:
            discard(kept, name)  # a killed run may have left half a copy
        is_moved = _link_or_move(folder, name, kept, move)
        if are_alike(state_of(target, path, known), move.current):
            return True
        if is_moved:
            kept.move(name, folder, name)
        else:
            kept.discard(name)
    return False


def _link_or_move(folder: Folder, name: str, kept: Folder, move: FileMove) -> bool:
    """Link or copy a file. If the user can neither link nor read it, move it, so that it is missing
    for a moment.

    Returns whether it was moved.
    """
    try:
        link_or_copy(folder, name, kept, name)
    except PermissionError:
        if not is_denied(move.current):
            raise
        folder.move(name, kept, name)
        return True
    return False


def _inherits_other_group(folder: Folder, staged: Folder) -> bool:
    """Whether setgid would give a file made in `folder` another group than the staged one has."""
    target = os.fstat(folder.fd)
    source = os.fstat(staged.fd)
    return bool(target.st_mode & stat.S_ISGID) and target.st_gid != source.st_gid


def _is_folder(state: FileState | None) -> bool:
    return state is not None and state.kind == "folder"


def _is_directory(place: Folder, path: str) -> bool:
    status = place.status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)
