"""The command line: every command with what it takes. `main` parses and runs one of them."""

import os
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Annotated, TypeVar

from cyclopts import App, Parameter

from io_edges.flag_values import Shell, not_empty
from io_edges.flags import (
    OPTIONS,
    AnswerFlags,
    CheckFlags,
    CommonFlags,
    CreateFlags,
    ExplainFlags,
    InitFlags,
    InspectFlags,
    LogFlags,
    SettingFlags,
    StatusFlags,
    flag_layer,
)
from io_edges.report.console import Console
from io_edges.system.stop import Stop, os_errors_as_problems, require
from pipeline.config.variables import forbids_exec
from pipeline.report.problems import UsageError
from pipeline.resolve import Request

app = App(
    name="tool",
    help="Builds a project from the theme and module archives that you drop into a folder.",
    version_flags=("--version", "-V"),
    group_parameters=OPTIONS,
    default_parameter=Parameter(allow_repeating=True),  # of one value the last wins; lists collect all
    result_action="return_value",
)


_Function = TypeVar("_Function", bound=Callable[..., None])


def register(group: App, name: str | None = None) -> Callable[[_Function], _Function]:
    """Make a function a command, by its name: cyclopts then looks into it only if it is run, which saves 2 ms."""

    def decorate(function: _Function) -> _Function:
        group.command(f"{function.__module__}:{function.__name__}", name=name)
        return function

    return decorate


@register(app)
def create(
    drop: Annotated[str, Parameter(validator=not_empty)] = ".",
    /,
    *,
    flags: Annotated[CreateFlags, Parameter(name="*")] = CreateFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Build the project: themes/<name> and modules/<name> from the archives in a folder.

    Parameters
    ----------
    drop
        The folder with the archives; also looked at: themes/ and modules/ in it.
    """
    from io_edges.commands.create import create as build
    from io_edges.commands.run import Reached, Run

    if flags.force and flags.mine:
        raise Stop(UsageError("--force and --mine contradict each other: pass one of them", "tool create"))
    request = request_of(flags, settings, console)
    build(Run(request, drop, flags, console, Reached(request.start / flags.output)))


@register(app)
def status(
    drop: Annotated[str, Parameter(validator=not_empty)] = ".",
    /,
    *,
    flags: Annotated[StatusFlags, Parameter(name="*")] = StatusFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print what is built, and what differs from what was written and from the drop; write nothing.

    Parameters
    ----------
    drop
        The folder with the archives.
    """
    from io_edges.commands.status import Look, status

    status(Look(request_of(flags, settings, console), drop, flags.output, console))


@register(app)
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
    from io_edges.commands.init import Run, init

    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    start = start_folder()
    init(Run(start, drop, flags, flag_layer(answers, start), console))


@register(app)
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


@register(app)
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
        A setting, a component, an archive, config, or an error's name or exit code; without it, everything in a run.
    drop
        The folder with the archives.
    """
    from io_edges.commands.explain import Question, explain

    explain(Question(request_of(flags, settings, console), name, drop, flags.output, console))


app.command("io_edges.cli_config:config", name="config", help="Look at the configuration; build nothing.")


@register(app)
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


@register(app, "help")
def show_help(*command: str) -> None:
    """Print the help of a command.

    Parameters
    ----------
    command
        The command, as it is typed after tool.
    """
    raise AssertionError(command)  # `main` prints it


def request_of(flags: CommonFlags, settings: SettingFlags | CheckFlags, console: Console) -> Request:
    """What the run starts from. From here on the console follows the flags."""
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    start, no_exec = start_folder(), require(forbids_exec(os.environ)) or flags.no_exec
    layer = flag_layer(settings, start)
    return Request(start=start, config=flags.config, environ=os.environ, flags=layer, no_exec=no_exec)


def start_folder() -> PurePath:
    """The current folder."""
    with os_errors_as_problems(PurePath()):
        return Path.cwd()
