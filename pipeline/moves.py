"""Moves: what each key of the 0.x file stands for in version 1 (`docs/legacy.md`)."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec import UNSET, Struct

Reading: TypeAlias = Callable[[Any], Any]
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


DROPPED: Final = {"version": "schema"}
"""Keys without a leaf, and what version 1 has in their place."""


def new_name(key: str) -> str | None:
    """What version 1 has for a key that only the 0.x file had."""
    return DROPPED.get(key) or next((move.leaf for move in MOVES if move.key == key), None)
