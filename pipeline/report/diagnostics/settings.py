"""Errors in a key, a value, a preset's name or the command line (`docs/configuration.md`)."""

from typing import Final, TypeAlias

import msgspec

from pipeline.report.diagnostic import Diagnostic, OfKey, Sentence, WarningDiagnostic
from pipeline.report.location import Location
from pipeline.report.wording import did_you_mean, either, listed, shortened
from pipeline.schema import (
    BUNDLED,
    NOT_IN_PRESETS,
    OBJECTS,
    PREFIX,
    SETTINGS,
    TOP_KEYS,
    Setting,
    Value,
)

_FOREIGN: Final = {
    "$schema": (
        "docs/configuration.md says how an editor finds the schema",
        "remove the key; in VS Code, the setting `json.schemas` names the schema",
    ),
    "tool": (
        "`tool` is a key of `package.json`; in this file its content belongs at the top level",
        "move the content of `tool` to the top level, and remove the key",
    ),
    "output": ("the output folder is not a setting", "remove the key, and pass `--output=FOLDER`"),
    "drop": (
        "the drop is not a setting",
        "remove the key, and name the folder: `tool create FOLDER`",
    ),
    **{
        f"{kind}Dir": (
            f"the folder for {kind} is not a setting",
            f"remove the key, and pass `--{kind}-dir=FOLDER`",
        )
        for kind in ("themes", "modules")
    },
    "extends": (
        "a configuration cannot extend another; it uses presets",
        'write `"presets": ["./presets/shop.json"]`',
    ),
}
"""Top-level keys that other tools have, or that are no settings here: why there is no such key,
and what to do.
"""
_REPEATED: Final = '`"..."` at most once in a list', "it again"
_RETYPED: Final = {
    _REPEATED: "remove one: a single one keeps everything that lower layers list",
    ("a list of strings", "a string"): "put it in brackets: `[ … ]`",
    ("a string", "a number"): "put it in double quotes",
    ("true or false", "a string"): "write `true` or `false`, without quotes",
    ("a path or a name", "an empty string"): "write a path or a name, or omit the value",
    ("a name or a pattern", "an empty string"): "write a name or a pattern, or omit the value",
}
"""What to do about a value of the wrong type, by the expected and the found type."""


class UsageError(Diagnostic, frozen=True):
    """The command line is wrong, or `tool init` has no answer to a question. The tool
    does not guess.
    """

    message: str
    command: str
    path: str | None = None
    """The setting, if its flag is wrong."""
    location: Location | None = None
    instead: str = ""
    """What to do or type instead; if empty, the advice refers to the help of the command."""
    setting = Sentence("{path}")

    @property
    def advice(self) -> str:
        return self.instead or f"`{self.command} --help` lists what it accepts"


class UnknownKey(OfKey, frozen=True):
    """A configuration or a preset has a key that is not a setting. A misspelt key would
    set nothing.
    """

    suggestions: tuple[str, ...] = ()
    """Keys to suggest."""
    belongs: str = ""
    """The path of the setting to suggest, if the key belongs to another object or has the
    name of a flag.
    """
    in_preset: bool = False
    """Whether the key is in a preset, which cannot have every key of a configuration."""

    @property
    def message(self) -> str:
        if self.in_preset and self.path in NOT_IN_PRESETS:
            return f"a preset cannot have `{self.path}`: only a configuration chooses presets"
        if self.path in _FOREIGN:
            return f"unknown key: {_FOREIGN[self.path][0]}"
        if self.belongs:
            return f"unknown key: the setting is `{self.belongs}`"
        return "unknown key"

    @property
    def advice(self) -> str:
        if self.in_preset and self.path in NOT_IN_PRESETS:
            return "set it in the configuration file"
        if self.path in _FOREIGN:
            return _FOREIGN[self.path][1]
        if self.belongs:
            outer, _, inner = self.belongs.rpartition(".")
            if not outer:
                return f"move it out of `{self.path.rpartition('.')[0]}`"
            return f'write `"{outer}": {{"{inner}": … }}`'
        return did_you_mean(self.suggestions) or self._keys()

    def _keys(self) -> str:
        """The keys that the object around the unknown key can have."""
        outer = self.path.partition(".")[0]
        inner = tuple(
            setting.keys[1] for setting in SETTINGS if setting.keys[0] == outer and setting.keys[1:]
        )
        if inner:
            return f"`{outer}` can have {listed(inner)}"
        if self.in_preset:
            return (
                f"a preset can have "
                f"{listed([key for key in TOP_KEYS if key not in NOT_IN_PRESETS])}"
            )
        return f"a configuration can have {listed(TOP_KEYS)}"


class InvalidValue(OfKey, frozen=True):
    """A value has the wrong type, is not one of the accepted values, or is an empty path. No value
    is converted.
    """

    expected: str
    found: str
    suggestions: tuple[str, ...] = ()
    message = Sentence("expected {expected}, found {found}")

    @property
    def advice(self) -> str:
        path, _, index = self.path.partition("[")
        if path == "schema":
            return (
                "write `1`, or omit the key; a later version of the format needs a later "
                "version of tool"
            )
        if not path and not self.location.line and self.location.name.isupper():
            return "set the variable to such a value, or unset it"
        if self.found == "null" and index:
            return "omit it, or write a string"
        if self.found == "null":
            return "remove the key to use its default"
        # It may be the shorthand.
        setting = next(
            (setting for setting in SETTINGS if path in {setting.path, setting.keys[-1]}), None
        )
        known = did_you_mean(self.suggestions) or _RETYPED.get((self.expected, self.found))
        return known or f"for example `{_example(path, setting, self.location)}`"


def not_one_of(
    choices: tuple[str, ...],
    path: str,
    location: Location,
    value: str,
    suggestions: tuple[str, ...] = (),
) -> InvalidValue:
    """The error that a value is not one of the accepted values."""
    found = "an empty string"
    if value:
        found = f"`{shortened(value)}`"
    return InvalidValue(path, location, either(choices), found, suggestions=suggestions)


def repeated_splice(path: str, location: Location) -> InvalidValue:
    """The error that a list has a second element `"..."`."""
    return InvalidValue(path, location, *_REPEATED)


class PresetNotFound(Diagnostic, frozen=True):
    """A preset is neither bundled nor found. It is not skipped: it may make a build strict."""

    preset: str
    location: Location
    searched: tuple[str, ...]
    suggestions: tuple[str, ...] = ()
    path: str = "presets"
    """The path of the setting, with the index if the element has its own position."""
    is_path: bool = False
    """Whether `preset` is the path of a file, which is not searched for."""
    is_folder: bool = False
    """Whether that path is a folder."""
    setting = Sentence("{path}")

    @property
    def message(self) -> str:
        preset = shortened(self.preset)
        if self.is_folder:
            return f"`{preset}` is a folder, not a preset file"
        if self.is_path:
            return f"no preset `{preset}`: there is no file {listed(self.searched)}"
        searched = "`presetsSearchPath` is empty"
        if self.searched:
            searched = f"searched {listed(self.searched)}"
        return f"no preset `{preset}`: the bundled presets are {listed(tuple(BUNDLED))}; {searched}"

    @property
    def advice(self) -> str:
        if self.preset == "auto":
            return (
                "write `...` instead; it stands for the presets of lower layers, or else for "
                "the detected presets"
            )
        if self.is_folder:
            otherwise = (
                "name a file in it; or list the folder in `presetsSearchPath`, and name the file"
            )
        elif self.is_path and (self.preset.startswith("~") or "$" in self.preset):
            otherwise = "write the whole path: `~` and `$` are not expanded"
        elif self.is_path:
            otherwise = "check the path; in a file, it is relative to that file"
        else:
            otherwise = "check the name, and that `presetsSearchPath` lists the folder of its file"
        return did_you_mean(self.suggestions) or otherwise


def misspelt_variable(variable: str, right: str) -> WarningDiagnostic:
    """A variable is not read: it is named almost like a variable of the tool, or like a flag.

    `right` is the correct variable, with `=false` if the name turns it off; or a flag that has
    no variable.
    """
    why = f"the variable is named `{right.partition('=')[0]}`"
    advice = "rename it"
    if right.startswith("--"):
        why = f"`{right}` has no variable"
        advice = f"pass `{right}`"
    elif "=" in right:
        advice = f"set `{right}`"
    return WarningDiagnostic(
        "misspelt-variable", f"`{variable}` is not read: {why}", advice, Location(variable)
    )


def quoted_variable(variable: str) -> WarningDiagnostic:
    """A variable has quotes around its value, which become part of it: an env file keeps them, a
    shell removes them.
    """
    message = f"`{variable}` has quotes around its value, and they count as part of it"
    return WarningDiagnostic("quoted-variable", message, "remove the quotes", Location(variable))


def unexpanded_path(path: str, value: str, location: Location) -> WarningDiagnostic:
    """A path has a `~` or a `$`, which is taken literally. `path` is the setting."""
    message = f"`{shortened(value)}` in {path} is taken literally: `~` and `$` are not expanded"
    return WarningDiagnostic("unexpanded-path", message, "write the whole path", location)


def missing_presets_folder(folder: str, location: Location) -> WarningDiagnostic:
    """A folder of `presetsSearchPath` does not exist, so no preset is found or detected in it."""
    message = (
        f"presetsSearchPath names `{shortened(folder)}`, which is not a folder, so no "
        f"preset is found there"
    )
    return WarningDiagnostic(
        "missing-presets-folder", message, "create the folder, or correct the path", location
    )


def _example(path: str, setting: Setting | None, location: Location) -> str:
    """An example of a value at a path: the setting's own, or an object with its first setting."""
    if setting and location.name.startswith(PREFIX) and not location.line:
        return f"{location.name}={_in_variable(setting.example)}"
    inner = setting or next((each for each in SETTINGS if each.keys[0] == path), SETTINGS[0])
    text = f'"{inner.keys[-1]}": {msgspec.json.encode(inner.example).decode()}'
    if setting:
        return text
    if path in OBJECTS:
        return f'"{path}": {{{text}}}'
    return f"{{{text}}}"


def _in_variable(value: Value) -> str:
    """A value in the notation of variables."""
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value).lower()


SchemaError: TypeAlias = UnknownKey | InvalidValue
"""The errors in a key or value; each has a path and a location."""
