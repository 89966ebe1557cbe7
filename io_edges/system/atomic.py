"""Atomic: replace a file so that a kill at any moment leaves either the old content or the new, never a part."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import Literal

from io_edges.system.folder import Folder
from io_edges.system.stop import Stop, cause_of, os_errors_as_diagnostics
from io_edges.system.whole_file import move_to_new, write_whole
from pipeline.report.diagnostics.disk import FileSystemProblem


def replace_file(
    path: PurePath,
    content: bytes,
    *,
    follow: bool = False,
    over: Literal["anything", "nothing"] | bytes = "anything",
    like: PurePath | str | None = None,
) -> None:
    """Write a file next to its destination, sync it, and rename it over the destination.

    With `follow`, a link stays a link and the file that it leads to is replaced. Mode and owner are those of the file
    `like`, else of the file that is replaced; a new file gets 0644 less the umask. Raises `Stop` with a
    `FileSystemProblem`. `over` is what may be replaced, or the content of the file that may be: raises
    `FileExistsError` if something else is there.
    """
    try:
        target = Path(os.path.realpath(path)) if follow else Path(path)
        old = _status(Path(like) if like else target)
        with Folder.at(str(target.parent)) as folder:
            write_whole(folder, target.name, content, like=old, over=over)
    except (OSError, ValueError) as error:  # the latter for a NUL in a path
        if isinstance(error, FileExistsError) and over != "anything":
            raise
        raise Stop(FileSystemProblem(str(path), cause_of(error))) from error


@contextmanager
def backed_up(path: PurePath, content: bytes, stem: str) -> Iterator[PurePath]:
    """Back a file up next to it, as `<stem>.bak`, `<stem>.bak.2`…, and never over another file. Raises `Stop`.

    If the body fails, a backup that was made for it is removed.
    """
    backup, is_made = _back_up(path, content, stem)
    try:
        yield backup
    except BaseException:
        if is_made:
            with suppress(OSError):
                Path(backup).unlink()
        raise


def _back_up(path: PurePath, content: bytes, stem: str) -> tuple[PurePath, bool]:
    """The backup, and whether it was made: an existing one with the same bytes is enough."""
    with os_errors_as_diagnostics(path):
        for backup in map(Path(path).with_name, _names(stem)):
            if not os.path.lexists(backup):
                replace_file(backup, content, like=os.path.realpath(path))
                return backup, True
            if backup.is_file() and not backup.is_symlink() and backup.read_bytes() == content:
                return backup, False
    raise _too_many(path)


def moved_aside(path: PurePath, stem: str) -> PurePath:
    """Rename a file or link to the first of `<stem>.bak`, `<stem>.bak.2`… that is free. Raises `Stop`."""
    with os_errors_as_diagnostics(path), Folder.at(str(Path(path).parent)) as folder:
        for name in _names(stem):
            with suppress(FileExistsError):
                move_to_new(folder, path.name, name)
                return path.with_name(name)
    raise _too_many(path)


def _names(stem: str) -> tuple[str, ...]:
    return (f"{stem}.bak", *(f"{stem}.bak.{number}" for number in range(2, 1000)))


def _too_many(path: PurePath) -> Stop:
    return Stop(FileSystemProblem(str(path), "there are too many backups beside it"))


def _status(path: Path) -> os.stat_result | None:
    """The status of a file; `None` if it does not exist or is not a regular file."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None
