"""Settle: find out how far a killed run came, and complete it; the record of what is there then."""

from io_edges.building.backups import place_backup
from io_edges.building.in_place import install, sweep
from io_edges.building.late import abandon, finish
from io_edges.building.own_files import read_own, save_record
from io_edges.building.staging import foreign_names
from io_edges.building.whereabouts import position_of, straighten
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop
from io_edges.system.syscalls import sync
from pipeline.building.journal import Journal, Swap, read_journal, record_after
from pipeline.building.layout import JOURNAL_FILE, STAGING
from pipeline.building.record import Record
from pipeline.report.build_problems import OutputConflict, RecordUnreadable
from pipeline.report.run_notes import BackedUp

JOURNAL_LIMIT = 256 * 1024**2
"""The maximum size of a journal, in bytes."""


def foreseen_record(project: Folder, record: Record) -> Record:
    """The record that settling would give; nothing is touched. Raises `Stop`, `OSError`."""
    with project.inner(STAGING) as staging:
        journal = _journal_in(staging)
        return record_after(record, journal, _done_in(project, staging, journal)) if journal else record


def settle(project: Folder, record: Record) -> tuple[Record, tuple[BackedUp, ...]]:
    """Settle what a killed run left; return the record, and what was moved to the backup. Raises `Stop`, `OSError`."""
    with project.inner(STAGING) as staging:
        journal = _journal_in(staging)
        return _settle(project, staging, journal, record) if journal else (record, ())


def _journal_in(staging: Folder) -> Journal | None:
    """The journal of a run that was killed while it put components in place, if there is one.

    Raises `OSError`, and `Stop` if it is damaged, or for names that no run puts there: they may be the user's.
    """
    if names := foreign_names(staging):
        raise Stop(*(OutputConflict(f"{STAGING}/{name}", reason="foreign") for name in names))
    data = read_own(staging, JOURNAL_FILE, JOURNAL_LIMIT, f"{STAGING}/{JOURNAL_FILE}")
    journal = read_journal(data) if data is not None else None
    if data is not None and journal is None:
        raise _unreadable()
    return journal


def _done_in(project: Folder, staging: Folder, journal: Journal) -> set[str]:
    """The paths of the swaps that are done, or will be once they are settled.

    Raises `OSError`, and `Stop` if that cannot be determined.
    """
    return {swap.path for swap in journal.swaps if _is_done(swap, project, staging)}


def _settle(project: Folder, staging: Folder, journal: Journal, record: Record) -> tuple[Record, tuple[BackedUp, ...]]:
    notes: list[BackedUp] = []
    with held_signals():
        done = _done_in(project, staging, journal)
        for swap in journal.swaps:
            if swap.in_place:
                sweep(swap, project)
                install(swap, project, staging)
            else:
                straighten(swap, project, staging)
            if swap.path in done:
                place_backup(swap, journal.backup, project, staging)
                note = finish(swap, journal, project, staging)
            else:
                note = abandon(swap, journal, project, staging)
            notes += (note,) if note else ()
        for made in reversed(journal.made):
            project.prune(made)
        sync(project.fd)
        after = record_after(record, journal, done)
        save_record(project, after)
        staging.discard(JOURNAL_FILE)
    return after, tuple(notes)


def _is_done(swap: Swap, project: Folder, staging: Folder) -> bool:
    if swap.in_place:
        return True
    at = position_of(swap, project, staging)
    if at in {"strange", "doubt"}:
        raise _unreadable()
    return at in {"after", "unfiled"}


def _unreadable() -> Stop:
    return Stop(RecordUnreadable(f"{STAGING}/{JOURNAL_FILE}"))
