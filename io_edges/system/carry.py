"""Carry: put a file of the user in a second place, by a hard link, or by a copy that is as much like it as can be.

The first place keeps it, so it is never missing in between.
"""

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress

from io_edges.system.folder import NEW, READ, Folder
from io_edges.system.way import Way, above

_NOT_LINKED = frozenset(
    {errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}
)
"""What a hard link is refused with where a copy may be possible. On another disk it is `EXDEV`."""


def carry(source: Folder, name: str, target: Folder, new: str) -> bool:
    """Put a file, link or empty folder in another folder, under a name that must be free, except for a folder.

    Return whether it still belongs to the same user. Raises `OSError`, also with `EXDEV` if that folder is on another
    disk.
    """
    try:
        with target.naming_errors(new):
            os.link(name, new, src_dir_fd=source.fd, dst_dir_fd=target.fd, follow_symlinks=False)
            return True
    except OSError as error:  # as for every folder
        refusal = error
    status = source.look(name)
    if status and stat.S_ISDIR(status.st_mode):
        if target.look(new) is None:  # else what is in it is there already
            target.make(new)
        with source.inner(name) as old, target.inner(new) as folder:
            give_likeness(old, folder)
        return True
    if refusal.errno not in _NOT_LINKED:
        raise refusal
    copy(source, name, target, new)
    fresh = target.look(new)
    return bool(status and fresh and status.st_uid == fresh.st_uid)


def copy(source: Folder, name: str, target: Folder, new: str, executable: bool | None = None) -> None:
    """Copy a file, link, pipe or empty folder, with mode, owner, times and attributes; other kinds are refused.

    Owner and attributes are kept as far as the system allows. `executable` changes that bit of the mode.
    """
    status = source.look(name)
    kind = stat.S_IFMT(status.st_mode) if status else None
    with target.naming_errors(new):
        if status is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if kind == stat.S_IFLNK:
            os.symlink(os.readlink(name, dir_fd=source.fd), new, dir_fd=target.fd)
        elif kind == stat.S_IFIFO:
            os.mkfifo(new, stat.S_IMODE(status.st_mode), dir_fd=target.fd)
        elif kind == stat.S_IFDIR:
            if target.look(new) is None:
                target.make(new, stat.S_IMODE(status.st_mode))
        elif kind == stat.S_IFREG:
            _copy_file(source, name, target, new, executable)
        else:
            raise OSError(errno.ENOTSUP, "neither a file nor a link, so it cannot be copied")


def carry_at(source: Folder, path: str, target: Folder) -> bool:
    """As `carry`, to the same path below another folder, where missing folders are made."""
    with above(source, path) as (old, name), above(target, path, make=True) as (new, _):
        return carry(old, name, new, name)


def carry_all(source: Folder, paths: Iterable[str], target: Folder) -> bool:
    """As `carry_at`, for paths in order, with the folders on the way to the last one open for the next."""
    with Way(source) as old, Way(target, make=True) as new:
        for path in paths:
            parent, _, name = path.rpartition("/")
            if not carry(old.to(parent), name, new.to(parent), name):
                return False
    return True


def copy_at(source: Folder, path: str, target: Folder, executable: bool | None = None) -> None:
    """As `copy`, to the same path below another folder, where missing folders are made."""
    with above(source, path) as (old, name), above(target, path, make=True) as (new, _):
        copy(old, name, new, name, executable)


def give_likeness(old: Folder, new: Folder) -> None:
    """Give a folder the mode, and as far as the system allows the owner and attributes, of another."""
    _give(old.fd, new.fd, os.fstat(old.fd), None)


def _copy_file(source: Folder, name: str, target: Folder, new: str, executable: bool | None) -> None:
    with (
        os.fdopen(os.open(name, READ, dir_fd=source.fd), "rb") as old,
        os.fdopen(os.open(new, NEW, 0o600, dir_fd=target.fd), "wb") as fresh,
    ):
        import shutil  # costs start-up time, and few files are copied

        shutil.copyfileobj(old, fresh)
        fresh.flush()
        status = os.fstat(old.fileno())
        _give(old.fileno(), fresh.fileno(), status, executable)
        os.utime(fresh.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))


def _give(old: int, new: int, status: os.stat_result, executable: bool | None) -> None:
    with suppress(OSError):
        os.fchown(new, status.st_uid, status.st_gid)
    mode = stat.S_IMODE(status.st_mode)
    if executable is not None:
        bits = (mode & 0o444) >> 2 if executable else 0
        mode = mode & ~0o111 | bits
    os.fchmod(new, mode)
    with suppress(OSError):  # not every disk has attributes
        for attribute in os.listxattr(old) if hasattr(os, "listxattr") else ():
            with suppress(OSError):
                os.setxattr(new, attribute, os.getxattr(old, attribute))
