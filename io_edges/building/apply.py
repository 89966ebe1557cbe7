"""Apply: carry out the plan in the project, all or nothing.

Everything is extracted and verified before the first hook runs. After that, only renames are left.
"""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from io_edges.archives.zips import Opener, Vetted
from io_edges.building.backups import new_backup
from io_edges.building.extract import Extractor
from io_edges.building.hooks import run_hooks
from io_edges.building.keep import keep_archives
from io_edges.building.local import demand_replaceable
from io_edges.building.project import Project
from io_edges.building.stage import Location, Site, extract_new, stage
from io_edges.building.staging import Staging, staging_in
from io_edges.building.swap import commit
from io_edges.building.verified import kept_as_verified
from io_edges.report.console import Console
from io_edges.report.progress import progress
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, survey
from pipeline.archives.archive import ArchiveFile
from pipeline.archives.entry_names import folders_above
from pipeline.building.journal import Journal, Run, Swap
from pipeline.building.layout import ASIDE, BACKUPS, JOURNAL_FILE, LOCAL, PLAN_FILE, STAGING
from pipeline.building.plan_events import component_event
from pipeline.building.record import differing
from pipeline.building.state import Built
from pipeline.building.steps import Plan, Step, backups_of, case_clashes
from pipeline.building.tree import Tree
from pipeline.config.variables import HOOK_PLAN, HOOK_PROJECT, HOOK_THEME
from pipeline.report.diagnostics import Problem
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.runs import ChangedDrop
from pipeline.report.escape import to_json
from pipeline.schema import ARCHIVE_SUFFIX, OnFailure


class Job(Struct, frozen=True):
    """A plan to apply, and what has to be known about the run."""

    plan: Plan
    project: Project
    on_failure: OnFailure
    when_changed: Callable[[tuple[Step, ...]], None]
    """Called with the steps that are done when the project is not as it was any more, or may not be."""
    when_in_place: Callable[[Plan, Built], None]
    """Called when every component is in its place, before the post hooks."""
    run: Run
    """What is to be known of the run later on."""
    files: tuple[ArchiveFile, ...] = ()
    """The archives of the drop."""
    drop: str = "."
    """The folder as the user wrote it."""
    keep_going: bool = False
    vetted: Vetted = field(default_factory=Vetted)
    """What the archives that this run has read are made of."""
    sources: Mapping[str, Location] = {}
    """Where the files of components come from that are not built from an archive."""
    times: tuple[int, int] | None = None
    """The two times of written files, in nanoseconds; `None` for the time of writing."""

    @property
    def is_recorded(self) -> bool:
        """Whether the record changes."""
        return self.plan.record.components != self.project.record.components


class _Staged(Struct, frozen=True):
    swaps: tuple[Swap, ...]
    written: dict[str, Tree]
    """The digests of the files of each component that were written."""
    plan: Plan
    refused: tuple[Problem, ...]


def apply(job: Job, console: Console) -> tuple[Problem, ...]:
    """Build; return the problems of archives that were passed over. Raises `Stop` and `OSError`."""
    plan, project = job.plan, job.project
    demand_replaceable(project.folder)
    with staging_in(project.folder, console) as staging:
        staged = _stage(job, staging, console)
        sync(staging.folder.fd)
        variables = _variables(staged.plan, staging)
        before, init = _stamps(job.files), plan.hooks.at("init")
        with kept_as_verified(staged.swaps, _known(staged, job), project.folder, staging) if init else nullcontext():
            run_hooks(init, plan.project, variables, job.on_failure, console)
        if _stamps(job.files) != before:
            console.warn((ChangedDrop(job.drop),))
        _put(staged, job, staging, console)
        run_hooks(plan.hooks.at("post"), plan.project, variables, job.on_failure, console)
    return staged.refused


def _known(staged: _Staged, job: Job) -> dict[str, Tree]:
    """The digests of the staged files of each component: of those that were written, and of the user's."""
    links = {step.path: step.target.tree.linked for step in job.plan.changes}
    return {path: links.get(path, NOTHING).with_written(written) for path, written in staged.written.items()}


def _put(staged: _Staged, job: Job, staging: Staging, console: Console) -> None:
    """Put components in place and write record and state; until then the journal stays, from which both can be told."""
    project, links = job.project, {step.path: step.target.tree.linked for step in job.plan.changes}
    is_finished = False
    with held_signals():
        if staged.swaps or job.is_recorded:
            try:
                is_finished = _commit(staged, job, staging, links, console)
            except BaseException:
                if _may_be_changed(staging):
                    job.when_changed(())
                raise
        job.when_changed(staged.plan.steps)
        built = {
            swap.path: (swap.component, _built(swap, staged, project, links)) for swap in staged.swaps if swap.component
        }
        job.when_in_place(staged.plan, built)
        for _ in range(2 * is_finished):  # a refusal may be temporary; else the next run settles what is done
            with suppress(OSError):
                staging.folder.discard(JOURNAL_FILE)
                break


def _may_be_changed(staging: Staging) -> bool:
    """Whether a run that failed could not put everything back, so that the next one has to settle it."""
    with suppress(OSError):
        return staging.folder.look(JOURNAL_FILE) is not None
    return True


def _built(swap: Swap, staged: _Staged, project: Project, links: dict[str, Tree]) -> Tree:
    """The digests of the files of a component; those that this run wrote are not read again."""
    written = staged.written[swap.path]
    if swap.old is None:
        return written
    with suppress(OSError):  # else the next run reads them
        return survey(project.folder, swap.path, links.get(swap.path, NOTHING).with_written(written))
    return Tree(swap.after)


def _stage(job: Job, staging: Staging, console: Console) -> _Staged:
    """Prepare every component that changes; all refused archives are reported together."""
    swaps: tuple[Swap, ...] = ()
    written: dict[str, Tree] = {}
    refused: tuple[Problem, ...] = ()
    left: frozenset[str] = frozenset()
    total = sum(step.choice.archive.size for step in job.plan.changes if step.choice)
    ignores_case = job.project.folder.look(LOCAL.upper()) is not None
    if alike := tuple(case_clashes(job.plan.steps)) if ignores_case else ():
        raise Stop(*alike)
    with progress(console, "extracting", total) as bar, Opener(job.vetted) as opener:
        site = Site(job.project.folder, staging, Extractor(opener, bar, ignores_case, job.times), job.sources)
        steps = {str(number): step for number, step in sorted(enumerate(job.plan.changes), key=_by_archive)}
        extracted = extract_new(steps, site)
        for slot, step in steps.items():
            try:
                swap, written[step.path] = stage(step, slot, site, extracted)
                swaps += (swap if step.target.has_modes else swap.without_bits(),)
            except Stop as stop:
                if not all(isinstance(problem, ArchiveRejected) for problem in stop.problems):
                    raise
                refused, left = refused + stop.problems, left | {step.path}
        if job.run.keeps and (swaps or job.is_recorded):
            staging.make(ASIDE).close()
            archives = (step.choice.archive for step in job.plan.steps if step.choice)  # of what is up to date, too
            not_kept = keep_archives(archives, job.project.folder, staging, opener)
            console.warn((not_kept,) if not_kept else ())
    if (refused or job.plan.refused) and not job.keep_going:
        raise Stop(*job.plan.refused, *refused)
    if refused:  # what was to be removed may be what a refused archive holds
        left |= {step.path for step in job.plan.changes if step.action == "remove"}
        swaps = tuple(swap for swap in swaps if swap.path not in left)
    remaining = tuple(step for step in job.plan.steps if step.path not in left)
    return _Staged(swaps, written, replace(job.plan, steps=remaining), refused)


def _by_archive(numbered: tuple[int, Step]) -> tuple[tuple[str, ...], int]:
    """The sort key that puts the members of one archive next to one another."""
    number, step = numbered
    return step.choice.archive.file.zip_file if step.choice else ("",), number


def _commit(staged: _Staged, job: Job, staging: Staging, links: dict[str, Tree], console: Console) -> bool:
    """Put components in place; return whether the journal is of no more use once the state is written."""
    swaps, folder = staged.swaps, job.project.folder
    backup = new_backup(folder, time.strftime("%Y%m%d-%H%M%S"))
    parents = {parent for swap in swaps for parent in folders_above(swap.path)}
    parents |= {BACKUPS for swap in swaps if swap.users}
    made = tuple(sorted(parent for parent in parents if folder.status(parent) is None))
    known = job.project.state.components
    record = staged.plan.record
    changed = {*(swap.path for swap in swaps), *differing(job.run.before, record)}
    last = {path: each for path, each in known.items() if path in changed}
    run = replace(job.run, last=last, base=job.run.base if swaps else record)
    journal = Journal(swaps=swaps, backup=backup, places=record.places, made=made, run=run)
    notes, is_finished = commit(folder, staging, journal, record, links)
    steps = {step.path: step for step in staged.plan.steps}
    for swap in swaps:
        console.warn(backups_of(steps[swap.path], swap.users, f"{backup}/{swap.path}"))
    console.warn(notes)
    return is_finished


def _variables(plan: Plan, staging: Staging) -> dict[str, str]:
    """The variables for hook scripts: the project, the theme, and the path of a JSON file with the plan."""
    content = {"project": str(plan.project), "components": list(map(component_event, plan.steps))}
    with os.fdopen(staging.folder.create(PLAN_FILE), "wb") as file:
        staging.folder.give_rights(file.fileno())
        file.write(to_json(content).encode())
    themes = [step.name for step in plan.steps if step.kind == "theme" and step.choice]
    return {
        HOOK_PROJECT: str(plan.project),
        HOOK_THEME: "".join(themes[:1]),  # the themes that it builds on come after it
        HOOK_PLAN: str(plan.project / STAGING / PLAN_FILE),
    }


def _stamps(files: tuple[ArchiveFile, ...]) -> object:
    """What shows whether the archives of a drop were changed: their names, sizes and times."""
    folders = {file.path.parent for file in files}
    try:
        paths = (path for folder in folders for path in Path(folder).iterdir())
        names = {path.name for path in paths if path.suffix.lower() == ARCHIVE_SUFFIX}
        statuses = [Path(file.path).stat() for file in files]
    except OSError as error:
        return str(error)
    return names, [(status.st_size, status.st_mtime_ns) for status in statuses]
