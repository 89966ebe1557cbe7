"""Access: where a script is, and whether it may be read, whether it is run or not (`docs/scripts.md`)."""

import os
from pathlib import Path, PurePath

from msgspec import Struct

from io_edges.system.regular import open_regular
from io_edges.system.stop import Stop, cause_of, is_shortage
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.configuration import ConfigUnreadable
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.location import Location
from pipeline.report.paths import display_path


class ScriptPaths(Struct, frozen=True):
    """A script's name as shown, and the absolute real paths of the script, its project and the current folder."""

    name: str
    script: Path
    project: Path
    start: Path


def project_of(file: Path) -> Path:
    """The project of a configuration, a preset or a script, which is given by its absolute path.

    The nearest folder above it with `.git`; without one, the topmost above it with a `package.json`; else its own.
    """
    above = file.parents
    marked = [folder for folder in above if (folder / "package.json").is_file()]
    return next((folder for folder in above if os.path.lexists(folder / ".git")), marked[-1] if marked else file.parent)


def paths_of(path: PurePath, start: PurePath) -> ScriptPaths:
    """The paths of a script. `start` is the current folder; a link belongs to the project that it is in itself."""
    link = _link(path, start)
    return ScriptPaths(_name(path, start), link.resolve(), project_of(link), Path(start).resolve())


def refusal(path: PurePath, start: PurePath) -> ConfigError | None:
    """Why a script may not be read; `None` if it may. Raises `Stop` if the system has no descriptor to give.

    A link out of the project is refused: the project is what a script may read.
    """
    if cause := _unreadable(Path(start, path)):
        return ConfigUnreadable(_name(path, start), cause)
    paths = paths_of(path, start)
    is_inside = paths.script == _link(path, start) or paths.script.is_relative_to(paths.project)
    return None if is_inside else EvaluationFailed(Location(paths.name), "denied", f"reading {paths.script}")


def _name(path: PurePath, start: PurePath) -> str:
    return display_path(PurePath(os.path.normpath(Path(start, path))), start)


def _link(path: PurePath, start: PurePath) -> Path:
    return Path(start, path).parent.resolve() / path.name


def _unreadable(file: Path) -> str | None:
    """Why a file cannot be read."""
    try:
        with open_regular(file):
            return None
    except OSError as error:
        if is_shortage(error):
            raise Stop(FileSystemProblem(str(file), cause_of(error))) from error
        return cause_of(error)
