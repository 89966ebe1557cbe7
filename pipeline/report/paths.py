"""Paths as values: how one is shown."""

from itertools import takewhile
from pathlib import PurePath


def display_path(path: PurePath, start: PurePath) -> str:
    """Spell a path without detours, relative to a folder, also upward, with forward slashes: `../tool.config.json`.

    A path that may have a `..` behind a link is to be made plain before (`Disk.plain`), as only the disk knows links.
    """
    plain = without_detours(path)
    if path.anchor != start.anchor:
        return plain.as_posix()
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(plain.parts, start.parts, strict=False)))
    up = [".."] * (len(start.parts) - shared)
    return PurePath(*up, *plain.parts[shared:]).as_posix()


def without_detours(path: PurePath) -> PurePath:
    """Leave out each folder with a `..` behind it: `sites/north/../../presets` is `presets`, unless a link is in it."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts and parts[-1] not in {"..", path.anchor}:
            parts.pop()
        else:
            parts.append(part)
    return PurePath(*parts)
