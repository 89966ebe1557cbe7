"""The command line, `tool explain`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.cli.request import request_of
from io_edges.flag_values import not_empty
from io_edges.flags import ExplainFlags, SettingFlags
from io_edges.report.console import Console


def explain(
    name: Annotated[str | None, Parameter(validator=not_empty, metavar="NAME")] = None,
    drop: Annotated[str, Parameter(validator=not_empty)] = ".",
    /,
    *,
    flags: Annotated[ExplainFlags, Parameter(name="*")] = ExplainFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print why a setting, a module, a theme or an archive is as it is, and what would change it; write nothing.

    Parameters
    ----------
    name
        A setting, a component, an archive, config, or an error, warning or exit code; without it, everything in a run.
    drop
        The folder with the archives.
    """
    from io_edges.commands.explain import ExplainRun, explain

    explain(ExplainRun(request_of(flags, settings, console), name, drop, flags.output, console))
