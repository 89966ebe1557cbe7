"""The command line, `tool config validate`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.cli.request import request_of
from io_edges.flag_values import not_empty
from io_edges.flags import CheckFlags, Switch, fields
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.report.findings import FindingsFormat
from pipeline.report.problems import UsageError


@fields
class ValidateFlags(CheckFlags):
    """What `tool config validate` takes."""

    discover: Switch = False
    """Check what a run in the folder of each FILE would read instead, with its presets."""
    strict: Switch = False
    """Refuse also what changes nothing: settings, patterns and presets without effect."""
    format: FindingsFormat = "text"
    """Print what is valid; or what is wrong as JSON, as annotations of GitHub Actions or of GitLab, or as SARIF."""


def validate(
    *files: Annotated[str, Parameter(validator=not_empty, metavar="FILE")],
    flags: Annotated[ValidateFlags, Parameter(name="*")] = ValidateFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Check the configuration and its presets, or the files that are named.

    Parameters
    ----------
    files
        Files to check instead; each is read as by --config.
    """
    from io_edges.commands.validate import Check, validate

    if files and flags.config is not None:
        advice = "to check several files, name each as FILE"
        raise Stop(UsageError(f"--config and FILE contradict each other: {advice}", "tool config validate"))
    request = request_of(flags, flags, console)
    validate(Check(request, files, flags.strict, flags.discover), flags.format, console)
