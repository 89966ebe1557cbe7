"""Link or copy: give a user's file a second name by a hard link, else by a copy with its metadata.

The first place keeps it, so it is never missing in between.
"""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from io_edges.system.dir_chain import DirChain, above
from io_edges.system.folder import NEW, READ, Folder
from io_edges.system.metadata import give, give_as_replaced, give_as_replaced_link, give_metadata
from pipeline.building.stores.record import Files, implied_folders

Times: TypeAlias = tuple[int, int] | None
"""The two times of written files, in nanoseconds; `None` for the time of writing."""
_NOT_LINKED = frozenset(
    {errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL, errno.EXDEV}
)
"""Errors of a hard link after which a copy may be possible, as on another disk."""


def link_or_copy(source: Folder, name: str, target: Folder, new: str) -> None:
    """Put a file, link or empty folder in another folder, under a name that must be free, except for a folder."""
    try:
        with target.naming_errors(new):
            os.link(name, new, src_dir_fd=source.fd, dst_dir_fd=target.fd, follow_symlinks=False)
            return
    except OSError as error:  # as for every folder
        refusal = error
    status = source.lstat(name)
    if status and stat.S_ISDIR(status.st_mode):
        _make_like(source, name, target, new)
    elif refusal.errno in _NOT_LINKED:
        copy(source, name, target, new)
    else:
        raise refusal


def _make_like(source: Folder, name: str, target: Folder, new: str) -> None:
    """Make a folder like another, unless it is there already; none stays if the other one is removed meanwhile."""
    if is_made := target.lstat(new) is None:
        target.make(new)
    try:
        with source.inner(name) as old, target.inner(new) as folder:
            give_metadata(old, folder)
    except OSError:
        if is_made:
            target.prune(new)
        raise


def copy(source: Folder, name: str, target: Folder, new: str, executable: bool | None = None) -> None:
    """Copy a file or link, with mode, owner, times and attributes; other kinds are refused.

    Owner and attributes are kept as far as the system allows. `executable` changes that bit of the mode.
    """
    status = source.lstat(name)
    if status and stat.S_ISLNK(status.st_mode):
        target.link(new, os.readlink(name, dir_fd=source.fd))
        give_as_replaced_link(status, target, new)
    elif status and not stat.S_ISREG(status.st_mode):
        with target.naming_errors(new):
            raise OSError(errno.ENOTSUP, "neither a file nor a link, so it cannot be copied")
    else:
        with _copied(source, name, target, new) as (old, fresh):
            give(old, fresh, os.fstat(old), executable)


def copy_anew(source: Folder, name: str, target: Folder, new: str, *, executable: bool) -> None:
    """Copy a file or link to a fresh name in the folder of the file, if there is one, that it will replace.

    It gets the metadata of that one, or what any new file in that folder gets, with times from the source.
    """
    if (status := source.lstat(name)) and stat.S_ISLNK(status.st_mode):
        target.link(new, os.readlink(name, dir_fd=source.fd))
        give_as_replaced_link(target.lstat(name), target, new)
        return
    with _copied(source, name, target, new) as (_, fresh):
        target.give_rights(fresh, executable=executable)
        give_as_replaced(target, name, fresh, executable=executable)


@contextmanager
def _copied(source: Folder, name: str, target: Folder, new: str) -> Iterator[tuple[int, int]]:
    """Copy the content of a file; give the descriptors of both, and then the new one the times of the old one."""
    with source.naming_errors(name):
        old = os.fdopen(os.open(name, READ, dir_fd=source.fd), "rb")
    with old, target.naming_errors(new), os.fdopen(os.open(new, NEW, 0o600, dir_fd=target.fd), "wb") as fresh:
        shutil.copyfileobj(old, fresh)
        fresh.flush()
        yield old.fileno(), fresh.fileno()
        status = os.fstat(old.fileno())
        os.utime(fresh.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))


def link_or_copy_at(source: Folder, path: str, target: Folder) -> None:
    """As `link_or_copy`, to the same path below another folder, also across disks, where missing folders are made."""
    with above(source, path) as (old, name), above(target, path, make=True) as (new, _):
        link_or_copy(old, name, new, name)


def copy_at(source: Folder, path: str, target: Folder, executable: bool | None = None) -> None:
    """As `copy`, to the same path below another folder, where missing folders are made."""
    with above(source, path) as (old, name), above(target, path, make=True) as (new, _):
        copy(old, name, new, name, executable)


def give_times(folder: Folder, path: str, times: Times) -> None:
    """Give a copied file or link the times of what is written."""
    with above(folder, path) as (place, name), place.naming_errors(name):
        if times:
            os.utime(name, ns=times, dir_fd=place.fd, follow_symlinks=False)
        else:
            os.utime(name, dir_fd=place.fd, follow_symlinks=False)


@contextmanager
def folders_like(files: Files, old: Folder, new: Folder) -> Iterator[None]:
    """Make the existing folders of files elsewhere, with the same metadata, so that new files in them inherit it.

    A folder that its owner may not write into gets its mode at the end.
    """
    closed: list[str] = []
    with DirChain(old) as theirs, DirChain(new, make=True) as ours:
        for path in sorted({"", *implied_folders(files)}):
            like = theirs.folder_at(path)
            if like and not give_metadata(like, ours.to(path), usable=True):
                closed.append(path)
    yield
    with DirChain(old) as theirs, DirChain(new) as ours:
        for path in reversed(closed):
            if like := theirs.folder_at(path):
                give_metadata(like, ours.to(path))
