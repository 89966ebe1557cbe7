"""Paths as values: how paths are displayed."""

from itertools import takewhile
from pathlib import PurePath


def display_path(path: PurePath, start: PurePath) -> str:
    """A path relative to a folder, even upward, with forward slashes and no
    detours: `../tool.config.json`.

    If a `..` may follow a link, resolve the path first (`Disk.plain`): only the disk knows links.
    """
    plain = without_detours(path)
    if path.anchor != start.anchor:
        return plain.as_posix()
    shared = sum(
        1
        for _ in takewhile(
            lambda pair: pair[0] == pair[1], zip(plain.parts, start.parts, strict=False)
        )
    )
    up = [".."] * (len(start.parts) - shared)
    return PurePath(*up, *plain.parts[shared:]).as_posix()


def without_detours(path: PurePath) -> PurePath:
    """Remove each folder together with the `..` after it: `sites/north/../../presets`
    becomes `presets`.

    The result is wrong if a removed folder is a link.
    """
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts and parts[-1] not in {"..", path.anchor}:
            parts.pop()
        else:
            parts.append(part)
    return PurePath(*parts)
