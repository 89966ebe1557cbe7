"""Trees: the folders between a folder and a path below it, and everything below a folder. No link
is followed.
"""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import file_digest
from itertools import accumulate
from typing import Final, Self

from io_edges.system.disks import is_executable
from io_edges.system.folder import READ, Folder
from io_edges.system.syscalls import stat_signature
from pipeline.building.stores.record import DENIED, FileState
from pipeline.building.stores.tree import StatSignature, Tree, without_change_time
from pipeline.values import replace

_UNREAD: Final[int] = getattr(os, "O_PATH", 0)
"""The flag to open a file or folder without permission to read it; only Linux has it."""
NOTHING: Final = Tree()
"""A tree without files, for when none is known."""


def survey(folder: Folder, name: str, known: Tree = NOTHING) -> Tree:
    """Survey all files below the folder `name`. Files are read, except those that are `known`
    and unchanged.

    If nothing has changed, the result is `known` itself, so that comparing them takes no time.
    Files that the user may not read are listed as unread. A running system may remove files
    meanwhile, and make them again.
    """
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            return _survey(folder, name, known)
    return _survey(folder, name, known)


def _survey(folder: Folder, name: str, known: Tree) -> Tree:
    changed = Tree({}, {})
    unchanged = list[str]()
    todo = [name]
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
                changed.files[below] = FileState(kind="other", digest=DENIED)
                continue
            if below and not statuses:
                changed.files[below] = FileState(kind="folder")
            above = f"{below}/".removeprefix("/")
            for each, status in statuses:
                file = above + each
                if stat.S_ISDIR(status.st_mode):
                    todo.append(f"{path}/{each}")
                elif _is_as_known(status, known, file):
                    unchanged.append(file)
                elif found := _state_of(inside, each, status, known, file):
                    changed.files[file], signature = found
                    if signature:
                        changed.signatures[file] = signature
    if not changed.files and len(unchanged) == len(known.files):
        return known  # nearly always: cheaper than to make the same tree, and to compare it
    tree = _part_of(known, unchanged).with_written(changed)
    if tree == known:
        return known
    return tree


def _is_as_known(status: os.stat_result, known: Tree, path: str) -> bool:
    """Whether a stat signature and an executable bit are those that are known of a path
    in the tree.
    """
    if known.signatures.get(path) != stat_signature(status):
        return False
    return known.files[path].executable == is_executable(status)


def _part_of(tree: Tree, names: Sequence[str]) -> Tree:
    """A tree with only some of its files, each of which has a stat signature."""
    files = {name: tree.files[name] for name in names}
    return Tree(files, {name: tree.signatures[name] for name in names})


def state_of(folder: Folder, path: str, known: Tree = NOTHING) -> FileState | None:
    """The state of a file or link below a folder; `None` for a folder or nothing. It is read
    unless `known`.
    """
    parent, _, name = path.rpartition("/")
    try:
        inside = _within(folder, parent)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with inside:
        status = inside.lstat(name)
        if status is None or stat.S_ISDIR(status.st_mode):
            return None
        found = _state_of(inside, name, status, known, path)
    if found is None:
        return None
    return found[0]


def _within(folder: Folder, path: str, *, make: bool = False) -> Folder:
    """Open the folder at a path below another, or that one if the path is empty; with
    `make`, make it.
    """
    if not path:
        return folder.again()
    return folder.inner(path, make=make)


def discard(folder: Folder, name: str) -> None:
    """Remove a file, a link or an empty folder, if it exists."""
    status = folder.lstat(name)
    if status and stat.S_ISDIR(status.st_mode):
        folder.prune(name)
    elif status:
        folder.discard(name)


def remove(folder: Folder, name: str, count: Callable[[], object] = lambda: None) -> None:
    """Remove the folder `name` with everything in it, whatever the modes of folders; call `count`
    for each entry.
    """
    folders: list[str] = []
    for path, inside in walk(folder, name):
        folders.append(path)
        _open_up(inside, ".")
        for each, is_folder in inside.entries():
            if is_folder:
                _open_up(inside, each)
            else:
                inside.discard(each)
            count()
    for inside, last in _upwards(folder, folders):
        with inside.naming_errors(last):
            os.rmdir(last, dir_fd=inside.fd)


def walk(folder: Folder, name: str) -> Iterator[tuple[str, Folder]]:
    """Walk through the folder `name` and those below it, parents first: yield each path and the
    opened folder.
    """
    todo = [name]
    with DirChain(folder) as chain:
        while todo:
            path = todo.pop()
            if inside := chain.found(path):
                yield path, inside
                todo += [f"{path}/{each}" for each, is_folder in inside.entries() if is_folder]


def _upwards(folder: Folder, paths: list[str]) -> Iterator[tuple[Folder, str]]:
    """For each path of a walk, last to first, yield the opened folder above it and
    its name there.
    """
    with DirChain(folder) as chain:
        for path in reversed(paths):
            parent, _, last = path.rpartition("/")
            yield chain.to(parent), last


def _open_up(folder: Folder, name: str) -> None:
    """Give the owner all permissions of a folder that is to be removed, if that works without
    following links.
    """
    status = folder.lstat(name)
    readable = status and status.st_mode & stat.S_IRUSR
    if status and status.st_mode & stat.S_IRWXU != stat.S_IRWXU and (readable or _UNREAD):
        access = os.O_RDONLY if readable else _UNREAD
        with folder.naming_errors(name):
            descriptor = os.open(
                name, access | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder.fd
            )
            try:
                target: int | str = descriptor
                if not readable:
                    target = f"/proc/self/fd/{descriptor}"
                os.chmod(target, stat.S_IRWXU)  # noqa: PTH101
            finally:
                os.close(descriptor)


def _state_of(
    folder: Folder, name: str, status: os.stat_result, known: Tree, path: str
) -> tuple[FileState, StatSignature | None] | None:
    """The state of a file or link in a folder, and a file's stat signature; `None` if it
    has disappeared.

    `path` is its path in `known`. If it has not changed, the state is taken from there, without
    a new object.
    """
    try:
        if stat.S_ISREG(status.st_mode):
            signature = stat_signature(status)
            executable = is_executable(status)
            before = known.signatures.get(path)
            if before == signature:
                signature = before  # the same object, so that comparing states takes less time
            if before is not None and (
                before is signature or before == without_change_time(signature)
            ):
                state = known.files[path]
                if state.executable != executable:
                    state = replace(state, executable=executable)
                return state, signature
            digest = _digest(folder, name)
            if digest == DENIED:
                return FileState(executable=executable, digest=digest), None
            return FileState(executable=executable, digest=digest), signature
        if stat.S_ISLNK(status.st_mode):
            with folder.naming_errors(name):
                return FileState(kind="link", target=os.readlink(name, dir_fd=folder.fd)), None
    except FileNotFoundError:
        if folder.lstat(name):  # some disks report this for an existing file
            raise
        return None
    return FileState(kind="other"), None


def _digest(folder: Folder, name: str) -> str:
    try:
        with (
            folder.naming_errors(name),
            os.fdopen(os.open(name, READ, dir_fd=folder.fd), "rb") as file,
        ):
            return file_digest(file, "sha256").hexdigest()
    except PermissionError:
        return DENIED


_KEPT_OPEN: Final = 32
"""The number of folders on a path that stay open. A process may have 1,024 open files, or fewer."""
_TRIES: Final = 5
"""How often something is read again that a running system removes and makes anew."""


class DirChain:
    """The opened folders from a top folder down to the last requested one; with `make`, missing
    ones are made.

    The next folder is reached from the nearest open one. From the top, a walk would be quadratic
    in the depth.
    """

    def __init__(self, top: Folder, *, make: bool = False) -> None:
        self.top = top
        self.make = make
        self.made: set[str] = set()
        self.opened: list[tuple[str, Folder]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self.opened:
            self.opened.pop()[1].close()

    def to(self, path: str) -> Folder:
        """Open the folder at a path, or the top if the path is empty. The chain closes it."""
        if self.opened and self.opened[-1][0] == path:
            return self.opened[-1][1]
        while self.opened and not f"{path}/".startswith(f"{self.opened[-1][0]}/"):
            self.opened.pop()[1].close()
        at = ""
        folder = self.top
        if self.opened:
            at, folder = self.opened[-1]
        for part in path[len(at) :].split("/"):
            if part:
                at = f"{at}/{part}".removeprefix("/")
                folder = folder.child(part, make=self.make and at not in self.made)
                self.made.add(at)
                self.opened.append((at, folder))
                if len(self.opened) > _KEPT_OPEN:
                    self.opened.pop(0)[1].close()
        return folder

    def found(self, path: str) -> Folder | None:
        """Open the folder at a path; `None` if it is missing, as a running system may remove it."""
        for _ in range(_TRIES):
            with suppress(FileNotFoundError):
                return self.to(path)
            if self.top.status(path) is None:
                return None
            self.__exit__()  # an open folder on the way may be the removed one
        return self.to(path)

    def folder_at(self, path: str) -> Folder | None:
        """Open the folder at a path; `None` if it is missing, or if a file or link is there
        or on the way.
        """
        try:
            return self.found(path)
        except NotADirectoryError:
            return None


def deepest(folder: Folder, path: str) -> Folder:
    """Open the deepest existing folder on a path below another folder, or that one itself."""
    with DirChain(folder) as chain:
        there = folder
        for part in accumulate(path.split("/"), "{}/{}".format):
            there = chain.found(part) or there
        return there.again()


@contextmanager
def above(folder: Folder, path: str, *, make: bool = False) -> Iterator[tuple[Folder, str]]:
    """Yield the opened folder above a path, and the name in it; with `make`, make the folder if
    it is missing.
    """
    parent, _, last = path.rpartition("/")
    with _within(folder, parent, make=make) as inside:
        yield inside, last


def prune_at(folder: Folder, path: str) -> None:
    """Remove the folder at a path below another if it exists and is empty, unless the
    system refuses it.
    """
    with suppress(OSError), above(folder, path) as (inside, name):
        inside.prune(name)
