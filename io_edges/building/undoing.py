"""Undoing: find the run that undo takes back, and restore the files that it replaced.

The last run keeps these files in `.tool/previous`, a folder per component. Each is checked
before it is used.
"""

from contextlib import ExitStack

from msgspec import Struct

from io_edges.building.keep import load_previous
from io_edges.building.project import ProjectView
from io_edges.system.folder import Folder
from io_edges.system.metadata import Times, copy_at, folders_like, give_times, link_or_copy_at
from io_edges.system.stop import Stop
from io_edges.system.syscalls import stat_signature
from io_edges.system.trees import above, state_of
from pipeline.building.patching.patch_file import PATCH_LIMIT
from pipeline.building.steps import Plan
from pipeline.building.stores.changes import Change, RunKind
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import PREVIOUS, RECORD_FILE, RUN_FILE
from pipeline.building.stores.record import Files, FileState, are_alike, digest_of, is_denied
from pipeline.building.stores.tree import Tree
from pipeline.building.stores.undoable import Undoable, belongs_to
from pipeline.report.diagnostic import Command
from pipeline.report.diagnostics.building import NothingToUndo


class LastRun(Struct, frozen=True):
    """The last run that changed a project."""

    journal: Journal
    undoable: Undoable
    """The changes that `tool undo`, or `tool redo`, takes back."""


def find_last_run(view: ProjectView, kind: RunKind, command: Command) -> LastRun:
    """Find the run that `tool undo` or `tool redo` takes back.

    Raises `Stop` if there is none, or if the record has changed since. Its advice names `command`.
    """
    if view.folder is None:
        raise Stop(NothingToUndo("nothing"))
    journal = load_previous(view.folder)
    if journal is None or not journal.run.keeps:
        raise Stop(NothingToUndo("nothing"))
    run = journal.run.words
    undoable = journal.taken_back_by(kind)
    if undoable is None and kind == "undo":
        raise Stop(NothingToUndo("undone", run=run, command=command))
    if undoable is None:
        raise Stop(NothingToUndo("not undone", run=run, command=command))
    digest = ""
    if view.record.components or view.folder.lstat(RECORD_FILE):
        digest = digest_of(view.record)
    if digest != journal.record:
        raise Stop(NothingToUndo("record", run=run))
    if not belongs_to(undoable, view.record):
        raise Stop(NothingToUndo("damaged", f"{PREVIOUS}/{RUN_FILE}"))
    return LastRun(journal, undoable)


class ReplacedFiles(Struct, frozen=True):
    """The files of a component that the last run replaced."""

    project: Folder
    change: Change
    """The change that replaced them."""
    times: Times = None
    """The access and modification times of the copies; `None` keeps those of the files."""

    def write(self, files: Files | None, folder: Folder, old: Folder | None) -> Tree:
        """Copy `files`, or all files, into `folder`.

        If there is no `old` folder, subfolders get the metadata of those that the files were in.
        Raises `Stop` if a file has changed since.
        """
        if files is None:
            files = self.change.before
        written = Tree({}, {})
        with ExitStack() as stack:
            kept = stack.enter_context(self._open())
            if old is None:
                stack.enter_context(folders_like(files, kept, folder))
            for name, state in files.items():
                if state.kind == "folder":
                    folder.inner(name, make=True).close()
                else:
                    self._copy(kept, name, state, folder)
                    if status := folder.status(name):
                        written.signatures[name] = stat_signature(status)
                written.files[name] = state
        return written

    def _copy(self, kept: Folder, name: str, wanted: FileState, folder: Folder) -> None:
        """Copy one file, with the executable bit of `wanted`.

        The kept file keeps its times, because the backup may share its inode. An unreadable file is
        linked. If it was moved to the backup, nothing is copied: it comes from there when files are
        put in place.
        """
        if is_denied(wanted) and state_of(kept, name) is None:
            return
        there = self.check(kept, name)
        if there.kind == "other" or is_denied(there):
            link_or_copy_at(kept, name, folder)
            return
        executable = None
        if there.executable != wanted.executable:
            executable = wanted.executable
        copy_at(kept, name, folder, executable=executable)
        give_times(folder, name, self.times)

    def read(self, path: str) -> bytes:
        """The content of one file. Raises `Stop` if it has changed since."""
        with self._open() as kept:
            self.check(kept, path)
            with above(kept, path) as (folder, name):
                return folder.read(name, PATCH_LIMIT) or b""

    def check_all(self, names: list[str]) -> None:
        """Raise `Stop` if one of these files has changed since; an unreadable one may be in the
        backup instead.
        """
        with self._open() as kept:
            for name in names:
                in_backup = state_of(self.project, f"{self.change.backup}/{name}")
                if not (is_denied(self.change.before[name]) and in_backup):
                    self.check(kept, name)

    def check(self, kept: Folder, name: str) -> FileState:
        """The state of one file. Raises `Stop` if it has changed since."""
        there = state_of(kept, name)
        before = self.change.before.get(name)
        if there is None or before is None or not (is_denied(before) or are_alike(there, before)):
            raise Stop(NothingToUndo("damaged", f"{PREVIOUS}/{self.change.replaced_slot}/{name}"))
        return there

    def _open(self) -> Folder:
        return self.project.inner(f"{PREVIOUS}/{self.change.replaced_slot}")


def restored_patches(plan: Plan, undoable: Undoable, project: Folder) -> dict[str, bytes]:
    """The contents of the patches that an undo restores, by their paths below `patches/`; empty if
    it removes one.

    Raises `Stop` if a kept patch has changed since.
    """
    texts = dict[str, bytes]()
    for move in plan.patch_moves:
        texts[move.name] = b""
        for change in undoable.patches:
            if move.wanted and move.name in change.before:
                texts[move.name] = ReplacedFiles(project, change).read(move.name)
    return texts


def check_replaced_files(plan: Plan, undoable: Undoable, project: Folder) -> None:
    """Raise `Stop` if a file that an undo would restore has changed since it was kept."""
    restored_patches(plan, undoable, project)
    wanted = {step.path: step.merge.written for step in plan.changes}
    for change in undoable.moves:
        names = [
            name for name in wanted.get(change.path, ()) if change.before[name].kind != "folder"
        ]
        if names:
            ReplacedFiles(project, change).check_all(names)
