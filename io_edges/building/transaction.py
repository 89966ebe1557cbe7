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
from pathlib import Path, PurePath

from msgspec import Struct, field

from io_edges.building.in_place import Workspace, check_place, install, take_back
from io_edges.building.keep import keep, place_backup, take_back_backup
from io_edges.building.local import Staging
from io_edges.building.patches import home_in, home_of
from io_edges.building.project import Effect
from io_edges.building.store import Store, load_record, read_own, save_record, update_state
from io_edges.report.console import Console
from io_edges.report.progress import Bar, progress
from io_edges.system.folder import FRESH, Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, is_shortage, problem_of, refused_twice
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, prune_at, survey, walk
from io_edges.system.whole_file import write_whole
from pipeline.building.stores.changes import Change, FileMove
from pipeline.building.stores.journal import Journal, is_written, leading_to, read_journal, record_with
from pipeline.building.stores.layout import PATCHES, RECORD_FILE, RUN_FILE, STAGING
from pipeline.building.stores.record import FileState, Record, are_alike
from pipeline.building.stores.sealed import seal
from pipeline.building.stores.state import State, last_build_with, state_with
from pipeline.building.stores.tree import Tree
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import RecordUnreadable, backed_up, changed_meanwhile
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.patches import patch_stays
from pipeline.report.diagnostics.runs import changed_record, interrupted_run
from pipeline.values import replace


class Transaction(Struct):
    """What changes a project: the journal as it was last written, and what to warn of."""

    project: Folder
    staging: Staging
    journal: Journal
    home: Folder
    """The folder that `patches/` is in."""
    old: Mapping[str, Tree] = {}
    """What is known of the files that were there when the plan was made, by the paths of components."""
    new: Mapping[str, Tree] = {}
    """The same of the files that were staged."""
    bar: Bar = field(default_factory=Bar)
    """Counts the files that are put in place or back."""
    warnings: list[WarningDiagnostic] = field(default_factory=list)
    stays: list[str] = field(default_factory=list)
    """The patches that somebody changed meanwhile, so that they stay, by their paths below `patches/`."""

    def place_of(self, change: Change) -> Folder:
        """The folder that the path of a change begins in."""
        return self.home if change is self.journal.patches else self.project

    def workspace_of(self, change: Change) -> Workspace:
        """Where a change is made."""
        return Workspace(self.place_of(change), self.staging.folder, self.bar)


def commit(this: Transaction, before: Store, kept: State) -> Store:
    """Make every change and write record and state, or leave everything as it was; return these.

    `kept` is what the state will say of what does not change. What the system refuses once record and state are written
    is tried again, as that may be temporary; what is left then, the next run does. Raises `Stop` and `OSError`.
    """
    with held_signals():
        now = _record_as_it_is(this, before.record)
        after = record_with(now, this.journal)
        save(this, leading_to(after, this.journal))
        with _put_back_if_it_fails(this, now):
            make_patches(this)
            for change in this.journal.moves:
                check_place(change, this.project)
                with _explained(change, this.journal):
                    make(change, this)
            store = write_down(this, Store(after, before.state), kept)
        refused_twice(lambda: _leave(this, store))
        return store


def commit_patches(this: Transaction) -> None:
    """Write patches, all or none, in a run that changes nothing else, so that it is not undone. Raises `OSError`."""
    with held_signals():
        save(this, this.journal)
        with _put_back_if_it_fails(this, None):
            make_patches(this)
        this.staging.kept.clear()
        refused_twice(lambda: this.staging.folder.discard(RUN_FILE))


@contextmanager
def _put_back_if_it_fails(this: Transaction, record: Record | None) -> Iterator[None]:
    """Put everything back if a run fails, and the record that it found, if it writes one."""
    try:
        yield
    except BaseException:
        this.warnings.clear()
        this.stays.clear()
        put_back(this)
        if record is not None and load_record(this.project) != record:
            save_record(this.project, record if this.journal.was_recorded else None)
        this.staging.folder.discard(RUN_FILE)
        raise


def _record_as_it_is(this: Transaction, before: Record) -> Record:
    """The record on disk, which an init script may have replaced since it was read; then that is said.

    Raises `Stop` if the folders of components are others in it, and `OSError`.
    """
    now = load_record(this.project)
    if now == before or not (now.components or this.project.lstat(RECORD_FILE)):
        return before
    if now.components and now.places != this.journal.places:
        raise Stop(OutputConflict(RECORD_FILE, reason="changed"))
    this.warnings.append(changed_record())
    return now


def _leave(this: Transaction, store: Store) -> None:
    """Leave for later what is done. Raises `OSError`."""
    for folder in reversed(this.journal.unmade):
        prune_at(this.project, folder)
    this.bar.restart("removing what is no longer needed", None)
    workspace = Workspace(this.project, this.staging.folder, this.bar)
    this.warnings += keep(this.journal, store, workspace, this.staging, this.home)


def make_patches(this: Transaction, *, is_again: bool = False) -> None:
    """Write the patches, as far as that is not done, and note which somebody has changed. Raises `Stop`, `OSError`."""
    if patches := this.journal.patches:
        if patches.adds or this.home.lstat(PATCHES):
            this.stays += _installed(patches, this, is_again=is_again)
        else:
            this.stays += patches.before
        if this.home is not this.project:
            sync(this.home.fd)


def make(change: Change, this: Transaction, *, is_again: bool = False) -> None:
    """Make a change, as far as it is not made yet, and warn of files that changed meanwhile. Raises `OSError`."""
    if changed := _installed(change, this, is_again=is_again):
        this.warnings.append(changed_meanwhile(change.path, changed))


def _installed(change: Change, this: Transaction, *, is_again: bool) -> tuple[str, ...]:
    """Make a change, and count its files; return those that somebody else has changed."""
    known = this.old.get(change.path, NOTHING)
    done = this.bar.done + len(change.file_moves)
    this.bar.begin(change.path)
    changed = install(change, this.workspace_of(change), known, is_again=is_again)
    this.bar.advance(done - this.bar.done)  # those of a component that is renamed as a whole
    return changed


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
        raise Stop(problem_of(error.filename, error, change.path)) from error


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
    for change in reversed(journal.file_changes):
        this.bar.begin(change.path)
        changed = take_back(change, this.workspace_of(change))
        if names := tuple(name for name in change.backed_up if name in changed):
            replaced.append(backed_up(change.path, names, f"{journal.backup}/{change.path}"))
    this.warnings += replaced
    (place_backup if replaced else take_back_backup)(journal.backup, project, staging)
    for made in reversed(journal.made):
        prune_at(project, made)


class Settled(Struct, frozen=True):
    """What there is once what a killed run left is settled."""

    store: Store
    finished: Journal | None = None
    """What the killed run has changed, if it is finished."""
    warnings: tuple[WarningDiagnostic, ...] = ()
    """What was left as it is, and what could not be kept."""


def is_begun(staging: Staging) -> bool:
    """Whether a run that failed could not put everything back, so that the next one has to settle it."""
    with suppress(OSError):
        return staging.folder.lstat(RUN_FILE) is not None
    return True


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
    files = sum(len(change.file_moves) for change in journal.file_changes)
    answer = partial(console.finishing, files) if files else None
    with held_signals(answer), progress(console, "putting in place", files, "files") as bar:
        yield bar


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
        changes = begun.file_changes
        for change in changes:
            _sweep(change, this.place_of(change))
        is_recorded = is_written(begun, before.record) and not any(each.differing for each in changes)
        if not (is_recorded or any(_is_begun(each, this.place_of(each), folder) for each in changes)):
            put_back(this)
            folder.discard(RUN_FILE)
            return Settled(before, warnings=(interrupted_run("forgotten", begun.run.words),))
        remaining = _remaining(this)
        effect.has_finished(remaining)
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
        _leave(this, store)
        return Settled(store, begun, (*this.warnings, *warnings))


def _remaining(this: Transaction) -> Journal:
    """The journal of a killed run without what is gone since."""
    journal = this.journal
    gone = {
        change.path for change in journal.file_changes if _is_gone(change, this.place_of(change), this.staging.folder)
    }
    remaining = replace(journal, changes=tuple(each for each in journal.changes if each.path not in gone))
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
