"""Validate: check a tree against the schema and make its layer.

Takes a tree in the version 1 shape; gives a layer, or every error of the file at once, each
with its place and the path that the user wrote. In the legacy file an error is a warning
instead, and its setting stays unset; in a list only the wrong items are left out. The rules are
in `docs/configuration.md`.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import UNSET
from returns.result import Failure, Success
from toolz import get_in

from pipeline.config.layers import Assignment, Layer, make_layer
from pipeline.config.other_names import setting_of_key
from pipeline.config.setting_values import faults, type_name
from pipeline.config.tree import KeyPath, Tree, format_path
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.configuration import legacy_key
from pipeline.report.diagnostics.settings import InvalidValue, SchemaError, UnknownKey, not_one_of
from pipeline.report.outcome import Outcome
from pipeline.report.wording import suggest
from pipeline.schema import (
    LIST_LIMIT,
    NOT_IN_PRESETS,
    OBJECTS,
    SETTINGS,
    SHORTHAND,
    TOP_KEYS,
    VERSION,
    Setting,
)

_SHORTHAND_SETTING: Final = next(
    setting for setting in SETTINGS if setting.path == "modules.exclude"
)


def validate(tree: Tree) -> Outcome[Layer]:
    """Make the layer of a file.

    Errors: `UnknownKey`, `InvalidValue`, all of a file at once.
    """
    spoilers = sorted(
        _errors(tree), key=lambda each: (each[1].location.line, each[1].location.column)
    )
    errors = tuple(error for _, error in spoilers)
    if tree.file.kind == "legacy":
        invalid = {path for path, _ in spoilers}
        ignored = [
            legacy_key(each.path, each.location, reason=each.message, advice=each.advice)
            for each in errors
        ]
        if isinstance(tree.data, dict) and SHORTHAND in tree.data and (SHORTHAND,) not in invalid:
            position = tree.position((SHORTHAND,))
            reason = "`modules` beside it cannot be read"
            ignored.append(legacy_key(SHORTHAND, position.key, reason=reason))
        return Success(_layer(tree, invalid, ignored))
    if errors:
        return Failure(errors)
    return Success(_layer(tree, set(), ()))


def _errors(tree: Tree) -> Iterator[tuple[KeyPath, SchemaError]]:
    """Every error of a tree, with the path of the key, setting or item that it spoils."""
    if not isinstance(tree.data, dict):
        yield (), InvalidValue("", tree.position(()).value, "an object", type_name(tree.data))
        return
    yield from _unknown(tree, (), TOP_KEYS)
    yield from _schema(tree)
    for key in OBJECTS:
        if key in tree.data:
            yield from _object(tree, (key,))
    for setting in SETTINGS:
        if (value := _value(tree, setting.keys)) is not UNSET:
            yield from _setting(tree, setting, setting.keys, value)
    if SHORTHAND in tree.data:
        yield from _setting(tree, _SHORTHAND_SETTING, (SHORTHAND,), tree.data[SHORTHAND])


def _unknown(
    tree: Tree, path: KeyPath, known: tuple[str, ...]
) -> Iterator[tuple[KeyPath, SchemaError]]:
    """The keys of one object that the schema does not have there."""
    allowed = known
    if tree.file.layer == "preset" and not path:
        allowed = tuple(name for name in known if name not in NOT_IN_PRESETS)
    for key in _value(tree, path):
        if key not in allowed:
            yield (*path, key), _unknown_key(tree, (*path, key), allowed)


def _unknown_key(tree: Tree, path: KeyPath, allowed: tuple[str, ...]) -> UnknownKey:
    """What to suggest for an unknown key: a setting of that name elsewhere, or a similar key."""
    key = str(path[-1])
    around = path[:-1]
    in_preset = tree.file.layer == "preset"
    setting = setting_of_key(key)
    if setting and in_preset and setting.path in NOT_IN_PRESETS:
        setting = None
    belongs = ""
    names: tuple[str, ...] = ()
    if setting is None:
        names = suggest(key, allowed)
    elif setting.keys[:-1] == around:
        names = (setting.keys[-1],)
    else:
        belongs = setting.path
    position = tree.position(path)
    suggestions = tuple(format_path((*around, name)) for name in names)
    return UnknownKey(format_path(position.written), position.key, suggestions, belongs, in_preset)


def _schema(tree: Tree) -> Iterator[tuple[KeyPath, SchemaError]]:
    value = get_in(("schema",), tree.data, VERSION)
    position = tree.position(("schema",))
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield ("schema",), InvalidValue("schema", position.value, "the number 1", type_name(value))
    elif value != VERSION:
        yield ("schema",), not_one_of((str(VERSION),), "schema", position.value, str(value))


def _object(tree: Tree, path: KeyPath) -> Iterator[tuple[KeyPath, SchemaError]]:
    value = _value(tree, path)
    if isinstance(value, dict):
        yield from _unknown(
            tree, path, tuple(setting.keys[1] for setting in SETTINGS if setting.keys[:-1] == path)
        )
    else:
        position = tree.position(path)
        yield (
            path,
            InvalidValue(
                format_path(position.written), position.value, "an object", type_name(value)
            ),
        )


def _setting(
    tree: Tree, setting: Setting, path: KeyPath, value: object
) -> Iterator[tuple[KeyPath, SchemaError]]:
    most = LIST_LIMIT
    if _is_folded(tree, path):
        most = 2 * LIST_LIMIT
    for within, fault in faults(setting, value, most):
        position = tree.position((*path, *within))
        yield (*path, *within), fault(format_path(position.written), position.value)


def _is_folded(tree: Tree, path: KeyPath) -> bool:
    """Whether a list is longer than a single one may be because two lists of the file are in it."""
    return tree.position((*path, LIST_LIMIT)).written[0] != path[0]


def _value(tree: Tree, path: KeyPath) -> Any:
    """The value at a path of keys; `UNSET` if the tree does not have it."""
    return get_in(path, tree.data, UNSET)


def _layer(tree: Tree, invalid: set[KeyPath], warnings: Iterable[WarningDiagnostic]) -> Layer:
    assignments = {}
    for setting in SETTINGS:
        value = _value(tree, setting.keys)
        if value is UNSET or setting.keys in invalid:
            continue
        if assignment := _assignment(tree, setting, value, invalid):
            assignments[setting] = assignment
    return make_layer(assignments, tree.file.folder, (*tree.warnings, *warnings))


def _assignment(
    tree: Tree, setting: Setting, value: Any, invalid: set[KeyPath]
) -> Assignment | None:
    """How a setting was set, with the place of each item of a list; `None` for a list of which
    every item is spoilt.
    """
    location = tree.position(setting.keys).value
    if not isinstance(value, list):
        return Assignment(tree.file.layer, location, value)
    kept = [index for index in range(len(value)) if (*setting.keys, index) not in invalid]
    if value and not kept:
        return None
    items = tuple(tree.position((*setting.keys, index)).value for index in kept)
    return Assignment(tree.file.layer, location, tuple(value[index] for index in kept), items)
