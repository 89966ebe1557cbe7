"""Location: where something was written, in the user's own words."""

from typing import Any, Final, Literal

from msgspec import Struct

_NO_FILE: Final = ("--", "TOOL_", "preset:", "built-in")
"""The beginnings of names that are no files: flags, variables, bundled presets and defaults."""
_VARIABLES: Final = frozenset({"CI", "SOURCE_DATE_EPOCH"})
"""The variables of other programs that the tool reads."""


class Location(Struct, frozen=True, gc=False):
    """A flag as written, a variable's name, `built-in`, or a position in a file.

    Lines and columns count from 1, columns in characters; 0 means none.
    """

    name: str
    line: int = 0
    column: int = 0
    inside: Literal["", "drop", "project", "patches"] = ""
    """What the path is relative to; empty for the current folder."""

    @property
    def is_flag(self) -> bool:
        """Whether this is a flag, which no other layer can override."""
        return self.name.startswith("--") and not self.line

    @property
    def place(self) -> dict[str, Any]:
        """The file, line and column, as fields of an event; a field without a value is omitted."""
        if not self.line and (self.name.startswith(_NO_FILE) or self.name in _VARIABLES):
            return {}
        if not self.line:
            return {"file": self.name}
        return {"file": self.name, "line": self.line, "column": self.column}

    def __str__(self) -> str:
        if not self.line:
            return self.name
        return f"{self.name}:{self.line}:{self.column}"


def in_drop(path: str) -> Location:
    """A path in the drop."""
    return Location(path, inside="drop")


def in_patches(path: str, line: int = 0) -> Location:
    """The path of a patch, relative to the folder that contains `patches/`, or the start of
    a line in it.
    """
    return Location(path, line, min(line, 1), inside="patches")


def in_project(path: str, line: int = 0) -> Location:
    """A path in the project, or the start of a line in that file."""
    return Location(path, line, min(line, 1), inside="project")


BUILT_IN: Final = Location("built-in")
