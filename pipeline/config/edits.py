"""Edits: what a file would hold if someone changed it. `tool explain` tries them in memory; nothing is written."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from toolz import dissoc, get_in

from pipeline.config.tree import KeyPath, Mark, Tree


class Edit(Struct, frozen=True):
    """One change to a file, given as it is displayed: the value at a path is deleted, or an item added to the list."""

    file: str
    path: KeyPath
    item: str | None = None


def apply_edits(tree: Tree, edits: Iterable[Edit]) -> Tree:
    """Apply the edits of a file, one after the other, to its plain data. What stays keeps its mark.

    Each path is that of a value that is there when it is the edit's turn.
    """
    for edit in edits:
        if edit.file == tree.candidate.display_path:
            tree = _deleted(tree, edit.path) if edit.item is None else _added(tree, edit.path, edit.item)
    return tree


def _deleted(tree: Tree, path: KeyPath) -> Tree:
    marks = {new: mark for old, mark in tree.marks.items() if (new := _after(old, path)) is not None}
    return replace(tree, data=_without(tree.data, path), marks=marks)


def _after(old: KeyPath, deleted: KeyPath) -> KeyPath | None:
    """The path of a value after another was deleted; `None` if it was deleted as well."""
    depth = len(deleted) - 1
    step, gone = old[depth : depth + 1], deleted[depth]
    if old[:depth] != deleted[:depth] or not step:
        return old
    if step == (gone,):
        return None
    if isinstance(step[0], int) and isinstance(gone, int) and step[0] > gone:
        return (*deleted[:depth], step[0] - 1, *old[depth + 1 :])
    return old


def _without(data: Any, path: KeyPath) -> Any:
    step, *rest = path
    if isinstance(step, int):
        return [*data[:step], *data[step + 1 :]]
    return {**data, step: _without(data[step], tuple(rest))} if rest else dissoc(data, step)


def _added(tree: Tree, path: KeyPath, item: str) -> Tree:
    mark = tree.mark(path)
    marks: dict[KeyPath, Mark] = {**tree.marks, (*path, len(get_in(path, tree.data))): mark}
    return replace(tree, data=_with(tree.data, path, item), marks=marks)


def _with(data: Any, path: KeyPath, item: str) -> Any:
    return {**data, path[0]: _with(data[path[0]], path[1:], item)} if path else [*data, item]
