"""Hook folder: the files that may be hook scripts."""

import os
from pathlib import Path, PurePath

from returns.result import Failure, Success

from io_edges.disk import plain_path
from io_edges.system.stop import Stop, os_errors_as_problems
from pipeline.building.hooks import Script
from pipeline.report.outcome import BuildOutcome
from pipeline.report.paths import display_path


def list_scripts(folder: PurePath, start: PurePath) -> BuildOutcome[tuple[Script, ...] | None]:
    """List the files of a hook folder, links to files included; `None` if there is no folder."""
    place = Path(folder)
    try:
        with os_errors_as_problems(place):
            if not place.is_dir():
                return Success(None)
            files = (path for path in place.iterdir() if path.is_file())
            return Success(tuple(_script(path, start) for path in files))
    except Stop as stop:
        return Failure(stop.problems)


def _script(path: Path, start: PurePath) -> Script:
    return Script(path, display_path(plain_path(path), start), os.access(path, os.X_OK))
