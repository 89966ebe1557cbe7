"""The command line: flags in, exit code out."""

import os
import signal
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path, PurePath
from types import FrameType
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter, RepeatArgumentError, UnusedCliTokensError

from io_edges.console import Console
from io_edges.exit_codes import DONE, EXIT_CODES, INTERRUPTED, TERMINATED
from io_edges.flags import CommonFlags, CreateFlags, InspectFlags, SettingFlags, flag_layer, not_empty
from io_edges.stop import Stop, filesystem
from pipeline.events import ErrorEvent
from pipeline.problems import UsageError
from pipeline.resolve import Request
from pipeline.schema import LEAVES, LogFormat
from pipeline.source import Source


def _version() -> str:
    from importlib.metadata import version  # costs start-up time, and only `--version` needs it

    return version("tool")


app = App(
    name="tool",
    help="Builds a project from the theme and module archives that you drop into a folder.",
    version=_version,
    version_flags=("--version",),
    help_format="plaintext",
    result_action="return_value",
)


config = App(name="config", help="Look at the configuration; build nothing.")
app.command(config)


NARROWEST = 40
"""Columns that help is laid out in at the least."""
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Terminated(BaseException):
    """Another process asked the tool to end."""


@app.command
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
    from io_edges.create import Run
    from io_edges.create import create as build

    build(Run(_request(flags, settings, console), drop, flags, console))


@app.command
def inspect(
    *archives: str,
    flags: Annotated[InspectFlags, Parameter(name="*")] = InspectFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print what archives are, and why; build nothing.

    Parameters
    ----------
    archives
        The .zip files to look into.
    """
    from io_edges.inspect import inspect

    console.listen(early_format(SettingFlags(log_format=flags.log_format), os.environ), False, flags.verbose)
    if not archives:
        raise Stop(UsageError("Expected at least one archive", "tool inspect"))
    inspect(archives, console)


@config.command
def show(
    *,
    flags: Annotated[CommonFlags, Parameter(name="*")] = CommonFlags(),  # noqa: B008 - frozen
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Print every setting, where it came from and what it overrode."""
    from io_edges.config import show

    show(_request(flags, settings, console), console)


@config.command
def validate(
    *files: str,
    flags: Annotated[CommonFlags, Parameter(name="*")] = CommonFlags(),  # noqa: B008 - frozen
    console: Annotated[Console, Parameter(parse=False)],
) -> None:
    """Check the configuration and its presets, or the files that are named.

    Parameters
    ----------
    files
        Files to check instead; each is read as by --config.
    """
    from io_edges.config import validate

    validate(_request(flags, SettingFlags(), console), files, console)


@config.command
def schema() -> None:
    """Print the JSON Schema of a configuration."""
    from io_edges.config import schema

    schema()


@config.command
def types() -> None:
    """Print the TypeScript declaration of the module tool."""
    from io_edges.config import types

    types()


def _request(flags: CommonFlags, settings: SettingFlags, console: Console) -> Request:
    """What the run starts from; the console listens to the flags from here on."""
    console.listen(early_format(settings, os.environ), flags.quiet, flags.verbose)
    start = start_folder()
    return Request(start=start, config=flags.config, environ=os.environ, flags=flag_layer(settings, start))


def main() -> int:
    """Run the command line and give the exit code."""
    console = Console(log_format=_format_in(sys.argv, os.environ))
    _unwind_on_signals()
    try:
        code = _run(sys.argv[1:], console)
    except Stop as stop:
        code = console.fail(stop.problems)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Terminated:
        code = TERMINATED
    except Exception as error:  # noqa: BLE001 - a bug is told, not shown as a traceback
        code = _bug(error, console)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # an output that is full or closed is no error
            stream.flush()
    return code


def _run(tokens: list[str], console: Console) -> int:
    """Parse the command line and run its command. Help and version need nothing else."""
    if not tokens or {"--help", "-h"}.intersection(tokens):
        _widen(os.environ)
    try:
        command, bound, ignored = app.parse_args(tokens, exit_on_error=False, print_error=False)
    except CycloptsError as error:
        raise Stop(_usage(error)) from error
    if "console" in ignored:
        command(*bound.args, **bound.kwargs, console=console)
    else:
        with suppress(OSError, SystemExit):  # rich leaves when nobody reads the help any more
            command(*bound.args, **bound.kwargs)
    return DONE


def _usage(error: CycloptsError) -> UsageError:
    """Say what is wrong with the command line, and with which setting's flag if it is one."""
    command = " ".join(("tool", *(error.command_chain or ())))
    repeated = error.token.keyword if isinstance(error, RepeatArgumentError) else None
    flag = error.argument.name if error.argument else repeated
    leaf = next((leaf for leaf in LEAVES if leaf.flag == flag), None)
    message = " ".join(str(error).split())
    if isinstance(error, UnusedCliTokensError):
        message = f"Unexpected argument: {' '.join(error.unused_tokens or ())}"
    return UsageError(message, command, leaf.path if leaf else None, Source(leaf.flag) if leaf else None)


def _widen(environ: MutableMapping[str, str]) -> None:
    """Give help a width that it can be laid out in: on a terminal of a few columns rich never ends."""
    import shutil  # costs start-up time, and only help needs it

    if shutil.get_terminal_size().columns < NARROWEST or environ.get("COLUMNS", "").strip().isdecimal():
        environ["COLUMNS"] = str(max(NARROWEST, shutil.get_terminal_size().columns))


def start_folder() -> PurePath:
    """The current folder."""
    with filesystem(PurePath()):
        return Path.cwd()


def early_format(settings: SettingFlags, environ: Mapping[str, str]) -> LogFormat:
    """The log format that flag and variable ask for, which holds until the configuration has been read."""
    return settings.log_format or ("json" if environ.get("TOOL_LOG_FORMAT") == "json" else "text")


def _format_in(argv: list[str], environ: Mapping[str, str]) -> LogFormat:
    """The log format of a command line that may turn out to be wrong."""
    given = argv[: argv.index("--")] if "--" in argv else argv
    flags = [word.removeprefix("--log-format=") for word in given if word.startswith("--log-format=")]
    flags += [value for flag, value in pairwise(given) if flag == "--log-format"]
    known = [value for value in flags if value in {"text", "json"}]
    asked = known[-1] if known else environ.get("TOOL_LOG_FORMAT")
    return "json" if asked == "json" else "text"


def _bug(error: Exception, console: Console) -> int:
    """Tell a bug in the tool: what to report, and with `--verbose` the traceback."""
    if console.verbose and console.log_format == "text":
        import traceback

        traceback.print_exception(error)
    message = f"a bug in tool: {type(error).__name__}: {error}; please report it with the output of `--verbose`"
    code = EXIT_CODES["InternalError"]
    console.tell(ErrorEvent("InternalError", code, None, message, None))
    return code


def _unwind_on_signals() -> None:
    """Let the first request to end unwind the run, so that what is half done is cleaned up; others change nothing."""

    begun: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        begun.append(number)
        if len(begun) == 1:
            raise KeyboardInterrupt if number == signal.SIGINT else Terminated

    for each in _ENDING:
        if signal.getsignal(each) is not signal.SIG_IGN:  # as under nohup
            signal.signal(each, end)
