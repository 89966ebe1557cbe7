"""Usage: what a command line says before it is run, and what is wrong with it."""

from collections.abc import Mapping, MutableMapping
from itertools import pairwise

from cyclopts import CycloptsError, RepeatArgumentError, UnusedCliTokensError

from pipeline.problems import UsageError
from pipeline.schema import LEAVES, LogFormat
from pipeline.source import Source

NARROWEST = 40
"""The fewest columns that help is laid out in."""


def usage(error: CycloptsError) -> UsageError:
    """What is wrong with the command line; for a setting's flag, with the setting."""
    command = " ".join(("tool", *(error.command_chain or ())))
    repeated = error.token.keyword if isinstance(error, RepeatArgumentError) else None
    flag = error.argument.name if error.argument else repeated
    leaf = next((leaf for leaf in LEAVES if leaf.flag == flag), None)
    message = " ".join(str(error).split())
    if isinstance(error, UnusedCliTokensError):
        message = f"Unexpected argument: {' '.join(error.unused_tokens or ())}"
    return UsageError(message, command, leaf.path if leaf else None, Source(leaf.flag) if leaf else None)


def widen(environ: MutableMapping[str, str]) -> None:
    """Make the help at least `NARROWEST` columns wide: on a narrower terminal rich may never finish."""
    import shutil  # costs start-up time, and only help needs it

    if shutil.get_terminal_size().columns < NARROWEST or environ.get("COLUMNS", "").strip().isdecimal():
        environ["COLUMNS"] = str(max(NARROWEST, shutil.get_terminal_size().columns))


def format_in(argv: list[str], environ: Mapping[str, str]) -> LogFormat:
    """The log format of a command line that may turn out to be wrong."""
    given = argv[: argv.index("--")] if "--" in argv else argv
    flags = [word.removeprefix("--log-format=") for word in given if word.startswith("--log-format=")]
    flags += [value for flag, value in pairwise(given) if flag == "--log-format"]
    known = [value for value in flags if value in {"text", "json"}]
    asked = known[-1] if known else environ.get("TOOL_LOG_FORMAT")
    return "json" if asked == "json" else "text"
