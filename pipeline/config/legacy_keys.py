"""Legacy keys: what each key of the 0.x file stands for in version 1 (`docs/configuration.md`)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET, Struct

from pipeline.config.tree import Tree
from pipeline.schema import OBJECTS, SETTINGS, SHORTHAND, VERSION


class Conversion(Struct, frozen=True):
    """How a legacy value is read: in words, and its version 1 value; `UNSET` if it cannot
    be converted.
    """

    text: str
    of: Callable[[Any], Any]


class Move(Struct, frozen=True):
    """One legacy key: the setting that it stands for, and how its value is converted."""

    key: str
    setting: str
    conversion: Conversion


def _one_of(text: str, meanings: dict[bool, Any]) -> Conversion:
    def meaning(value: Any) -> Any:
        if isinstance(value, bool):
            return meanings[value]
        return UNSET

    return Conversion(text, meaning)


def _text(value: Any) -> Any:
    if isinstance(value, str) and value:
        return value
    return UNSET


def _list_of_one(value: Any) -> Any:
    if isinstance(value, str) and value:
        return [value]
    return UNSET


def _list(value: Any) -> Any:
    if isinstance(value, list):
        return value
    return UNSET


_TEXT: Final = Conversion("a non-empty string", _text)
_ONE: Final = Conversion("a non-empty string, converted to a list", _list_of_one)
_LIST: Final = Conversion("a list", _list)
_FLAG: Final = _one_of("a boolean", {True: True, False: False})

MOVES: Final = (
    Move("theme", "theme", _TEXT),
    Move("themeName", "theme", _TEXT),
    Move("themeArchive", "theme", _TEXT),
    Move("modules", "modules.include", _LIST),
    Move("includeModules", "modules.include", _LIST),
    Move("excludeModules", "modules.exclude", _LIST),
    Move("exclude", "modules.exclude", _LIST),
    Move("onlyModules", "modules.only", _LIST),
    Move("preset", "presets", _ONE),
    Move("presets", "presets", _LIST),
    Move("presetsDir", "presetsSearchPath", _ONE),
    Move("presetsDir", "presetsSearchPath", _LIST),
    Move("initScripts", "hooks.initScriptsDir", _TEXT),
    Move("postScripts", "hooks.postScriptsDir", _TEXT),
    Move("onFailure", "hooks.onFailure", _TEXT),
    Move(
        "failOnHookError",
        "hooks.onFailure",
        _one_of("`true` for `fail`, `false` for `continue`", {True: "fail", False: "continue"}),
    ),
    Move("cacheFile", "cache.file", _TEXT),
    Move("cache", "cache.file", _TEXT),
    Move("cache", "cache.enabled", _FLAG),
    Move("noCache", "cache.enabled", _one_of("a boolean, negated", {True: False, False: True})),
    Move("logFormat", "log.format", _TEXT),
)
"""Every move, in order: where two keys stand for one setting, the first whose value fits wins."""


DROPPED: Final = {"version": "schema"}
"""Keys without a setting, and what version 1 has instead."""

KEYS: Final = frozenset({*(move.key for move in MOVES), *DROPPED})
"""Every key of the 0.x file."""
_ONLY_0X: Final = KEYS - {SHORTHAND, *(setting.keys[0] for setting in SETTINGS)}


def is_version_1(data: Mapping[Any, Any]) -> bool:
    """Whether data has the version 1 shape, not the flat one of 0.x. `schema` decides, else the
    keys that only one of them has.
    """
    schema = data.get("schema")
    if schema == VERSION and not isinstance(schema, bool):
        return True
    if not _ONLY_0X.isdisjoint(data):
        return False
    return (
        "schema" in data
        or "presetsSearchPath" in data
        or any(isinstance(data.get(key), dict) for key in OBJECTS)
    )


def is_flat(tree: Tree) -> bool:
    """Whether a tree is a legacy file in the flat shape of 0.x."""
    return (
        tree.file.kind == "legacy" and isinstance(tree.data, dict) and not is_version_1(tree.data)
    )


def settings_of_key(key: object) -> tuple[str, ...]:
    """The settings that a legacy key may stand for."""
    return tuple(dict.fromkeys(move.setting for move in MOVES if move.key == key))
