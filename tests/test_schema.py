"""The schema, run alone: what is made from the one table of leaves."""

import json
from itertools import groupby
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest

from pipeline.config.layers import Origin, Settings, make_layer
from pipeline.config.leaf_values import faults
from pipeline.init.declaration import ambient_declaration, declaration
from pipeline.init.json_schema import json_schema
from pipeline.merge import merge
from pipeline.report.source import Source
from pipeline.schema import GROUPS, LEAVES, Leaf
from tests.support.disks import START


def test_the_json_schema_has_every_leaf() -> None:
    """Each leaf is in the JSON Schema with its type, its meaning and its default, and nothing else is."""
    schema = json_schema()
    found = {}
    for key, member in schema["properties"].items():
        inside = member.get("properties")
        found.update({f"{key}.{name}": leaf for name, leaf in inside.items()} if inside else {key: member})
    assert [found[key]["description"] for key in (leaf.path for leaf in LEAVES)] == [
        leaf.description.replace("`", '"') for leaf in LEAVES
    ]
    assert found.keys() == {"schema", "exclude", *(leaf.path for leaf in LEAVES)}
    assert {path: leaf.get("default", "none") for path, leaf in found.items()} == {
        "schema": 1,
        "exclude": "none",
        **{leaf.path: "none" if leaf.path == "presets" else leaf.default for leaf in LEAVES},
    }
    assert [found[leaf.path]["examples"] for leaf in LEAVES] == [
        [leaf.example, ("...", *leaf.example)]
        if isinstance(leaf.example, tuple)
        else [*("none",) * (leaf.path == "theme"), leaf.example]
        for leaf in LEAVES
    ]
    assert found["log.format"]["enum"] == ("text", "json")
    assert found["cache.file"]["minLength"] == 1
    assert {path: leaf["items"]["examples"] for path, leaf in found.items() if leaf["type"] == "array"} == {
        **{leaf.path: ["..."] for leaf in LEAVES if leaf.type == "strings"},
        "presets": ["none", "ci", "..."],
        "exclude": ["..."],
    }


def test_the_json_schema_is_plain_and_in_markdown() -> None:
    """Each key is described twice: in Markdown with its flag and variable, and in words that need no Markdown."""
    theme = json_schema()["properties"]["theme"]
    assert theme["description"].startswith('The theme: "auto" takes the only one in the drop, "none" builds no theme, ')
    assert theme["markdownDescription"] == f"{LEAVES[0].meaning}\n\nFlag `--theme`, variable `TOOL_THEME`."


def test_every_leaf_has_a_flag_and_a_variable() -> None:
    """Each leaf has a flag and a variable of its own, and a meaning."""
    for of in ([leaf.flag for leaf in LEAVES], [leaf.variable for leaf in LEAVES], [leaf.name for leaf in LEAVES]):
        assert len(set(of)) == len(LEAVES)
    assert all(leaf.meaning.endswith(".") for leaf in LEAVES)


def test_every_leaf_has_a_field_in_the_settings() -> None:
    """`Settings` has a field for each leaf, and no other."""
    fields = tuple(field for field in Settings.__struct_fields__ if field not in {"decisions", "notes", "readings"})
    assert fields == tuple(leaf.name for leaf in LEAVES)


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.path)
def test_every_leaf_has_an_example(leaf: Leaf) -> None:
    """The example of a leaf is a value that it takes, not its default, and of the type that `Settings` declares."""
    value = list(leaf.example) if isinstance(leaf.example, tuple) else leaf.example
    assert list(faults(leaf, value)) == []
    assert leaf.example != leaf.default
    layer = make_layer({leaf: Origin("config", Source("c.json"), leaf.example)}, START)
    held = getattr(merge((layer,), START), leaf.name)
    assert msgspec.convert(held, get_type_hints(Settings)[leaf.name]) == held


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.path)
def test_every_leaf_is_explained(leaf: Leaf) -> None:
    """A page that is written by hand, not only the reference, has the leaf."""
    pages = (Path(__file__).parents[1] / "docs").glob("*.md")
    assert any(f"`{leaf.path}`" in page.read_text(encoding="utf-8") for page in pages)


def test_the_leaves_are_grouped() -> None:
    """The leaves of a group stand together, in the order of the groups, and no group is empty."""
    assert tuple(name for name, _ in groupby(leaf.group for leaf in LEAVES)) == tuple(GROUPS)


def test_the_declaration_shows_examples() -> None:
    """The comment on each key of the declaration has the example of its leaf."""
    text = declaration()
    assert [leaf.path for leaf in LEAVES if f"@example {json.dumps(leaf.example)}\n" not in text] == []


def test_the_declaration_as_a_module_and_ambient() -> None:
    """The declaration of the module `tool` is that of the npm package, indented, without `declare`."""
    lines = [line.strip().replace("export declare", "export") for line in declaration().splitlines()]
    ambient = [line.strip() for line in ambient_declaration().splitlines()]
    assert ambient == ['declare module "tool" {', *lines, "}"]
