"""Validate, run alone: the layer of a file, or all its errors (`docs/configuration.md`)."""

import pytest
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.config.layers import Layer
from pipeline.config.tree import ConfigFile, Tree
from pipeline.normalise import normalise
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.settings import (
    InvalidValue,
    UnknownKey,
    not_one_of,
)
from pipeline.report.location import Location
from pipeline.schema import OBJECTS, SETTINGS, SHORTHAND
from pipeline.validate import validate
from tests.support.disks import START, assignment
from tests.support.tables import rows
from tests.support.trees import legacy_keys, tree_of


def at(column: int, line: int = 1) -> Location:
    """A place in the configuration."""
    return Location("tool.config.json", line, column)


def errors_of(text: str) -> tuple[ConfigError, ...]:
    """What is wrong with a configuration."""
    return validate(normalise(tree_of(text))).failure()


@pytest.mark.rule("Schema, every field, default")
def test_an_empty_file_is_silent() -> None:
    """A file without settings gives a layer that sets nothing."""
    assert [
        validate(tree_of(text)) for text in ("{}", '{"schema": 1}', '{"modules": {}, "log": {}}')
    ] == [Success(Layer())] * 3


@pytest.mark.rule("Schema, every field, type", "Schema, pinned file")
def test_a_full_file() -> None:
    """Every setting is taken as written, and its paths are relative to the folder of the file."""
    text = """{
  "schema": 1,
  "theme": "./t.zip",
  "modules": {"include": ["a"], "exclude": [], "only": ["b", "c"]},
  "presets": ["ci", "./p.ts"],
  "presetsSearchPath": ["presets", "/abs"],
  "hooks": {"initScriptsDir": "i", "postScriptsDir": "../p", "onFailure": "fail"},
  "cache": {"file": "c.json", "enabled": false},
  "log": {"format": "json"}
}"""
    layer = validate(tree_of(text)).unwrap()
    assert layer == Layer(
        {
            "theme": (assignment("config", at(12, 3), "./t.zip"),),
            "modules.include": (assignment("config", at(26, 4), ("a",), (at(27, 4),)),),
            "modules.exclude": (assignment("config", at(44, 4), ()),),
            "modules.only": (assignment("config", at(56, 4), ("b", "c"), (at(57, 4), at(62, 4))),),
            "presets": (assignment("config", at(14, 5), ("ci", "./p.ts"), (at(15, 5), at(21, 5))),),
            "presetsSearchPath": (
                assignment("config", at(24, 6), ("presets", "/abs"), (at(25, 6), at(36, 6))),
            ),
            "hooks.initScriptsDir": (assignment("config", at(31, 7), "i"),),
            "hooks.postScriptsDir": (assignment("config", at(54, 7), "../p"),),
            "hooks.onFailure": (assignment("config", at(75, 7), "fail"),),
            "cache.file": (assignment("config", at(21, 8), "c.json"),),
            "cache.enabled": (assignment("config", at(42, 8), False),),
            "log.format": (assignment("config", at(21, 9), "json"),),
        },
    )


MISTAKES: tuple[tuple[str, ConfigError], ...] = (
    *(
        (text, InvalidValue(path, at(column), expected, found))
        for text, path, column, expected, found in rows("validate", "invalid")
    ),
    (
        '{"log": {"format": "JSON"}}',
        not_one_of(("text", "json"), "log.format", at(20), "JSON", ("json",)),
    ),
    *(
        (text, UnknownKey(path, at(column), near, belongs))
        for text, path, column, near, belongs in rows("validate", "unknown")
    ),
)
"""A text, and what is wrong with it."""


@pytest.mark.rule(
    "Schema, every field, type",
    "Schema, every list",
    "Schema, unknown keys",
    "Schema, the whole",
    "Schema, `schema`",
    "Schema, `hooks.onFailure`",
    "Schema, `log.format`",
    "Errors, 65, unknown key",
    "Versioning, rule 1",
    "Errors, 65, wrong type",
)
@pytest.mark.parametrize(("text", "error"), MISTAKES, ids=[text for text, _ in MISTAKES])
def test_each_mistake(text: str, error: ConfigError) -> None:
    """Each mistake is reported with the path as written, and the position of the value or of the
    unknown key.
    """
    assert errors_of(text) == (error,)


@pytest.mark.rule("Schema, every field, type", "Schema, every list")
def test_every_field_has_a_wrong_type() -> None:
    """The mistakes have a wrong type of every field, and of an item of every list."""
    paths = {error.path for _, error in MISTAKES if isinstance(error, InvalidValue)}
    lists = {SHORTHAND, *(setting.path for setting in SETTINGS if setting.type == "strings")}
    assert {"schema", SHORTHAND, *OBJECTS, *(setting.path for setting in SETTINGS)} - paths == set()
    assert lists - {path.partition("[")[0] for path in paths if path.endswith("]")} == set()


@pytest.mark.rule("Errors, 65, several", "Errors, 65, message")
def test_all_mistakes_at_once() -> None:
    """A file with several mistakes reports all of them, in the order of the file."""
    assert errors_of(
        '{"log": {"format": 1, "x": 2}, "exclude": [3],\n "modules": {"exclude": ["a", 4]}, "y": 5}'
    ) == (
        InvalidValue("log.format", at(20), "a string", "a number"),
        UnknownKey("log.x", at(23)),
        InvalidValue("exclude[0]", at(44), "a string", "a number"),
        InvalidValue("modules.exclude[1]", at(31, 2), "a string", "a number"),
        UnknownKey("y", at(36, 2)),
    )


def test_a_shorthand_that_could_not_be_folded() -> None:
    """If `modules` is not an object, both it and the items of the shorthand are checked."""
    assert errors_of('{"exclude": [1], "modules": 2}') == (
        InvalidValue("exclude[0]", at(14), "a string", "a number"),
        InvalidValue("modules", at(29), "an object", "a number"),
    )


@pytest.mark.rule("Precedence, layer 4, limits")
def test_a_preset_cannot_choose_presets() -> None:
    """A preset has every key of a configuration but `presets` and `presetsSearchPath`."""
    preset = replace(ConfigFile.at("p.json", START), layer="preset")
    tree = tree_of('{"schema": 1, "theme": "x", "presets": [], "presetsSearchPath": []}', preset)
    assert validate(tree) == Failure(
        (
            UnknownKey("presets", Location("p.json", 1, 29), in_preset=True),
            UnknownKey("presetsSearchPath", Location("p.json", 1, 44), in_preset=True),
        )
    )
    assert validate(tree_of('{"theme": "x"}', preset)).unwrap().assignments == {
        "theme": (assignment("preset", Location("p.json", 1, 11), "x"),)
    }


KEYS = (
    "`schema`, `theme`, `modules`, `presets`, `presetsSearchPath`, `hooks`, `cache`, `log`, "
    "`exclude`"
)


def test_the_legacy_file_is_read_tolerantly() -> None:
    """In the legacy file, a mistake is a warning, its setting stays unset, and the rest is used."""
    legacy = ConfigFile.at(".tool.json", START)
    tree = tree_of(
        '{"schema": 1, "theme": 1, "x": 2, "cache": {"enabled": false}, "log": []}', legacy
    )
    layer = validate(tree).unwrap()
    assert layer.assignments == {
        "cache.enabled": (assignment("config", Location(".tool.json", 1, 56), False),)
    }
    assert [(each.message, each.advice) for each in layer.warnings] == [
        (f"the 0.x key `{key}` is ignored: {reason}", advice)
        for key, reason, advice in (
            ("theme", "expected a string, found a number", "put it in double quotes"),
            ("x", "unknown key", f"a configuration can have {KEYS}"),
            ("log", "expected an object, found a list", 'for example `"log": {"format": "json"}`'),
        )
    ]


def test_a_legacy_shorthand_that_could_not_be_folded() -> None:
    """A shorthand beside a `modules` that cannot be read is ignored with a warning of its own."""
    tree = tree_of(
        '{"schema": 1, "modules": 2, "exclude": ["a"]}', ConfigFile.at(".tool.json", START)
    )
    assert legacy_keys(validate(tree).unwrap().warnings) == [
        ("modules", "", "expected an object, found a number"),
        ("exclude", "", "`modules` beside it cannot be read"),
    ]


@pytest.mark.parametrize(
    ("text", "key", "advice"),
    [
        ('{"schema": 1, "only": ["a"]}', "only", 'write `"modules": {"only": … }`'),
        (
            '{"schema": 1, "modules": ["a"]}',
            "modules",
            'for example `"modules": {"include": ["shop_*"]}`',
        ),
    ],
)
def test_what_the_legacy_file_says_in_vain(text: str, key: str, advice: str) -> None:
    """A key of the dot-file that is not taken over has a warning with its equivalent in
    version 1.
    """
    layer = validate(tree_of(text, ConfigFile.at(".tool.json", START))).unwrap()
    assert [named for named, _, _ in legacy_keys(layer.warnings)] == [key]
    assert [each.advice for each in layer.warnings] == [advice]


def test_a_legacy_file_that_is_no_object() -> None:
    """A legacy file that is not an object sets nothing, with a warning."""
    trees = (tree_of(text, ConfigFile.at(".tool.json", START)) for text in ("[]", "null"))
    layers = [validate(tree).unwrap() for tree in trees]
    assert [(layer.assignments, *legacy_keys(layer.warnings)) for layer in layers] == [
        ({}, ("", "", "expected an object, found a list")),
        ({}, ("", "", "expected an object, found null")),
    ]


def test_an_unknown_key_spoils_no_other() -> None:
    """In the legacy file, an unknown key of an object does not affect a setting of that name."""
    text = '{"schema": 1, "theme": "a", "hooks": {"theme": 1}}'
    layer = validate(tree_of(text, ConfigFile.at(".tool.json", START))).unwrap()
    assert [*layer.assignments] == ["theme"]
    assert [key for key, _, _ in legacy_keys(layer.warnings)] == ["hooks.theme"]


def test_keys_that_are_called_otherwise() -> None:
    """For a key with the name of its flag, the right name is suggested, or where it belongs."""
    assert errors_of('{"cache": {"cache-file": "x"}, "hooks": {"presets": []}}') == (
        UnknownKey("cache.cache-file", at(12), ("cache.file",)),
        UnknownKey("hooks.presets", at(42), belongs="presets"),
    )


def test_a_value_without_a_place() -> None:
    """A mistake in a script, whose values have no positions, names the file and the path."""
    tree = Tree(ConfigFile.at("tool.config.ts", START), {"modules": {"only": [1]}}, {})
    assert validate(tree) == Failure(
        (InvalidValue("modules.only[0]", Location("tool.config.ts"), "a string", "a number"),)
    )


@pytest.mark.parametrize(
    ("key", "near", "belongs"),
    [
        ("preset", (), ""),
        ("presetsDir", (), ""),
        ("noCache", ("cache",), ""),
        ("onFailure", (), "hooks.onFailure"),
    ],
)
def test_a_preset_is_given_no_hint_to_what_it_may_not_have(
    key: str, near: tuple[str, ...], belongs: str
) -> None:
    """In a preset, an unknown key gets no suggestion of a key that a preset may not have."""
    tree = tree_of(f'{{"{key}": 1}}', replace(ConfigFile.at("p.json", START), layer="preset"))
    assert validate(tree) == Failure(
        (UnknownKey(key, Location("p.json", 1, 2), near, belongs, in_preset=True),)
    )


def test_what_is_wrong_in_a_list_of_the_dot_file() -> None:
    """The valid items of a list in the legacy file are kept with their positions; a list without
    any is unset.
    """
    text = '{"schema": 1, "modules": {"only": [1], "exclude": ["a", 2, "b"], "include": []}}'
    layer = validate(tree_of(text, ConfigFile.at(".tool.json", START))).unwrap()
    place = {column: Location(".tool.json", 1, column) for column in range(len(text))}
    assert layer.assignments == {
        "modules.include": (assignment("config", place[77], ()),),
        "modules.exclude": (assignment("config", place[51], ("a", "b"), (place[52], place[60])),),
    }
    assert [key for key, _, _ in legacy_keys(layer.warnings)] == [
        "modules.only[0]",
        "modules.exclude[1]",
    ]
    assert [each.location for each in layer.warnings] == [place[36], place[57]]
