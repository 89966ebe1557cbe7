"""Errors: which condition ends in which error and exit code, and what an error says."""

import pytest

from tests.support.errors import Saying, error
from tests.support.project import Project

ERROR_FIELDS = ["event", "error", "exit", "path", "message", "source", "help"]


@pytest.mark.rule("Errors, 65, unknown key", "Errors, 65, wrong type")
@pytest.mark.parametrize(
    ("entry", "path", "place", "said"),
    [
        ('"themes": "harbour"', "themes", "3:3", ("`theme`",)),
        ('"theme": 5', "theme", "3:12", ("a string", "a number")),
    ],
    ids=["unknown key", "wrong type"],
)
def test_what_the_schema_does_not_have_is_refused(
    project: Project, entry: str, path: str, place: str, said: tuple[str, ...]
) -> None:
    """An unknown key, or a value of a wrong type, is a `SchemaValidationError`, 65, at its place; nothing is built."""
    project.module("shop_a")
    project.write("tool.config.json", f'{{\n  "schema": 1,\n  {entry}\n}}')
    ran = project.create(".")
    assert (ran.code, ran.out, project.tree) == (65, "", {})
    assert ran.events == [error("SchemaValidationError", 65, path, f"tool.config.json:{place}", *said)]


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
    ran = project.create(".")
    paths = ["theme", "exlude", "modules.include[1]", "hooks.onFailure", "hooks.x", "cache.file"]
    assert [(each["path"], each["message"]) for each in ran.events] == [(path, Saying(path)) for path in paths]


@pytest.mark.rule("Errors, 67")
def test_an_unknown_preset_of_the_flag_is_refused(project: Project) -> None:
    """An unknown preset given with `--preset` is a `PresetNotFound`, 67, and nothing is built."""
    project.module("shop_a")
    ran = project.create(".", "--preset=cii")
    assert ran.code == 67
    assert ran.out == ""
    assert project.tree == {}
    assert ran.events == [error("PresetNotFound", 67, "presets", "--preset", "`cii`", "`ci`")]


@pytest.mark.rule("Errors, 67")
def test_an_unknown_preset_of_the_config_is_refused(project: Project) -> None:
    """Each unknown preset in the `presets` of a config is a `PresetNotFound`, 67, at its place in the list."""
    project.write("tool.config.json", '{"presets": ["ci", "lost", "./gone.json"], "presetsSearchPath": ["./presets"]}')
    ran = project.create(".")
    assert ran.code == 67
    assert ran.events == [
        error("PresetNotFound", 67, "presets[1]", "tool.config.json:1:20", "`lost`", "`presets/lost.ts`"),
        error("PresetNotFound", 67, "presets[2]", "tool.config.json:1:28", "`./gone.json`"),
    ]


@pytest.mark.rule("Errors, 65, not JSON")
def test_a_config_that_is_not_json_is_refused(project: Project) -> None:
    """A config that is not JSON is a `ConfigSyntaxError`, 65, at the place where it stops being JSON."""
    project.write("tool.config.json", '{\n  "schema": 1,\n}')
    ran = project.create(".")
    assert ran.code == 65
    assert ran.events == [error("ConfigSyntaxError", 65, None, "tool.config.json:2:14", "comma")]


@pytest.mark.rule("Schema, `schema`", "Versioning, rule 1")
@pytest.mark.parametrize("version", ["2", '"1"'])
def test_a_schema_other_than_1_is_refused(project: Project, version: str) -> None:
    """The only accepted `schema` is the number 1; anything else is a `SchemaValidationError`, 65, at the value."""
    project.module("shop_a")
    project.write("tool.config.json", f'{{"schema": {version}}}')
    ran = project.create(".")
    assert ran.code == 65
    assert project.tree == {}
    assert ran.events == [error("SchemaValidationError", 65, "schema", "tool.config.json:1:12", "1")]


@pytest.mark.rule("Errors, as JSON")
def test_an_error_has_seven_fields(project: Project) -> None:
    """An error as JSON has exactly seven fields, whichever layer or file it comes from."""
    project.write("wrong.json", {"theme": 5, "x": 1})
    runs = [
        project.create(".", "--config=wrong.json"),
        project.create(".", "--config=missing.json"),
        project.create(".", "--preset=lost"),
        project.create(".", "--colour=red"),
        project.create(".", env={"TOOL_CACHE_ENABLED": "yes"}),
    ]
    assert [ran.code for ran in runs] == [65, 66, 67, 64, 65]
    assert [list(event) for ran in runs for event in ran.events] == [ERROR_FIELDS] * 6
