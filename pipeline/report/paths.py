"""Paths as values: how one is shown."""

from pathlib import PurePath


def display_path(path: PurePath, start: PurePath) -> str:
    """Spell a path relative to a folder, also upward, with forward slashes: `../tool.config.json`.

    A folder and the `..` behind it are left out: `sites/north/../../presets` is `presets`.
    """
    parts = _without_detours(path)
    if path.anchor != start.anchor:
        return PurePath(*parts).as_posix()
    shared = 0
    for ours, theirs in zip(parts, start.parts, strict=False):
        if ours != theirs:
            break
        shared += 1
    up = [".."] * (len(start.parts) - shared)
    return PurePath(*up, *parts[shared:]).as_posix()


def _without_detours(path: PurePath) -> list[str]:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts and parts[-1] not in {"..", path.anchor}:
            parts.pop()
        else:
            parts.append(part)
    return parts
