"""Create: the command that builds a project. It resolves, views, selects, plans and applies, and
reports each step.
"""

from collections.abc import Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Group, Parameter
from msgspec import Struct
from toolz import unique

from io_edges.building.cache import save_cache
from io_edges.building.project import Project, ProjectView, open_project, run_of, view_project
from io_edges.building.store import update_state
from io_edges.cli.changes import (
    CHANGES,
    ChangeFlags,
    ChangeRun,
    begin_change,
    report_new_scripts,
)
from io_edges.cli.flags import Drop, Names, Output, PlacesFlags, SettingFlags, Switch
from io_edges.cli.last_drop import check_without_names, drop_to_remember, remembering
from io_edges.cli.rest import rest_beside, rest_of
from io_edges.cli.scope import (
    Scope,
    check_folders,
    decide_places,
    enter_scope,
    warn_of_ignored_edits,
)
from io_edges.cli.session import RunConsole, disk_of
from io_edges.cli.words import check_named, read_words, remembered
from io_edges.report.console import print_path
from io_edges.system.stop import Stop
from pipeline.building.draft import PlanOptions
from pipeline.building.hooks import hook_folders
from pipeline.building.judging.frozen import changes_record, out_of_date
from pipeline.building.showing.plan_events import archive_event, component_event, hook_events
from pipeline.building.steps import Plan
from pipeline.building.stores.state import State
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.building import not_complete
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.outcome import value_of
from pipeline.selection.choices import DUPLICATES
from pipeline.systems.residences import host_of
from pipeline.values import replace

if TYPE_CHECKING:
    from io_edges.building.apply import AppliedPlan
    from pipeline.config.tree import Document

_LOOKING: Final = Group("Looking before building", sort_key=1)
_REPORTED_ONCE: Final = frozenset(
    {"duplicate-archive", "guessed-name", "missing-need", "edits-replaced", "skipped-backups"}
)
"""The codes of warnings that are reported only once."""


class CreateFlags(ChangeFlags, PlacesFlags):
    """The flags of `tool create` besides the settings."""

    output: Output = "."
    """Build into this project folder; create it if it is missing."""
    dry_run: Annotated[Switch, Parameter(alias="-n", group=_LOOKING)] = False
    """Show the plan; write nothing and run no script."""
    check: Annotated[Switch, Parameter(group=_LOOKING)] = False
    """Show the plan, and exit with 80 if a run would change anything."""
    frozen: Annotated[Switch, Parameter(group=_LOOKING)] = False
    """Exit with 80 if the drop or the selection differs from the record."""
    merge: Annotated[Switch, Parameter(group=CHANGES)] = False
    """Merge the lines that you and an archive changed; keep a backup of your files."""
    prune: Annotated[Switch, Parameter(group=CHANGES)] = False
    """Remove components that are no longer selected or have no archive."""
    keep_going: Annotated[Switch, Parameter(group=CHANGES)] = False
    """Skip rejected archives and conflicting components; build the rest."""

    shows_decisions = True

    @property
    def is_preview(self) -> bool:
        """Whether nothing is written. The plan is shown even if errors would stop the run."""
        return self.dry_run or self.check


def create(
    drop: Drop = None,
    /,
    *names: Names,
    flags: CreateFlags = CreateFlags(),
    settings: SettingFlags = SettingFlags(),
    console: RunConsole,
) -> None:
    """Build themes/<name> and modules/<name> from the archives in a folder.

    The flag of a setting overrides its variable (env) and its key in a file.
    Repeat the flag of a list for each value: --exclude a --exclude b.
    It replaces lower lists; ... keeps them: --exclude ... --exclude b.

    Examples:
      Build the project shop/ from the archives in drop/:
        tool create drop --output shop
      Choose the theme, and leave modules out:
        tool create drop --theme=harbour --exclude='*_test'

    Documentation: docs/building.md
    """
    console.holds_back = flags.quiet
    run = begin_change("build", flags, settings, (drop, *names), console)
    progress = run.progress
    legacy = _legacy_file(run)
    if flags.is_preview:
        with view_project(run.project, console) as view:
            _look(run, view)
    else:
        with open_project(run.project, flags.wait, console, progress.effect) as project:
            try:
                with remembering(project, progress, console):
                    _build(run, project)
            finally:
                progress.report_next_steps(console)
            if legacy and not progress.refused:
                from io_edges.init.files import lift_legacy

                lift_legacy(legacy, run.start, console)
    if progress.refused:
        raise Stop(*progress.refused)
    if not flags.quiet:
        print_path(str(run.project))


def _legacy_file(run: ChangeRun[CreateFlags]) -> "Document | None":
    """The configuration as it is before the run, if it is one of 0.x, which the run rewrites."""
    file = run.resolution.located.file
    if file is None or file.kind != "legacy":
        return None
    from pipeline.read import read  # costs start-up time

    return value_of(read(file, disk_of(run.request, run.console)))


class _Prepared(Struct, frozen=True):
    """A plan that was reported."""

    plan: Plan
    scope: Scope
    warned: tuple[str, ...]
    """The identities of the warnings about settings, drop and plan."""


def _prepare(run: ChangeRun[CreateFlags], view: ProjectView) -> _Prepared:
    """Plan a run; report the choices, the warnings and the steps. `run.progress` notes what its
    last line needs.
    """
    console = run.console
    scope = _enter_scope(run, view)
    in_full = console.in_full  # else one warning reports all duplicates of a component
    choices = (
        choice
        for choice in scope.in_scope.choices
        if in_full or choice.reason.rule not in DUPLICATES
    )
    console.report(*map(archive_event, choices))
    check_folders(scope, run)
    known_warnings = tuple[str, ...]()
    if not console.verbose:
        known_warnings = view.state.warned
    reported_once = _reported_once(known_warnings)
    console.warn(scope.in_scope.warnings, reported_once)
    console.warn(scope.in_scope.once, known_warnings)
    planned = _plan(run, scope)
    console.warn(planned.warnings, reported_once)
    warn_of_ignored_edits(planned, scope, console)
    if scope.again:
        console.warn((scope.again,))
    console.warn(planned.missing, known_warnings)
    warned = tuple(unique(event.identity for event in console.warned))
    console.warn_of_new(view.state.warned)
    console.report(*map(component_event, planned.steps))
    report_new_scripts(planned, view.state, console)
    return _Prepared(planned, scope, warned)


def _reported_once(identities: Iterable[str]) -> tuple[str, ...]:
    """The identities, which begin with the code, of warnings that are reported only once."""
    return tuple(each for each in identities if each.partition(" ")[0] in _REPORTED_ONCE)


def _enter_scope(run: ChangeRun[CreateFlags], view: ProjectView) -> Scope:
    """Find the drop and the components of a run, so that messages name them and the drop can
    be remembered.
    """
    words = read_words(run, view)
    check_named(words, run)
    if words.is_remembered and run.flags.prune:
        message = (
            f"--prune removes what is not in the drop, so name it: `{words.drop}`, or "
            f"another folder"
        )
        raise Stop(UsageError(message, "tool create"))
    words = replace(
        words,
        is_forced=run.prefer.whole == "theirs",
        by_record=run.flags.frozen,
        prunes=run.flags.prune,
    )
    run.progress.last_drop = drop_to_remember(words, run.start, view)
    if words.is_remembered:
        run.progress.drop = words.drop
    placed = decide_places(view, run.request, run.flags, words.drop, run.console)
    scope = enter_scope(words, run, placed)
    check_without_names(words, run)
    if run.flags.frozen:
        scope.check_no_version("tool create --frozen")
    return scope


def _plan(run: ChangeRun[CreateFlags], scope: Scope) -> Plan:
    """Plan a run. If that fails, `run.progress` notes the command that builds the rest."""
    progress = run.progress
    progress.host = host_of(scope.view.record.places, scope.drop_view.reader.probe)
    options = _options(run)
    try:
        planned = scope.planned(options)
    except Stop as stop:
        if not run.flags.is_preview:
            progress.rest = rest_of(scope, options, stop.errors, run.drop)
        raise
    if run.flags.keep_going or run.flags.is_preview:
        progress.refused = planned.refused
    return planned


def _options(run: ChangeRun[CreateFlags]) -> PlanOptions:
    """The options of the plan, from the flags."""
    flags = run.flags
    return PlanOptions(
        prefer=run.prefer,
        merge=flags.merge,
        frozen=flags.frozen,
        prune=flags.prune,
        keep_going=flags.keep_going or (flags.is_preview and not flags.frozen),
        hooks=hook_folders(run.settings),
        hooks_forbidden_by=flags.hooks_forbidden_by(run.request),
    )


def _look(run: ChangeRun[CreateFlags], view: ProjectView) -> None:
    """Report the plan. Raises `Stop` for errors, and with `--check` if a run would
    change anything.
    """
    planned = _prepare(run, view).plan
    run.progress.note_planned(planned, run.console)
    record = view.settled.record
    run.progress.would_change_record = changes_record(planned, record)
    errors = list[Error]()
    if run.flags.check or run.flags.frozen:
        errors += map(not_complete, sorted(view.interrupted))
    if planned.stopping and not run.flags.keep_going:
        raise Stop(*errors, *planned.refused)
    if run.flags.check:
        errors += out_of_date(planned, record)
    if errors:
        raise Stop(*errors, *planned.refused)


def _build(run: ChangeRun[CreateFlags], project: Project) -> None:
    """Plan, carry out the plan, and save what the next run needs."""
    prepared = _prepare(run, project)
    planned = prepared.plan
    if planned.hooks.forbidden_by:
        run.console.report(*hook_events(planned))
    if planned.is_idle and not planned.record.differs_from(project.record):
        _build_nothing(run, project, prepared)
    else:
        _build_changes(run, project, prepared)
    save_cache(prepared.scope.drop_view.cache, run.console)


def _build_nothing(run: ChangeRun[CreateFlags], project: Project, prepared: _Prepared) -> None:
    """Finish a run whose plan changes neither files nor the record, and runs no hook."""
    planned = prepared.plan
    if not planned.refused:  # otherwise the run failed to build something
        run.progress.effect.note_changed(planned.steps)
    run.progress.refused = planned.refused
    _save_state(
        run, project, project.state, _state_to_save(run, project, prepared, planned.refused)
    )


def _build_changes(run: ChangeRun[CreateFlags], project: Project, prepared: _Prepared) -> None:
    """Carry out a plan, and save the state once more if a post hook or a refused archive
    makes it another.
    """
    planned = prepared.plan
    first_state = _state_to_save(run, project, prepared, planned.refused)
    if planned.hooks.at("post"):
        # If a post hook fails, the run is not done, and the next one reports all warnings.
        first_state = planned.state
    applied = _apply(run, project, prepared, first_state)
    refused = (*planned.refused, *applied.refused)
    run.progress.refused = refused
    state_on_disk = applied.store.state
    state_to_save = _state_to_save(run, project, prepared, refused)
    _save_state(
        run, project, state_on_disk, replace(state_to_save, components=state_on_disk.components)
    )


def _save_state(
    run: ChangeRun[CreateFlags], project: Project, state_on_disk: State, state_to_save: State
) -> None:
    """Note that the run is done, if it did anything, and write the state, if it has changed."""
    if run.progress.effect.is_changed:
        run.progress.outcome = "done"
    run.console.warn(update_state(project.folder, state_on_disk, state_to_save))


def _state_to_save(
    run: ChangeRun[CreateFlags], project: Project, prepared: _Prepared, refused: tuple[Error, ...]
) -> State:
    """The planned state, with the hook scripts, the warnings and the patches' folder of this run.

    If something is refused, or the run concerns only some components, warnings are only added.
    """
    planned = prepared.plan
    scope = prepared.scope
    state = planned.state
    if planned.hooks.digests and not run.console.quiet:
        state = replace(state, hooks=planned.hooks.digests)
    is_whole = scope.names is None and (scope.selection.choices or planned.steps)
    if refused or not is_whole:
        once = _reported_once(prepared.warned)
        return replace(state, warned=tuple(unique((*state.warned, *once))))
    patches = ""
    home = scope.drop_view.reader.patches.home
    if home != project.path:
        patches = remembered(str(home), run.start, project.path)
    return replace(state, patches=patches, warned=prepared.warned)


def _apply(
    run: ChangeRun[CreateFlags], project: Project, prepared: _Prepared, state: State
) -> "AppliedPlan":
    """Carry out a plan. `state` is the state to write, except for the components that change.

    If it stops, the errors of the plan are reported as well, and `run.progress` notes the command
    that builds the rest.
    """
    from io_edges.building.apply import Job, apply  # costs start-up time, as copying does

    planned = prepared.plan
    scope = prepared.scope
    job = Job(
        plan=planned,
        project=project,
        state=state,
        files=tuple(
            unique(
                (choice.archive.file for choice in scope.in_scope.choices), key=attrgetter("path")
            )
        ),
        drop=scope.drop,
        patches=scope.drop_view.reader.patches.home,
        on_failure=run.settings.hooks_on_failure,
        keep_going=run.flags.keep_going,
        effect=run.progress.effect,
        vetted=scope.drop_view.cache.vetted,
        run=run_of("build", run.keeping),
        times=run.times,
    )
    try:
        return apply(job, run.console)
    except Stop as stop:
        run.progress.rest = rest_beside(scope, planned, stop.errors, run.drop)
        raise Stop(*unique((*stop.errors, *planned.refused))) from stop
