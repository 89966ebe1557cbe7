"""Migrate: lift the 0.x shape of the legacy dot-file to version 1.

Takes a tree; gives a tree in the version 1 shape, and a note for each key that moved or was dropped. Any other
file passes unchanged. Total: never fails. Law: migrate(migrate(t)) == migrate(t). The mapping is in
`docs/legacy.md`.
"""

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace
from toolz import assoc_in

from pipeline.moves import DROPPED, MOVES, Move
from pipeline.notes import LegacyDropped, LegacyMoved, Note
from pipeline.schema import is_version_1
from pipeline.tree import Mark, Path, Tree


def migrate(tree: Tree) -> Tree:
    """Lift the legacy shape to version 1."""
    if tree.candidate.form != "legacy" or not isinstance(tree.data, dict) or is_version_1(tree.data):
        return tree
    data: dict[str, Any] = {"schema": 1}
    taken: dict[str, str] = {}
    marks: dict[Path, Mark] = {(): tree.mark(())}
    notes: tuple[Note, ...] = ()
    for move, value in _readings(tree.data):
        if move.leaf not in taken:
            path = tuple(move.leaf.split("."))
            data = assoc_in(data, path, value)
            marks.update(_moved(tree, (move.key,), path))
            taken[move.leaf] = move.key
            if move.key != move.leaf:
                notes += (LegacyMoved(move.key, move.leaf, tree.mark((move.key,)).key),)
    return replace(tree, data=data, marks=marks, notes=(*tree.notes, *notes, *_dropped(tree, taken)))


def _readings(data: dict[Any, Any]) -> list[tuple[Move, Any]]:
    found = ((move, move.reading(data[move.key])) for move in MOVES if move.key in data)
    return [(move, value) for move, value in found if value is not UNSET]


def _moved(tree: Tree, old: Path, new: Path) -> dict[Path, Mark]:
    """The marks of a value at its new path; the objects around it are where it is."""
    around = {new[:depth]: tree.mark(old) for depth in range(1, len(new))}
    return {**around, **{(*new, *path[1:]): mark for path, mark in tree.marks.items() if path[:1] == old}}


def _dropped(tree: Tree, taken: dict[str, str]) -> tuple[Note, ...]:
    """A note for each key that gave no value, with the reason."""
    data = tree.data if isinstance(tree.data, dict) else {}
    return tuple(
        LegacyDropped(str(key), _reason(key, taken), tree.mark((key,)).key) for key in data if key not in taken.values()
    )


def _reason(key: Any, taken: dict[str, str]) -> str:
    leaves = dict.fromkeys(move.leaf for move in MOVES if move.key == key)
    if key in DROPPED:
        return f"version 1 has `{DROPPED[key]}` in its place"
    if not leaves:
        return "it is no key of the 0.x file"
    masked = [f"`{taken[leaf]}` stands for {leaf} already" for leaf in leaves if leaf in taken]
    return masked[0] if masked else "its value is of the wrong type"
