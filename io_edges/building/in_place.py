"""In place: bring a component from one state to another, its files one by one, each by a rename.

`Change.file_moves` says in which order; taking a change back is the same in the reverse order. A new component and one
that is removed are renamed as a whole where that can be. Nothing is touched that the run does not change.
"""

import errno
import os
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from msgspec import Struct, field

from io_edges.building.file_moves import Sides, bring, remove_empty
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

_UNMOVED = frozenset(
    {errno.EXDEV, errno.EBUSY, errno.ENOTSUP, errno.ENOTEMPTY, errno.EEXIST, errno.EACCES, errno.EPERM}
)
"""The errors of renaming a whole component after which its files may be moved one by one."""

_Place: TypeAlias = tuple[Folder, str]
"""An opened folder, and the path of a component below it."""


class Workspace(Struct, frozen=True):
    """The project, its staging folder, and a bar that counts the files that are put in place."""

    project: Folder
    staging: Folder
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
    if change.adds and _rename((staging, change.slot), (project, change.path)):
        return ()
    if change.removes and _remove_whole(change, at, known):
        return ()
    replaced = {move.name: FileState() for move in change.file_moves if move.current}
    with (
        staging.child(
            change.replaced_slot, make=True
        ) as kept,  # first: it shows that the folder of a new component is made
        inside(project, change.path, make=change.adds) as place,
        staging.child(_staged(change)) as source,
        _aside(change, project) as aside,
        folders_like(replaced, place, kept),
    ):
        sides = Sides(place, source, kept, change.after, aside, is_again=is_again, known=known.linked, bar=at.bar)
        changed = bring(sides, change.file_moves)
        if os.fstat(place.fd).st_dev != os.fstat(project.fd).st_dev:
            sync(place.fd)
    if change.removes:
        remove_empty(project, change.path)
    return changed


def take_back(change: Change, at: Workspace) -> tuple[str, ...]:
    """Bring a component back to its old state; return the paths that someone else has changed."""
    project = at.project
    staging = at.staging
    was_moved = change.adds and staging.lstat(change.slot) is None
    if staging.lstat(change.replaced_slot) is None and not was_moved:
        return ()
    if was_moved and _rename_back((project, change.path), (staging, change.slot), change.after):
        return ()
    if change.removes and _rename_back((staging, change.replaced_slot), (project, change.path), change.before):
        return ()
    if project.obstacle(change.path) or (project.status(change.path) is None and not change.removes):
        return tuple(change.before)
    back = tuple(move.back for move in reversed(change.file_moves))
    with (
        project.inner(change.path, make=change.removes) as place,
        staging.child(change.replaced_slot, make=True) as source,
        staging.child(_staged(change), make=True) as kept,
        _aside(change, project) as aside,
    ):
        sides = Sides(place, source, kept, change.before, aside, is_back=True, is_again=True, bar=at.bar)
        changed = bring(sides, back)
    if change.adds:
        prune_at(project, change.path)
    return changed


def _aside(change: Change, project: Folder) -> AbstractContextManager[Folder | None]:
    """Open the folder that an earlier run moved files to, unread, if any of them come back."""
    if not change.aside:
        return nullcontext()
    return inside(project, change.aside, make=True)


def _staged(change: Change) -> str:
    """The folder of new files; of a component that is removed there is none, nor is it needed."""
    if change.removes:
        return change.replaced_slot
    return change.slot


def _remove_whole(change: Change, at: Workspace, known: Tree) -> bool:
    """Keep a component that is removed, whole; `False` if that cannot be, or a file of it is not as planned.

    It is looked at after the rename as well, and goes back if a file was changed just before it.
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
    """Rename a whole component; `False` if it cannot be moved, as from one disk to another."""
    with above(*source) as (old, last), above(*target, make=True) as (folder, name):
        try:
            old.move(last, folder, name)
        except OSError as error:
            if error.errno not in _UNMOVED:
                raise
            return False
    return True


def _rename_back(source: _Place, target: _Place, files: Files) -> bool:
    """Rename a whole component back; `False` if it is gone, is not as it was put there, or cannot be moved."""
    folder, path = source
    if folder.obstacle(path) or folder.status(path) is None:
        return False
    if changed_since(files, survey(folder, path).files):
        return False
    return _rename(source, target)
