"""Hook folder: the files that may be hook scripts."""

import os
from pathlib import Path, PurePath

from io_edges.disk import plain_path
from io_edges.system.stop import os_errors_as_problems
from pipeline.building.hooks import Script
from pipeline.report.paths import display_path


def list_scripts(folder: PurePath, start: PurePath) -> tuple[Script, ...] | None:
    """List the files of a hook folder, links to files included; `None` if there is no folder."""
    place = Path(folder)
    with os_errors_as_problems(place):
        if not place.is_dir():
            return None
        files = (path for path in place.iterdir() if path.is_file())
        return tuple(Script(path, display_path(plain_path(path), start), os.access(path, os.X_OK)) for path in files)
