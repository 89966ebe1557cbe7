"""Settle: finish what a killed run has begun; forget it if no file was changed yet.

Finishing is doing the same once more (`transaction`). It leaves a file that is neither old nor new, and forgets a
component that is gone.
"""

from msgspec import Struct
from msgspec.structs import replace

from io_edges.building.in_place import is_begun, is_gone, sweep
from io_edges.building.keep import keep
from io_edges.building.staging import Staging
from io_edges.building.store import Store, read_own
from io_edges.building.transaction import Transaction, make, put_back, save, write_down
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop
from pipeline.building.stores.journal import Journal, Run, is_written, leading_to, read_journal, record_with
from pipeline.building.stores.layout import RUN_FILE, STAGING
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import RecordUnreadable


class Settled(Struct, frozen=True):
    """What there is once what a killed run left is settled."""

    store: Store
    run: Run | None = None
    """The killed run, if it is finished."""
    warnings: tuple[WarningDiagnostic, ...] = ()
    """What was left as it is, and what could not be kept."""


def load_begun(project: Folder) -> Journal | None:
    """The journal of a killed run; `None` if it has none. Raises `OSError`, and `Stop` if it is damaged."""
    with project.inner(STAGING) as staging:
        data = read_own(staging, f"{STAGING}/{RUN_FILE}")
    journal = None if data is None else read_journal(data)
    if data is not None and journal is None:
        raise Stop(RecordUnreadable(f"{STAGING}/{RUN_FILE}"))
    return journal


def settle(project: Folder, before: Store) -> Settled:
    """Finish what a killed run has begun, or forget it. Raises `Stop` and `OSError`."""
    journal = load_begun(project)
    if journal is None:
        return Settled(before)
    with project.inner(STAGING) as folder, held_signals():
        for change in journal.moves:
            sweep(change, project)
        is_recorded = is_written(journal, before.record) and not any(each.differing for each in journal.moves)
        if not (is_recorded or any(is_begun(change, project, folder) for change in journal.moves)):
            put_back(Transaction(project, Staging(folder), journal))
            folder.discard(RUN_FILE)
            return Settled(before)
        gone = {change.path for change in journal.moves if is_gone(change, project, folder)}
        left = replace(journal, changes=tuple(each for each in journal.changes if each.path not in gone))
        this = Transaction(project, Staging(folder), left)
        for change in left.moves:
            make(change, this, is_again=True)
        after = record_with(before.record, left)
        save(this, leading_to(after, left))
        store = write_down(this, replace(before, record=after), before.state)
        this.warnings += keep(this.journal, store.record, store.state, project, this.staging)
        return Settled(store, journal.run, tuple(this.warnings))
