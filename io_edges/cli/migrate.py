"""The command line, `tool config migrate`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.cli.request import request_of
from io_edges.flags import CheckFlags, Switch, fields
from io_edges.report.console import Console


@fields
class MigrateFlags(CheckFlags):
    """What `tool config migrate` takes."""

    dry_run: Annotated[Switch, Parameter(alias="-n")] = False
    """Print what would change; write nothing."""


def migrate(
    *,
    flags: Annotated[MigrateFlags, Parameter(name="*")] = MigrateFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Rewrite the 0.x file in the version 1 shape, and print what changes."""
    from io_edges.commands.migrate import migrate

    migrate(request_of(flags, flags, console), console, dry_run=flags.dry_run)
