"""Errors: which condition ends in which error and exit code, and what an error says."""

import pytest

from tests.support.errors import Saying, error
from tests.support.project import Project

ERROR_FIELDS = ["event", "error", "exit", "path", "message", "source", "help"]


@pytest.mark.rule("Errors, 65, unknown key")
def test_an_unknown_top_level_key_is_refused(project: Project) -> None:
    """A top-level key that the schema does not have is a `SchemaValidationError`, 65; nothing is built."""
    project.module("shop_a")
    project.write("tool.config.json", '{\n  "schema": 1,\n  "themes": "harbour"\n}')
    ran = project.create()
    assert ran.code == 65
    assert ran.out == ""
    assert project.tree == {}
    assert ran.events == [error("SchemaValidationError", 65, "themes", "tool.config.json:3:3", "`theme`")]


@pytest.mark.rule("Errors, 65, wrong type")
def test_a_wrong_type_is_refused(project: Project) -> None:
    """A number where `theme` takes a string is a `SchemaValidationError`, 65, at the value, and nothing is built."""
    project.theme("harbour")
    project.write("tool.config.json", '{"schema": 1, "theme": 5}')
    ran = project.create()
    assert ran.code == 65
    assert ran.out == ""
    assert project.tree == {}
    expected = error("SchemaValidationError", 65, "theme", "tool.config.json:1:24", "a string", "a number")
    assert ran.events == [expected]


@pytest.mark.rule("Errors, 65, message")
def test_the_text_of_an_error_names_the_path(project: Project) -> None:
    """An error as text is its name, the path, what was expected, then the place with the line and a caret."""
    project.write("tool.config.json", '{\n  "modules": {"include": ["a", 7]}\n}')
    ran = project.run("create")
    head, *place = ran.err.splitlines()
    assert ran.code == 65
    assert head == Saying("error: SchemaValidationError: modules.include[1]: ", "a string", "a number")
    assert place == [
        "  --> tool.config.json:2:32",
        "   |",
        ' 2 |   "modules": {"include": ["a", 7]}',
        "   |                                ^",
        "  = help: put it in double quotes",
        "nothing was changed",
    ]


@pytest.mark.rule("Errors, 65, message")
def test_the_message_of_an_error_names_the_path(project: Project) -> None:
    """The message of every `SchemaValidationError` names the path of the offending value, as JSON too."""
    project.write(
        "tool.config.json",
        {
            "theme": 5,
            "exlude": [],
            "modules": {"include": ["a", 7]},
            "hooks": {"onFailure": "stop", "x": 1},
            "cache": {"file": ""},
        },
    )
    ran = project.create()
    paths = ["theme", "exlude", "modules.include[1]", "hooks.onFailure", "hooks.x", "cache.file"]
    assert [(each["path"], each["message"]) for each in ran.events] == [(path, Saying(path)) for path in paths]


@pytest.mark.rule("Errors, 65, several")
def test_every_error_of_a_file_is_told(project: Project) -> None:
    """All that is wrong with a file is told at once, one error each, in the order of the file."""
    text = '{\n  "log": {"format": "yaml"},\n  "presets": [1],\n  "colour": "red",\n  "theme": []\n}'
    project.write("tool.config.json", text)
    ran = project.create()
    assert ran.code == 65
    assert ran.events == [
        error("SchemaValidationError", 65, "log.format", "tool.config.json:2:21", "`text`", "`json`", "`yaml`"),
        error("SchemaValidationError", 65, "presets[0]", "tool.config.json:3:15", "a string", "a number"),
        error("SchemaValidationError", 65, "colour", "tool.config.json:4:3"),
        error("SchemaValidationError", 65, "theme", "tool.config.json:5:12", "a string", "a list"),
    ]


@pytest.mark.rule("Errors, 65, message")
def test_a_wrong_value_in_package_json_is_named_without_the_key(project: Project) -> None:
    """In a `package.json` the path of an error is the setting's, and the place is the file's."""
    project.write("package.json", '{\n  "name": "shop",\n  "tool": {"theme": 5}\n}')
    ran = project.create()
    expected = error("SchemaValidationError", 65, "theme", "package.json:3:21", "a string", "a number")
    assert ran.code == 65
    assert ran.events == [expected]


@pytest.mark.rule("Errors, 65, wrong type")
@pytest.mark.parametrize(
    ("variable", "value", "path"),
    [
        ("TOOL_CACHE_ENABLED", "yes", "cache.enabled"),
        ("TOOL_HOOKS_ON_FAILURE", "stop", "hooks.onFailure"),
        ("TOOL_PRESETS", "[1]", "presets[0]"),
        ("TOOL_MODULES_ONLY", "[", "modules.only"),
    ],
)
def test_a_bad_variable_is_refused(project: Project, variable: str, value: str, path: str) -> None:
    """A bad value of a variable is a `SchemaValidationError`, 65, with the setting and the variable."""
    ran = project.create(env={variable: value})
    assert ran.code == 65
    assert ran.events == [error("SchemaValidationError", 65, path, variable)]


@pytest.mark.rule("Discovery, rule 3", "Errors, 66")
def test_a_config_that_is_missing_is_refused(project: Project) -> None:
    """A path given with `--config` that does not exist is a `ConfigNotFound`, 66, and nothing is built."""
    project.module("shop_a")
    ran = project.create("--config=missing.json")
    assert ran.code == 66
    assert ran.out == ""
    assert project.tree == {}
    assert ran.events == [error("ConfigNotFound", 66, None, None, "missing.json")]


@pytest.mark.rule("Errors, 66")
def test_a_config_that_cannot_be_read_is_refused(project: Project) -> None:
    """A folder given with `--config` is a `ConfigUnreadable`, 66."""
    (project.root / "settings").mkdir()
    ran = project.create("--config=settings")
    assert ran.code == 66
    assert ran.events == [error("ConfigUnreadable", 66, None, None, "settings")]


@pytest.mark.rule("Errors, 67")
def test_an_unknown_preset_of_the_flag_is_refused(project: Project) -> None:
    """An unknown preset given with `--preset` is a `PresetNotFound`, 67, and nothing is built."""
    project.module("shop_a")
    ran = project.create("--preset=cii")
    assert ran.code == 67
    assert ran.out == ""
    assert project.tree == {}
    assert ran.events == [error("PresetNotFound", 67, "presets", "--preset", "`cii`", "`ci`")]


@pytest.mark.rule("Errors, 67")
def test_an_unknown_preset_of_the_config_is_refused(project: Project) -> None:
    """Each unknown preset in the `presets` of a config is a `PresetNotFound`, 67, at its place in the list."""
    project.write("tool.config.json", '{"presets": ["ci", "lost", "./gone.json"], "presetsSearchPath": ["./presets"]}')
    ran = project.create()
    assert ran.code == 67
    assert ran.events == [
        error("PresetNotFound", 67, "presets[1]", "tool.config.json:1:20", "`lost`", "`presets/lost.ts`"),
        error("PresetNotFound", 67, "presets[2]", "tool.config.json:1:28", "`./gone.json`"),
    ]


@pytest.mark.rule("Errors, 65, message")
def test_an_error_in_a_preset_names_its_own_file(project: Project) -> None:
    """What is wrong with a preset is told with the preset's file and place."""
    project.write("presets/strict.json", '{"cache": {"enabled": "no"}}')
    ran = project.create("--preset=./presets/strict.json")
    place = "presets/strict.json:1:23"
    expected = error("SchemaValidationError", 65, "cache.enabled", place, "true or false", "a string")
    assert ran.code == 65
    assert ran.events == [expected]


@pytest.mark.rule("Errors, 65, not JSON")
def test_a_config_that_is_not_json_is_refused(project: Project) -> None:
    """A config that is not JSON is a `ConfigSyntaxError`, 65, at the place where it stops being JSON."""
    project.write("tool.config.json", '{\n  "schema": 1,\n}')
    ran = project.create()
    assert ran.code == 65
    assert ran.events == [error("ConfigSyntaxError", 65, None, "tool.config.json:2:14", "comma")]


@pytest.mark.rule("Errors, 65, not JSON")
def test_a_key_that_stands_twice_is_refused(project: Project) -> None:
    """A key that one object has twice is a `ConfigSyntaxError`, 65, that shows both places."""
    project.write("tool.config.json", '{"theme": "a",\n "theme": "b"}')
    ran = project.create()
    expected = error("ConfigSyntaxError", 65, "theme", "tool.config.json:2:2", "tool.config.json:1:2")
    assert ran.code == 65
    assert ran.events == [expected]


@pytest.mark.rule("Schema, `schema`", "Versioning, rule 1")
@pytest.mark.parametrize("version", ["2", '"1"'])
def test_a_schema_other_than_1_is_refused(project: Project, version: str) -> None:
    """The only accepted `schema` is the number 1; anything else is a `SchemaValidationError`, 65, at the value."""
    project.module("shop_a")
    project.write("tool.config.json", f'{{"schema": {version}}}')
    ran = project.create()
    assert ran.code == 65
    assert project.tree == {}
    assert ran.events == [error("SchemaValidationError", 65, "schema", "tool.config.json:1:12", "1")]


@pytest.mark.rule("Schema, `schema`", "Versioning, rule 1")
def test_a_config_without_schema_is_of_version_1(project: Project) -> None:
    """A config without `schema` is read as one with `schema` 1."""
    seen = []
    for content in ({"cache": {"enabled": False}}, {"cache": {"enabled": False}, "schema": 1}):
        project.write("tool.config.json", content)
        ran = project.create("--dry-run")
        seen.append((ran.code, ran.decided))
    assert seen[0] == seen[1]
    assert seen[0][1]["cache.enabled"]["layer"] == "config"


@pytest.mark.rule("Errors, as JSON")
def test_an_error_has_seven_fields(project: Project) -> None:
    """An error as JSON has exactly seven fields, whichever layer or file it comes from."""
    project.write("wrong.json", {"theme": 5, "x": 1})
    runs = [
        project.create("--config=wrong.json"),
        project.create("--config=missing.json"),
        project.create("--preset=lost"),
        project.create("--colour=red"),
        project.create(env={"TOOL_CACHE_ENABLED": "yes"}),
    ]
    assert [ran.code for ran in runs] == [65, 66, 67, 64, 65]
    assert [list(event) for ran in runs for event in ran.events] == [ERROR_FIELDS] * 6
