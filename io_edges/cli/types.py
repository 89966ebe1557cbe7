"""The command line, `tool config types`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.flags import LogFlags
from io_edges.report.console import Console


def types(
    *,
    flags: Annotated[LogFlags, Parameter(name="*")] = LogFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print the TypeScript declaration of the module tool."""
    from io_edges.commands.config import print_types

    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    print_types()
