"""Settle: finish a killed run, or forget it.

If the run has changed a file, its steps (`transaction`) are repeated; otherwise it is forgotten, as
is a component that somebody has removed since. Copies that the kill left beside files are removed.
"""

import re
from pathlib import Path, PurePath

from msgspec import Struct

from io_edges.building.local import Staging
from io_edges.building.patches import home_in, home_of
from io_edges.building.project import Effect
from io_edges.building.store import Store, read_own
from io_edges.building.transaction import Transaction, held_run
from io_edges.report.console import Console
from io_edges.system.folder import FRESH, Folder
from io_edges.system.stop import Stop
from io_edges.system.trees import survey, walk
from pipeline.building.stores.changes import Change, FileMove
from pipeline.building.stores.journal import (
    Journal,
    is_written,
    leading_to,
    read_journal,
    record_with,
)
from pipeline.building.stores.layout import PATCHES, RUN_FILE, STAGING
from pipeline.building.stores.record import Files, FileState, Record, are_alike
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import RecordUnreadable
from pipeline.report.diagnostics.patches import patch_stays
from pipeline.report.diagnostics.runs import interrupted_run
from pipeline.values import replace


class Settlement(Struct, frozen=True):
    """What settling a killed run left of it: the stores, and what the user has to know."""

    store: Store
    finished: Journal | None = None
    """The changes of the killed run, if it was finished."""
    warnings: tuple[WarningDiagnostic, ...] = ()


def load_killed_run(project: Folder) -> Journal | None:
    """The journal of a killed run; `None` if the run wrote none. Raises `Stop` if it is damaged."""
    with project.inner(STAGING) as staging:
        data = read_own(staging, f"{STAGING}/{RUN_FILE}")
    if data is None:
        return None
    journal = read_journal(data)
    if journal is None:
        raise Stop(RecordUnreadable(f"{STAGING}/{RUN_FILE}"))
    return journal


def settle(
    project: Folder, before: Store, killed: Journal | None, effect: Effect, console: Console
) -> Settlement:
    """Finish a killed run, given its journal, or forget it if it changed no file.

    If it is finished, `effect` notes that.
    """
    if killed is None:
        return Settlement(before, warnings=(interrupted_run("forgotten"),))
    if killed.home and not Path(killed.home).is_dir():
        killed = replace(killed, patches=None, home="")
    home = home_of(killed.home, PurePath(project.path), console.context.start)
    with (
        project.inner(STAGING) as folder,
        home_in(home, project) as top,
        held_run(killed, console) as bar,
    ):
        transaction = Transaction(project, Staging(folder), killed, top, bar=bar)
        for change in killed.file_changes:
            _remove_copies(change, transaction.folder_of(change))
        if not _has_begun(transaction, before.record):
            transaction.put_back()
            folder.discard(RUN_FILE)
            return Settlement(before, warnings=(interrupted_run("forgotten", killed.run.words),))
        remaining = _remaining(transaction)
        effect.note_finished(remaining)
        transaction.journal = remaining
        transaction.install_patches(is_again=True)
        for change in remaining.moves:
            transaction.install_component(change, is_again=True)
        stays = (patch_stays(f"{PATCHES}/{name}") for name in transaction.changed_patches)
        warnings = (*stays, interrupted_run("finished", killed.run.words))
        if killed.run.kind == "patch":
            folder.discard(RUN_FILE)
            return Settlement(before, killed, warnings)
        after = record_with(before.record, remaining)
        transaction.save_journal(leading_to(after, remaining))
        store = transaction.write_store(replace(before, record=after), before.state)
        transaction.finish_run(store)
        return Settlement(store, killed, (*transaction.warnings, *warnings))


def _has_begun(transaction: Transaction, record: Record) -> bool:
    """Whether a killed run has changed a file, or, if it was to change none, has
    written its record.
    """
    changes = transaction.journal.file_changes
    if is_written(transaction.journal, record) and not any(change.differing for change in changes):
        return True
    staging = transaction.staging.folder
    return any(_is_begun(change, transaction.folder_of(change), staging) for change in changes)


def _remaining(transaction: Transaction) -> Journal:
    """The journal of a killed run without the components that somebody has removed since."""
    journal = transaction.journal
    gone = set[str]()
    for change in journal.file_changes:
        if _is_gone(change, transaction.folder_of(change), transaction.staging.folder):
            gone.add(change.path)
    remaining = replace(
        journal, changes=tuple(change for change in journal.changes if change.path not in gone)
    )
    if PATCHES in gone:
        return replace(remaining, patches=None)
    return remaining


def _is_gone(change: Change, project: Folder, staging: Folder) -> bool:
    """Whether somebody has removed a component since a run was killed, or has put something else
    in its place.
    """
    if project.obstacle(change.path):
        return True
    if project.status(change.path) is not None or change.removes:
        return False
    return not change.adds or staging.lstat(change.slot) is None


def _is_begun(change: Change, project: Folder, staging: Folder) -> bool:
    """Whether a killed run has changed a file of a component, even if somebody has changed it
    again since.
    """
    if change.adds and staging.lstat(change.slot) is None:
        return True
    kept: Files = {}
    if staging.lstat(change.replaced_slot):
        kept = survey(staging, change.replaced_slot).files
    there: Files = {}
    if not project.obstacle(change.path) and project.status(change.path) is not None:
        there = survey(project, change.path).files
    return any(
        _is_moved(move, there.get(move.name), move.name in kept) for move in change.file_moves
    )


def _is_moved(move: FileMove, there: FileState | None, is_kept: bool) -> bool:
    """Whether a run has moved a file: it is as the run wants it, or the old one is kept and the
    file is another.
    """
    if move.wanted and there == move.wanted:
        return True
    return is_kept and not are_alike(there, move.current)


def _remove_copies(change: Change, project: Folder) -> None:
    """Remove the half-written copies that a killed run left beside files of a component."""
    if project.obstacle(change.path) is None and project.status(change.path):
        for _, folder in walk(project, change.path):
            for name, _ in folder.entries():
                if re.fullmatch(FRESH, name):
                    folder.discard(name)
