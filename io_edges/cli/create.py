"""The command line, `tool create`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.cli.request import request_of
from io_edges.flag_values import not_empty
from io_edges.flags import CreateFlags, SettingFlags
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.report.problems import UsageError


def create(
    drop: Annotated[str, Parameter(validator=not_empty)] = ".",
    /,
    *,
    flags: Annotated[CreateFlags, Parameter(name="*")] = CreateFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Build the project: themes/<name> and modules/<name> from the archives in a folder.

    Parameters
    ----------
    drop
        The folder with the archives; also looked at: themes/ and modules/ in it.
    """
    from io_edges.commands.create import create as build
    from io_edges.commands.run import CreateRun, RunState

    if flags.force and flags.mine:
        raise Stop(UsageError("--force and --mine contradict each other: pass one of them", "tool create"))
    request = request_of(flags, settings, console)
    build(CreateRun(request, drop, flags, console, RunState(request.start / flags.output)))
