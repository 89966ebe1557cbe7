"""Transaction: put staged components in place, all or none.

A run writes its journal, makes its changes (`in_place`), and writes record and state; then the staging folder becomes
what is kept of it. Each step can be done again, and passes over what is done, so the next run after a kill can do all
of them (`settle`). A run that fails puts everything back itself. A file that somebody else has changed meanwhile, and
is neither old nor new, stays as it is.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial

from msgspec import Struct, field

from io_edges.building.in_place import Workspace, check_place, install, take_back
from io_edges.building.keep import keep, place_backup, take_back_backup
from io_edges.building.local import Staging
from io_edges.building.store import Store, load_record, save_record, update_state
from io_edges.report.console import Console
from io_edges.report.progress import Bar, progress
from io_edges.system.folder import Folder
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, is_shortage, problem_of, refused_twice
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, prune_at, survey
from io_edges.system.whole_file import write_whole
from pipeline.building.stores.changes import Change
from pipeline.building.stores.journal import Journal, leading_to, record_with
from pipeline.building.stores.layout import PATCHES, RECORD_FILE, RUN_FILE
from pipeline.building.stores.record import Record
from pipeline.building.stores.sealed import seal
from pipeline.building.stores.state import State, last_build_with, state_with
from pipeline.building.stores.tree import Tree
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import backed_up, changed_meanwhile
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.runs import changed_record
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
        if change is self.journal.patches:
            return self.home
        return self.project

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
        refused_twice(lambda: leave(this, store))
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
            _restore(this, record)
        this.staging.folder.discard(RUN_FILE)
        raise


def _restore(this: Transaction, record: Record) -> None:
    """Write the record that a run found; if it found none, remove that of the run. Raises `OSError`."""
    found: Record | None = record
    if not this.journal.was_recorded:
        found = None
    save_record(this.project, found)


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


def leave(this: Transaction, store: Store) -> None:
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
    record: Record | None = store.record
    if not this.journal.record:
        record = None
    save_record(this.project, record)
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
        names = tuple(name for name in change.backed_up if name in changed)
        if names:
            replaced.append(backed_up(change.path, names, f"{journal.backup}/{change.path}"))
    this.warnings += replaced
    if replaced:
        place_backup(journal.backup, project, staging)
    else:
        take_back_backup(journal.backup, project, staging)
    for made in reversed(journal.made):
        prune_at(project, made)


def is_begun(staging: Staging) -> bool:
    """Whether a run that failed could not put everything back, so that the next one has to settle it."""
    with suppress(OSError):
        return staging.folder.lstat(RUN_FILE) is not None
    return True


@contextmanager
def held_run(journal: Journal, console: Console) -> Iterator[Bar]:
    """Put off requests to end until every component is whole, and say so at once; give a bar of the files."""
    files = sum(len(change.file_moves) for change in journal.file_changes)
    answer = None
    if files:
        answer = partial(console.finishing, files)
    with held_signals(answer), progress(console, "putting in place", files, "files") as bar:
        yield bar
