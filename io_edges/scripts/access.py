"""Access: which scripts may be read, whether they are run or not."""

import os
import stat
from pathlib import Path, PurePath

from io_edges.scripts.project import project_of
from io_edges.system.stop import Stop, cause_of, is_shortage
from pipeline.report.paths import display_path
from pipeline.report.problems import ConfigProblem
from pipeline.report.problems.configuration import ConfigUnreadable
from pipeline.report.problems.disk import FileSystemProblem
from pipeline.report.problems.scripts import EvaluationFailed
from pipeline.report.source import Source


def refusal(path: PurePath, start: PurePath) -> ConfigProblem | None:
    """Why a script may not be read; `None` if it may. Raises `Stop` if the system has no descriptor to give.

    `start` is the current folder, which its name is shown relative to. A link out of the project is refused: the
    project is what a script may read, and is told by where the link is.
    """
    file = Path(start, path)
    name = display_path(PurePath(os.path.normpath(file)), start)
    if cause := _unreadable(file):
        return ConfigUnreadable(name, cause)
    link = file.parent.resolve() / file.name
    target = link.resolve()
    is_inside = target == link or target.is_relative_to(project_of(link))
    return None if is_inside else EvaluationFailed(Source(name), "denied", f"reading {target}")


def _unreadable(file: Path) -> str | None:
    """Why a file cannot be read. A pipe is not opened: that would wait for its writer."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return "it is not a file"
        with file.open("rb"):
            return None
    except OSError as error:
        if is_shortage(error):
            raise Stop(FileSystemProblem(str(file), cause_of(error))) from error
        return cause_of(error)
