"""Swap: put staged components in place, all or none; the crash protocol of a run.

What the disk shows decides, so that a run that fails can go back, and the next run can find out how far a killed one
got. A folder is known by its inode or, if the project was copied, by its files.

    position    in place    in staging        commit, on failure        the next run, after a kill
    before      old         new or nothing    removes the new one       removes the new one
    before      nothing     old               puts the old one back     puts the old one back
    after       new         old or nothing    takes the new one back    records it, removes the old one
    doubt       anything else                 touches nothing           touches nothing, and says so

`old` is nothing for a component that is added, `new` for one that is removed. Before a folder is removed, what was
written into it meanwhile is carried over to the one that is in place; what cannot be is moved to the backup. In doubt
the journal and the staging folder stay.

Where folders cannot be exchanged in one step, files are replaced one by one (`in_place`): on failure commit brings back
the old ones, and the next run after a kill completes what was begun.
"""

import errno
from collections.abc import Collection, Mapping
from contextlib import suppress

from msgspec.structs import replace

from io_edges.building.aside import close
from io_edges.building.backups import place_backup, take_back_backup
from io_edges.building.concurrent_writes import Side, carry_writes, finish
from io_edges.building.in_place import install, undo
from io_edges.building.memories import save_record_of
from io_edges.building.staging import Staging
from io_edges.building.swap_position import demand_old, put, put_back, take_back
from io_edges.system.dir_chain import prune_at
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, cause_of
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, survey
from io_edges.system.whole_file import write_whole
from pipeline.building.files_merge import changed_since, fits
from pipeline.building.journal import Journal, Swap, record_after
from pipeline.building.layout import JOURNAL_FILE
from pipeline.building.record import Record
from pipeline.building.sealed import seal
from pipeline.building.tree import Tree
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import InPlace
from pipeline.report.diagnostics.conflicts import OutputConflict

_IMMOVABLE = frozenset({errno.EXDEV, errno.EBUSY, errno.ENOTSUP})
"""What an exchange is refused with on another disk, of a mounted folder or a lower layer of an overlay, and where the
system has none."""


def commit(
    project: Folder, staging: Staging, journal: Journal, record: Record, known: Mapping[str, Tree]
) -> tuple[tuple[WarningDiagnostic, ...], bool]:
    """Put every component in place and write the record, or leave everything as it was. Raises `Stop` and `OSError`.

    `known` has the digests of files that were there when the plan was made. Return what is worth telling, and whether
    the journal is of no more use once the state is written.
    """
    with held_signals():
        up_to_date = tuple(_up_to_date(swap, project, staging.folder, known) for swap in journal.swaps)
        journal = replace(journal, swaps=up_to_date)
        _save(staging, journal)
        notes: list[WarningDiagnostic] = []
        carried: dict[str, Tree] = {}
        try:
            for number, swap in enumerate(journal.swaps):
                cause = swap.in_place or _put(swap, project, staging.folder)
                if cause and not swap.in_place:
                    journal = _in_place(journal, number, cause)
                    _save(staging, journal)
                if cause:
                    notes.append(InPlace(swap.path, cause))
                    _replace_files(journal.swaps[number], project, staging)
                elif swap.old is not None:
                    carried[swap.path] = _carried_over(swap, project, staging.folder, known)
            for swap in journal.swaps:
                place_backup(swap, journal.backup, project, staging.folder)
            sync(project.fd)
            done = {swap.path for swap in journal.swaps}
            after = record_after(record, journal, done)
            save_record_of(journal.run, project, after)
        except BaseException:
            roll_back(project, staging.folder, journal)
            raise
        told, is_finished = _finish_all(journal, project, staging.folder, (after, carried))
        return (*notes, *told), is_finished


def _finish_all(
    journal: Journal, project: Folder, staging: Folder, committed: tuple[Record, Mapping[str, Tree]]
) -> tuple[list[WarningDiagnostic], bool]:
    """Keep or remove the old folders, which were `carried` over; return what is worth telling, and if all is done.

    What the system refuses is tried again, as that may be temporary; what is left then, the next run does.
    """
    notes: list[WarningDiagnostic] = []
    record, carried = committed
    for snapshots in (carried, {}):
        with suppress(OSError):
            for swap in journal.swaps:
                note = finish(swap, journal, project, staging, snapshots.get(swap.path))
                notes += (note,) if note else ()
            notes += close(journal, {swap.path for swap in journal.swaps}, record, project, staging)
            return notes, True
    return notes, False


def _save(staging: Staging, journal: Journal) -> None:
    write_whole(staging.folder, JOURNAL_FILE, seal(journal), like="folder")


def _in_place(journal: Journal, number: int, cause: str) -> Journal:
    """The journal with one swap whose files are replaced one by one."""
    swaps = list(journal.swaps)
    swaps[number] = replace(swaps[number], in_place=cause)
    return replace(journal, swaps=tuple(swaps))


def _put(swap: Swap, project: Folder, staging: Folder) -> str:
    """Put a component in place; return the cause if the system refuses to exchange folders, else an empty string."""
    try:
        put(swap, project, staging)
    except OSError as error:
        if error.errno not in _IMMOVABLE:
            raise
        return cause_of(error)
    return ""


def _replace_files(swap: Swap, project: Folder, staging: Staging) -> None:
    staging.make(swap.undo).close()
    _refuse(swap, install(swap, project, staging.folder))


def _up_to_date(swap: Swap, project: Folder, staging: Folder, known: Mapping[str, Tree]) -> Swap:
    """Bring the new folder up to date with what was written into the component since the plan was made.

    Raises `Stop` if that is disputed.
    """
    if swap.old is None or swap.new is None:
        return swap
    demand_old(swap, project)
    if swap.in_place:
        changed = changed_since(swap.before, survey(project, swap.path, known.get(swap.path, NOTHING)).files)
        _refuse(swap, tuple(name for name in changed if not fits(name, swap.before, swap.after)))
        return swap
    old, new = Side(project, swap.path, swap.before), Side(staging, swap.slot, swap.after, is_staged=True)
    carried = carry_writes(old, new, known.get(swap.path, NOTHING), _built(swap))
    _refuse(swap, carried.disputed)
    return replace(swap, before=carried.applied_to(swap.before), after=carried.applied_to(swap.after))


def _carried_over(swap: Swap, project: Folder, staging: Folder, known: Mapping[str, Tree]) -> Tree:
    """Carry over what was written into the old folder until it was exchanged; return what is in it.

    Raises `Stop` if something is disputed.
    """
    if swap.new is None:
        return survey(staging, swap.slot, known.get(swap.path, NOTHING))
    old, new = Side(staging, swap.slot, swap.before), Side(project, swap.path, swap.after)
    carried = carry_writes(old, new, known.get(swap.path, NOTHING), _built(swap))
    _refuse(swap, carried.disputed)
    return carried.tree


def _built(swap: Swap) -> Collection[str]:
    return swap.component.files if swap.component else ()


def _refuse(swap: Swap, changed: tuple[str, ...]) -> None:
    if changed:
        raise Stop(OutputConflict(swap.path, tuple(f"{swap.path}/{name}" for name in changed), reason="changed"))


def roll_back(project: Folder, staging: Folder, journal: Journal) -> None:
    """Put everything back as it was. What is in doubt stays, with the journal, as it does if that raises `OSError`."""
    doubtful = False
    for swap in reversed(journal.swaps):
        take_back_backup(swap, journal.backup, project)
        if swap.in_place:
            undo(swap, project, staging)
        else:
            doubtful |= not _is_taken_back(swap, project, staging)
    for made in reversed(journal.made):
        prune_at(project, made)
    if not doubtful:
        staging.discard(JOURNAL_FILE)


def _is_taken_back(swap: Swap, project: Folder, staging: Folder) -> bool:
    """Undo a swap; `False` if that is in doubt, or if the new folder has what cannot be carried back."""
    if (at := put_back(swap, project, staging)) != "after":
        return at == "before"
    if swap.new is None or swap.old is None:
        take_back(swap, project, staging)
        return swap.new is None or not changed_since(swap.after, survey(staging, swap.slot).files)
    found = survey(staging, swap.slot).files
    take_back(swap, project, staging)
    new, old = Side(staging, swap.slot, swap.after), Side(project, swap.path, swap.before)
    return not carry_writes(new, old, NOTHING, _built(swap), found).disputed
