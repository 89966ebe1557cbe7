"""Usage: what a command line says before it is run, and what is wrong with it."""

import os
import shlex
from collections.abc import Mapping, Sequence
from inspect import BoundArguments
from itertools import chain, zip_longest
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

from io_edges.cli.app import app, command_at, names_below
from io_edges.cli.flags import not_seconds
from io_edges.cli.session import start_folder
from io_edges.disk import real_disk
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.locate import locate
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.configuration import ConfigNotFound
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.location import Location
from pipeline.report.outcome import errors_of
from pipeline.report.wording import did_you_mean, either, listed, one_of, suggest
from pipeline.schema import SETTINGS, LogFormat

_LOG_FORMAT: Final = {"--log-format", "--log_format"}
"""The forms in which the flag may be written."""


def usage(error: CycloptsError) -> UsageError:
    """What is wrong with the command line; for a setting's flag, with the setting."""
    command = " ".join(("tool", *(error.command_chain or ())))
    flag = error.argument.name if error.argument else None
    setting = next((setting for setting in SETTINGS if flag in {setting.flag, setting.negative}), None)
    message, advice = _in_words(error, command)
    path, source = (setting.path, Location(flag)) if setting and flag else (None, None)
    return UsageError(message, command, path, source, advice)


def _in_words(error: CycloptsError, command: str) -> tuple[str, str]:
    """What is wrong, and what to do if `--help` does not say it best."""
    name = error.argument.name if error.argument else ""
    match error:
        case UnknownOptionError():
            return _unknown_flag(error)
        case UnknownCommandError(unused_tokens=[token, *_]) if token.startswith("-"):
            example = f"{command} {'show' if command == 'tool config' else 'create'} --quiet"
            return f"Expected a command, found `{token}`", f"options follow the command, as in `{example}`"
        case UnknownCommandError(unused_tokens=[token, *_]):
            return unknown_command(token, error.command_chain or ())
        case UnusedCliTokensError(unused_tokens=[*extra]):
            return f"Unexpected argument: {' '.join(extra)}", _one_flag_each(error.root_input_tokens or (), extra[:1])
        case MissingArgumentError() if name.startswith("-"):
            return f"Expected a value after {error.keyword or name}", ""
        case MissingArgumentError(argument=argument) if argument:
            return f"Expected {one_of(argument.get_choices() or (argument.parameter.metavar or name,))}", ""
        case ValidationError() if name:
            return f"Invalid value for {name}: {error.exception_message}", ""
        case CoercionError(token=token) if error.target_type is float and token:
            return f"Invalid value for {name}: {not_seconds(token.value)}", ""
        case CoercionError(token=token, argument=argument) if token and argument and (known := argument.get_choices()):
            found = f"`{token.value}`" if token.value else "an empty value"
            wrong = f"Invalid value for {name}: expected {either(known)}, found {found}"
            return wrong, did_you_mean(suggest(token.value, known)[:1])
        case _:
            return " ".join(str(error).split()), ""


def unknown_command(word: str, group: Sequence[str], pages: Sequence[str] = ()) -> tuple[str, str]:
    """What is wrong about a command that there is not, or a page where one may be asked for, and what to type."""
    commands = names_below(command_at(group))
    if not group and word in names_below(command_at(("config",))):
        return f"Unknown command: {word}", f"it is one of `tool config`: `tool config {word}`"
    near = suggest(word, (*commands, *pages))[:1]
    known = "`tool help` names the commands and pages" if pages else f"the commands are {listed(commands)}"
    kind = "command or page" if pages and not {*near} & {*commands} else "command"
    return f"Unknown {kind}: {word}", did_you_mean(near) or known


def _unknown_flag(error: UnknownOptionError) -> tuple[str, str]:
    """What is wrong about a flag that a command does not have, and what to type; empty if nobody can say."""
    flag = (error.token.keyword or error.token.value).partition("=")[0]
    names = chain.from_iterable(each.names for each in error.argument_collection if each.parse)
    near = suggest(flag, [name for name in names if name.startswith("--")])[:1]
    return f"Unknown option: {flag}", did_you_mean(near if flag.startswith("--") else ()) or _as_path(error.token.value)


def _as_path(word: str) -> str:
    """What to type for a file or folder whose name begins with a dash; empty if there is none."""
    return f"if you mean the path, write `{shlex.join((f'./{word}',))}`" if os.path.lexists(word) else ""


def refuse_second_values(words: Sequence[str], bound: BoundArguments) -> None:
    """Stop if what counts as a drop or a name may have been meant as one more value of a list, whose flag precedes it.

    A folder is not in doubt.
    """
    if "names" in bound.signature.parameters:
        names = [each for number, each in enumerate(bound.args) if number or not os.path.isdir(each)]  # noqa: PTH112 - a path of any length
        if advice := _one_flag_each(words, names):
            raise Stop(UsageError("Expected one value after the flag of a list", f"tool {words[0]}", instead=advice))


def _one_flag_each(words: Sequence[str], extra: Sequence[str]) -> str:
    """What to type instead of several values after one flag of a list; empty if there is none."""
    lists = {setting.flag for setting in SETTINGS if setting.type == "strings"}
    for flag, value, following in zip(words, words[1:], words[2:], strict=False):
        if flag in lists and following in extra:
            return f"a list is given as one flag for each value: `{shlex.join((flag, value, flag, following))}`"
    return ""


def missing_config(error: Error, argv: list[str]) -> tuple[Error, ...]:
    """Report first that the file of `--config` is missing, also if the command line is wrong."""
    config = next(iter(_values(argv, {"--config"})[-1:]), None)
    if config is None or not isinstance(error, UsageError) or not _takes_config(error.command):
        return ()
    start = start_folder()
    missing = errors_of(locate(start, config, real_disk(start, Console())))
    return tuple(each for each in missing if isinstance(each, ConfigNotFound))


def _takes_config(command: str) -> bool:
    """Whether a command has the flag `--config`."""
    node = app.parse_commands(command.split()[1:])[1][-1]
    arguments = () if names_below(node) else node.assemble_argument_collection()
    return any("--config" in argument.names for argument in arguments)


def format_in(argv: list[str], environ: Mapping[str, str]) -> LogFormat:
    """The log format of a command line that may turn out to be wrong."""
    known = [value for value in _values(argv, _LOG_FORMAT) if value in {"text", "json"}]
    asked = known[-1] if known else environ.get("TOOL_LOG_FORMAT")
    return "json" if asked == "json" else "text"


def _values(argv: list[str], flags: set[str]) -> list[str]:
    """The values that are given for a flag, joined or as the next word, in order."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    pairs = [(*word.partition("="), following) for word, following in zip_longest(options, options[1:])]
    values = (value if equals else following for flag, equals, value, following in pairs if flag in flags)
    return [value for value in values if value is not None]
