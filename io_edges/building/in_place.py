"""In place: bring a component from one state to another, its files one by one, each by a rename.

`Change.file_moves` says in which order. Of each file that is replaced or removed, a link is kept first; on another disk
the old file and the new one are copied. One that can be neither linked nor read is moved. Taking a change back is the
same in the reverse order. What is done already is passed over, and so is a file that somebody else has changed, so a
run that was broken off can be finished, or taken back, by doing the same once more. A new component and one that is
removed are renamed as a whole where that can be. Nothing is touched that the run does not change.
"""

import errno
import os
import stat
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from msgspec import Struct, field

from io_edges.building.local import check_way, inside
from io_edges.report.progress import Bar
from io_edges.system.disks import mounts_below
from io_edges.system.folder import Folder
from io_edges.system.metadata import copy_over, folders_like, link_or_copy
from io_edges.system.stop import Stop
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, above, discard, prune_at, state_of, survey
from pipeline.building.merging.files_merge import changed_since
from pipeline.building.stores.changes import Change, FileMove
from pipeline.building.stores.record import Files, FileState, are_alike, is_unread
from pipeline.building.stores.tree import Tree
from pipeline.report.diagnostics.conflicts import OutputConflict

_UNMOVED = frozenset(
    {errno.EXDEV, errno.EBUSY, errno.ENOTSUP, errno.ENOTEMPTY, errno.EEXIST, errno.EACCES, errno.EPERM}
)
"""The errors of renaming a whole component after which its files may be moved one by one."""

_STAYING = frozenset({errno.ELOOP, errno.ENOTDIR, errno.ENOTEMPTY})
"""The errors of removing a folder that has something in it, or is none."""

_Place: TypeAlias = tuple[Folder, str]
"""An opened folder, and the path of a component below it."""


class Workspace(Struct, frozen=True):
    """The project, its staging folder, and a bar that counts the files that are put in place."""

    project: Folder
    staging: Folder
    bar: Bar = field(default_factory=Bar)


class _Sides(Struct, frozen=True):
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


def check_place(change: Change, project: Folder) -> None:
    """Raise `Stop` if a component has appeared or gone since the plan was made, or the way to it leads elsewhere."""
    check_way(project, change.path.rpartition("/")[0])
    if not change.removes and (project.status(change.path) is None) is not change.adds:
        raise Stop(OutputConflict(change.path, reason="changed"))


def install(change: Change, at: Workspace, known: Tree = NOTHING, *, is_again: bool = False) -> tuple[str, ...]:
    """Bring a component from its old state to its new one; return the paths that someone else has changed.

    `known` is what is known of the old files; `is_again` says whether a killed run may have begun with it. What is
    replaced is kept in folders like its own, so that whoever may read it there can undo the run.
    """
    project = at.project
    staging = at.staging
    if is_again and not change.removes and staging.lstat(change.slot) is None:  # all of it was put in place
        return ()
    if change.adds and _is_renamed((staging, change.slot), (project, change.path)):
        return ()
    if change.removes and _is_removed_whole(change, at, known):
        return ()
    replaced = {move.name: FileState() for move in change.file_moves if move.current}
    with (
        staging.child(change.undo, make=True) as kept,  # first: it shows that the folder of a new component is made
        inside(project, change.path, make=change.adds) as place,
        staging.child(_staged(change)) as source,
        _aside(change, project) as aside,
        folders_like(replaced, place, kept),
    ):
        sides = _Sides(place, source, kept, change.after, aside, is_again=is_again, known=known.linked, bar=at.bar)
        changed = _bring(sides, change.file_moves)
        if os.fstat(place.fd).st_dev != os.fstat(project.fd).st_dev:
            sync(place.fd)
    if change.removes:
        _remove_empty(project, change.path)
    return changed


def _remove_empty(top: Folder, path: str) -> None:
    """Remove the folder at a path, if it is there, unless something is in it or it is mounted. Raises `OSError`."""
    try:
        with above(top, path) as (folder, name), folder.naming_errors(name):
            os.rmdir(name, dir_fd=folder.fd)
    except OSError as error:
        if error.errno == errno.EBUSY:
            prune_at(top, path)  # it was busy for a moment
        if error.errno not in _STAYING and _is_directory(top, path) and path not in mounts_below(top):
            raise


def take_back(change: Change, at: Workspace) -> tuple[str, ...]:
    """Bring a component back to its old state; return the paths that someone else has changed."""
    project = at.project
    staging = at.staging
    was_moved = change.adds and staging.lstat(change.slot) is None
    if staging.lstat(change.undo) is None and not was_moved:
        return ()
    if was_moved and _is_renamed_back((project, change.path), (staging, change.slot), change.after):
        return ()
    if change.removes and _is_renamed_back((staging, change.undo), (project, change.path), change.before):
        return ()
    if project.obstacle(change.path) or (project.status(change.path) is None and not change.removes):
        return tuple(change.before)
    back = tuple(move.back for move in reversed(change.file_moves))
    with (
        project.inner(change.path, make=change.removes) as place,
        staging.child(change.undo, make=True) as source,
        staging.child(_staged(change), make=True) as kept,
        _aside(change, project) as aside,
    ):
        sides = _Sides(place, source, kept, change.before, aside, is_back=True, is_again=True, bar=at.bar)
        changed = _bring(sides, back)
    if change.adds:
        prune_at(project, change.path)
    return changed


def _aside(change: Change, project: Folder) -> AbstractContextManager[Folder | None]:
    """Open the folder that an earlier run moved files to, unread, if any of them come back."""
    return inside(project, change.aside, make=True) if change.aside else nullcontext()


def _staged(change: Change) -> str:
    """The folder of new files; of a component that is removed there is none, nor is it needed."""
    return change.undo if change.removes else change.slot


def _is_removed_whole(change: Change, at: Workspace, known: Tree) -> bool:
    """Keep a component that is removed, whole; `False` if that cannot be, or a file of it is not as planned.

    It is looked at after the rename as well, and goes back if a file was changed just before it.
    """
    place = (at.project, change.path)
    kept = (at.staging, change.undo)
    if change.after:
        return False
    is_there = at.project.status(change.path) is not None
    if is_there and changed_since(change.before, survey(*place, known).files):
        return False
    if is_there and not _is_renamed(place, kept):
        return False
    if not changed_since(change.before, survey(*kept, known.linked).files):
        return True
    _is_renamed(kept, place)
    return False


def _is_renamed(source: _Place, target: _Place) -> bool:
    """Rename a whole component; `False` if it cannot be moved, as from one disk to another."""
    with above(*source) as (old, last), above(*target, make=True) as (folder, name):
        try:
            old.move(last, folder, name)
        except OSError as error:
            if error.errno not in _UNMOVED:
                raise
            return False
    return True


def _is_renamed_back(source: _Place, target: _Place, files: Files) -> bool:
    """Rename a whole component back if nothing else is in it than was put there."""
    is_there = source[0].obstacle(source[1]) is None and source[0].status(source[1]) is not None
    return is_there and not changed_since(files, survey(*source).files) and _is_renamed(source, target)


def _bring(sides: _Sides, moves: tuple[FileMove, ...]) -> tuple[str, ...]:
    """Bring files from one state to another; return the paths of those that are not as they were."""
    changed = list[str]()
    for move in moves:
        bring = _is_put if move.wanted else _is_removed
        if not bring(sides, move):
            changed.append(move.name)
        sides.bar.count()
    return tuple(changed)


def _is_removed(sides: _Sides, move: FileMove) -> bool:
    """Remove a file or an empty folder, and the folders that are empty then; `False` if it is not as it was."""
    path = move.name
    place = sides.place
    there = state_of(place, path, sides.known)
    if there is not None and move.current and move.current.kind != "folder":
        if not (are_alike(there, move.current) and _is_kept(sides, move)):
            return False
        with above(place, path) as (folder, name):
            folder.discard(name)
    remove_empty = prune_at if sides.is_back else _remove_empty  # what stays does not keep the rest from being put back
    while path and not _is_folder(sides.end.get(path)):
        remove_empty(place, path)
        path = path.rpartition("/")[0]
    return True


def _is_put(sides: _Sides, move: FileMove) -> bool:
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
    source = sides.source
    if sides.aside and is_unread(wanted) and source.status(path) is None:
        source = sides.aside
    if sides.is_again and source.status(path) is None:
        return False
    if there is not None and not (are_alike(there, move.current) and _is_kept(sides, move)):
        return False
    with above(source, path) as (staged, name), above(place, path, make=True) as (folder, _):
        if there is not None or not _hands_on(folder, staged):
            try:
                staged.move(name, folder, name)
                return True
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
        copy_over(staged, name, folder, None if sides.is_back else wanted.executable)
    return True


def _is_kept(sides: _Sides, move: FileMove) -> bool:
    """Link a file that goes, or copy it, unless that was done; `False` if what was kept is not as planned."""
    path = move.name
    known = sides.known
    keeps = sides.aside if sides.aside and is_unread(move.current) else sides.kept
    if sides.is_again and are_alike(state_of(keeps, path, known), move.current):
        return True
    with above(sides.place, path) as (folder, name), above(keeps, path, make=True) as (kept, _):
        if sides.is_again:
            discard(kept, name)  # a copy that a killed run has left half written
        is_moved = _is_moved_aside(folder, name, kept, move)
        is_same = are_alike(state_of(keeps, path, known), move.current)
        if not is_same and is_moved:
            kept.move(name, folder, name)
        elif not is_same:
            kept.discard(name)
    return is_same


def _is_moved_aside(folder: Folder, name: str, kept: Folder, move: FileMove) -> bool:
    """Link or copy a file; one that this user may neither link nor read is moved, and so missing for a moment."""
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
