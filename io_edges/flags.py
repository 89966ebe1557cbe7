"""Flags: what several commands take, as frozen dataclasses that cyclopts flattens into flags."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any, Final, Literal, TypeVar

from cyclopts import Group, Parameter

from io_edges.flag_values import no_empty_item, not_empty, not_negative
from pipeline.config.flags import read_flags
from pipeline.config.layers import Layer
from pipeline.schema import GROUPS, LEAVES, Leaf, LogFormat

_TYPES: Final[dict[str, Any]] = {"string": str, "strings": tuple[str, ...], "boolean": bool}
_METAVARS: Final = {"path": "FILE", "paths": "FOLDER", "archive": "THEME", "presets": "PRESET", "no": "PATTERN"}
"""What the help calls the value of a leaf's flag, by the kind of paths in it."""
_FIRST: Final = 3
"""The rank of the first group of settings."""
_LISTS: Final = (
    "A list is given as one flag for each value: --exclude a --exclude b. "
    "The value ... stands for the list of the layers below: --exclude ... --exclude b."
)
_OVERRIDES: Final = (
    "From here on each flag is a setting. It overrides its variable (env), its key in the configuration, and presets. "
    f"{_LISTS}"
)
OPTIONS: Final = Group("Options", sort_key=0)
"""The flags of a command that are in no other group."""
_LOOKING: Final = Group("Looking before building", sort_key=1)
_CHANGES: Final = Group("What is kept, replaced and removed", sort_key=2)
_SETTINGS: Final = {
    name: Group(title, sort_key=rank, help="" if rank > _FIRST else _OVERRIDES)
    for rank, (name, title) in enumerate(GROUPS.items(), _FIRST)
}
ANSWERS: Final = Group("Answers", sort_key=_FIRST, help=f"Each answers its question, which is then not asked. {_LISTS}")
LOG: Final = _SETTINGS["log"]
"""The settings of the log, and what else says how much is told."""

_Flags = TypeVar("_Flags")
Switch = Annotated[bool, Parameter(negative=(), show_default=False)]
"""A flag that takes no value and has no opposite."""


class Flags:
    """The flags that were given; one that was not has its default, which is an attribute of the class."""

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(name)


def fields(owner: type[_Flags]) -> type[_Flags]:
    """Make a dataclass, as cyclopts wants one, without the methods whose generation would cost 3 ms at each start."""
    return dataclass(init=False, repr=False, eq=False, kw_only=True)(owner)


def _metavar(leaf: Leaf) -> str:
    return "FOLDER" if leaf.path.endswith("Dir") else _METAVARS[leaf.paths]


def _flag(leaf: Leaf, group: Group) -> tuple[str, Any]:
    """The field that a leaf's flag sets: its name and its type."""
    takes = Literal[leaf.choices] if leaf.choices else _TYPES[leaf.type]
    parameter = Parameter(
        name=leaf.flag,
        negative=leaf.negative or (),
        help=leaf.meaning,
        metavar=None if leaf.choices or leaf.type == "boolean" else _metavar(leaf),
        show_default=False,
        group=group,
        validator={"boolean": None, "strings": no_empty_item}.get(leaf.type, not_empty),
    )
    return leaf.name, Annotated[takes | None, parameter]


def with_flags(flags: Iterable[tuple[Leaf, Group]]) -> Callable[[type[_Flags]], type[_Flags]]:
    """Give a class a field for the flag of each leaf."""
    annotations = dict(_flag(leaf, group) for leaf, group in flags)

    def decorate(owner: type[_Flags]) -> type[_Flags]:
        owner.__annotations__ = annotations
        for name in annotations:
            setattr(owner, name, None)
        return fields(owner)

    return decorate


@with_flags((leaf, _SETTINGS[leaf.group]) for leaf in LEAVES)
class SettingFlags(Flags):
    """One field for each leaf of the schema, `None` where its flag is not given."""


@fields
class LogFlags(Flags):
    """What a command takes that resolves no configuration."""

    quiet: Annotated[Switch, Parameter(alias="-q", group=LOG)] = False
    """Show only warnings and errors."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=LOG)] = False
    """Show the traceback of a bug."""
    log_format: Annotated[LogFormat | None, Parameter(show_default=False, group=LOG)] = None
    """The format of what is told on standard error."""


@fields
class CommonFlags(Flags):
    """What every command that resolves a configuration takes."""

    config: Annotated[str | None, Parameter(metavar="FILE")] = None
    """The configuration file to use instead of the one that would be found."""
    no_exec: Switch = False
    """Run no hook and evaluate no script; a configuration that is a script is read if it is a literal."""
    quiet: Annotated[Switch, Parameter(alias="-q", group=LOG)] = False
    """Show only warnings and errors."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=LOG)] = False
    """Show everything, also where a configuration was looked for, and the traceback of a bug."""


@fields
class CreateFlags(CommonFlags):
    """What `tool create` takes besides the settings."""

    output: Annotated[str, Parameter(alias="-o", validator=not_empty, metavar="FOLDER")] = "."
    """The project's folder, made if it is missing."""
    dry_run: Annotated[Switch, Parameter(alias="-n", group=_LOOKING)] = False
    """Show what would be done; write nothing and run no script."""
    check: Annotated[Switch, Parameter(group=_LOOKING)] = False
    """As --dry-run, and exit with 80 if a run would change anything."""
    frozen: Annotated[Switch, Parameter(group=_LOOKING)] = False
    """Build only what the record says; exit with 80 if drop or selection is anything else."""
    force: Annotated[Switch, Parameter(group=_CHANGES)] = False
    """Where you and an archive changed one file, build the archive's and move yours to .tool-backup/."""
    mine: Annotated[Switch, Parameter(group=_CHANGES)] = False
    """Where you and an archive changed one file, keep yours and put the archive's into .tool-backup/."""
    prune: Annotated[Switch, Parameter(group=_CHANGES)] = False
    """Remove what was built and is not selected any more, or has no archive in the drop any more."""
    keep_going: Annotated[Switch, Parameter(group=_CHANGES)] = False
    """Pass over archives that are refused and components with conflicts, and build the others."""
    no_hooks: Switch = False
    """Run no hook script."""
    wait: Annotated[float, Parameter(validator=not_negative, show_default=False, metavar="SECONDS")] = 0.0
    """Seconds to wait for another run in the same project to end."""

    @property
    def only_looks(self) -> bool:
        """Whether nothing is written."""
        return self.dry_run or self.check


@fields
class CheckFlags(CommonFlags):
    """What a command takes that resolves a configuration and has no flags of settings but one."""

    log_format: Annotated[LogFormat | None, Parameter(show_default=False, group=LOG)] = None
    """The format of the log on standard error."""


@fields
class ExplainFlags(CommonFlags):
    """What `tool explain` takes besides the settings."""

    output: Annotated[str, Parameter(alias="-o", validator=not_empty, metavar="FOLDER")] = "."
    """The project's folder, which the plan is for."""


def flag_layer(flags: Flags, start: PurePath) -> Layer:
    """The layer of the flags that were given."""
    return read_flags(vars(flags), start)
