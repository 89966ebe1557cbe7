"""Disk: everything that the configuration chain asks of the world, as a record of functions.

`io_edges` has the real one; tests make one from a dict.
"""

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct
from returns.result import Failure, Result, Success

from pipeline.config.json_reader import FILE_LIMIT, PACKAGE_LIMIT
from pipeline.config.tree import ConfigFile
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.configuration import ConfigUnreadable, too_much
from pipeline.report.diagnostics.scripts import ScriptRuntimeUnavailable
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.report.paths import without_detours

Presence: TypeAlias = Literal["missing", "file", "folder", "other", "dangling", "denied"]
"""What is at a path. `other` is a pipe, socket or device, `dangling` is a broken link, `denied` is out of reach."""


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
    """The names in a folder; empty if it is not a folder, `None` if they cannot be read."""
    evaluate: Callable[[PurePath], Outcome[Exported]] | None
    """What a script's default export evaluates to; `None` if nothing may be run."""
    refuses: Callable[[PurePath], ConfigError | None] = lambda _: None
    """Why a script may not be read, as if it is a link out of its project; `None` if it may."""
    plain: Callable[[PurePath], PurePath] = without_detours
    """The same path without a `..` in it; only the disk knows where one leads that stands behind a link."""

    @classmethod
    def of(cls, files: Mapping[str, str | bytes | None], scripts: Mapping[str, bytes] | None = None) -> "Disk":
        """Make a disk in memory of absolute paths and contents; `None` is a folder, and so is every parent of a file.

        `scripts` has the JSON that each script evaluates to.
        """
        contents = {PurePath(path): each.encode() if isinstance(each, str) else each for path, each in files.items()}
        folders = {parent for path in contents for parent in path.parents}

        def presence(path: PurePath) -> Presence:
            if contents.get(path) is not None:
                return "file"
            return "folder" if path in contents or path in folders else "missing"

        def load(path: PurePath, limit: int) -> Result[bytes, str]:
            content = contents.get(path)
            return Failure("no such file or directory") if content is None else Success(content[:limit])

        def names(folder: PurePath) -> tuple[str, ...]:
            return tuple(sorted(path.name for path in contents if path.parent == folder))

        def evaluate(path: PurePath) -> Outcome[Exported]:
            content = (scripts or {}).get(str(path))
            return Failure((ScriptRuntimeUnavailable(path.name),)) if content is None else Success(Exported(content))

        return cls(presence, load, names, evaluate)


def fetch(file: ConfigFile, disk: Disk) -> Outcome[bytes]:
    """Load a file. Errors: `ConfigUnreadable`, `ConfigSyntaxError`."""
    limit = PACKAGE_LIMIT if file.kind == "package" else FILE_LIMIT
    too_long = too_much(Location(file.display_path), "bytes", limit)
    content = disk.load(file.path, limit + 1)
    loaded: Outcome[bytes] = content.alt(lambda cause: (ConfigUnreadable(file.display_path, cause),))
    return loaded.bind(lambda content: Success(content) if len(content) <= limit else Failure((too_long,)))
