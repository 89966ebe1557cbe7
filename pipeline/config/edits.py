"""Edits: what a file would hold if someone changed it. `tool explain` tries them in memory; nothing is written.

What stays keeps its position.
"""

from typing import Any

from msgspec.structs import replace
from toolz import dissoc, get_in

from pipeline.config.tree import KeyPath, Position, Tree


def deleted(tree: Tree, path: KeyPath) -> Tree:
    """A file without the value at a path, which is there."""
    positions = {new: position for old, position in tree.positions.items() if (new := _after(old, path)) is not None}
    return replace(tree, data=_without(tree.data, path), positions=positions)


def _after(old: KeyPath, path: KeyPath) -> KeyPath | None:
    """The path of a value after that at another path was deleted; `None` if it was deleted as well."""
    depth = len(path) - 1
    step, gone = old[depth : depth + 1], path[depth]
    if old[:depth] != path[:depth] or not step:
        return old
    if step == (gone,):
        return None
    if isinstance(step[0], int) and isinstance(gone, int) and step[0] > gone:
        return (*path[:depth], step[0] - 1, *old[depth + 1 :])
    return old


def _without(data: Any, path: KeyPath) -> Any:
    step, *rest = path
    if isinstance(step, int):
        return [*data[:step], *data[step + 1 :]]
    return {**data, step: _without(data[step], tuple(rest))} if rest else dissoc(data, step)


def added(tree: Tree, path: KeyPath, item: str) -> Tree:
    """A file with one more item in the list at a path, which is there."""
    position = tree.position(path)
    positions: dict[KeyPath, Position] = {**tree.positions, (*path, len(get_in(path, tree.data))): position}
    return replace(tree, data=_with(tree.data, path, item), positions=positions)


def _with(data: Any, path: KeyPath, item: str) -> Any:
    return {**data, path[0]: _with(data[path[0]], path[1:], item)} if path else [*data, item]
