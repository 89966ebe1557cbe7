"""Variables: the layer of the environment.

A variable that is empty is unset; blanks and line breaks around a value do not count. The elements
of a list are separated by commas or line breaks, or it is a JSON array if it starts with `[`;
`auto` alone is the default of `presets`; booleans are `true`, `false`, `1` and `0`. An error names
the variable (`docs/configuration.md`, Environment variables).
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final

import msgspec
from msgspec import Struct
from returns.result import Failure, Success

from pipeline.config.layers import Assignment, Layer, make_layer
from pipeline.config.other_names import variable_of_flag
from pipeline.config.setting_values import faults
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.settings import (
    InvalidValue,
    UsageError,
    misspelt_variable,
    not_one_of,
    quoted_variable,
)
from pipeline.report.location import Location
from pipeline.report.outcome import BuildOutcome, Outcome
from pipeline.report.wording import shortened, suggest
from pipeline.schema import PREFIX, SETTINGS, Setting

NO_EXEC: Final = "TOOL_NO_EXEC"
"""The variable for `--no-exec`. It is no setting: a configuration cannot allow its
own evaluation.
"""
KEEP: Final = "TOOL_KEEP"
"""The variable for how much is kept for later; `none` keeps neither archives nor previous trees."""
KEPT_LIMIT: Final = 1024**3
"""How many bytes of archives are kept if the variable is not set."""
_UNITS: Final = {"K": 1024, "M": 1024**2, "G": 1024**3}
THEMES_DIR: Final = "TOOL_THEMES_DIR"
MODULES_DIR: Final = "TOOL_MODULES_DIR"
"""The variables for `--themes-dir` and `--modules-dir`, which are no settings: they belong to
one project.
"""
HOOK_STAGE: Final = "TOOL_HOOK_STAGE"
HOOK_PROJECT: Final = "TOOL_HOOK_PROJECT"
HOOK_THEME: Final = "TOOL_HOOK_THEME"
HOOK_PLAN: Final = "TOOL_HOOK_PLAN"
HOOK_VARIABLES: Final = frozenset({HOOK_STAGE, HOOK_PROJECT, HOOK_THEME, HOOK_PLAN})
"""The variables that hook scripts are given (`docs/scripts.md`); never read."""

FLAGS_ALONE: Final = frozenset(
    {
        *(
            "CHECK",
            "CONFIG",
            "DRY_RUN",
            "FORCE",
            "FROZEN",
            "KEEP_GOING",
            "KEEP_MINE",
            "MERGE",
            "MINE",
        ),
        *("NO_HOOKS", "OUTPUT", "PRUNE", "QUIET", "TAKE_THEIRS", "VERBOSE", "WAIT"),
    }
)
"""The flags of `tool create` that are no settings and have no variable, written like variables."""

_KNOWN: Final = frozenset(
    {NO_EXEC, KEEP, THEMES_DIR, MODULES_DIR, *(setting.variable for setting in SETTINGS)}
)
"""The variables that are read."""
_IN_QUOTES: Final = r"""(?s)\s*(["']).*\1\s*"""
_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}


class Keeping(Struct, frozen=True):
    """How much a run keeps for later."""

    is_on: bool = True
    """Whether anything is kept: archives, and the files that the run replaces."""
    limit: int | None = KEPT_LIMIT
    """How many bytes of archives are kept; `None` for all."""


_KEPT: Final = {"": Keeping(), "all": Keeping(limit=None), "none": Keeping(is_on=False, limit=0)}


def read_variables(environ: Mapping[str, str], start: PurePath) -> Outcome[Layer]:
    """Make the layer of the environment. Paths are relative to `start`. Errors: `InvalidValue`, for
    all variables at once.
    """
    all_texts = {setting: environ.get(setting.variable, "").strip() for setting in SETTINGS}
    texts = {setting: text for setting, text in all_texts.items() if text}
    values = {setting: read_text(setting, text) for setting, text in texts.items()}
    errors = tuple(
        error
        for setting, value in values.items()
        for error in faults_of(setting, texts[setting], value, Location(setting.variable))
    )
    if errors:
        return Failure(errors)
    assignments = {
        setting: Assignment("env", Location(setting.variable), without_list(value))
        for setting, value in values.items()
    }
    return Success(make_layer(assignments, start, (*_misspelt(environ), *_quoted(environ))))


def without_list(value: Any) -> Any:
    """The value of a setting, with a tuple for a list."""
    if isinstance(value, list):
        return tuple(value)
    return value


def forbids_exec(environ: Mapping[str, str]) -> Outcome[bool]:
    """Whether the environment forbids to run hooks and scripts. Errors: `InvalidValue`."""
    text = environ.get(NO_EXEC, "").strip() or "false"
    if text in _BOOLEANS:
        return Success(_BOOLEANS[text])
    return Failure((not_one_of(tuple(_BOOLEANS), "", Location(NO_EXEC), text),))


def read_keeping(environ: Mapping[str, str]) -> BuildOutcome[Keeping]:
    """How much is kept of archives and previous trees. Errors: `UsageError`."""
    text = environ.get(KEEP, "").strip()
    if text in _KEPT:
        return Success(_KEPT[text])
    if size := re.fullmatch(r"([0-9]{1,15})([KMG])", text):
        return Success(Keeping(limit=int(size[1]) * _UNITS[size[2]]))
    message = f"`{shortened(text)}` is neither a size nor `all` or `none`"
    instead = "a size is a number and `K`, `M` or `G`, such as `200M`"
    return Failure((UsageError(message, "tool create", location=Location(KEEP), instead=instead),))


def read_text(setting: Setting, text: str) -> Any:
    """Convert the text of a variable or an answer to what a file would hold; text that cannot be
    read stays text.
    """
    match setting.type:
        case "boolean":
            return _BOOLEANS.get(text, text)
        case "strings" if text.strip() == setting.default:
            return setting.default
        case "strings" if text.lstrip().startswith("["):
            try:
                return msgspec.json.decode(text.encode(errors="surrogatepass"))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                return text
        case "strings":
            return [item.strip() for item in re.split(r"[,\r\n]", text) if item.strip()]
        case _:
            return text


def faults_of(setting: Setting, text: str, value: Any, location: Location) -> Iterator[ConfigError]:
    """Each fault of a value that was read from a text."""
    if setting.type == "strings" and value == setting.default:
        return
    if setting.type == "boolean" and isinstance(value, str):
        yield not_one_of(tuple(_BOOLEANS), setting.path, location, text)
    elif setting.type == "strings" and isinstance(value, str):
        yield InvalidValue(
            setting.path, location, "a JSON array of strings", "text that is not JSON"
        )
    else:
        for within, fault in faults(setting, value):
            yield fault(setting.path + "".join(f"[{index}]" for index in within), location)


def _misspelt(environ: Mapping[str, str]) -> Iterator[WarningDiagnostic]:
    for name in sorted(environ.keys() - _KNOWN):
        upper = name.upper()
        if (
            upper.startswith(PREFIX)
            and upper not in HOOK_VARIABLES
            and (right := _right_name(upper))
        ):
            yield misspelt_variable(name, right)


def _quoted(environ: Mapping[str, str]) -> Iterator[WarningDiagnostic]:
    for name, value in sorted(environ.items()):
        if name in _KNOWN and re.fullmatch(_IN_QUOTES, value):
            yield quoted_variable(name)


def _right_name(variable: str) -> str:
    """What to set or type instead of a variable whose name is that of a flag or nearly that of
    a variable.
    """
    if variable in _KNOWN:
        return variable
    name = variable.removeprefix(PREFIX)
    if right := variable_of_flag(name):
        return right
    if name in FLAGS_ALONE:
        return f"--{name.lower().replace('_', '-')}"
    near = suggest(name, (each.removeprefix(PREFIX) for each in _KNOWN))
    if not near:
        return ""
    return f"{PREFIX}{near[0]}"
