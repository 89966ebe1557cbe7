"""Apply: carry out the plan in the project, all or nothing.

Everything is extracted and verified before the first hook runs. After that, only renames are left,
or copies if the project is on several disks.
"""

import time
from collections.abc import Mapping
from pathlib import PurePath

from msgspec import Struct, field
from toolz import unique

from io_edges.archives.find import drop_signature
from io_edges.archives.zips import Opener, Vetted
from io_edges.building.archives import keep_archives
from io_edges.building.extract import Extractor
from io_edges.building.extract_new import extract_new
from io_edges.building.hooks import run_stage
from io_edges.building.keep import new_backup
from io_edges.building.local import Staging, check_access, ignores_case_in, staging_in
from io_edges.building.patches import home_in, stage_patches, written_home
from io_edges.building.project import Effect, Project
from io_edges.building.stage import Site, check_untouched, stage, unstage_backups
from io_edges.building.store import Store, update_state
from io_edges.building.transaction import Transaction, held_run
from io_edges.building.undoing import restored_patches
from io_edges.report.console import Console
from io_edges.report.progress import progress
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from io_edges.system.syscalls import sync
from pipeline.archives.archive import ArchiveFile
from pipeline.building.showing.plan_events import backups_of, patches_written
from pipeline.building.steps import Plan
from pipeline.building.stores.changes import Change, Run
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import BACKUPS, RECORD_FILE
from pipeline.building.stores.state import State
from pipeline.building.stores.tree import Tree
from pipeline.building.stores.undoable import Undoable
from pipeline.building.transaction import (
    Snapshot,
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
"""The resolution of file times on a kernel with coarse ones, in seconds."""


class Job(Struct, frozen=True):
    """A plan to apply, and facts about the run."""

    plan: Plan
    project: Project
    state: State
    """The state to write, except for the components that change."""
    on_failure: OnFailure
    patches: PurePath
    """The folder that `patches/` is in."""
    effect: Effect
    """What the run has done so far, for its last line. `apply` notes it here."""
    run: Run
    """What later runs need to know about this one."""
    undoes: Undoable | None = None
    """The changes that this run undoes, if it undoes any."""
    rest: Undoable | None = None
    """The changes that can still be undone after this run, besides its own."""
    files: tuple[ArchiveFile, ...] = ()
    """The archives of the drop."""
    drop: str = "."
    """The drop as the user wrote it."""
    keep_going: bool = False
    vetted: Vetted = field(default_factory=Vetted)
    """The contents of the archives that this run has read."""
    times: tuple[int, int] | None = None
    """The access and modification times of new files, in nanoseconds; `None` for the
    time of writing.
    """
    advice: tuple[WarningDiagnostic, ...] = ()
    """Warnings that are reported once the components are in place, before the post hooks run."""


class _StagedPlan(Struct, frozen=True):
    """The components and patches in the staging folder."""

    plan: Plan
    """The plan without the components that are skipped."""
    changes: tuple[Change, ...]
    trees: Mapping[str, Tree]
    """The files that were written, with their digests, by the paths of components."""
    refused: tuple[Error, ...]
    """The errors of refused archives."""
    skipped: frozenset[str]
    """The paths of the components that are not built, because of these errors."""
    patches: Change | None = None
    warnings: tuple[WarningDiagnostic, ...] = ()
    """The warning that archives could not be kept, if any could not."""


class AppliedPlan(Struct, frozen=True):
    """A plan that was carried out."""

    plan: Plan
    """The plan without the components that were skipped."""
    refused: tuple[Error, ...]
    """The errors of the refused archives, for which components were skipped."""
    store: Store
    """The record and the state as they were written."""


def apply(job: Job, console: Console) -> AppliedPlan:
    """Carry out a plan, all or nothing, with its init hooks before and its post hooks after.

    If a post hook fails, the components stay, and `Stop` is raised.
    """
    applied = _change_project(job, console)
    job.effect.is_other_record = applied.store.record.differs_from(job.project.record)
    console.warn(job.advice)
    run_stage("post", applied.plan, job.project.folder, job.on_failure, console)
    return applied


def _change_project(job: Job, console: Console) -> AppliedPlan:
    """Carry out a plan up to its post hooks."""
    project = job.project
    own_paths = [RECORD_FILE]
    if any(step.backed_up for step in job.plan.steps):
        own_paths.append(BACKUPS)
    check_access(project.folder, own_paths)
    with (
        staging_in(project.folder, console) as staging,
        home_in(job.patches, project.folder) as home,
    ):
        staged = _stage(job, staging, home, console)
        sync(staging.folder.fd)
        if job.plan.hooks.at("init"):
            _run_init_hooks(job, staged, staging, console)
        journal = _journal(staged, job)
        with held_run(journal, console) as bar:
            transaction = Transaction(
                project=project.folder,
                staging=staging,
                journal=journal,
                home=home,
                old={step.path: step.target.tree for step in job.plan.changes},
                new=staged.trees,
                bar=bar,
                warnings=list(staged.warnings),
            )
            store = _commit(staged.plan, job, transaction, console)
            is_changed = journal.changes or journal.patches or job.plan.hooks.running
            if is_changed or not staged.refused:
                job.effect.note_changed(staged.plan.steps)
    return AppliedPlan(staged.plan, staged.refused, store)


def _run_init_hooks(job: Job, staged: _StagedPlan, staging: Staging, console: Console) -> None:
    """Run the init hooks; raise if they change staged files, and warn if they change the drop."""
    signature = drop_signature(job.files)
    time.sleep(_TICK)  # otherwise a file that a hook changes could keep its modification time
    run_stage("init", staged.plan, job.project.folder, job.on_failure, console)
    changes = staged.changes
    if staged.patches:
        changes = (staged.patches, *changes)
    check_untouched(changes, staged.trees, staging)
    if drop_signature(job.files) != signature:
        console.warn((changed_drop(job.drop),))


def _commit(plan: Plan, job: Job, transaction: Transaction, console: Console) -> Store:
    """Put components in place and write record and state; return these."""
    project = job.project
    journal = transaction.journal
    before = Store(project.record, project.state)
    if not (journal.changes or journal.patches):
        console.warn(update_state(project.folder, before.state, job.state))
        return replace(before, state=job.state)
    try:
        after = transaction.commit(before, job.state)
    except BaseException:
        if transaction.needs_settling():
            job.effect.note_changed()
        raise
    finally:
        console.warn(tuple(unique(transaction.warnings)))
    console.warn(patches_written(plan, transaction.changed_patches))
    steps = {step.path: step for step in plan.steps}
    for change in journal.moves:
        place = PurePath(console.context.project, journal.backup, change.path).as_posix()
        console.warn(backups_of(steps[change.path], change.backed_up, place))
    return after


def _stage(job: Job, staging: Staging, home: Folder, console: Console) -> _StagedPlan:
    """Prepare components and patches, and keep their archives. Raises `Stop` if anything is refused
    and `keep_going` is off.

    All refused archives are reported together. With `keep_going`, their components are skipped, and
    no component is removed, because a refused archive may hold it.
    """
    warnings: tuple[WarningDiagnostic, ...] = ()
    total = sum(step.choice.archive.size for step in job.plan.changes if step.choice)
    with progress(console, "extracting", total) as bar, Opener(job.vetted) as opener:
        extractor = Extractor(opener, bar, ignores_case_in(job.project.folder), job.times)
        staged = _stage_components(job, staging, extractor)
        if (staged.refused or job.plan.stopping) and not job.keep_going:
            raise Stop(*job.plan.refused, *staged.refused)
        skipped = staged.skipped
        if staged.refused:
            skipped = skipped | {step.path for step in job.plan.changes if step.action == "remove"}
        changes = tuple(change for change in staged.changes if change.path not in skipped)
        unstage_backups(skipped, staging)
        if job.run.keeps and (changes or job.plan.record.differs_from(job.project.record)):
            not_kept = keep_archives(job.plan.sources, job.project.folder, staging, opener)
            if not_kept:
                warnings = (not_kept,)
    plan = replace(
        job.plan, steps=tuple(step for step in job.plan.steps if step.path not in skipped)
    )
    patches = _stage_patches(plan, job, staging, home)
    return replace(
        staged, plan=plan, changes=changes, skipped=skipped, patches=patches, warnings=warnings
    )


def _stage_components(job: Job, staging: Staging, extractor: Extractor) -> _StagedPlan:
    """Prepare every component that changes, unless its archive is refused."""
    site = Site(job.project.folder, staging, extractor, times=job.times)
    if job.undoes:
        site = replace(site, undone={change.path: change for change in job.undoes.moves})
    steps = {step.path: step for step in job.plan.changes}
    planned = planned_changes(job.plan, job.undoes, job.rest)
    extracted = extract_new({change.slot: steps[change.path] for change in planned}, site)
    changes = list[Change]()
    trees = dict[str, Tree]()
    refused = list[Error]()
    skipped = set[str]()
    for change in planned:
        step = steps[change.path]
        try:
            tree = stage(change, step, site, extracted)
        except Stop as stop:
            if not all(isinstance(error, ArchiveRejected) for error in stop.errors):
                raise
            refused += stop.errors
            skipped.add(change.path)
        else:
            trees[change.path] = tree
            changes.append(with_written(change, step, tree))
    return _StagedPlan(job.plan, tuple(changes), trees, tuple(refused), frozenset(skipped))


def _stage_patches(plan: Plan, job: Job, staging: Staging, home: Folder) -> Change | None:
    """Prepare the patches that the run rewrites, or that an undo restores."""
    texts = rewritten_patches(plan)
    as_read = plan.patch_states
    if job.undoes:
        texts = restored_patches(plan, job.undoes, job.project.folder)
        as_read = {move.name: move.current for move in plan.patch_moves if move.current}
    if not texts:
        return None
    slot = str(slot_after(job.rest, len(job.plan.changes)))
    return stage_patches(texts, as_read, home, staging.folder, slot)


def _journal(staged: _StagedPlan, job: Job) -> Journal:
    """The changes that the run is about to make. Raises `Stop` if something is in the way
    of its backup.
    """
    folder = job.project.folder
    backup = new_backup(folder, time.strftime("%Y%m%d-%H%M%S"))
    snapshot = Snapshot(
        record=job.project.record,
        state=job.project.state,
        was_recorded=folder.lstat(RECORD_FILE) is not None,
        missing=frozenset(
            path for path in folders_for(staged.changes) if folder.status(path) is None
        ),
        undoes=job.undoes,
        rest=job.rest,
    )
    home = written_home(job.patches, job.project.path)
    return replace(
        journal_of(staged.plan, staged.changes, job.run, backup, snapshot),
        patches=staged.patches,
        home=home,
    )
