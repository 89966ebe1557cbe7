"""Tree: a configuration file as bytes, then as plain data with the place of every value."""

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import UNSET, Struct

from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.location import Location
from pipeline.report.paths import display_path
from pipeline.schema import SCRIPT_SUFFIXES

PACKAGE: Final = "package.json"
LEGACY: Final = ".tool.json"
ConfigKind: TypeAlias = Literal["json", "package", "script", "legacy"]
KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and indices from the root of a configuration to a value."""


def kind_of(path: PurePath) -> ConfigKind:
    """How a file that someone named is read, by its suffix."""
    return "script" if path.suffix.lower() in SCRIPT_SUFFIXES else "json"


_BY_NAME: Final[dict[str, ConfigKind]] = {PACKAGE: "package", LEGACY: "legacy"}


class ConfigFile(Struct, frozen=True, kw_only=True):
    """A file that is a configuration or a preset."""

    path: PurePath
    display_path: str
    """As the user knows it: relative to the current folder, or `preset:ci`."""
    kind: ConfigKind
    """How it is read."""
    layer: Literal["config", "preset"] = "config"
    bundled: bytes | None = None
    """The content of a preset that ships with the tool."""

    @classmethod
    def at(cls, path: PurePath | str, start: PurePath | str = "") -> "ConfigFile":
        """The configuration at a path from the folder `start`; its kind depends on its name, else on its suffix."""
        file = PurePath(start, path)
        kind = _BY_NAME.get(file.name) or kind_of(file)
        return cls(path=file, display_path=display_path(file, PurePath(start)), kind=kind)

    @property
    def base(self) -> PurePath:
        """The folder that the paths in the file are relative to."""
        return self.path.parent


class Offsets(Struct, frozen=True):
    """Where a value starts, and where its key does (the value itself, if it has none), in characters from 0."""

    value: int
    key: int


Reading: TypeAlias = Literal["literal", "evaluated"]
"""How a script became plain data."""
READING_CLAUSES: Final[dict[Reading | None, str]] = {
    None: "",
    "literal": ", read as a literal",
    "evaluated": ", evaluated",
}
"""The same in words, to stand behind the name of a file; nothing for one that is no script."""


class Written(Struct, frozen=True):
    """A value as it stands in the text of a script."""

    start: int
    plain: object = UNSET
    """A scalar; for an object `{}`, for a list `[]`; `UNSET` if it is computed."""
    members: "Mapping[str | int, Member]" = {}
    is_whole: bool = True
    """Whether it is known of every member which it is."""
    is_returned: bool = False
    """Whether it is what a function gives: where the function itself is meant, it is computed."""
    size: int = 1
    """Characters and values; those of a `const` count wherever it is used."""
    levels: int = 0


class Member(Struct, frozen=True):
    """A value in another, and the offset of its key."""

    key: int
    value: Written
    is_last: bool = True
    """Whether nothing computed after it may have taken its place."""


class Document(Struct, frozen=True):
    """The bytes of a file; for a script, the JSON of what it exports, with the script's own text."""

    file: ConfigFile
    content: bytes
    script: str = ""
    written: Written | None = None
    """What the script exports, as far as it can be followed."""
    reading: Reading | None = None


class Position(Struct, frozen=True, gc=False):
    """Where a value is, and the path that the user wrote it at."""

    written: KeyPath
    value: Location
    key: Location


class Tree(Struct, frozen=True):
    """Plain data, with the position of every value that the user wrote."""

    file: ConfigFile
    data: object
    positions: Mapping[KeyPath, Position]
    notes: tuple[WarningDiagnostic, ...] = ()
    reading: Reading | None = None
    """How it was read, if it is a script."""

    def position(self, path: KeyPath) -> Position:
        """The position of a value; for one without a position, its path at the place of the nearest enclosing one."""
        if path in self.positions:
            return self.positions[path]
        if not path:
            return Position((), Location(self.file.display_path), Location(self.file.display_path))
        outer = self.position(path[:-1])
        return Position((*outer.written, path[-1]), outer.value, outer.key)


def spell(path: KeyPath) -> str:
    """Spell a path as a user would: `modules.exclude[3]`."""
    return "".join(map(_spelled, path)).removeprefix(".")


def _spelled(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    is_plain = step.replace("-", "_").replace("$", "_").isidentifier()
    return f".{step}" if is_plain else f"[{json.dumps(step, ensure_ascii=False)}]"
