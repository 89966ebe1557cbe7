"""The schema as a JSON Schema (draft 2020-12), for editors and validators (`docs/editors.md`)."""

from collections.abc import Iterable
from typing import Any, Final, assert_never

from toolz import groupby

from pipeline.schema import (
    LEAVES,
    OBJECTS,
    SHORTHAND,
    SHORTHAND_EXAMPLE,
    SHORTHAND_MEANING,
    SPLICE,
    SPLICE_MEANING,
    VERSION,
    VERSION_MEANING,
    Leaf,
)

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a configuration, with a description for every key and a default where there is one."""
    by_key = groupby(lambda leaf: leaf.keys[0], LEAVES)
    version = {"type": "integer", "const": VERSION, "default": VERSION, "description": VERSION_MEANING}
    shorthand = {
        **_list({"type": "string"}),
        "description": f"{SHORTHAND_MEANING} {SPLICE_MEANING}",
        "examples": [SHORTHAND_EXAMPLE],
    }
    members = {key: _object(key, leaves) if key in OBJECTS else _leaf(leaves[0]) for key, leaves in by_key.items()}
    return {
        "$schema": DIALECT,
        "title": "ToolConfig",
        "type": "object",
        "additionalProperties": False,
        "properties": {"schema": version, **members, SHORTHAND: shorthand},
    }


def _object(key: str, leaves: Iterable[Leaf]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "default": {},
        "description": OBJECTS[key],
        "properties": {leaf.keys[1]: _leaf(leaf) for leaf in leaves},
    }


def _leaf(leaf: Leaf) -> dict[str, Any]:
    default = {} if leaf.type == "strings" and isinstance(leaf.default, str) else {"default": leaf.default}
    return {**_type(leaf), **default, "description": leaf.description, "examples": [leaf.example]}


def _type(leaf: Leaf) -> dict[str, Any]:
    match leaf.type:
        case "strings":
            return _list(_text(leaf))
        case "boolean":
            return {"type": "boolean"}
        case "choice":
            return {"type": "string", "enum": leaf.choices}
        case "string":
            return _text(leaf)
        case _:
            assert_never(leaf.type)


def _list(items: dict[str, Any]) -> dict[str, Any]:
    """A list in which `"..."` may be once."""
    return {"type": "array", "items": items, "contains": {"const": SPLICE}, "minContains": 0, "maxContains": 1}


def _text(leaf: Leaf) -> dict[str, Any]:
    return {"type": "string", "minLength": 1} if leaf.paths in {"path", "paths"} else {"type": "string"}
