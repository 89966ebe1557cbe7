"""Create: the command that builds a project: resolve, report, look, select, plan, apply."""

import time
from contextlib import AbstractContextManager
from pathlib import PurePath

from msgspec import Struct, field
from msgspec.structs import replace

from io_edges.archives.find import find_archives, find_unused
from io_edges.building.apply import Job, apply
from io_edges.building.cache import OpenCache, open_cache, save_cache, size_of
from io_edges.building.hooks import list_scripts
from io_edges.building.project import Project, look_at_project, open_project, project_path
from io_edges.building.targets import removal_of, standing_at, targets_of
from io_edges.disk import real_disk
from io_edges.flags import CreateFlags
from io_edges.init.legacy import lift_legacy, read_legacy
from io_edges.report.console import Console, print_path
from io_edges.report.progress import progress
from io_edges.system.stop import Stop, require
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.building.hooks import Hook, Stage, plan_hooks
from pipeline.building.layout import BACKUPS
from pipeline.building.plan import (
    Plan,
    Step,
    Target,
    archive_events,
    build_step,
    component_events,
    departing_step,
    departures,
    hook_events,
    is_doubtful,
    out_of_date,
    record_found,
    summary,
    without_conflict,
)
from pipeline.config.layers import Settings
from pipeline.config.tree import Document
from pipeline.emit import decisions
from pipeline.report.build_notes import BackedUp, GoneArchive, MissingHookFolder
from pipeline.report.build_problems import ArchiveRejected, FileSystemProblem, OutputConflict
from pipeline.report.events import RunOutcome, SummaryEvent
from pipeline.report.problems import Problem
from pipeline.resolve import Request, resolve
from pipeline.schema import CACHE_FILE
from pipeline.selection.select import Selection, select, stays_closed


class Reached(Struct):
    """How far a run has got, for its last line."""

    project: PurePath
    outcome: RunOutcome = "unchanged"
    steps: tuple[Step, ...] = ()


class Run(Struct, frozen=True):
    """One run of the command. `drop` is the folder as the user wrote it."""

    request: Request
    drop: str
    flags: CreateFlags
    console: Console
    reached: Reached
    refused: list[Problem] = field(default_factory=list)
    """With `--keep-going`, the problems of archives that were passed over."""

    def in_place(self, plan: Plan) -> None:
        """Note that what was planned is in place, and that only post hooks are left."""
        self.reached.outcome, self.reached.steps = "stopped", plan.steps

    @property
    def start(self) -> PurePath:
        """The current folder."""
        return self.request.start


def create(run: Run) -> None:
    """Build the project of a drop, and leave the last line of the log to the console. Raises `Stop`."""
    started, reached = time.monotonic(), run.reached

    def ending() -> SummaryEvent:
        return summary(reached.project, reached.outcome, reached.steps, len(run.refused), time.monotonic() - started)

    run.console.closing = ending
    settings, legacy = _settle(run)
    try:
        with _opened(run) as project:
            reached.project = project.path
            plan = _build(run, settings, project)
            if legacy and not run.refused and not run.flags.only_looks:
                lift_legacy(legacy, run.start, run.console)
    except Stop as stop:
        raise Stop(*stop.problems, *run.refused) from stop
    if run.refused:
        raise Stop(*run.refused)
    print_path(str(plan.project))


def _build(run: Run, settings: Settings, project: Project) -> Plan:
    """Plan, report the plan and, unless this is a dry run, apply it; return what was done."""
    files = find_archives(run.drop, run.start, settings.theme)
    run.console.warn(find_unused(run.drop, run.start))
    cache = open_cache(_cache_file(settings, project), project.path, run.console)
    plan = _plan(run, settings, project, _choose(run, settings, files, cache))
    run.console.tell(*component_events(plan))
    if run.flags.only_looks:
        run.console.tell(*hook_events(plan))
        run.console.warn(BackedUp(step.path, step.users, BACKUPS, dry=True) for step in plan.changes if step.users)
        run.reached.outcome, run.reached.steps = "planned", plan.steps
        if run.flags.check and (problems := out_of_date(plan, project.record)):
            raise Stop(*problems)
        return plan
    job = Job(
        plan, project, files, run.drop, settings.hooks_on_failure, run.flags.keep_going, run.refused, run.in_place
    )
    done = apply(job, run.console)
    run.reached.outcome = "done"
    save_cache(cache, run.console)
    return done


def _cache_file(settings: Settings, project: Project) -> PurePath | None:
    """The cache file, if one is used; one that no setting names lies in the project."""
    if not settings.cache_enabled:
        return None
    is_named = settings.decision("cache.file").winner.layer != "default"
    return settings.cache_file if is_named else project.path / CACHE_FILE


def _settle(run: Run) -> tuple[Settings, Document | None]:
    """Resolve and report the settings; return them, and the 0.x file if it is the configuration."""
    disk = real_disk(run.start, run.console)
    resolution = require(resolve(run.request, disk))
    legacy = read_legacy(resolution.located, disk)
    run.console.log_format = resolution.settings.log_format
    run.console.looked_at(resolution.located)
    run.console.tell(*decisions(resolution.settings))
    run.console.warn(resolution.settings.notes)
    return resolution.settings, legacy


def _opened(run: Run) -> AbstractContextManager[Project]:
    """Open the project; a dry run only looks at it."""
    path = project_path(run.start, run.flags.output)
    return (
        look_at_project(path, run.console) if run.flags.only_looks else open_project(path, run.flags.wait, run.console)
    )


class Chosen(Struct, frozen=True):
    """The selection, and the refused archives, whose components are unknown and may be in the project."""

    selection: Selection
    unsure: frozenset[str]


def _choose(run: Run, settings: Settings, files: tuple[ArchiveFile, ...], cache: OpenCache) -> Chosen:
    """Look into the archives and select among them; with `--keep-going`, refused ones are passed over."""
    closed = {file for file in files if stays_closed(settings, file)}
    with progress(run.console, "reading", sum(size_of(file) for file in files if file not in closed)) as bar:
        archives = tuple(
            archive
            for file in files
            for archive in ((Archive(file=file),) if file in closed else cache.look_into(file, bar))
        )
    selection = select(settings, archives, run.drop)
    run.console.tell(*archive_events(selection))
    run.console.warn(selection.notes)
    refusals = [each for each in selection.problems if isinstance(each, ArchiveRejected | FileSystemProblem)]
    if run.flags.keep_going and len(refusals) == len(selection.problems):
        run.refused.extend(refusals)
        selection = replace(selection, problems=())
    return Chosen(
        selection, frozenset(each.archive.file.display_path for each in selection.choices if is_doubtful(each))
    )


def _plan(run: Run, settings: Settings, project: Project, chosen: Chosen) -> Plan:
    """Compare what is selected, and what else is recorded, with what is in the project."""
    selected = [each for each in require(chosen.selection.selected) if each.archive.files and not each.archive.refusals]
    leaving, absent = _departing(run, project, chosen)
    steps = (*map(build_step, selected, targets_of(selected, project)), *leaving)
    planned = require(without_conflict(steps, force=run.flags.force))
    if any(step.users for step in planned) and project.folder and (obstacle := project.folder.obstacle(BACKUPS)):
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1]))
    return Plan(
        project=project.path,
        steps=planned,
        record=record_found(project.record, planned, absent),
        init=_hooks(run, settings, "init", "hooks.initScriptsDir", settings.hooks_init_scripts_dir),
        post=_hooks(run, settings, "post", "hooks.postScriptsDir", settings.hooks_post_scripts_dir),
    )


def _departing(run: Run, project: Project, chosen: Chosen) -> tuple[list[Step], list[str]]:
    """The steps for recorded components that are not selected, and the paths of those that no longer exist."""
    leaving = departures(project.record, chosen.selection, chosen.unsure, prune=run.flags.prune)
    removed = {path: removal_of(path, project) for path in leaving.removed}
    gone = {path: standing_at(path, project) for path in leaving.gone}
    absent = [path for path, target in {**removed, **gone}.items() if target.standing == "absent"]
    kept = {path: Target(standing="same", seen=gone[path].seen) for path in gone if path not in absent}
    there = {choice.archive.file.whole for choice in chosen.selection.choices}
    archives = {path: project.record.components[path].archive for path in kept}
    others = {each for each in archives.values() if any(f"{each}!".startswith(f"{file}!") for file in there)}
    run.console.warn(GoneArchive(path, each, each in others) for path, each in archives.items())
    steps = [departing_step(path, "remove", removed[path]) for path in removed if path not in absent]
    return [*steps, *(departing_step(path, "keep", target) for path, target in kept.items())], absent


def _hooks(run: Run, settings: Settings, stage: Stage, leaf: str, folder: PurePath) -> tuple[Hook, ...]:
    """Plan the scripts of one folder; warn if it is missing and a setting names it."""
    if run.flags.no_hooks:
        return ()
    scripts = list_scripts(folder, run.start)
    named = settings.decision(leaf).winner
    if scripts is None and named.layer != "default":
        run.console.warn((MissingHookFolder(leaf, str(named.value), named.source),))
    hooks, notes = plan_hooks(stage, scripts or ())
    run.console.warn(notes)
    return hooks
