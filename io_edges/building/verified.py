"""Verified: what is put in place is what was verified, also if a script writes into the staging folder meanwhile."""

import errno
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from io_edges.building.staging import Staging
from io_edges.system.folder import Folder
from io_edges.system.trees import survey
from pipeline.building.journal import Change
from pipeline.building.record import are_alike
from pipeline.building.tree import Tree

_TICK: Final = 0.01
"""The seconds in which two changes of a file may get one time, on a kernel with coarse times."""


@contextmanager
def kept_as_verified(
    changes: Sequence[Change], known: Mapping[str, Tree], project: Folder, staging: Staging
) -> Iterator[None]:
    """Refuse what the block has changed in the staged components, of which files are known. Raises `OSError`.

    Modes and owners may change. What is linked is a file of the user, who may write into it at its place.
    """
    staged = {
        change.slot: survey(staging.folder, change.slot, known[change.path])
        for change in changes
        if change.new is not None
    }
    time.sleep(_TICK)
    yield
    for change in changes:
        for name in _changed(change, staged[change.slot], staging) if change.slot in staged else ():
            if not _is_linked(change, name, project, staging):
                path = f"{staging.folder.path}/{change.slot}/{name}"
                raise OSError(errno.ESTALE, "it was changed after it was verified", path)


def _changed(change: Change, before: Tree, staging: Staging) -> list[str]:
    """The paths in a staged component that are not as they were; only files are read that may be changed."""
    after = survey(staging.folder, change.slot, before).files if staging.folder.lstat(change.slot) else {}
    return [name for name in sorted({*before.files, *after}) if not are_alike(before.files.get(name), after.get(name))]


def _is_linked(change: Change, name: str, project: Folder, staging: Staging) -> bool:
    """Whether a staged file is the one in its place, too."""
    one, other = staging.folder.status(f"{change.slot}/{name}"), project.status(f"{change.path}/{name}")
    return bool(one and other and (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino))
