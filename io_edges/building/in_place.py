"""In place: replace the files of a component one by one, where the system refuses to exchange folders.

Each is copied beside its place and renamed over what is there, which it is like. Whatever was done already is passed
over, and so is what someone else changed, so a run that was broken off can be completed or undone by doing the same
once more.
"""

import os
import re
import stat

from msgspec import Struct

from io_edges.building.staging import Staging
from io_edges.building.swap_position import inside
from io_edges.system.dir_chain import above, prune_at
from io_edges.system.folder import READ, Folder
from io_edges.system.link_or_copy import copy, copy_anew, copy_at, folders_like
from io_edges.system.syscalls import sync
from io_edges.system.trees import discard, state_of, walk
from io_edges.system.whole_file import FRESH, fresh_name
from pipeline.building.journal import Swap
from pipeline.building.layout import ASIDE
from pipeline.building.record import Files, FileState, are_alike


class _Source(Struct, frozen=True):
    """The folder that files are taken from, by its name in another, and whether they were in place before."""

    above: Folder
    name: str
    was_there: bool = False


def keep_old_files(swap: Swap, project: Folder, staging: Staging) -> None:
    """Copy the files that will be replaced or removed, so that this can be undone. Raises `OSError`."""
    with staging.make(swap.undo) as kept:
        _keep(swap, project, kept)


def complete_old_files(swap: Swap, project: Folder, staging: Folder) -> None:
    """Do the same again after a kill, before files are replaced; what was replaced already was copied before."""
    if swap.before and staging.look(ASIDE) and staging.status(f"{ASIDE}/{swap.slot}") is None:
        with staging.child(swap.undo, make=True) as kept:
            _keep(swap, project, kept)


def _keep(swap: Swap, project: Folder, kept: Folder) -> None:
    """Copy files into folders like theirs, so that whoever may read them there can undo the run."""
    changed = {name: state for name, state in swap.before.items() if swap.after.get(name) != state}
    if project.status(swap.path) is None:
        return
    with project.inner(swap.path) as place, folders_like(changed, place, kept):
        for name, state in changed.items():
            if state.kind != "folder" and (state_of(place, name) != state or state_of(kept, name) == state):
                continue
            try:
                with above(kept, name, make=True) as (folder, last):
                    discard(folder, last)
                copy_at(place, name, kept)
            except FileNotFoundError:
                if place.status(name):
                    raise


def install(swap: Swap, project: Folder, staging: Folder) -> tuple[str, ...]:
    """Bring a component from its old state to its new one; return the paths that someone else changed."""
    with inside(project, swap.path, make=swap.new is not None) as place:
        changed = _bring(place, _Source(staging, swap.slot), swap.before, swap.after)
        sync(place.fd)
    if swap.new is None:
        prune_at(project, swap.path)
    return changed


def undo(swap: Swap, project: Folder, staging: Folder) -> tuple[str, ...]:
    """Bring a component back to its old state; return the paths that someone else changed."""
    if staging.look(swap.undo) is None or project.status(swap.path) is None:
        return ()
    with project.inner(swap.path) as place:
        changed = _bring(place, _Source(staging, swap.undo, was_there=True), swap.after, swap.before)
    if swap.old is None:
        prune_at(project, swap.path)
    return changed


def sweep(swap: Swap, project: Folder) -> None:
    """Remove the copies that a killed run left beside files of a component. Raises `OSError`."""
    if project.status(swap.path):
        for _, folder in walk(project, swap.path):
            for name, _ in folder.entries():
                if re.fullmatch(FRESH, name):
                    folder.discard(name)


def _bring(place: Folder, source: _Source, current: Files, wanted: Files) -> tuple[str, ...]:
    """Bring files from one state to another: removals first, so that a folder can come where a file was."""
    gone = [name for name in sorted(current, reverse=True) if _makes_way(current[name], wanted.get(name))]
    fresh = [name for name, state in wanted.items() if current.get(name) != state]
    changed = [name for name in gone if not _is_removed(place, name, current[name], wanted.get(name))]
    changed += [name for name in fresh if not _is_written(place, source, name, current.get(name), wanted[name])]
    return tuple(changed)


def _makes_way(current: FileState, wanted: FileState | None) -> bool:
    """Whether a file goes, or a folder and a file come in each other's place."""
    return wanted is None or (current.kind != wanted.kind and "folder" in {current.kind, wanted.kind})


def _is_removed(place: Folder, path: str, state: FileState, wanted: FileState | None) -> bool:
    """Remove a file or an empty folder, and the folders that are empty then; `False` if it is not as it was."""
    there = state_of(place, path)
    if there is not None and there == wanted:
        return True
    if there is not None and not are_alike(there, state):
        return False
    if there is not None:
        with above(place, path) as (folder, name):
            folder.discard(name)
    while path:
        prune_at(place, path)
        path = path.rpartition("/")[0]
    return True


def _is_written(place: Folder, source: _Source, path: str, current: FileState | None, wanted: FileState) -> bool:
    """Write a file; `False` if what is there is neither as it was nor as it is to be."""
    if wanted.kind == "folder":
        place.inner(path, make=True).close()
        return True
    there = state_of(place, path)
    if there == wanted:
        return True
    if (there is not None and not are_alike(there, current)) or _is_folder(place, path):
        return False
    fresh = fresh_name()
    with above(place, path, make=True) as (folder, name), source.above.inner(source.name) as top:
        try:
            with above(top, path) as (staged, _):
                if source.was_there:
                    copy(staged, name, folder, fresh)
                else:
                    copy_anew(staged, name, folder, fresh, executable=wanted.executable)
            if wanted.kind == "file":
                with os.fdopen(os.open(fresh, READ, dir_fd=folder.fd)) as file:
                    os.fsync(file.fileno())
            folder.move(fresh, folder, name)
        except OSError:
            folder.discard(fresh)
            raise
    return True


def _is_folder(place: Folder, path: str) -> bool:
    status = place.status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)
