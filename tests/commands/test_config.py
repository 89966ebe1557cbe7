"""`tool config`: show and check the configuration without building
(`docs/reference/commands.md`).
"""

import json

import pytest

from tests.support.project import Project


def test_show_prints_every_decision(project: Project) -> None:
    """`show` prints the decisions of all layers on standard output, as text or as JSON, and
    builds nothing.
    """
    project.module("m")
    project.write("tool.config.json", {"theme": "a", "log": {"format": "json"}})
    ran = project.run("config", "show", "--theme=b", env={"TOOL_CACHE_ENABLED": "0"})
    lines = ran.printed
    assert ran.code == 0
    assert ran.events == []
    assert len(lines) == 12
    assert (lines[0]["value"], [each["layer"] for each in lines[0]["overridden"]]) == (
        "b",
        ["config", "default"],
    )
    text = project.run("config", "show", "--log-format=text").out.splitlines()
    assert len(text) == 12
    assert text[0].split()[:4] == ["theme", "a", "config", "tool.config.json:1:11"]
    assert sorted(path.name for path in project.root.iterdir()) == [
        ".git",
        "m.zip",
        "tool.config.json",
    ]


def test_show_tells_warnings_and_errors_on_standard_error(project: Project) -> None:
    """Only settings are on standard output; warnings and errors are on standard error."""
    project.write("tool.config.json", {})
    project.write("package.json", {"tool": {}})
    ran = project.run("config", "show", "--verbose")
    assert ran.err.splitlines()[-2:] == [
        "warning: `tool.config.json` is used, not `package.json`",
        "  = help: keep one of them",
    ]
    project.write("tool.config.json", {"x": 1})
    ran = project.run("config", "show")
    assert ran.code == 65
    assert ran.out == ""


def test_validate_the_configuration_and_its_presets(project: Project) -> None:
    """Without a file, `validate` checks the configuration it finds and its presets, scripts too,
    but not whether paths in them exist.
    """
    project.write(
        "tool.config.ts", 'export default { presets: ["./p.js", "ci"], theme: "./no.zip" }'
    )
    project.write(
        "p.js", 'console.log("hello"); module.exports = { hooks: { initScriptsDir: "no" } }'
    )
    ran = project.run("config", "validate")
    assert ran.code == 0
    assert ran.out == "tool.config.ts: valid\np.js: valid\npreset:ci: valid\n"
    assert ran.err == "p.js: hello\n"


def test_validate_without_a_configuration(project: Project) -> None:
    """If there is nothing to check, the command reports that, without an error."""
    ran = project.run("config", "validate")
    assert ran.code == 0
    assert ran.out == ""
    assert ran.err == f"no configuration in {project.root} or above it: the defaults hold\n"


def test_validate_named_files(project: Project) -> None:
    """Each named file is checked, and the errors of all are reported; the names of valid files
    are printed.
    """
    project.write("a.json", {"theme": 1, "x": 2})
    project.write("b.ts", "export default { log: { format: `xml` } }")
    project.write("package.json", {"tool": {"exclude": [None]}})
    project.write("good.json", {})
    project.write(".tool.json", {"themeName": "a"})
    ran = project.run(
        "config", "validate", "a.json", "b.ts", "package.json", "good.json", "no.json"
    )
    assert ran.code == 65
    assert ran.out == "good.json: valid\n"
    assert [line for line in ran.err.splitlines() if line.startswith(("error", "  -->"))] == [
        "error: SchemaValidationError: theme: expected a string, found a number",
        "  --> a.json:1:11",
        "error: SchemaValidationError: x: unknown key",
        "  --> a.json:1:14",
        "error: SchemaValidationError: log.format: expected `text` or `json`, found `xml`",
        "  --> b.ts:1:33",
        "error: SchemaValidationError: exclude[0]: expected a string, found null",
        "  --> package.json:1:23",
        "error: ConfigNotFound: no file `no.json`",
    ]
    ran = project.run("config", "validate", "good.json", ".tool.json")
    assert ran.code == 0
    assert ran.out == "good.json: valid\n.tool.json: valid\n"
    assert ran.err.count("legacy") + ran.err.count("0.x") == 1


@pytest.mark.parametrize("target", ["nowhere.json", "tool.config.json"])
def test_a_configuration_that_is_a_link_to_nothing(project: Project, target: str) -> None:
    """A configuration that is a broken link, or a link to itself, is an error."""
    (project.root / "tool.config.json").symlink_to(target)
    ran = project.run("config", "show")
    assert ran.code == 66
    assert ran.err == (
        "error: ConfigUnreadable: cannot read `tool.config.json`: it is a broken link\n"
        "  = help: create its target, or remove the link\n"
    )
    ran = project.run("config", "show", "--config=tool.config.json")
    assert ran.err.splitlines()[0] == "error: ConfigNotFound: `tool.config.json` is a broken link"


def test_where_a_configuration_was_looked_for(project: Project) -> None:
    """With `--verbose`, a command lists where it looked for a configuration."""
    project.write(".tool.json", {})
    for command in (("create", "-n"), ("config", "show", "theme"), ("config", "validate")):
        assert "looked at .tool.json: taken" in project.run(*command, "-v").err.splitlines()


def test_schema_and_types_need_no_configuration(project: Project) -> None:
    """`schema` and `types` print what is generated from the code, in any folder."""
    project.write("tool.config.json", "{")
    schema, types = project.run("config", "schema"), project.run("config", "types")
    assert schema.code == 0
    assert schema.err == ""
    assert json.loads(schema.out)["title"] == "ToolConfig"
    assert types.code == 0
    assert types.err == ""
    assert types.out.startswith('declare module "tool" {\n')


def test_single_settings(project: Project) -> None:
    """`config show` takes settings, groups and `exclude` in any order, and prints each setting
    once, in the usual order.
    """
    project.write("tool.config.json", '{"exclude": ["a"], "hooks": {"onFailure": "fail"}}')
    every = {
        each["path"]: each for each in project.run("config", "show", "--log-format=json").printed
    }
    shown = project.run(
        "config",
        "show",
        "hooks.onFailure",
        "exclude",
        "cache",
        "theme",
        "theme",
        "--log-format=json",
    )
    paths = ("theme", "modules.exclude", "hooks.onFailure", "cache.file", "cache.enabled")
    assert shown.printed == [every[path] for path in paths]


def test_where_presets_were_looked_for(project: Project) -> None:
    """With `--verbose`, every path where a preset was looked for is listed, up to the one
    that is read.
    """
    project.write("presets/team.json", "{}")
    project.write(
        "tool.config.json", '{"presetsSearchPath": ["presets"], "presets": ["...", "team", "ci"]}'
    )
    lines = project.run("config", "show", "presets", "-v").err.splitlines()
    assert [line for line in lines if "presets/" in line] == [
        *(f"looked at presets/default.{suffix}: missing" for suffix in ("ts", "js", "json")),
        *(f"looked at presets/team.{suffix}: missing" for suffix in ("ts", "js")),
        "looked at presets/team.json: taken",
    ]
