"""Laws of migrate: the 0.x shape is lifted as a whole, and everything that is not taken over is
reported.
"""

from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import given, settings
from toolz import assoc_in

from pipeline.config.tree import KeyPath, Tree, format_path
from pipeline.migrate import migrate
from pipeline.normalise import normalise
from pipeline.report.outcome import fold
from pipeline.resolve import load
from pipeline.validate import validate
from property_tests.printing import Printed, printings, tree_of, unexpected
from property_tests.strategies import file, flat, json_values, legacy_files, near_configs, spoilt
from tests.support.disks import START, disk_of
from tests.support.sweep import law
from tests.support.trees import legacy_keys

NESTED = ("modules", "hooks", "cache", "log")


def a(kind: type) -> Callable[[Any], Any]:
    """Take a value of a type as it is, unless it is an empty string."""
    return lambda value: value if isinstance(value, kind) and value != "" else None


def some(value: Any) -> Any:
    """Take a list that has an item which is a string and not empty, or no item at all."""
    fits = isinstance(value, list) and (
        not value or any(isinstance(item, str) and item for item in value)
    )
    return value if fits else None


def one_of(*words: str) -> Callable[[Any], Any]:
    """Take one of some words."""
    return lambda value: value if value in words else None


def flag(yes: Any, no: Any) -> Callable[[Any], Any]:
    """Take a boolean as one of two values."""
    return lambda value: (yes if value else no) if isinstance(value, bool) else None


def listed(value: Any) -> Any:
    """Take a string as a list of it, unless it is empty."""
    return [value] if isinstance(value, str) and value else None


MAPPING: dict[str, list[tuple[str, Callable[[Any], Any]]]] = {
    "theme": [("theme", a(str)), ("themeName", a(str)), ("themeArchive", a(str))],
    "modules.include": [("modules", some), ("includeModules", some)],
    "modules.exclude": [("excludeModules", some), ("exclude", some)],
    "modules.only": [("onlyModules", some)],
    "presets": [("preset", listed), ("presets", some)],
    "presetsSearchPath": [("presetsDir", listed), ("presetsDir", some)],
    "hooks.initScriptsDir": [("initScripts", a(str))],
    "hooks.postScriptsDir": [("postScripts", a(str))],
    "hooks.onFailure": [
        ("onFailure", one_of("continue", "fail")),
        ("failOnHookError", flag("fail", "continue")),
    ],
    "cache.file": [("cacheFile", a(str)), ("cache", a(str))],
    "cache.enabled": [("cache", a(bool)), ("noCache", flag(False, True))],
    "log.format": [("logFormat", one_of("text", "json"))],
}
"""What 0.x keys stand for each setting, in order: the table of the design, written again."""


def legacy(printed: Printed) -> Tree:
    """The tree of a dot-file as migrate gets it."""
    return normalise(tree_of(printed.text, "legacy"))


def lifted(data: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Lift a flat file by the table: the version 1 data, and the key that each setting
    was taken from.
    """
    found: dict[str, Any] = {"schema": 1}
    taken: dict[str, str] = {}
    for setting, readings in MAPPING.items():
        for key, reading in readings:
            if setting not in taken and key in data and reading(data[key]) is not None:
                found, taken[setting] = assoc_in(found, setting.split("."), reading(data[key])), key
    return found, taken


@settings(max_examples=law(300))
@given(printings(legacy_files))
def test_migrate_is_total_and_idempotent(pair: tuple[Any, Printed]) -> None:
    """Any JSON in the dot-file can be lifted, and lifting it twice is the same as lifting it
    once.
    """
    tree = legacy(pair[1])
    assert migrate(migrate(tree)) == migrate(tree)


@settings(max_examples=law(300))
@given(printings(legacy_files))
def test_no_key_is_lost_silently(pair: tuple[Any, Printed]) -> None:
    """Each key of the dot-file is either in the output with its value, or in a warning at its
    position.
    """
    tree = legacy(pair[1])
    if not isinstance(tree.data, dict):
        return
    migrated = migrate(tree)
    assert isinstance(migrated.data, dict)
    names = [key for key, _, _ in legacy_keys(migrated.warnings)]
    noted = dict(zip(names, [each.location for each in migrated.warnings], strict=True))
    for key, value in tree.data.items():
        kept = key in migrated.data and repr(migrated.data[key]) == repr(value)
        assert kept or noted.get(key) == tree.position((key,)).key
    assert set(noted) <= set(tree.data)


@settings(max_examples=law(300))
@given(printings(flat))
def test_the_flat_shape_is_lifted_by_the_table(pair: tuple[dict[str, Any], Printed]) -> None:
    """Each setting gets the value of the first key in the table whose value fits, with the position
    of that key, and the move is reported.
    """
    tree = legacy(pair[1])
    data, taken = lifted(pair[0])
    migrated = migrate(tree)
    assert migrated.data == data
    moves = {(key, setting) for key, setting, _ in legacy_keys(migrated.warnings) if setting}
    assert moves == {(key, setting) for setting, key in taken.items() if key != setting}
    for setting, key in taken.items():
        assert migrated.position(tuple(setting.split("."))) == tree.position((key,))


@given(printings(near_configs | flat | json_values))
def test_any_other_file_passes_unchanged(pair: tuple[Any, Printed]) -> None:
    """Migrate changes no file but the dot-file, whatever its shape."""
    tree = tree_of(pair[1].text)
    assert migrate(tree) == tree


@settings(max_examples=law(300))
@given(printings(spoilt()) | printings(legacy_files))
def test_the_dot_file_never_fails_and_tells_what_it_passes_over(pair: tuple[Any, Printed]) -> None:
    """A mistake in the dot-file is never an error: each key either sets its setting or is named in
    a warning.
    """
    tree = migrate(legacy(pair[1]))
    layer = fold(validate(tree), lambda layer: layer, unexpected)
    noted = {key for key, _, reason in legacy_keys(layer.warnings) if reason}
    for path in keys_of(tree.data):
        key = format_path(tree.position(path).written)
        assert format_path(path) in layer.assignments or any(
            each == key or each.startswith(f"{key}[") for each in noted
        )


@settings(max_examples=law(400))
@given(printings(flat | spoilt()))
def test_no_item_is_lost_silently(pair: tuple[dict[str, Any], Printed]) -> None:
    """Each item of a list in the dot-file is either in the layer, with its position, or in a
    warning, never in both.
    """
    text = pair[1].text
    layer = fold(
        load(file("legacy"), disk_of({str(START / ".tool.json"): text})),
        lambda layer: layer,
        unexpected,
    )
    noted = {key for key, _, reason in legacy_keys(layer.warnings) if reason}
    held = [
        (item, (location.line, location.column))
        for assignments in layer.assignments.values()
        for assignment in assignments
        if isinstance(assignment.value, tuple)
        for item, location in zip(assignment.value, assignment.items, strict=True)
    ]
    for path, item in items_of(pair[0]):
        is_held = (item, pair[1].line_column(pair[1].places[path][0])) in held
        is_noted = any(format_path(path[:depth]) in noted for depth in range(1, len(path) + 1))
        is_folded = (
            "exclude" in path and item in layer.assignments["modules.exclude"][0].value
            if not is_noted
            else False
        )
        assert is_held != is_noted or is_folded


def items_of(data: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Each item of a list in an object, or in an object in it."""
    for key, value in data.items():
        if isinstance(value, dict) and not path:
            yield from items_of(value, (key,))
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield (*path, key, index), item


def keys_of(data: Any) -> Iterator[KeyPath]:
    """Each key of a version 1 object, and of the objects in it, but `schema: 1`."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if key in NESTED and isinstance(value, dict):
            yield from ((key, inner) for inner in value)
        elif (key, value) != ("schema", 1):
            yield (key,)
