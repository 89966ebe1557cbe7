"""Trees: survey, read and remove everything below a folder of a project. No link is followed."""

import os
import stat
from collections.abc import Iterator
from hashlib import file_digest
from typing import Final, TypeAlias

from io_edges.system.dir_chain import DirChain
from io_edges.system.folder import READ, Folder
from io_edges.system.modes import is_executable
from io_edges.system.stop import despite_removals
from io_edges.system.syscalls import stat_signature
from pipeline.building.stores.record import UNREAD, FileState
from pipeline.building.stores.tree import StatSignature, Tree, without_change_time

_UNREAD: Final[int] = getattr(os, "O_PATH", 0)
"""The flag, on Linux, to open a file or folder without permission to read it."""
NOTHING: Final = Tree()
"""No file is known."""
_Known: TypeAlias = tuple[StatSignature, str] | None
"""The stat signature and the digest of a file that was read."""


@despite_removals
def survey(folder: Folder, name: str, known: Tree = NOTHING) -> Tree:
    """Survey all files below the folder `name`. Files are read, except those that are `known` and unchanged.

    What this user may not read is listed as unread.
    """
    tree, todo = Tree({}, {}), [name]
    with DirChain(folder) as chain:
        while todo:
            path = todo.pop()
            below = path[len(name) + 1 :]
            try:
                if (inside := chain.found(path)) is None:
                    continue
                statuses = inside.statuses()
            except PermissionError:
                if not below:
                    raise
                tree.files[below] = FileState(kind="other", digest=UNREAD)
                continue
            if below and not statuses:
                tree.files[below] = FileState(kind="folder")
            for each, status in statuses:
                file = f"{below}/{each}" if below else each
                if stat.S_ISDIR(status.st_mode):
                    todo.append(f"{path}/{each}")
                elif state := _state_of(inside, each, status, _known(known, file)):
                    tree.files[file], signature = state
                    if signature:
                        tree.signatures[file] = signature
    return tree


def state_of(folder: Folder, path: str, known: Tree = NOTHING) -> FileState | None:
    """The state of a file or link below a folder; `None` if it is a folder or missing. It is read unless `known`."""
    parent, _, name = path.rpartition("/")
    try:
        inside = folder.inner(parent) if parent else folder.again()
    except (FileNotFoundError, NotADirectoryError):
        return None
    with inside:
        state = _state(inside, name, _known(known, path))
    return state[0] if state else None


def discard(folder: Folder, name: str) -> None:
    """Remove a file, a link or an empty folder, if there is one."""
    if state_of(folder, name):
        folder.discard(name)
    else:
        folder.prune(name)


def remove(folder: Folder, name: str) -> None:
    """Remove the folder `name` with everything in it, whatever the modes of folders are."""
    folders: list[str] = []
    for path, inside in walk(folder, name):
        folders.append(path)
        _open_up(inside, ".")
        for each, is_folder in inside.entries():
            (_open_up if is_folder else Folder.discard)(inside, each)
    for inside, last in _upwards(folder, folders):
        with inside.naming_errors(last):
            os.rmdir(last, dir_fd=inside.fd)


def walk(folder: Folder, name: str) -> Iterator[tuple[str, Folder]]:
    """The folder `name` and every folder below it, each before those in it: its path, and the opened folder."""
    todo = [name]
    with DirChain(folder) as chain:
        while todo:
            path = todo.pop()
            if inside := chain.found(path):
                yield path, inside
                todo += [f"{path}/{each}" for each, is_folder in inside.entries() if is_folder]


def _upwards(folder: Folder, paths: list[str]) -> Iterator[tuple[Folder, str]]:
    """For each path of a walk, from the last to the first: the opened folder that it is in, and the name there."""
    with DirChain(folder) as chain:
        for path in reversed(paths):
            parent, _, last = path.rpartition("/")
            yield chain.to(parent), last


def _open_up(folder: Folder, name: str) -> None:
    """Give the owner all rights to a folder that is to be removed, if the system can without following links."""
    status = folder.lstat(name)
    readable = status and status.st_mode & stat.S_IRUSR
    if status and status.st_mode & stat.S_IRWXU != stat.S_IRWXU and (readable or _UNREAD):
        access = os.O_RDONLY if readable else _UNREAD
        with folder.naming_errors(name):
            descriptor = os.open(name, access | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder.fd)
            try:
                os.chmod(descriptor if readable else f"/proc/self/fd/{descriptor}", stat.S_IRWXU)  # noqa: PTH101
            finally:
                os.close(descriptor)


def _state(folder: Folder, name: str, known: _Known) -> tuple[FileState, StatSignature | None] | None:
    """The state of a file or link in a folder, and a file's stat signature; `None` if it is a folder or missing."""
    status = folder.lstat(name)
    return None if status is None or stat.S_ISDIR(status.st_mode) else _state_of(folder, name, status, known)


def _state_of(
    folder: Folder, name: str, status: os.stat_result, known: _Known
) -> tuple[FileState, StatSignature | None] | None:
    try:
        if stat.S_ISREG(status.st_mode):
            signature = stat_signature(status)
            is_known = known and (known[0] == signature or known[0] == without_change_time(signature))
            digest = known[1] if known and is_known else _digest(folder, name)
            return FileState(executable=is_executable(status), digest=digest), signature if digest != UNREAD else None
        if stat.S_ISLNK(status.st_mode):
            with folder.naming_errors(name):
                return FileState(kind="link", target=os.readlink(name, dir_fd=folder.fd)), None
    except FileNotFoundError:
        if folder.lstat(name):  # the disk says so of a file that is there
            raise
        return None
    return FileState(kind="other"), None


def _known(tree: Tree, path: str) -> _Known:
    signature = tree.signatures.get(path)
    return None if signature is None else (signature, tree.files[path].digest)


def _digest(folder: Folder, name: str) -> str:
    try:
        with folder.naming_errors(name), os.fdopen(os.open(name, READ, dir_fd=folder.fd), "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except PermissionError:
        return UNREAD
