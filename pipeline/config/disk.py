"""Disk: everything that the configuration chain asks of the world, as a record of functions.

`io_edges` has the real one; tests make one from a dict.
"""

from collections.abc import Callable
from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct
from returns.result import Failure, Result, Success

from pipeline.config.json_places import FILE_LIMIT, PACKAGE_LIMIT
from pipeline.config.tree import Candidate
from pipeline.report.outcome import Outcome, alone
from pipeline.report.paths import without_detours
from pipeline.report.problems import ConfigProblem, ConfigUnreadable, LimitExceeded
from pipeline.report.source import Source

Presence: TypeAlias = Literal["missing", "file", "folder", "other", "dangling", "denied"]
"""What is at a path. `other` is a pipe, socket or device, `dangling` is a link to nothing, `denied` is out of reach."""


class Disk(Struct, frozen=True):
    """What is at a path, what a file holds, and what a script evaluates to."""

    look: Callable[[PurePath], Presence]
    load: Callable[[PurePath, int], Result[bytes, str]]
    """The first bytes of a file, up to a limit; or why it cannot be read."""
    names: Callable[[PurePath], tuple[str, ...]]
    """The names in a folder; empty if it is not a folder or cannot be read."""
    evaluate: Callable[[PurePath], Outcome[bytes]] | None
    """The JSON that a script's default export evaluates to; `None` if nothing may be run."""
    refuses: Callable[[PurePath], ConfigProblem | None] = lambda _: None
    """Why a script may not be read, as if it is a link out of its project; `None` if it may."""
    plain: Callable[[PurePath], PurePath] = without_detours
    """The same path without a `..` in it; only the disk knows where one leads that stands behind a link."""


def fetch(candidate: Candidate, disk: Disk) -> Outcome[bytes]:
    """Load a candidate. Problems: `ConfigUnreadable`, `LimitExceeded`."""
    limit = PACKAGE_LIMIT if candidate.form == "package" else FILE_LIMIT
    loaded = disk.load(candidate.path, limit + 1)
    return loaded.alt(lambda cause: alone(ConfigUnreadable(candidate.display_path, cause))).bind(
        lambda content: _within(limit, content, candidate)
    )


def _within(limit: int, content: bytes, candidate: Candidate) -> Outcome[bytes]:
    if len(content) > limit:
        return Failure((LimitExceeded(Source(candidate.display_path), "bytes", limit),))
    return Success(content)
