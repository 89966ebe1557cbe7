"""Log: the command that lists the runs that changed the project."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.building.archives import load_log
from io_edges.building.kept import checked_builds
from io_edges.building.project import view_project
from io_edges.cli.flags import LogFlags, Output, not_empty
from io_edges.cli.session import RunConsole, project_path, start_folder
from io_edges.report.console import print_line
from pipeline.building.names import path_in_project
from pipeline.building.showing.run_log import (
    LoggedRun,
    log_lines,
    names_not_logged,
    version_lines,
    versions_kept,
)
from pipeline.report.diagnostic import PathContext


class RunLogFlags(LogFlags):
    """The flags of `tool log`."""

    output: Output = "."
    """The project's folder."""


def log(
    *names: Annotated[
        str,
        Parameter(
            validator=not_empty,
            name="NAME",
            help="Only the runs that changed these components.",
        ),
    ],
    flags: RunLogFlags = RunLogFlags(),
    console: RunConsole,
) -> None:
    """List the versions that can be built again, then the runs, the newest last.

    Examples:
      Show what was added, updated and removed here, and when:
        tool log
      Show when a module was updated, for a program:
        tool log shop_banner --log-format=json

    Documentation: docs/building.md
    """
    console.set_verbosity(quiet=flags.quiet, verbose=flags.verbose)
    start = start_folder()
    console.context = PathContext(".", flags.output, start, None)
    with view_project(project_path(start, flags.output), console) as view:
        runs: tuple[LoggedRun, ...] = ()
        if view.folder and view.is_readable:
            runs = load_log(view.folder)
        builds = checked_builds(view)
    named = tuple(path_in_project(name, view.record.places) for name in names)
    shown = list[LoggedRun]()
    for run in runs:
        about = run.restricted_to(named)
        if about.components:
            shown.append(about)
    for line in version_lines(
        versions_kept(builds, named), console.log_format, console.product_screen
    ):
        print_line(line)
    for line in log_lines(shown, console.log_format, console.product_screen):
        print_line(line)
    console.warn(names_not_logged(runs, named))
    if not runs:
        console.print_text("no run is in the log")
