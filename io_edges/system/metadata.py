"""Metadata: give a new file or folder the metadata of the one that it replaces, or of its future
folder; copy files.

Owner, group and attributes are given as far as the process may. If it may not give the group, the
group gets only the permissions that everybody has. A file of the user is kept by a hard link, or
else by a copy with its metadata.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

from io_edges.system.folder import (
    NEW,
    READ,
    Folder,
    copy_content,
    fresh_name,
    give_owner,
    without_group,
)
from io_edges.system.trees import DirChain, above
from pipeline.building.stores.record import Files, implied_folders

_DEFAULT = "system.posix_acl_default"
_ACCESS = "system.posix_acl_access"
"""The attributes with access lists: of a file or folder itself, and for new files in a folder."""
_PRIVILEGES = "security.capability"
"""The attribute that gives a program more privileges than its user has, like the setuid bit."""


def give_metadata(old: Folder, new: Folder, *, usable: bool = False) -> bool:
    """Give a folder the mode, owner, group and attributes of another; return whether it got
    exactly that mode.

    With `usable`, its owner can use it even if the mode of the other folder forbids that.
    """
    status = os.fstat(old.fd)
    if not usable:
        give(old.fd, new.fd, status)
        return True
    give(old.fd, new.fd, status, least=stat.S_IRWXU)
    return status.st_mode & stat.S_IRWXU == stat.S_IRWXU


def give_as_replaced(folder: Folder, name: str, new: int, *, executable: bool) -> None:
    """Give a new file the metadata of the file that it replaces, if there is one, except the
    executable bit.
    """
    status = folder.lstat(name)
    if status is None or stat.S_ISDIR(status.st_mode):
        return
    if not stat.S_ISREG(status.st_mode):
        give_owner(new, status.st_uid, status.st_gid)
        return
    try:
        old = os.open(name, READ, dir_fd=folder.fd)
    except OSError:  # the file has gone since it was looked at
        return
    try:
        give(old, new, status, executable)
    finally:
        os.close(old)


def give_as_replaced_link(status: os.stat_result | None, folder: Folder, name: str) -> None:
    """Give a new link the owner and group of the file or link that it replaces."""
    if status and not stat.S_ISDIR(status.st_mode):
        folder.give_link(name, status)


def give(
    old: int, new: int, status: os.stat_result, executable: bool | None = None, least: int = 0
) -> None:
    """Give an opened file or folder the metadata of another, given its status.

    With `executable`, the file comes from an archive: it gets this executable bit, and
    no privileges.
    """
    privileges = set[str]()
    if executable is not None:
        privileges.add(_PRIVILEGES)
    give_owner(new, status.st_uid, status.st_gid)
    _give_attributes(old, new, privileges)
    own = os.fstat(new)
    mode = _mode(status, own, executable) | least
    if mode != stat.S_IMODE(own.st_mode):  # last, because the others change it
        os.fchmod(new, mode)


def give_as_made_in(parent: Folder, new: Folder) -> None:
    """Give a folder the rights and access lists that it would have if it had been made
    in `parent`.
    """
    inherited = _attribute(parent.fd, _DEFAULT)
    own = _attribute(new.fd, _DEFAULT)
    if sys.platform == "linux" and inherited:
        with suppress(OSError):
            os.setxattr(new.fd, _DEFAULT, inherited)
            os.setxattr(new.fd, _ACCESS, inherited)
    elif own:
        _remove(new.fd, (_DEFAULT, _ACCESS))
    parent.give_rights(new.fd)


def _give_attributes(old: int, new: int, withheld: set[str]) -> None:
    if sys.platform != "linux":  # elsewhere Python cannot read them
        return
    with suppress(OSError):  # not every disk has attributes
        wanted = set(os.listxattr(old)) - withheld
        for attribute in wanted:
            with suppress(OSError):
                os.setxattr(new, attribute, os.getxattr(old, attribute))
        _remove(new, {_DEFAULT, _ACCESS}.difference(wanted).intersection(os.listxattr(new)))


def _remove(descriptor: int, attributes: Iterable[str]) -> None:
    if sys.platform == "linux":
        for attribute in attributes:
            with suppress(OSError):
                os.removexattr(descriptor, attribute)


def _attribute(descriptor: int, name: str) -> bytes:
    if sys.platform == "linux":
        with suppress(OSError):  # there is none, or the disk has no attributes
            return os.getxattr(descriptor, name)
    return b""


def _mode(old: os.stat_result, new: os.stat_result, executable: bool | None) -> int:
    mode = stat.S_IMODE(old.st_mode)
    if new.st_uid != old.st_uid:
        mode &= ~stat.S_ISUID
    if new.st_gid != old.st_gid:
        mode = without_group(mode)
    if executable is None:
        return mode
    mode &= ~(stat.S_ISUID | stat.S_ISGID)
    if executable == bool(mode & stat.S_IXUSR):
        return mode
    mode &= ~0o111
    if executable:
        mode |= (mode & 0o444) >> 2 | stat.S_IXUSR
    return mode


Times: TypeAlias = tuple[int, int] | None
"""The access and modification times of new files, in nanoseconds; `None` for the
time of writing.
"""
_NOT_LINKED = frozenset(
    {
        errno.EPERM,
        errno.EACCES,
        errno.EMLINK,
        errno.ENOSYS,
        errno.ENOTSUP,
        errno.EOPNOTSUPP,
        errno.EINVAL,
        errno.EXDEV,
    }
)
"""The errors of making a hard link after which a copy may succeed, for example to another disk."""


def link_or_copy(source: Folder, name: str, target: Folder, new: str) -> None:
    """Link or copy a file, link or empty folder to another folder. A file or link needs a
    free name there.
    """
    try:
        with target.naming_errors(new):
            os.link(name, new, src_dir_fd=source.fd, dst_dir_fd=target.fd, follow_symlinks=False)
            return
    except OSError as error:  # as for every folder
        refusal = error
    status = source.lstat(name)
    if status and stat.S_ISDIR(status.st_mode):
        target.child(new, make=True).close()
    elif refusal.errno in _NOT_LINKED:
        copy(source, name, target, new)
    else:
        raise refusal


def copy(
    source: Folder, name: str, target: Folder, new: str, executable: bool | None = None
) -> None:
    """Copy a file or link with its mode, owner, times and attributes; refuse other kinds.

    Owner and attributes are kept as far as the system allows. `executable` changes that bit
    of the mode.
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
    """Copy a file or link to a fresh name in the folder of the file that it will replace, if
    there is one.

    It gets the metadata of that file, or else of any new file in that folder, and the times
    of the source.
    """
    if (status := source.lstat(name)) and stat.S_ISLNK(status.st_mode):
        target.link(new, os.readlink(name, dir_fd=source.fd))
        give_as_replaced_link(target.lstat(name), target, new)
        return
    with _copied(source, name, target, new) as (_, fresh):
        target.give_rights(fresh, executable=executable)
        give_as_replaced(target, name, fresh, executable=executable)


def copy_over(source: Folder, name: str, folder: Folder, executable: bool | None) -> None:
    """Copy a file from another disk to a name beside its target, and rename it over the target.

    It keeps its metadata; with `executable`, it gets that of the target, and this executable bit.
    """
    fresh = fresh_name()
    try:
        if executable is None:
            copy(source, name, folder, fresh)
        else:
            copy_anew(source, name, folder, fresh, executable=executable)
        status = folder.lstat(fresh)
        if status and stat.S_ISREG(status.st_mode):
            with os.fdopen(os.open(fresh, READ, dir_fd=folder.fd)) as file:
                os.fsync(file.fileno())
        folder.move(fresh, folder, name)
    except OSError as error:
        with suppress(OSError):
            folder.discard(fresh)
        if error.filename == f"{folder.path}/{fresh}":
            raise OSError(error.errno, error.strerror, f"{folder.path}/{name}") from error
        raise


@contextmanager
def _copied(source: Folder, name: str, target: Folder, new: str) -> Iterator[tuple[int, int]]:
    """Copy the content of a file, yield the descriptors of both, and then give the copy the times
    of the file.
    """
    with source.naming_errors(name):
        old = os.fdopen(os.open(name, READ, dir_fd=source.fd), "rb")
    with (
        old,
        target.naming_errors(new),
        os.fdopen(os.open(new, NEW, 0o600, dir_fd=target.fd), "wb") as fresh,
    ):
        copy_content(old.fileno(), fresh.fileno())
        yield old.fileno(), fresh.fileno()
        status = os.fstat(old.fileno())
        os.utime(fresh.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))


def link_or_copy_at(source: Folder, path: str, target: Folder) -> None:
    """Link or copy a file to the same path below another folder, also on another disk; make
    missing folders.
    """
    with above(source, path) as (old, name), above(target, path, make=True) as (new, _):
        link_or_copy(old, name, new, name)


def copy_at(source: Folder, path: str, target: Folder, executable: bool | None = None) -> None:
    """Copy a file or link to the same path below another folder; make missing folders."""
    with above(source, path) as (old, name), above(target, path, make=True) as (new, _):
        copy(old, name, new, name, executable)


def give_times(folder: Folder, path: str, times: Times) -> None:
    """Give a copied file or link these times, unless they are `None`."""
    with above(folder, path) as (place, name), place.naming_errors(name):
        if times:
            os.utime(name, ns=times, dir_fd=place.fd, follow_symlinks=False)
        else:
            os.utime(name, dir_fd=place.fd, follow_symlinks=False)


@contextmanager
def folders_like(files: Files, old: Folder, new: Folder) -> Iterator[None]:
    """Make the folders of `files` that `old` has in `new`, with the same metadata, which new
    files inherit.

    A folder that its owner may not write to gets its mode at the end.
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
