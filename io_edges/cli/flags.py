"""Flags: the flags that several commands share, as classes that cyclopts flattens, and checks of
their values.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from inspect import Parameter as Keyword
from inspect import Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, dataclass_transform

from cyclopts import Group, Parameter, Token
from toolz import merge

from pipeline.config.flags import EMPTY_LIST
from pipeline.schema import GROUPS, SETTINGS, LogFormat, Setting

_TYPES: Final[dict[str, Any]] = {"string": str, "strings": tuple[str, ...], "boolean": bool}
_METAVARS: Final = {
    "path": "FILE",
    "paths": "FOLDER",
    "archive": "THEME",
    "presets": "PRESET",
    "no": "PATTERN",
}
"""The placeholder for the value of a setting's flag in the help, by the kind of its paths."""
_FIRST: Final = 3
"""The position of the first group of settings in the help."""
OPTIONS: Final = Group("Options", sort_key=0)
"""The flags of a command that are in no other group."""
SETTING_GROUPS: Final = {
    name: Group(title, sort_key=rank) for rank, (name, title) in enumerate(GROUPS.items(), _FIRST)
}
ANSWERS: Final = Group("Answers", sort_key=_FIRST)
LOG: Final = SETTING_GROUPS["log"]
"""The settings of the log, and the flags for the amount of output."""


Switch = Annotated[bool, Parameter(negative=(), show_default=False)]
"""A flag that takes no value and has no opposite."""


def not_empty(_: object, value: str | tuple[str, ...] | None) -> None:
    """Refuse an empty path or name."""
    if value == "" or (isinstance(value, tuple) and "" in value):
        raise ValueError("expected a path or a name, found an empty value")


def elements(_: object, value: tuple[str, ...] | None) -> None:
    """Refuse an empty element, as from `--exclude="$X"` without an `X`, and the empty list beside
    other values.
    """
    if not all(each.strip() for each in value or ()):
        raise ValueError(
            f"expected a value, found an empty one; `{shlex.quote(EMPTY_LIST)}` sets the empty list"
        )
    if value and len(value) > 1 and EMPTY_LIST in value:
        raise ValueError(f"`{EMPTY_LIST}` sets the empty list: pass no other value")


def seconds(_: object, tokens: Sequence[Token]) -> float:
    """Convert a number of seconds; refuse a negative or infinite one, and other text."""
    text = tokens[0].value
    with suppress(ValueError):
        if 0 <= float(text) < float("inf"):
            return float(text)
    raise ValueError(f"expected a number of seconds, found `{text}`")


def as_typed(_: object, tokens: Sequence[Token]) -> str:
    """Keep a path as the user wrote it, for messages."""
    return tokens[0].value


if TYPE_CHECKING:
    FilePath = str
else:
    FilePath = Path
"""A path, which a shell completes; it stays text."""
Drop = Annotated[
    FilePath | None,
    Parameter(
        converter=as_typed,
        validator=not_empty,
        help="The folder with the archives; its themes/ and modules/ count as well.",
        show_default="the current folder if it has archives, otherwise the drop of the last run",
    ),
]
"""The folder that a command looks for archives in."""
Names = Annotated[
    str,
    Parameter(
        name="NAME",
        validator=not_empty,
        help="Only these components, such as shop_banner or themes/harbour.",
    ),
]
"""The components that a command is about."""
Output = Annotated[
    FilePath, Parameter(alias="-o", converter=as_typed, validator=not_empty, metavar="FOLDER")
]
"""The folder of the project."""


def _parameter(setting: Setting, group: Group) -> Parameter:
    """The flag of a setting, with its default, its variable and its key in the help.

    The flags of `tool init` have no variable.
    """
    default = setting.default or "empty"
    if setting.type == "boolean":
        default = str(setting.default).lower()
    variable = f"; env: {setting.variable}"
    if group == ANSWERS:
        variable = ""
    return Parameter(
        name=setting.flag,
        negative=setting.negative or (),
        help=setting.meaning,
        metavar=_metavar(setting),
        show_default=f"{default}{variable}; key: {setting.path}",
        group=group,
        validator={"boolean": None, "strings": elements}.get(setting.type, not_empty),
    )


def _metavar(setting: Setting) -> str | None:
    """The placeholder for the value of a setting's flag in the help; `None` for a switch
    or a choice.
    """
    if setting.choices or setting.type == "boolean":
        return None
    if setting.path.endswith("Dir"):
        return "FOLDER"
    return _METAVARS[setting.paths]


def _flag(setting: Setting, group: Group) -> tuple[str, Any]:
    """The name and the type of the field for a setting's flag."""
    takes: Any = _TYPES.get(setting.type)
    if setting.choices:
        takes = Literal[setting.choices]
    # Cyclopts is quadratic on an optional list: 26 s for 4,000 values.
    if setting.type not in {
        "strings",
        "boolean",
    }:
        takes |= None
    return setting.name, Annotated[takes, _parameter(setting, group)]


@dataclass_transform(frozen_default=True, kw_only_default=True)
@Parameter(name="*")
class Flags:
    """The flags of a command. The class attributes are their defaults.

    `of` adds a field for the flag of each of these settings, which is `None` without the flag.
    cyclopts needs only the signature; a dataclass would take 5 ms more, to generate and
    compile methods.
    """

    fields: ClassVar[Mapping[str, Any]] = {}
    """The annotation of each field, by its name."""

    def __init_subclass__(cls, of: Iterable[tuple[Setting, Group]] = ()) -> None:
        own = dict(_flag(*each) for each in of)
        for name in own:
            setattr(cls, name, None)
        inherited = (base.fields for base in reversed(cls.__bases__) if issubclass(base, Flags))
        cls.fields = merge(*inherited, cls.__annotations__, own)

        def make(self: "Flags", **given: object) -> None:
            vars(self).update(given)

        keywords = (
            Keyword(name, Keyword.KEYWORD_ONLY, default=getattr(cls, name)) for name in cls.fields
        )
        signature = Signature([Keyword("self", Keyword.POSITIONAL_ONLY), *keywords])
        make.__signature__ = signature  # type: ignore[attr-defined] # which `inspect` reads
        make.__annotations__ = dict(cls.fields)
        cls.__init__ = make  # type: ignore[assignment, method-assign] # of each class its own


def switches_of(flags: object) -> set[str]:
    """The flags without a value in a class of flags."""
    switches: set[str] = set()
    for name, annotation in getattr(flags, "fields", {}).items():
        if getattr(annotation, "__origin__", None) is bool:
            switches.add(f"--{name.replace('_', '-')}")
            for parameter in annotation.__metadata__:
                switches.update(parameter.alias or ())
    for setting in SETTINGS:
        if f"--{setting.name.replace('_', '-')}" in switches:
            switches |= {setting.flag, setting.negative}
    return switches


class SettingFlags(Flags, of=((setting, SETTING_GROUPS[setting.group]) for setting in SETTINGS)):
    """One field for each setting of the schema, `None` where its flag is not given."""


class OutputFlags(Flags):
    """The flags for the amount of output of a command that reads no configuration."""

    quiet: Annotated[Switch, Parameter(alias="-q", group=LOG)] = False
    """Show only warnings and errors."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=LOG)] = False
    """Show the traceback of a bug."""


class LogFlags(OutputFlags):
    """The flags of a command that reads no configuration."""

    log_format: Annotated[
        LogFormat | None, Parameter(show_default="text; env: TOOL_LOG_FORMAT", group=LOG)
    ] = None
    """Print text, or one JSON object a line."""


class CommonFlags(OutputFlags):
    """The flags of every command that reads a configuration."""

    config: Annotated[FilePath | None, Parameter(converter=as_typed, metavar="FILE")] = None
    """Use this configuration file instead of searching for one."""
    no_exec: Switch = False
    """Do not run hooks or evaluate configuration scripts."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=LOG)] = False
    """Show where a configuration was searched for, and the traceback of a bug."""
    shows_search = True
    """Whether `--verbose` shows where a configuration was searched for."""
    shows_decisions = False
    """Whether the value of each setting is reported."""


class ProjectFlags(CommonFlags):
    """The flags of every command that reads a configuration and works on a project."""

    output: Output = "."
    """The project's folder."""
    shows_unread = True
    """Whether a configuration in the project or the drop that is not read gives a warning."""

    @property
    def to_repeat(self) -> tuple[str, ...]:
        """The flags of a run that a suggested command line repeats, besides the settings."""
        repeated = list[str]()
        if self.config:
            repeated.append(f"--config={self.config}")
        if self.no_exec:
            repeated.append("--no-exec")
        return tuple(repeated)


class PlacesFlags(ProjectFlags):
    """The flags of a command that plans a build."""

    themes_dir: Annotated[str | None, Parameter(validator=not_empty, metavar="FOLDER")] = None
    """Build themes into this folder of the project, not the system's own."""
    modules_dir: Annotated[str | None, Parameter(validator=not_empty, metavar="FOLDER")] = None
    """Build modules into this folder of the project, not the system's own."""

    @property
    def to_repeat(self) -> tuple[str, ...]:
        """The flags of a run that a suggested command line repeats, besides the settings."""
        repeated = [*super().to_repeat]
        if self.themes_dir:
            repeated.append(f"--themes-dir={self.themes_dir}")
        if self.modules_dir:
            repeated.append(f"--modules-dir={self.modules_dir}")
        return tuple(repeated)

    @property
    def is_of_disk(self) -> bool:
        """Whether NAME may be a component that is only on disk."""
        return False
