"""Settle: find out how far a killed run came, and complete it; the record of what is there then."""

from msgspec import Struct
from msgspec.structs import replace

from io_edges.building.aside import close, load_previous
from io_edges.building.backups import place_backup, take_back_backup
from io_edges.building.concurrent_writes import abandon, finish
from io_edges.building.in_place import install, sweep
from io_edges.building.memories import read_own, save_record_of
from io_edges.building.staging import foreign_names
from io_edges.building.swap import roll_back
from io_edges.building.swap_position import position_of, put_back
from io_edges.system.dir_chain import prune_at
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop
from io_edges.system.syscalls import sync
from pipeline.building.journal import Journal, Swap, builds_after, read_journal, settled_record
from pipeline.building.layout import ASIDE, JOURNAL_FILE, PLAN_FILE
from pipeline.building.record import Record
from pipeline.building.state import State, restored
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import RecordUnreadable
from pipeline.report.diagnostics.conflicts import OutputConflict


def foreseen(project: Folder, record: Record, state: State, where: str) -> tuple[Record, State, bool]:
    """The record and the state that settling would give, and whether it would complete the undoing of another run.

    Nothing is touched. Raises `Stop`, `OSError`.
    """
    with project.inner(where) as staging:
        journal = _journal_in(staging, where)
        if journal is None:
            return record, state, _has_undone(project, staging)
        done = _done_in(project, staging, journal, where)
        after = settled_record(record, journal, done)
        if after is None:
            return record, state, False
        return after, restored(state, builds_after(journal, done)), bool(journal.run and journal.run.undoes)


class Settled(Struct, frozen=True):
    """What there is once what a killed run left is settled."""

    record: Record
    notes: tuple[WarningDiagnostic, ...] = ()
    """What was moved to the backup, and what could not be kept."""
    is_undone: bool = False
    """Whether that completed the undoing of another run."""


def settle(project: Folder, record: Record, where: str) -> Settled:
    """Settle what a killed run left in a staging folder, one of an earlier version, too, where its own paths hold.

    Raises `Stop`, `OSError`.
    """
    with project.inner(where) as staging:
        journal = _journal_in(staging, where)
        return (
            _settle(project, staging, journal, (record, where))
            if journal
            else Settled(record, is_undone=_has_undone(project, staging))
        )


def _has_undone(project: Folder, staging: Folder) -> bool:
    """Whether a run was killed that had undone another: what it put aside is not in its staging folder any more."""
    if staging.look(PLAN_FILE) is None or staging.look(ASIDE):
        return False
    previous = load_previous(project)
    return previous is not None and previous.run.undoes


def _journal_in(staging: Folder, where: str) -> Journal | None:
    """The journal of a run that was killed while it put components in place, if there is one.

    Raises `OSError`, and `Stop` if it is damaged, or for names that no run puts there: they may be the user's.
    """
    if names := foreign_names(staging):
        raise Stop(*(OutputConflict(f"{where}/{name}", reason="foreign") for name in names))
    data = read_own(staging, f"{where}/{JOURNAL_FILE}")
    journal = read_journal(data) if data is not None else None
    if data is not None and journal is None:
        raise _unreadable(where)
    return journal


def _done_in(project: Folder, staging: Folder, journal: Journal, where: str) -> set[str]:
    """The paths of the swaps that are done, or will be once they are settled.

    Raises `OSError`, and `Stop` if that cannot be determined.
    """
    return {swap.path for swap in journal.swaps if _is_done(swap, project, staging, where)}


def _settle(project: Folder, staging: Folder, journal: Journal, before: tuple[Record, str]) -> Settled:
    record, where = before
    notes: list[WarningDiagnostic] = []
    with held_signals():
        done = _done_in(project, staging, journal, where)
        after = settled_record(record, journal, done)
        if journal.run and journal.run.undoes and not after:
            for swap in journal.swaps:
                sweep(swap, project)
            roll_back(project, staging, journal)
            return Settled(record)
        for swap in journal.swaps:
            sweep(swap, project)
            if swap.in_place:
                if not _is_put_aside(swap, journal, staging):
                    install(swap, project, staging)
            else:
                put_back(swap, project, staging)
            if swap.path in done:
                place_backup(swap, journal.backup, project, staging)
                note = finish(swap, journal, project, staging)
            else:
                take_back_backup(swap, journal.backup, project)
                note = abandon(swap, journal, project, staging)
            notes += (note,) if note else ()
        for made in reversed(journal.made):
            prune_at(project, made)
        sync(project.fd)
        if after:
            if done:
                save_record_of(journal.run, project, after)
            if journal.run:  # the state is to say what the run that was killed would have had it say
                journal = replace(journal, run=replace(journal.run, restores=builds_after(journal, done)))
            notes += close(journal, done, after, project, staging)
        staging.discard(JOURNAL_FILE)
    return Settled(after or record, tuple(notes), is_undone=bool(after and journal.run and journal.run.undoes))


def _is_put_aside(swap: Swap, journal: Journal, staging: Folder) -> bool:
    """Whether a component is in place, and what was there is put aside already."""
    return journal.keeps and (staging.look(ASIDE) is None or staging.status(f"{ASIDE}/{swap.slot}") is not None)


def _is_done(swap: Swap, project: Folder, staging: Folder, where: str) -> bool:
    if swap.in_place or staging.status(f"{ASIDE}/{swap.slot}"):
        return True
    at = position_of(swap, project, staging)
    if at == "doubt":
        raise _unreadable(where)
    return at == "after"


def _unreadable(where: str) -> Stop:
    return Stop(RecordUnreadable(f"{where}/{JOURNAL_FILE}"))
