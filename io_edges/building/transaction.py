"""Transaction: put staged components in place, all or none.

A run writes its journal, makes its changes (`in_place`), and writes record and state; then the
staging folder is renamed and kept for `tool undo`. Every step can be repeated and skips what is
done, so that the next run can finish a killed one (`settle`). A run that fails puts everything back
itself. If somebody else changes a file meanwhile, so that it is neither the old nor the new one, it
stays as it is.
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
    """The changes of a run, from its journal to record and state. It is finished, or everything
    is put back.
    """

    project: Folder
    staging: Staging
    journal: Journal
    """The journal as it was last written."""
    home: Folder
    """The folder that `patches/` is in."""
    old: Mapping[str, Tree] = {}
    """The files in the project when the plan was made, as far as they are known, by the paths
    of components.
    """
    new: Mapping[str, Tree] = {}
    """The files that were staged, likewise."""
    bar: Bar = field(default_factory=Bar)
    """Counts the files that are put in place or back."""
    warnings: list[WarningDiagnostic] = field(default_factory=list)
    changed_patches: list[str] = field(default_factory=list)
    """The patches that somebody else has changed meanwhile, by their paths below `patches/`. They
    stay as they are.
    """

    def commit(self, before: Store, state: State) -> Store:
        """Make every change and write record and state, or leave everything as it was. Return what
        was written.

        `before` are record and state as they were read; `state` is the state to write, except
        for the components that change. If the system refuses something after record and state
        are written, it is tried once more, because the cause may be temporary, and then left to
        the next run.
        """
        with held_signals():
            found = self._record_on_disk(before.record)
            record = record_with(found, self.journal)
            self.save_journal(leading_to(record, self.journal))
            with self._put_back_if_it_fails(found):
                self.install_patches()
                for change in self.journal.moves:
                    check_place(change, self.project)
                    with self._advising_to_exclude(change):
                        self.install_component(change)
                after = self.write_store(Store(record, before.state), state)
            refused_twice(lambda: self.finish_run(after))
            return after

    def commit_patches(self) -> None:
        """Write patches, all or none, in a run that changes nothing else and cannot be undone."""
        with held_signals():
            self.save_journal(self.journal)
            with self._put_back_if_it_fails(None):
                self.install_patches()
            self.staging.added_archives.clear()
            refused_twice(lambda: self.staging.folder.discard(RUN_FILE))

    @contextmanager
    def _put_back_if_it_fails(self, record: Record | None) -> Iterator[None]:
        """If the body raises, put everything back, with `record`, the one before the run; `None` if
        it writes none.
        """
        try:
            yield
        except BaseException:
            self.warnings.clear()
            self.changed_patches.clear()
            self.put_back()
            if record is not None and load_record(self.project) != record:
                self._restore_record(record)
            self.staging.folder.discard(RUN_FILE)
            raise

    def _restore_record(self, before: Record) -> None:
        """Write the record before the run; remove the record if there was none."""
        record: Record | None = before
        if not self.journal.was_recorded:
            record = None
        save_record(self.project, record)

    def _record_on_disk(self, before: Record) -> Record:
        """The record on disk, with a warning if an init hook has replaced it. If one removed it,
        `before` stands.

        Raises `Stop` if components go into other folders in it.
        """
        record = load_record(self.project)
        is_removed = not record.components and self.project.lstat(RECORD_FILE) is None
        if record == before or is_removed:
            return before
        if record.components and record.places != self.journal.places:
            raise Stop(OutputConflict(RECORD_FILE, reason="changed"))
        self.warnings.append(changed_record())
        return record

    def finish_run(self, store: Store) -> None:
        """Keep what later runs need, given record and state after the run, and remove the rest."""
        for folder in reversed(self.journal.unmade):
            prune_at(self.project, folder)
        self.bar.restart("removing what is no longer needed", None)
        workspace = Workspace(self.project, self.staging.folder, self.bar)
        self.warnings += keep(self.journal, store, workspace, self.staging, self.home)

    def install_patches(self, *, is_again: bool = False) -> None:
        """Put the patches in place, as far as that is not done, and note those that somebody else
        has changed.
        """
        if patches := self.journal.patches:
            if patches.adds or self.home.lstat(PATCHES):
                self.changed_patches += self._install(patches, is_again=is_again)
            else:
                self.changed_patches += patches.before
            if self.home is not self.project:
                sync(self.home.fd)

    def install_component(self, change: Change, *, is_again: bool = False) -> None:
        """Put a component in place, as far as that is not done, and warn of files that somebody
        else has changed.
        """
        if changed := self._install(change, is_again=is_again):
            self.warnings.append(changed_meanwhile(change.path, changed))

    def _install(self, change: Change, *, is_again: bool) -> tuple[str, ...]:
        """Make a change, and count its files; return those that somebody else has changed."""
        known = self.old.get(change.path, NOTHING)
        done = self.bar.done + len(change.file_moves)
        self.bar.begin(change.path)
        changed = install(change, self._workspace_of(change), known, is_again=is_again)
        # The files of a component that is renamed as a whole.
        self.bar.advance(done - self.bar.done)
        return changed

    def folder_of(self, change: Change) -> Folder:
        """The folder that the path of a change starts in."""
        if change is self.journal.patches:
            return self.home
        return self.project

    def _workspace_of(self, change: Change) -> Workspace:
        """The folders in which a change is made."""
        return Workspace(self.folder_of(change), self.staging.folder, self.bar)

    @contextmanager
    def _advising_to_exclude(self, change: Change) -> Iterator[None]:
        """If a file of a module cannot be replaced, raise `Stop`, with the advice to
        exclude the module.
        """
        try:
            yield
        except OSError as error:
            is_named = isinstance(error.filename, str) and not is_shortage(error)
            is_built = self.journal.run.kind == "build" and not change.removes
            if not (is_named and is_built and self.journal.places.kind_of(change.path) == "module"):
                raise
            raise Stop(problem_of(error.filename, error, change.path)) from error

    def write_store(self, store: Store, state: State) -> Store:
        """Put files in the backup, and write the record of `store`, and `state` with the components
        that changed.

        Return both as they were written. `store` has the state before the run.
        """
        place_backup(self.journal.backup, self.project, self.staging.folder)
        sync(self.project.fd)
        record: Record | None = store.record
        if not self.journal.record:
            record = None
        save_record(self.project, record)
        after = replace(store, state=self._with_changes(state))
        self.warnings += update_state(self.project, store.state, after.state)
        return after

    def _with_changes(self, state: State) -> State:
        """A state with the components that the run has changed."""
        components = {change.path: change.entry_after.last for change in self.journal.changes}
        for change in self.journal.moves:
            if last := change.entry_after.last:
                with suppress(OSError):  # else the next run reads the files
                    components[change.path] = last_build_with(last, self._tree_of(change))
        return state_with(state, components)

    def _tree_of(self, change: Change) -> Tree:
        """The files of a component with their current stat signatures; only unknown ones
        are looked up.
        """
        old = self.old.get(change.path, NOTHING)
        written = self.new.get(change.path, NOTHING)
        if change.adds and written.files:
            return written
        return survey(self.project, change.path, old.with_written(written.linked))

    def save_journal(self, journal: Journal) -> None:
        """Write the journal, unless the same is written already."""
        if journal != self.journal or self.staging.folder.lstat(RUN_FILE) is None:
            self.journal = journal
            write_whole(self.staging.folder, RUN_FILE, seal(journal), like="folder")

    def put_back(self) -> None:
        """Put everything back, except files that somebody else has changed since.

        If the user had edited such a file before the run replaced it, the backup stays.
        """
        project = self.project
        staging = self.staging.folder
        journal = self.journal
        replaced: list[WarningDiagnostic] = []
        self.bar.restart("putting back", self.bar.done)
        for change in reversed(journal.file_changes):
            self.bar.begin(change.path)
            changed = take_back(change, self._workspace_of(change))
            names = tuple(name for name in change.backed_up if name in changed)
            if names:
                replaced.append(backed_up(change.path, names, f"{journal.backup}/{change.path}"))
        self.warnings += replaced
        if replaced:
            place_backup(journal.backup, project, staging)
        else:
            take_back_backup(journal.backup, project, staging)
        for made in reversed(journal.made):
            prune_at(project, made)

    def needs_settling(self) -> bool:
        """Whether a failed run could not put everything back, so that the next run has to."""
        with suppress(OSError):
            return self.staging.folder.lstat(RUN_FILE) is not None
        return True


@contextmanager
def held_run(journal: Journal, console: Console) -> Iterator[Bar]:
    """Hold back signals until every component is whole, but answer them at once; yield a bar that
    counts the files.
    """
    files = sum(len(change.file_moves) for change in journal.file_changes)
    answer = None
    if files:
        answer = partial(console.finishing, files)
    with held_signals(answer), progress(console, "putting in place", files, "files") as bar:
        yield bar
