"""Folder: an opened folder. Everything below it is reached by its descriptor, so that no link
is followed.

If a folder is swapped for a link during a run, the result is an error, never a write elsewhere.
"""

import errno
import os
import stat
from contextlib import ExitStack, suppress
from functools import partial
from itertools import accumulate
from typing import Final, Literal, Self

from msgspec import Struct

from pipeline.building.stores.layout import STAGING

_CHUNK: Final = 1024**2
_CLONE: Final = 0x40049409
"""The request to let files share their blocks on Linux; other systems refuse it."""
_STAGING: Final = f"/{STAGING}"
_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
"""Flags to create a file that must not exist yet."""
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""Flags to open a file that may be anything: a link is not followed, and a pipe does not block."""

FRESH: Final = r"\.[0-9a-f]{16}\.tool-new"
"""The pattern of the names that `fresh_name` returns. A killed run may leave such files."""


class Folder(Struct, frozen=True):
    """A folder by its descriptor, with its path for messages. Whatever fails raises `OSError` with
    the whole path.

    A method that takes a `name` refuses anything but one name in this folder, with `EINVAL`. A
    method that takes a `path` follows no link on the way.
    """

    fd: int
    path: str

    @classmethod
    def at(cls, path: str) -> Self:
        """Open a folder by its path, which is the only one that may lead through links."""
        return cls(os.open(path, _OPEN), path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the descriptor."""
        with suppress(OSError):
            os.close(self.fd)

    def again(self) -> "Folder":
        """Open this folder a second time."""
        return Folder(os.dup(self.fd), self.path)

    def inner(self, path: str, *, make: bool = False) -> "Folder":
        """Open a folder below this one, by its path; with `make`, make the missing folders
        of the path.
        """
        first, *rest = path.split("/")
        folder = self.child(first, make=make)
        for part in rest:
            with folder:
                folder = folder.child(part, make=make)
        return folder

    def child(self, name: str, *, make: bool = False) -> "Folder":
        """Open a folder in this one; with `make`, make it if it is missing."""
        with self.naming_errors(name):
            is_made = False
            if make and self.lstat(name) is None:
                with suppress(FileExistsError):
                    os.mkdir(name, self.rights(is_folder=True)[-1], dir_fd=self.fd)
                    is_made = True
            folder = Folder(
                os.open(name, _OPEN | os.O_NOFOLLOW, dir_fd=self.fd), f"{self.path}/{name}"
            )
        if is_made:
            self.give_rights(folder.fd)
        return folder

    def lstat(self, name: str) -> os.stat_result | None:
        """The status of a name in this folder, for a link that of the link itself; `None` if
        it is missing.
        """
        with self.naming_errors(name):
            try:
                return os.stat(name, dir_fd=self.fd, follow_symlinks=False)
            except FileNotFoundError:
                return None

    def status(self, path: str) -> os.stat_result | None:
        """The status of a path below this folder; `None` if it or a folder on the way is missing.

        A file on the way counts as a missing folder, but a link on the way raises `OSError`.
        """
        above, _, name = path.rpartition("/")
        if not above:
            return self.lstat(name)
        try:
            folder = self.inner(above)
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            if (obstacle := self.obstacle(above)) and obstacle[1] == "link":
                raise
            return None
        with folder:
            return folder.lstat(name)

    def obstacle(self, path: str) -> tuple[str, Literal["file", "link"]] | None:
        """The first file or link on a path below this folder: its path and kind."""
        with ExitStack() as stack:
            folder = self
            for part in accumulate(path.split("/"), "{}/{}".format):
                name = part.rpartition("/")[2]
                status = folder.lstat(name)
                if status is None:
                    return None
                if stat.S_ISLNK(status.st_mode):
                    return part, "link"
                if not stat.S_ISDIR(status.st_mode):
                    return part, "file"
                if part != path:
                    folder = stack.enter_context(folder.inner(name))
        return None

    def read(self, name: str, limit: int) -> bytes | None:
        """The bytes of a file in this folder, at most `limit`; `None` if it is missing."""
        with self.naming_errors(name):
            try:
                with os.fdopen(os.open(name, READ, dir_fd=self.fd), "rb") as file:
                    size = os.fstat(file.fileno()).st_size
                    # `read` allocates as much as it is asked for.
                    return file.read(min(limit, size))
            except FileNotFoundError:
                return None

    def create(self, name: str) -> int:
        """Create a file that must not exist yet, and return its descriptor."""
        with self.naming_errors(name):
            return os.open(name, NEW, 0o644, dir_fd=self.fd)

    def rights(self, *, is_folder: bool = False, executable: bool = False) -> tuple[int, int, int]:
        """The owner, the group and the mode of new files and folders in this one: its own.

        New ones are never writable by everybody, and files get execute permission only
        if `executable`.
        """
        own = os.fstat(self.fd)
        mode = own.st_mode & 0o664 | 0o600
        if is_folder:
            mode = own.st_mode & 0o2775 | stat.S_IRWXU
        if executable:
            mode = executable_mode(mode)
        return own.st_uid, own.st_gid, mode

    def give_rights(self, descriptor: int, *, executable: bool = False) -> None:
        """Give a new file or folder its `rights` in this folder, as far as the process may,
        whatever the umask.

        If it cannot get the group, its group gets only the permissions that everybody has.
        """
        with suppress(OSError):
            new = os.fstat(descriptor)
            owner, group, mode = self.rights(
                is_folder=stat.S_ISDIR(new.st_mode), executable=executable
            )
            if not give_owner(descriptor, owner, group):
                mode = without_group(mode)
            os.fchmod(descriptor, mode)

    def link(self, name: str, target: str) -> None:
        """Make a symbolic link, with the owner and group of this folder as far as the
        process may.
        """
        with self.naming_errors(name):
            os.symlink(target, name, dir_fd=self.fd)
        self.give_link(name, os.fstat(self.fd))

    def give_link(self, name: str, like: os.stat_result) -> None:
        """Give a link the owner and group of `like`, as far as the process may."""
        for uid, gid in ((-1, like.st_gid), (like.st_uid, -1)):
            with suppress(OSError):
                os.chown(name, uid, gid, dir_fd=self.fd, follow_symlinks=False)

    def move(self, name: str, folder: "Folder", new: str) -> None:
        """Move a name in this folder to another folder. An error names the one of the two
        that users know.
        """
        naming_errors = folder.naming_errors(new)
        if folder.path.endswith(_STAGING):
            naming_errors = self.naming_errors(name)
        with naming_errors:
            os.rename(one_name(name), one_name(new), src_dir_fd=self.fd, dst_dir_fd=folder.fd)

    def make(self, name: str) -> None:
        """Make a folder that only its owner may use until it gets its rights."""
        with self.naming_errors(name):
            os.mkdir(name, 0o700, dir_fd=self.fd)

    def discard(self, name: str) -> None:
        """Remove a file or link, if there is one."""
        with self.naming_errors(name):
            try:
                os.unlink(name, dir_fd=self.fd)
            except FileNotFoundError:
                if self.status(name):  # some disks report this for an existing file
                    raise

    def prune(self, name: str) -> None:
        """Remove a folder in this one if it is empty."""
        with suppress(OSError):
            os.rmdir(one_name(name), dir_fd=self.fd)

    def entries(self) -> list[tuple[str, bool]]:
        """The names in this folder, and whether each is a folder, not a link to one."""
        with self.naming_errors("."), os.scandir(self.fd) as found:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]

    def statuses(self) -> list[tuple[str, os.stat_result]]:
        """The names in this folder with their statuses, for a link that of the link itself."""
        with self.naming_errors("."), os.scandir(self.fd) as scanned:
            entries = list(scanned)
        try:
            return [(entry.name, entry.stat(follow_symlinks=False)) for entry in entries]
        except OSError:  # one is gone or unreadable; `lstat` names its path
            found = ((entry.name, self.lstat(entry.name)) for entry in entries)
            return [(name, status) for name, status in found if status]

    def naming_errors(self, name: str) -> "_NamingErrors":
        """A context manager that adds the whole path of a name in this folder to errors
        of the system.
        """
        return _NamingErrors(self, name)

    def error_at(self, name: str, error: OSError) -> OSError:
        """An error of the system with the whole path of the name in this folder."""
        path = error.filename
        if not str(path).startswith("/"):
            path = f"{self.path}/{name}"
        return OSError(error.errno or errno.EIO, error.strerror or str(error), path)


class _NamingErrors:
    """The context manager of `naming_errors`: a class, because a generator for every file
    would cost more.
    """

    def __init__(self, folder: Folder, name: str) -> None:
        self.folder = folder
        self.name = name

    def __enter__(self) -> None:
        try:
            one_name(self.name)
        except OSError as error:
            self.__exit__(None, error)

    def __exit__(self, _kind: object, error: BaseException | None, *_: object) -> None:
        if isinstance(error, OSError):
            raise self.folder.error_at(self.name, error) from error


def give_owner(descriptor: int, uid: int, gid: int) -> bool:
    """Give a file or folder an owner and a group, as far as the process may; return whether it
    has the group.
    """
    own = os.fstat(descriptor)
    for owner, group in ((-1, gid), (uid, -1)):
        if owner not in {-1, own.st_uid} or group not in {-1, own.st_gid}:
            with suppress(OSError):
                os.fchown(descriptor, owner, group)
    return os.fstat(descriptor).st_gid == gid


def executable_mode(mode: int) -> int:
    """A mode in which whoever may read may execute."""
    return mode | (mode & 0o444) >> 2


def without_group(mode: int) -> int:
    """A mode with only those permissions for the group that everybody has."""
    return mode & ~(stat.S_ISGID | stat.S_IRWXG) | (mode & stat.S_IRWXO) << 3


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of the data to a file."""
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, memoryview(data)[written:])


def copy_content(source: int, target: int) -> None:
    """Copy a file to a new one, which shares its blocks if the disk supports that."""
    import fcntl  # only on POSIX systems

    try:
        fcntl.ioctl(target, _CLONE, source)
    except OSError:
        for chunk in iter(partial(os.read, source, _CHUNK), b""):
            write_all(target, chunk)


def one_name(name: str) -> str:
    """Return a name unchanged; raise `OSError` unless it is one name in a folder, or `.`."""
    if name in {"", ".."} or "/" in name or "\0" in name:
        raise OSError(errno.EINVAL, "not a name in a folder", name)
    return name


def fresh_name() -> str:
    """A unique name for a new file that will be renamed."""
    return f".{os.urandom(8).hex()}.tool-new"
