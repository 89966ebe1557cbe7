"""Create: the command that builds a project: resolve, view, select, plan, apply, and report each step."""

from operator import attrgetter
from typing import Annotated, Final

from cyclopts import Group, Parameter
from msgspec import Struct
from toolz import unique

from io_edges.building.cache import save_cache
from io_edges.building.project import Project, ProjectView, open_project, project_path, run_of, view_project
from io_edges.building.store import update_state
from io_edges.cli.changes import CHANGES, ChangeFlags, ChangeRun, Progress, preferred, report_new_scripts
from io_edges.cli.flags import Drop, Names, Output, PlacesFlags, SettingFlags, Switch
from io_edges.cli.last_drop import check_without_names, drop_to_remember, remembering
from io_edges.cli.rest import rest_beside, rest_of
from io_edges.cli.scope import Scope, check_folders, in_places, scope_of, warn_of_ignored_edits
from io_edges.cli.session import RunConsole, disk_of, file_times, request_of, resolve_and_report
from io_edges.cli.words import CURRENT_FOLDER, check_named, read_words, remembered
from io_edges.report.console import print_path
from io_edges.system.stop import Stop, require
from pipeline.building.draft import PlanOptions
from pipeline.building.hooks import hook_folders
from pipeline.building.judging.frozen import changes_record, out_of_date
from pipeline.building.showing.plan_events import archive_event, component_event, hook_events
from pipeline.building.steps import Plan
from pipeline.building.stores.state import State
from pipeline.config.variables import keeps
from pipeline.report.diagnostic import PathContext
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.building import not_complete
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.outcome import value_of
from pipeline.selection.choices import DUPLICATES
from pipeline.systems.residences import host_of
from pipeline.values import replace

_LOOKING: Final = Group("Looking before building", sort_key=1)
_REPORTED_ONCE: Final = ("duplicate-archive ", "guessed-name ", "missing-need ", "edits-replaced ", "skipped-backups ")
"""How the identities of warnings begin that are reported only once."""


class CreateFlags(ChangeFlags, PlacesFlags):
    """What `tool create` takes besides the settings."""

    output: Output = "."
    """Build into this project folder; create it if it is missing."""
    dry_run: Annotated[Switch, Parameter(alias="-n", group=_LOOKING)] = False
    """Show the plan; write nothing and run no script."""
    check: Annotated[Switch, Parameter(group=_LOOKING)] = False
    """Show the plan, and exit with 80 if a run would change anything."""
    frozen: Annotated[Switch, Parameter(group=_LOOKING)] = False
    """Exit with 80 if drop or selection is not what the record says."""
    merge: Annotated[Switch, Parameter(group=CHANGES)] = False
    """Merge the lines that you and an archive changed in a file; back yours up."""
    prune: Annotated[Switch, Parameter(group=CHANGES)] = False
    """Remove components that are no longer selected or have no archive."""
    keep_going: Annotated[Switch, Parameter(group=CHANGES)] = False
    """Skip rejected archives and conflicting components; build the rest."""

    @property
    def is_preview(self) -> bool:
        """Whether nothing is written: the plan is shown as far as there is one, beside what would stop the run."""
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
    prefer = preferred("tool create", flags)
    request = request_of(flags, settings, console)
    require(keeps(request.environ))
    file_times(request.environ)  # a wrong one is reported even if nothing is written
    progress = Progress(request.start / flags.output)
    console.closing = progress.ending
    console.holds_back = flags.quiet
    resolution = resolve_and_report(request, console, at=(flags.output, drop), with_decisions=True)
    resolved = resolution.settings
    file = resolution.located.file
    legacy = None
    if file and file.kind == "legacy":
        from pipeline.read import read  # costs start-up time

        legacy = value_of(read(file, disk_of(request, console)))
    progress.project = path = project_path(request.start, flags.output)
    console.context = PathContext(drop or CURRENT_FOLDER, flags.output, request.start, resolved.lists_below)
    run = ChangeRun(request, flags, prefer, console, resolved, progress, (drop, *names))
    if flags.is_preview:
        with view_project(path, console) as view:
            _look(run, view)
    else:
        with open_project(path, flags.wait, console, progress.effect) as project:
            try:
                with remembering(project, progress, console):
                    _build(run, project)
            finally:
                progress.report_next_steps(console)
            if legacy and not progress.refused:
                from io_edges.init.files import lift_legacy

                lift_legacy(legacy, request.start, console)
    if progress.refused:
        raise Stop(*progress.refused)
    if not flags.quiet:
        print_path(str(path))


class _Prepared(Struct, frozen=True):
    """What is to be done, and what was said of it."""

    plan: Plan
    scope: Scope
    warned: tuple[str, ...]
    """The identities of the warnings about settings, drop and plan."""


def _prepare(run: ChangeRun[CreateFlags], view: ProjectView) -> _Prepared:
    """View the drop and the project, and plan; report what there is and what is planned. Raises `Stop`."""
    console = run.console
    words = read_words(run.words, run.request.start, view)
    console.context = replace(console.context, drop=words.drop)
    check_named(words, run.words[0], run.request.start, run.settings)
    if words.is_remembered and run.flags.prune:
        message = f"--prune removes what is not in the drop, so name it: `{words.drop}`, or another folder"
        raise Stop(UsageError(message, "tool create"))
    words = replace(words, is_forced=run.prefer.whole == "theirs", by_record=run.flags.frozen, prunes=run.flags.prune)
    run.progress.last_drop = drop_to_remember(words, run.request.start, view)
    if words.is_remembered:
        run.progress.drop = words.drop
    view = in_places(view, run.request, run.flags, words.drop, console)
    scope = scope_of(words, run.request.start, run.settings, view, console)
    check_without_names(words, run.words[0])
    if run.flags.frozen:
        scope.check_no_version("tool create --frozen")
    found = scope.drop_view.found
    console.context = replace(console.context, patches=found.patches_apart, named=found.named_versions)
    in_full = console.in_full  # else one warning reports all duplicates of a component
    choices = (choice for choice in scope.in_scope.choices if in_full or choice.reason.rule not in DUPLICATES)
    console.report(*map(archive_event, choices))
    check_folders(scope, run.request, run.flags)
    known = tuple[str, ...]()
    if not console.verbose:
        known = view.state.warned
    before = tuple(identity for identity in known if identity.startswith(_REPORTED_ONCE))
    console.warn(scope.in_scope.warnings, before)
    console.warn(scope.in_scope.once, known)
    run.progress.host = host_of(view.record.places, scope.drop_view.found.probe)
    try:
        planned = scope.planned(_options(run))
    except Stop as stop:
        if not run.flags.is_preview:
            run.progress.rest = rest_of(scope, _options(run), stop.errors, run.words[0])
        raise
    console.warn(planned.warnings, before)
    warn_of_ignored_edits(planned, scope, console)
    if scope.again:
        console.warn((scope.again,))
    console.warn(planned.missing, known)
    warned = tuple(unique(event.identity for event in console.warned))
    console.warn_of_new(view.state.warned)
    if run.flags.keep_going or run.flags.is_preview:
        run.progress.refused = planned.refused
    console.report(*map(component_event, planned.steps))
    report_new_scripts(planned, view.state, console)
    return _Prepared(planned, scope, warned)


def _options(run: ChangeRun[CreateFlags]) -> PlanOptions:
    """What the flags ask of the plan."""
    flags = run.flags
    return PlanOptions(
        prefer=run.prefer,
        merge=flags.merge,
        frozen=flags.frozen,
        prune=flags.prune,
        keep_going=flags.keep_going or (run.flags.is_preview and not flags.frozen),
        hooks=hook_folders(run.settings),
        no_hooks=flags.hooks_forbidden_by(run.request),
    )


def _look(run: ChangeRun[CreateFlags], view: ProjectView) -> None:
    """Plan, and report the plan; with `--check`, raise `Stop` if it would change anything."""
    planned = _prepare(run, view).plan
    run.progress.note_planned(planned, run.console)
    record = view.settled.record
    run.progress.record = changes_record(planned, record)
    errors = list[Error]()
    if run.flags.check or run.flags.frozen:
        errors += map(not_complete, sorted(view.interrupted))
    if planned.refused and not run.flags.keep_going:
        raise Stop(*errors, *planned.refused)
    if run.flags.check:
        errors += out_of_date(planned, record)
    if errors:
        raise Stop(*errors, *planned.refused)


def _build(run: ChangeRun[CreateFlags], project: Project) -> None:
    """Plan, carry out the plan, and save what the next run need not find out again. Raises `Stop`."""
    prepared = _prepare(run, project)
    planned = prepared.plan
    if planned.hooks.forbidden_by:
        run.console.report(*hook_events(planned))
    refused = planned.refused
    written = project.state
    after = _remembered(run, project, prepared, refused)
    if not (planned.is_idle and planned.record.components == project.record.components):
        begun = after
        if planned.hooks.at("post"):  # a failing one ends the run
            begun = planned.state
        passed_over, written = _apply(run, project, planned, prepared.scope, begun)
        refused = (*refused, *passed_over)
        after = replace(_remembered(run, project, prepared, refused), components=written.components)
    elif not refused:  # else nothing was changed because of it
        run.progress.effect.note_changed(planned.steps)
    if run.progress.effect.is_changed:
        run.progress.outcome = "done"
    run.progress.refused = refused
    run.console.warn(update_state(project.folder, written, after))
    save_cache(prepared.scope.drop_view.cache, run.console)


def _remembered(
    run: ChangeRun[CreateFlags], project: Project, prepared: _Prepared, refused: tuple[Error, ...]
) -> State:
    """The state with what it is to say of the run as a whole, given what is refused."""
    planned = prepared.plan
    scope = prepared.scope
    state = planned.state
    if planned.hooks.digests and not run.console.quiet:
        state = replace(state, hooks=planned.hooks.digests)
    is_whole = scope.names is None and (scope.selection.choices or planned.steps)
    if refused or not is_whole:
        once = (identity for identity in prepared.warned if identity.startswith(_REPORTED_ONCE))
        return replace(state, warned=tuple(unique((*state.warned, *once))))
    patches = ""
    home = scope.drop_view.found.patches.home
    if home != project.path:
        patches = remembered(str(home), run.request.start, project.path)
    return replace(state, patches=patches, warned=prepared.warned)


def _apply(
    run: ChangeRun[CreateFlags], project: Project, planned: Plan, scope: Scope, state: State
) -> tuple[tuple[Error, ...], State]:
    """Change the project; return what was passed over, and the state that was written.

    `state` is what that is to say, but of the components that change.

    Raises `Stop`, with what was refused before.
    """
    from io_edges.building.apply import Job, apply  # costs start-up time, as copying does
    from io_edges.building.hooks import run_stage  # likewise, as running does

    job = Job(
        plan=planned,
        project=project,
        state=state,
        files=tuple(unique((choice.archive.file for choice in scope.in_scope.choices), key=attrgetter("path"))),
        drop=scope.drop,
        patches=scope.drop_view.found.patches.home,
        on_failure=run.settings.hooks_on_failure,
        keep_going=run.flags.keep_going,
        effect=run.progress.effect,
        vetted=scope.drop_view.cache.vetted,
        run=run_of(project, run.request.environ),
        times=file_times(run.request.environ),
    )
    try:
        done = apply(job, run.console)
        run.progress.record = done.store.record.components != project.record.components
        run_stage("post", done.plan, project.folder, job.on_failure, run.console)
    except Stop as stop:
        run.progress.rest = rest_beside(scope, planned, stop.errors, run.words[0])
        raise Stop(*unique((*stop.errors, *planned.refused))) from stop
    return done.refused, done.store.state
