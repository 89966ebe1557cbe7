"""Flag values: the choices of a flag, and what is refused of its values before anything is run."""

from typing import Literal, TypeAlias

Shell: TypeAlias = Literal["bash", "zsh", "fish"]
"""The shells that there is a completion script for."""


def not_empty(_: object, value: str | tuple[str, ...] | None) -> None:
    """Refuse an empty path or name."""
    if value == "" or (isinstance(value, tuple) and "" in value):
        raise ValueError("expected a path or a name, found an empty value")


def no_empty_item(_: object, value: tuple[str, ...] | None) -> None:
    """Refuse an empty value among others; a list of one empty value means the empty list."""
    if value and len(value) > 1 and "" in value:
        raise ValueError("expected a value, found an empty one; given once and empty, the flag sets the empty list")


def not_negative(_: object, value: float) -> None:
    """Refuse a time that is negative, infinite or not a number."""
    if not 0 <= value < float("inf"):
        raise ValueError(not_seconds(f"{value:g}"))


def not_seconds(text: str) -> str:
    """What is wrong with a time."""
    return f"expected a number of seconds, found `{text}`"
