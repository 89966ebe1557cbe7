"""The real `Disk`: what the configuration chain asks of the world."""

import stat
from collections.abc import Callable
from pathlib import Path, PurePath

from returns.result import Failure, Result, Success

from io_edges.system.stop import cause_of
from pipeline.config.disk import Disk, Presence
from pipeline.report.events import OutputEvent
from pipeline.report.outcome import Outcome
from pipeline.report.paths import display_path


def real_disk(start: PurePath, told: Callable[[OutputEvent], None]) -> Disk:
    """Make the disk of a run that starts in a folder; what scripts print is passed to `told`."""
    return Disk(look=_look, load=_load, names=_names, evaluate=lambda path: _evaluate(path, start, told))


def _look(path: PurePath) -> Presence:
    try:
        mode = Path(path).stat().st_mode
    except PermissionError:
        return "denied"
    except FileNotFoundError:
        return "dangling" if Path(path).is_symlink() else "missing"
    except (OSError, ValueError):  # too long, or a NUL in the name
        return "missing"
    if stat.S_ISREG(mode):
        return "file"
    return "folder" if stat.S_ISDIR(mode) else "other"


def _load(path: PurePath, limit: int) -> Result[bytes, str]:
    try:
        with Path(path).open("rb") as file:
            return Success(file.read(limit))
    except OSError as error:
        return Failure(cause_of(error))


def _names(folder: PurePath) -> tuple[str, ...]:
    try:
        return tuple(sorted(path.name for path in Path(folder).iterdir()))
    except (OSError, ValueError):
        return ()


def _evaluate(path: PurePath, start: PurePath, told: Callable[[OutputEvent], None]) -> Outcome[bytes]:
    from io_edges.scripts.evaluate import evaluate  # costs start-up time, and only a script needs it

    return evaluate(path, start, lambda stream, line: told(OutputEvent(display_path(path, start), stream, line)))
