"""Location: where something was written, in the user's own words."""

from typing import Final

from msgspec import Struct


class Location(Struct, frozen=True, gc=False):
    """A flag as written, a variable's name, `built-in`, or a place in a file.

    Lines and columns count from 1, columns in characters; 0 means none.
    """

    name: str
    line: int = 0
    column: int = 0

    @property
    def is_flag(self) -> bool:
        """Whether it is a flag, which no other flag can overrule."""
        return self.name.startswith("--") and not self.line

    def __str__(self) -> str:
        return f"{self.name}:{self.line}:{self.column}" if self.line else self.name


BUILT_IN: Final = Location("built-in")
