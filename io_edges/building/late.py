"""Late: what was written into a component while it was exchanged is carried over into the folder that is in place."""

import errno
from contextlib import suppress

from io_edges.building.backups import salvage
from io_edges.system.carry import carry
from io_edges.system.folder import Folder
from io_edges.system.trees import NOTHING, Snapshot, known_links, remove_known, state_of, survey
from io_edges.system.way import above
from io_edges.system.whole_file import fresh_name
from pipeline.building.cache import KnownFiles
from pipeline.building.journal import Journal, Swap
from pipeline.building.ownership import are_alike, changed_since, fits
from pipeline.building.record import Files, FileState
from pipeline.report.run_notes import BackedUp


def carry_late(
    source: tuple[Folder, str], planned: Files, target: tuple[Folder, str], standing: Files, known: KnownFiles
) -> tuple[Snapshot, tuple[str, ...]]:
    """Carry over what was added to a folder, or changed, since it was as `planned`, to one that is as `standing`.

    Return what is in the folder, and the paths of what cannot be carried, as it was changed on both sides. Raises
    `OSError`.
    """
    snapshot = survey(*source, known)
    changed = changed_since(planned, snapshot.files)
    with source[0].inner(source[1]) as old, target[0].inner(target[1]) as new:
        return snapshot, tuple(
            name
            for name in changed
            if not (fits(name, planned, standing) and _is_carried(name, old, new, snapshot.files[name], standing))
        )


def _is_carried(path: str, old: Folder, new: Folder, state: FileState, standing: Files) -> bool:
    """Carry one file over; `False` if something else was written in its place in the meantime."""
    there = state_of(new, path)
    if there == state:
        return True
    if there is not None and not are_alike(there, standing.get(path)):
        return False
    with above(old, path) as (source, name), above(new, path, make=True) as (target, _):
        if there is None:
            with suppress(FileExistsError):
                carry(source, name, target, name)
                return True
            return state.kind == "folder"
        fresh = fresh_name()
        try:
            carry(source, name, target, fresh)
            return _is_placed(fresh, target, name, state, there)
        except OSError:
            target.discard(fresh)
            raise


def _is_placed(fresh: str, folder: Folder, name: str, state: FileState, there: FileState) -> bool:
    """Put a file in the place of one that was as `there`; `False` if that was written or removed in the meantime.

    What comes out of the place is looked at, and put back if it is newer. Where two names cannot be exchanged, what is
    written between the look and the rename is lost.
    """
    placed, expected = state, there
    while True:
        try:
            if not folder.exchange(fresh, folder, name):
                folder.move(fresh, folder, name)
                return True
        except FileNotFoundError:
            folder.discard(fresh)
            return False
        displaced = state_of(folder, fresh)
        if displaced is None or displaced == expected:
            folder.discard(fresh)
            return placed == state
        placed, expected = displaced, placed


def finish(
    swap: Swap, journal: Journal, project: Folder, staging: Folder, known: KnownFiles = NOTHING
) -> BackedUp | None:
    """Remove the old folder of a swap that is done, after what was written into it was carried over.

    What cannot be carried over goes to the backup, and is returned. Raises `OSError`, also if the folder is not empty
    then.
    """
    if swap.in_place or swap.old is None or staging.look(swap.slot) is None:
        return None
    old = staging, swap.slot
    if swap.new is None:
        snapshot = survey(*old, known)
        disputed = changed_since(swap.before, snapshot.files)
    else:
        snapshot, disputed = carry_late(old, swap.before, (project, swap.path), swap.after, known)
    note = salvage(swap, disputed, journal.backup, project, staging)
    _remove(staging, swap.slot, snapshot)
    return note


def abandon(swap: Swap, journal: Journal, project: Folder, staging: Folder) -> BackedUp | None:
    """Remove the new folder of a swap that is not done, which may have been in place for a while.

    What it has that the run did not put there goes to the backup, and is returned. Raises `OSError`.
    """
    if swap.in_place or swap.new is None or staging.look(swap.slot) is None:
        return None
    snapshot = survey(staging, swap.slot)
    note = salvage(swap, changed_since(swap.after, snapshot.files), journal.backup, project, staging)
    _remove(staging, swap.slot, snapshot)
    return note


def _remove(staging: Folder, slot: str, snapshot: Snapshot) -> None:
    if left := remove_known(staging, slot, snapshot.files, known_links(snapshot.known)):
        raise OSError(errno.ENOTEMPTY, f"`{left[0]}` was written to it during the run", f"{staging.path}/{slot}")
