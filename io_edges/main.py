"""Main: parse the command line, run its command, and give the exit code, whatever happens."""

import os
import sys
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final

from cyclopts import CycloptsError

from io_edges.cli.app import app
from io_edges.cli.parse import Parsed, parse
from io_edges.report.console import Console, print_line
from io_edges.report.exit_codes import DONE, EXIT_CODES
from io_edges.system.signals import Terminated, unwind_on_signals
from io_edges.system.stop import Stop, os_errors_as_problems
from io_edges.usage import config_in, format_in, usage
from pipeline import __version__
from pipeline.report.events import LOG_VERSION, ErrorEvent, StartEvent, SummaryEvent
from pipeline.report.outcome import problems_of
from pipeline.report.problems import ConfigNotFound, Problem, UsageError

HELP_FLAGS: Final = {"--help", "-h"}
VERSION_FLAGS: Final = {"--version", "-V"}


def main() -> int:
    """Run the command line and give the exit code."""
    console = Console(log_format=format_in(sys.argv, os.environ), opening=StartEvent(LOG_VERSION, __version__))
    unwind_on_signals()
    try:
        with os_errors_as_problems(PurePath()):
            if os.environ.get("GITHUB_ACTIONS") == "true":
                from io_edges.report.annotator import annotate_in  # costs start-up time

                annotate_in(console)
            code = _run(sys.argv[1:], console)
    except Stop as stop:
        code = console.fail((*_missing_config(stop.problems), *stop.problems))
    except Terminated as ending:
        code = console.interrupted("Terminated", str(ending))
    except KeyboardInterrupt as ending:
        code = console.interrupted("Interrupted", str(ending))
    except ModuleNotFoundError:  # a part of the installation is missing, which `start` reports
        raise
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
    words = [token for token in tokens if token not in HELP_FLAGS | VERSION_FLAGS]
    if words[:1] == ["create"] and words == tokens and console.log_format == "json":
        console.closing = _unchanged
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


def _unchanged() -> SummaryEvent:
    """The last line of a log of a run that did not begin, as its command line or a variable is wrong."""
    try:
        project = Path.cwd()
    except OSError:  # the current folder is removed, or cannot be read
        project = Path()
    return SummaryEvent(str(project), "unchanged", added=0, updated=0, kept=0, removed=0, refused=0, seconds=0.0)


def _missing_config(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """That the file of `--config` is not there, which is told first, also if the command line is wrong."""
    config = config_in(sys.argv[1:])
    if config is None or not isinstance(problems[0], UsageError) or not _takes_config(problems[0].command):
        return ()
    from io_edges.cli.request import start_folder  # costs start-up time, and only a mistake needs it
    from io_edges.disk import real_disk
    from pipeline.locate import locate

    start = start_folder()
    missing = problems_of(locate(start, config, real_disk(start, Console())))
    return tuple(each for each in missing if isinstance(each, ConfigNotFound))


def _takes_config(command: str) -> bool:
    """Whether a command has the flag `--config`."""
    node = app.parse_commands(command.split()[1:])[1][-1]
    arguments = node.assemble_argument_collection() if node.default_command else ()
    return any("--config" in argument.names for argument in arguments)


def _is_group(words: list[str]) -> bool:
    """Whether the words are those of a group of commands, or none."""
    _, nodes, rest = app.parse_commands(words)
    return not rest and nodes[-1].default_command is None


def _parse(tokens: list[str]) -> Parsed:
    """The command and its arguments. Raises `Stop` if the command line is wrong."""
    try:
        return parse(tokens)
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


def _bug(error: Exception, console: Console) -> int:
    """Report a bug in the tool; with `--verbose` and the text format, print the traceback, too."""
    if console.verbose and console.log_format == "text":
        import traceback

        traceback.print_exception(error)
    message = f"a bug in tool: {type(error).__name__}: {error}"
    code, advice = EXIT_CODES["InternalError"], "run again with `--verbose`, and report what it prints"
    console.tell(ErrorEvent("InternalError", code, None, message, None, advice))
    return code
