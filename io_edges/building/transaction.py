"""Transaction: put staged components in place, all or none, and settle what a killed run has begun.

A run writes its journal, makes its changes (`in_place`), and writes record and state; then the staging folder becomes
what is kept of it. Each step can be done again, and passes over what is done, so the next run after a kill does all of
them, if a file was changed; else it forgets the run. It forgets a component that is gone. A run that fails puts
everything back itself. A file that somebody else has changed meanwhile, and is neither old nor new, stays as it is.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial

from msgspec import Struct, field

from io_edges.building.in_place import Workspace, check_place, install, take_back
from io_edges.building.keep import keep, place_backup, take_back_backup
from io_edges.building.local import Staging
from io_edges.building.store import Store, load_record, read_own, save_record, update_state
from io_edges.report.console import Console
from io_edges.report.progress import Bar, progress
from io_edges.system.folder import FRESH, Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, cause_of, is_shortage, refused_twice
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, prune_at, survey, walk
from io_edges.system.whole_file import write_whole
from pipeline.building.stores.journal import (
    Change,
    FileMove,
    Journal,
    Run,
    is_written,
    leading_to,
    read_journal,
    record_with,
)
from pipeline.building.stores.layout import RUN_FILE, STAGING
from pipeline.building.stores.record import FileState, are_alike
from pipeline.building.stores.sealed import seal
from pipeline.building.stores.state import State, last_build_with, state_with
from pipeline.building.stores.tree import Tree
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import RecordUnreadable, backed_up, changed_meanwhile
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.runs import interrupted_run
from pipeline.values import replace


class Transaction(Struct):
    """What changes a project: the journal as it was last written, and what to warn of."""

    project: Folder
    staging: Staging
    journal: Journal
    old: Mapping[str, Tree] = {}
    """What is known of the files that were there when the plan was made, by the paths of components."""
    new: Mapping[str, Tree] = {}
    """The same of the files that were staged."""
    bar: Bar = field(default_factory=Bar)
    """Counts the files that are put in place or back."""
    warnings: list[WarningDiagnostic] = field(default_factory=list)

    @property
    def workspace(self) -> Workspace:
        """Where its changes are made."""
        return Workspace(self.project, self.staging.folder, self.bar)


def commit(this: Transaction, before: Store, kept: State) -> Store:
    """Make every change and write record and state, or leave everything as it was; return these.

    `kept` is what the state will say of what does not change. What the system refuses once record and state are written
    is tried again, as that may be temporary; what is left then, the next run does. Raises `Stop` and `OSError`.
    """
    with held_signals():
        after = record_with(before.record, this.journal)
        save(this, leading_to(after, this.journal))
        try:
            for change in this.journal.moves:
                check_place(change, this.project)
                with _explained(change, this.journal):
                    make(change, this)
            store = write_down(this, Store(after, before.state), kept)
        except BaseException:
            this.warnings.clear()
            put_back(this)
            if load_record(this.project) != before.record:
                save_record(this.project, before.record if this.journal.was_recorded else None)
            this.staging.folder.discard(RUN_FILE)
            raise
        refused_twice(lambda: _leave(this, store))
        return store


def _leave(this: Transaction, store: Store) -> None:
    """Leave for later what is done. Raises `OSError`."""
    for folder in reversed(this.journal.unmade):
        prune_at(this.project, folder)
    this.bar.restart("removing what is no longer needed", None)
    this.warnings += keep(this.journal, store, this.project, this.staging, this.bar)


def make(change: Change, this: Transaction, *, is_again: bool = False) -> None:
    """Make a change, as far as it is not made yet, and warn of files that changed meanwhile. Raises `OSError`."""
    known = this.old.get(change.path, NOTHING)
    done = this.bar.done + len(change.file_moves)
    this.bar.begin(change.path)
    if changed := install(change, this.workspace, known, is_again=is_again):
        this.warnings.append(changed_meanwhile(change.path, changed))
    this.bar.advance(done - this.bar.done)  # those of a component that is renamed as a whole


@contextmanager
def _explained(change: Change, journal: Journal) -> Iterator[None]:
    """Advise to exclude a module of which a file cannot be replaced. Raises `Stop`, `OSError`."""
    try:
        yield
    except OSError as error:
        is_named = isinstance(error.filename, str) and not is_shortage(error)
        is_built = journal.run.kind == "build" and not change.removes
        if not (is_named and is_built and journal.places.kind_of(change.path) == "module"):
            raise
        raise Stop(FileSystemProblem(error.filename, cause_of(error), change.path)) from error


def write_down(this: Transaction, store: Store, kept: State) -> Store:
    """Put files in the backup; write the record, which is given, and the state. Raises `Stop` and `OSError`."""
    place_backup(this.journal.backup, this.project, this.staging.folder)
    sync(this.project.fd)
    save_record(this.project, store.record if this.journal.record else None)
    after = replace(store, state=_state_after(this, kept))
    this.warnings += update_state(this.project, store.state, after.state)
    return after


def _state_after(this: Transaction, before: State) -> State:
    """What the state says of the components that were changed."""
    components = {change.path: change.entry_after.last for change in this.journal.changes}
    for change in this.journal.moves:
        if last := change.entry_after.last:
            with suppress(OSError):  # else the next run reads them
                components[change.path] = last_build_with(last, _tree_of(change, this))
    return state_with(before, components)


def _tree_of(change: Change, this: Transaction) -> Tree:
    """The files of a component, with the stat signatures that they have now; it is looked at unless these are known."""
    old = this.old.get(change.path, NOTHING)
    written = this.new.get(change.path, NOTHING)
    if change.adds and written.files:
        return written
    return survey(this.project, change.path, old.with_written(written.linked))


def save(this: Transaction, journal: Journal) -> None:
    """Write the journal, unless it is there as it is. Raises `OSError`."""
    if journal != this.journal or this.staging.folder.lstat(RUN_FILE) is None:
        this.journal = journal
        write_whole(this.staging.folder, RUN_FILE, seal(journal), like="folder")


def put_back(this: Transaction) -> None:
    """Put everything back as it was, but for what somebody has changed since. Raises `Stop` and `OSError`.

    If that is a file which the run replaced although the user had edited it, the backup stays.
    """
    project = this.project
    staging = this.staging.folder
    journal = this.journal
    replaced: list[WarningDiagnostic] = []
    this.bar.restart("putting back", this.bar.done)
    for change in reversed(journal.moves):
        this.bar.begin(change.path)
        changed = take_back(change, this.workspace)
        if names := tuple(name for name in change.backed_up if name in changed):
            replaced.append(backed_up(change.path, names, f"{journal.backup}/{change.path}"))
    this.warnings += replaced
    (place_backup if replaced else take_back_backup)(journal.backup, project, staging)
    for made in reversed(journal.made):
        prune_at(project, made)


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


@contextmanager
def held_run(journal: Journal, console: Console) -> Iterator[Bar]:
    """Put off requests to end until every component is whole, and say so at once; give a bar of the files."""
    files = sum(len(change.file_moves) for change in journal.moves)
    answer = partial(console.finishing, files) if files else None
    with held_signals(answer), progress(console, "putting in place", files, "files") as bar:
        yield bar


def settle(project: Folder, before: Store, console: Console) -> Settled:
    """Finish what a killed run has begun, or forget it. Raises `Stop` and `OSError`."""
    journal = load_begun(project)
    if journal is None:
        return Settled(before, warnings=(interrupted_run("forgotten"),))
    with project.inner(STAGING) as folder, held_run(journal, console) as bar:
        for change in journal.moves:
            _sweep(change, project)
        is_recorded = is_written(journal, before.record) and not any(each.differing for each in journal.moves)
        if not (is_recorded or any(_is_begun(change, project, folder) for change in journal.moves)):
            put_back(Transaction(project, Staging(folder), journal, bar=bar))
            folder.discard(RUN_FILE)
            return Settled(before, warnings=(interrupted_run("forgotten", journal.run.words),))
        gone = {change.path for change in journal.moves if _is_gone(change, project, folder)}
        remaining = replace(journal, changes=tuple(each for each in journal.changes if each.path not in gone))
        this = Transaction(project, Staging(folder), remaining, bar=bar)
        for change in remaining.moves:
            make(change, this, is_again=True)
        after = record_with(before.record, remaining)
        save(this, leading_to(after, remaining))
        store = write_down(this, replace(before, record=after), before.state)
        _leave(this, store)
        return Settled(store, journal.run, (*this.warnings, interrupted_run("finished", journal.run.words)))


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
    kept = survey(staging, change.undo).files if staging.lstat(change.undo) else {}
    is_there = not project.obstacle(change.path) and project.status(change.path) is not None
    there = survey(project, change.path).files if is_there else {}
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
