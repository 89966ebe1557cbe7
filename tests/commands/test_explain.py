"""`tool explain`, run as a user would (`docs/configuration.md`)."""

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
                    },
                    {
                        "layer": "default",
                        "source": "built-in",
                        "value": "auto",
                        "wins": False,
                        "extended": False,
                        "because": "`config` overrides `default`",
                    },
                ],
                "elements": [],
                "detected": [],
                "advice": "edit tool.config.json:1:11; `--theme` and `TOOL_THEME` override it for one run",
            }
        ],
        "config": None,
        "archives": [],
        "files": [],
        "exit": None,
        "errors": [],
        "warnings": [],
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


def test_a_drop(shop: Project) -> None:
    """A folder of archives stands for all of them; what is in the project is told as built, and else as selected."""
    for name in ("shop_c", "shop_d"):
        shop.module(name, f"drop/{name}.zip")
    theme = "1 theme selected: theme (tool.config.json:1:11) is `harbour`\n  harbour\n\n"
    out = (
        "1 module left out: matches `shop_a` of modules.exclude (tool.config.json:1:34)\n  shop_a\n\n"
        "`tool explain NAME drop` explains one of them.\n"
    )
    ran = shop.run("explain", "drop")
    modules = "3 modules selected: no setting leaves them out\n  shop_b, shop_c, shop_d\n\n"
    assert (ran.code, ran.err, ran.out) == (0, "", theme + modules + out)
    assert shop.run("explain", "shop_b", "drop").out.startswith("shop_b.zip: module shop_b, selected\n")
    shop.create("drop", "shop_b", "harbour")
    assert shop.run("explain", "drop/").out == (
        f"{theme.replace('selected', 'built')}1 module built: no setting leaves it out\n  shop_b\n\n"
        "2 modules selected: no setting leaves them out\n  shop_c, shop_d\n\n"
        f"{out.replace('NAME drop', 'NAME drop/')}"
    )
    assert shop.run("explain", "shop_b", "drop").out.startswith("shop_b.zip: module shop_b, built\n")
    told = document(shop.run("explain", "drop", env=JSON))["archives"]
    assert [each["selected"] for each in told] == [True, False, True, True, True]
    assert [each["built"] for each in document(shop.run("explain", ".", cwd="drop", env=JSON))["archives"]] == [
        False
    ] * 5
    assert shop.run("explain", "modules").out.startswith("modules.include is []\n")


def test_archives_in_a_component(shop: Project) -> None:
    """Neither is a component a drop, as there is an archive in it, nor is this archive one of a drop."""
    shop.archive("drop/shop_c.zip", {"shop_c/shop_c.php": "<?php", "shop_c/inside.zip": "no archive"})
    shop.create("drop")
    (archive,) = document(shop.run("explain", "modules/shop_c", env=JSON))["archives"]
    assert (archive["archive"], archive["built"]) == ("shop_c.zip", True)
    (file,) = document(shop.run("explain", "modules/shop_c/inside.zip", env=JSON))["files"]
    assert (file["component"], file["state"]) == ("modules/shop_c", "built")


def test_a_file_of_the_project(shop: Project) -> None:
    """Of a path in a component: how it differs from what was built, and what the next run does with it."""
    names = ("same", "edited", "deleted", "mode", "changed", "removed")
    for version in ("1.0", "1.1"):
        marker = {"shop_c/module.json": f'{{"name": "shop_c", "version": "{version}"}}'}
        changed = {"shop_c/changed": version, "shop_c/new": "x"} if version == "1.1" else {}
        old = {f"shop_c/{name}": name for name in names if version == "1.0" or name != "removed"}
        shop.archive("drop/shop_c.zip", {**marker, **old, **changed})
        if version == "1.0":
            shop.create("drop", "shop_b", "shop_c")
    module = shop.root / "modules/shop_c"
    (module / "edited").write_text("mine")
    (module / "added").write_text("mine")
    (module / "deleted").unlink()
    (module / "mode").chmod(0o755)
    shop.write("modules/shop_d/index.php", "mine")
    shop.archive("drop/shop_d.zip", {"shop_d/index.php": "mine", "shop_d/shop_d.php": "<?php"})
    built = {"component": "modules/shop_c", "archive": "shop_c.zip", "version": "1.0"}
    builds = {"next_archive": "shop_c.zip", "next_version": "1.1"}
    told = {}
    for name in (*names, "added", "new"):
        (part,) = document(shop.run("explain", f"modules/shop_c/{name}", "drop", env=JSON))["files"]
        told[name] = (part.pop("state"), part.pop("next_run"))
        assert part.pop("advice")
        assert part == {"part": "file", "path": f"modules/shop_c/{name}", **built, **builds}
    assert told == {
        "same": ("built", "stays"),
        "edited": ("edited", "stays"),
        "deleted": ("deleted", "added"),
        "mode": ("mode", "stays"),
        "changed": ("built", "changed"),
        "removed": ("built", "removed"),
        "added": ("added", "stays"),
        "new": ("absent", "added"),
    }
    assert shop.run("explain", "shop_c/changed", "../drop", "--output=..", cwd="modules").out == (
        "modules/shop_c/changed: a file of modules/shop_c, built\n\n"
        "  built from  shop_c.zip 1.0\n"
        "  next run    changes it to the file of shop_c.zip 1.1\n\n"
        "To change it: edit it: runs keep your edits.\n"
    )
    assert shop.run("explain", "modules/shop_d/index.php", "drop").out == (
        "modules/shop_d/index.php: a file of modules/shop_d, unrecorded\n\n  next run  keeps it as it is\n\n"
        "To change it: pass `--mine` to keep it, or `--force` to replace it, if the archive has another version.\n"
    )
    assert shop.run("explain", "themes/harbour/index.php", "drop").out == (
        "themes/harbour/index.php: a file of themes/harbour, absent\n\n  next run  adds it from harbour.zip\n\n"
        "To change it: run `tool create` with its archive, which adds it.\n"
    )
    assert shop.run("explain", "modules/shop_b/shop_b.php", "drop", "--exclude=shop_b").out == (
        "modules/shop_b/shop_b.php: a file of modules/shop_b, built\n\n"
        "  built from  shop_b.zip\n"
        "  next run    keeps it as it is: its component is not built\n\n"
        "To change it: edit it: runs keep your edits.\n"
    )
    shop.write("modules/shop_c/changed", "mine")
    stopped = shop.run("explain", "modules/shop_c/same", "drop").out
    assert stopped.startswith(
        "modules/shop_c/same: a file of modules/shop_c, built\n\n"
        "  built from  shop_c.zip 1.0\n"
        "  next run    would stop\n\n"
    )
    assert "\n\nA run would stop:\n  error: OutputConflict: " in stopped
    for path in ("modules/shop_c/other", "modules/shop_x/y", "modules/shop_c/"):
        assert shop.run("explain", path, "drop", env=JSON).code == (0 if path.endswith("/") else 64)


def test_what_stops_a_run_is_in_the_document(shop: Project) -> None:
    """A run that would fail is explained all the same, with its errors."""
    shop.theme("tide", "drop/tide.zip")
    for name in ("harbour", "tide"):
        told = document(shop.run("explain", name, "drop", "--theme=auto", env=JSON))
        assert [each["error"] for each in told["problems"]] == ["ThemeAmbiguous"]
        assert [each["advice"] for each in told["archives"]] == [f"set `theme` to `{name}`"]
    named = shop.run("explain", "tide", "drop", "--theme=auto")
    assert "\n\nA run would stop:\n  error: ThemeAmbiguous: " in named.out


def test_without_a_name(shop: Project) -> None:
    """A name is needed: it is told what there is to name, and which command tells everything."""
    ran = shop.run("explain")
    assert (ran.code, ran.out) == (64, "")
    assert ran.err == (
        "error: UsageError: Expected a component, file, archive, drop, setting, config, error, warning or exit code\n"
        "  = help: `tool create --dry-run` shows every setting and archive of a run\n"
    )
    assert shop.run("explain", "submarine").err.endswith(
        "error: UsageError: nothing is called `submarine`: no setting, error or warning, no archive of the current "
        "folder, no component or file of the project\n"
        "  = help: `tool create --dry-run` shows every setting and archive of a run\n"
    )


def test_what_a_run_warns_of(shop: Project) -> None:
    """The warnings of a run about the archive, about patterns and about what is not read are told, and no others."""
    shop.archive("drop/sea.zip", {"sea/sea.txt": "x"})
    shop.archive("drop/lake.zip", {"lake/lake.txt": "x"})
    shop.write("drop/map.tar.gz", "x")
    warnings = shop.run("create", "drop", "--dry-run", "--exclude=shpo_a", env=JSON).told("warning")
    told = shop.run("explain", "sea", "drop", "--exclude=shpo_a", env=JSON).told("warning")
    assert [each["code"] for each in told] == ["unused-files", "not-built", "unmatched-pattern"]
    assert told == [each for each in warnings if each["source"] != "drop/lake.zip"]


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
    assert project.run("explain", code).out.startswith(f"Exit code {code}: ")


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
    """It is told, where a name is looked for in the folder above the drop, where the archives are."""
    told = shop.run("explain", "shop_a").err
    assert "archives in subfolders are not read: `drop`\n" in told


def test_a_name_that_stands_for_nothing(shop: Project) -> None:
    """It is an error with the near names; a drop that does not exist is one of its own."""
    ran = shop.run("explain", "shop_aa", "drop")
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.startswith(
        "error: UsageError: nothing is called `shop_aa`: no setting, error or warning, no archive of `drop`, no "
        "component or file of the project\n"
        "  = help: did you mean `shop_a`"
    )
    assert "  = help: did you mean `unmatched-pattern`?\n" in shop.run("explain", "unmatched-patern", "drop").err
    assert "`137` is not an exit code of tool, which are 0, 64, " in shop.run("explain", "137", "drop").err
    assert shop.run("explain", "shop_a", "elsewhere").code == 72


def test_a_script_is_evaluated_once(shop: Project) -> None:
    """A script runs once; a preset that the run does not read is not run at all."""
    (shop.root / "tool.config.json").unlink()
    shop.write("tool.config.ts", 'console.log("ran"); export default { presets: [`./p.ts`], theme: `none` }')
    shop.write("p.ts", 'console.log("preset"); export default { theme: `a` }')
    ran = shop.run("explain", "theme", "--theme=b")
    assert ran.code == 0
    assert sorted(ran.err.splitlines()) == ["p.ts: preset", "tool.config.ts: ran"]
    assert ran.out.endswith("\nTo change it: pass another value, or leave out `--theme`.\n")
    other = shop.run("explain", "presets", "--preset=ci")
    assert (other.code, other.err.splitlines()) == (0, ["tool.config.ts: ran"])
    assert "  config   tool.config.ts  " in other.out


def agreed(ran: Ran) -> dict[str, tuple[Any, str, str]]:
    """What a command's log or product says of each setting: value, layer and source."""
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
    parts = document(shop.run("explain", "modules", "--output=out", *flags, env=env, cwd="drop"))["settings"]
    told = {each["path"]: (each["value"], each["layers"][0]["layer"], each["layers"][0]["source"]) for each in parts}
    shown = agreed(shop.run("config", "show", *flags, env=env, cwd="drop"))
    planned = agreed(shop.run("create", "--dry-run", "--output=out", *flags, env=env, cwd="drop"))
    made = agreed(shop.run("create", "--output=out", *flags, env=env, cwd="drop"))
    assert shown == planned == made
    assert told == {path: said for path, said in shown.items() if path.startswith("modules.")}


def test_a_run_would_stop_at_a_component(shop: Project) -> None:
    """A module that is selected, and a file of which both sides changed, is told with the error of the run."""
    shop.create("drop")
    shop.write("modules/shop_b/shop_b.php", "mine")
    assert document(shop.run("explain", "shop_b", "drop", env=JSON))["problems"] == []
    shop.archive("drop/shop_b.zip", {"shop_b/shop_b.php": "<?php // 2"})
    told = document(shop.run("explain", "shop_b", "drop", env=JSON))
    assert [each["selected"] for each in told["archives"]] == [True]
    assert told["problems"] == shop.create("drop", "--dry-run").told("error")
    shown = shop.run("explain", "shop_b", "drop").out
    assert "\nA run would stop:\n  error: OutputConflict: both you and the archive changed `modules/shop_b`" in shown
    assert document(shop.run("explain", "harbour", "drop", env=JSON))["problems"] == []
