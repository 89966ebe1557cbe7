"""Surface: the commands and flags, and the decisions on standard error."""

import subprocess
from typing import Any

import pytest

from tests.support.errors import error
from tests.support.forks import TOOL
from tests.support.project import Project, php

ORDER = [
    "theme",
    "modules.include",
    "modules.exclude",
    "modules.only",
    "presets",
    "presetsSearchPath",
    "hooks.initScriptsDir",
    "hooks.postScriptsDir",
    "hooks.onFailure",
    "cache.file",
    "cache.enabled",
    "log.format",
]
DECISION_FIELDS = ["event", "path", "value", "layer", "source", "overridden"]


@pytest.mark.rule("Surface, `create`")
def test_create_builds_from_archives(project: Project) -> None:
    """`create` without arguments and without a config builds what the folder holds and prints the project's path."""
    project.theme("harbour")
    project.module("shop_a")
    ran = project.create(".")
    assert ran.code == 0
    assert ran.out == f"{project.root}\n"
    assert project.tree == {
        "modules/shop_a/shop_a.php": php("shop_a"),
        "themes/harbour/config/theme.yml": "name: harbour\n",
        "themes/harbour/index.php": "<?php",
    }


@pytest.mark.rule("Surface, `--config`")
def test_the_flag_config_names_the_file(project: Project) -> None:
    """`--config=<path>` uses that file and no other."""
    project.write("tool.config.json", {"cache": {"enabled": False}})
    project.write("other.json", '{"theme": "none"}')
    ran = project.create(".", "--dry-run", "--config=other.json")
    assert ran.code == 0
    assert ran.decided["theme"]["source"] == "other.json:1:11"
    assert ran.decided["cache.enabled"]["layer"] == "default"


@pytest.mark.rule("Surface, `--theme`")
def test_the_flag_theme_is_the_highest_setting(project: Project) -> None:
    """`--theme=<value>` sets the theme over the variable and the config."""
    project.theme("harbour")
    project.theme("meadow")
    project.write("tool.config.json", '{"theme": "none"}')
    ran = project.create(".", "--theme=meadow", env={"TOOL_THEME": "harbour"})
    assert ran.code == 0
    assert sorted(project.tree) == ["themes/meadow/config/theme.yml", "themes/meadow/index.php"]
    assert ran.decided["theme"] == {
        "event": "decision",
        "path": "theme",
        "value": "meadow",
        "layer": "flag",
        "source": "--theme",
        "overridden": [
            {"layer": "env", "source": "TOOL_THEME", "value": "harbour"},
            {"layer": "config", "source": "tool.config.json:1:11", "value": "none"},
            {"layer": "default", "source": "built-in", "value": "auto"},
        ],
    }


@pytest.mark.rule("Surface, `--exclude`")
@pytest.mark.parametrize(("pattern", "modules"), [("shop_*", ["blog"]), ("SHOP_*", ["blog", "shop_a", "shop_b"])])
def test_the_flag_exclude_takes_a_pattern(project: Project, pattern: str, modules: list[str]) -> None:
    """`--exclude=<pattern>` leaves out the modules that match; a trailing `*` is allowed, and case counts."""
    for name in ("blog", "shop_a", "shop_b"):
        project.module(name)
    ran = project.create(".", f"--exclude={pattern}")
    assert ran.code == 0
    assert sorted(project.tree) == [f"modules/{name}/{name}.php" for name in modules]
    assert ran.decided["modules.exclude"]["value"] == [pattern]


@pytest.mark.rule("Surface, `--exclude`")
def test_the_flag_exclude_wins_over_an_include_of_the_config(project: Project) -> None:
    """`--exclude` is the highest word on a module, also where the config includes it by name."""
    project.module("blog")
    project.module("shop_a")
    project.write("tool.config.json", {"modules": {"include": ["shop_a"], "only": ["shop_a", "blog"]}})
    ran = project.create(".", "--exclude=shop_*")
    assert ran.code == 0
    assert sorted(project.tree) == ["modules/blog/blog.php"]


@pytest.mark.rule("Surface, `--preset`")
def test_the_flag_preset_selects_a_preset(project: Project) -> None:
    """`--preset=<name>` selects a preset, and wins over the `presets` of the config."""
    project.write("tool.config.json", '{"presets": ["none"]}')
    ran = project.create(".", "--dry-run", "--preset=ci")
    assert ran.code == 0
    assert ran.decided["cache.enabled"]["source"] == "preset:ci"
    assert ran.decided["presets"] == {
        "event": "decision",
        "path": "presets",
        "value": ["ci"],
        "layer": "flag",
        "source": "--preset",
        "overridden": [
            {"layer": "config", "source": "tool.config.json:1:13", "value": ["none"]},
            {"layer": "default", "source": "built-in", "value": "auto"},
        ],
    }


@pytest.mark.rule("Schema, `log.format`", "Surface, `--log-format`")
@pytest.mark.parametrize(
    ("args", "env", "config", "is_json"),
    [
        (["--log-format=json"], {}, "text", True),
        (["--log-format", "json"], {"TOOL_LOG_FORMAT": "text"}, "text", True),
        (["--log-format=text"], {"TOOL_LOG_FORMAT": "json"}, "json", False),
        ([], {"TOOL_LOG_FORMAT": "json"}, "text", True),
        ([], {}, "json", True),
        ([], {}, "text", False),
    ],
)
def test_the_log_format_is_text_or_json(
    project: Project, args: list[str], env: dict[str, str], config: str, is_json: bool
) -> None:
    """The log format, from flag, variable or config, decides between lines of text and one JSON object a line."""
    project.module("shop_a")
    project.write("tool.config.json", {"log": {"format": config}})
    ran = project.run("create", *args, env=env)
    first = ran.err.splitlines()[0]
    assert ran.code == 0
    assert ran.out == f"{project.root}\n"
    assert first.startswith('{"event":"start"') if is_json else first.split()[:2] == ["theme", "auto"]
    assert not is_json or [each["event"] for each in ran.log][13:] == ["archive", "component", "summary"]


@pytest.mark.rule("Surface, other flags")
def test_an_unknown_flag_is_a_usage_error(project: Project) -> None:
    """A flag that the command does not have ends in 64, and nothing is built."""
    project.module("shop_a")
    ran = project.create(".", "--themes=none")
    assert ran.code == 64
    assert ran.out == ""
    assert project.tree == {}
    assert ran.events == [error("UsageError", 64, None, None, "--themes")]


@pytest.mark.rule("Surface, `--log-format`")
def test_an_error_of_the_config_is_told_in_the_format_of_flag_and_variable(project: Project) -> None:
    """Until the config is read the log format is that of flag and variable, so its errors are told in that format."""
    project.write("tool.config.json", {"log": {"format": "json"}, "theme": 5})
    assert project.run("create", ".").err.startswith("error: SchemaValidationError: theme: ")
    assert [each["error"] for each in project.run("create", "--log-format=json").events] == ["SchemaValidationError"]
    assert project.create(".", "--log-format=text").err.startswith("error: SchemaValidationError: theme: ")


def sources(project: Project) -> None:
    """Lay out a run whose decisions come from all five layers."""
    project.theme("harbour")
    text = '{\n  "theme": "meadow",\n  "presets": ["ci", "./lax.json"],\n  "exclude": ["blog"]\n}\n'
    project.write("tool.config.json", text)
    project.write("lax.json", '{"hooks": {"onFailure": "continue"}}')


ARGS = ["create", "--dry-run", "--theme=harbour", "--log-format=json"]
LAX = {"layer": "preset", "source": "preset:ci", "value": "fail"}


def built_in(value: Any) -> dict[str, Any]:
    """The assignment of a built-in default that was overridden."""
    return {"layer": "default", "source": "built-in", "value": value}


@pytest.mark.rule("Events, decisions as JSON", "Precedence, layer 4, several presets")
def test_decisions_are_told_as_json(project: Project) -> None:
    """As JSON each of the twelve settings is one `decision`, in the order of the schema, before anything else.

    A decision has six fields in one order, and what it overrode has three; what is in a file has file, line and column
    besides. Every line is one compact object.
    """
    sources(project)
    ran = project.run(*ARGS, env={"TOOL_MODULES_ONLY": "shop_*,blog"})
    config = "tool.config.json"
    rows: list[tuple[Any, str, str, list[dict[str, Any]]]] = [
        ("harbour", "flag", "--theme", [{"layer": "config", "source": f"{config}:2:12", "value": "meadow"}]),
        ([], "default", "built-in", []),
        (["blog"], "config", f"{config}:4:14", []),
        (["shop_*", "blog"], "env", "TOOL_MODULES_ONLY", []),
        (["ci", "./lax.json"], "config", f"{config}:3:14", []),
        ([], "default", "built-in", []),
        ("./init-scripts", "default", "built-in", []),
        ("./post-scripts", "default", "built-in", []),
        ("continue", "preset", "lax.json:1:25", [LAX]),
        (".tool-cache.json", "default", "built-in", []),
        (False, "preset", "preset:ci", []),
        ("json", "flag", "--log-format", []),
    ]
    defaults: dict[str, Any] = {"theme": "auto", "presets": "auto", "hooks.onFailure": "continue"}
    defaults |= {"modules.exclude": [], "modules.only": [], "cache.enabled": True, "log.format": "text"}
    expected = [
        {
            "event": "decision",
            "path": path,
            "value": value,
            "layer": layer,
            "source": source,
            "overridden": [*lost, *([built_in(defaults[path])] if layer != "default" else [])],
        }
        for path, (value, layer, source, lost) in zip(ORDER, rows, strict=True)
    ]
    assert ran.code == 0
    assert ran.log[1:13] == expected
    assert [list(each) for each in ran.told("decision")] == [DECISION_FIELDS] * 12
    assert ran.err.splitlines()[1] == (
        '{"event":"decision","path":"theme","value":"harbour","layer":"flag","source":"--theme","overridden":['
        '{"layer":"config","source":"tool.config.json:2:12","value":"meadow","file":"tool.config.json","line":2,'
        '"column":12},{"layer":"default","source":"built-in","value":"auto"}]}'
    )


@pytest.mark.rule("Events, decisions as text")
def test_decisions_are_told_as_text(project: Project) -> None:
    """As text each of the twelve settings is one line: setting, value, layer, source, and what it overrode."""
    sources(project)
    ran = project.run(*ARGS[:-1], env={"TOOL_MODULES_ONLY": "shop_*,blog"})
    lines = ran.err.splitlines()[:12]
    assert ran.code == 0
    assert [" ".join(line.split()) for line in lines] == [
        "theme harbour flag --theme overrides meadow (config tool.config.json:2:12), auto (default)",
        "modules.include [] default built-in",
        "modules.exclude [blog] config tool.config.json:4:14 overrides [] (default)",
        "modules.only [shop_*, blog] env TOOL_MODULES_ONLY overrides [] (default)",
        "presets [ci, ./lax.json] config tool.config.json:3:14 overrides auto (default)",
        "presetsSearchPath [] default built-in",
        "hooks.initScriptsDir ./init-scripts default built-in",
        "hooks.postScriptsDir ./post-scripts default built-in",
        "hooks.onFailure continue preset lax.json:1:25 overrides fail (preset:ci), continue (default)",
        "cache.file .tool-cache.json default built-in",
        "cache.enabled false preset preset:ci overrides true (default)",
        "log.format text default built-in",
    ]
    assert len({line.index(layer) for line, layer in zip(lines, _layers(lines), strict=True)}) == 1


def _layers(lines: list[str]) -> list[str]:
    """The layer column of each line, with the two spaces before it that set columns apart."""
    names = ("flag", "env", "config", "preset", "default")
    return [next(f"  {name} " for name in names if f"  {name} " in line) for line in lines]


@pytest.mark.rule("Events, where")
def test_standard_output_has_the_project_only(project: Project) -> None:
    """Decisions go to standard error; standard output has one line, the project's absolute path."""
    project.module("shop_a")
    ran = project.run("create", "--output=built")
    assert ran.code == 0
    assert ran.out == f"{project.root}/built\n"
    assert ran.err.splitlines()[0].split() == ["theme", "auto", "default", "built-in"]


@pytest.mark.rule("Events, when")
def test_decisions_are_written_before_anything_is_changed(project: Project) -> None:
    """When the first script runs, all decisions are in the log, and no component is in place."""
    project.module("shop_a")
    project.write("init-scripts/10.sh", 'grep -c \'"event":"decision"\' log > told; ls modules >> told\n')
    with (project.root / "log").open("wb") as log:
        subprocess.run([TOOL, "create", "--log-format=json"], cwd=project.root, stderr=log, check=True)
    assert (project.root / "told").read_text(encoding="utf-8") == "12\n"
    assert sorted(project.tree) == ["modules/shop_a/shop_a.php"]
