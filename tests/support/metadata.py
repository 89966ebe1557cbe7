"""The metadata of files and folders."""

import os
import stat
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

Metadata: TypeAlias = tuple[int, int, int, Mapping[str, bytes]]
"""Mode, owner, group and attributes."""


def access_list(rows: list[tuple[int, ...]]) -> bytes:
    """An access list as the kernel has it: version 2, then tag, permissions and id for each."""
    rest = ((tag, rights, *(who or [0xFFFFFFFF])) for tag, rights, *who in rows)
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *row) for row in rest)


def metadata(path: Path) -> Metadata:
    """Mode, owner, group and attributes."""
    status = path.lstat()
    attributes = (
        {}
        if path.is_symlink()
        else {name: os.getxattr(path, name) for name in sorted(os.listxattr(path))}
    )
    return stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid, attributes
