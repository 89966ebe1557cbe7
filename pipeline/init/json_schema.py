"""JSON Schema: the schema in draft-07, for editors and validators (`docs/configuration.md`)."""

from collections.abc import Iterable
from typing import Any, Final

from toolz import groupby

from pipeline import schema
from pipeline.schema import Setting, Value

DIALECT: Final = "http://json-schema.org/draft-07/schema#"
"""The newest draft that editors support in full."""

ID: Final = f"https://json.schemastore.org/tool-{schema.VERSION}.json"
"""The name of the schema in editors' catalogues; its number is that of the key `schema`."""

_MEANING: Final = (
    "The configuration of tool, which builds a project from dropped archives. Every "
    "key is optional."
)
_TEXT: Final = {"type": "string", "minLength": 1}
_VALUES: Final = {"theme": (schema.NONE,)}
_ELEMENTS: Final = {"presets": tuple(schema.BUNDLED)}
"""Strings with a meaning of their own, which editors offer although other strings are valid."""


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a configuration: every key with its meaning, an example, and its default
    if it has one.
    """
    by_key = groupby(lambda setting: setting.keys[0], schema.SETTINGS)
    number = {"type": "number", "const": schema.VERSION, "default": schema.VERSION}
    version = {**number, **_described(schema.VERSION_MEANING)}
    shorthand = {
        **_list(),
        **_described(f"{schema.SHORTHAND_MEANING} {schema.SPLICE_MEANING}"),
        "examples": _examples(schema.SHORTHAND_EXAMPLE),
    }
    members = {key: _member(key, group) for key, group in by_key.items()}
    return {
        "$schema": DIALECT,
        "$id": ID,
        "title": "ToolConfig",
        **_described(_MEANING),
        "type": "object",
        "additionalProperties": False,
        "properties": {"schema": version, **members, schema.SHORTHAND: shorthand},
    }


def _member(key: str, settings: list[Setting]) -> dict[str, Any]:
    """The schema of a key at the top: an object of settings, or a setting."""
    if key in schema.OBJECTS:
        return _object(key, settings)
    return _setting(settings[0])


def _object(key: str, settings: Iterable[Setting]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "default": {},
        **_described(schema.OBJECTS[key]),
        "properties": {setting.keys[1]: _setting(setting) for setting in settings},
    }


def _setting(setting: Setting) -> dict[str, Any]:
    return {
        **_type(setting),
        **setting.written_default,
        **_described(setting.description, f"Flag `{setting.flag}`, variable `{setting.variable}`."),
        "examples": [*_VALUES.get(setting.path, ()), *_examples(setting.example)],
    }


def _examples(value: Value) -> list[Value]:
    """A value alone and, for a list, the value added to the lists of lower layers."""
    if not isinstance(value, tuple):
        return [value]
    return [value, (schema.SPLICE, *value)]


def _described(text: str, more: str = "") -> dict[str, str]:
    """A description in plain text, which every editor shows; strict validators refuse the keyword
    of one editor.
    """
    return {"description": f"{text} {more}".rstrip().replace("`", '"')}


def _type(setting: Setting) -> dict[str, Any]:
    return {
        "strings": _list(_ELEMENTS.get(setting.path, ())),
        "boolean": {"type": "boolean"},
        "choice": {"type": "string", "enum": setting.choices},
        "string": _TEXT,
    }[setting.type]


def _list(values: Iterable[str] = ()) -> dict[str, Any]:
    element = {**_TEXT, **_described(schema.SPLICE_MEANING), "examples": [*values, schema.SPLICE]}
    return {"type": "array", "maxItems": schema.LIST_LIMIT, "items": element}
