"""Undo plan: find what is undone, plan it, and advise how the next build keeps it undone."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from hashlib import file_digest
from pathlib import Path

from msgspec import Struct

from io_edges.archives.find import find_archives
from io_edges.archives.zips import Vetted
from io_edges.building.kept import checked_builds
from io_edges.building.patches import home_of, patches_in
from io_edges.building.project import ProjectView
from io_edges.building.undoing import LastRun, find_last_run
from io_edges.building.view import probe_of, reader_in
from io_edges.cli.changes import ChangeRun, report_new_scripts
from io_edges.cli.undo_flags import UndoFlags
from io_edges.cli.versions import takes_no_version
from io_edges.system.stop import Stop, require
from io_edges.system.syscalls import open_regular
from pipeline.building.draft import PlanOptions
from pipeline.building.hooks import hook_folders
from pipeline.building.names import canonical_name, known_components, named_changes
from pipeline.building.rollback import copy_into, split_version
from pipeline.building.showing.foreign import folders_on_disk
from pipeline.building.showing.plan_events import component_event
from pipeline.building.showing.run_log import versions_kept
from pipeline.building.steps import Plan
from pipeline.building.stores.layout import kept_path
from pipeline.building.stores.record import RecordedComponent
from pipeline.building.stores.undoable import Undoable, archives_built_again
from pipeline.plan import plan_undo
from pipeline.report.diagnostic import Command, WarningDiagnostic
from pipeline.report.diagnostics.building import Copy, built_again
from pipeline.report.events import UndoEvent
from pipeline.report.paths import display_path
from pipeline.schema import AUTO
from pipeline.selection.select import Selection
from pipeline.systems.residences import host_of
from pipeline.values import replace


class UndoPlan(Struct, frozen=True):
    """The plan of an undo."""

    plan: Plan
    undoes: Undoable
    """The changes that are undone."""
    rest: Undoable | None
    """The changes of the same run that can still be undone afterwards."""
    advice: tuple[WarningDiagnostic, ...] = ()
    """What to do so that the next build does not repeat what was undone."""


def plan_and_report(run: ChangeRun[UndoFlags], view: ProjectView) -> UndoPlan:
    """Plan an undo or a redo, and report which run it takes back, and its steps."""
    undoes, rest = _changes_to_undo(run, view)
    home = home_of(undoes.home, view.path, run.start)
    run.console.report(UndoEvent(undoes.run.time, undoes.run.command))
    options = PlanOptions(
        prefer=run.prefer,
        hooks=tuple(folder for folder in hook_folders(run.settings) if folder.stage == "post"),
        hooks_forbidden_by=run.flags.hooks_forbidden_by(run.request),
    )
    reader = replace(
        reader_in(view, run.start, Vetted(), run.console.context.command),
        patches=patches_in(home),
    )
    run.console.context = replace(run.console.context, patches=reader.patches_apart)
    planned = require(plan_undo(undoes, view.record, view.state, reader, options))
    run.progress.host = host_of(undoes.places, reader.probe)
    run.console.report(*map(component_event, planned.steps))
    run.console.warn(planned.warnings)
    report_new_scripts(planned, view.state, run.console)
    return UndoPlan(planned, undoes, rest, _advice(run, view, undoes))


def _changes_to_undo(
    run: ChangeRun[UndoFlags], view: ProjectView
) -> tuple[Undoable, Undoable | None]:
    """The changes to undo, and those that can still be undone afterwards."""
    command = _command(run, view)
    last_run = find_last_run(view, run.progress.kind, command)
    undoable = last_run.undoable
    if run.progress.kind == "redo":
        return undoable, last_run.journal.rest
    if not run.names:
        return undoable, None
    named = _named_changes(run.names, last_run, view, command)
    return named, undoable.without(named.paths)


def _named_changes(
    names: tuple[str, ...], last_run: LastRun, view: ProjectView, command: Command
) -> Undoable:
    """The changes of the last run to the named components. Raises `Stop` for unknown names, and
    for versions.
    """
    journal = last_run.journal
    undoable = last_run.undoable
    builds = checked_builds(view)
    paths = set(folders_on_disk(journal.places, probe_of(view.path)))
    paths.update(build.built.path for build in builds)
    known = known_components(Selection(()), view.record, journal.paths | undoable.paths, paths)
    if any(canonical_name(name) not in known and split_version(name) for name in names):
        raise Stop(takes_no_version("tool undo"))
    current = {component.digest for component in view.record.components.values()}
    versions: dict[str, tuple[str, ...]] = {}
    for version in versions_kept(builds, ()):
        if version.digest not in current and not version.damaged:
            versions[version.path] = (*versions.get(version.path, ()), version.name)
    return require(named_changes(names, journal, undoable, known, (command, versions)))


def _advice(
    run: ChangeRun[UndoFlags], view: ProjectView, undoes: Undoable
) -> tuple[WarningDiagnostic, ...]:
    """Warn of archives in the drop that the next build would build again, and of previous ones that
    are not there.
    """
    drop = _last_drop(run, view)
    archives = archives_built_again(undoes, partial(_may_be_in_drop, view))
    copies: tuple[Copy, ...] = ()
    if drop:
        copies = tuple(_copies(undoes, view, drop, run.flags.output))
    if not (archives or copies):
        return ()
    return (built_again(archives, copies, _command(run, view).line("create"), None),)


def _command(run: ChangeRun[UndoFlags], view: ProjectView) -> Command:
    """What suggested command lines repeat, with the drop of the last run that built."""
    return replace(run.console.context.command, drop=_last_drop(run, view))


def _last_drop(run: ChangeRun[UndoFlags], view: ProjectView) -> str:
    """The drop of the last run that built, as messages show it; empty if there is none."""
    if not view.last_drop.folder:
        return ""
    return display_path(view.path / view.last_drop.folder, run.start)


def _copies(undoes: Undoable, view: ProjectView, drop: str, output: str) -> Iterator[Copy]:
    """The commands that copy the kept archives of restored components into the drop, if they
    are not in it.
    """
    for change in undoes.moves:
        restored = change.entry_before.recorded
        is_kept = restored and view.folder and view.folder.status(kept_path(restored.digest))
        if restored and is_kept and not _may_be_in_drop(view, restored):
            folder = view.last_drop.folder
            taken = set[str]()
            if Path(view.path / folder).is_dir():
                taken = {file.whole for file in find_archives(folder, view.path, AUTO)}
            yield copy_into(
                drop, output, restored.digest, (restored.archive, restored.version or ""), taken
            )


def _may_be_in_drop(view: ProjectView, component: RecordedComponent) -> bool:
    """Whether the drop of the last run has the archive of a component, or no drop is known."""
    folder = view.last_drop.folder
    if not folder:
        return True
    with (
        suppress(OSError),
        open_regular(view.path / folder / component.archive.partition("!")[0]) as file,
    ):
        return file_digest(file, "sha256").hexdigest() == component.digest
    return False
