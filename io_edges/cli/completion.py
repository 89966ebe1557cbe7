"""The command line, `tool completion`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.flag_values import Shell
from io_edges.flags import LogFlags
from io_edges.report.console import Console


def completion(
    shell: Annotated[Shell, Parameter(metavar="SHELL")],
    /,
    *,
    flags: Annotated[LogFlags, Parameter(name="*")] = LogFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print the script that lets a shell complete the commands, flags and values of tool.

    Parameters
    ----------
    shell
        The shell that is to load the script.
    """
    from io_edges.commands.completion import completion

    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    completion(shell)
