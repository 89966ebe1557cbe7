"""Planning: what `tool create` looks at and reports before it builds: archives, selection, and what is there."""

from collections.abc import Iterable
from pathlib import PurePath

from msgspec import Struct
from msgspec.structs import replace

from io_edges.archives.find import find_unused
from io_edges.archives.members import Opener
from io_edges.building.cache import OpenCache, open_cache, size_of
from io_edges.building.hooks import list_scripts
from io_edges.building.project import ProjectView
from io_edges.building.targets import archive_files, target_at
from io_edges.commands.run import Run
from io_edges.report.progress import progress
from io_edges.system.stop import Stop, require
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.building.departures import departures, is_doubtful
from pipeline.building.hooks import Hook, Stage, plan_hooks
from pipeline.building.layout import BACKUPS
from pipeline.building.plan import (
    Plan,
    Step,
    build_step,
    conflicts,
    kept_step,
    path_of,
    removal_step,
    updated_record,
)
from pipeline.building.plan_events import archive_events, component_events
from pipeline.building.record import archive_name
from pipeline.config.layers import Settings
from pipeline.report.build_notes import KeptComponents, MissingHookFolder
from pipeline.report.build_problems import ArchiveRejected, FileSystemProblem, OutputConflict
from pipeline.report.problems import Problem
from pipeline.schema import CACHE_FILE
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection, select, stays_closed


def _cache_file(settings: Settings, view: ProjectView) -> PurePath | None:
    """The cache file, if one is used; one that no setting names lies in the project."""
    if not settings.cache_enabled:
        return None
    is_named = settings.decision("cache.file").winner.layer != "default"
    return settings.cache_file if is_named else view.path / CACHE_FILE


def prepare(run: Run, settings: Settings, view: ProjectView, files: tuple[ArchiveFile, ...]) -> tuple[Plan, OpenCache]:
    """Look into the archives, and plan. Report the archives and the plan."""
    run.console.warn(find_unused(run.drop, run.start))
    cache = open_cache(_cache_file(settings, view), view.path, run.console)
    plan = _plan(run, settings, view, _choose(run, settings, files, cache), cache)
    run.reached.refused = plan.refused if run.flags.keep_going else ()
    run.console.tell(*component_events(plan))
    return plan, cache


class Chosen(Struct, frozen=True):
    """The selection, and what `--keep-going` passes over."""

    selection: Selection
    refused: tuple[Problem, ...] = ()

    @property
    def unsure(self) -> frozenset[str]:
        """The refused archives, whose components are unknown and may be in the project, as the record calls them."""
        return frozenset(archive_name(each.archive.file) for each in self.selection.choices if is_doubtful(each))


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
        return Chosen(replace(selection, problems=()), tuple(refusals))
    return Chosen(selection)


def _plan(run: Run, settings: Settings, view: ProjectView, chosen: Chosen, cache: OpenCache) -> Plan:
    """Compare what is selected, and what else is recorded, with what is in the project."""
    selected = [each for each in require(chosen.selection.selected) if each.archive.files and not each.archive.refusals]
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
        init=_hooks(run, settings, "init", "hooks.initScriptsDir", settings.hooks_init_scripts_dir),
        post=_hooks(run, settings, "post", "hooks.postScriptsDir", settings.hooks_post_scripts_dir),
    )


def _steps(
    run: Run, selected: Iterable[Choice], view: ProjectView, cache: OpenCache
) -> tuple[list[Step], tuple[Problem, ...]]:
    """The steps of selected components, and the problems of archives whose damage shows as they are compared."""
    steps: dict[int, Step] = {}
    refused: tuple[Problem, ...] = ()
    with Opener() as opener:  # which opens each archive once, if its components follow one another
        for number, choice in sorted(enumerate(selected), key=lambda each: each[1].archive.file.zip_file):
            path = path_of(choice)
            target = target_at(path, view, cache.files)
            try:
                files = archive_files(choice, target, view, opener)
            except Stop as stop:
                refused += stop.problems
            else:
                steps[number] = build_step(choice, target, files, view.record.components.get(path), run.wins)
    return [steps[number] for number in sorted(steps)], refused


def _departing(run: Run, view: ProjectView, chosen: Chosen, cache: OpenCache) -> tuple[list[Step], list[str]]:
    """The steps for recorded components that are not built, and the paths of those that no longer exist."""
    leaving = departures(view.record, chosen.selection, chosen.unsure, prune=run.flags.prune)
    recorded = view.record.components
    targets = {path: target_at(path, view, cache.files) for path in leaving.removed}
    others = (*leaving.left_out, *leaving.gone)
    there = {path for path in others if view.folder and not view.folder.obstacle(path) and view.folder.status(path)}
    absent = [path for path in leaving.removed if targets[path].standing == "absent"]
    absent += [path for path in others if path not in there and (view.folder is None or not view.folder.obstacle(path))]
    left_out, gone = (tuple(path for path in paths if path in there) for paths in (leaving.left_out, leaving.gone))
    if left_out or gone:
        run.console.warn((KeptComponents(left_out, gone),))
    removals = [removal_step(path, targets[path], recorded[path]) for path in targets if path not in absent]
    if wrong := conflicts(removals):
        raise Stop(*wrong)
    return [*removals, *(kept_step(path, recorded[path]) for path in others if path in there)], absent


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
