"""Dir chain: the folders between one folder and a path below it, opened one by one. No link is followed."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import accumulate
from typing import Final, Self

from io_edges.system.folder import Folder

_KEPT_OPEN: Final = 32
"""So many folders on the way to the deepest stay open; a process may have 1,024 files open, or fewer."""
_TRIES: Final = 5
"""How often a folder is opened that a running system removes and makes again."""


class DirChain:
    """Folders below one, opened on the way to the last that was asked for; with `make`, missing ones are made.

    The next is reached from the nearest of them: from the top, a walk would take the square of the depth.
    """

    def __init__(self, top: Folder, *, make: bool = False) -> None:
        self.top, self.make = top, make
        self.made: set[str] = set()
        self.opened: list[tuple[str, Folder]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self.opened:
            self.opened.pop()[1].close()

    def to(self, path: str) -> Folder:
        """Open the folder at a path; an empty path is the top. It is closed later on."""
        while self.opened and not f"{path}/".startswith(f"{self.opened[-1][0]}/"):
            self.opened.pop()[1].close()
        at, folder = self.opened[-1] if self.opened else ("", self.top)
        for part in path[len(at) :].split("/"):
            if part:
                at = f"{at}/{part}" if at else part
                folder = folder.child(part, make=self.make and at not in self.made)
                self.made.add(at)
                self.opened.append((at, folder))
                if len(self.opened) > _KEPT_OPEN:
                    self.opened.pop(0)[1].close()
        return folder

    def found(self, path: str) -> Folder | None:
        """As `to`; `None` if the folder is missing, since a running system may remove any."""
        for _ in range(_TRIES):
            with suppress(FileNotFoundError):
                return self.to(path)
            if self.top.status(path) is None:
                return None
            self.__exit__()  # what is open on the way may be what has gone
        return self.to(path)

    def folder_at(self, path: str) -> Folder | None:
        """As `found`; `None` also if a file or link is there, or on the way."""
        try:
            return self.found(path)
        except NotADirectoryError:
            return None


def deepest(folder: Folder, path: str) -> Folder:
    """Open the deepest folder that is there of those on a path below another; an empty path is that one."""
    with DirChain(folder) as chain:
        there = folder
        for part in accumulate(path.split("/"), "{}/{}".format):
            there = chain.found(part) or there
        return there.again()


@contextmanager
def above(folder: Folder, path: str, *, make: bool = False) -> Iterator[tuple[Folder, str]]:
    """The opened folder that a path is in, made if it is missing and is to be made, and the name there."""
    parent, _, last = path.rpartition("/")
    with folder.inner(parent, make=make) if parent else folder.again() as inside:
        yield inside, last


def prune_at(folder: Folder, path: str) -> None:
    """Remove the folder at a path below another, if it is there and empty, and the system does not refuse it."""
    with suppress(OSError), above(folder, path) as (inside, name):
        inside.prune(name)
