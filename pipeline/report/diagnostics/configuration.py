"""Which file is the configuration, whether it can be read, and the 0.x file (`docs/configuration.md`)."""

import shlex
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, OfFile, Sentence, WarningDiagnostic
from pipeline.report.location import Location
from pipeline.report.wording import did_you_mean, shortened

_EMPTY: Final = "not JSON: the file is empty"
_SYNTAX: Final = {
    "duplicate key": "remove one of them",
    "more than 64 levels": "reduce the nesting",
    "more than": "a configuration is short: is this the right file?",
    "not JSON: it has a comment": (
        "JSON has no comments: remove it, or write the configuration as `tool.config.ts` or `.js`"
    ),
    "not JSON: trailing comma": "remove the comma: JSON has none after the last item",
    "not JSON: a string is not closed": 'close it with `"` in the line where it begins',
    "not JSON: the text ends too early": 'close what is open: each `{`, `[` and `"` needs its end',
    "not JSON: it has a conflict marker": (
        "keep one of the two sides, and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`"
    ),
    "not JSON: the escape": "write a backslash as `\\\\`; in a path, `/` does as well",
    _EMPTY: 'write `{"schema": 1}`, or delete the file',
    "not JSON: the byte 0x": "save the file as UTF-8",
    "not JSON: it does not begin with `{`": "a configuration is an object, `{ … }`; is this the right file?",
}
"""What to do, by the beginning of the message."""
_WORDS: Final = {
    **{word: f"JSON writes `{word}`" for word in ("true", "false")},
    **dict.fromkeys(
        ("null", "nan", "infinity", "undefined"), "JSON has no such value: write another, or leave the key out"
    ),
}
"""What to do about a word of another language."""
_NAMES: Final = {".mts": "tool.config.ts", ".cts": "tool.config.ts", ".ts": "tool.config.ts"} | dict.fromkeys(
    (".mjs", ".cjs", ".js"), "tool.config.js"
)
"""What to call a script that is a configuration, by its suffix."""


class ConfigNotFound(Diagnostic, frozen=True):
    """The file that `--config` names does not exist, or is a `package.json` without the key `tool`."""

    file: str
    lacks_key: bool = False
    is_dangling: bool = False
    """Whether it is a broken link."""
    suggestions: tuple[str, ...] = ()
    """Files beside it that may have been meant, written in the same form."""

    @property
    def message(self) -> str:
        if not self.file:
            return "`--config` names no file"
        if self.lacks_key:
            return f"`{self.file}` has no key `tool`"
        return f"no file `{shortened(self.file)}`" + ": it is a broken link" * self.is_dangling

    @property
    def advice(self) -> str:
        if not self.file:
            return "name one, or leave `--config` out to search for the configuration"
        if self.lacks_key:
            return "add the key, or name another file"
        if self.is_dangling:
            return "create its target, or name another"
        return did_you_mean(self.suggestions) or "check the path; a relative one starts at the current folder"


class ConfigUnreadable(Diagnostic, frozen=True):
    """A configuration or preset exists, but cannot be read."""

    file: str
    cause: str
    message = Sentence("cannot read `{file}`: {cause}")

    @property
    def advice(self) -> str:
        if "link" in self.cause:
            return "create its target, or remove the link"
        return "name a file in it" if "folder" in self.cause else "check the path and its permissions"


class ConfigSyntaxError(Diagnostic, frozen=True):
    """A configuration or preset is not strict JSON in UTF-8, has a key twice, or exceeds a limit."""

    location: Location
    message: str
    path: str = ""
    """Of a key that stands twice."""
    setting = Sentence("{path}")

    @property
    def advice(self) -> str:
        if self.message == _EMPTY and PurePath(self.location.name).name == "package.json":
            return "delete the file, or write `{}`: only its key `tool` would be a configuration"
        for beginning, advice in _SYNTAX.items():
            if self.message.startswith(beginning):
                return advice
        word = self.message.removeprefix("not JSON: unexpected `")
        otherwise = "check the syntax here and in the line above"
        if word == self.message:
            return otherwise
        quotes = (
            "put it in double quotes, as JSON does with keys and strings"
            if word[0] == "'" or word[0].isalpha()
            else otherwise
        )
        return _WORDS.get(word.removesuffix("`").lower(), quotes)


def not_json(location: Location, reason: str) -> ConfigSyntaxError:
    """Text that is not JSON."""
    return ConfigSyntaxError(location, f"not JSON: {reason}")


def duplicate_key(path: str, location: Location, first: Location) -> ConfigSyntaxError:
    """A key that an object has already."""
    return ConfigSyntaxError(location, f"duplicate key, first at {first}", path)


def too_much(location: Location, unit: Literal["bytes", "levels", "bytes to write"], limit: int) -> ConfigSyntaxError:
    """A file that is larger or nested more deeply than the limit, or would be once written."""
    return ConfigSyntaxError(location, f"more than {limit:,} {unit}")


class ShadowedConfig(WarningDiagnostic, frozen=True):
    """There are several configurations, the 0.x file included; only the first is read."""

    config_file: str
    shadowed_files: tuple[str, ...]
    at = "config_file"
    message = Sentence("`{config_file}` is used, not {shadowed_files}")
    advice = "keep one of them"


class UnreadConfig(OfFile, frozen=True):
    """What may be meant as the configuration is not read, by its name or where it is."""

    in_project: bool = False
    """Whether it is the configuration in the project of `--output`; else a file that another tool would read."""

    @property
    def message(self) -> str:
        if self.in_project:
            return f"`{self.file}`, in the project, is not the configuration of this run"
        names = "`tool.config.ts`, `tool.config.js` or `tool.config.json`"
        return f"`{self.file}` is not read: a configuration is called {names}"

    @property
    def advice(self) -> str:
        if self.in_project:
            return f"to use it, pass `{shlex.join((f'--config={self.file}',))}`"
        name = _NAMES.get(PurePath(self.file).suffix)
        return f"rename it to `{name}`" if name else "write it as JSON, in `tool.config.json`; `tool init` does"


class RewrittenConfig(OfFile, frozen=True):
    """`tool init --force` overwrote a configuration, or `tool create` rewrote the 0.x file or could not do so."""

    backup: str = ""
    """Where the original is kept."""
    cause: str = ""
    """Why the 0.x file is not rewritten."""

    @property
    def message(self) -> str:
        if self.cause:
            return f"the 0.x file `{self.file}` cannot be converted to version 1: {self.cause}"
        return f"`{self.file}` is rewritten; the original is kept in `{self.backup}`"

    @property
    def advice(self) -> str:
        return "make it writable; or write a configuration with `tool init`" if self.cause else ""


class LegacyKey(WarningDiagnostic, frozen=True):
    """A key of the 0.x file is read as a setting of another name, or is ignored."""

    key: str
    location: Location
    path: str = ""
    """The setting that it is read as."""
    reason: str = ""
    """Why it is ignored."""
    advice: str = ""

    @property
    def message(self) -> str:
        what = f"`{self.key}` of the 0.x file" if self.key else "the 0.x file"
        return f"{what} is read as `{self.path}`" if self.path else f"{what} is ignored: {self.reason}"


ConfigurationError: TypeAlias = ConfigNotFound | ConfigUnreadable | ConfigSyntaxError

EXAMPLES: Final = (
    ConfigNotFound("conf/tol.json", suggestions=("conf/tool.json",)),
    ConfigUnreadable("tool.config.json", "permission denied"),
    not_json(Location("tool.config.json", 3, 5), "trailing comma in object"),
    ShadowedConfig("tool.config.ts", ("tool.config.json",)),
    UnreadConfig("tool.config.yaml"),
    RewrittenConfig("tool.config.json", "tool.config.json.bak"),
    LegacyKey("themeName", Location(".tool.json", 2, 3), "theme"),
)
