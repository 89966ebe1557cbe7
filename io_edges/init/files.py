"""Files: write what `tool init` writes, and move out of its way what it replaces (`docs/configuration.md`)."""

import os
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Literal

from io_edges.system.stop import Stop, cause_of
from io_edges.system.whole_file import backed_up, moved_aside, replace_file
from pipeline.config.tree import LEGACY
from pipeline.init.config_text import DECLARATION
from pipeline.init.declaration import ambient_declaration
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.configuration import ConfigUnreadable, rewritten_config
from pipeline.report.diagnostics.conflicts import OutputConflict


def current_content(name: str) -> bytes | None:
    """The content of a file in the current folder; `None` if there is none. Raises `Stop`."""
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            raise Stop(OutputConflict(name, reason="other"))
        return path.read_bytes() if path.exists() else None
    except OSError as error:
        raise Stop(ConfigUnreadable(name, cause_of(error))) from error


def current_types(*, force: bool) -> bytes | None:
    """The types beside the configuration, if there are any. Raises `Stop` if they are the user's own."""
    content = current_content(DECLARATION)
    if content is None and not force and os.path.lexists(DECLARATION):
        raise Stop(OutputConflict(DECLARATION, reason="dangling"))
    if content is not None and not force and content != ambient_declaration().encode():
        raise Stop(OutputConflict(DECLARATION, reason="config"))
    return content


def write_over(name: str, content: bytes, old: bytes | None) -> tuple[WarningDiagnostic, ...]:
    """Write a file whose content was `old`, which is kept in a backup; warn of that. Raises `Stop`."""
    if old is None or Path(name).is_symlink():
        kept = move_aside((name,) if Path(name).is_symlink() else ())
        _replace(name, content, "nothing")
        return kept
    with backed_up(PurePath(name), old, name) as backup:
        _replace(name, content, old)
    return (rewritten_config(name, backup.name),)


def _replace(name: str, content: bytes, over: Literal["nothing"] | bytes) -> None:
    try:
        replace_file(PurePath(name), content, over=over)
    except FileExistsError as error:
        raise Stop(OutputConflict(name, reason="changed")) from error


def move_aside(names: Iterable[str]) -> tuple[WarningDiagnostic, ...]:
    """Move configurations of the current folder to backups; warn of each. Raises `Stop`."""
    stems = {name: f"{name}.0x" if name == LEGACY else name for name in names if os.path.lexists(name)}
    return tuple(rewritten_config(name, moved_aside(PurePath(name), stem).name) for name, stem in stems.items())
