"""Trees: survey, read and remove everything below a folder of a project. No link is followed."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path

from io_edges.system.folder import READ, Folder
from pipeline.building.record import FileState


def survey(folder: Folder, name: str, *, read: bool = False) -> dict[str, FileState]:
    """Every file and link below the folder `name`, by its path there; with `read`, the digests of files, too."""
    found: dict[str, FileState] = {}
    for path, inside in _walk(folder, name):
        below = path[len(name) + 1 :]
        for each, is_folder in inside.entries():
            if not is_folder and (state := _state(inside, each, read=read)):
                found[f"{below}/{each}" if below else each] = state
    return found


def empty(folder: Folder) -> None:
    """Remove everything in an opened folder."""
    for each, is_folder in folder.entries():
        if is_folder:
            remove(folder, each)
        else:
            folder.discard(each)


def remove(folder: Folder, name: str) -> None:
    """Remove the folder `name` with everything in it, whatever the modes of folders are."""
    folders: list[str] = []
    for path, inside in _walk(folder, name):
        _open_up(inside, ".")
        for each, is_folder in inside.entries():
            if is_folder:
                _open_up(inside, each)
            else:
                inside.discard(each)
        folders.append(path)
    for path in reversed(folders):
        with _above(folder, path) as (inside, last), inside.naming_errors(last):
            os.rmdir(last, dir_fd=inside.fd)


def remove_empty(folder: Folder, name: str) -> None:
    """Remove the folder `name` and those below it, except folders with files in or below them."""
    for path in reversed([path for path, _ in _walk(folder, name)]):
        with _above(folder, path) as (inside, last):
            inside.prune(last)


def file_state(status: os.stat_result, digest: str) -> FileState:
    """The state of a regular file."""
    return FileState(
        size=status.st_size, mtime=status.st_mtime_ns, executable=bool(status.st_mode & 0o100), digest=digest
    )


def _walk(folder: Folder, name: str) -> Iterator[tuple[str, Folder]]:
    """The folder `name` and every folder below it, each before those in it: its path, and the opened folder."""
    todo = [name]
    while todo:
        path = todo.pop()
        with folder.inner(path) as inside:
            yield path, inside
            todo += [f"{path}/{each}" for each, is_folder in inside.entries() if is_folder]


@contextmanager
def _above(folder: Folder, path: str) -> Iterator[tuple[Folder, str]]:
    """The opened folder that a path is in, and the name there."""
    above, _, last = path.rpartition("/")
    with folder.inner(above) if above else Folder(os.dup(folder.fd), folder.path) as inside:
        yield inside, last


def _open_up(folder: Folder, name: str) -> None:
    """Give the owner all rights to a folder that is to be removed, if the system can without following links."""
    status = folder.look(name)
    if status and status.st_mode & stat.S_IRWXU != stat.S_IRWXU and hasattr(os, "O_PATH"):
        with folder.naming_errors(name):
            descriptor = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder.fd)
            try:
                Path(f"/proc/self/fd/{descriptor}").chmod(stat.S_IRWXU)
            finally:
                os.close(descriptor)


def _state(folder: Folder, name: str, *, read: bool) -> FileState | None:
    """The state of a file or link in a folder; `None` if it is a folder or missing."""
    status = folder.look(name)
    if status is None or stat.S_ISDIR(status.st_mode):
        return None
    with folder.naming_errors(name):
        if stat.S_ISLNK(status.st_mode):
            return FileState(kind="link", target=os.readlink(name, dir_fd=folder.fd))
        if not stat.S_ISREG(status.st_mode):
            return FileState(kind="other")
        return file_state(status, _digest(folder, name) if read else "")


def _digest(folder: Folder, name: str) -> str:
    with os.fdopen(os.open(name, READ, dir_fd=folder.fd), "rb") as file:
        return file_digest(file, "sha256").hexdigest()
