"""Disk: everything that the configuration chain asks of the world, as a record of functions.

`io_edges` has the real one; tests make one from a dict.
"""

from collections.abc import Callable
from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct
from returns.result import Result

from pipeline.report.outcome import Outcome

Look: TypeAlias = Literal["missing", "file", "folder", "other", "dangling", "denied"]
"""What is at a path. `other` is a pipe, socket or device, `dangling` is a link to nothing, `denied` is out of reach."""


class Disk(Struct, frozen=True):
    """What is at a path, what a file holds, and what a script evaluates to."""

    look: Callable[[PurePath], Look]
    load: Callable[[PurePath, int], Result[bytes, str]]
    """The first bytes of a file, up to a limit; or why it cannot be read."""
    names: Callable[[PurePath], tuple[str, ...]]
    """The names in a folder; empty if it is not a folder or cannot be read."""
    evaluate: Callable[[PurePath], Outcome[bytes]]
    """The JSON that a script's default export evaluates to."""
