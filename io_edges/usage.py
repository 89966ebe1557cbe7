"""Usage: what a command line says before it is run, and what is wrong with it."""

import shlex
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import PurePath
from typing import Final

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

from io_edges.flag_values import not_seconds
from io_edges.report.wording import one_of
from pipeline.report.problems import UsageError
from pipeline.report.source import Source
from pipeline.schema import LEAVES, LogFormat, is_archive_name

SUGGESTED: Final = 3
"""Up to how many archives a command line for them alone is suggested."""
_LOG_FORMAT: Final = {"--log-format", "--log_format"}
"""The flag as it may be spelled."""


def usage(error: CycloptsError) -> UsageError:
    """What is wrong with the command line; for a setting's flag, with the setting."""
    command = " ".join(("tool", *(error.command_chain or ())))
    flag = error.argument.name if error.argument else None
    leaf = next((leaf for leaf in LEAVES if flag in {leaf.flag, leaf.negative}), None)
    message, advice = _in_words(error, command)
    path, source = (leaf.path, Source(flag)) if leaf and flag else (None, None)
    return UsageError(message, command, path, source, advice)


def _in_words(error: CycloptsError, command: str) -> tuple[str, str]:
    """What is wrong, and what to do if `--help` does not say it best."""
    match error:
        case UnknownOptionError():
            return _unknown(error)
        case UnknownCommandError(unused_tokens=[token, *_]) if token.startswith("-"):
            example = f"{command} {'show' if command == 'tool config' else 'create'} --quiet"
            return f"Expected a command, found `{token}`", f"options follow the command, as in `{example}`"
        case UnknownCommandError():
            return _unknown_command(error)
        case UnusedCliTokensError():
            return _unexpected(error), _one_flag_each(error)
        case _:
            return _message(error), ""


def _unknown(error: UnknownOptionError) -> tuple[str, str]:
    from io_edges.habits import unknown_flag  # costs start-up time, and only a mistake needs it

    return unknown_flag(error)


def _unknown_command(error: UnknownCommandError) -> tuple[str, str]:
    from io_edges.habits import unknown_command  # costs start-up time, and only a mistake needs it

    return unknown_command(error)


def _message(error: CycloptsError) -> str:
    name = error.argument.name if error.argument else ""
    match error:
        case MissingArgumentError() if error.argument and not name.startswith("-"):
            choices = error.argument.get_choices() or (error.argument.parameter.metavar or name,)
            return f"Expected {one_of(choices)}"
        case ValidationError() if name:
            return f"Invalid value for {name}: {error.exception_message}"
        case CoercionError() if error.target_type is float and error.token:
            return f"Invalid value for {name}: {not_seconds(error.token.value)}"
        case _:
            return " ".join(str(error).split())


def _unexpected(error: UnusedCliTokensError) -> str:
    """What to type instead of several archives, for a command that takes the folder that they are in."""
    command = " ".join(("tool", *(error.command_chain or ())))
    archives = [PurePath(token) for token in error.root_input_tokens or () if is_archive_name(token)]
    folders = {str(archive.parent) for archive in archives}
    if command not in {"tool create", "tool status"} or len(folders) != 1:
        return f"Unexpected argument: {' '.join(error.unused_tokens or ())}"
    flags = tuple(f"--only={archive.name}" for archive in archives)
    instead = shlex.join((*command.split(), *folders, *(flags if len(flags) <= SUGGESTED else ())))
    which = "these modules alone; for a theme there is --theme" if len(flags) <= SUGGESTED else "all in it"
    return f"Expected one folder, found archives: `{instead}` is for {which}"


def _one_flag_each(error: UnusedCliTokensError) -> str:
    """What to type instead of several values after one flag of a list; empty if there is none."""
    lists = {leaf.flag for leaf in LEAVES if leaf.type == "strings"}
    words, extra = list(error.root_input_tokens or ()), (error.unused_tokens or [""])[0]
    for flag, value, following in zip(words, words[1:], words[2:], strict=False):
        if flag in lists and following == extra:
            return f"a list is given as one flag for each value: `{shlex.join((flag, value, flag, extra))}`"
    return ""


def format_in(argv: list[str], environ: Mapping[str, str]) -> LogFormat:
    """The log format of a command line that may turn out to be wrong."""
    known = [value for value in _values(argv, _LOG_FORMAT) if value in {"text", "json"}]
    asked = known[-1] if known else environ.get("TOOL_LOG_FORMAT")
    return "json" if asked == "json" else "text"


def config_in(argv: list[str]) -> str | None:
    """The file that `--config` names in a command line that turned out to be wrong."""
    return next(iter(_values(argv, {"--config"})[-1:]), None)


def _values(argv: list[str], flags: set[str]) -> list[str]:
    """The values that are given for a flag, joined or as the next word, in order."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    pairs = [(*word.partition("="), following) for word, following in zip_longest(options, options[1:])]
    values = (value if equals else following for flag, equals, value, following in pairs if flag in flags)
    return [value for value in values if value is not None]
