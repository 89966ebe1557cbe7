"""Legacy: rewrite the 0.x file in the version 1 shape, with its bytes kept in a backup (`docs/configuration.md`)."""

import os
from pathlib import Path, PurePath

from io_edges.report.console import Console
from io_edges.system.stop import Stop, require
from io_edges.system.whole_file import backed_up, replace_file
from pipeline.config.tree import Document
from pipeline.init.lift import lift
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.configuration import rewritten_config
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.paths import display_path


def lift_legacy(document: Document, start: PurePath, console: Console) -> None:
    """Lift the 0.x file that was the configuration of a run, unless it has changed; if it fails, warn why."""
    path, name = document.file.path, document.file.display_path
    target = Path(os.path.realpath(path))  # which a link may lead to
    try:
        text = require(lift(document))
        if text is None:
            return
        if cause := _elsewhere(Path(path), target) or ("it is read-only" if _is_read_only(target) else ""):
            raise Stop(FileSystemProblem(name, cause))
        with backed_up(path, document.content, f"{path.name}.0x") as backup:
            replace_file(target, text.encode(), over=document.content)
        console.warn((rewritten_config(name, display_path(backup, start)),))
    except FileExistsError:
        console.warn((rewritten_config(name, cause="it is not what the build has read"),))
    except Stop as stop:
        console.warn((rewritten_config(name, cause=", ".join(map(_cause, stop.errors))),))


def _cause(error: Error) -> str:
    return error.cause if isinstance(error, FileSystemProblem) else "it would be larger than 1 MiB"


def _elsewhere(path: Path, target: Path) -> str:
    """Why the target of a link is not this project's 0.x file; empty if it is."""
    if target.name != path.name:
        return f"it is a link to a file that is not named {path.name}"
    folder = Path(os.path.realpath(path.parent))
    project = next((each for each in (folder, *folder.parents) if os.path.lexists(each / ".git")), folder)
    return "" if target.is_relative_to(project) else "it is a link to a file outside the project"


def _is_read_only(path: Path) -> bool:
    """Whether a file is read-only; a rename over it would not check that."""
    try:
        return not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK)
    except OSError:  # it is gone: the write will report it
        return False
