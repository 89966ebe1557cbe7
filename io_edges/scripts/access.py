"""Access: the project of a script, and whether the script may be read (`docs/scripts.md`)."""

import os
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct

from io_edges.system.stop import Stop, cause_of, is_shortage, problem_of
from io_edges.system.syscalls import open_regular
from pipeline.config.tree import LEGACY
from pipeline.locate import NAMES
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.configuration import ConfigUnreadable
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.location import Location
from pipeline.report.paths import display_path

_MARKERS: Final = ("composer.json", LEGACY, *NAMES)
"""The files by which a project is found if there is no `.git`."""
_NEAREST: Final = "the nearest folder with `.git`"
_TOPMOST: Final = "the topmost folder with a `composer.json`, a `package.json` or a configuration"
_OWN: Final = (
    "its own folder: none above has `.git`, `composer.json`, `package.json` or a configuration"
)


class ScriptPaths(Struct, frozen=True):
    """The name of a script in messages, and the absolute real paths of it, its project and the
    current folder.
    """

    name: str
    script: Path
    project: Path
    start: Path
    rule: str = _NEAREST
    """The rule by which this folder is its project."""

    @property
    def scope(self) -> str:
        """The folder that the script may read, and the reason, for messages."""
        return f"`{self.project}`, {self.rule}"


def project_of(file: Path) -> tuple[Path, str]:
    """The project of a configuration, a preset or a script, given its absolute path, and the rule
    that applied.

    It is the nearest folder above the file with `.git`. Without one, it is the topmost with a
    `composer.json`, a `package.json` or a configuration, but never a folder that contains the home
    folder; else the file's own folder.
    """
    repository = next((folder for folder in file.parents if os.path.lexists(folder / ".git")), None)
    if repository:
        return repository, _NEAREST
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - `Path.home` raises where there is none
    below_home = [
        folder
        for folder in file.parents
        if not home.is_relative_to(folder) and folder != folder.parent
    ]
    marked = [
        folder for folder in below_home if any((folder / name).is_file() for name in _MARKERS)
    ]
    if not marked:
        return file.parent, _OWN
    return marked[-1], _TOPMOST


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
