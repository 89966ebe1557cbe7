"""In place: bring a component from one state to another, file by file, each by a rename.

`Change.file_moves` gives the order; a change is taken back in the reverse order. Where possible, a
new component and one that is removed are renamed as a whole. Files that the run does not change are
not touched.
"""

import errno
import os
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from msgspec import Struct, field

from io_edges.building.file_moves import MoveContext, move_all, remove_empty
from io_edges.building.local import check_way, inside
from io_edges.report.progress import Bar
from io_edges.system.folder import Folder
from io_edges.system.metadata import folders_like
from io_edges.system.stop import Stop
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, above, prune_at, survey
from pipeline.building.merging.files_merge import changed_since
from pipeline.building.stores.changes import Change
from pipeline.building.stores.record import Files, FileState
from pipeline.building.stores.tree import Tree
from pipeline.report.diagnostics.conflicts import OutputConflict

_FALL_BACK_ERRNOS = frozenset(
    {
        errno.EXDEV,
        errno.EBUSY,
        errno.ENOTSUP,
        errno.ENOTEMPTY,
        errno.EEXIST,
        errno.EACCES,
        errno.EPERM,
    }
)
"""The errors of renaming a whole component after which its files are moved one by one."""

_Place: TypeAlias = tuple[Folder, str]
"""An opened folder, and the path of a component below it."""


class Workspace(Struct, frozen=True):
    """The project, its staging folder, and the bar that counts the files that are put in place."""

    project: Folder
    staging: Folder
    bar: Bar = field(default_factory=Bar)


def check_place(change: Change, project: Folder) -> None:
    """Raise `Stop` if a component has appeared or disappeared since the plan was made, or a link is
    on its path.
    """
    check_way(project, change.path.rpartition("/")[0])
    is_there = project.status(change.path) is not None
    if not change.removes and is_there == change.adds:
        raise Stop(OutputConflict(change.path, reason="changed"))


def install(
    change: Change, at: Workspace, known: Tree = NOTHING, *, is_again: bool = False
) -> tuple[str, ...]:
    """Bring a component from its old state to its new one; return the paths that somebody else
    has changed.

    `known` is what is known of the old files; `is_again` says whether a killed run may have begun
    with them. Replaced files are kept in folders with the same permissions, so that whoever can
    read the files can undo the run.
    """
    project = at.project
    staging = at.staging
    # Everything was put in place.
    if is_again and not change.removes and staging.lstat(change.slot) is None:
        return ()
    if change.adds and _rename((staging, change.slot), (project, change.path)):
        return ()
    if change.removes and _remove_whole(change, at, known):
        return ()
    replaced = {move.name: FileState() for move in change.file_moves if move.current}
    with (
        staging.child(
            change.replaced_slot, make=True
        ) as kept,  # first, because it shows that the folder of a new component is made
        inside(project, change.path, make=change.adds) as place,
        staging.child(_staged(change)) as source,
        _aside(change, project) as aside,
        folders_like(replaced, place, kept),
    ):
        context = MoveContext(
            place=place,
            source=source,
            kept=kept,
            final_files=change.after,
            aside=aside,
            is_again=is_again,
            known=known.linked,
            bar=at.bar,
        )
        changed = move_all(context, change.file_moves)
        if os.fstat(place.fd).st_dev != os.fstat(project.fd).st_dev:
            sync(place.fd)
    if change.removes:
        remove_empty(project, change.path)
    return changed


def take_back(change: Change, at: Workspace) -> tuple[str, ...]:
    """Bring a component back to its old state; return the paths that somebody else has changed."""
    project = at.project
    staging = at.staging
    was_moved = change.adds and staging.lstat(change.slot) is None
    if staging.lstat(change.replaced_slot) is None and not was_moved:
        return ()
    if was_moved and _rename_back((project, change.path), (staging, change.slot), change.after):
        return ()
    if change.removes and _rename_back(
        (staging, change.replaced_slot), (project, change.path), change.before
    ):
        return ()
    if project.obstacle(change.path) or (
        project.status(change.path) is None and not change.removes
    ):
        return tuple(change.before)
    back = tuple(move.back for move in reversed(change.file_moves))
    with (
        project.inner(change.path, make=change.removes) as place,
        staging.child(change.replaced_slot, make=True) as source,
        staging.child(_staged(change), make=True) as kept,
        _aside(change, project) as aside,
    ):
        context = MoveContext(
            place=place,
            source=source,
            kept=kept,
            final_files=change.before,
            aside=aside,
            is_back=True,
            is_again=True,
            bar=at.bar,
        )
        changed = move_all(context, back)
    if change.adds:
        prune_at(project, change.path)
    return changed


def _aside(change: Change, project: Folder) -> AbstractContextManager[Folder | None]:
    """Open the folder to which an earlier run moved unreadable files, if any of them come back."""
    if not change.aside:
        return nullcontext()
    return inside(project, change.aside, make=True)


def _staged(change: Change) -> str:
    """The name of the folder of new files; for a component that is removed, which has none, that of
    the kept files.
    """
    if change.removes:
        return change.replaced_slot
    return change.slot


def _remove_whole(change: Change, at: Workspace, known: Tree) -> bool:
    """Move a component that is removed to the kept files, by one rename.

    `False` if that is impossible, or if somebody else has changed a file. The files are compared
    after the rename as well; if one was changed just before it, the component goes back.
    """
    place = (at.project, change.path)
    kept = (at.staging, change.replaced_slot)
    if change.after:
        return False
    if at.project.status(change.path) is not None:
        if changed_since(change.before, survey(*place, known).files):
            return False
        if not _rename(place, kept):
            return False
    if not changed_since(change.before, survey(*kept, known.linked).files):
        return True
    _rename(kept, place)
    return False


def _rename(source: _Place, target: _Place) -> bool:
    """Rename a whole component; `False` if that is impossible, for example because the target is on
    another disk.
    """
    with above(*source) as (old, last), above(*target, make=True) as (folder, name):
        try:
            old.move(last, folder, name)
        except OSError as error:
            if error.errno not in _FALL_BACK_ERRNOS:
                raise
            return False
    return True


def _rename_back(source: _Place, target: _Place, files: Files) -> bool:
    """Rename a whole component back; `False` if it is gone, was changed, or cannot be renamed."""
    folder, path = source
    if folder.obstacle(path) or folder.status(path) is None:
        return False
    if changed_since(files, survey(folder, path).files):
        return False
    return _rename(source, target)
