"""`tool explain` and `tool config diff`, run as a user would (`docs/explain.md`)."""

import json
from typing import Any

import pytest

from tests.support.project import Project, Ran

CONFIG = {"theme": "harbour", "exclude": ["shop_a"], "hooks": {"onFailure": "fail"}}
JSON = {"TOOL_LOG_FORMAT": "json"}


@pytest.fixture
def shop(project: Project) -> Project:
    """A project with a configuration, a theme and two modules, of which one is left out."""
    project.write("tool.config.json", CONFIG)
    project.theme("harbour", "drop/harbour.zip")
    project.module("shop_a", "drop/shop_a.zip")
    project.module("shop_b", "drop/shop_b.zip")
    return project


def document(ran: Ran) -> dict[str, Any]:
    """The one document on standard output."""
    assert ran.code == 0
    (line,) = ran.out.splitlines()
    loaded: dict[str, Any] = json.loads(line)
    assert loaded["event"] == "explanation"
    return loaded


def test_a_setting_needs_no_drop(shop: Project) -> None:
    """A setting is explained wherever one is; nothing is on standard error."""
    ran = shop.run("explain", "onFailure", "no-such-drop")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("hooks.onFailure is fail\n")
    assert document(shop.run("explain", "theme", env=JSON)) == {
        "event": "explanation",
        "explanation": 1,
        "tool": "1.0.0",
        "name": "theme",
        "drop": None,
        "settings": [
            {
                "part": "setting",
                "path": "theme",
                "value": "harbour",
                "meaning": meaning_of_theme(shop),
                "flag": "--theme",
                "variable": "TOOL_THEME",
                "layers": [
                    {
                        "layer": "config",
                        "source": "tool.config.json:1:11",
                        "value": "harbour",
                        "wins": True,
                        "extended": False,
                        "because": "",
                        "change": None,
                    },
                    {
                        "layer": "default",
                        "source": "built-in",
                        "value": "auto",
                        "wins": False,
                        "extended": False,
                        "because": "`config` overrides `default`",
                        "change": {
                            "steps": [
                                {"do": "delete", "place": "tool.config.json:1:11", "path": "theme", "value": None}
                            ],
                            "settings": [{"path": "theme", "value": "auto", "layer": "default", "source": "built-in"}],
                            "archives": [],
                        },
                    },
                ],
                "elements": [],
                "detected": [],
                "changes": [],
            }
        ],
        "config": None,
        "archives": [],
        "exit": None,
        "errors": [],
        "warnings": [],
        "plan": None,
        "problems": [],
    }


def meaning_of_theme(project: Project) -> str:
    """What the schema says that `theme` is for."""
    schema = json.loads(project.run("config", "schema").out)
    return str(schema["properties"]["theme"]["markdownDescription"]).partition("\n")[0]


def test_a_component_an_archive_and_a_path(shop: Project) -> None:
    """A component is found by its name and by its file; the flags are those of the run to explain."""
    for name in ("shop_a", "modules/shop_a", "shop_a.zip", "drop/shop_a.zip"):
        (part,) = document(shop.run("explain", name, "drop", env=JSON))["archives"]
        assert (part["archive"], part["selected"], part["rule"]) == ("shop_a.zip", False, "pattern")
    (part,) = document(shop.run("explain", "drop/shop_a.zip", env=JSON))["archives"]
    assert part["archive"] == "shop_a.zip"
    shop.module("shop_c", "drop/modules/c.zip")
    (part,) = document(shop.run("explain", "drop/modules/c.zip", env=JSON))["archives"]
    assert part["archive"] == "modules/c.zip"
    (part,) = document(shop.run("explain", "shop_a", "drop", "--exclude=", env=JSON))["archives"]
    assert part["selected"] is True


def test_the_whole_run(shop: Project) -> None:
    """Without a name there is everything: settings, configuration, archives and the plan; nothing is written."""
    whole = document(shop.run("explain", env=JSON, cwd="drop"))
    assert len(whole["settings"]) == 12
    assert whole["config"]["file"] == "../tool.config.json"
    assert {each["archive"]: each["selected"] for each in whole["archives"]} == {
        "harbour.zip": True,
        "shop_a.zip": False,
        "shop_b.zip": True,
    }
    assert [each["path"] for each in whole["plan"]["components"]] == ["themes/harbour", "modules/shop_b"]
    assert whole["plan"]["summary"]["outcome"] == "planned"
    assert shop.tree == {}
    assert document(shop.run("explain", "drop", env=JSON))["archives"] == [
        {**each, **json.loads(json.dumps(each).replace("../tool.config", "tool.config"))} for each in whole["archives"]
    ]
    assert shop.run("explain", cwd="drop").out.splitlines()[0] == "The configuration is ../tool.config.json."


def test_what_stops_a_run_is_in_the_document(shop: Project) -> None:
    """A run that would fail is explained all the same, with its problems and without a plan."""
    shop.theme("tide", "drop/tide.zip")
    whole = document(shop.run("explain", "--theme=auto", env=JSON, cwd="drop"))
    assert (whole["plan"], [each["error"] for each in whole["problems"]]) == (None, ["ThemeAmbiguous"])
    assert {each["archive"]: each["change"]["steps"] for each in whole["archives"] if each["kind"] == "theme"} == {
        f"{name}.zip": [{"do": "pass", "place": "--theme", "path": "", "value": name}] for name in ("harbour", "tide")
    }
    ran = shop.run("explain", "--theme=auto", cwd="drop")
    assert "\nA run would stop: ThemeAmbiguous: " in ran.out
    named = shop.run("explain", "tide", "drop", "--theme=auto")
    assert "\n\nA run would stop: ThemeAmbiguous: " in named.out


def test_errors(project: Project) -> None:
    """An error is explained by its name or its exit code, even where the configuration cannot be read."""
    project.write("tool.config.json", "{")
    assert project.run("explain", "archiverejected:").out.startswith("ArchiveRejected: exit code 76\n\n")
    explained = document(project.run("explain", "66", env=JSON))
    assert [each["error"] for each in explained["errors"]] == ["ConfigNotFound", "ConfigUnreadable"]
    assert (explained["exit"]["exit"], explained["warnings"]) == (66, [])
    assert project.run("explain", "theme").code == 65


def test_warnings(project: Project) -> None:
    """A warning is explained by its code, as in the JSON log, in any case."""
    explained = document(project.run("explain", "Shadowed-Config", env=JSON))
    assert ([each["code"] for each in explained["warnings"]], explained["errors"]) == (["shadowed-config"], [])
    assert project.run("explain", "left-over").out.startswith("left-over: a warning\n\nTemporary files ")


@pytest.mark.parametrize("code", ["0", "80", "130", "143"])
def test_exit_codes(project: Project, code: str) -> None:
    """Each exit code has what it says, also that of success, which no error has."""
    assert project.run("explain", code).out.startswith(f"Exit code {code}: The ")


@pytest.mark.parametrize("name", ["shop_b", "modules/shop_b"])
def test_a_component_without_an_archive(shop: Project, name: str) -> None:
    """What was built from an archive that is gone is known from the record, and how to remove it."""
    shop.create("drop")
    (shop.root / "drop/shop_b.zip").unlink()
    ran = shop.run("explain", name, "drop")
    assert (ran.code, ran.out) == (64, "")
    assert ran.err == (
        "error: UsageError: `modules/shop_b` was built from `shop_b.zip`, and no archive of `drop` is that component\n"
        "  = help: it stays until a run with `--prune`; or put an archive of it into the drop\n"
    )


def test_beside_the_drop(shop: Project) -> None:
    """A plan for the folder above the drop says where the archives are, and promises no `--prune`."""
    shop.create("drop")
    told = shop.run("explain", "--theme=none").err
    assert "`drop` is not looked into, though there are archives in it\n" in told
    assert "or if the archives are elsewhere\n" in told


def test_a_name_that_stands_for_nothing(shop: Project) -> None:
    """It is an error with the near names; a drop that does not exist is one of its own."""
    ran = shop.run("explain", "shop_aa", "drop")
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.startswith(
        "error: UsageError: no setting, error, warning or archive of `drop` is called `shop_aa`\n"
        "  = help: did you mean `shop_a`"
    )
    assert "  = help: did you mean `unmatched-pattern`?\n" in shop.run("explain", "unmatched-patern", "drop").err
    assert "`137` is not an exit code of tool, which are 0, 64, " in shop.run("explain", "137", "drop").err
    assert shop.run("explain", "shop_a", "elsewhere").code == 72


def test_a_script_is_evaluated_once(shop: Project) -> None:
    """However many changes are tried, a script runs once; a preset that the run does not read is not run at all."""
    (shop.root / "tool.config.json").unlink()
    shop.write("tool.config.ts", 'console.log("ran"); export default { presets: [`./p.ts`], theme: `none` }')
    shop.write("p.ts", 'console.log("preset"); export default { theme: `a` }')
    ran = shop.run("explain", "theme", "--theme=b")
    assert ran.code == 0
    assert sorted(ran.err.splitlines()) == ["p.ts: preset", "tool.config.ts: ran"]
    assert "    leave out `--theme`\n" in ran.out
    other = shop.run("explain", "presets", "--preset=ci")
    assert (other.code, other.err.splitlines()) == (0, ["tool.config.ts: ran"])
    assert "  config   tool.config.ts:1:" in other.out
    assert "./p.ts], as" not in other.out


def agreed(ran: Ran) -> dict[str, tuple[Any, str, str]]:
    """What a command's log or product says of each leaf: value, layer and source."""
    said = ran.told("decision") or ran.printed
    return {each["path"]: (each["value"], each["layer"], each["source"]) for each in said}


@pytest.mark.parametrize(
    ("config", "environ", "flags"),
    [
        ({}, {}, []),
        (CONFIG, {"CI": "1", "TOOL_MODULES_EXCLUDE": "...,x"}, ["--exclude=...", "--exclude=y", "--no-cache"]),
        (
            {"presets": ["ci", "..."], "modules": {"only": ["shop_b"]}},
            {"TOOL_THEME": "none"},
            ["--on-failure=continue"],
        ),
    ],
)
def test_all_commands_agree(shop: Project, config: dict[str, Any], environ: dict[str, str], flags: list[str]) -> None:
    """`explain`, `config show`, `create --dry-run` and `create` say the same of each setting."""
    shop.write("tool.config.json", config)
    env = {**JSON, **environ}
    parts = document(shop.run("explain", "--output=out", *flags, env=env, cwd="drop"))["settings"]
    told = {each["path"]: (each["value"], each["layers"][0]["layer"], each["layers"][0]["source"]) for each in parts}
    shown = agreed(shop.run("config", "show", *flags, env=env, cwd="drop"))
    planned = agreed(shop.run("create", "--dry-run", "--output=out", *flags, env=env, cwd="drop"))
    made = agreed(shop.run("create", "--output=out", *flags, env=env, cwd="drop"))
    assert told == shown == planned == made


def test_diff_of_two_files(project: Project) -> None:
    """Only what differs is told, with value, layer and place of both sides; paths that are written alike may differ."""
    project.write("a.json", '{"theme": "x", "cache": {"file": "c"}, "hooks": {"onFailure": "fail"}}')
    project.write("sub/b.json", '{"theme": "y", "cache": {"file": "c"}, "hooks": {"onFailure": "fail"}}')
    ran = project.run("config", "diff", "a.json", "sub/b.json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "theme\n"
        "  -  x  config  a.json:1:11\n"
        "  +  y  config  sub/b.json:1:11\n"
        "cache.file\n"
        "  -  c      config  a.json:1:34\n"
        "  +  sub/c  config  sub/b.json:1:34\n"
    )
    (told,) = project.run("config", "diff", "a.json", "sub/b.json", env=JSON).printed
    assert told["differences"][0] == {
        "path": "theme",
        "a": {"value": "x", "layer": "config", "source": "a.json:1:11"},
        "b": {"value": "y", "layer": "config", "source": "sub/b.json:1:11"},
    }
    same = project.run("config", "diff", "a.json", "a.json")
    assert (same.code, same.out, same.err) == (0, "", "no setting differs between a.json and a.json\n")


def test_diff_of_variables(project: Project) -> None:
    """A variable counts for the second side; what is in effect is the first side, unless a file is named."""
    project.write("tool.config.json", {"theme": "x"})
    project.write("b.json", {"theme": "y"})

    def leaves(*args: str, env: dict[str, str] | None = None) -> list[str]:
        (told,) = project.run("config", "diff", *args, "--log-format=json", env=env).printed
        return [each["path"] for each in told["differences"]]

    assert leaves("--env", "CI=1") == ["presets", "hooks.onFailure", "cache.enabled"]
    assert leaves("b.json") == ["theme"]
    assert leaves("b.json", "--env", "TOOL_THEME=z") == ["theme"]
    assert leaves("--env=TOOL_THEME=", env={"TOOL_THEME": "z"}) == ["theme"]
    assert leaves("b.json", "--env", "TOOL_THEME=y") == []
    assert leaves("tool.config.json", "b.json", "--env=TOOL_THEME=x") == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "expected two files, or a variable: `--env CI=1`"),
        (["a", "b", "c"], "expected at most two files"),
        (["--env", "CI"], "expected `--env NAME=VALUE`, found `--env CI`"),
        (["--env", "=1"], "expected `--env NAME=VALUE`, found `--env ="),
    ],
)
def test_diff_of_nothing(project: Project, args: list[str], message: str) -> None:
    """A command line that says no two sides is told what to type."""
    ran = project.run("config", "diff", *args)
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.startswith(f"error: UsageError: {message}")


def test_diff_tells_the_problems_of_both_sides(project: Project) -> None:
    """Two files that cannot be read are two errors."""
    ran = project.run("config", "diff", "a", "b")
    assert (ran.code, ran.err.count("error: ConfigNotFound")) == (66, 2)


def test_a_run_would_stop_at_a_component(shop: Project) -> None:
    """A module that is selected, and a file of which both sides changed, is told with the error of the run."""
    shop.create("drop")
    shop.write("modules/shop_b/shop_b.php", "mine")
    assert document(shop.run("explain", "shop_b", "drop", env=JSON))["problems"] == []
    shop.archive("drop/shop_b.zip", {"shop_b/shop_b.php": "<?php // 2"})
    told = document(shop.run("explain", "shop_b", "drop", env=JSON))
    assert [each["selected"] for each in told["archives"]] == [True]
    assert told["problems"] == shop.create("drop", "--dry-run").told("error")
    assert shop.run("explain", "shop_b", "drop").out.endswith(
        "\nA run would stop: OutputConflict: `modules/shop_b` was changed both by you and by its archive: "
        "`modules/shop_b/shop_b.php` (edited)\n"
    )
    assert document(shop.run("explain", "harbour", "drop", env=JSON))["problems"] == []
