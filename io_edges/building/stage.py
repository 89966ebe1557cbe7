"""Stage: prepare a component in the staging folder, so that only renames are left.

What its archive gives anew is extracted; what undo brings back is copied from what the last run put aside, each file
verified; everything else stays where it is.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from returns.result import Failure, Success
from toolz import groupby

from io_edges.building.extract import Extractor, extract
from io_edges.building.keep import load_previous
from io_edges.building.local import Staging
from io_edges.building.project import ProjectView
from io_edges.system.folder import Folder
from io_edges.system.helpers import share
from io_edges.system.metadata import Times, copy_at, folders_like, give_as_made_in, give_times, link_or_copy_at
from io_edges.system.stop import Stop, require
from io_edges.system.syscalls import stat_signature
from io_edges.system.trees import NOTHING, above, deepest, state_of
from pipeline.building.patching.patch_file import PATCH_LIMIT
from pipeline.building.planning.undo import belongs_to
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.changes import Change, RunKind
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import PREVIOUS, RECORD_FILE, RUN_FILE, STAGED_BACKUP
from pipeline.building.stores.record import Files, FileState, are_alike, digest_of, is_unread
from pipeline.building.stores.tree import Tree
from pipeline.building.stores.undoable import Undoable
from pipeline.report.diagnostics.bases import Command
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice

Write: TypeAlias = Callable[[Files | None, Folder, Folder | None], Tree]
"""Writes files of a component into a folder, those given or all, like those of an old folder, and returns them.

Raises `Stop`, `OSError`."""


class _New(Struct, frozen=True):
    """A component that is not there yet, and the slot that it is extracted into."""

    slot: str
    choice: Choice
    step: Step


class Site(Struct, frozen=True):
    """The project, the staging folder in it, and what extracts archives."""

    project: Folder
    staging: Staging
    extractor: Extractor
    undone: Mapping[str, Change] = {}
    """By path, what the run that is undone has changed; components get the files that it replaced."""
    times: Times = None
    """The two times of what is copied."""

    def writes(self, step: Step) -> Write | None:
        """What writes the files of a component: its archive, or what was put aside; `None` if it gets none."""
        if step.choice:
            texts = {**step.given.texts, **{name: step.texts[name] for name in step.merge.of("merged")}}
            return partial(extract, (step.choice, texts), self.extractor)
        change = self.undone.get(step.path)
        if change is None:
            return None
        return partial(_write, (change, self.times), self.project)


def extract_new(steps: Mapping[str, Step], site: Site) -> dict[str, BuildOutcome[Tree]]:
    """Extract the components that are new into slots, with helpers if there is much of it. Raises `OSError`.

    Returns what was written of each, or why its archive is refused. Those of one archive file are extracted by one
    process, so that it is opened only once.
    """
    new = list[_New]()
    for slot, step in steps.items():
        if step.choice is None or step.target.occupancy != "absent":
            continue
        new.append(_New(slot, step.choice, step))
        with (
            site.staging.folder.child(slot, make=True) as folder,
            deepest(site.project, step.choice.path.rpartition("/")[0]) as place,
        ):
            give_as_made_in(place, folder)
    files: dict[object, list[_New]] = groupby(lambda component: component.choice.archive.file.path, new)
    sizes = [sum(component.choice.archive.size for component in each) for each in files.values()]
    done = share([*files.values()], sizes, partial(_extract, site=site), site.extractor.bar)
    extracted = dict[str, BuildOutcome[Tree]]()
    for components in done:
        extracted.update(components)
    return extracted


def _extract(new: Sequence[_New], site: Site) -> dict[str, BuildOutcome[Tree]]:
    """Extract the components of one archive file, by slot."""
    components: dict[str, BuildOutcome[Tree]] = {}
    for component in new:
        step = component.step
        with site.staging.folder.child(component.slot) as folder:
            try:
                texts = step.given.texts
                written = extract((component.choice, texts), site.extractor, step.merge.files or None, folder)
                components[component.slot] = Success(written)
            except Stop as stop:
                components[component.slot] = Failure(stop.errors)
    return components


def stage(change: Change, step: Step, site: Site, extracted: Mapping[str, BuildOutcome[Tree]]) -> Tree:
    """Prepare a change: its new files in its slot, given those that were extracted, and its backup.

    Returns what was written. Raises `Stop` if its archive is refused, and `OSError`.
    """
    write = site.writes(step)
    if change.adds and step.choice:
        return require(extracted[change.slot])
    if change.adds and write:
        with site.staging.folder.child(change.slot, make=True) as folder:
            return write(None, folder, None)
    if step.target.occupancy == "absent":
        return NOTHING
    with site.project.inner(step.path) as old:
        if change.backed_up:
            _back_up(change, step, write, old, site)
        if write is None or change.removes:
            return NOTHING
        return _merged(change.slot, step, write, old, site)


def _merged(slot: str, step: Step, write: Write, old: Folder, site: Site) -> Tree:
    """Make the folder with the new files of a component that is there."""
    result = step.merge
    after = result.files
    new = {name: after[name] for name in (*result.written, *result.of("merged"))}
    switched = {name: after[name] for name in result.switched}
    written = Tree()
    with site.staging.folder.child(slot, make=True) as folder, folders_like({**new, **switched}, old, folder):
        if new:
            written = write(new, folder, old)
        for name, state in switched.items():
            copy_at(old, name, folder, executable=state.executable)
    return written


def _back_up(change: Change, step: Step, write: Write | None, old: Folder, site: Site) -> None:
    """Stage the files that go to the backup: the user's, and those that the user's are kept instead of."""
    with site.staging.folder.inner(f"{STAGED_BACKUP}/{step.path}", make=True) as folder:
        bar = site.extractor.bar
        title = bar.title
        bar.title = "backing up"
        for name in step.merge.backed_up:
            bar.begin(f"{step.path}/{name}")
            try:
                link_or_copy_at(old, name, folder)
            except PermissionError:  # it is moved there when the new one is in place
                if not is_unread(step.target.files[name]):
                    raise
        theirs = {name: step.merge.archive[name] for name in step.merge.archive_backed_up}
        if theirs and write:
            write(theirs, folder, None)
        bar.title = title


def undoable(view: ProjectView, kind: RunKind, command: Command) -> tuple[Journal, Undoable]:
    """The last run that changed a project, and what `tool undo` or `tool redo` takes back.

    `command` is what is advised. Raises `Stop` and `OSError`.
    """
    if view.folder is None:
        raise Stop(NothingToUndo("nothing"))
    previous = load_previous(view.folder)
    if previous is None or not previous.run.keeps:
        raise Stop(NothingToUndo("nothing"))
    run = previous.run.words
    undoes = previous.taken_back_by(kind)
    if undoes is None and kind == "undo":
        raise Stop(NothingToUndo("undone", run=run, command=command))
    if undoes is None:
        raise Stop(NothingToUndo("not undone", run=run, command=command))
    digest = ""
    if view.record.components or view.folder.lstat(RECORD_FILE):
        digest = digest_of(view.record)
    if digest != previous.record:
        raise Stop(NothingToUndo("record", run=run))
    if not belongs_to(undoes, view.record):
        raise Stop(NothingToUndo("damaged", f"{PREVIOUS}/{RUN_FILE}"))
    return previous, undoes


def _write(
    source: tuple[Change, Times], project: Folder, files: Files | None, folder: Folder, old: Folder | None
) -> Tree:
    """Copy files, those given or all, from what was put aside; without an `old` folder folders are like theirs.

    Raises `Stop` if one is not as it was.
    """
    change, times = source
    if files is None:
        files = change.before
    written = Tree({}, {})
    with ExitStack() as stack:
        kept = stack.enter_context(project.inner(f"{PREVIOUS}/{change.undo}"))
        if old is None:
            stack.enter_context(folders_like(files, kept, folder))
        for name, state in files.items():
            if state.kind == "folder":
                folder.inner(name, make=True).close()
            else:
                _bring((kept, name), state, folder, change, times)
                if status := folder.status(name):
                    written.signatures[name] = stat_signature(status)
            written.files[name] = state
    return written


def undone_patches(plan: Plan, previous: Undoable, project: Folder) -> dict[str, bytes]:
    """The texts of the patches that undoing a run brings back, by their paths below `patches/`; of one that it removes
    none.

    Raises `Stop` if one is not as it was, and `OSError`.
    """
    texts = dict[str, bytes]()
    for move in plan.given_back:
        texts[move.name] = b""
        for change in previous.patches:
            if not (move.wanted and move.name in change.before):
                continue
            with project.inner(f"{PREVIOUS}/{change.undo}") as kept:
                _checked(kept, move.name, change)
                with above(kept, move.name) as (folder, name):
                    texts[move.name] = folder.read(name, PATCH_LIMIT) or b""
    return texts


def check_kept(plan: Plan, previous: Undoable, project: Folder) -> None:
    """Raise `Stop` unless each file that undoing a run would bring back is as it was. Raises `OSError`."""
    undone_patches(plan, previous, project)
    wanted = {step.path: step.merge.written for step in plan.changes}
    for change in previous.moves:
        names = [name for name in wanted.get(change.path, ()) if change.before[name].kind != "folder"]
        if not names:
            continue
        with project.inner(f"{PREVIOUS}/{change.undo}") as kept:
            for name in names:
                moved = state_of(project, f"{change.backup}/{name}")
                if not (is_unread(change.before[name]) and moved):
                    _checked(kept, name, change)


def _checked(kept: Folder, name: str, change: Change) -> FileState:
    """A file that was put aside. Raises `Stop` if it is not as it was."""
    there = state_of(kept, name)
    before = change.before.get(name)
    if there is None or before is None or not (is_unread(before) or are_alike(there, before)):
        raise Stop(NothingToUndo("damaged", f"{PREVIOUS}/{change.undo}/{name}"))
    return there


def _bring(place: tuple[Folder, str], wanted: FileState, folder: Folder, change: Change, times: Times) -> None:
    """Bring one file in the state that it is to have; what is put aside keeps its time, as the backup may have it, too.

    What cannot be read is linked; if it was moved to the backup, it comes from there in its turn.
    """
    kept, name = place
    if is_unread(wanted) and state_of(kept, name) is None:
        return
    there = _checked(kept, name, change)
    if there.kind == "other" or is_unread(there):
        link_or_copy_at(kept, name, folder)
        return
    executable = None
    if there.executable != wanted.executable:
        executable = wanted.executable
    copy_at(kept, name, folder, executable=executable)
    give_times(folder, name, times)
