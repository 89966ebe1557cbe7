"""The command line, `tool config diff`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.cli.request import request_of
from io_edges.flag_values import not_empty
from io_edges.flags import CheckFlags, fields
from io_edges.report.console import Console


@fields
class DiffFlags(CheckFlags):
    """What `tool config diff` takes."""

    env: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False, metavar="NAME=VALUE")] = ()
    """A variable of the second side, once for each; an empty value unsets it."""


def diff(
    *files: Annotated[str, Parameter(validator=not_empty, metavar="FILE")],
    flags: Annotated[DiffFlags, Parameter(name="*")] = DiffFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Compare two configurations, and print the settings that differ; exit with 0 in any case.

    Parameters
    ----------
    files
        Two files; or one, which is compared with what is in effect or, with --env, with itself.
    """
    from io_edges.commands.diff import diff

    diff(request_of(flags, flags, console), files, flags.env, console)
