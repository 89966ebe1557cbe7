"""The command line, `tool inspect`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.flag_values import not_empty
from io_edges.flags import LOG, LogFlags, fields
from io_edges.report.console import Console
from pipeline.schema import LogFormat


@fields
class InspectFlags(LogFlags):
    """What `tool inspect` takes."""

    log_format: Annotated[LogFormat | None, Parameter(show_default=False, group=LOG)] = None
    """Print text, or one JSON object a line."""


def inspect(
    *archives: Annotated[str, Parameter(validator=not_empty, metavar="ARCHIVE|FOLDER", required=True)],
    flags: Annotated[InspectFlags, Parameter(name="*")] = InspectFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print what archives are, and why; build nothing.

    Parameters
    ----------
    archives
        The .zip files to look into; of a folder, all in it, and in themes/ and modules/ in it.
    """
    from io_edges.commands.inspect import inspect

    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    inspect(archives, console)
