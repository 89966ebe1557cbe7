"""The command line: every command with what it takes. `main` parses and runs one of them."""

import os
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Annotated, TypeVar

from cyclopts import App, Parameter

from io_edges.flags import (
    OPTIONS,
    AnswerFlags,
    CheckFlags,
    CommonFlags,
    CreateFlags,
    DiffFlags,
    ExplainFlags,
    InitFlags,
    InspectFlags,
    LogFlags,
    MigrateFlags,
    SettingFlags,
    Shell,
    ShowFlags,
    StatusFlags,
    ValidateFlags,
    flag_layer,
    not_empty,
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
    result_action="return_value",
)


_Function = TypeVar("_Function", bound=Callable[..., None])


def _command(group: App, name: str | None = None) -> Callable[[_Function], _Function]:
    """Make a function a command, by its name: cyclopts then looks into it only if it is run, which saves 2 ms."""

    def register(function: _Function) -> _Function:
        group.command(f"{__name__}:{function.__name__}", name=name)
        return function

    return register


@_command(app)
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
    request = _request(flags, settings, console)
    build(Run(request, drop, flags, console, Reached(request.start / flags.output)))


@_command(app)
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

    status(Look(_request(flags, settings, console), drop, flags.output, console))


@_command(app)
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


@_command(app)
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


@_command(app)
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

    explain(Question(_request(flags, settings, console), name, drop, flags.output, console))


config = App(name="config", help="Look at the configuration; build nothing.")
app.command(config)


@_command(config)
def show(
    drop: Annotated[str, Parameter(validator=not_empty)] = ".",
    /,
    *,
    flags: Annotated[ShowFlags, Parameter(name="*")] = ShowFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print every setting, where it came from and what it overrode.

    Parameters
    ----------
    drop
        The folder with the archives that are on the page of --html.
    """
    request = _request(flags, settings, console)
    if flags.html is None:
        from io_edges.commands.config import show

        show(request, console)
    else:
        from io_edges.commands.explain import Question
        from io_edges.commands.page import write_page

        write_page(Question(request, None, drop, flags.output, console, is_complete=True), flags.html)


@_command(config)
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
    from io_edges.commands.validate import validate

    validate(_request(flags, flags, console), files, flags.format, console, strict=flags.strict)


@_command(config)
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

    diff(_request(flags, flags, console), files, flags.env, console)


@_command(config)
def migrate(
    *,
    flags: Annotated[MigrateFlags, Parameter(name="*")] = MigrateFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Rewrite the 0.x file in the version 1 shape, and print what changes."""
    from io_edges.commands.migrate import migrate

    migrate(_request(flags, flags, console), console, dry_run=flags.dry_run)


config.command("io_edges.commands.config:schema", help="Print the JSON Schema of a configuration.")
config.command("io_edges.commands.config:types", help="Print the TypeScript declaration of the module tool.")


@_command(app)
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


@_command(app, "help")
def show_help(*command: str) -> None:
    """Print the help of a command.

    Parameters
    ----------
    command
        The command, as it is typed after tool.
    """
    raise AssertionError(command)  # `main` prints it


def _request(flags: CommonFlags, settings: SettingFlags | CheckFlags, console: Console) -> Request:
    """What the run starts from. From here on the console follows the flags."""
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    start, no_exec = start_folder(), require(forbids_exec(os.environ)) or flags.no_exec
    layer = flag_layer(settings, start)
    return Request(start=start, config=flags.config, environ=os.environ, flags=layer, no_exec=no_exec)


def start_folder() -> PurePath:
    """The current folder."""
    with os_errors_as_problems(PurePath()):
        return Path.cwd()
