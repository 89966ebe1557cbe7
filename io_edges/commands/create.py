"""Create: the command that builds a project: resolve, report, look, select, plan, apply."""

import time
from typing import TYPE_CHECKING

from toolz import unique

from io_edges.building.cache import save_cache
from io_edges.building.own_files import update_record
from io_edges.building.project import Project, ProjectView, look_at_project, open_project, project_path
from io_edges.commands.planning import Preparation, prepare
from io_edges.commands.run import CreateRun
from io_edges.disk import real_disk
from io_edges.report.console import Console, print_path
from io_edges.report.places import Bases
from io_edges.system.stop import Stop, require
from pipeline.building.cache import KnownFiles
from pipeline.building.last_build import last_builds
from pipeline.building.layout import BACKUPS
from pipeline.building.plan import out_of_date
from pipeline.building.plan_events import hook_events, summary
from pipeline.config.disk import Disk
from pipeline.config.layers import Settings
from pipeline.config.tree import Candidate, Document
from pipeline.emit import decisions
from pipeline.read import read
from pipeline.report.events import SummaryEvent
from pipeline.report.outcome import value_of
from pipeline.report.problems import Problem
from pipeline.report.run_notes import BackedUp
from pipeline.resolve import resolve

if TYPE_CHECKING:
    from io_edges.building.apply import Applied


def create(run: CreateRun) -> None:
    """Build the project of a drop, and leave the last line of the log to the console. Raises `Stop`."""
    started, state = time.monotonic(), run.state

    def ending() -> SummaryEvent:
        seconds = time.monotonic() - started
        return summary(state.project, state.outcome, state.steps, state.refused, seconds)

    run.console.closing = ending
    settings, legacy = _settle(run)
    state.project = path = project_path(run.start, run.flags.output)
    run.console.bases = Bases(run.drop, run.flags.output, run.start, settings.lists_below)
    if run.flags.only_looks:
        with look_at_project(path, run.console) as view:
            _look(run, settings, view)
    else:
        with open_project(path, run.flags.wait, run.console) as project:
            _build(run, settings, project)
            if legacy and not state.refused:
                from io_edges.init.legacy import lift_legacy

                lift_legacy(legacy, run.start, run.console)
    if state.refused:
        raise Stop(*state.refused)
    print_path(str(path))


def _look(run: CreateRun, settings: Settings, view: ProjectView) -> None:
    """Plan, and report the plan; with `--check`, raise `Stop` if it would change anything."""
    plan = prepare(run, settings, view).plan
    run.console.tell(*hook_events(plan))
    run.console.warn(
        BackedUp(step.path, step.backed_up, BACKUPS, dry=True, is_archives=bool(step.merge.backed_up("archive")))
        for step in plan.changes
        if step.backed_up
    )
    run.state.outcome, run.state.steps = "planned", plan.steps
    if plan.refused and not run.flags.keep_going:
        raise Stop(*plan.refused)
    if run.flags.check and (problems := out_of_date(plan, view.record)):
        raise Stop(*problems, *plan.refused)


def _build(run: CreateRun, settings: Settings, project: Project) -> None:
    """Plan, carry out the plan, and save what the next run need not find out again. Raises `Stop`."""
    preparation = prepare(run, settings, project.view)
    if preparation.plan.hooks.skipped:
        run.console.tell(*hook_events(preparation.plan))
    new_files, refused = _carry_out(run, settings, project, preparation)
    run.state.outcome, run.state.refused = "done", refused
    _save(preparation, new_files, run.console)


def _carry_out(
    run: CreateRun, settings: Settings, project: Project, preparation: Preparation
) -> tuple[dict[str, KnownFiles], tuple[Problem, ...]]:
    """Do what is planned; return the files of each component that was built, and why others were not."""
    plan, mtime = preparation.plan, run.mtime  # a wrong time stops a run even if it has nothing to write
    if plan.is_idle:
        update_record(project.folder, project.record, plan.record)
        run.when_in_place(plan)
        return {}, plan.refused
    applied = _apply(run, settings, project, preparation, mtime)
    return applied.known, (*plan.refused, *applied.refused)


def _apply(
    run: CreateRun, settings: Settings, project: Project, preparation: Preparation, mtime: int | None
) -> "Applied":
    """Change the project. Raises `Stop`, with what was refused before."""
    from io_edges.building.apply import Job, apply  # costs start-up time, as what copies, runs and undoes does

    job = Job(
        plan=preparation.plan,
        project=project,
        files=preparation.files,
        drop=run.drop,
        on_failure=settings.hooks_on_failure,
        keep_going=run.flags.keep_going,
        when_in_place=run.when_in_place,
        vetted=preparation.cache.vetted,
        mtime=mtime,
    )
    try:
        return apply(job, run.console)
    except Stop as stop:
        raise Stop(*unique((*stop.problems, *job.plan.refused))) from stop


def _save(preparation: Preparation, new_files: dict[str, KnownFiles], console: Console) -> None:
    """Save the cache, with the files of each component that was built, which are new, or is up to date."""
    plan, cache = preparation.plan, preparation.cache
    kept = {step.path: step.target.known for step in plan.steps if step.action == "keep" and step.component}
    current = {**kept, **new_files}
    builds = last_builds((step for step in plan.steps if step.path in current), current)
    save_cache(cache, {**cache.files, **current}, cache.builds | builds, console)


def _settle(run: CreateRun) -> tuple[Settings, Document | None]:
    """Resolve and report the settings; return them, and the 0.x file if it is the configuration."""
    disk = real_disk(run.start, run.console, no_exec=run.request.no_exec)
    resolution = require(resolve(run.request, disk))
    legacy = _legacy(resolution.located.candidate, disk)
    run.console.log_format = resolution.settings.log_format
    run.console.looked_at(resolution.located)
    run.console.tell(*decisions(resolution.settings))
    run.console.warn(resolution.settings.notes)
    return resolution.settings, legacy


def _legacy(candidate: Candidate | None, disk: Disk) -> Document | None:
    """The 0.x file, if it is the configuration of the run."""
    return value_of(read(candidate, disk)) if candidate and candidate.form == "legacy" else None
