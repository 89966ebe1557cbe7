"""Undo: the command that exchanges back what the last run that changed the project put aside."""

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct
from msgspec.structs import replace

from io_edges.building.hook_folder import list_scripts
from io_edges.building.project import Project, ProjectView, look_at_project, open_project, project_path, run_of
from io_edges.building.record_file import update_record
from io_edges.building.state_file import update_state
from io_edges.building.targets import targets_at
from io_edges.cli.flags import CommonFlags, Output, SettingFlags, Switch, not_negative
from io_edges.cli.session import RunConsole, request_of, resolve_aloud
from io_edges.report.console import Console, print_path
from io_edges.system.stop import Stop, require
from pipeline.building.hooks import hook_folders, plan_all_hooks
from pipeline.building.plan_events import component_events, hook_events, summary
from pipeline.building.record import Record
from pipeline.building.state import Built
from pipeline.building.steps import Plan, Step, conflicts, planned_backups
from pipeline.building.undo import Previous, left_by, rebuilt, state_before, undo_steps
from pipeline.config.layers import Settings
from pipeline.config.variables import NO_EXEC
from pipeline.report.events import RunOutcome, SummaryEvent
from pipeline.report.problems import Problem
from pipeline.report.problems.building import BuiltAgain
from pipeline.report.problems.conflicts import OutputConflict
from pipeline.report.problems.settings import UsageError
from pipeline.report.subject import Bases
from pipeline.resolve import Request


@dataclass(frozen=True, kw_only=True)
class UndoFlags(CommonFlags):
    """What `tool undo` takes besides the settings."""

    output: Output = "."
    """The project's folder."""
    dry_run: Annotated[Switch, Parameter(alias="-n")] = False
    """Show what would be done; write nothing and run no script."""
    force: Switch = False
    """Where you have changed a file since, bring back what was there and move yours to .tool/backup/."""
    mine: Switch = False
    """Where you have changed a file since, keep yours and put what was there into .tool/backup/."""
    no_hooks: Switch = False
    """Run no hook script."""
    wait: Annotated[float, Parameter(validator=not_negative, show_default=False, metavar="SECONDS")] = 0.0
    """Seconds to wait for another run in the same project to end."""


class _Undoing(Struct):
    """One run of the command, and how far it has got, for its last line."""

    request: Request
    flags: UndoFlags
    console: Console
    settings: Settings
    project: PurePath
    outcome: RunOutcome = "unchanged"
    steps: tuple[Step, ...] = ()


def undo(*, flags: UndoFlags = UndoFlags(), settings: SettingFlags = SettingFlags(), console: RunConsole) -> None:
    """Undo the last run that changed the project; done once more, it does that run again.

    Examples:
      Show what would be brought back:
        tool undo --dry-run
      Undo the last update of the project shop/:
        tool undo --output shop

    Documentation: docs/building.md in the repository of tool
    """
    if flags.force and flags.mine:
        raise Stop(UsageError("--force and --mine contradict each other: pass one of them", "tool undo"))
    request, started = request_of(flags, settings, console), time.monotonic()
    resolved = resolve_aloud(request, console).settings
    path = project_path(request.start, flags.output)
    run = _Undoing(request, flags, console, resolved, path)

    def ending() -> SummaryEvent:
        return summary(path, run.outcome, run.steps, (), time.monotonic() - started)

    console.closing = ending
    console.bases = Bases(".", flags.output, request.start, resolved.lists_below)
    if flags.dry_run:
        with look_at_project(path, console) as view:
            _look(run, view)
    else:
        with open_project(path, flags.wait, console) as project:
            if not project.is_undone:
                _undo(run, project)
            run.outcome = "done"
    if not flags.quiet:
        print_path(str(path))


def _look(run: _Undoing, view: ProjectView) -> None:
    planned, _ = _plan(run, view)
    run.console.tell(*hook_events(planned))
    run.console.warn(planned_backups(planned))
    run.outcome, run.steps = "planned", planned.steps


def _plan(run: _Undoing, view: ProjectView) -> tuple[Plan, Previous]:
    """What undoing does, and tell it. Raises `Stop`."""
    from io_edges.building.undo import undoable  # costs start-up time, which every command would pay

    flags = run.flags
    _, previous = undoable(view)
    places = targets_at([each.path for each in previous.components], view)
    steps = undo_steps(previous, places, "archive" if flags.force else "disk" if flags.mine else "nobody")
    if wrong := conflicts(steps):
        raise Stop(*(_undoing(each) for each in wrong))
    folders = tuple(each for each in hook_folders(run.settings) if each.stage == "post")
    hooks, notes = require(plan_all_hooks(folders, _no_hooks(run), partial(list_scripts, start=run.request.start)))
    planned = Plan(project=view.path, steps=steps, record=previous.before or Record(), hooks=hooks)
    run.console.tell(*component_events(planned))
    run.console.warn(notes)
    archives = tuple(each for each in rebuilt(previous) if _may_be_there(each, view))
    run.console.warn((BuiltAgain(archives),) if archives else ())
    return planned, previous


def _may_be_there(archive: str, view: ProjectView) -> bool:
    """Whether an archive is in the drop of the last run, or there is no telling."""
    drop = view.state.drop
    return not drop or Path(view.path / drop / archive.partition("!")[0]).exists()


def _undoing(problem: Problem) -> Problem:
    """A conflict as it is with the run that is undone."""
    is_disputed = isinstance(problem, OutputConflict) and problem.reason == "disputed"
    return replace(problem, undoing=True) if is_disputed else problem


def _no_hooks(run: _Undoing) -> str:
    """The flag or variable that keeps hook scripts from running, if any."""
    if run.flags.no_hooks:
        return "--no-hooks"
    if not run.request.no_exec:
        return ""
    return "--no-exec" if run.flags.no_exec else NO_EXEC


def _undo(run: _Undoing, project: Project) -> None:
    from io_edges.building.apply import Job, apply  # costs start-up time, as what copies, runs and undoes does
    from io_edges.building.undo import sources_of

    planned, previous = _plan(run, project.view)
    if planned.hooks.skipped:
        run.console.tell(*hook_events(planned))

    def when_in_place(done: Plan, built: Built) -> None:
        run.outcome, run.steps = "stopped", done.steps
        after = state_before(previous, done.steps, project.state, built)
        update_state(project.folder, project.state, after, run.console)

    this = replace(
        run_of(project, run.request.environ),
        undoes=True,
        base=planned.record,
        unrecords=previous.before is None,
        restores=left_by(previous),
    )
    if planned.is_idle:
        update_record(project.folder, project.record, planned.record, this)
        when_in_place(planned, {})
        return
    apply(
        Job(
            plan=planned,
            project=project,
            files=(),
            drop=".",
            on_failure=run.settings.hooks_on_failure,
            keep_going=False,
            when_in_place=when_in_place,
            run=this,
            sources=sources_of(previous, project.folder),
        ),
        run.console,
    )
