"""Main: parse the command line, run its command, and return the exit code, whatever happens."""

import os
import sys
from contextlib import redirect_stderr, suppress
from pathlib import Path, PurePath
from typing import Final

from cyclopts import CycloptsError

from io_edges.cli.app import app, names_below
from io_edges.cli.usage import format_in, missing_config, options_in, refuse_values, usage
from io_edges.report.console import Console, print_line
from io_edges.report.exit_codes import DONE, EXIT_CODES
from io_edges.system.signals import Terminated, unwind_on_signals
from io_edges.system.stop import Stop, os_errors_as_diagnostics
from pipeline import __version__
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.events import LOG_VERSION, ErrorEvent, StartEvent, SummaryEvent

HELP_FLAGS: Final = {"--help", "-h"}
VERSION_FLAGS: Final = {"--version", "-V"}
FLAG_LIMIT: Final = 1_500
"""The maximum number of flags. Parsing is quadratic; this many take a second or two."""
_IN_A_FILE: Final = "write long lists in a configuration file, and pass it with `--config`"


def main() -> int:
    """Run the command line and return the exit code."""
    console = Console(
        log_format=format_in(sys.argv, os.environ), opening=StartEvent(LOG_VERSION, __version__)
    )
    unwind_on_signals()
    try:
        with os_errors_as_diagnostics(PurePath()):
            code = _run(sys.argv[1:], console)
    except Stop as stop:
        code = console.fail((*missing_config(stop.errors[0], sys.argv), *stop.errors))
    except Terminated as ending:
        code = console.interrupted("Terminated", str(ending))
    except KeyboardInterrupt as ending:
        code = console.interrupted("Interrupted", str(ending))
    except ModuleNotFoundError:  # a part of the installation is missing; `start` reports it
        raise
    except Exception as error:  # noqa: BLE001 - a bug is reported, not shown as a traceback
        code = _bug(error, console)
    console.close()
    for stream in (sys.stdout, sys.stderr):
        # A full or closed output is not an error.
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    return code


def _run(tokens: list[str], console: Console) -> int:
    """Run the command line and return the exit code, unless the command fails."""
    flags = set(options_in(tokens))
    words = [token for token in tokens if token not in HELP_FLAGS | VERSION_FLAGS]
    if _changes_project(tokens) and console.log_format == "json":
        console.closing = _unchanged
    if VERSION_FLAGS & flags and not HELP_FLAGS & flags:
        print_line(__version__)
        return DONE
    if HELP_FLAGS & flags or _is_group(words):
        if words[:1] == ["help"]:
            del words[0]
        tokens = ["help", *words]
    if sum(token.startswith("-") for token in tokens) > FLAG_LIMIT:
        raise Stop(UsageError(f"Expected at most {FLAG_LIMIT:,} flags", "tool", instead=_IN_A_FILE))
    try:
        command, bound, ignored = app.parse_args(tokens, exit_on_error=False, print_error=False)
        refuse_values(tokens, bound)
        keywords = dict(bound.kwargs)
        if "console" in ignored:
            keywords["console"] = console
        command(*bound.args, **keywords)
    except CycloptsError as error:
        raise Stop(usage(error)) from error
    except ImportError as error:  # cyclopts has wrapped it
        raise error.__cause__ or error from error
    if "console" in ignored:
        console.ensure_opening_line()
    return DONE


def _changes_project(tokens: list[str]) -> bool:
    """Whether a command line runs a command that changes a project, and does not ask for help or
    the version.
    """
    is_question = any(token in HELP_FLAGS | VERSION_FLAGS for token in tokens)
    return tokens[:1] in (["create"], ["undo"], ["redo"]) and not is_question


def _unchanged() -> SummaryEvent:
    """The last line of the log of a run that does not start because its command line or a
    variable is wrong.
    """
    try:
        project = Path.cwd()
    except OSError:  # the current folder was removed, or cannot be read
        project = Path()
    return SummaryEvent(
        str(project), "unchanged", added=0, updated=0, kept=0, removed=0, refused=0, seconds=0.0
    )


def _is_group(words: list[str]) -> bool:
    """Whether the words name a group of commands, or there are none."""
    # This imports the command, and `hashlib` prints a traceback if a hash is missing.
    with redirect_stderr(None):
        _, nodes, rest = app.parse_commands(words)
    return not rest and bool(names_below(nodes[-1]))


def _bug(error: Exception, console: Console) -> int:
    """Report a bug in the tool; with `--verbose` and the text format, print the
    traceback as well.
    """
    if console.verbose and console.log_format == "text":
        import traceback

        traceback.print_exception(error)
    message = f"a bug in tool: {type(error).__name__}: {error}"
    code = EXIT_CODES["InternalError"]
    advice = "run again with `--verbose`, and report what it prints"
    console.report(ErrorEvent("InternalError", code, None, message, None, advice))
    return code
