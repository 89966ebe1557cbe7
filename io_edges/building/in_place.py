"""In place: replace the files of a component one by one, where the system refuses to exchange folders.

What is replaced is linked into a folder of its own, then the staged file is renamed over it; on another disk both are
copied. Taking it back is the same the other way round. What is done already is passed over, and so is what someone
else changed, so a run that was broken off can be completed or undone by doing the same once more.
"""

import errno
import os
import re
import stat

from msgspec import Struct

from io_edges.building.exchange import inside
from io_edges.system.dir_chain import above, prune_at
from io_edges.system.folder import READ, Folder
from io_edges.system.link_or_copy import copy, copy_anew, folders_like, link_or_copy
from io_edges.system.syscalls import sync
from io_edges.system.trees import discard, state_of, walk
from io_edges.system.whole_file import FRESH, fresh_name
from pipeline.building.journal import Change
from pipeline.building.record import Files, FileState, are_alike


class _Between(Struct, frozen=True):
    """The component in its place, the folder that files come from, and the one that keeps those that they replace."""

    place: Folder
    source: Folder
    kept: Folder
    is_back: bool = False
    """Whether the files were in place before."""


def install(change: Change, project: Folder, staging: Folder) -> tuple[str, ...]:
    """Bring a component from its old state to its new one; return the paths that someone else changed.

    What is replaced is kept in folders like its own, so that whoever may read it there can undo the run.
    """
    changed = [name for name, state in change.before.items() if change.after.get(name) != state]
    with (
        inside(project, change.path, make=change.new is not None) as place,
        staging.child(change.undo, make=True) as kept,
        staging.child(_staged(change)) as source,
        folders_like(dict.fromkeys(changed, FileState()), place, kept),
    ):
        changed_since = _bring(_Between(place, source, kept), change.before, change.after)
        sync(place.fd)
    if change.new is None:
        prune_at(project, change.path)
    return changed_since


def undo(change: Change, project: Folder, staging: Folder) -> tuple[str, ...]:
    """Bring a component back to its old state, except for what someone else changed; return the paths of that."""
    if staging.lstat(change.undo) is None:
        return ()
    if project.obstacle(change.path) or project.status(change.path) is None:
        return tuple(change.before)
    with (
        project.inner(change.path) as place,
        staging.child(change.undo) as source,
        staging.child(_staged(change), make=True) as kept,
    ):
        changed = _bring(_Between(place, source, kept, is_back=True), change.after, change.before)
    if change.old is None:
        prune_at(project, change.path)
    return changed


def _staged(change: Change) -> str:
    """The folder of new files; of a component that is removed there is none, nor is it needed."""
    return change.undo if change.new is None else change.slot


def sweep(change: Change, project: Folder) -> None:
    """Remove the copies that a killed run left beside files of a component. Raises `OSError`."""
    if project.obstacle(change.path) is None and project.status(change.path):
        for _, folder in walk(project, change.path):
            for name, _ in folder.entries():
                if re.fullmatch(FRESH, name):
                    folder.discard(name)


def _bring(between: _Between, current: Files, wanted: Files) -> tuple[str, ...]:
    """Bring files from one state to another: removals first, so that a folder can come where a file was."""
    gone = [name for name in sorted(current, reverse=True) if _makes_way(current[name], wanted.get(name))]
    fresh = [name for name, state in wanted.items() if current.get(name) != state]
    changed = [name for name in gone if not _is_removed(between, name, current[name], wanted.get(name))]
    changed += [name for name in fresh if not _is_put(between, name, current.get(name), wanted[name])]
    return tuple(changed)


def _makes_way(current: FileState, wanted: FileState | None) -> bool:
    """Whether a file goes, or a folder and a file come in each other's place."""
    return wanted is None or (current.kind != wanted.kind and "folder" in {current.kind, wanted.kind})


def _is_removed(between: _Between, path: str, state: FileState, wanted: FileState | None) -> bool:
    """Remove a file or an empty folder, and the folders that are empty then; `False` if it is not as it was."""
    place = between.place
    there = state_of(place, path)
    if there is not None and there == wanted:
        return True
    if there is not None and not are_alike(there, state):
        return False
    if there is not None:
        _keep(between, path, there)
        with above(place, path) as (folder, name):
            folder.discard(name)
    while path:
        prune_at(place, path)
        path = path.rpartition("/")[0]
    return True


def _is_put(between: _Between, path: str, current: FileState | None, wanted: FileState) -> bool:
    """Put a file in place; `False` if it was changed or removed since."""
    place = between.place
    if wanted.kind == "folder":
        place.inner(path, make=True).close()
        return True
    there = state_of(place, path)
    if there == wanted:
        return True
    if (there is not None and not are_alike(there, current)) or _is_folder(place, path):
        return False
    if between.source.status(path) is None:  # it was put in place, and has been removed since
        return False
    if there is not None:
        _keep(between, path, there)
    with above(between.source, path) as (staged, name), above(place, path, make=True) as (folder, _):
        if there is not None or not _hands_on(folder, staged):
            try:
                staged.move(name, folder, name)
                return True
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
        _copy(staged, name, folder, None if between.is_back else wanted.executable)
    return True


def _hands_on(folder: Folder, staged: Folder) -> bool:
    """Whether a new file gets another group if it is made in a folder than the staged one has."""
    above, own = os.fstat(folder.fd), os.fstat(staged.fd)
    return bool(above.st_mode & stat.S_ISGID) and above.st_gid != own.st_gid


def _keep(between: _Between, path: str, state: FileState) -> None:
    """Link a file that is replaced, or copy it; a copy that a killed run has left half written is made anew."""
    if state_of(between.kept, path) == state:
        return
    with above(between.place, path) as (folder, name), above(between.kept, path, make=True) as (kept, _):
        discard(kept, name)
        link_or_copy(folder, name, kept, name, across=True)


def _copy(source: Folder, name: str, folder: Folder, executable: bool | None) -> None:
    """Copy a file from another disk, beside its target, and rename it over the target.

    It is as it was before or, with an executable bit of its own, like what it replaces.
    """
    fresh = fresh_name()
    try:
        if executable is None:
            copy(source, name, folder, fresh)
        else:
            copy_anew(source, name, folder, fresh, executable=executable)
        with os.fdopen(os.open(fresh, READ, dir_fd=folder.fd)) as file:
            os.fsync(file.fileno())
        folder.move(fresh, folder, name)
    except OSError:
        folder.discard(fresh)
        raise


def _is_folder(place: Folder, path: str) -> bool:
    status = place.status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)
