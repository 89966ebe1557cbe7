"""Setting values: whether a plain value is one that a setting takes.

Used for files, presets and variables alike, so that all of them accept the same.
Nothing is coerced: `1` is not a boolean, `true` is not a number, `"a"` is not a
list (`docs/configuration.md`).
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from pipeline.report.diagnostics.settings import (
    InvalidValue,
    SchemaError,
    not_one_of,
    repeated_splice,
)
from pipeline.report.location import Location
from pipeline.report.wording import suggest
from pipeline.schema import LIST_LIMIT, SPLICE, Setting, SettingType, splice_at

Mismatch: TypeAlias = Callable[[str, Location], SchemaError]
"""An error that still lacks its path and location."""

_TYPES: dict[SettingType, tuple[type, str]] = {
    "string": (str, "a string"),
    "strings": (list, "a list of strings"),
    "choice": (str, "a string"),
    "boolean": (bool, "true or false"),
}
_NAMES = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
}


def type_name(value: object) -> str:
    """Name the type of a plain value."""
    if value is None:
        return "null"
    return _NAMES.get(type(value), type(value).__name__)


def faults(
    setting: Setting, value: object, most: int = LIST_LIMIT
) -> Iterator[tuple[tuple[int, ...], Mismatch]]:
    """Each fault of a value, with the index of the item if it is in one. A list may have
    `most` items.
    """
    of, expected = _TYPES[setting.type]
    if not isinstance(value, of):
        yield (), _wrong(expected, type_name(value))
    elif isinstance(value, list) and len(value) > most:
        yield (), _wrong(f"a list of at most {LIST_LIMIT:,} strings", f"one of {len(value):,}")
    elif isinstance(value, list):
        first = splice_at(value)
        for index, item in enumerate(value):
            if not isinstance(item, str):
                yield (index,), _wrong("a string", type_name(item))
            elif item == SPLICE and index > first:
                yield (index,), repeated_splice
            elif not item:
                yield (index,), _empty(setting)
    elif setting.choices and value not in setting.choices:
        suggestions = suggest(str(value), setting.choices)
        yield (
            (),
            lambda path, location: not_one_of(
                setting.choices, path, location, str(value), suggestions
            ),
        )
    elif value == "":
        yield (), _empty(setting)


def _wrong(expected: str, actual: str) -> Mismatch:
    return lambda path, location: InvalidValue(path, location, expected, actual)


def _empty(setting: Setting) -> Mismatch:
    if setting.paths == "no":
        return _wrong("a name or a pattern", "an empty string")
    return _wrong("a path or a name", "an empty string")
