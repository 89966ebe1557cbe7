"""Usage: what a command line says before it is run, and what is wrong with it."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from cyclopts import CoercionError, CycloptsError, RepeatArgumentError, UnusedCliTokensError, ValidationError

from io_edges.flags import not_seconds
from pipeline.report.problems import UsageError
from pipeline.report.source import Source
from pipeline.schema import LEAVES, LogFormat

_LOG_FORMAT: Final = {"--log-format", "--log_format"}
"""The flag as it may be spelled."""


def usage(error: CycloptsError) -> UsageError:
    """What is wrong with the command line; for a setting's flag, with the setting."""
    command = " ".join(("tool", *(error.command_chain or ())))
    repeated = error.token.keyword if isinstance(error, RepeatArgumentError) else None
    flag = error.argument.name if error.argument else repeated
    leaf = next((leaf for leaf in LEAVES if flag in {leaf.flag, leaf.negative}), None)
    return UsageError(_message(error), command, leaf.path if leaf else None, Source(flag) if leaf and flag else None)


def _message(error: CycloptsError) -> str:
    name = error.argument.name if error.argument else ""
    match error:
        case UnusedCliTokensError():
            return f"Unexpected argument: {' '.join(error.unused_tokens or ())}"
        case ValidationError() if name:
            return f"Invalid value for {name}: {error.exception_message}"
        case CoercionError() if error.target_type is float and error.token:
            return f"Invalid value for {name}: {not_seconds(error.token.value)}"
        case _:
            return " ".join(str(error).split())


def format_in(argv: list[str], environ: Mapping[str, str]) -> LogFormat:
    """The log format of a command line that may turn out to be wrong."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    joined = [f"{flag}={value}" for flag, value in pairwise(options)]
    parts = [word.partition("=") for word in (*options, *joined)]
    known = [value for flag, _, value in parts if flag in _LOG_FORMAT and value in {"text", "json"}]
    asked = known[-1] if known else environ.get("TOOL_LOG_FORMAT")
    return "json" if asked == "json" else "text"
