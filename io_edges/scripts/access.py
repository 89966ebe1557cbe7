"""Access: the paths of a script, and whether the script may be read (`docs/scripts.md`)."""

import os
from pathlib import Path, PurePath

from msgspec import Struct

from io_edges.scripts.project import NEAREST, project_of
from io_edges.system.stop import Stop, cause_of, is_shortage, problem_of
from io_edges.system.syscalls import open_regular
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.configuration import ConfigUnreadable
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.location import Location
from pipeline.report.paths import display_path


class ScriptPaths(Struct, frozen=True):
    """The name of a script in messages, and the absolute real paths of it, its project and the
    current folder.
    """

    name: str
    script: Path
    project: Path
    start: Path
    rule: str = NEAREST
    """The rule by which this folder is its project."""

    @property
    def scope(self) -> str:
        """The folder that the script may read, and the reason, for messages."""
        return f"`{self.project}`, {self.rule}"


def paths_of(path: PurePath, start: PurePath) -> ScriptPaths:
    """The paths of a script. `start` is the current folder. A link belongs to the project
    that it is in.
    """
    link = _link(path, start)
    project, rule = project_of(link)
    return ScriptPaths(_name(path, start), link.resolve(), project, Path(start).resolve(), rule)


def refusal(path: PurePath, start: PurePath) -> ConfigError | None:
    """Why a script may not be read; `None` if it may. Raises `Stop` if the system has no
    descriptor left.

    A link out of the project is refused, because a script may read only its project.
    """
    if cause := _unreadable(Path(start, path)):
        return ConfigUnreadable(_name(path, start), cause)
    paths = paths_of(path, start)
    is_inside = paths.script == _link(path, start) or paths.script.is_relative_to(paths.project)
    if is_inside:
        return None
    return EvaluationFailed(
        Location(paths.name), "denied", f"reading {paths.script}", scope=paths.scope
    )


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
            raise Stop(problem_of(file, error)) from error
        return cause_of(error)
