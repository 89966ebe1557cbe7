"""Status: the command that shows what is built, and how it differs from record and
drop (`docs/building.md`).
"""

import sys
from typing import Annotated, Final

from cyclopts import Parameter

from io_edges.building.kept import kept_builds
from io_edges.cli.flags import LOG, Drop, Names, PlacesFlags, SettingFlags, Switch, not_empty
from io_edges.cli.scope import read_only_scope, warn_of_ignored_edits
from io_edges.cli.session import RunConsole, begin, read_request
from io_edges.report.console import Console, print_line
from io_edges.report.screens import is_terminal, screen_of
from io_edges.system.stop import Stop
from pipeline.building.showing.foreign import foreign_events
from pipeline.building.showing.status import deviations, interrupted_events, status_events
from pipeline.emit import emit
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.selection import ahead
from pipeline.report.events import StatusEvent
from pipeline.report.states import AS_BUILT, state

_REPORTED: Final = (
    *("drop-behind", "stale-override", "beyond-limit", "edits-replaced", "main-file-renamed"),
    *("unused-patch", "patch-restored"),
)
"""The warnings of a plan that `tool status` reports."""


class StatusFlags(PlacesFlags):
    """The flags of `tool status` besides the settings."""

    check: Switch = False
    """Exit with 80 if a built file is missing or edited, or an added file can run."""
    excepted: Annotated[
        tuple[str, ...],
        Parameter(
            name="--except", validator=not_empty, negative=(), show_default=False, metavar="PATTERN"
        ),
    ] = ()
    """Ignore files that match this pattern in --check; repeatable."""
    every: Annotated[Switch, Parameter(name="--all")] = False
    """Also list everything else in the folders of themes and modules."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=LOG)] = False
    """List the files that differ, and show the traceback of a bug."""

    shows_search = False

    @property
    def is_of_disk(self) -> bool:
        """Whether NAME may be a component that is only on disk."""
        return self.every


def status(
    drop: Drop = None,
    /,
    *names: Names,
    flags: StatusFlags = StatusFlags(),
    settings: SettingFlags = SettingFlags(),
    console: RunConsole,
) -> None:
    """Show what is built, and how it differs from the drop and the last build.

    Examples:
      Compare what is built here with the archives in drop/:
        tool status drop
      List the files of one module that differ in the project shop/, too:
        tool status drop shop_banner -v --output shop

    Documentation: docs/building.md
    """
    request = read_request(flags, settings, console)
    run = begin(request, flags, (drop, *names), console)
    with read_only_scope(run) as scope:
        scope.check_no_version("tool status")
        view = scope.view
        plan = scope.viewed()
        events = (
            *interrupted_events(scope.interrupted, view.record),
            *status_events(scope.selection, plan, view.settled.record),
        )
        warn_of_ignored_edits(plan, scope, console)
        reader = scope.drop_view.reader
        errors = list[Error](scope.in_scope.errors)
        errors += (error for error in plan.refused if error not in plan.component_errors)
        if flags.check:
            errors += deviations(events, plan, reader, flags.excepted)
        if flags.every:
            known = {*view.record.components, *(event.path for event in events)}
            asked = scope.names

            def is_asked(path: str) -> bool:
                return path not in known and (asked is None or path in asked)

            kept = kept_builds(view)
            events = (
                *events,
                *foreign_events(scope.selection, view.record, reader, is_asked, kept),
            )
    _print(events, console)
    if drop is None and events and not scope.selection.choices:
        console.print_text(
            "the current folder has no archive to compare with: name the drop, `tool status FOLDER`"
        )
    before = [identity for identity in view.state.warned if identity.startswith("edits-replaced ")]
    console.warn((warning for warning in plan.warnings if warning.code in _REPORTED), before)
    conflicts = (
        error
        for error in plan.component_errors
        if not isinstance(error, OutputConflict) or error.disputed
    )
    console.warn(ahead(conflicts, console.context, console.log_format))
    if errors:
        raise Stop(*errors)


def _print(events: tuple[StatusEvent, ...], console: Console) -> None:
    """Print the events. In text, `--verbose` adds the files that differ; otherwise there
    is a summary.

    With `--quiet`, text has only the components that have changed since they were built.
    """
    screen = screen_of(
        sys.stdout,
        is_summary=is_terminal(sys.stdout) and not console.verbose,
        verbose=console.verbose,
    )
    if console.quiet and console.log_format == "text":
        events = tuple(event for event in events if not state(event)[0].startswith(AS_BUILT[0]))
    for line in emit(events, console.log_format, screen):
        print_line(line)
    if not events:
        console.print_text(
            "nothing is built or selected here; `--output FOLDER` names another project"
        )
