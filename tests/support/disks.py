"""The project's folder, assignments in it, and a disk in memory, for tests that run a
stage alone.
"""

from collections.abc import Mapping
from pathlib import PurePath

from returns.result import Failure, Result, Success

from pipeline.config.disk import Disk, Exported, Presence
from pipeline.config.layers import Assignment, LayerName
from pipeline.report.diagnostics.scripts import ScriptRuntimeUnavailable
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome
from pipeline.schema import Value

START = PurePath("/project")


def assignment(
    layer: LayerName, location: Location, value: Value, items: tuple[Location, ...] = ()
) -> Assignment:
    """An assignment of a setting whose paths are relative to the current folder."""
    return Assignment(layer, location, value, items, START)


def disk_of(
    files: Mapping[str, str | bytes | None], scripts: Mapping[str, bytes] | None = None
) -> Disk:
    """Make a disk in memory of absolute paths and contents; `None` is a folder, and so is every
    parent of a file.

    `scripts` has the JSON that each script evaluates to.
    """
    contents = {
        PurePath(path): each.encode() if isinstance(each, str) else each
        for path, each in files.items()
    }
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
        return (
            Failure((ScriptRuntimeUnavailable(path.name),))
            if content is None
            else Success(Exported(content))
        )

    return Disk(presence, load, names, evaluate)
