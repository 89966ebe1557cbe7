"""Calls that the library of Python does not have, and locks (`docs/reliability.md`)."""

import fcntl
from pathlib import Path

from io_edges.system.syscalls import is_locked


def test_asking_for_a_lock_leaves_none(tmp_path: Path) -> None:
    """A file that another process has locked is reported; asking does not lock it."""
    path = tmp_path / "a"
    path.touch()
    with path.open() as ours, path.open() as theirs:
        assert not is_locked(ours.fileno())
        fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert is_locked(ours.fileno())
