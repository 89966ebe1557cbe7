"""Disk: everything that the configuration chain asks of the world, as a record of functions.

`io_edges` has the real one; `tests/support/disks.py` makes one from a dict.
"""

from collections.abc import Callable
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from returns.result import Failure, Result, Success

from pipeline.config.tree import ConfigFile
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.configuration import ConfigUnreadable, too_much
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.report.paths import without_detours

FILE_LIMIT: Final = 1024 * 1024
"""Bytes of a configuration, or of the value under `tool` in a `package.json`."""
PACKAGE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of a whole `package.json`."""

Presence: TypeAlias = Literal["missing", "file", "folder", "other", "dangling", "denied"]
"""What is at a path. `other` is a pipe, socket or device, `dangling` is a broken link, `denied` is
out of reach.
"""


class Exported(Struct, frozen=True):
    """What a script exports: its JSON, and whether `definePreset` has returned it."""

    content: bytes
    is_preset: bool = False


class Disk(Struct, frozen=True):
    """What is at a path, what a file holds, and what a script evaluates to."""

    presence: Callable[[PurePath], Presence]
    load: Callable[[PurePath, int], Result[bytes, str]]
    """The first bytes of a file, up to a limit; or why it cannot be read."""
    names: Callable[[PurePath], tuple[str, ...] | None]
    """The names in a folder; empty if it is no folder, `None` if they cannot be read."""
    evaluate: Callable[[PurePath], Outcome[Exported]] | None
    """What a script's default export evaluates to; `None` if nothing may be run."""
    refuses: Callable[[PurePath], ConfigError | None] = lambda _: None
    """Why a script may not be read, for example because a link leads out of its project; `None` if
    it may.
    """
    plain: Callable[[PurePath], PurePath] = without_detours
    """The same path without any `..`. Only the disk knows where a `..` behind a link leads."""


def presence_of(path: PurePath, disk: Disk) -> Presence:
    """What is at a path. An unreachable path counts as missing if its folder can be listed and
    lacks it.
    """
    presence = disk.presence(path)
    if presence != "denied":
        return presence
    names = disk.names(path.parent)
    if names is None or path.name in names:
        return "denied"
    return "missing"


def fetch(file: ConfigFile, disk: Disk) -> Outcome[bytes]:
    """Load a file. Errors: `ConfigUnreadable`, `ConfigSyntaxError`."""
    limit = FILE_LIMIT
    if file.kind == "package":
        limit = PACKAGE_LIMIT
    content = disk.load(file.path, limit + 1)
    loaded: Outcome[bytes] = content.alt(lambda cause: (_unreadable(file, disk, cause),))
    return loaded.bind(lambda content: _bounded(content, limit, file))


def _unreadable(file: ConfigFile, disk: Disk, cause: str) -> ConfigUnreadable:
    """The error for a file that cannot be loaded."""
    if disk.presence(file.path) == "dangling":
        return ConfigUnreadable(file.display_path, why="dangling")
    return ConfigUnreadable(file.display_path, cause)


def _bounded(content: bytes, limit: int, file: ConfigFile) -> Outcome[bytes]:
    if len(content) > limit:
        return Failure((too_much(Location(file.display_path), "bytes", limit),))
    return Success(content)
