"""Flags: what the commands take, as frozen dataclasses that cyclopts flattens into flags."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any, Final, Literal, TypeVar

from cyclopts import Group, Parameter

from io_edges.flag_values import no_empty_item, not_empty, not_negative
from pipeline.config.flags import read_flags
from pipeline.config.layers import Layer
from pipeline.init.config_text import Format
from pipeline.init.questions import QUESTIONS
from pipeline.report.findings import FindingsFormat
from pipeline.schema import GROUPS, LEAVES, Leaf, LogFormat

_TYPES: Final[dict[str, Any]] = {"string": str, "strings": tuple[str, ...], "boolean": bool}
_METAVARS: Final = {"path": "FILE", "paths": "FOLDER", "archive": "THEME", "presets": "PRESET", "no": "PATTERN"}
"""What the help calls the value of a leaf's flag, by the kind of paths in it."""
FIRST: Final = 3
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
    name: Group(title, sort_key=rank, help="" if rank > FIRST else _OVERRIDES)
    for rank, (name, title) in enumerate(GROUPS.items(), FIRST)
}
ANSWERS: Final = Group("Answers", sort_key=FIRST, help=f"Each answers its question, which is then not asked. {_LISTS}")
_LOG: Final = _SETTINGS["log"]

_Flags = TypeVar("_Flags")
Switch = Annotated[bool, Parameter(negative=(), show_default=False)]


class _Given:
    """The flags that were given; one that was not has its default, which is an attribute of the class."""

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(name)


def _fields(owner: type[_Flags]) -> type[_Flags]:
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


def _with_flags(flags: Iterable[tuple[Leaf, Group]]) -> Callable[[type[_Flags]], type[_Flags]]:
    """Give a class a field for the flag of each leaf."""
    fields = dict(_flag(leaf, group) for leaf, group in flags)

    def decorate(owner: type[_Flags]) -> type[_Flags]:
        owner.__annotations__ = fields
        for name in fields:
            setattr(owner, name, None)
        return _fields(owner)

    return decorate


@_with_flags((leaf, _SETTINGS[leaf.group]) for leaf in LEAVES)
class SettingFlags(_Given):
    """One field for each leaf of the schema, `None` where its flag is not given."""


@_with_flags((question.leaf, ANSWERS) for question in QUESTIONS)
class AnswerFlags(_Given):
    """One field for each question of `tool init`, `None` where its flag is not given."""


@_fields
class LogFlags(_Given):
    """What a command takes that resolves no configuration."""

    quiet: Annotated[Switch, Parameter(alias="-q", group=_LOG)] = False
    """Show only warnings and errors."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=_LOG)] = False
    """Show the traceback of a bug."""
    log_format: Annotated[LogFormat | None, Parameter(show_default=False, group=_LOG)] = None
    """The format of what is told on standard error."""


@_fields
class InspectFlags(LogFlags):
    """What `tool inspect` takes."""

    log_format: Annotated[LogFormat | None, Parameter(show_default=False, group=_LOG)] = None
    """Print text, or one JSON object a line."""


@_fields
class CommonFlags(_Given):
    """What every command that resolves a configuration takes."""

    config: Annotated[str | None, Parameter(metavar="FILE")] = None
    """The configuration file to use instead of the one that would be found."""
    no_exec: Switch = False
    """Run no hook and evaluate no script; a configuration that is a script is read if it is a literal."""
    quiet: Annotated[Switch, Parameter(alias="-q", group=_LOG)] = False
    """Show only warnings and errors."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=_LOG)] = False
    """Show everything, also where a configuration was looked for, and the traceback of a bug."""


@_fields
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


@_fields
class StatusFlags(CommonFlags):
    """What `tool status` takes besides the settings."""

    output: Annotated[str, Parameter(alias="-o", validator=not_empty, metavar="FOLDER")] = "."
    """The project's folder."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=_LOG)] = False
    """List the files that differ; show the traceback of a bug."""


@_fields
class CheckFlags(CommonFlags):
    """What a command takes that resolves a configuration and has no flags of settings but one."""

    log_format: Annotated[LogFormat | None, Parameter(show_default=False, group=_LOG)] = None
    """The format of the log on standard error."""


@_fields
class ValidateFlags(CheckFlags):
    """What `tool config validate` takes."""

    discover: Switch = False
    """Check what a run in the folder of each FILE would read instead, with its presets."""
    strict: Switch = False
    """Refuse also what changes nothing: settings, patterns and presets without effect."""
    format: FindingsFormat = "text"
    """Print what is valid; or what is wrong as one JSON document, as annotations of GitHub Actions, or as SARIF."""


@_fields
class ExplainFlags(CommonFlags):
    """What `tool explain` takes besides the settings."""

    output: Annotated[str, Parameter(alias="-o", validator=not_empty, metavar="FOLDER")] = "."
    """The project's folder, which the plan is for."""


@_fields
class ShowFlags(ExplainFlags):
    """What `tool config show` takes besides the settings."""

    html: Annotated[str | None, Parameter(validator=not_empty, metavar="FILE")] = None
    """Write one page for a bug report instead: settings, archives and plan, with the reasons."""


@_fields
class MigrateFlags(CheckFlags):
    """What `tool config migrate` takes."""

    dry_run: Annotated[Switch, Parameter(alias="-n")] = False
    """Print what would change; write nothing."""


@_fields
class DiffFlags(CheckFlags):
    """What `tool config diff` takes."""

    env: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False, metavar="NAME=VALUE")] = ()
    """A variable of the second side, once for each; an empty value unsets it."""


@_fields
class InitFlags(_Given):
    """What `tool init` takes besides the answers, one of which is the log format."""

    yes: Switch = False
    """Ask nothing: take the default of every question that no flag answers."""
    format: Annotated[Format | None, Parameter(show_default=False)] = None
    """Write tool.config.json (unless something else is said), .ts or .js, or the key tool of the package.json."""
    force: Switch = False
    """Write over a configuration that is there, and keep it as a backup."""
    no_exec: Switch = False
    """Evaluate no script; a preset that is a script is read if it is a literal."""
    quiet: Annotated[Switch, Parameter(alias="-q", group=_LOG)] = False
    """Show only warnings and errors."""
    verbose: Annotated[Switch, Parameter(alias="-v", group=_LOG)] = False
    """Show the traceback of a bug."""


def flag_layer(flags: SettingFlags | AnswerFlags | CheckFlags, start: PurePath) -> Layer:
    """The layer of the flags that were given."""
    return read_flags(vars(flags), start)
