"""Folder: an opened folder. Everything below it is reached by its descriptor, so no link on the way is followed.

If a folder is swapped for a link during a run, the result is an error, never a write elsewhere.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import accumulate
from typing import Literal, Self

from msgspec import Struct

from io_edges.system.syscalls import exchange, give_owner, lock, rename_to_new

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""Flags to open a file that may be anything: a link is not followed, and a pipe does not block."""


class Folder(Struct, frozen=True):
    """A folder by its descriptor, with its path for messages. Whatever fails raises `OSError` with the whole path."""

    fd: int
    path: str

    @classmethod
    def at(cls, path: str) -> Self:
        """Open a folder by its path. Only this path may lead through links."""
        return cls(os.open(path, _OPEN), path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the descriptor."""
        with suppress(OSError):
            os.close(self.fd)

    def inner(self, name: str, *, make: bool = False) -> "Folder":
        """Open a folder in this one, by its name or path; with `make`, missing folders on the way are made."""
        folder = Folder(os.dup(self.fd), self.path)
        for part in name.split("/"):
            with folder:
                folder = folder._child(part, make=make)
        return folder

    def _child(self, name: str, *, make: bool) -> "Folder":
        with self.naming_errors(name):
            if make and self.look(name) is None:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o755, dir_fd=self.fd)
            return Folder(os.open(name, _OPEN | os.O_NOFOLLOW, dir_fd=self.fd), f"{self.path}/{name}")

    def look(self, name: str) -> os.stat_result | None:
        """The status of a name in this folder, of the link itself if it is one; `None` if it is missing."""
        with self.naming_errors(name):
            try:
                return os.stat(name, dir_fd=self.fd, follow_symlinks=False)
            except FileNotFoundError:
                return None

    def obstacle(self, path: str) -> tuple[str, Literal["file", "link"]] | None:
        """The first thing on a path below this folder that is not a folder: its path and what it is."""
        for part in accumulate(path.split("/"), "{}/{}".format):
            status = self.look(part)
            if status is None:
                return None
            if not stat.S_ISDIR(status.st_mode):
                return part, "link" if stat.S_ISLNK(status.st_mode) else "file"
        return None

    def read(self, name: str, limit: int) -> bytes | None:
        """The bytes of a file in this folder, at most `limit`; `None` if it is missing."""
        with self.naming_errors(name):
            try:
                with os.fdopen(os.open(name, READ, dir_fd=self.fd), "rb") as file:
                    size = os.fstat(file.fileno()).st_size
                    return file.read(min(limit, size))  # `read` allocates all that it is asked for
            except FileNotFoundError:
                return None

    def create(self, name: str, mode: int = 0o644) -> int:
        """Create a file that must not exist yet, and return its descriptor."""
        with self.naming_errors(name):
            return os.open(name, _NEW, mode, dir_fd=self.fd)

    def link(self, name: str, target: str) -> None:
        """Make a symbolic link."""
        with self.naming_errors(name):
            os.symlink(target, name, dir_fd=self.fd)

    def replace(
        self,
        name: str,
        content: bytes,
        *,
        like: os.stat_result | None = None,
        over: Literal["anything", "nothing"] | bytes = "anything",
    ) -> None:
        """Write a file whole or not at all: write it under another name, sync it, and rename it over what is there.

        It gets mode and owner of the file `like`, as far as the system permits; without one, the mode of a new file and
        the owner of the file that it replaces. `over` is what may be replaced, or the content of the file that may be:
        it raises `FileExistsError` instead of replacing anything else. What killed runs left under such other names is
        removed.
        """
        with self.naming_errors(name):
            self._sweep(name)
            fresh, descriptor = self._beside(name, 0o600 if like else 0o644)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    is_shared = give_owner(descriptor, like or self.look(name))
                    if like:
                        os.fchmod(descriptor, like.st_mode & (0o777 if is_shared else 0o707))
                    file.write(content)
                    file.flush()
                    os.fsync(descriptor)
                    self._rename(fresh, name, over)
            except BaseException:
                with suppress(OSError):
                    self._unlink(fresh)
                raise
        with suppress(OSError):  # the file is in place and whole, which is enough
            os.fsync(self.fd)

    def _to_known(self, name: str, other: str, content: bytes) -> None:
        """Rename a file over one that must have a certain content. Raises `FileExistsError`."""
        if not self._holds(other, content):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        if not exchange(self.fd, name, self.fd, other):
            os.rename(name, other, src_dir_fd=self.fd, dst_dir_fd=self.fd)
        elif self.look(name) is None or self._holds(name, content):  # another run may have removed what was displaced
            self._unlink(name)
        else:
            exchange(self.fd, name, self.fd, other)
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    def _holds(self, name: str, content: bytes) -> bool:
        """Whether a file has a certain content."""
        try:
            return self.read(name, len(content) + 1) == content
        except OSError:  # it is a link, or a folder
            return False

    def _rename(self, name: str, other: str, over: Literal["anything", "nothing"] | bytes) -> None:
        """Rename a file over what may be replaced. Raises `FileExistsError`."""
        if over == "nothing":
            self._to_new(name, other)
        elif isinstance(over, bytes):
            self._to_known(name, other, over)
        else:
            os.rename(name, other, src_dir_fd=self.fd, dst_dir_fd=self.fd)

    def _to_new(self, name: str, new: str) -> None:
        """Rename a file to a name that must be free. Raises `FileExistsError`."""
        if rename_to_new(self.fd, name, new):
            return
        try:
            os.link(name, new, src_dir_fd=self.fd, dst_dir_fd=self.fd)
        except FileExistsError:
            raise
        except OSError:  # this disk can do neither
            os.rename(name, new, src_dir_fd=self.fd, dst_dir_fd=self.fd)
        else:
            self._unlink(name)

    def _beside(self, name: str, mode: int) -> tuple[str, int]:
        """Create a file that will replace another, and lock it so that no other run sweeps it away."""
        while True:
            new = f".{name.lstrip('.')}.{os.urandom(8).hex()}.tool-new"
            descriptor = os.open(new, _NEW, mode, dir_fd=self.fd)
            if lock(descriptor) is not False and os.fstat(descriptor).st_nlink:
                return new, descriptor
            os.close(descriptor)

    def _sweep(self, name: str) -> None:
        """Remove what killed runs left beside a file: files that no process has locked."""
        left = re.compile(rf"\.{re.escape(name.lstrip('.'))}\.[0-9a-f]{{16}}\.tool-new")
        for each, _ in self.entries():
            if left.fullmatch(each):
                with suppress(OSError):
                    descriptor = os.open(each, READ, dir_fd=self.fd)
                    try:
                        if lock(descriptor):
                            self._unlink(each)
                    finally:
                        os.close(descriptor)

    def move(self, name: str, folder: "Folder", new: str) -> None:
        """Rename something in this folder to a name in another."""
        with self.naming_errors(name):
            os.rename(name, new, src_dir_fd=self.fd, dst_dir_fd=folder.fd)

    def discard(self, name: str) -> None:
        """Remove a file or link, if there is one."""
        with self.naming_errors(name):
            self._unlink(name)

    def _unlink(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.fd)

    def exchange(self, name: str, folder: "Folder", other: str) -> bool:
        """Exchange a name in this folder and one in another in one step; `False` if that is not possible."""
        with folder.naming_errors(other):
            return exchange(self.fd, name, folder.fd, other)

    def prune(self, name: str) -> None:
        """Remove a folder in this one if it is empty."""
        with suppress(OSError):
            os.rmdir(name, dir_fd=self.fd)

    def entries(self) -> list[tuple[str, bool]]:
        """The names in this folder, and whether each is a folder and not a link to one."""
        with self.naming_errors("."), os.scandir(self.fd) as found:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]

    @contextmanager
    def naming_errors(self, name: str) -> Iterator[None]:
        """Add to an error of the system the whole path of the name in this folder that it is about."""
        try:
            yield
        except OSError as error:
            whole = error.filename if str(error.filename).startswith("/") else f"{self.path}/{name}"
            raise OSError(error.errno or errno.EIO, error.strerror or str(error), whole) from error
