"""Migrate: lift the 0.x shape of the legacy dot-file to version 1.

Takes a tree; gives a tree in the version 1 shape, and a note for each key that moved or was dropped. Any other
file passes unchanged. Total: never fails. Law: migrate(migrate(t)) == migrate(t). The mapping is in
`docs/legacy.md`.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace
from toolz import assoc_in

from pipeline.notes import LegacyDropped, LegacyMoved, Note
from pipeline.schema import is_version_1
from pipeline.tree import Mark, Path, Tree

Reading = Callable[[Any], Any]
"""The version 1 value of a legacy value, or `UNSET` if it is none of this reading."""


class Move(Struct, frozen=True):
    """One legacy key: the leaf that it stands for, and how its value reads."""

    key: str
    leaf: str
    takes: str
    reading: Reading


def _a(kind: type) -> Reading:
    return lambda value: value if isinstance(value, kind) else UNSET


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else UNSET


def _one_of(meanings: dict[bool, Any]) -> Reading:
    return lambda value: meanings[value] if isinstance(value, bool) else UNSET


MOVES: Final = (
    Move("theme", "theme", "a string", _a(str)),
    Move("themeName", "theme", "a string", _a(str)),
    Move("themeArchive", "theme", "a string", _a(str)),
    Move("modules", "modules.include", "a list", _a(list)),
    Move("includeModules", "modules.include", "a list", _a(list)),
    Move("excludeModules", "modules.exclude", "a list", _a(list)),
    Move("exclude", "modules.exclude", "a list", _a(list)),
    Move("onlyModules", "modules.only", "a list", _a(list)),
    Move("preset", "presets", "a string, made a list", _listed),
    Move("presets", "presets", "a list", _a(list)),
    Move("presetsDir", "presetsSearchPath", "a string, made a list", _listed),
    Move("presetsDir", "presetsSearchPath", "a list", _a(list)),
    Move("initScripts", "hooks.initScriptsDir", "a string", _a(str)),
    Move("postScripts", "hooks.postScriptsDir", "a string", _a(str)),
    Move("onFailure", "hooks.onFailure", "a string", _a(str)),
    Move(
        "failOnHookError",
        "hooks.onFailure",
        "`true` for `fail`, `false` for `continue`",
        _one_of({True: "fail", False: "continue"}),
    ),
    Move("cacheFile", "cache.file", "a string", _a(str)),
    Move("cache", "cache.file", "a string", _a(str)),
    Move("cache", "cache.enabled", "a boolean", _a(bool)),
    Move("noCache", "cache.enabled", "a boolean, turned round", _one_of({True: False, False: True})),
    Move("logFormat", "log.format", "a string", _a(str)),
)
"""Every move, in order: where two keys stand for one leaf, the first wins."""


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
    if key == "version":
        return "version 1 has `schema` in its place"
    if not leaves:
        return "it is no key of the 0.x file"
    masked = [f"`{taken[leaf]}` stands for {leaf} already" for leaf in leaves if leaf in taken]
    return masked[0] if masked else "its value is of the wrong type"
