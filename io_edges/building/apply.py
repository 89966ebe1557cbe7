"""Apply: carry out the plan in the project, all or nothing.

Everything is extracted and verified before the first hook runs. After that, only renames are left.
"""

import time
from collections.abc import Iterable
from pathlib import PurePath

from msgspec import Struct, field
from toolz import unique

from io_edges.archives.find import drop_signature
from io_edges.archives.zips import Opener, Vetted
from io_edges.building.archives import keep_archives
from io_edges.building.extract import Extractor
from io_edges.building.hooks import run_stage
from io_edges.building.keep import new_backup
from io_edges.building.local import Staging, check_access, ignores_case_in, staging_in
from io_edges.building.patches import home_in, stage_patches, written_home
from io_edges.building.project import Effect, Project
from io_edges.building.stage import Site, extract_new, stage
from io_edges.building.store import Store, update_state
from io_edges.building.transaction import Transaction, commit, held_run, is_begun
from io_edges.building.undoing import restored_patches
from io_edges.report.console import Console
from io_edges.report.progress import progress
from io_edges.system.folder import Folder
from io_edges.system.stop import CHANGED, Stop
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, prune_at, remove, survey
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.entry_names import folders_above
from pipeline.building.patching.patch import Patch
from pipeline.building.showing.plan_events import backups_of, patches_written
from pipeline.building.steps import Plan
from pipeline.building.stores.changes import Change, Run
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import BACKUPS, RECORD_FILE, STAGED_BACKUP
from pipeline.building.stores.record import are_alike
from pipeline.building.stores.state import State
from pipeline.building.stores.tree import Tree
from pipeline.building.stores.undoable import Undoable
from pipeline.building.transaction import (
    Before,
    folders_for,
    journal_of,
    planned_changes,
    rewritten_patches,
    slot_after,
    with_written,
)
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.runs import changed_drop
from pipeline.schema import OnFailure
from pipeline.values import replace

_TICK = 0.01
"""The seconds in which two changes of a file may get one time, on a kernel with coarse times."""


class Job(Struct, frozen=True):
    """A plan to apply, and what has to be known about the run."""

    plan: Plan
    project: Project
    state: State
    """What the state is to say, but of the components that change."""
    on_failure: OnFailure
    patches: PurePath
    """The folder that `patches/` is in."""
    effect: Effect
    """What is done so far, for the last line of a run that stops."""
    run: Run
    """What is to be known of the run later on."""
    undoes: Undoable | None = None
    """What is undone, if this run undoes another, or a part of it."""
    rest: Undoable | None = None
    """What can be undone after it besides its own changes."""
    files: tuple[ArchiveFile, ...] = ()
    """The archives of the drop."""
    drop: str = "."
    """The folder as the user wrote it."""
    keep_going: bool = False
    vetted: Vetted = field(default_factory=Vetted)
    """What the archives that this run has read are made of."""
    times: tuple[int, int] | None = None
    """The two times of written files, in nanoseconds; `None` for the time of writing."""


class _Staged(Struct, frozen=True):
    changes: tuple[Change, ...]
    patches: Change | None
    written: dict[str, Tree]
    """The digests of the files of each component that were written."""
    plan: Plan
    refused: tuple[Error, ...]
    warnings: list[WarningDiagnostic]
    """What could not be kept."""


class _Components(Struct):
    """The components that are staged, and those that are not, as their archives are refused."""

    changes: list[Change] = field(default_factory=list)
    written: dict[str, Tree] = field(default_factory=dict)
    refused: list[Error] = field(default_factory=list)
    skipped: set[str] = field(default_factory=set)


class Applied(Struct, frozen=True):
    """A plan that was applied, but for the post hooks."""

    plan: Plan
    """What was done of it."""
    refused: tuple[Error, ...]
    """The errors of archives that were passed over."""
    store: Store
    """The record and the state, which are written."""


def apply(job: Job, console: Console) -> Applied:
    """Build, all or nothing. Raises `Stop` and `OSError`."""
    project = job.project
    written = [RECORD_FILE]
    if any(step.backed_up for step in job.plan.steps):
        written.append(BACKUPS)
    check_access(project.folder, written)
    with staging_in(project.folder, console) as staging, home_in(job.patches, project.folder) as home:
        staged = _stage(job, staging, home, console)
        sync(staging.folder.fd)
        if job.plan.hooks.at("init"):
            before = drop_signature(job.files)
            time.sleep(_TICK)
            run_stage("init", staged.plan, project.folder, job.on_failure, console)
            _check_untouched(staged, staging)
            if drop_signature(job.files) != before:
                console.warn((changed_drop(job.drop),))
        old = {step.path: step.target.tree for step in job.plan.changes}
        journal = _journal(staged, job)
        with held_run(journal, console) as bar:
            this = Transaction(project.folder, staging, journal, home, old, staged.written, bar, staged.warnings)
            store = _put(staged.plan, job, this, console)
            job.effect.note_changed(staged.plan.steps)
    return Applied(staged.plan, staged.refused, store)


def _put(plan: Plan, job: Job, this: Transaction, console: Console) -> Store:
    """Put components in place and write record and state; return these. Raises `Stop` and `OSError`."""
    project = job.project
    journal = this.journal
    before = Store(project.record, project.state)
    if not (journal.changes or journal.patches):
        console.warn(update_state(project.folder, before.state, job.state))
        return replace(before, state=job.state)
    try:
        after = commit(this, before, job.state)
    except BaseException:
        if is_begun(this.staging):
            job.effect.note_changed()
        raise
    finally:
        console.warn(tuple(unique(this.warnings)))
    console.warn(patches_written(plan, this.stays))
    steps = {step.path: step for step in plan.steps}
    for change in journal.moves:
        place = PurePath(console.context.project, journal.backup, change.path).as_posix()
        console.warn(backups_of(steps[change.path], change.backed_up, place))
    return after


def _check_untouched(staged: _Staged, staging: Staging) -> None:
    """Refuse what a script has changed in the staged components. Raises `OSError`."""
    changes = list(staged.changes)
    if staged.patches:
        changes.insert(0, staged.patches)
    for change in changes:
        expected = {move.name: move.wanted for move in change.file_moves if move.wanted}
        if change.removes or not expected:
            continue
        known = staged.written.get(change.path, NOTHING)
        there = survey(staging.folder, change.slot, known).files
        for name, state in sorted({**there, **expected}.items()):
            is_alone = change.adds or (state and state.kind != "folder")
            if is_alone and not are_alike(there.get(name), expected.get(name)):
                path = f"{staging.folder.path}/{change.slot}/{name}"
                raise OSError(CHANGED, "it was changed after it was verified", path)


def _stage(job: Job, staging: Staging, home: Folder, console: Console) -> _Staged:
    """Prepare components, patches, and what is kept of archives. Raises `Stop` if there is to be no build.

    All refused archives are reported together. With `keep_going`, their components are passed over, and none is
    removed: what was to be removed may be what a refused archive holds.
    """
    warnings = list[WarningDiagnostic]()
    total = sum(step.choice.archive.size for step in job.plan.changes if step.choice)
    with progress(console, "extracting", total) as bar, Opener(job.vetted) as opener:
        staged = _stage_components(job, staging, Extractor(opener, bar, ignores_case_in(job.project.folder), job.times))
        if (staged.refused or job.plan.stopping) and not job.keep_going:
            raise Stop(*job.plan.refused, *staged.refused)
        skipped = staged.skipped
        if staged.refused:
            skipped |= {step.path for step in job.plan.changes if step.action == "remove"}
        changes = tuple(change for change in staged.changes if change.path not in skipped)
        _unstage_backups(skipped, staging)
        if job.run.keeps and (changes or job.plan.record.components != job.project.record.components):
            warnings += _keep_sources(job, staging, opener)
    plan = replace(job.plan, steps=tuple(step for step in job.plan.steps if step.path not in skipped))
    patches = _stage_patches(plan, job, staging, home)
    return _Staged(changes, patches, staged.written, plan, tuple(staged.refused), warnings)


def _stage_components(job: Job, staging: Staging, extractor: Extractor) -> _Components:
    """Prepare every component that changes, as far as its archive is not refused. Raises `Stop` and `OSError`."""
    site = Site(job.project.folder, staging, extractor, times=job.times)
    if job.undoes:
        site = replace(site, undone={change.path: change for change in job.undoes.moves})
    steps = {step.path: step for step in job.plan.changes}
    planned = planned_changes(job.plan, job.undoes, job.rest)
    extracted = extract_new({change.slot: steps[change.path] for change in planned}, site)
    staged = _Components()
    for change in planned:
        step = steps[change.path]
        try:
            written = stage(change, step, site, extracted)
        except Stop as stop:
            if not all(isinstance(error, ArchiveRejected) for error in stop.errors):
                raise
            staged.refused += stop.errors
            staged.skipped.add(change.path)
        else:
            staged.written[change.path] = written
            staged.changes.append(with_written(change, step, written))
    return staged


def _stage_patches(plan: Plan, job: Job, staging: Staging, home: Folder) -> Change | None:
    """Prepare the patches that are written anew, or given back. Raises `Stop` and `OSError`."""
    texts = rewritten_patches(plan)
    as_read = plan.patch_states
    if job.undoes:
        texts = restored_patches(plan, job.undoes, job.project.folder)
        as_read = {move.name: move.current for move in plan.patch_moves if move.current}
    if not texts:
        return None
    slot = str(slot_after(job.rest, len(job.plan.changes)))
    return stage_patches(texts, as_read, home, staging.folder, slot)


def _unstage_backups(skipped: Iterable[str], staging: Staging) -> None:
    """Remove what was to be put in the backup of components that are passed over. Raises `OSError`."""
    for path in skipped:
        remove(staging.folder, f"{STAGED_BACKUP}/{path}")
        for above in reversed([*folders_above(path)]):
            prune_at(staging.folder, f"{STAGED_BACKUP}/{above}")
        staging.folder.prune(STAGED_BACKUP)


def _keep_sources(job: Job, staging: Staging, opener: Opener) -> list[WarningDiagnostic]:
    """Keep what components are built from, also of those that are up to date; return what could not be kept."""
    archives = list[Archive]()
    patches = list[Patch]()
    for step in job.plan.steps:
        if step.choice is None:
            continue
        archives.append(step.choice.archive)
        if step.path in job.plan.patches:
            patches.append(job.plan.patches[step.path])
    not_kept = keep_archives((*archives, *patches), job.project.folder, staging, opener)
    if not_kept is None:
        return []
    return [not_kept]


def _journal(staged: _Staged, job: Job) -> Journal:
    """What the run is about to change. Raises `Stop` if something is where its backup goes, and `OSError`."""
    folder = job.project.folder
    backup = new_backup(folder, time.strftime("%Y%m%d-%H%M%S"))
    before = Before(
        record=job.project.record,
        state=job.project.state,
        was_recorded=folder.lstat(RECORD_FILE) is not None,
        missing=frozenset(path for path in folders_for(staged.changes) if folder.status(path) is None),
        undoes=job.undoes,
        rest=job.rest,
    )
    home = written_home(job.patches, job.project.path)
    return replace(journal_of(staged.plan, staged.changes, job.run, backup, before), patches=staged.patches, home=home)
