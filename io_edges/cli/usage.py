"""Usage: word the errors of a command line, and read some flags before it is parsed."""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from inspect import BoundArguments
from itertools import zip_longest
from typing import Final

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Token,
    UnknownCommandError,
    UnusedCliTokensError,
    ValidationError,
)

from io_edges.cli.app import app, names_below
from io_edges.cli.flags import switches_of
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
from pipeline.report.wording import shortened, suggest
from pipeline.schema import SETTINGS, LogFormat, Setting

_LOG_FORMAT: Final = {"--log-format", "--log_format"}
"""The two spellings of the flag."""
_GUESS: Final = r'(?:option: |")(-*[\w.-]*\w|-+).*?( Did you mean "?([^" ]+?)"?\?)'
"""The pattern of an unknown word in a message of cyclopts, and of its suggestion."""


def usage(error: CycloptsError) -> UsageError:
    """The error of a command line, with the setting if it is about a setting's flag."""
    command = " ".join(("tool", *(error.command_chain or ())))
    path = None
    source = None
    if error.argument and (setting := _setting_of(error.argument.name)):
        path = setting.path
        source = Location(error.argument.name)
    message = " ".join(str(error).split())
    advice = ""
    guess = re.search(_GUESS, message)
    if guess and not suggest(guess[1], (guess[3],)):
        message = message.replace(guess[2], "")
    match error:
        case UnknownCommandError(unused_tokens=[token, *_]) if token.startswith("-"):
            first = "create"
            if command == "tool config":
                first = "show"
            message = f"Expected a command, found `{token}`"
            advice = f"options follow the command, as in `{command} {first} --quiet`"
        case UnusedCliTokensError(unused_tokens=[extra, *_]):
            advice = _one_flag_each(error.root_input_tokens or (), [extra])
        case ValidationError() if error.argument and isinstance(error.argument.value, tuple):
            message = f"Invalid value for {error.argument.name}: {error.exception_message}"
        case CoercionError(target_type=of, token=Token(keyword=str(switch), value=value)) if (
            of is bool
        ):
            message = takes_no_value(switch, value)
        case MissingArgumentError():
            advice = _joined(error)
    return UsageError(message, command, path, source, advice)


def _setting_of(flag: str) -> Setting | None:
    """The setting of a flag or of its opposite; `None` if the flag has no setting."""
    for setting in SETTINGS:
        if flag in {setting.flag, setting.negative}:
            return setting
    return None


def refuse_values(words: Sequence[str], bound: BoundArguments) -> None:
    """Raise `Stop` for a value of a switch, such as `--dry-run=no`, or a second value of a list:
    cyclopts takes both.

    A second value is a word after the flag of a list and its value, which cyclopts takes for a drop
    or a name. A folder is taken for the drop.
    """
    command = " ".join(("tool", *app.parse_commands(words)[0]))
    switches = set[str]()
    for parameter in bound.signature.parameters.values():
        switches |= switches_of(parameter.annotation)
    for word in options_in(words):
        flag, equals, value = word.partition("=")
        if equals and flag.replace("_", "-") in switches:
            raise Stop(UsageError(takes_no_value(flag, value), command))
    if "names" in bound.signature.parameters:
        names = list(bound.args)
        if names and os.path.isdir(names[0]):  # noqa: PTH112 - a path of any length
            names = names[1:]
        if advice := _one_flag_each(words, names):
            raise Stop(
                UsageError("Expected one value after the flag of a list", command, instead=advice)
            )


def takes_no_value(switch: str, value: str) -> str:
    """The message about a switch with a value."""
    if not value:
        return f"{switch} takes no value, found an empty one"
    return f"{switch} takes no value, found `{shortened(value)}`"


def _joined(error: MissingArgumentError) -> str:
    """The advice for a value that begins with `-` but is not a flag; empty if there is
    no such value.
    """
    flag, value, *_ = [*(error.unused_tokens or []), "", ""]
    command = app.parse_commands(error.command_chain)[1][-1]
    is_option = any(
        value.partition("=")[0] in argument.names
        for argument in command.assemble_argument_collection()
    )
    if is_option or not value.startswith("-") or value == "--":
        return ""
    return (
        f"a value that begins with `-` is joined to its flag: `{shlex.join((f'{flag}={value}',))}`"
    )


def _one_flag_each(words: Sequence[str], extra: Sequence[str]) -> str:
    """The advice for several values after one flag of a list; empty if there are none."""
    lists = {setting.flag for setting in SETTINGS if setting.type == "strings"}
    for flag, value, following in zip(words, words[1:], words[2:], strict=False):
        if flag in lists and following in extra:
            return (
                f"a list is given as one flag for each value: "
                f"`{shlex.join((flag, value, flag, following))}`"
            )
    return ""


def missing_config(error: Error, argv: list[str]) -> tuple[Error, ...]:
    """The error of a missing `--config` file, which is reported before that of the command line."""
    configs = _values(argv, {"--config"})
    if not configs or not isinstance(error, UsageError):
        return ()
    command = app.parse_commands(error.command.split()[1:])[1][-1]
    if names_below(command):
        return ()
    if not any("--config" in argument.names for argument in command.assemble_argument_collection()):
        return ()
    start = start_folder()
    missing = errors_of(locate(start, configs[-1], real_disk(start, Console())))
    return tuple(problem for problem in missing if isinstance(problem, ConfigNotFound))


def format_in(argv: list[str], environ: Mapping[str, str]) -> LogFormat:
    """The log format by a command line that is not parsed yet, and by the environment."""
    asked = environ.get("TOOL_LOG_FORMAT", "").strip()
    for value in _values(argv, _LOG_FORMAT):
        if value in {"text", "json"}:
            asked = value
    if asked == "json":
        return "json"
    return "text"


def options_in(argv: Sequence[str]) -> Sequence[str]:
    """The words before `--`."""
    if "--" not in argv:
        return argv
    return argv[: argv.index("--")]


def _values(argv: list[str], flags: set[str]) -> list[str]:
    """The values of these flags, joined by `=` or in the next word, in order."""
    values = list[str]()
    options = options_in(argv)
    for word, following in zip_longest(options, options[1:]):
        flag, equals, value = word.partition("=")
        if flag not in flags:
            continue
        if equals:
            values.append(value)
        elif following is not None:
            values.append(following)
    return values
