"""The command line: flags in, exit code out."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from inspect import BoundArguments
from pathlib import Path, PurePath
from typing import Annotated, Any, Final, TypeVar

from cyclopts import App, CycloptsError, Parameter

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
    StatusFlags,
    ValidateFlags,
    flag_layer,
    not_empty,
)
from io_edges.report.console import Console, print_line
from io_edges.report.exit_codes import DONE, EXIT_CODES
from io_edges.system.signals import Terminated, unwind_on_signals
from io_edges.system.stop import Stop, os_errors_as_problems, require
from io_edges.usage import format_in, usage
from pipeline import __version__
from pipeline.config.variables import forbids_exec
from pipeline.report.events import LOG_VERSION, ErrorEvent, StartEvent
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

HELP_FLAGS: Final = {"--help", "-h"}
VERSION_FLAGS: Final = {"--version", "-V"}


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
        A setting, a component, an archive, config, or an error's name or exit code; without it, everything.
    drop
        The folder with the archives.
    """
    from io_edges.commands.explain import Question, explain

    explain(Question(_request(flags, settings, console), name, drop, flags.output, console))


config = App(name="config", help="Look at the configuration; build nothing.")
app.command(config)


@_command(config)
def show(
    *,
    flags: Annotated[CommonFlags, Parameter(name="*")] = CommonFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print every setting, where it came from and what it overrode."""
    from io_edges.commands.config import show

    show(_request(flags, settings, console), console)


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
    _print_help(list(command))


def _request(flags: CommonFlags, settings: SettingFlags | CheckFlags, console: Console) -> Request:
    """What the run starts from. From here on the console follows the flags."""
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    start, no_exec = start_folder(), require(forbids_exec(os.environ)) or flags.no_exec
    layer = flag_layer(settings, start)
    return Request(start=start, config=flags.config, environ=os.environ, flags=layer, no_exec=no_exec)


def main() -> int:
    """Run the command line and give the exit code."""
    console = Console(log_format=format_in(sys.argv, os.environ), opening=StartEvent(LOG_VERSION, __version__))
    unwind_on_signals()
    try:
        with os_errors_as_problems(PurePath()):
            code = _run(sys.argv[1:], console)
    except Stop as stop:
        code = console.fail(stop.problems)
    except Terminated as ending:
        code = console.interrupted("Terminated", str(ending))
    except KeyboardInterrupt as ending:
        code = console.interrupted("Interrupted", str(ending))
    except Exception as error:  # noqa: BLE001 - a bug is reported, not shown as a traceback
        code = _bug(error, console)
    console.close()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # a full or closed output is not an error
            stream.flush()
    return code


def _run(tokens: list[str], console: Console) -> int:
    """Do what the command line says. Help and version are told from the words alone."""
    flags = set(tokens[: tokens.index("--")] if "--" in tokens else tokens)
    words = [token for token in tokens if token not in HELP_FLAGS]
    if VERSION_FLAGS & flags and not HELP_FLAGS & flags:
        print_line(__version__)
    elif words[:1] == ["help"]:
        _print_help(words[1:])
    elif HELP_FLAGS & flags or _is_group(words):
        _print_help(words)
    else:
        command, bound, ignored = _parse(tokens)
        command(*bound.args, **bound.kwargs, **({"console": console} if "console" in ignored else {}))
        if "console" in ignored:
            console.begin()
    return DONE


def _is_group(words: list[str]) -> bool:
    """Whether the words are those of a group of commands, or none."""
    _, nodes, rest = app.parse_commands(words)
    return not rest and nodes[-1].default_command is None


def _parse(tokens: list[str]) -> tuple[Callable[..., None], BoundArguments, dict[str, Any]]:
    """The command and its arguments. Raises `Stop` if the command line is wrong."""
    try:
        return app.parse_args(tokens, exit_on_error=False, print_error=False)
    except CycloptsError as error:
        raise Stop(usage(error)) from error


def _print_help(words: list[str]) -> None:
    """Print the help of the command that the words begin with. Raises `Stop` if they name none."""
    import shutil  # costs start-up time, as describing a command does, and only help needs it

    from io_edges.manual.describe import describe
    from pipeline.manual.help import help_text

    names, nodes, rest = app.parse_commands(words)
    if rest and not rest[0].startswith("-") and nodes[-1].default_command is None:
        _parse(words)
    print_line(help_text(describe(app, *names), shutil.get_terminal_size().columns))


def start_folder() -> PurePath:
    """The current folder."""
    with os_errors_as_problems(PurePath()):
        return Path.cwd()


def _bug(error: Exception, console: Console) -> int:
    """Report a bug in the tool; with `--verbose` and the text format, print the traceback, too."""
    if console.verbose and console.log_format == "text":
        import traceback

        traceback.print_exception(error)
    message = f"a bug in tool: {type(error).__name__}: {error}; please report it with the output of `--verbose`"
    code = EXIT_CODES["InternalError"]
    console.tell(ErrorEvent("InternalError", code, None, message, None))
    return code
