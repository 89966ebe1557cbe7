"""Files: write the files of `tool init`, move others out of their way, and convert the 0.x file.

Replaced files are kept in backups, byte for byte (`docs/configuration.md`).
"""

import os
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Literal

from io_edges.report.console import Console
from io_edges.system.stop import Stop, cause_of, require
from io_edges.system.whole_file import backed_up, moved_aside, replace_file
from pipeline.config.tree import LEGACY, Document
from pipeline.init.config_text import DECLARATION
from pipeline.init.declaration import ambient_declaration
from pipeline.init.lift import lift
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.configuration import ConfigUnreadable, rewritten_config
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.paths import display_path


def current_content(name: str) -> bytes | None:
    """The content of a file in the current folder; `None` if there is none."""
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            raise Stop(OutputConflict(name, reason="other"))
        if not path.exists():
            return None
        return path.read_bytes()
    except OSError as error:
        raise Stop(ConfigUnreadable(name, cause_of(error))) from error


def current_types(*, force: bool) -> bytes | None:
    """The types beside the configuration, if there are any. Raises `Stop` if they are
    the user's own.
    """
    content = current_content(DECLARATION)
    if content is None and not force and os.path.lexists(DECLARATION):
        raise Stop(OutputConflict(DECLARATION, reason="dangling"))
    if content is not None and not force and content != ambient_declaration().encode():
        raise Stop(OutputConflict(DECLARATION, reason="config"))
    return content


def write_over(name: str, content: bytes, old: bytes | None) -> tuple[WarningDiagnostic, ...]:
    """Write a file, and keep its content, `old`, in a backup; warn of the backup."""
    if Path(name).is_symlink():
        warnings = move_aside((name,))
        _replace(name, content, "nothing")
        return warnings
    if old is None:
        _replace(name, content, "nothing")
        return ()
    with backed_up(PurePath(name), old, name) as backup:
        _replace(name, content, old)
    return (rewritten_config(name, backup.name),)


def _replace(name: str, content: bytes, over: Literal["nothing"] | bytes) -> None:
    try:
        replace_file(PurePath(name), content, over=over)
    except FileExistsError as error:
        raise Stop(OutputConflict(name, reason="changed")) from error


def move_aside(names: Iterable[str]) -> tuple[WarningDiagnostic, ...]:
    """Move configurations of the current folder to backups; warn of each."""
    present = [name for name in names if os.path.lexists(name)]
    return tuple(
        rewritten_config(name, moved_aside(PurePath(name), _stem(name)).name) for name in present
    )


def _stem(name: str) -> str:
    """The beginning of the name of a configuration's backup."""
    if name == LEGACY:
        return f"{name}.0x"
    return name


def lift_legacy(document: Document, start: PurePath, console: Console) -> None:
    """Convert the 0.x file that configured a run, unless it has changed since; warn
    if that fails.
    """
    path = document.file.path
    name = document.file.display_path
    target = Path(os.path.realpath(path))  # a link may lead to it
    try:
        text = require(lift(document))
        if text is None:
            return
        if cause := _elsewhere(Path(path), target) or _read_only(target):
            raise Stop(FileSystemProblem(name, cause))
        with backed_up(path, document.content, f"{path.name}.0x") as backup:
            replace_file(target, text.encode(), over=document.content)
        console.warn((rewritten_config(name, display_path(backup, start)),))
    except FileExistsError:
        console.warn((rewritten_config(name, cause="it is not what the build has read"),))
    except Stop as stop:
        console.warn((rewritten_config(name, cause=", ".join(map(_cause, stop.errors))),))


def _cause(error: Error) -> str:
    if isinstance(error, FileSystemProblem):
        return error.cause
    return "it would be larger than 1 MiB"


def _elsewhere(path: Path, target: Path) -> str:
    """Why the target of a link is not this project's 0.x file; empty if it is."""
    if target.name != path.name:
        return f"it is a link to a file that is not named {path.name}"
    folder = Path(os.path.realpath(path.parent))
    project = next(
        (each for each in (folder, *folder.parents) if os.path.lexists(each / ".git")), folder
    )
    if not target.is_relative_to(project):
        return "it is a link to a file outside the project"
    return ""


def _read_only(path: Path) -> str:
    """Why a read-only file is not replaced, which a rename would not check; empty if it is
    writable or missing.
    """
    is_writable = os.access(path, os.W_OK) and path.stat().st_mode & 0o222
    if path.exists() and not is_writable:
        return "it is read-only"
    return ""
