"""The command line, `tool config show`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.cli.request import request_of
from io_edges.flag_values import not_empty
from io_edges.flags import ExplainFlags, SettingFlags, fields
from io_edges.report.console import Console


@fields
class ShowFlags(ExplainFlags):
    """What `tool config show` takes besides the settings."""

    html: Annotated[str | None, Parameter(validator=not_empty, metavar="FILE")] = None
    """Write one page for a bug report instead: settings, archives and plan, with the reasons."""


def show(
    drop: Annotated[str, Parameter(validator=not_empty)] = ".",
    /,
    *,
    flags: Annotated[ShowFlags, Parameter(name="*")] = ShowFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print every setting, where it came from and what it overrode.

    Parameters
    ----------
    drop
        The folder with the archives that are on the page of --html.
    """
    request = request_of(flags, settings, console)
    if flags.html is None:
        from io_edges.commands.config import show

        show(request, console)
    else:
        from io_edges.commands.explain import ExplainRun
        from io_edges.commands.page import write_page

        write_page(ExplainRun(request, None, drop, flags.output, console, is_complete=True), flags.html)
