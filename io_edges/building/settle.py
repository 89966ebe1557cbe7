"""Settle: find out how far a killed run came, and complete it or put everything back; or say what that would leave.

The head of `transaction` says when. A change that is made in part is completed; one that is not made is, too, if it can
be and another is made.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from io_edges.building.backups import take_back_backup
from io_edges.building.carry import leave
from io_edges.building.exchange import known_anew, occupants, position_of
from io_edges.building.in_place import sweep
from io_edges.building.staging import Staging, foreign_names, inodes_in
from io_edges.building.store import Store, read_own, save_record, update_state
from io_edges.building.transaction import Transaction, close, is_put_back, make, save, write_down
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop
from io_edges.system.trees import NOTHING, remove, survey
from pipeline.building.journal import (
    Change,
    Journal,
    Staged,
    is_written,
    leading_to,
    position,
    read_journal,
    record_with,
    without_changes,
)
from pipeline.building.layout import RUN_FILE, STAGED_BACKUP, STAGING
from pipeline.building.record import FileState, Record, are_alike
from pipeline.building.state import state_with
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import RecordUnreadable
from pipeline.report.diagnostics.conflicts import OutputConflict

_ChangeOutcome: TypeAlias = Literal["begun", "to do", "left out"]


class Settled(Struct, frozen=True):
    """What there is once what a killed run left is settled."""

    store: Store
    journal: Journal | None = None
    """What that run did, if it is completed."""
    staged: Mapping[str, Staged] = {}
    """The components of which files are still staged, if it is not settled yet."""
    warnings: tuple[WarningDiagnostic, ...] = ()
    """What was moved to the backup, and what could not be kept."""


class Begun(Struct, frozen=True):
    """What a killed run has begun, and can be completed."""

    journal: Journal
    """With the changes that are made, or can be; none if everything is put back."""
    left_out: tuple[Change, ...] = ()


def begun_in(project: Folder, staging: Folder, record: Record) -> Begun | None:
    """What a killed run has begun, going by its journal; `None` if it has none.

    Raises `OSError`, and `Stop` if that cannot be determined.
    """
    if names := foreign_names(staging):  # they may be the user's
        raise Stop(*(OutputConflict(f"{STAGING}/{name}", reason="foreign") for name in names))
    data = read_own(staging, f"{STAGING}/{RUN_FILE}")
    if data is None:
        return None
    journal = read_journal(data)
    if journal is None:
        raise Stop(RecordUnreadable(f"{STAGING}/{RUN_FILE}"))
    outcomes = {change.path: _outcome(change, project, staging) for change in journal.moves}
    changes = tuple(outcomes[change.path][0] if change.slot else change for change in journal.changes)
    is_begun = any(outcome == "begun" for _, outcome in outcomes.values()) or (
        is_written(journal, record) and not any(_shows(change) for change, _ in outcomes.values())
    )
    out = tuple(change for change, outcome in outcomes.values() if outcome == "left out")
    if not is_begun or (journal.run.undoes and out):
        return Begun(replace(journal, changes=()), tuple(change for change in changes if change.slot))
    return Begun(replace(journal, changes=tuple(each for each in changes if each not in out)), out)


def _shows(change: Change) -> bool:
    """Whether the component on disk shows that a change is made: by its folder, or by a file that is replaced."""
    return not change.in_place or bool(change.differing)


def _outcome(change: Change, project: Folder, staging: Folder) -> tuple[Change, _ChangeOutcome]:
    """Whether a change is made, at least in part, or can be; with the inodes that its folders have now."""
    if not change.in_place:
        there = occupants(change, project, staging)
        change, at = known_anew(change, there, project, staging), position(change, *there)
        if at == "doubt":
            raise Stop(RecordUnreadable(f"{STAGING}/{RUN_FILE}"))
        if at == "after":
            return change, "begun"
        if there != ("old" if change.old is not None else None, "new" if change.new is not None else None):
            return change, "left out"
    elif project.obstacle(change.path) or (change.old is not None and project.status(change.path) is None):
        return change, "left out"
    files = survey(project, change.path).files if project.status(change.path) else {}
    if change.in_place and any(_is_replaced(name, change, files.get(name), staging) for name in change.differing):
        return change, "begun"
    return change, "left out" if change.disputes(files) else "to do"


def _is_replaced(name: str, change: Change, there: FileState | None, staging: Folder) -> bool:
    """Whether a file was replaced in place, or removed, whatever somebody has made of it since."""
    if there is not None and there == change.after.get(name):
        return True
    return staging.status(f"{change.undo}/{name}") is not None and not are_alike(there, change.before.get(name))


def settle(project: Folder, before: Store) -> Settled:
    """Complete what a killed run has begun, or put everything back. Raises `Stop` and `OSError`."""
    with project.inner(STAGING) as folder, held_signals():
        begun = begun_in(project, folder, before.record)
        if begun is None:
            return Settled(before)
        this = Transaction(project, Staging(folder, inodes_in(folder)), begun.journal)
        for change in (*begun.journal.moves, *begun.left_out):
            sweep(change, project)
        if not begun.journal.changes:
            take_back_backup(begun.journal.backup, project, folder)
        is_put_back(this, begun.left_out)
        for change in begun.left_out:
            remove(folder, f"{STAGED_BACKUP}/{change.path}")
            warning = leave(change, this.journal, (project, folder), is_done=False)
            this.warnings += (warning,) if warning else ()
        record, kept = without_changes(before.record, before.state, begun.left_out)
        if not begun.journal.changes:
            if record != before.record:
                save_record(project, record if begun.journal.was_recorded or record.components else None)
            this.warnings += update_state(project, before.state, kept)
            folder.discard(RUN_FILE)
            return Settled(Store(record, kept), warnings=tuple(this.warnings))
        for change in begun.journal.moves:
            make(change, this)
        after = record_with(record, this.journal)
        save(this, leading_to(after, this.journal))
        write_down(this, after)
        store = close(this, replace(before, record=after), kept)
        return Settled(store, this.journal, warnings=tuple(this.warnings))


def foresee(project: Folder, before: Store) -> Settled:
    """What settling would leave; nothing is touched. Raises `Stop` and `OSError`."""
    with project.inner(STAGING) as staging:
        begun = begun_in(project, staging, before.record)
        if begun is None:
            return Settled(before)
        journal, staged = begun.journal, {}
        record, kept = without_changes(before.record, before.state, begun.left_out)
        for change in journal.moves:
            if change.in_place or position_of(change, project, staging) == "before":
                tree = survey(project, change.path) if project.status(change.path) else NOTHING
                staged[change.path] = change.completed(tree)
        for change in begun.left_out:
            if not change.in_place and occupants(change, project, staging) == (None, "old"):
                tree = survey(staging, change.slot)
                staged[change.path] = Staged(f"{STAGING}/{change.slot}", tree, frozenset(tree.files))
        if not journal.changes:
            return Settled(Store(record, kept), staged=staged)
        after = record_with(record, journal)
        state = state_with(kept, {change.path: change.says.last for change in journal.changes})
        return Settled(Store(after, state), leading_to(after, journal), staged)
