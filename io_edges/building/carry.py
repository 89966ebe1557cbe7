"""Carry: what others write into a component while it is exchanged is carried over into the new folder.

Of what the archive says nothing about, the newest version is in place at the end. Before an exchange nobody writes
into the new folder; after it, whatever differs there from what was put in place is newer than what the old one has.
"""

import errno
from collections.abc import Collection, Mapping
from contextlib import suppress

from msgspec import Struct

from io_edges.building.backups import salvage
from io_edges.system.dir_chain import above
from io_edges.system.folder import Folder
from io_edges.system.link_or_copy import link_or_copy_if_there
from io_edges.system.stop import despite_removals
from io_edges.system.trees import NOTHING, discard, remove_known, state_of, survey
from io_edges.system.whole_file import fresh_name, move_to_new
from pipeline.building.files_merge import changed_since, fits
from pipeline.building.journal import Change, Journal
from pipeline.building.record import Files, FileState, are_alike
from pipeline.building.tree import Tree
from pipeline.report.diagnostic import WarningDiagnostic

_TRIES = 16
"""How often something is tried that the writes of others can spoil."""


class Side(Struct, frozen=True):
    """The old folder or the new one: the opened folder that it is in, and its path there."""

    above: Folder
    path: str
    planned: Files
    """Its files as they are known to the journal."""
    is_staged: bool = False
    """Whether it was not in place yet, so that nobody else has written into it."""


class Carried(Struct, frozen=True):
    """What was carried over."""

    tree: Tree
    """What is in the folder that was written into."""
    settled: Mapping[str, FileState | None]
    """What both folders have since; `None` for what is gone."""
    newer: tuple[str, ...]
    """The paths of which the other folder has another version, which stays."""
    disputed: tuple[str, ...]
    """The paths that the run changes, too."""

    def applied_to(self, files: Files) -> dict[str, FileState]:
        """The files of either folder as they are then."""
        return {name: state for name, state in {**files, **self.settled}.items() if state}


@despite_removals
def carry_writes(
    source: Side,
    target: Side,
    known: Tree = NOTHING,
    built: Collection[str] | None = None,
    found: Files | None = None,
) -> Carried:
    """Carry over what was added to the source, or changed, since it was as planned.

    What is gone from it is removed from the target, unless the archive gives it, that is, it is `built`. Without
    `built` nothing is removed, as the source may have been emptied by a run that was broken off. `found` is what the
    target had when it came in place, if that is not what was planned. Raises `OSError`.
    """
    tree = survey(source.above, source.path, known)
    changed = changed_since(source.planned, tree.files)
    fitting = [name for name in changed if fits(name, source.planned, target.planned)]
    missing = [] if built is None else sorted(source.planned.keys() - tree.files.keys() - set(built), reverse=True)
    gone = [name for name in missing if fits(name, source.planned, target.planned)]
    with source.above.inner(source.path) as old, target.above.inner(target.path) as new:
        expected = target.planned if found is None else found
        if target.is_staged:
            expected = {name: state for name in (*fitting, *gone) if (state := state_of(new, name))}
        carried = {name: _carried(name, old, new, tree.files[name], expected.get(name)) for name in fitting}
        removed = {name: None for name in gone if _is_removed(name, old, new, expected.get(name))}
    return Carried(
        tree,
        removed | {name: state for name, state in carried.items() if state},
        tuple(name for name, state in carried.items() if not state),
        tuple(name for name in changed if name not in carried),
    )


def _carried(path: str, old: Folder, new: Folder, state: FileState, expected: FileState | None) -> FileState | None:
    """Carry one file over, and return what it is then; `None` if something newer is in its place, or it has gone."""
    there = state_of(new, path)
    if there == state:
        return state
    is_deleted = there is None and expected is not None and expected.kind != "folder"
    if is_deleted or (there is not None and not are_alike(there, expected)):
        return None
    with above(old, path) as (source, name), above(new, path, make=True) as (target, _):
        fresh = fresh_name()
        try:
            if link_or_copy_if_there(source, name, target, fresh, across=True) is None:
                return None
            state = state_of(target, fresh) or state
            if there is None:
                move_to_new(target, fresh, name)
                return state
            return state if _is_placed(fresh, target, name, state, there) else None
        except FileExistsError:
            return state if state.kind == "folder" else None
        finally:  # a rename of one name of a file to another of its names leaves both
            if target.lstat(fresh):
                discard(target, fresh)


def _is_removed(path: str, old: Folder, new: Folder, expected: FileState | None) -> bool:
    """Remove a file that is gone from the old folder, if it is as it was, and the folders that are gone with it."""
    there = state_of(new, path)
    if there and not are_alike(there, expected):
        return False
    while path and old.status(path) is None:
        if new.status(path):
            with above(new, path) as (folder, name):
                _set_aside(folder, name, there)
        path, there = path.rpartition("/")[0], None
    return True


def _set_aside(folder: Folder, name: str, state: FileState | None) -> None:
    """Remove a file, or an empty folder; put the file back if it was written in the meantime."""
    if state is None:
        folder.prune(name)
        return
    fresh, is_same = fresh_name(), False
    folder.move(name, folder, fresh)
    try:
        is_same = are_alike(state_of(folder, fresh), state)
    finally:
        if not is_same:
            with suppress(FileExistsError):
                move_to_new(folder, fresh, name)
        folder.discard(fresh)


def _is_placed(fresh: str, folder: Folder, name: str, state: FileState, there: FileState) -> bool:
    """Put a file in the place of one that was as `there`; `False` if that was written or removed in the meantime.

    What comes out of the place is looked at, and put back if it is newer. Where two names cannot be exchanged, what is
    written between the look and the rename is lost, as it is where others write all the time.
    """
    placed, expected = state, there
    try:
        for _ in range(_TRIES):
            if not folder.exchange(fresh, folder, name):
                break
            displaced = state_of(folder, fresh)
            if displaced is None or displaced == expected:
                return placed == state
            placed, expected = displaced, placed
        folder.move(fresh, folder, name)
    except FileNotFoundError:
        if placed is not state:  # it came out of the place, which somebody has emptied since
            with suppress(FileExistsError):
                move_to_new(folder, fresh, name)
        return False
    return placed == state


def leave(
    change: Change, journal: Journal, sides: tuple[Folder, Folder], *, is_done: bool = True, tree: Tree | None = None
) -> WarningDiagnostic | None:
    """Keep or remove the folder that is not in place: the old one of a change that is done, else the new one.

    `sides` are the project and the staging folder. What was written into the folder is carried over; what cannot be
    goes to the backup, and is returned. `tree` is what was in it when all of it was carried over. It is tried again
    until nobody writes into it. Raises `OSError`.
    """
    project, staging = sides
    left, other = (change.old, change.new) if is_done else (change.new, change.old)
    if change.in_place or left is None or staging.lstat(change.slot) is None:
        return None
    planned, keeps = change.before if is_done else change.after, is_done and journal.run.keeps
    if keeps and tree and (other is not None or not changed_since(planned, tree.files)):
        return None
    warning: WarningDiagnostic | None = None
    names: tuple[str, ...] = ()
    for _ in range(_TRIES):
        if tree is None:
            tree, names = _carried_over(change, project, staging, is_alone=other is None, is_done=is_done)
        elif other is None:
            names = changed_since(planned, tree.files)
        warning = salvage(change, names, journal.backup, project, staging) or warning
        if keeps:
            if survey(staging, change.slot, tree.linked).files == tree.files:
                return warning
        elif not (names := remove_known(staging, change.slot, tree.linked)):
            return warning
        tree = None
    if keeps:
        return warning
    raise OSError(errno.ENOTEMPTY, f"`{names[0]}` was written to it during the run", f"{staging.path}/{change.slot}")


def _carried_over(
    change: Change, project: Folder, staging: Folder, *, is_alone: bool, is_done: bool
) -> tuple[Tree, tuple[str, ...]]:
    """What is in the folder that is not in place, and the files of it that cannot be carried over."""
    planned, current = (change.before, change.after) if is_done else (change.after, change.before)
    if is_alone or project.obstacle(change.path) is not None or project.status(change.path) is None:
        found = survey(staging, change.slot)
        return found, changed_since(planned, found.files)
    carried = carry_writes(Side(staging, change.slot, planned), Side(project, change.path, current))
    return carried.tree, carried.disputed if is_done else (*carried.newer, *carried.disputed)
