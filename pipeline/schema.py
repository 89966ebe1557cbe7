"""The schema: the settings of a configuration, written once.

Validation, flags, environment variables, defaults and `docs/reference/settings.md` all read this
table; `docs/configuration.md` states the rules in words.
"""

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct

SettingType: TypeAlias = Literal["string", "strings", "choice", "boolean"]
PathKind: TypeAlias = Literal["no", "path", "paths", "archive", "presets"]
GroupName: TypeAlias = Literal["archives", "presets", "hooks", "cache", "log"]
OnFailure: TypeAlias = Literal["continue", "fail"]
LogFormat: TypeAlias = Literal["text", "json"]
Value: TypeAlias = str | bool | tuple[str, ...]
"""The value of a setting as the user wrote it."""

AUTO: Final = "auto"
NONE: Final = "none"
SPLICE: Final = "..."
"""The element of a list that keeps the lists of lower layers in its place."""
LIST_LIMIT: Final = 1000
"""The most elements of a list. Some checks take time for each pair of elements."""
SPLICE_MEANING: Final = (
    f'The element "...", at most once, keeps in its place what lower layers '
    f"list. At most {LIST_LIMIT:,} elements."
)

BUNDLED: Final = {
    "none": b"{}",
    "ci": b'{"hooks": {"onFailure": "fail"}, "cache": {"enabled": false}}',
}
"""The presets that come with the tool."""
PREFIX: Final = "TOOL_"
"""How the name of each variable begins."""
CACHE_FILE: Final = ".tool-cache.json"
PACKAGE_KEY: Final = "tool"
"""The key of a `package.json` that holds a configuration."""
ARCHIVE_SUFFIX: Final = ".zip"
SCRIPT_SUFFIXES: Final = (".ts", ".mts", ".cts", ".js", ".mjs", ".cjs")


class Setting(Struct, frozen=True, kw_only=True):
    """One setting: its place in the file, what it takes, its default, its flag, and
    what it means.
    """

    path: str
    """Dotted, as in a file: `modules.exclude`."""
    type: SettingType
    default: Value
    flag: str
    group: GroupName
    meaning: str
    example: Value
    """A value that a user might set, other than the default."""
    choices: tuple[str, ...] = ()
    paths: PathKind = "no"
    """Which part of the value, if any, is a path relative to the folder of its file."""

    @property
    def name(self) -> str:
        """The attribute of `Layer` and `Settings` that holds this setting: `hooks_on_failure`."""
        return "".join(f"_{c.lower()}" if c.isupper() else c for c in self.path.replace(".", "_"))

    @property
    def description(self) -> str:
        """The meaning; for a list, with that of its element `"..."`."""
        if self.type == "strings":
            return f"{self.meaning} {SPLICE_MEANING}"
        return self.meaning

    @property
    def written_default(self) -> dict[str, Value]:
        """The default, under the key `default`; for a list, only if a file can have it."""
        if self.type == "strings" and isinstance(self.default, str):
            return {}
        return {"default": self.default}

    @property
    def variable(self) -> str:
        """The environment variable: `TOOL_HOOKS_ON_FAILURE`."""
        return f"{PREFIX}{self.name.upper()}"

    @property
    def negative(self) -> str:
        """The flag that sets a boolean to false, `--no-cache`; empty for any other setting."""
        if self.type != "boolean":
            return ""
        return f"--no-{self.flag.removeprefix('--')}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys from the root of a file down to the value."""
        return tuple(self.path.split("."))


SETTINGS: Final = (
    Setting(
        path="theme",
        type="string",
        default=AUTO,
        flag="--theme",
        paths="archive",
        group="archives",
        meaning="Build this theme: `auto` (the only one), `none`, a name or a `.zip` path.",
        example="harbour",
    ),
    Setting(
        path="modules.include",
        type="strings",
        default=(),
        flag="--include",
        group="archives",
        meaning="Build the modules that match these patterns, even if `exclude` does.",
        example=("shop_*",),
    ),
    Setting(
        path="modules.exclude",
        type="strings",
        default=(),
        flag="--exclude",
        group="archives",
        meaning="Leave out the modules that match these names or patterns.",
        example=("shop_demo", "*_test"),
    ),
    Setting(
        path="modules.only",
        type="strings",
        default=(),
        flag="--only",
        group="archives",
        meaning="Leave out the modules that match none of these names or patterns.",
        example=("shop_search", "shop_reviews"),
    ),
    Setting(
        path="presets",
        type="strings",
        default=AUTO,
        flag="--preset",
        paths="presets",
        group="presets",
        meaning="Apply presets by name or path, the later over the earlier; `none` for none.",
        example=("ci", "./presets/shop.ts"),
    ),
    Setting(
        path="presetsSearchPath",
        type="strings",
        default=(),
        flag="--presets-search-path",
        paths="paths",
        group="presets",
        meaning="Search these folders, in order, for presets given by name.",
        example=("./presets",),
    ),
    Setting(
        path="hooks.initScriptsDir",
        type="string",
        default="./init-scripts",
        flag="--init-scripts-dir",
        paths="path",
        group="hooks",
        meaning="Run the scripts in this folder before the build.",
        example="./scripts/before",
    ),
    Setting(
        path="hooks.postScriptsDir",
        type="string",
        default="./post-scripts",
        flag="--post-scripts-dir",
        paths="path",
        group="hooks",
        meaning="Run the scripts in this folder after the build.",
        example="./scripts/after",
    ),
    Setting(
        path="hooks.onFailure",
        type="choice",
        default="continue",
        flag="--on-failure",
        choices=("continue", "fail"),
        group="hooks",
        meaning="If a hook script fails, `continue` the run or let it `fail`.",
        example="fail",
    ),
    Setting(
        path="cache.file",
        type="string",
        default=CACHE_FILE,
        flag="--cache-file",
        paths="path",
        group="cache",
        meaning="Keep the cache in this file.",
        example="./.cache/tool.json",
    ),
    Setting(
        path="cache.enabled",
        type="boolean",
        default=True,
        flag="--cache",
        group="cache",
        meaning="Use the cache.",
        example=False,
    ),
    Setting(
        path="log.format",
        type="choice",
        default="text",
        flag="--log-format",
        choices=("text", "json"),
        group="log",
        meaning="Print the log on standard error as text or JSON.",
        example="json",
    ),
)

GROUPS: Final[dict[GroupName, str]] = {
    "archives": "Which archives are built",
    "presets": "Presets",
    "hooks": "Hook scripts",
    "cache": "Cache",
    "log": "Log",
}
"""The headings of the settings in the help and the reference, in order."""

OBJECTS: Final = {
    "modules": "Which modules are built.",
    "hooks": "Scripts that run before and after the build.",
    "cache": "What makes an unchanged second run cheap.",
    "log": "What is reported on standard error.",
}
"""The keys of a file that hold an object, and the subject of each."""

SHORTHAND: Final = "exclude"
"""The top-level key that is folded into `modules.exclude` when a file is loaded."""
SHORTHAND_MEANING: Final = "Shorthand: appended to `modules.exclude` when the file is loaded."
SHORTHAND_EXAMPLE: Final = ("shop_demo",)

SETTING_NAMES: Final = (*(setting.path for setting in SETTINGS), *OBJECTS, SHORTHAND)
"""What `tool config show` can be asked about."""

VERSION: Final = 1
VERSION_MEANING: Final = "The version of the file's format."

TOP_KEYS: Final = ("schema", *dict.fromkeys(setting.keys[0] for setting in SETTINGS), SHORTHAND)
"""Every key at the top of a file, in order."""

NOT_IN_PRESETS: Final = ("presets", "presetsSearchPath")
"""A preset cannot choose presets."""


def settings_named(names: Iterable[str]) -> frozenset[str]:
    """The paths of the settings that names of `SETTING_NAMES` stand for; an object stands for all
    its settings.
    """
    wanted = set(names)
    if SHORTHAND in wanted:
        wanted = wanted - {SHORTHAND} | {"modules.exclude"}
    return frozenset(
        setting.path for setting in SETTINGS if wanted & {setting.path, setting.keys[0]}
    )


def splice_at(items: Sequence[object]) -> int:
    """The index of the first `"..."` in a list; the length of the list if there is none."""
    if SPLICE not in items:
        return len(items)
    return items.index(SPLICE)


def is_archive_name(name: str) -> bool:
    """Whether a name, path or pattern is that of an archive file rather than that of a theme
    or module.
    """
    return name.lower().endswith(ARCHIVE_SUFFIX)


def is_preset_path(entry: str) -> bool:
    """Whether an entry of `presets` is a path rather than a name (`docs/configuration.md`)."""
    return "/" in entry or PurePath(entry).suffix.lower() in {*SCRIPT_SUFFIXES, ".json"}
