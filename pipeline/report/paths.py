"""Paths as values: how one is shown."""

from pathlib import PurePath


def display_path(path: PurePath, start: PurePath) -> str:
    """Spell a path relative to a folder, also upward, with forward slashes: `../tool.config.json`."""
    if path.anchor != start.anchor:
        return path.as_posix()
    shared = 0
    for ours, theirs in zip(path.parts, start.parts, strict=False):
        if ours != theirs:
            break
        shared += 1
    up = [".."] * (len(start.parts) - shared)
    return PurePath(*up, *path.parts[shared:]).as_posix()
