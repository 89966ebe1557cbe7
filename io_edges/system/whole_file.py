"""Whole file: write a file so that at every moment its name has the old content or the new, never a part.

It is written under another name beside it, synced, and renamed over the old file.
"""

import errno
import os
import re
import stat
from contextlib import suppress
from typing import Final, Literal

from io_edges.system.folder import NEW, READ, Folder
from io_edges.system.metadata import give_owner
from io_edges.system.signals import held_signals
from io_edges.system.syscalls import lock, rename_to_new

FRESH: Final = r"\.[0-9a-f]{16}\.tool-new"
"""The pattern of the names that `fresh_name` returns. A killed run may leave such files."""


def fresh_name() -> str:
    """A name for a new file that will be renamed, which no other file has."""
    return f".{os.urandom(8).hex()}.tool-new"


def write_whole(
    folder: Folder,
    name: str,
    content: bytes,
    *,
    like: os.stat_result | Literal["folder"] | None = None,
    over: Literal["anything", "nothing"] | bytes = "anything",
) -> None:
    """Write a file whole or not at all: write it under another name, sync it, and rename it over the old file.

    It gets mode and owner of the file `like`, or of the one that it replaces, as far as the system permits; if there is
    none, or with `folder`, those of its folder.
    `over` is what may be replaced, or the content of the file that may be: it raises `FileExistsError` instead of
    replacing anything else. What killed runs left under such other names is removed.
    """
    with held_signals(), folder.naming_errors(name):  # a signal between two calls would leave the new file behind
        sweep_beside(folder, name)
        fresh, descriptor = _beside(folder, name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                replaced = like if isinstance(like, os.stat_result) else folder.lstat(name)
                if like == "folder" or replaced is None or not stat.S_ISREG(replaced.st_mode):
                    folder.give_rights(descriptor)
                else:
                    is_shared = give_owner(descriptor, replaced)
                    os.fchmod(descriptor, replaced.st_mode & (0o777 if is_shared else 0o707))
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
    """Whether a file has a certain content."""
    try:
        return folder.read(name, len(content) + 1) == content
    except OSError:  # it is a link, or a folder
        return False


def _rename(folder: Folder, name: str, other: str, over: Literal["anything", "nothing"] | bytes) -> None:
    """Rename a file over another that may be replaced. Raises `FileExistsError`."""
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
    except OSError:  # this disk can do neither
        os.rename(name, new, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
    else:
        folder.discard(name)


def _beside(folder: Folder, name: str) -> tuple[str, int]:
    """Create a file that will replace another, and lock it so that no other run sweeps it away."""
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
    """Remove what killed runs left beside a file: files that no process has locked."""
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
