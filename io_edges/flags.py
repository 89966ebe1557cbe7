"""Flags: what the commands take, as frozen dataclasses that cyclopts flattens into flags."""

from dataclasses import asdict, dataclass, make_dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Group, Parameter

from pipeline.flags import read_flags
from pipeline.layers import Layer
from pipeline.schema import LEAVES, Leaf, LogFormat

_TYPES: Final[dict[str, Any]] = {"string": str, "strings": tuple[str, ...], "boolean": bool}
_SETTINGS: Final = Group("Settings", sort_key=1, help="Each lies over the environment, the configuration and presets.")

Switch = Annotated[bool, Parameter(negative=(), show_default=False)]


def not_empty(_: object, value: str | tuple[str, ...] | None) -> None:
    """Refuse an empty path or name; a list that is one empty value is the empty list."""
    if value == "" or (isinstance(value, tuple) and len(value) > 1 and "" in value):
        raise ValueError("Expected a path or a name, found an empty value.")


def _flag(leaf: Leaf) -> tuple[str, Any, None]:
    """The field that a leaf's flag sets."""
    takes = Literal[leaf.choices] if leaf.choices else _TYPES[leaf.kind]
    negative = f"--no-{leaf.flag.removeprefix('--')}" if leaf.kind == "boolean" else ()
    parameter = Parameter(
        name=leaf.flag,
        negative=negative,
        help=leaf.meaning,
        show_default=False,
        group=_SETTINGS,
        validator=not_empty if leaf.located in {"path", "paths"} else None,
    )
    return leaf.name, Annotated[takes | None, parameter], None


if TYPE_CHECKING:

    @dataclass(frozen=True, kw_only=True)
    class SettingFlags:
        """One field for each leaf of the schema, `None` where its flag is not given."""

        log_format: LogFormat | None = None

else:
    SettingFlags = make_dataclass(
        "SettingFlags",
        [_flag(leaf) for leaf in LEAVES],
        frozen=True,
        kw_only=True,
        repr=False,
        eq=False,
        namespace={"__module__": __name__},  # cyclopts takes a class of the standard library for a plain value
    )


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class CommonFlags:
    """What every command takes that resolves a configuration."""

    config: str | None = None
    """The configuration file to use instead of the one that would be found."""
    quiet: Switch = False
    """Tell only warnings and errors."""
    verbose: Switch = False
    """Tell where a configuration was looked for, and the traceback of a bug."""


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class CreateFlags(CommonFlags):
    """What `tool create` takes beside the settings."""

    output: Annotated[str, Parameter(validator=not_empty)] = "."
    """The project's folder, made if it is missing."""
    dry_run: Switch = False
    """Tell what would be done; write nothing and run no script."""
    force: Switch = False
    """Move what is in the way to .tool-backup/ instead of refusing."""


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class InspectFlags:
    """What `tool inspect` takes."""

    log_format: Annotated[LogFormat | None, Parameter(show_default=False)] = None
    """Print text, or one JSON object a line."""
    verbose: Switch = False
    """Tell the traceback of a bug."""


def flag_layer(settings: SettingFlags, start: PurePath) -> Layer:
    """The layer of the flags that were given."""
    return read_flags(asdict(settings), start)
