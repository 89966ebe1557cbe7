"""Tree: a configuration file as bytes, then as plain data with the position of every value."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.location import Location
from pipeline.report.paths import display_path
from pipeline.report.wording import shortened
from pipeline.schema import SCRIPT_SUFFIXES

PACKAGE: Final = "package.json"
LEGACY: Final = ".tool.json"
ConfigKind: TypeAlias = Literal["json", "package", "script", "legacy"]
KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and indices from the root of a configuration to a value."""


def kind_of(path: PurePath) -> ConfigKind:
    """How to read a file that the user named, by its suffix."""
    if path.suffix.lower() in SCRIPT_SUFFIXES:
        return "script"
    return "json"


_BY_NAME: Final[dict[str, ConfigKind]] = {PACKAGE: "package", LEGACY: "legacy"}


class ConfigFile(Struct, frozen=True, kw_only=True):
    """A file that is a configuration or a preset."""

    path: PurePath
    display_path: str
    """The path as the user knows it: relative to the current folder, or `preset:ci`."""
    kind: ConfigKind
    """How the file is read."""
    layer: Literal["config", "preset"] = "config"
    bundled: bytes | None = None
    """The content of a preset that ships with the tool."""

    @classmethod
    def at(cls, path: PurePath | str, start: PurePath | str = "") -> "ConfigFile":
        """The configuration at a path from the folder `start`; its kind depends on its name, else
        on its suffix.
        """
        file = PurePath(start, path)
        kind = _BY_NAME.get(file.name) or kind_of(file)
        return cls(path=file, display_path=display_path(file, PurePath(start)), kind=kind)

    @property
    def folder(self) -> PurePath:
        """The folder that the paths in the file are relative to."""
        return self.path.parent


class Position(Struct, frozen=True, gc=False):
    """Where a value is, and the path at which the user wrote it."""

    written: KeyPath
    value: Location
    key: Location


class Json(Struct, frozen=True):
    """A JSON value, and the position of each value in it."""

    data: object
    positions: dict[KeyPath, Position]


class Document(Struct, frozen=True):
    """The bytes of a file; for an evaluated script, the JSON of its export."""

    file: ConfigFile
    content: bytes
    script: bytes = b""
    """The text of the script that gave the JSON."""


class Tree(Struct, frozen=True):
    """Plain data, with the position of every value that the user wrote."""

    file: ConfigFile
    data: object
    positions: Mapping[KeyPath, Position]
    warnings: tuple[WarningDiagnostic, ...] = ()

    def position(self, path: KeyPath) -> Position:
        """The position of a value. A value without one gets the place of the nearest value around
        it, with its own path.
        """
        if path in self.positions:
            return self.positions[path]
        if not path:
            return Position((), Location(self.file.display_path), Location(self.file.display_path))
        outer = self.position(path[:-1])
        return Position((*outer.written, path[-1]), outer.value, outer.key)


def format_path(path: KeyPath) -> str:
    """Spell a path as a user would: `modules.exclude[3]`, each key cut if it is very long."""
    return "".join(map(_format_step, path)).removeprefix(".")


def _format_step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    step = shortened(step)
    if step.replace("-", "_").replace("$", "_").isidentifier():
        return f".{step}"
    import json  # costs start-up time

    return f"[{json.dumps(step, ensure_ascii=False)}]"
