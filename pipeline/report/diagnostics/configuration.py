"""Which file is the configuration, whether it can be read, and the 0.x
file (`docs/configuration.md`).
"""

import shlex
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from pipeline.report.diagnostic import Diagnostic, Sentence, WarningDiagnostic
from pipeline.report.location import Location
from pipeline.report.wording import agreeing, did_you_mean, listed, shortened

Unreadable: TypeAlias = Literal["refused", "folder", "dangling"]
"""Why a file cannot be read: the operating system refuses it, or it is a folder or a
broken link.
"""
_UNREADABLE: Final[dict[Unreadable, tuple[str, str]]] = {
    "refused": ("{}", "check the path and its permissions"),
    "folder": ("it is a folder", "name a file in it"),
    "dangling": ("it is a broken link", "create its target, or remove the link"),
}
"""The cause in words, and what to do about it."""
TooMuch: TypeAlias = Literal["bytes", "levels", "bytes to write"]
"""What a file has too many of."""
NotJson: TypeAlias = Literal[
    "character",
    "colon",
    "comment",
    "conflict",
    "control",
    "depth",
    "early end",
    "empty",
    "encoding",
    "escape",
    "key",
    "late end",
    "no object",
    "open string",
    "separator",
    "surrogate",
    "trailing comma",
    "word",
]
"""Why a text is not JSON."""
_SYNTAX: Final = "check the syntax here and in the line above"
_TOO_LONG: Final = "a configuration is short: is this the right file?"
_FAULTS: Final[dict[TooMuch | NotJson | Literal["duplicate key"], tuple[str, str]]] = {
    "duplicate key": ("duplicate key, first at {}", "remove one of them"),
    "levels": ("more than {} levels", "reduce the nesting"),
    "bytes": ("more than {} bytes", _TOO_LONG),
    "bytes to write": ("more than {} bytes to write", _TOO_LONG),
    "character": ("not JSON: invalid character", _SYNTAX),
    "colon": ("not JSON: expected ':'", _SYNTAX),
    "comment": (
        "not JSON: it has a comment",
        "JSON has no comments: remove it, or write the configuration as `tool.config.ts` or `.js`",
    ),
    "conflict": (
        "not JSON: it has a conflict marker of git",
        "keep one of the two sides, and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
    ),
    "control": (
        "not JSON: a string has a tab or another control character",
        "write a tab as `\\t`, and another such character as `\\u` and four digits",
    ),
    "depth": ("not JSON: it is nested too deeply to be read", _SYNTAX),
    "early end": (
        "not JSON: the text ends too early",
        'close what is open: each `{`, `[` and `"` needs its end',
    ),
    "empty": ("not JSON: the file is empty", 'write `{"schema": 1}`, or delete the file'),
    "encoding": ("not JSON: the byte {} is not UTF-8", "save the file as UTF-8"),
    "escape": (
        "not JSON: the escape `{}` does not exist",
        "write a backslash as `\\\\`; `/` also works in a path",
    ),
    "key": ("not JSON: object keys must be strings", _SYNTAX),
    "late end": ("not JSON: trailing characters", _SYNTAX),
    "no object": (
        "not JSON: it does not begin with `{{`",
        "a configuration is an object, `{ … }`; is this the right file?",
    ),
    "open string": (
        "not JSON: a string is not closed",
        'close it with `"` in the line where it begins',
    ),
    "separator": ("not JSON: expected ',' or '{}'", _SYNTAX),
    "surrogate": (
        "not JSON: the escape `{}` is half of a character",
        "write the character itself, or the escapes of both halves",
    ),
    "trailing comma": (
        "not JSON: trailing comma in {}",
        "remove the comma: JSON has none after the last item",
    ),
    "word": ("not JSON: unexpected `{}`", _SYNTAX),
}
"""Each fault of a text in words, and what to do about it."""
_WORDS: Final = {
    **{word: f"in JSON, write `{word}`" for word in ("true", "false")},
    **dict.fromkeys(
        ("null", "nan", "infinity", "undefined"),
        "JSON has no such value: write another value, or omit the key",
    ),
}
"""What to do about a word that other languages have."""
_NAMES: Final = {
    **dict.fromkeys((".mts", ".cts", ".ts"), "tool.config.ts"),
    **dict.fromkeys((".mjs", ".cjs", ".js"), "tool.config.js"),
    ".json": "tool.config.json",
}
"""The right name of a configuration, by its suffix."""
_AS_JSON: Final = "write it as JSON, in `tool.config.json`"


class ConfigNotFound(Diagnostic, frozen=True):
    """The file that `--config` names does not exist, or is a `package.json` without the key `tool`;
    or a folder has no configuration.
    """

    file: str
    lacks_key: bool = False
    is_dangling: bool = False
    """Whether the file is a broken link."""
    suggestions: tuple[str, ...] = ()
    """Files in the same folder to suggest, as paths of the same form."""
    in_folder: bool = False
    """Whether `file` is a folder that was searched for configurations."""

    @property
    def message(self) -> str:
        if self.in_folder:
            return f"no configuration in `{shortened(self.file)}` or below it"
        if not self.file:
            return "`--config` names no file"
        if self.lacks_key:
            return f"`{self.file}` has no key `tool`"
        if self.is_dangling:
            return f"`{shortened(self.file)}` is a broken link"
        return f"no file `{shortened(self.file)}`"

    @property
    def advice(self) -> str:
        if not self.file:
            return "name one, or omit `--config` to search for the configuration"
        if self.in_folder:
            return "name another folder, or a file"
        if self.lacks_key:
            return "add the key, or name another file"
        if self.is_dangling:
            return "create its target, or name another file"
        return (
            did_you_mean(self.suggestions)
            or "check the path; a relative one starts at the current folder"
        )


class ConfigUnreadable(Diagnostic, frozen=True):
    """A configuration or preset exists, but cannot be read."""

    file: str
    cause: str = ""
    """The operating system's reason, if it refuses the file."""
    why: Unreadable = "refused"

    @property
    def message(self) -> str:
        return f"cannot read `{self.file}`: {_UNREADABLE[self.why][0].format(self.cause)}"

    @property
    def advice(self) -> str:
        return _UNREADABLE[self.why][1]


class ConfigSyntaxError(Diagnostic, frozen=True):
    """A configuration or preset is not strict JSON in UTF-8, has a key twice, or
    exceeds a limit.
    """

    location: Location
    fault: TooMuch | NotJson | Literal["duplicate key"]
    detail: str = ""
    """The limit, the character or the word at fault."""
    path: str = ""
    """The path of a duplicate key."""
    setting = Sentence("{path}")

    @property
    def message(self) -> str:
        return _FAULTS[self.fault][0].format(self.detail)

    @property
    def advice(self) -> str:
        if self.fault == "empty" and PurePath(self.location.name).name == "package.json":
            return "delete the file, or write `{ }`: only its key `tool` would be a configuration"
        if self.fault == "word":
            return _about_word(self.detail)
        return _FAULTS[self.fault][1]


def _about_word(word: str) -> str:
    """The advice on a word that JSON does not have."""
    known = _WORDS.get(word.lower())
    if known:
        return known
    if word[0] == "'" or word[0].isalpha():
        return "put it in double quotes, as JSON does with keys and strings"
    return _SYNTAX


def not_json(location: Location, fault: NotJson, detail: str = "") -> ConfigSyntaxError:
    """The error that a text is not JSON."""
    return ConfigSyntaxError(location, fault, detail)


def duplicate_key(path: str, location: Location, first: Location) -> ConfigSyntaxError:
    """The error that an object has a key twice."""
    return ConfigSyntaxError(location, "duplicate key", str(first), path)


def too_much(location: Location, unit: TooMuch, limit: int) -> ConfigSyntaxError:
    """The error that a file is larger or nested more deeply than the limit, or would be
    when written.
    """
    return ConfigSyntaxError(location, unit, f"{limit:,}")


def shadowed_config(config_file: str, shadowed_files: tuple[str, ...]) -> WarningDiagnostic:
    """There are several configurations, perhaps with the 0.x file among them; only the
    first is read.
    """
    config = PurePath(config_file)
    advice = "keep one of them"
    for path in map(PurePath, shadowed_files):
        if path.parts.count("..") < config.parts.count(".."):
            advice = f"to use `{path}`, run `tool init` in its folder"
        elif path.parent != config.parent:
            advice = f"copy what you need from `{path}`"
    message = f"`{config_file}` is used, not {listed(shadowed_files)}"
    return WarningDiagnostic("shadowed-config", message, advice, Location(config_file))


def unread_config(
    files: tuple[str, ...], *, elsewhere: bool = False, cause: str = ""
) -> WarningDiagnostic:
    """A file that looks like a configuration is ignored because of its name, its folder or
    its content.

    `elsewhere` is true if it is in the project or at the drop, which were not searched. `cause`
    says why `tool init --force` cannot read it. Otherwise the files of one folder have almost the
    name of a configuration.
    """
    first = files[0]
    if cause:
        message = f"`{first}` is not read: {cause}"
        advice = "the built-in defaults are used"
    elif elsewhere:
        message = (
            f"`{first}` is not used: the configuration is searched for from the current "
            f"folder upward"
        )
        advice = f"to use it, pass `{shlex.join((f'--config={first}',))}`"
    else:
        names = "`tool.config.ts`, `tool.config.js` or `tool.config.json`"
        message = (
            f"{listed(files)} {agreeing(files, 'is', 'are')} not read: a configuration is "
            f"named {names}"
        )
        advice = _AS_JSON
        if name := _right_name(first):
            advice = f"rename {agreeing(files, 'it', 'one of them')} to `{name}`"
    return WarningDiagnostic("unread-config", message, advice, Location(first))


def _right_name(file: str) -> str:
    """The right name of a file with almost the name of a configuration; empty if its language is
    not accepted.
    """
    names = [_NAMES[suffix] for suffix in PurePath(file.lower()).suffixes if suffix in _NAMES]
    return "".join(names[-1:])


def rewritten_config(file: str, backup: str = "", cause: str = "") -> WarningDiagnostic:
    """`tool init --force` overwrote a configuration, or `tool create` rewrote the 0.x file or
    could not do so.

    `backup` is the path of the original; `cause` says why the 0.x file is not rewritten.
    """
    message = f"`{file}` was replaced; the original is kept in `{backup}`"
    advice = ""
    if cause:
        message = f"the 0.x file `{file}` cannot be converted to version 1: {cause}"
        advice = "make it writable; or write a configuration with `tool init`"
    return WarningDiagnostic("rewritten-config", message, advice, Location(file))


def legacy_key(
    key: str, location: Location, path: str = "", reason: str = "", advice: str = ""
) -> WarningDiagnostic:
    """A key of the 0.x file is read as a setting of another name, or is ignored.

    Either `path` is that setting, or `reason` says why the key is ignored.
    """
    what = "the 0.x file"
    if key:
        what = f"the 0.x key `{key}`"
    message = f"{what} is read as `{path}`"
    if not path:
        message = f"{what} is ignored: {reason}"
    return WarningDiagnostic("legacy-key", message, advice, location)


ConfigurationError: TypeAlias = ConfigNotFound | ConfigUnreadable | ConfigSyntaxError
