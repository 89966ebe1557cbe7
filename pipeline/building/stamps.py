"""Stamps: what shows, without reading it, whether a file was changed since it was read."""

from collections.abc import Mapping
from typing import Final, TypeAlias

SECOND: Final = 10**9
"""In nanoseconds, as all times here."""
GRAIN: Final = 2 * SECOND
"""The coarsest unit in which a disk keeps the times of files: that of FAT."""

Stamp: TypeAlias = tuple[int, ...]
"""The size of a file in bytes, two times in nanoseconds, and its inode."""
KnownFiles: TypeAlias = Mapping[str, tuple[Stamp, str]]
"""Files that were read, by their paths: their stamps and digests."""


def shows_changes(stamp: Stamp, now: int) -> bool:
    """Whether a change of a file from `now` on shows in its stamp; soon after another, it may not in whole seconds."""
    times = stamp[1:3]
    return bool(sum(times) % SECOND) or max(times, default=0) + GRAIN <= now


def dependable(files: KnownFiles, now: int) -> KnownFiles:
    """Files with the stamps that show their changes from `now` on; the others have none, so that they are read."""
    return {name: (stamp if shows_changes(stamp, now) else (), digest) for name, (stamp, digest) in files.items()}
