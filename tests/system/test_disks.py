"""What a disk keeps of a file (`docs/reliability.md`)."""

import os
from pathlib import Path

from io_edges.system.disks import learn_modes
from io_edges.system.folder import Folder


def test_trying_a_disk_leaves_nothing(tmp_path: Path) -> None:
    """The file with which a disk is tried is closed and removed."""
    program = tmp_path / "program"
    program.touch(mode=0o755)
    with Folder.at(str(tmp_path)) as folder:
        before = os.listdir("/dev/fd")  # noqa: PTH208 - as short as it can be
        learn_modes(program.stat(), folder)
        assert os.listdir("/dev/fd") == before  # noqa: PTH208
    assert [*tmp_path.iterdir()] == [program]
