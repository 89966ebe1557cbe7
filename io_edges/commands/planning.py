"""Planning: what `tool create` looks at and reports before it builds: archives, selection, and what is there."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import PurePath

from msgspec import Struct

from io_edges.archives.find import find_archives, find_unused
from io_edges.archives.members import Opener
from io_edges.building.ahead import steps_of, would_be_built
from io_edges.building.cache import OpenCache, open_cache
from io_edges.building.hook_folder import list_scripts
from io_edges.building.project import ProjectView
from io_edges.building.targets import place_at, read_files, target_at, targets_at
from io_edges.commands.choose import DropSelection, cache_file, choose, is_elsewhere
from io_edges.commands.run import CreateRun
from io_edges.system.stop import Stop, require
from pipeline.archives.archive import ArchiveFile
from pipeline.building.departures import DepartureSteps, departures, removals, retentions
from pipeline.building.hooks import Hook, Hooks, Stage, plan_hooks
from pipeline.building.layout import BACKUPS
from pipeline.building.plan import (
    Plan,
    Step,
    conflicts,
    updated_record,
)
from pipeline.building.plan_events import archive_events, component_events
from pipeline.config.layers import Settings
from pipeline.report.build_problems import OutputConflict
from pipeline.report.run_notes import MissingHookFolder
from pipeline.selection.choices import Choice


class Preparation(Struct, frozen=True):
    """What a run knows before it changes anything."""

    plan: Plan
    files: tuple[ArchiveFile, ...]
    """The archives of the drop."""
    cache: OpenCache


def prepare(run: CreateRun, settings: Settings, view: ProjectView) -> Preparation:
    """Look into the archives, and plan. Report the archives and the plan. Raises `Stop`."""
    files = find_archives(run.drop, run.start, settings.theme)
    unused = find_unused(run.drop, run.start)
    run.console.warn(unused)
    cache = open_cache(cache_file(settings, view), view.path, run.console)
    selection = choose(settings, files, run.drop, cache, run.console)
    run.console.tell(*archive_events(selection))
    run.console.warn(selection.notes)
    drop = DropSelection(selection, is_elsewhere(files, unused))
    plan = plan_build(run, settings, view, drop.passing_over() if run.flags.keep_going else drop, cache)
    run.state.refused = plan.refused if run.flags.keep_going else ()
    run.console.tell(*component_events(plan))
    return Preparation(plan, files, cache)


def plan_build(run: CreateRun, settings: Settings, view: ProjectView, drop: DropSelection, cache: OpenCache) -> Plan:
    """Compare what is selected, and what else is recorded, with what is in the project. Raises `Stop`."""
    selected = list(filter(would_be_built, require(drop.selection.selected)))
    if run.flags.frozen:
        _demand_record(run, view, selected)
    targets = targets_at([choice.component.path for choice in selected], view, cache.files)
    selected_steps, refused = steps_of(selected, targets, view, cache, run.wins)
    wrong = conflicts(selected_steps)
    if wrong and not run.flags.keep_going:
        raise Stop(*wrong, *refused)
    departing = _departure_steps(run, view, drop, cache)
    steps = (*(step for step in selected_steps if not conflicts((step,))), *departing.steps)
    _demand_place_for_backups(view, steps)
    return Plan(
        project=view.path,
        steps=steps,
        record=updated_record(view.record, steps, departing.absent),
        refused=(*drop.refused, *refused, *wrong),
        hooks=_hooks(run, settings),
    )


def _demand_record(run: CreateRun, view: ProjectView, selected: Iterable[Choice]) -> None:
    """Raise `Stop` unless drop and selection are what the record says."""
    from pipeline.building.frozen import check_frozen  # costs start-up time, and only --frozen needs it

    recorded = view.record.components
    with Opener() as opener:
        contents = {
            choice.component.path: read_files(choice, opener)
            for choice in selected
            if (known := recorded.get(choice.component.path)) and known.digest != choice.archive.digest
        }
    check = check_frozen(view.record, selected, contents)
    run.console.warn(check.notes)
    if check.problems:
        raise Stop(*check.problems)


def _departure_steps(run: CreateRun, view: ProjectView, drop: DropSelection, cache: OpenCache) -> DepartureSteps:
    """What is done about recorded components that are not built. Warn of those that are kept. Raises `Stop`."""
    leaving = departures(view.record, drop.selection, is_elsewhere=drop.is_elsewhere)
    if run.flags.prune and not leaving.in_doubt:
        targets = {path: target_at(path, view, cache.files) for path in leaving.paths}
        departing = removals(cache.own_record(view.record, targets), targets)
        if wrong := conflicts(departing.steps):
            raise Stop(*wrong)
    else:
        departing = retentions(view.record, leaving, {path: place_at(path, view) for path in leaving.paths})
        run.console.warn(departing.notes)
    return departing


def _demand_place_for_backups(view: ProjectView, steps: Iterable[Step]) -> None:
    """Raise `Stop` if files go to the backup, and something is in the way of its folder."""
    backs_up = any(step.backed_up for step in steps)
    if backs_up and view.folder and (obstacle := view.folder.obstacle(BACKUPS)):
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1]))


def _hooks(run: CreateRun, settings: Settings) -> Hooks:
    """Plan the scripts of both folders; if none may run, those that would."""
    folders: tuple[tuple[Stage, str, PurePath], ...] = (
        ("init", "hooks.initScriptsDir", settings.hooks_init_scripts_dir),
        ("post", "hooks.postScriptsDir", settings.hooks_post_scripts_dir),
    )
    if run.forbids_hooks:
        with suppress(Stop):  # a folder that cannot be read does not matter
            scripts = [(stage, list_scripts(folder, run.start) or ()) for stage, _, folder in folders]
            skipped = tuple(hook for stage, files in scripts for hook in plan_hooks(stage, files)[0])
            return Hooks(skipped=skipped, forbidden_by=run.forbids_hooks)
        return Hooks()
    init, post = (_scripts(run, settings, *folder) for folder in folders)
    return Hooks(init, post)


def _scripts(run: CreateRun, settings: Settings, stage: Stage, leaf: str, folder: PurePath) -> tuple[Hook, ...]:
    """Plan the scripts of one folder; warn if it is missing and a setting names it."""
    scripts = list_scripts(folder, run.start)
    origin = settings.decision(leaf).winner
    if scripts is None and origin.layer != "default":
        run.console.warn((MissingHookFolder(leaf, str(origin.value), origin.source),))
    hooks, notes = plan_hooks(stage, scripts or ())
    run.console.warn(notes)
    return hooks
