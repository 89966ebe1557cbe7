"""Patch: the command that saves edits as patches, to be committed (`docs/howto/updates.md`)."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path, PurePath
from typing import Annotated, Final

from cyclopts import Parameter
from toolz import concat, unique

from io_edges.building.patch_run import PatchJob, check_writable, write_patches
from io_edges.building.patches import is_kept
from io_edges.building.project import Project, check_settled, open_project, run_of
from io_edges.building.store import load_record
from io_edges.cli.changes import Progress
from io_edges.cli.diff import print_diff
from io_edges.cli.flags import Drop, Names, PlacesFlags, SettingFlags, Switch
from io_edges.cli.scope import Scope, read_only_scope
from io_edges.cli.session import CommandRun, RunConsole, begin, read_request
from io_edges.report.console import Console, print_path
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop, os_errors_as_diagnostics, require
from pipeline.building.names import canonical_name
from pipeline.building.patching.patch import Patch
from pipeline.building.showing.changes import unknown_bases
from pipeline.building.showing.patch_making import Edits, NewPatch, make_patch
from pipeline.building.steps import Plan
from pipeline.building.stores.changes import RunKind
from pipeline.building.stores.layout import PATCH_SUFFIX, PATCHES
from pipeline.building.stores.record import Files, RecordedComponent
from pipeline.config.variables import read_keeping
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.drop import ComponentNotFound
from pipeline.report.diagnostics.patches import patch_stays
from pipeline.report.outcome import BuildOutcome, errors_of, value_of
from pipeline.values import replace

_SETTLED: Final[tuple[RunKind, ...]] = ("patch",)
"""The kinds of killed runs that this command finishes: only its own."""


class PatchFlags(PlacesFlags):
    """The flags of `tool patch` besides the settings."""

    dry_run: Annotated[Switch, Parameter(alias="-n")] = False
    """Print the patches; write nothing."""


def patch(
    drop: Drop = None,
    /,
    *names: Names,
    flags: PatchFlags = PatchFlags(),
    settings: SettingFlags = SettingFlags(),
    console: RunConsole,
) -> None:
    """Save your edits as patches, which every build applies.

    Examples:
      Save all edits of the project in patches/, to be committed:
        tool patch
      Save one file as it is on disk, also if it was added or deleted:
        tool patch modules/shop_banner/banner.tpl

    Documentation: docs/howto/updates.md
    """
    request = read_request(flags, settings, console)
    progress = Progress(request.start / flags.output)
    console.closing = progress.ending
    run = begin(request, flags, (drop, *names), console)
    with ExitStack() as stack:
        is_written = not flags.dry_run and Path(run.project).is_dir()
        project: Project | None = None
        if is_written:
            project = stack.enter_context(
                open_project(run.project, 0, console, progress.effect, settles=_SETTLED)
            )
        run, files = _without_files(run)
        scope = stack.enter_context(read_only_scope(run))
        scope.check_no_version("tool patch")
        check_settled(scope.interrupted)
        plan = scope.viewed()
        made = _made(scope, plan, files)
        console.warn(concat(result.warnings for result in made.values()))
        texts = {component: result.text for component, result in made.items() if result.is_saved}
        home = scope.drop_view.reader.patches.home
        if project and texts:
            check_settled(scope.view.interrupted)
            job = PatchJob(
                texts={f"{component}{PATCH_SUFFIX}": text for component, text in texts.items()},
                as_read=plan.patch_states,
                home=home,
                places=scope.view.record.places,
                project=project,
                run=run_of("patch", require(read_keeping(request.environ))),
                effect=progress.effect,
            )
            _write(job, console)
        elif not project:
            _print(texts, home)
    console.closing = None
    if not texts:
        other = ""
        if any(result.warnings for result in made.values()):
            other = "other "
        console.print_text(f"no {other}edit to save; to save added or deleted files, name them")


def _write(job: PatchJob, console: Console) -> None:
    """Write patches, and print their paths."""
    with os_errors_as_diagnostics(job.home):
        stays = write_patches(job, console)
    console.closing = None
    console.warn(patch_stays(f"{PATCHES}/{name}") for name in stays)
    for name, text in job.texts.items():
        if name in stays:
            continue
        if text:
            print_path(f"{PATCHES}/{name}")
        else:
            console.print_text(f"nothing is left in {PATCHES}/{name}: it is removed")


def _print(texts: Mapping[str, bytes], home: PurePath) -> None:
    """Print patches. Raises `Stop` if they could not be written."""
    for text in texts.values():
        print_diff(text)
    check_writable(texts, home)


def _without_files(
    run: CommandRun[PatchFlags],
) -> tuple[CommandRun[PatchFlags], dict[str, set[str]]]:
    """The run with components instead of the files that its words name, and these files, by the
    paths of the components.
    """
    files: dict[str, set[str]] = {}
    components: tuple[str, ...] = ()
    if Path(run.project).is_dir():
        with os_errors_as_diagnostics(run.project), Folder.at(str(run.project)) as folder:
            components = tuple(load_record(folder).components)

    named = list[str | None]()
    for word in (run.drop, *run.names):
        component = _component_of(word, components)
        if word and component:
            files.setdefault(component, set()).add(
                canonical_name(word).removeprefix(f"{component}/")
            )
        named.append(component or word)
    drop, *names = unique(named)
    return replace(run, drop=drop, names=tuple(filter(None, names))), files


def _component_of(word: str | None, components: Iterable[str]) -> str | None:
    """The component that has the file that a word names; `None` if none has."""
    if word is None:
        return None
    for component in components:
        if canonical_name(word).startswith(f"{component}/"):
            return component
    return None


def _made(scope: Scope, plan: Plan, files: Mapping[str, set[str]]) -> dict[str, NewPatch]:
    """Make the patches of the components in scope, by path. Raises `Stop` if one cannot be made."""
    reader = scope.drop_view.reader
    missing = list[str]()
    outcomes = dict[str, BuildOutcome[NewPatch]]()
    bases = dict[str, RecordedComponent]()
    installed = dict[str, Files]()
    for path, step in sorted(plan.surveyed.items()):
        if step.base and step.survey.is_there:
            bases[path] = step.base
            installed[path] = step.target.files
    for path, component in reader.recognise_installed(installed).items():
        base = bases[path]
        disk = plan.surveyed[path].disk
        patch = plan.patches.get(path, Patch(path))
        named = files.get(path, set())
        missing += sorted(f"{path}/{name}" for name in named - {*base.files, *disk, *patch.names})
        edits = Edits(
            base=base,
            disk=disk,
            component=component,
            patch=patch,
            is_kept=is_kept(scope.view.folder, patch),
            named=named,
        )
        outcomes[path] = make_patch(edits, scope.selection.choices, reader.texts)
    errors = list[Error]()
    if scope.names is not None:
        errors += unknown_bases(plan)
    errors += [ComponentNotFound(name, scope.drop) for name in missing]
    for outcome in outcomes.values():
        errors += errors_of(outcome)
    if errors:
        raise Stop(*errors)
    return {path: value_of(outcome) or NewPatch() for path, outcome in outcomes.items()}
