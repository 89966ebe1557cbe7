"""The command line, `tool status`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.cli.request import request_of
from io_edges.flag_values import not_empty
from io_edges.flags import LOG, CommonFlags, SettingFlags, Switch, fields
from io_edges.report.console import Console


@fields
class StatusFlags(CommonFlags):
    """What `tool status` takes besides the settings."""

    output: Annotated[str, Parameter(alias="-o", validator=not_empty, metavar="FOLDER")] = "."
    """The project's folder."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=LOG)] = False
    """List the files that differ, and folders in no record; show the traceback of a bug."""


def status(
    drop: Annotated[str, Parameter(validator=not_empty)] = ".",
    /,
    *,
    flags: Annotated[StatusFlags, Parameter(name="*")] = StatusFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print what is built, and what differs from what was written and from the drop; write nothing.

    Parameters
    ----------
    drop
        The folder with the archives.
    """
    from io_edges.commands.status import StatusRun, status

    status(StatusRun(request_of(flags, settings, console), drop, flags.output, console))
