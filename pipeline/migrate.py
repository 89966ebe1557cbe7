"""Migrate: lift the 0.x shape of the legacy dot-file to version 1.

Takes a tree; gives a tree in the version 1 shape, and a warning for each key that moved or was
dropped. A value that no setting accepts is dropped; for a list, one item that fits is enough. Any
other file passes unchanged. Total: never fails. Law: migrate(migrate(t)) == migrate(t). The mapping
is in `docs/configuration.md`.
"""

from collections.abc import Iterable
from typing import Any

from toolz import assoc_in

from pipeline.config.legacy_keys import DROPPED, MOVES, is_flat, settings_of_key
from pipeline.config.setting_values import faults
from pipeline.config.tree import KeyPath, Position, Tree
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.configuration import legacy_key
from pipeline.schema import SETTINGS
from pipeline.values import replace


def migrate(tree: Tree) -> Tree:
    """Lift the legacy shape to version 1."""
    if not isinstance(tree.data, dict) or not is_flat(tree):
        return tree
    data: dict[str, Any] = {"schema": 1}
    key_of: dict[str, str] = {}
    positions: dict[KeyPath, Position] = {(): tree.position(())}
    warnings: tuple[WarningDiagnostic, ...] = ()
    values = (
        (move, move.conversion.of(tree.data[move.key])) for move in MOVES if move.key in tree.data
    )
    applicable = [(move, value) for move, value in values if _fits(move.setting, value)]
    for move, value in applicable:
        if move.setting not in key_of:
            path = tuple(move.setting.split("."))
            data = assoc_in(data, path, value)
            positions.update(_moved(tree, (move.key,), path))
            key_of[move.setting] = move.key
            if move.key != move.setting:
                warnings += (legacy_key(move.key, tree.position((move.key,)).key, move.setting),)
    masked = {move.key: move.setting for move, _ in applicable}
    dropped = (key for key in tree.data if key not in key_of.values())
    return replace(
        tree,
        data=data,
        positions=positions,
        warnings=(*tree.warnings, *warnings, *_dropped(tree, dropped, key_of, masked)),
    )


def _fits(path: str, value: Any) -> bool:
    """Whether a setting accepts a value, which may be `UNSET`, or at least some of its items."""
    wrong = {
        within
        for setting in SETTINGS
        if setting.path == path
        for within, _ in faults(setting, value)
    }
    return not wrong or (isinstance(value, list) and len(wrong) < len(value))


def _moved(tree: Tree, old: KeyPath, new: KeyPath) -> dict[KeyPath, Position]:
    """The positions of a value at its new path. The objects around it get its position."""
    around = {new[:depth]: tree.position(old) for depth in range(1, len(new))}
    return {
        **around,
        **{
            (*new, *path[1:]): position
            for path, position in tree.positions.items()
            if path[:1] == old
        },
    }


def _dropped(
    tree: Tree, keys: Iterable[Any], key_of: dict[str, str], masked: dict[str, str]
) -> tuple[WarningDiagnostic, ...]:
    """A warning for each key that was not migrated, with the reason."""

    def reason(key: Any) -> str:
        if key in DROPPED:
            return f"version 1 has `{DROPPED[key]}` in its place"
        if key in masked:
            return f"`{key_of[masked[key]]}` stands for {masked[key]} already"
        if settings := settings_of_key(key):
            return f"its value does not fit {' or '.join(settings)}"
        return "it is not a key of the 0.x file"

    return tuple(
        legacy_key(str(key), tree.position((key,)).key, reason=reason(key)) for key in keys
    )
