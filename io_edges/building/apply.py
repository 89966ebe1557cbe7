"""Apply: carry out the plan in the project, all or nothing.

Everything is extracted and verified before the first hook runs. After that, only renames are left.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from io_edges.archives.members import Opener
from io_edges.archives.zips import Vetted
from io_edges.building.backups import new_backup
from io_edges.building.extract import Extractor
from io_edges.building.own_files import update_record
from io_edges.building.project import Project
from io_edges.building.stage import Site, extract_new, stage
from io_edges.building.staging import Staging, staging_in
from io_edges.building.swap import commit
from io_edges.report.console import Console
from io_edges.report.progress import progress
from io_edges.system.stop import Stop
from io_edges.system.syscalls import sync
from io_edges.system.trees import NOTHING, known_links, survey
from pipeline.archives.archive import ArchiveFile
from pipeline.building.cache import KnownFiles
from pipeline.building.hooks import Hook
from pipeline.building.journal import Journal, Swap
from pipeline.building.layout import BACKUPS, PLAN_FILE, STAGING
from pipeline.building.plan import Plan, Step, case_clashes
from pipeline.building.plan_events import component_events
from pipeline.config.variables import HOOK_PLAN, HOOK_PROJECT, HOOK_THEME
from pipeline.report.build_problems import ArchiveRejected
from pipeline.report.escape import to_json
from pipeline.report.problems import Problem
from pipeline.report.run_notes import BackedUp, ChangedDrop
from pipeline.schema import ARCHIVE_SUFFIX, OnFailure


class Job(Struct, frozen=True):
    """A plan to apply, and what has to be known about the run."""

    plan: Plan
    project: Project
    files: tuple[ArchiveFile, ...]
    """The archives of the drop."""
    drop: str
    """The folder as the user wrote it."""
    on_failure: OnFailure
    keep_going: bool
    when_in_place: Callable[[Plan], None]
    """Called when every component is in its place, before the post hooks."""
    vetted: Vetted
    """What the archives that this run has read are made of."""
    mtime: int | None = None
    """The time of written files, in seconds; `None` for the time of writing."""


class Applied(Struct, frozen=True):
    """What was done."""

    known: dict[str, KnownFiles] = {}
    """The digests of the files of each component that was built."""
    refused: tuple[Problem, ...] = ()
    """With `keep_going`, the problems of archives that were passed over."""


class _Staged(Struct, frozen=True):
    swaps: tuple[Swap, ...]
    written: dict[str, KnownFiles]
    """The digests of the files of each component that were written."""
    plan: Plan
    refused: tuple[Problem, ...]


def apply(job: Job, console: Console) -> Applied:
    """Build. Raises `Stop` and `OSError`."""
    plan, project = job.plan, job.project
    with staging_in(project.folder, console) as staging:
        staged = _stage(job, staging, console)
        sync(staging.folder.fd)
        variables = _variables(staged.plan, staging)
        before = _stamps(job.files)
        _run_hooks(plan.hooks.init, job, variables, console)
        if _stamps(job.files) != before:
            console.warn((ChangedDrop(job.drop),))
        links = {step.path: known_links(step.target.known) for step in plan.changes}
        if staged.swaps:
            _commit(staged, project, staging, links, console)
        else:
            update_record(project.folder, project.record, staged.plan.record)
        built = {swap.path: _built(swap, staged, project, links) for swap in staged.swaps if swap.new}
        job.when_in_place(staged.plan)
        _run_hooks(plan.hooks.post, job, variables, console)
    return Applied(built, staged.refused)


def _built(swap: Swap, staged: _Staged, project: Project, links: dict[str, KnownFiles]) -> KnownFiles:
    """The digests of the files of a component; those that this run wrote are not read again."""
    written = staged.written[swap.path]
    if swap.old is None:
        return written
    return survey(project.folder, swap.path, {**links.get(swap.path, NOTHING), **written}).known


def _stage(job: Job, staging: Staging, console: Console) -> _Staged:
    """Prepare every component that changes; all refused archives are reported together."""
    swaps: tuple[Swap, ...] = ()
    written: dict[str, KnownFiles] = {}
    refused: tuple[Problem, ...] = ()
    left: frozenset[str] = frozenset()
    total = sum(step.choice.archive.size for step in job.plan.changes if step.choice)
    ignores_case = job.project.folder.look(STAGING.upper()) is not None
    if alike := tuple(case_clashes(job.plan.steps)) if ignores_case else ():
        raise Stop(*alike)
    with progress(console, "extracting", total) as bar, Opener(job.vetted) as opener:
        site = Site(job.project.folder, staging, Extractor(opener, bar, ignores_case, job.mtime))
        steps = {str(number): step for number, step in sorted(enumerate(job.plan.changes), key=_by_archive)}
        extracted = extract_new(steps, site)
        for slot, step in steps.items():
            try:
                swap, written[step.path] = stage(step, slot, site, extracted)
                swaps += (swap,)
            except Stop as stop:
                if not all(isinstance(problem, ArchiveRejected) for problem in stop.problems):
                    raise
                refused, left = refused + stop.problems, left | {step.path}
    if (refused or job.plan.refused) and not job.keep_going:
        raise Stop(*job.plan.refused, *refused)
    if refused:  # what was to be removed may be what a refused archive holds
        left |= {step.path for step in job.plan.changes if step.action == "remove"}
        swaps = tuple(swap for swap in swaps if swap.path not in left)
    remaining = tuple(step for step in job.plan.steps if step.path not in left)
    return _Staged(swaps, written, replace(job.plan, steps=remaining), refused)


def _by_archive(numbered: tuple[int, Step]) -> tuple[tuple[str, str], int]:
    """The sort key that puts the members of one archive next to one another."""
    number, step = numbered
    return step.choice.archive.file.zip_file if step.choice else ("", ""), number


def _commit(
    staged: _Staged, project: Project, staging: Staging, links: dict[str, KnownFiles], console: Console
) -> None:
    swaps, folder = staged.swaps, project.folder
    backup = new_backup(folder, time.strftime("%Y%m%d-%H%M%S"))
    shelves = {swap.path.partition("/")[0] for swap in swaps} | {BACKUPS for swap in swaps if swap.users}
    made = tuple(sorted(shelf for shelf in shelves if folder.look(shelf) is None))
    notes = commit(folder, staging, Journal(swaps=swaps, backup=backup, made=made), staged.plan.record, links)
    theirs = {step.path for step in staged.plan.steps if step.merge.backed_up("archive")}
    console.warn(
        BackedUp(swap.path, swap.users, f"{backup}/{swap.path}", is_archives=swap.path in theirs)
        for swap in swaps
        if swap.users
    )
    console.warn(notes)


def _variables(plan: Plan, staging: Staging) -> dict[str, str]:
    """The variables for hook scripts: the project, the theme, and the path of a JSON file with the plan."""
    content = {"project": str(plan.project), "components": component_events(plan)}
    with os.fdopen(staging.folder.create(PLAN_FILE), "wb") as file:
        file.write(to_json(content).encode())
    themes = [step.name for step in plan.steps if step.kind == "theme" and step.choice]
    return {
        HOOK_PROJECT: str(plan.project),
        HOOK_THEME: "".join(themes[:1]),  # the themes that it builds on come after it
        HOOK_PLAN: str(plan.project / STAGING / PLAN_FILE),
    }


def _run_hooks(hooks: tuple[Hook, ...], job: Job, variables: dict[str, str], console: Console) -> None:
    if hooks:
        from io_edges.building.hooks import run_hooks  # costs start-up time, and only scripts need it

        run_hooks(hooks, job.plan.project, variables, job.on_failure, console)


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
