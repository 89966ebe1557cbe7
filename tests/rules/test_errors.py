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


@pytest.mark.rule("Errors, 65, message", "Errors, 65, several")
def test_the_message_of_an_error_names_the_path(project: Project) -> None:
    """All that is wrong with a file is reported at once; each message names the path of the value, in JSON, too."""
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


@pytest.mark.rule("Errors, 65, not JSON")
def test_a_config_that_is_not_json_is_refused(project: Project) -> None:
    """A config that is not JSON is a `ConfigSyntaxError`, 65, at the place where it stops being JSON."""
    project.write("tool.config.json", '{\n  "schema": 1,\n}')
    ran = project.create()
    assert ran.code == 65
    assert ran.events == [error("ConfigSyntaxError", 65, None, "tool.config.json:2:14", "comma")]


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
