"""Undo: the command that brings back the previous trees of the last run that changed the project."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from hashlib import file_digest
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from msgspec import Struct

from io_edges.archives.find import find_archives
from io_edges.archives.zips import Vetted
from io_edges.building.apply import Job, apply
from io_edges.building.contents import checked_builds
from io_edges.building.hooks import run_stage
from io_edges.building.patches import home_of, patches_in
from io_edges.building.project import Project, ProjectView, open_project, project_path, run_of, view_project
from io_edges.building.store import update_state
from io_edges.building.undoing import check_replaced_files, find_last_run
from io_edges.building.view import found_in, probe_of
from io_edges.cli.changes import CHANGES, ChangeFlags, ChangeRun, Progress, preferred, report_new_scripts
from io_edges.cli.flags import SETTING_GROUPS, Flags, Output, Switch, not_empty
from io_edges.cli.session import RunConsole, file_times, request_of, resolve_and_report
from io_edges.cli.versions import takes_no_version
from io_edges.cli.words import CURRENT_FOLDER
from io_edges.report.console import print_path
from io_edges.system.stop import Stop, require
from io_edges.system.syscalls import open_regular
from pipeline.archives.entry_names import last_part
from pipeline.building.draft import PlanOptions
from pipeline.building.hooks import hook_folders
from pipeline.building.names import canonical_name, known_components, path_in_project
from pipeline.building.planning.undo import archives_built_again, named_changes
from pipeline.building.rollback import copy_into, split_version
from pipeline.building.showing.foreign import folders_on_disk
from pipeline.building.showing.plan_events import component_event, hook_events
from pipeline.building.showing.run_log import versions_kept
from pipeline.building.steps import Plan
from pipeline.building.stores.changes import RunKind
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.layout import kept_path
from pipeline.building.stores.record import RecordedComponent
from pipeline.building.stores.state import state_with
from pipeline.building.stores.undoable import Undoable, entries_before
from pipeline.plan import plan_undo
from pipeline.report.diagnostic import PathContext, WarningDiagnostic
from pipeline.report.diagnostics.bases import Command
from pipeline.report.diagnostics.building import Copy, built_again
from pipeline.report.events import UndoEvent
from pipeline.report.paths import display_path
from pipeline.schema import AUTO, SETTINGS
from pipeline.selection.select import Selection
from pipeline.systems.residences import host_of
from pipeline.values import replace

_OBEYED: Final = {"presets", "presetsSearchPath", "hooks.postScriptsDir", "hooks.onFailure", "log.format"}
"""The settings that undoing obeys, and what may set them."""


class UndoFlags(ChangeFlags):
    """What `tool undo` takes besides the settings."""

    output: Output = "."
    """The project's folder."""
    dry_run: Annotated[Switch, Parameter(alias="-n")] = False
    """Show the plan; write nothing and run no script."""
    force: Annotated[Switch, Parameter(group=CHANGES)] = False
    """Where you changed a file since, restore the previous one; back yours up."""
    mine: Annotated[Switch, Parameter(group=CHANGES)] = False
    """Where you changed a file since, keep yours; back the previous one up."""


class UndoSettings(
    Flags, of=((setting, SETTING_GROUPS[setting.group]) for setting in SETTINGS if setting.path in _OBEYED)
):
    """One field for each of these settings, `None` where its flag is not given."""


def undo(
    *names: Annotated[
        str, Parameter(validator=not_empty, name="NAME", help="Only these components; the others stay as they are.")
    ],
    flags: UndoFlags = UndoFlags(),
    settings: UndoSettings = UndoSettings(),
    console: RunConsole,
) -> None:
    """Undo the last run that changed the project.

    Examples:
      Show what would be brought back:
        tool undo --dry-run
      Undo it for one module, and keep the other changes:
        tool undo shop_banner
      Undo the last update of the project shop/:
        tool undo --output shop

    Documentation: docs/building.md
    """
    take_back("undo", flags, settings, console, names)


def take_back(
    kind: RunKind, flags: UndoFlags, settings: UndoSettings, console: RunConsole, names: tuple[str, ...] = ()
) -> None:
    """Take back the last run that changed the project, or the undo of it; with names, these components of it.

    Raises `Stop`.
    """
    prefer = preferred(f"tool {kind}", flags)
    request = request_of(flags, settings, console)
    file_times(request.environ)  # a wrong one is reported even if nothing is written
    progress = Progress(request.start / flags.output, kind=kind)
    console.closing = progress.ending
    resolved = resolve_and_report(request, console).settings
    progress.project = path = project_path(request.start, flags.output)
    run = ChangeRun(request, flags, prefer, console, resolved, progress, names)
    console.context = PathContext(".", flags.output, request.start, resolved.lists_below)
    if flags.dry_run:
        with view_project(path, console) as view:
            planned = Plan(project=view.path, steps=(), record=view.record)
            if not view.interrupted:
                taken = _plan(run, view, kind)
                planned = taken.plan
                if view.folder:
                    check_replaced_files(planned, taken.undoes, view.folder)
                console.warn(taken.again)
            run.progress.note_planned(planned, console)
            run.progress.record = planned.record.components != view.record.components
    else:
        with open_project(path, flags.wait, console, progress.effect) as project:
            try:
                if project.finished and _is_done(project.finished, run, kind):
                    progress.host = host_of(project.finished.places, probe_of(path))
                else:
                    _take_back(run, project, kind)
            finally:
                progress.report_next_steps(console)
            run.progress.outcome = "done"
    if not flags.quiet:
        print_path(str(path))


def _is_done(finished: Journal, run: ChangeRun[UndoFlags], kind: RunKind) -> bool:
    """Whether a killed run that was finished first did all that this one is to do."""
    if finished.run.kind != kind or (kind == "undo" and finished.rest and not run.words):
        return False
    return {path_in_project(name or "", finished.places) for name in run.words} <= _names_of(finished)


def _names_of(journal: Journal) -> set[str]:
    """What the components that a run changes may be called."""
    return {*journal.paths, *map(last_part, journal.paths)}


def _last_drop(view: ProjectView, run: ChangeRun[UndoFlags]) -> str:
    """The drop of the last run that built, as it is shown; empty if there is none."""
    if not view.last_drop.folder:
        return ""
    return display_path(view.path / view.last_drop.folder, run.request.start)


def _named(run: ChangeRun[UndoFlags], view: ProjectView, kind: RunKind) -> tuple[Undoable, Undoable | None]:
    """What is taken back, and what else can be undone after it. Raises `Stop` and `OSError`."""
    command = Command(_last_drop(view, run) or CURRENT_FOLDER, run.flags.output)
    last_run = find_last_run(view, kind, command)
    previous = last_run.journal
    undoes = last_run.undoable
    if kind == "redo":
        return undoes, previous.rest
    names = tuple(name for name in run.words if name is not None)
    if not names:
        return undoes, None
    builds = checked_builds(view)
    paths = set(folders_on_disk(previous.places, probe_of(view.path)))
    paths.update(build.built.path for build in builds)
    known = known_components(Selection(()), view.record, previous.paths | undoes.paths, paths)
    if any(canonical_name(name) not in known and split_version(name) for name in names):
        raise Stop(takes_no_version("tool undo"))
    current = {component.digest for component in view.record.components.values()}
    versions: dict[str, tuple[str, ...]] = {}
    for version in versions_kept(builds, ()):
        if version.digest not in current and not version.damaged:
            versions[version.path] = (*versions.get(version.path, ()), version.name)
    named = require(named_changes(names, previous, undoes, known, (command, versions)))
    return named, undoes.without(named.paths)


class _Taken(Struct, frozen=True):
    """What is taken back, and how."""

    plan: Plan
    undoes: Undoable
    rest: Undoable | None
    again: tuple[WarningDiagnostic, ...] = ()
    """What to warn of once it is done."""


def _plan(run: ChangeRun[UndoFlags], view: ProjectView, kind: RunKind) -> _Taken:
    """Say which run is taken back, and report the plan. Raises `Stop`."""
    previous, rest = _named(run, view, kind)
    home = home_of(previous.home, view.path, run.request.start)
    run.console.report(UndoEvent(previous.run.time, previous.run.command))
    options = PlanOptions(
        prefer=run.prefer,
        hooks=tuple(folder for folder in hook_folders(run.settings) if folder.stage == "post"),
        no_hooks=run.flags.hooks_forbidden_by(run.request),
    )
    found = replace(found_in(view, run.request.start, Vetted(), run.flags.output), patches=patches_in(home))
    run.console.context = replace(run.console.context, patches=found.patches_apart)
    planned = require(plan_undo(previous, view.record, view.state, found, options))
    run.progress.host = host_of(previous.places, found.probe)
    run.console.report(*map(component_event, planned.steps))
    run.console.warn(planned.warnings)
    report_new_scripts(planned, view.state, run.console)
    archives = archives_built_again(previous, partial(_may_be_in_drop, view))
    drop = _last_drop(view, run)
    copies: tuple[Copy, ...] = ()
    if drop:
        copies = tuple(_copies(previous, view, drop, run.flags.output))
    if not (archives or copies):
        return _Taken(planned, previous, rest)
    command = Command(drop or CURRENT_FOLDER, run.flags.output).line("create")
    return _Taken(planned, previous, rest, (built_again(archives, copies, command, None),))


def _copies(previous: Undoable, view: ProjectView, drop: str, output: str) -> Iterator[Copy]:
    """What puts the archives into the drop that are kept, and that it does not have, of what is brought back."""
    for change in previous.moves:
        back = change.entry_before.recorded
        is_kept = back and view.folder and view.folder.status(kept_path(back.digest))
        if back and is_kept and not _may_be_in_drop(view, back):
            folder = view.last_drop.folder
            taken = set[str]()
            if Path(view.path / folder).is_dir():
                taken = {file.whole for file in find_archives(folder, view.path, AUTO)}
            yield copy_into(drop, output, back.digest, (back.archive, back.version or ""), taken)


def _may_be_in_drop(view: ProjectView, component: RecordedComponent) -> bool:
    """Whether the drop of the last run has the archive of a component, or no drop is known."""
    folder = view.last_drop.folder
    if not folder:
        return True
    with suppress(OSError), open_regular(view.path / folder / component.archive.partition("!")[0]) as file:
        return file_digest(file, "sha256").hexdigest() == component.digest
    return False


def _take_back(run: ChangeRun[UndoFlags], project: Project, kind: RunKind) -> None:
    taken = _plan(run, project, kind)
    planned = taken.plan
    previous = taken.undoes
    again = taken.again
    home = project.path
    if planned.patch_moves:
        home = home_of(previous.home, project.path, run.request.start)
    if planned.hooks.forbidden_by:
        run.console.report(*hook_events(planned))
    if planned.is_idle and planned.record.components == project.record.components:
        after = state_with(project.state, {path: entry.last for path, entry in entries_before(previous).items()})
        run.console.warn((*again, *update_state(project.folder, project.state, after)))
        run.progress.effect.note_changed(planned.steps)
        return
    job = Job(
        plan=planned,
        project=project,
        state=planned.state,
        on_failure=run.settings.hooks_on_failure,
        patches=home,
        effect=run.progress.effect,
        run=run_of(project, run.request.environ, kind),
        undoes=previous,
        rest=taken.rest,
        times=file_times(run.request.environ),
    )
    done = apply(job, run.console)
    run.console.warn(again)
    run.progress.record = done.store.record.components != project.record.components
    run_stage("post", done.plan, project.folder, job.on_failure, run.console)
