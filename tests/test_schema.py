"""The schema, run alone: everything that is made from the one table of settings."""

import json
from itertools import groupby
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest

from pipeline.config.layers import Assignment, Settings, make_layer
from pipeline.config.setting_values import faults
from pipeline.init.declaration import ambient_declaration, declaration
from pipeline.init.json_schema import json_schema
from pipeline.merge import merge
from pipeline.report.location import Location
from pipeline.schema import GROUPS, SETTINGS, Setting, settings_named
from tests.support.disks import START


def test_the_json_schema_has_every_setting() -> None:
    """Each setting is in the JSON Schema with its type, its meaning and its default, and
    nothing else is.
    """
    schema = json_schema()
    found = {}
    for key, member in schema["properties"].items():
        inside = member.get("properties")
        found.update(
            {f"{key}.{name}": setting for name, setting in inside.items()}
            if inside
            else {key: member}
        )
    assert [found[key]["description"] for key in (setting.path for setting in SETTINGS)] == [
        f"{setting.description} Flag `{setting.flag}`, variable `{setting.variable}`.".replace(
            "`", '"'
        )
        for setting in SETTINGS
    ]
    assert found.keys() == {"schema", "exclude", *(setting.path for setting in SETTINGS)}
    assert {path: setting.get("default", "none") for path, setting in found.items()} == {
        "schema": 1,
        "exclude": "none",
        **{
            setting.path: "none" if setting.path == "presets" else setting.default
            for setting in SETTINGS
        },
    }
    assert [found[setting.path]["examples"] for setting in SETTINGS] == [
        [setting.example, ("...", *setting.example)]
        if isinstance(setting.example, tuple)
        else [*("none",) * (setting.path == "theme"), setting.example]
        for setting in SETTINGS
    ]
    assert found["log.format"]["enum"] == ("text", "json")
    assert found["cache.file"]["minLength"] == 1
    assert {
        path: setting["items"]["examples"]
        for path, setting in found.items()
        if setting["type"] == "array"
    } == {
        **{setting.path: ["..."] for setting in SETTINGS if setting.type == "strings"},
        "presets": ["none", "ci", "..."],
        "exclude": ["..."],
    }


def test_every_setting_has_a_flag_and_a_variable() -> None:
    """Each setting has a flag and a variable of its own, and a meaning."""
    for of in (
        [setting.flag for setting in SETTINGS],
        [setting.variable for setting in SETTINGS],
        [setting.name for setting in SETTINGS],
    ):
        assert len(set(of)) == len(SETTINGS)
    assert all(setting.meaning.endswith(".") for setting in SETTINGS)


def test_every_setting_has_a_field_in_the_settings() -> None:
    """`Settings` has a field for each setting, and no other."""
    fields = tuple(
        field for field in Settings.__struct_fields__ if field not in {"decisions", "warnings"}
    )
    assert fields == tuple(setting.name for setting in SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.path)
def test_every_setting_has_an_example(setting: Setting) -> None:
    """The example of a setting is a value that it takes, not its default, and of the type that
    `Settings` declares.
    """
    value = list(setting.example) if isinstance(setting.example, tuple) else setting.example
    assert list(faults(setting, value)) == []
    assert setting.example != setting.default
    layer = make_layer({setting: Assignment("config", Location("c.json"), setting.example)}, START)
    held = getattr(merge((layer,), START), setting.name)
    assert msgspec.convert(held, get_type_hints(Settings)[setting.name]) == held


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.path)
def test_every_setting_is_explained(setting: Setting) -> None:
    """A page written by hand, not only the reference, explains the setting."""
    pages = (Path(__file__).parents[1] / "docs").glob("*.md")
    assert any(f"`{setting.path}`" in page.read_text(encoding="utf-8") for page in pages)


def test_the_settings_are_grouped() -> None:
    """The settings of a group stand together, in the order of the groups, and no group is empty."""
    assert tuple(name for name, _ in groupby(setting.group for setting in SETTINGS)) == tuple(
        GROUPS
    )


def test_the_declaration_shows_examples() -> None:
    """The comment on each key of the declaration has the example of its setting."""
    text = declaration()
    assert [
        setting.path
        for setting in SETTINGS
        if f"@example {json.dumps(setting.example)}\n" not in text
    ] == []


def test_the_declaration_as_a_module_and_ambient() -> None:
    """The declaration of the module `tool` is that of the npm package, indented,
    without `declare`.
    """
    text = declaration().replace("export declare", "export").replace("declare global", "global")
    lines = [line.strip() for line in text.splitlines()]
    ambient = [line.strip() for line in ambient_declaration().splitlines()]
    assert ambient == ['declare module "tool" {', *lines, "}"]


@pytest.mark.parametrize(
    ("names", "paths"),
    [
        (["theme"], {"theme"}),
        (["exclude"], {"modules.exclude"}),
        (["modules"], {"modules.only", "modules.include", "modules.exclude"}),
        (["cache.file", "hooks.onFailure"], {"cache.file", "hooks.onFailure"}),
        ([], set()),
    ],
)
def test_settings_that_names_stand_for(names: list[str], paths: set[str]) -> None:
    """A name stands for one setting, for all settings of a group, or for the shorthand."""
    assert settings_named(names) == paths
