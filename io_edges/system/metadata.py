"""Metadata: give a new file or folder the metadata of the one that it replaces, or of its future folder.

Owner, group and attributes are given as far as the process may. Where it may not give the group, another one gets no
right that not everybody has.
"""

import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress

from io_edges.system.folder import READ, Folder

_DEFAULT, _ACCESS = "system.posix_acl_default", "system.posix_acl_access"
"""The attributes that are lists of who has access: to a new file in a folder, and to a file or folder itself."""
_PRIVILEGES = "security.capability"
"""The attribute with privileges of a program beyond those of its user, like the setuid bit."""


def give_metadata(old: Folder, new: Folder, *, usable: bool = False) -> bool:
    """Give a folder the mode, owner, group and attributes of another; return whether it has its very mode.

    A folder that is to be `usable` is open to its owner, whatever the mode of the other.
    """
    status = os.fstat(old.fd)
    give(old.fd, new.fd, status, least=stat.S_IRWXU if usable else 0)
    return not usable or status.st_mode & stat.S_IRWXU == stat.S_IRWXU


def give_as_replaced(folder: Folder, name: str, new: int, *, executable: bool) -> None:
    """Give a new file the metadata of the file that it replaces, if there is one, except the executable bit."""
    status = folder.lstat(name)
    if status is None or stat.S_ISDIR(status.st_mode):
        return
    if not stat.S_ISREG(status.st_mode):
        _give_owner(new, status)
        return
    try:
        old = os.open(name, READ, dir_fd=folder.fd)
    except OSError:  # it has gone since it was read
        return
    try:
        give(old, new, status, executable)
    finally:
        os.close(old)


def give_as_replaced_link(status: os.stat_result | None, folder: Folder, name: str) -> None:
    """Give a new link the owner and the group of the file or link that it replaces."""
    if status and not stat.S_ISDIR(status.st_mode):
        for uid, gid in ((-1, status.st_gid), (status.st_uid, -1)):
            with suppress(OSError):
                os.chown(name, uid, gid, dir_fd=folder.fd, follow_symlinks=False)


def give(old: int, new: int, status: os.stat_result, executable: bool | None = None, least: int = 0) -> None:
    """Give an opened file or folder the metadata of another, whose status is known.

    `executable` changes that bit: then the file is an archive's, which gets no privileges, as with any write.
    """
    _give_owner(new, status)
    _give_attributes(old, new, {_PRIVILEGES} if executable is not None else set())
    own = os.fstat(new)
    mode = _mode(status, own, executable) | least
    if mode != stat.S_IMODE(own.st_mode):  # the last, as the others change it
        os.fchmod(new, mode)


def give_as_made_in(parent: Folder, new: Folder) -> None:
    """Give a folder that is made elsewhere the rights and the lists of access that it would have if made in another."""
    handed, had = _attribute(parent.fd, _DEFAULT), _attribute(new.fd, _DEFAULT)
    if sys.platform == "linux" and handed:
        with suppress(OSError):
            os.setxattr(new.fd, _DEFAULT, handed)
            os.setxattr(new.fd, _ACCESS, handed)
    elif had:
        _remove(new.fd, (_DEFAULT, _ACCESS))
    parent.give_rights(new.fd)


def give_owner(descriptor: int, old: os.stat_result | None) -> bool:
    """Give a file the owner and the group of another file, if there is one; `False` if the group differs then."""
    if old is None or not stat.S_ISREG(old.st_mode):
        return True
    _give_owner(descriptor, old)
    return os.fstat(descriptor).st_gid == old.st_gid


def _give_owner(new: int, status: os.stat_result) -> None:
    own = os.fstat(new)
    for uid, gid in ((-1, status.st_gid), (status.st_uid, -1)):
        if (uid not in {-1, own.st_uid}) or (gid not in {-1, own.st_gid}):
            with suppress(OSError):
                os.fchown(new, uid, gid)


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
    try:
        return os.getxattr(descriptor, name) if hasattr(os, "getxattr") else b""
    except OSError:  # there is none, or the disk has no attributes
        return b""


def _mode(old: os.stat_result, new: os.stat_result, executable: bool | None) -> int:
    mode = stat.S_IMODE(old.st_mode)
    if new.st_uid != old.st_uid:
        mode &= ~stat.S_ISUID
    if new.st_gid != old.st_gid:
        mode &= ~(stat.S_ISGID | stat.S_IRWXG) | (mode & stat.S_IRWXO) << 3
    if executable is not None:
        mode &= ~(stat.S_ISUID | stat.S_ISGID)
    if executable is not None and executable != bool(mode & stat.S_IXUSR):
        mode = mode & ~0o111 | ((mode & 0o444) >> 2 | stat.S_IXUSR if executable else 0)
    return mode
