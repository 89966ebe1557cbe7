"""Undo: the command that takes back the last run that changed the project."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.building.apply import Job, apply
from io_edges.building.patches import home_of
from io_edges.building.project import Project, ProjectView, open_project, run_of, view_project
from io_edges.building.store import update_state
from io_edges.building.undoing import check_replaced_files
from io_edges.building.view import probe_of
from io_edges.cli.changes import ChangeRun, begin_change
from io_edges.cli.flags import not_empty
from io_edges.cli.session import RunConsole
from io_edges.cli.undo_flags import UndoFlags, UndoSettings
from io_edges.cli.undo_plan import UndoPlan, plan_and_report
from io_edges.report.console import print_path
from pipeline.archives.entry_names import last_part
from pipeline.building.names import path_in_project
from pipeline.building.showing.plan_events import hook_events
from pipeline.building.steps import Plan
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.state import state_with
from pipeline.building.stores.undoable import entries_before
from pipeline.systems.residences import host_of


def undo(
    *names: Annotated[
        str,
        Parameter(
            validator=not_empty,
            name="NAME",
            help="Only these components; the others stay as they are.",
        ),
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
    take_back(begin_change("undo", flags, settings, (None, *names), console))


def take_back(run: ChangeRun[UndoFlags]) -> None:
    """Take back the last run that changed the project, or the last undo; with names, only these
    components of it.
    """
    console = run.console
    progress = run.progress
    if run.flags.dry_run:
        with view_project(run.project, console) as view:
            _preview(run, view)
    else:
        with open_project(run.project, run.flags.wait, console, progress.effect) as project:
            try:
                if project.finished and _did_all(project.finished, run):
                    progress.host = host_of(project.finished.places, probe_of(run.project))
                else:
                    _undo(run, project)
            finally:
                progress.report_next_steps(console)
            progress.outcome = "done"
    if not run.flags.quiet:
        print_path(str(run.project))


def _did_all(finished: Journal, run: ChangeRun[UndoFlags]) -> bool:
    """Whether the killed run that this run has finished first did all that this one is to do."""
    kind = run.progress.kind
    if finished.run.kind != kind or (kind == "undo" and finished.rest and not run.names):
        return False
    names = {*finished.paths, *map(last_part, finished.paths)}
    return {path_in_project(name, finished.places) for name in run.names} <= names


def _preview(run: ChangeRun[UndoFlags], view: ProjectView) -> None:
    """Report the plan; if a killed run has to be finished first, there is nothing to plan."""
    plan = Plan(project=view.path, steps=(), record=view.record)
    if not view.interrupted:
        planned = plan_and_report(run, view)
        plan = planned.plan
        if view.folder:
            check_replaced_files(plan, planned.undoes, view.folder)
        run.console.warn(planned.advice)
    run.progress.note_planned(plan, run.console)
    run.progress.would_change_record = plan.record.differs_from(view.record)


def _undo(run: ChangeRun[UndoFlags], project: Project) -> None:
    """Plan, and carry out the plan."""
    planned = plan_and_report(run, project)
    if planned.plan.hooks.forbidden_by:
        run.console.report(*hook_events(planned.plan))
    if planned.plan.is_idle and not planned.plan.record.differs_from(project.record):
        _restore_state(run, project, planned)
    else:
        apply(_job(run, project, planned), run.console)


def _restore_state(run: ChangeRun[UndoFlags], project: Project, planned: UndoPlan) -> None:
    """Finish an undo that changes neither files nor the record, and runs no hook: write the state,
    if it differs.
    """
    entries = entries_before(planned.undoes)
    after = state_with(project.state, {path: entry.last for path, entry in entries.items()})
    run.console.warn((*planned.advice, *update_state(project.folder, project.state, after)))
    run.progress.effect.note_changed(planned.plan.steps)


def _job(run: ChangeRun[UndoFlags], project: Project, planned: UndoPlan) -> Job:
    """The plan of an undo, with what is needed to carry it out."""
    home = project.path
    if planned.plan.patch_moves:
        home = home_of(planned.undoes.home, project.path, run.start)
    return Job(
        plan=planned.plan,
        project=project,
        state=planned.plan.state,
        on_failure=run.settings.hooks_on_failure,
        patches=home,
        effect=run.progress.effect,
        run=run_of(run.progress.kind, run.keeping),
        undoes=planned.undoes,
        rest=planned.rest,
        times=run.times,
        advice=planned.advice,
    )
