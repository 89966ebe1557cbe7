"""Whole file: write a file so that its name always has the old content or the new, never a part.

It is written under another name beside it, synced, and renamed over the old file.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import Literal

from io_edges.system.folder import FRESH, NEW, READ, Folder, fresh_name, give_owner
from io_edges.system.signals import held_signals
from io_edges.system.stop import Stop, os_errors_as_diagnostics, problem_of
from io_edges.system.syscalls import lock, rename_to_new
from pipeline.report.diagnostics.disk import FileSystemProblem


def write_whole(
    folder: Folder,
    name: str,
    content: bytes,
    *,
    like: os.stat_result | Literal["folder"] | None = None,
    over: Literal["anything", "nothing"] | bytes = "anything",
) -> None:
    """Write a file whole or not at all: write it under another name, sync it, and rename it over
    the old file.

    It gets the mode and owner of the file `like`, or of the one that it replaces, as far as the
    system permits. If there is none, or if `like` is `folder`, it gets those of its folder. `over`
    says which file may be replaced: any, none, or one with this content; any other raises
    `FileExistsError`. Files that killed runs left are removed.
    """
    # A signal between two calls would leave the new file behind.
    with (
        held_signals(),
        folder.naming_errors(name),
    ):
        sweep_beside(folder, name)
        fresh, descriptor = _beside(folder, name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                replaced = like if isinstance(like, os.stat_result) else folder.lstat(name)
                if like == "folder" or replaced is None or not stat.S_ISREG(replaced.st_mode):
                    folder.give_rights(descriptor)
                elif give_owner(descriptor, replaced.st_uid, replaced.st_gid):
                    os.fchmod(descriptor, replaced.st_mode & 0o777)
                else:
                    os.fchmod(descriptor, replaced.st_mode & 0o707)
                file.write(content)
                file.flush()
                os.fsync(descriptor)
                _rename(folder, fresh, name, over)
        except BaseException:
            with suppress(OSError):
                folder.discard(fresh)
            raise
    with suppress(OSError):  # the file is in place and whole, which is enough
        os.fsync(folder.fd)


def _holds(folder: Folder, name: str, content: bytes) -> bool:
    """Whether a file has this content."""
    try:
        return folder.read(name, len(content) + 1) == content
    except OSError:  # it is a link, or a folder
        return False


def _rename(
    folder: Folder, name: str, other: str, over: Literal["anything", "nothing"] | bytes
) -> None:
    """Rename a file over another one, if `over` allows that. Raises `FileExistsError`."""
    if over == "nothing":
        move_to_new(folder, name, other)
    elif isinstance(over, bytes) and not _holds(folder, other, over):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    else:
        os.rename(name, other, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)


def move_to_new(folder: Folder, name: str, new: str) -> None:
    """Rename a file to a name that must be free. Raises `FileExistsError`."""
    if rename_to_new(folder.fd, name, new):
        return
    try:
        os.link(name, new, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
    except FileExistsError:
        raise
    except OSError:  # the disk supports neither
        os.rename(name, new, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
    else:
        folder.discard(name)


def _beside(folder: Folder, name: str) -> tuple[str, int]:
    """Create a file that will replace another, and lock it so that no other run removes it."""
    while True:
        new = f".{name.lstrip('.')}{fresh_name()}"
        descriptor = os.open(new, NEW, 0o600, dir_fd=folder.fd)
        try:
            if lock(descriptor) is not False and os.fstat(descriptor).st_nlink:
                return new, descriptor
        except OSError:
            folder.discard(new)
            os.close(descriptor)
            raise
        os.close(descriptor)


def sweep_beside(folder: Folder, name: str) -> None:
    """Remove the files that killed runs left beside a file, which no process has locked."""
    left = re.compile(rf"\.{re.escape(name.lstrip('.'))}{FRESH}")
    for each, _ in folder.entries():
        if left.fullmatch(each):
            with suppress(OSError):
                descriptor = os.open(each, READ, dir_fd=folder.fd)
                try:
                    if lock(descriptor) is True:
                        folder.discard(each)
                finally:
                    os.close(descriptor)


def replace_file(
    path: PurePath,
    content: bytes,
    *,
    follow: bool = False,
    over: Literal["anything", "nothing"] | bytes = "anything",
    like: PurePath | str | None = None,
) -> None:
    """Write a file next to its destination, sync it, and rename it over the destination.

    With `follow`, a link stays, and the file that it leads to is replaced. Mode and owner are those
    of the file `like`, or else of the replaced file; a new file gets 0644 less the umask. `over`
    says which file may be replaced: any, none, or one with this content; any other raises
    `FileExistsError`. Other errors raise `Stop`.
    """
    try:
        target = Path(path)
        if follow:
            target = Path(os.path.realpath(path))
        old = _status(Path(like or target))
        with Folder.at(str(target.parent)) as folder:
            write_whole(folder, target.name, content, like=old, over=over)
    except (OSError, ValueError) as error:  # the latter for a NUL in a path
        if isinstance(error, FileExistsError) and over != "anything":
            raise
        raise Stop(problem_of(path, error)) from error


@contextmanager
def backed_up(path: PurePath, content: bytes, stem: str) -> Iterator[PurePath]:
    """Back up a file next to it, as `<stem>.bak`, `<stem>.bak.2`…, and never over another file.

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
    """The path of a backup, and whether it is new: an existing one with the same
    bytes is enough.
    """
    with os_errors_as_diagnostics(path):
        for backup in map(Path(path).with_name, _names(stem)):
            if not os.path.lexists(backup):
                replace_file(backup, content, like=os.path.realpath(path))
                return backup, True
            if backup.is_file() and not backup.is_symlink() and backup.read_bytes() == content:
                return backup, False
    raise _too_many(path)


def moved_aside(path: PurePath, stem: str) -> PurePath:
    """Rename a file or link to the first free name of `<stem>.bak`, `<stem>.bak.2`…"""
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
    if not stat.S_ISREG(status.st_mode):
        return None
    return status
