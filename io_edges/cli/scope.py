"""Scope: find out what a run works on: the drop, the project, and the named components.

The words of the command line (`words`) become a drop that can be read, a selection, and the
named components.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from io_edges.archives.find import drop_error
from io_edges.building.git import ignored
from io_edges.building.project import ProjectView, view_project
from io_edges.building.view import DropView, probe_of, view_drop
from io_edges.cli.flags import PlacesFlags
from io_edges.cli.session import CommandRun
from io_edges.cli.versions import RollbackFrom, roll_back, takes_no_version
from io_edges.cli.words import Positionals, gone_drop, read_words, remembered, report_drop
from io_edges.report.console import Console
from io_edges.system.stop import Stop, require
from pipeline.archives.places import KINDS
from pipeline.building.draft import PlanOptions
from pipeline.building.names import (
    canonical_name,
    known_components,
    resolve_names,
    restrict_to_names,
    suggest_names,
)
from pipeline.building.rollback import split_version
from pipeline.building.showing.foreign import folders_on_disk
from pipeline.building.showing.status import unsaved_edits
from pipeline.building.steps import Plan
from pipeline.building.target_folders import (
    NamedFolder,
    check_systems_below,
    choose_target_folders,
    is_on_the_web,
    named_folders,
)
from pipeline.plan import choose, plan
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.building import readable_on_the_web
from pipeline.report.diagnostics.patches import edits_ignored_by_git
from pipeline.report.events import ComponentKind, SystemEvent
from pipeline.resolve import Request
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from pipeline.systems.residences import Residence, residences
from pipeline.values import replace

_UNREPORTED: Final = ("nothing-to-build", "guessed-name")
"""The warnings about a selection that only `tool create` reports."""


class Scope(Struct, frozen=True):
    """The scope of a run: the selection of the whole drop, and its part for the
    named components.
    """

    drop: str
    view: ProjectView
    drop_view: DropView
    selection: Selection
    in_scope: Selection
    names: frozenset[str] | None
    """The paths of the named components; `None` for all."""
    kept_patches: Mapping[str, str | None] = {}
    """For each component with a named version, by path: the kept patch that it was built with;
    `None` without a patch.
    """
    again: WarningDiagnostic | None = None
    """A warning about what the next run builds if it does not name these versions."""

    @property
    def interrupted(self) -> frozenset[str]:
        """The paths of the components in scope that a killed run was changing."""
        if self.names is None:
            return self.view.interrupted
        return self.view.interrupted & self.names

    def check_no_version(self, command: str) -> None:
        """Raise `Stop` if a version is named, which this command does not support."""
        if self.kept_patches:
            raise Stop(takes_no_version(command))

    def planned(self, options: PlanOptions) -> Plan:
        """Plan a run."""
        view = self.view.settled
        options = replace(options, names=self.names, kept_patches=self.kept_patches)
        selection = self.selection
        if self.view.interrupted:
            selection = replace(selection, choices=tuple(map(self._settled, selection.choices)))
        return require(plan(selection, view.record, view.state, self.drop_view.reader, options))

    def _settled(self, choice: Choice) -> Choice:
        """A choice, without selecting it if a killed run was changing its component."""
        if choice.path in self.view.interrupted:
            return replace(choice, selected=False)
        return choice

    def viewed(self, options: PlanOptions = PlanOptions()) -> Plan:
        """Plan a run that skips everything that would stop it."""
        selection = replace(self.selection, errors=())
        options = replace(options, keep_going=True)
        return replace(self, selection=selection).planned(options)


def warn_of_ignored_edits(planned: Plan, scope: Scope, console: Console) -> None:
    """Warn of edits that git ignores. git runs only if there are edits; if it fails, there
    is no warning.
    """
    edits = unsaved_edits(planned)
    if not edits:
        return
    found = ignored(scope.view.path, edits).value_or(set())
    files = tuple(path for path in edits if path in found)
    if files:
        components = (path for path in planned.surveyed if _is_any_in(path, files))
        console.warn(
            (
                edits_ignored_by_git(
                    files, scope.drop_view.reader.command.line("patch", *components)
                ),
            )
        )


def _is_any_in(folder: str, files: Iterable[str]) -> bool:
    """Whether any of the files is in a folder."""
    return any(file.startswith(f"{folder}/") for file in files)


@contextmanager
def read_only_scope(run: CommandRun[PlacesFlags]) -> Iterator[Scope]:
    """Enter the scope of a command that writes nothing, and report warnings."""
    console = run.console
    with view_project(run.project, console) as view:
        words = replace(read_words(run, view), is_of_disk=run.flags.is_of_disk)
        report_drop(words, console)
        placed = decide_places(view, run.request, run.flags, words.drop)
        scope = enter_scope(words, run, placed)
        check_folders(scope, run)
        console.warn(
            warning for warning in scope.in_scope.warnings if warning.code not in _UNREPORTED
        )
        yield scope


def enter_scope(words: Positionals, run: CommandRun[PlacesFlags], view: ProjectView) -> Scope:
    """View the drop, select archives, and resolve names; warn of files that are not read.
    Messages name the patches' folder and the named versions from here on.
    """
    settings = run.settings
    console = run.console
    drop_view = _look_into(words, run, view)
    selection = choose(settings, drop_view.drop, words.asked, view.record, drop_view.reader.probe)
    there: Iterable[str] = ()
    if words.is_of_disk:
        there = folders_on_disk(view.record.places, drop_view.reader.probe)
    known = known_components(selection, view.record, view.interrupted, there)
    rolled = roll_back(
        words.names, known, selection, drop_view, RollbackFrom(view, settings, words.drop)
    )
    typed = frozenset(rolled.words.values())
    if words.not_found and not {canonical_name(words.not_found.drop), words.not_found.drop} & {
        *known,
        *typed,
    }:
        raise Stop(replace(words.not_found, components=suggest_names(words.not_found.drop, known)))
    names: frozenset[str] | None = frozenset()
    others = [name for name in words.names if name not in typed]
    if others or not words.names:
        names = require(resolve_names(others, known, selection, words.drop))
    if typed:
        names = (names or frozenset()) | rolled.words.keys()
    selection = rolled.selection
    in_scope = restrict_to_names(selection, names, view.record)
    console.warn(rolled.warnings)
    # A file that the tool does not read may have the component that no archive has.
    if names is None or names - {choice.path for choice in in_scope.choices}:
        console.warn(drop_view.reader.unused)
    command = replace(drop_view.reader.command, named=tuple(rolled.words.items()))
    reader = replace(drop_view.reader, command=command)
    drop_view = replace(drop_view, reader=reader)
    console.context = replace(console.context, patches=reader.patches_apart, named=command.named)
    return Scope(
        words.drop, view, drop_view, selection, in_scope, names, rolled.kept_patches, rolled.again
    )


def decide_places(
    view: ProjectView,
    request: Request,
    flags: PlacesFlags,
    drop: str,
    console: Console | None = None,
) -> ProjectView:
    """Decide into which folders components go, and return the project with them in its record.

    If no component is recorded, the console reports a system, and warns if the record can be
    read on the web.
    """
    record = view.record
    named = _named_folders(request, flags)
    probe = probe_of(view.path)
    systems: tuple[Residence, ...] = ()
    if not record.components and len(named) < len(KINDS):
        systems = tuple(residences(probe))
    written = drop
    drop = remembered(drop, request.start, view.path)
    places = require(choose_target_folders(named, record.places, record.components, drop, systems))
    if console:
        events = (
            SystemEvent(system.name, system.marker, places.themes, places.modules)
            for system in systems
        )
        console.report(*events)
        if not record.components and is_on_the_web(probe):
            console.warn((readable_on_the_web(*_inside(written, drop)),))
    return replace(view, record=record.within(places))


def _inside(drop: str, path: str) -> tuple[str, str]:
    """The drop as the user wrote it, and its path in the project; both empty if it is elsewhere."""
    if PurePath(path).is_absolute():
        return "", ""
    return drop, path


def check_folders(scope: Scope, run: CommandRun[PlacesFlags]) -> None:
    """Raise `Stop` if the components' system is one folder below the project, unless a flag
    names a folder.
    """
    if scope.view.record.components:
        return
    named = _named_folders(run.request, run.flags)
    chosen = (choice.component for choice in scope.in_scope.choices if choice.selected)
    wanted = {component.system for component in chosen if component.built_kind not in named}
    with suppress(OSError):  # a folder may be unreadable
        require(check_systems_below(probe_of(scope.view.path), wanted, run.flags.output))


def _named_folders(request: Request, flags: PlacesFlags) -> Mapping[ComponentKind, NamedFolder]:
    return named_folders({"theme": flags.themes_dir, "module": flags.modules_dir}, request.environ)


def _look_into(words: Positionals, run: CommandRun[PlacesFlags], view: ProjectView) -> DropView:
    """Prepare to read the drop and the project. Raises `Stop` if there is no drop."""
    gone = drop_error(words.drop, run.start)
    if gone is None:
        return view_drop(words.drop, run.start, run.settings, view, run.console)
    if words.not_found is None:
        raise Stop(gone_drop(gone, words))
    known = known_components(Selection(()), view.record, view.interrupted)
    word = words.not_found.drop
    if any(canonical_name(name) in known for name in (word, *(split_version(word) or ()))):
        raise Stop(gone_drop(gone, words))
    raise Stop(words.not_found)
