"""Planning: what `tool create` looks at and reports before it builds: archives, selection, and what is there."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import PurePath

from msgspec.structs import replace

from io_edges.archives.find import find_unused
from io_edges.archives.members import Opener
from io_edges.building.cache import OpenCache, open_cache
from io_edges.building.hook_folder import list_scripts
from io_edges.building.project import ProjectView
from io_edges.building.targets import archive_files, read_files, target_at, targets_at
from io_edges.commands.choose import Chosen, cache_file, choose, is_elsewhere
from io_edges.commands.run import CreateRun
from io_edges.system.stop import Stop, require
from pipeline.archives.archive import ArchiveFile
from pipeline.building.departures import departures
from pipeline.building.hooks import Hook, Hooks, Stage, plan_hooks
from pipeline.building.layout import BACKUPS
from pipeline.building.plan import (
    Plan,
    Step,
    build_step,
    conflicts,
    kept_step,
    removal_step,
    updated_record,
)
from pipeline.building.plan_events import archive_events, component_events
from pipeline.config.layers import Settings
from pipeline.report.build_problems import OutputConflict
from pipeline.report.problems import Problem
from pipeline.report.run_notes import KeptComponents, MissingHookFolder
from pipeline.selection.choices import Choice


def prepare(
    run: CreateRun, settings: Settings, view: ProjectView, files: tuple[ArchiveFile, ...]
) -> tuple[Plan, OpenCache]:
    """Look into the archives, and plan. Report the archives and the plan."""
    unused = find_unused(run.drop, run.start)
    run.console.warn(unused)
    cache = open_cache(cache_file(settings, view), view.path, run.console)
    chosen = choose(settings, files, run.drop, cache, run.console)
    run.console.tell(*archive_events(chosen.selection))
    run.console.warn(chosen.selection.notes)
    may_prune = not is_elsewhere(files, unused)
    chosen = replace(chosen.passing_over() if run.flags.keep_going else chosen, may_prune=may_prune)
    plan = plan_build(run, settings, view, chosen, cache)
    run.reached.refused = plan.refused if run.flags.keep_going else ()
    run.console.tell(*component_events(plan))
    return plan, cache


def plan_build(run: CreateRun, settings: Settings, view: ProjectView, chosen: Chosen, cache: OpenCache) -> Plan:
    """Compare what is selected, and what else is recorded, with what is in the project. Raises `Stop`."""
    selected = [each for each in require(chosen.selection.selected) if each.archive.files and not each.archive.refusals]
    if run.flags.frozen:
        _demand_record(run, view, selected)
    steps, refused = _steps(run, selected, view, cache)
    wrong = conflicts(steps)
    if wrong and not run.flags.keep_going:
        raise Stop(*wrong, *refused)
    steps = [step for step in steps if not conflicts((step,))]
    leaving, absent = _departing(run, view, chosen, cache)
    planned = (*steps, *leaving)
    if any(step.backed_up for step in planned) and view.folder and (obstacle := view.folder.obstacle(BACKUPS)):
        raise Stop(OutputConflict(obstacle[0], reason=obstacle[1]))
    return Plan(
        project=view.path,
        steps=planned,
        record=updated_record(view.record, planned, absent),
        refused=(*chosen.refused, *refused, *wrong),
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


def _steps(
    run: CreateRun, selected: Sequence[Choice], view: ProjectView, cache: OpenCache
) -> tuple[list[Step], tuple[Problem, ...]]:
    """The steps of selected components, and the problems of archives whose damage shows as they are compared."""
    steps: dict[int, Step] = {}
    refused: tuple[Problem, ...] = ()
    targets = targets_at([choice.component.path for choice in selected], view, cache.files)
    with Opener(cache.vetted) as opener:  # which opens each archive once, if its components follow one another
        for number, choice in sorted(enumerate(selected), key=lambda each: each[1].archive.file.zip_file):
            path = choice.component.path
            try:
                files = archive_files(choice, targets[path], view, opener)
            except Stop as stop:
                refused += stop.problems
            else:
                recorded = cache.as_built_here(path, targets[path], view.record.components.get(path))
                steps[number] = build_step(choice, targets[path], files, recorded, run.wins)
    return [steps[number] for number in sorted(steps)], refused


def _departing(run: CreateRun, view: ProjectView, chosen: Chosen, cache: OpenCache) -> tuple[list[Step], list[str]]:
    """The steps for recorded components that are not built, and the paths of those that no longer exist."""
    leaving = departures(view.record, chosen.selection, chosen.unsure, prune=run.flags.prune and chosen.may_prune)
    recorded = view.record.components
    targets = {path: target_at(path, view, cache.files) for path in leaving.removed}
    others = (*leaving.left_out, *leaving.gone)
    there = {path for path in others if view.folder and not view.folder.obstacle(path) and view.folder.status(path)}
    absent = [path for path in leaving.removed if targets[path].standing == "absent"]
    absent += [path for path in others if path not in there and (view.folder is None or not view.folder.obstacle(path))]
    left_out, gone = (tuple(path for path in paths if path in there) for paths in (leaving.left_out, leaving.gone))
    if left_out or gone:
        in_doubt = bool(chosen.unsure) or not chosen.may_prune
        run.console.warn((KeptComponents(left_out, gone, in_doubt),))
    own = {path: cache.as_built_here(path, targets[path], recorded[path]) for path in targets}
    removals = [removal_step(path, targets[path], each) for path, each in own.items() if each and path not in absent]
    if wrong := conflicts(removals):
        raise Stop(*wrong)
    return [*removals, *(kept_step(path, recorded[path]) for path in others if path in there)], absent


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
