"""Settle: finish what a killed run has begun, or forget it.

If a file was changed, the steps of the run (`transaction`) are done again; else it is forgotten. So is a component that
is gone. Copies that a kill left beside files are removed.
"""

import re
from pathlib import Path, PurePath

from msgspec import Struct

from io_edges.building.local import Staging
from io_edges.building.patches import home_in, home_of
from io_edges.building.project import Effect
from io_edges.building.store import Store, read_own
from io_edges.building.transaction import Transaction, held_run, leave, make, make_patches, put_back, save, write_down
from io_edges.report.console import Console
from io_edges.system.folder import FRESH, Folder
from io_edges.system.stop import Stop
from io_edges.system.trees import survey, walk
from pipeline.building.stores.changes import Change, FileMove
from pipeline.building.stores.journal import Journal, is_written, leading_to, read_journal, record_with
from pipeline.building.stores.layout import PATCHES, RUN_FILE, STAGING
from pipeline.building.stores.record import Files, FileState, Record, are_alike
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import RecordUnreadable
from pipeline.report.diagnostics.patches import patch_stays
from pipeline.report.diagnostics.runs import interrupted_run
from pipeline.values import replace


class Settled(Struct, frozen=True):
    """What there is once what a killed run left is settled."""

    store: Store
    finished: Journal | None = None
    """What the killed run has changed, if it is finished."""
    warnings: tuple[WarningDiagnostic, ...] = ()
    """What was left as it is, and what could not be kept."""


def load_begun(project: Folder) -> Journal | None:
    """The journal of a killed run; `None` if it has none. Raises `OSError`, and `Stop` if it is damaged."""
    with project.inner(STAGING) as staging:
        data = read_own(staging, f"{STAGING}/{RUN_FILE}")
    if data is None:
        return None
    journal = read_journal(data)
    if journal is None:
        raise Stop(RecordUnreadable(f"{STAGING}/{RUN_FILE}"))
    return journal


def settle(project: Folder, before: Store, begun: Journal | None, effect: Effect, console: Console) -> Settled:
    """Finish what a killed run has begun, given its journal, which is noted in the effect, or forget it.

    Raises `Stop` and `OSError`.
    """
    if begun is None:
        return Settled(before, warnings=(interrupted_run("forgotten"),))
    if begun.home and not Path(begun.home).is_dir():
        begun = replace(begun, patches=None, home="")
    home = home_of(begun.home, PurePath(project.path), console.context.start)
    with project.inner(STAGING) as folder, home_in(home, project) as top, held_run(begun, console) as bar:
        this = Transaction(project, Staging(folder), begun, top, bar=bar)
        for change in begun.file_changes:
            _sweep(change, this.place_of(change))
        if not _has_begun(this, before.record):
            put_back(this)
            folder.discard(RUN_FILE)
            return Settled(before, warnings=(interrupted_run("forgotten", begun.run.words),))
        remaining = _remaining(this)
        effect.note_finished(remaining)
        this.journal = remaining
        make_patches(this, is_again=True)
        for change in remaining.moves:
            make(change, this, is_again=True)
        stays = (patch_stays(f"{PATCHES}/{name}") for name in this.stays)
        warnings = (*stays, interrupted_run("finished", begun.run.words))
        if begun.run.kind == "patch":
            folder.discard(RUN_FILE)
            return Settled(before, begun, warnings)
        after = record_with(before.record, remaining)
        save(this, leading_to(after, remaining))
        store = write_down(this, replace(before, record=after), before.state)
        leave(this, store)
        return Settled(store, begun, (*this.warnings, *warnings))


def _has_begun(this: Transaction, record: Record) -> bool:
    """Whether a killed run has changed a file, or, if it changes none, has written its record."""
    changes = this.journal.file_changes
    if is_written(this.journal, record) and not any(change.differing for change in changes):
        return True
    return any(_is_begun(change, this.place_of(change), this.staging.folder) for change in changes)


def _remaining(this: Transaction) -> Journal:
    """The journal of a killed run without what is gone since."""
    journal = this.journal
    gone = set[str]()
    for change in journal.file_changes:
        if _is_gone(change, this.place_of(change), this.staging.folder):
            gone.add(change.path)
    remaining = replace(journal, changes=tuple(change for change in journal.changes if change.path not in gone))
    if PATCHES in gone:
        return replace(remaining, patches=None)
    return remaining


def _is_gone(change: Change, project: Folder, staging: Folder) -> bool:
    """Whether somebody has removed a component that a killed run had there, or has put something in its place."""
    if project.obstacle(change.path):
        return True
    if project.status(change.path) is not None or change.removes:
        return False
    return not change.adds or staging.lstat(change.slot) is None


def _is_begun(change: Change, project: Folder, staging: Folder) -> bool:
    """Whether a killed run has changed a file of a component, whatever somebody has made of it since."""
    if change.adds and staging.lstat(change.slot) is None:
        return True
    kept: Files = {}
    if staging.lstat(change.replaced_slot):
        kept = survey(staging, change.replaced_slot).files
    there: Files = {}
    if not project.obstacle(change.path) and project.status(change.path) is not None:
        there = survey(project, change.path).files
    return any(_is_moved(move, there.get(move.name), move.name in kept) for move in change.file_moves)


def _is_moved(move: FileMove, there: FileState | None, is_kept: bool) -> bool:
    """Whether a file is new, or gone, or was replaced and then changed."""
    if move.wanted and there == move.wanted:
        return True
    return is_kept and not are_alike(there, move.current)


def _sweep(change: Change, project: Folder) -> None:
    """Remove the copies that a killed run left beside files of a component. Raises `OSError`."""
    if project.obstacle(change.path) is None and project.status(change.path):
        for _, folder in walk(project, change.path):
            for name, _ in folder.entries():
                if re.fullmatch(FRESH, name):
                    folder.discard(name)
