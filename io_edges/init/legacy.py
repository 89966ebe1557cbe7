"""Legacy: rewrite the 0.x file in the version 1 shape, with its bytes kept in a backup (`docs/configuration.md`)."""

import os
from pathlib import Path, PurePath

from io_edges.disk import real_disk
from io_edges.report.console import Console
from io_edges.system.atomic import backed_up, replace_file
from io_edges.system.stop import Stop, require
from pipeline.config.tree import ConfigFile, Document
from pipeline.init.lift import Lifted, lift
from pipeline.read import read
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.configuration import RewrittenConfig
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.outcome import value_of
from pipeline.report.paths import display_path


def lift_legacy(document: Document, start: PurePath, console: Console) -> None:
    """Lift the 0.x file that was the configuration of a run, unless it has changed; if it fails, warn why."""
    file = document.file
    try:
        lifted = require(lift(document))
        if lifted == "no 0.x key":
            console.warn((RewrittenConfig(file.display_path, cause="it has no key that 0.x had"),))
        elif not isinstance(lifted, str):
            if value_of(read(file, real_disk(start, console))) != document:
                console.warn((RewrittenConfig(file.display_path, cause="it is not what the build has read"),))
            else:
                rewrite(file, lifted, start, console)
    except Stop as stop:
        console.warn((RewrittenConfig(file.display_path, cause=", ".join(map(_cause, stop.errors))),))


def _cause(error: Error) -> str:
    return error.cause if isinstance(error, FileSystemProblem) else "it would be larger than 1 MiB"


def rewrite(file: ConfigFile, lifted: Lifted, start: PurePath, console: Console) -> None:
    """Write the version 1 text, with the original kept beside it. Raises `Stop`."""
    path, target = file.path, target_of(file)
    with backed_up(path, lifted.original, f"{path.name}.0x") as backup:
        replace_file(target, lifted.text.encode())
    console.warn((RewrittenConfig(file.display_path, display_path(backup, start)),))


def target_of(file: ConfigFile) -> Path:
    """The file to rewrite, which a link may lead to. Raises `Stop` if it must not be rewritten."""
    target = Path(os.path.realpath(file.path))
    if cause := _elsewhere(Path(file.path), target) or ("it is read-only" if _is_read_only(target) else ""):
        raise Stop(FileSystemProblem(file.display_path, cause))
    return target


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
