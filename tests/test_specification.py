"""The specification of the configuration, section by section, in one or two runs of the command
each.
"""

import json
import subprocess
from typing import Any

import pytest

from pipeline.schema import NOT_IN_PRESETS, SETTINGS, Setting
from tests.support.errors import error
from tests.support.forks import TOOL
from tests.support.project import Project, php

HARBOUR = {
    "themes/harbour/config/theme.yml": "name: harbour\n",
    "themes/harbour/index.php": "<?php",
}
ERROR_FIELDS = ["event", "error", "exit", "path", "message", "source", "help"]


@pytest.mark.rule("Discovery, walk, start and direction")
def test_discovery(project: Project) -> None:
    """The current folder is searched, then each one above it: the nearest file wins, whatever its
    kind; no other folder is searched.
    """
    for path in ("tool.config.ts", "shop/other/tool.config.ts", "shop/theme/sub/tool.config.ts"):
        project.write(path, "export default 5")
    project.write("shop/package.json", '{"tool": {"theme": "none"}}')
    (project.root / "shop/theme").mkdir(exist_ok=True)
    assert project.create(".", "--dry-run", cwd="shop/theme").decided["theme"] == {
        "event": "decision",
        "path": "theme",
        "value": "none",
        "layer": "config",
        "source": "../package.json:1:20",
        "overridden": [{"layer": "default", "source": "built-in", "value": "auto"}],
    }


def value_of(rank: int, setting: Setting) -> Any:
    """A value for each setting that no layer beside that of this rank sets."""
    match setting.type:
        case "choice":
            return setting.choices[1 - rank % 2]
        case "boolean":
            return rank % 2 == 1
        case "strings" if setting.path == "presets":
            return ["./preset.json"] * (rank + 1)
        case "strings":
            return [f"{setting.name}_{rank}_a", f"{setting.name}_{rank}_b*"]
    return f"{setting.name}_{rank}"


def flags(setting: Setting, value: Any) -> list[str]:
    """The flags that set a setting: a list's is repeated, a boolean's has a negative."""
    match value:
        case bool():
            return [setting.flag if value else f"--no-{setting.flag.removeprefix('--')}"]
        case list():
            return [f"{setting.flag}={item}" for item in value]
    return [f"{setting.flag}={value}"]


def variable(value: Any) -> str:
    """The text of the variable that sets a setting."""
    return (
        ",".join(value)
        if isinstance(value, list)
        else str(value).lower()
        if isinstance(value, bool)
        else value
    )


def file_of(rank: int, *but: str) -> dict[str, Any]:
    """The content of a file that sets every setting but some."""
    data: dict[str, Any] = {}
    for setting in SETTINGS:
        if setting.path not in but:
            *outer, last = setting.keys
            (data.setdefault(outer[0], {}) if outer else data)[last] = value_of(rank, setting)
    return data


@pytest.mark.rule("Precedence, layers 1 to 3", "Precedence, layer 1", "Precedence, layer 3")
def test_precedence(project: Project) -> None:
    """For every setting, a flag overrides a variable, that the file of `--config`, that a preset,
    and that the default.
    """
    project.theme("theme_0")
    project.write("preset.json", file_of(3, *NOT_IN_PRESETS))
    project.write("settings.json", file_of(2))
    ran = project.run(
        *("create", "--dry-run", "--config=settings.json"),
        *(flag for setting in SETTINGS for flag in flags(setting, value_of(0, setting))),
        env={setting.variable: variable(value_of(1, setting)) for setting in SETTINGS},
    )
    assert ran.code == 0
    found = {
        path: {each["layer"]: each["value"] for each in (decision, *decision["overridden"])}
        for path, decision in ran.decided.items()
    }
    default = {setting.path: json.loads(json.dumps(setting.default)) for setting in SETTINGS}
    assert found == {
        setting.path: {
            **{
                layer: value_of(rank, setting)
                for rank, layer in enumerate(("flag", "env", "config"))
            },
            **({} if setting.path in NOT_IN_PRESETS else {"preset": value_of(3, setting)}),
            "default": default[setting.path],
        }
        for setting in SETTINGS
    }


@pytest.mark.rule("Precedence, layers 1 to 3")
def test_repeated_flags(project: Project) -> None:
    """If a flag with one value is repeated, the last value is used; a list has all of them."""
    project.write("preset.json", {})
    values = {setting: (value_of(1, setting), value_of(0, setting)) for setting in SETTINGS}
    ran = project.run(
        *("config", "show"),
        *(
            flag
            for setting, (first, last) in values.items()
            for flag in flags(setting, first) + flags(setting, last)
        ),
    )
    assert [each["value"] for each in ran.printed] == [
        [*dict.fromkeys(first + last)] if isinstance(first, list) else last
        for first, last in values.values()
    ]


@pytest.mark.rule(
    "Schema, `hooks.initScriptsDir`, `hooks.postScriptsDir`",
    "Schema, `cache.file`",
    "Schema, `cache.enabled`",
    "Schema, pinned file",
    "Schema, inline file",
)
def test_schema(project: Project) -> None:
    """A file, here a `package.json`, may name the whole selection and the folders of hooks, and
    turn off the cache.
    """
    for theme in ("harbour", "meadow"):
        project.theme(theme)
    for name in ("shop_a", "shop_b", "shop_c", "blog"):
        project.module(name)
    project.write("before/10.sh", "ls modules > before.txt 2>/dev/null; true\n")
    project.write("after/10.sh", "ls modules > after.txt\n")
    project.write("cache.json", "no cache")
    content = {
        "schema": 1,
        "theme": "harbour",
        "presets": [],
        "modules": {"include": [], "exclude": ["*_c"], "only": ["shop_b", "shop_c"]},
        "hooks": {"initScriptsDir": "./before", "postScriptsDir": "./after"},
        "cache": {"file": "./cache.json", "enabled": False},
    }
    project.write("package.json", {"name": "shop", "version": "1.0.0", "tool": content})
    ran = project.create(".", env={"CI": "true"})
    assert (ran.code, ran.reported("warning")) == (0, [])
    assert project.tree == {**HARBOUR, "modules/shop_b/shop_b.php": php("shop_b")}
    noted = [
        (project.root / name).read_text("utf-8")
        for name in ("before.txt", "after.txt", "cache.json")
    ]
    assert noted == ["", "shop_b\n", "no cache"]
    assert {each["layer"] for each in ran.decided.values()} == {"config", "default", "env"}


@pytest.mark.rule("Schema, minimal file", "Schema, `cache.file`", "Schema, `hooks.onFailure`")
def test_a_minimal_file(project: Project) -> None:
    """A file of `schema`, `theme` and `presets` is valid; the preset `ci` stops at a
    failing script.
    """
    project.theme("harbour")
    project.theme("meadow")
    project.write("tool.config.json", '{ "schema": 1, "theme": "harbour", "presets": ["ci"] }')
    assert project.create(".", "--cache").code == 0
    assert project.tree == HARBOUR
    assert (project.root / ".tool-cache.json").is_file()
    project.write("init-scripts/10.sh", "exit 3\n")
    ran = project.create(".", "--theme=meadow")
    assert (ran.code, project.tree) == (79, HARBOUR)
    assert [(each["script"], each["status"], each["exit"]) for each in ran.reported("hook")] == [
        ("10.sh", "failed", 3)
    ]


@pytest.mark.rule("Shorthand, rule 2", "Shorthand, rule 3")
def test_shorthand(project: Project) -> None:
    """The flag `--exclude` is not the shorthand: it replaces the list into which the shorthand was
    merged.
    """
    for name in ("shop_a", "shop_b", "blog"):
        project.module(name)
    project.write("tool.config.json", '{"exclude": ["shop_b"], "modules": {"exclude": ["shop_a"]}}')
    ran = project.create(".", "--exclude=blog")
    assert [each["name"] for each in ran.reported("archive") if each["selected"]] == [
        "shop_a",
        "shop_b",
    ]
    assert ran.decided["modules.exclude"] == {
        "event": "decision",
        "path": "modules.exclude",
        "value": ["blog"],
        "layer": "flag",
        "source": "--exclude",
        "overridden": [
            {"layer": "config", "source": "tool.config.json:1:48", "value": ["shop_a", "shop_b"]},
            {"layer": "default", "source": "built-in", "value": []},
        ],
    }


@pytest.mark.rule(
    "Surface, `create`",
    "Surface, `--config`",
    "Surface, `--theme`",
    "Surface, `--exclude`",
    "Surface, `--preset`",
    "Surface, `--log-format`",
    "Events, where",
)
def test_surface(project: Project) -> None:
    """`create` builds the archives of a folder and prints the path of the project; its flags
    override the file.
    """
    for theme in ("harbour", "meadow"):
        project.theme(theme)
    for name in ("blog", "shop_a"):
        project.module(name)
    project.write("tool.config.json", "not JSON")
    project.write(
        "other.json", {"theme": "none", "modules": {"include": ["shop_a"]}, "presets": ["none"]}
    )
    args = (
        "--config=other.json",
        "--theme=harbour",
        "--exclude=shop_*",
        "--preset=ci",
        "--log-format",
        "json",
    )
    ran = project.run("create", *args, env={"TOOL_THEME": "meadow", "TOOL_LOG_FORMAT": "text"})
    assert (ran.code, ran.out) == (0, f"{project.root}\n")
    assert project.tree == {**HARBOUR, "modules/blog/blog.php": php("blog")}
    assert ran.decided["cache.enabled"]["source"] == "preset:ci"
    kinds = [each["event"] for each in ran.log]
    assert kinds == ["start", *["decision"] * 12, *["archive"] * 4, *["component"] * 2, "summary"]


@pytest.mark.rule("Surface, `--log-format`")
def test_the_format_of_an_error_of_the_configuration(project: Project) -> None:
    """Errors of the configuration have the format of flag and variable, as the file is not read
    yet.
    """
    project.write("tool.config.json", {"log": {"format": "json"}, "theme": 5})
    assert project.run("create", ".").err.startswith("error: SchemaValidationError: theme: ")
    assert project.create(".", "--log-format=text").err.startswith(
        "error: SchemaValidationError: theme: "
    )


SETTINGS_OF_ALL_LAYERS = {
    "tool.config.json": (
        '{\n  "theme": "meadow",\n  "presets": ["ci", "./lax.json"],\n  "exclude": ["blog"]\n}\n'
    ),
    "lax.json": '{"hooks": {"onFailure": "continue"}}',
}
"""Files of a run whose decisions come from all five layers."""


@pytest.mark.rule("Events, decisions as text", "Precedence, layer 4, several presets")
def test_decisions_as_text(project: Project) -> None:
    """In text, each of the twelve settings is one line: setting, value, layer, location, and what
    it overrides.
    """
    for name, text in SETTINGS_OF_ALL_LAYERS.items():
        project.write(name, text)
    project.theme("harbour")
    ran = project.run(
        "create", "--dry-run", "--theme=harbour", env={"TOOL_MODULES_ONLY": "shop_*,blog"}
    )
    assert ran.code == 0
    assert [" ".join(line.split()) for line in ran.err.splitlines()[:12]] == [
        (
            "theme harbour flag --theme overrides meadow (config tool.config.json:2:12), auto "
            "(default)"
        ),
        "modules.include [] default built-in",
        "modules.exclude [blog] config tool.config.json:4:14 overrides [] (default)",
        "modules.only [shop_*, blog] env TOOL_MODULES_ONLY overrides [] (default)",
        "presets [ci, ./lax.json] config tool.config.json:3:14 overrides auto (default)",
        "presetsSearchPath [] default built-in",
        "hooks.initScriptsDir ./init-scripts default built-in",
        "hooks.postScriptsDir ./post-scripts default built-in",
        (
            "hooks.onFailure continue preset lax.json:1:25 overrides fail (preset:ci), continue "
            "(default)"
        ),
        "cache.file .tool-cache.json default built-in",
        "cache.enabled false preset preset:ci overrides true (default)",
        "log.format text default built-in",
    ]


@pytest.mark.rule("Events, when", "Events, where", "Events, decisions as JSON")
def test_decisions_as_json(project: Project) -> None:
    """Before the first script runs, one `decision` for each setting is on standard error, and no
    component is in place.
    """
    project.module("shop_a")
    project.write("init-scripts/10.sh", "cp log seen; ls modules >> seen\n")
    with (project.root / "log").open("wb") as log:
        subprocess.run(
            [TOOL, "create", "--log-format=json"], cwd=project.root, stderr=log, check=True
        )
    start, *lines = map(
        json.loads, (project.root / "seen").read_text(encoding="utf-8").splitlines()
    )
    assert start["event"] == "start"
    assert [(each["event"], each["path"]) for each in lines[:12]] == [
        ("decision", setting.path) for setting in SETTINGS
    ]
    assert [*lines[0]] == ["event", "path", "value", "layer", "source", "overridden"]
    assert sorted(project.tree) == ["modules/shop_a/shop_a.php"]


@pytest.mark.rule(
    "Errors, 65, message",
    "Errors, 65, several",
    "Errors, 65, unknown key",
    "Errors, 65, wrong type",
)
def test_errors(project: Project) -> None:
    """Every mistake in a file is an error, 65, with its path and position, and nothing is built."""
    project.module("shop_a")
    entries = (
        '"theme": 5',
        '"exlude": []',
        '"modules": {"include": ["a", 7]}',
        '"hooks": {"onFailure": "stop"}',
    )
    project.write("tool.config.json", f"{{\n {chr(44).join(entries)}\n}}")
    ran = project.create(".")
    assert (ran.code, ran.out, project.tree) == (65, "", {})
    assert ran.events == [
        error("SchemaValidationError", 65, path, f"tool.config.json:2:{column}", path, said)
        for path, column, said in (
            ("theme", 11, "a number"),
            ("exlude", 13, "`exclude`"),
            ("modules.include[1]", 55, "a number"),
            ("hooks.onFailure", 82, "`fail`"),
        )
    ]


@pytest.mark.rule(
    "Errors, as JSON",
    "Errors, 66",
    "Errors, 67",
    "Errors, 65, not JSON",
    "Discovery, rule 3",
    "Surface, other flags",
    "Surface, `--preset`",
)
@pytest.mark.parametrize(
    ("args", "code", "expected"),
    [
        (
            ("--config=wrong.json",),
            65,
            error("ConfigSyntaxError", 65, None, "wrong.json:2:14", "comma"),
        ),
        (
            ("--config=tool.config.json",),
            66,
            error("ConfigNotFound", 66, None, None, "tool.config.json"),
        ),
        (
            ("--preset=cii",),
            67,
            error("PresetNotFound", 67, "presets", "--preset", "`cii`", "`ci`"),
        ),
        (("--themes=none",), 64, error("UsageError", 64, None, None, "--themes")),
    ],
)
def test_an_error_has_seven_fields(
    project: Project, args: tuple[str, ...], code: int, expected: object
) -> None:
    """An error is one JSON object with the same seven fields, wherever it comes from, and nothing
    is built.
    """
    project.write("wrong.json", '{\n  "schema": 1,\n}')
    project.write("../tool.config.json", "{}")
    project.module("shop_a")
    ran = project.create(".", *args)
    assert (ran.code, ran.out, project.tree, ran.events) == (code, "", {}, [expected])
    assert [list(event) for event in ran.events] == [ERROR_FIELDS]
