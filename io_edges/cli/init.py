"""The command line, `tool init`."""

from typing import Annotated

from cyclopts import Parameter

from io_edges.cli.request import start_folder
from io_edges.flag_values import not_empty
from io_edges.flags import flag_layer
from io_edges.init.flags import AnswerFlags, InitFlags
from io_edges.report.console import Console


def init(
    drop: Annotated[str, Parameter(validator=not_empty)] = ".",
    /,
    *,
    flags: Annotated[InitFlags, Parameter(name="*")] = InitFlags(),  # noqa: B008 - frozen
    answers: Annotated[AnswerFlags, Parameter(name="*")] = AnswerFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Ask seven questions and write a configuration into the current folder.

    Parameters
    ----------
    drop
        The folder with the archives, whose themes and modules are offered as answers.
    """
    from io_edges.commands.init import InitRun, init

    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    start = start_folder()
    init(InitRun(start, drop, flags, flag_layer(answers, start), console))
