"""The command line, `tool config schema`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.flags import LogFlags
from io_edges.report.console import Console


def schema(
    *,
    flags: Annotated[LogFlags, Parameter(name="*")] = LogFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print the JSON Schema of a configuration."""
    from io_edges.commands.config import print_schema

    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    print_schema()
