"""Tree: the files of a component on disk, and stat signatures, which show changes without
reading the files.
"""

from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from pipeline.building.stores.record import FileState
from pipeline.values import replace

SECOND: Final = 10**9
"""One second in nanoseconds, the unit of all times here."""
GRAIN: Final = 2 * SECOND
"""The coarsest unit in which a file system stores times: that of FAT."""

StatSignature: TypeAlias = tuple[int, ...]
"""The size of a file in bytes, its times of modification and change in nanoseconds,
and its inode.
"""


class Tree(Struct, frozen=True, omit_defaults=True):
    """Every file, link and empty folder of a component, and the stat signatures of its
    files, by path.
    """

    files: dict[str, FileState] = {}
    signatures: dict[str, StatSignature] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """How another process receives it: all states are encoded at once, which takes less time.

        A decoded state has the very default kind, as only that one is left out of the JSON.
        """
        states = msgspec.msgpack.encode([*self.files.values()])
        return _tree, ([*self.files], states, self.signatures)

    @property
    def linked(self) -> "Tree":
        """The tree of files that may be hard-linked later, without their change times."""
        return replace(
            self,
            signatures={name: without_change_time(each) for name, each in self.signatures.items()},
        )

    def with_written(self, written: "Tree") -> "Tree":
        """The tree with files that were written since."""
        return Tree({**self.files, **written.files}, {**self.signatures, **written.signatures})


def _tree(names: list[str], encoded: bytes, signatures: dict[str, StatSignature]) -> Tree:
    states = msgspec.msgpack.decode(encoded, type=list[FileState])
    return Tree(dict(zip(names, states, strict=True)), signatures)


def without_change_time(signature: StatSignature) -> StatSignature:
    """A stat signature without the change time, which a new hard link to the file
    changes as well.
    """
    return (*signature[:2], *signature[3:])


def shows_changes(signature: StatSignature, now: int) -> bool:
    """Whether a later change will alter this stat signature: not if it is recent and times have
    whole seconds.
    """
    times = signature[1:3]
    return bool(sum(times) % SECOND) or max(times, default=0) + GRAIN <= now
