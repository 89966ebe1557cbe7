"""Schema: every field of a configuration, its type, its default and its meaning."""

import json
from typing import Any

import pytest

from tests.support.project import Project

DEFAULTS: dict[str, Any] = {
    "theme": "auto",
    "modules.include": [],
    "modules.exclude": [],
    "modules.only": [],
    "presets": "auto",
    "presetsSearchPath": [],
    "hooks.initScriptsDir": "./init-scripts",
    "hooks.postScriptsDir": "./post-scripts",
    "hooks.onFailure": "continue",
    "cache.file": ".tool-cache.json",
    "cache.enabled": True,
    "log.format": "text",
}


@pytest.mark.rule("Schema, every field, type")
def test_every_field_takes_its_type(project: Project) -> None:
    """A file may set every field, each to a value of its type; all but the shorthand are told as written."""
    values = {
        "theme": "none",
        "modules.include": ["shop_a"],
        "modules.exclude": ["old_*"],
        "modules.only": ["shop_*", "old_*"],
        "presets": ["ci"],
        "presetsSearchPath": ["./presets"],
        "hooks.initScriptsDir": "./before",
        "hooks.postScriptsDir": "./after",
        "hooks.onFailure": "fail",
        "cache.file": "./build/cache.json",
        "cache.enabled": False,
        "log.format": "json",
    }
    content: dict[str, Any] = {"schema": 1, "exclude": ["older_*"]}
    for path, value in values.items():
        *outer, last = path.split(".")
        (content.setdefault(outer[0], {}) if outer else content)[last] = value
    project.write("tool.config.json", content)
    ran = project.run("create", ".", "--dry-run")
    told = {path: each["value"] for path, each in ran.decided.items()}
    assert ran.code == 0
    assert told == values | {"modules.exclude": ["old_*", "older_*"]}
    assert {each["layer"] for each in ran.decided.values()} == {"config"}


@pytest.mark.rule("Precedence, layer 5", "Schema, every field, default")
@pytest.mark.parametrize(
    "content",
    [{}, {"schema": 1}, {"schema": 1, "modules": {}, "hooks": {}, "cache": {}, "log": {}, "exclude": []}],
    ids=["empty", "schema", "objects"],
)
def test_every_field_may_be_left_out(project: Project, content: Any) -> None:
    """All fields are optional, the objects may be empty, and what is left out has its default."""
    project.write("tool.config.json", content)
    ran = project.create(".", "--dry-run", "--log-format=json")
    decided = ran.decided
    assert ran.code == 0
    assert [*decided] == [*DEFAULTS]
    for path, value in DEFAULTS.items():
        if path == "log.format":
            assert decided[path]["overridden"][-1] == {"layer": "default", "source": "built-in", "value": value}
        elif path != "modules.exclude":
            assignment = {"value": value, "layer": "default", "source": "built-in", "overridden": []}
            assert decided[path] == {"event": "decision", "path": path, **assignment}
    assert decided["modules.exclude"]["value"] == []


@pytest.mark.rule("Schema, `theme`, `auto`")
def test_theme_auto_takes_the_only_theme(project: Project) -> None:
    """The theme `auto` is the only theme of the drop."""
    project.theme("harbour")
    project.write("tool.config.json", {"theme": "auto"})
    ran = project.create(".")
    assert ran.code == 0
    assert sorted(project.tree) == ["themes/harbour/config/theme.yml", "themes/harbour/index.php"]
    assert ran.decided["theme"]["value"] == "auto"
    assert ran.decided["theme"]["layer"] == "config"


@pytest.mark.rule("Schema, `theme`, `none`")
def test_theme_none_builds_no_theme(project: Project) -> None:
    """With the theme `none` no theme is built."""
    project.theme("harbour")
    project.module("shop_a")
    project.write("tool.config.json", {"theme": "none"})
    ran = project.create(".")
    assert ran.code == 0
    assert sorted(project.tree) == ["modules/shop_a/shop_a.php"]


@pytest.mark.rule("Schema, `theme`, any other")
def test_theme_is_a_name(project: Project) -> None:
    """Any other theme is the name of a theme of the drop."""
    project.theme("harbour")
    project.theme("meadow")
    project.write("tool.config.json", {"theme": "meadow"})
    ran = project.create(".")
    assert ran.code == 0
    assert sorted(project.tree) == ["themes/meadow/config/theme.yml", "themes/meadow/index.php"]


@pytest.mark.rule("Schema, `theme`, any other")
def test_theme_is_a_path_of_an_archive(project: Project) -> None:
    """A theme that ends in `.zip` is the path of its archive, relative to the folder of the config."""
    project.theme("harbour")
    project.theme("meadow", archive="settings/themes/m.zip")
    project.write("settings/ci.json", {"theme": "./themes/m.zip"})
    ran = project.create(".", "--config=settings/ci.json")
    assert ran.code == 0
    assert sorted(project.tree) == ["themes/meadow/config/theme.yml", "themes/meadow/index.php"]
    assert ran.decided["theme"]["value"] == "./themes/m.zip"


@pytest.mark.rule(
    "Schema, `modules`", "Schema, `modules.include`", "Schema, `modules.exclude`", "Schema, `modules.only`"
)
@pytest.mark.parametrize(
    ("modules", "preset", "built"),
    [
        ({"include": [], "exclude": [], "only": []}, {}, ["blog", "shop_a", "shop_b"]),
        ({"exclude": ["shop_*"]}, {}, ["blog"]),
        ({"only": ["blog", "*_b"]}, {}, ["blog", "shop_b"]),
        ({"include": ["*_a"]}, {"exclude": ["shop_*"]}, ["blog", "shop_a"]),
    ],
)
def test_modules_are_selected_by_names_and_patterns(project: Project, modules: Any, preset: Any, built: Any) -> None:
    """Empty lists select all; `exclude` leaves out, `only` restricts, `include` takes in what a preset leaves out."""
    for name in ("shop_a", "shop_b", "blog"):
        project.module(name)
    project.write("tool.config.json", {"presets": ["./preset.json"], "modules": modules})
    project.write("preset.json", {"modules": preset})
    assert project.create(".").code == 0
    assert sorted(project.tree) == [f"modules/{name}/{name}.php" for name in built]


@pytest.mark.rule("Schema, `presets`, left out")
def test_presets_left_out_are_detected(project: Project) -> None:
    """Without `presets` they are detected: `default` of the search path, then `ci` where the variable `CI` is set."""
    project.write("tool.config.json", {"presetsSearchPath": ["./presets"]})
    project.write("presets/default.json", {"cache": {"file": "./build/cache.json", "enabled": True}})
    ran = project.create(".", "--dry-run", env={"CI": "true"})
    assignments = {path: (each["layer"], each["source"].split(":")[0]) for path, each in ran.decided.items()}
    assert ran.code == 0
    assert ran.decided["presets"]["value"] == "auto"
    assert ran.decided["presets"]["layer"] == "default"
    assert assignments["cache.file"] == ("preset", "presets/default.json")
    assert ran.decided["cache.enabled"] == {
        "event": "decision",
        "path": "cache.enabled",
        "value": False,
        "layer": "preset",
        "source": "preset:ci",
        "overridden": [
            {"layer": "preset", "source": "presets/default.json:1:53", "value": True},
            {"layer": "default", "source": "built-in", "value": True},
        ],
    }


@pytest.mark.rule("Schema, `presets`, empty")
def test_empty_presets_opt_out(project: Project) -> None:
    """An empty `presets` opts out: nothing is detected."""
    project.write("tool.config.json", {"presets": [], "presetsSearchPath": ["./presets"]})
    project.write("presets/default.json", {"theme": "none"})
    ran = project.create(".", "--dry-run", env={"CI": "true"})
    assert ran.code == 0
    assert ran.decided["presets"]["value"] == []
    assert ran.decided["presets"]["layer"] == "config"
    assert "preset" not in {each["layer"] for each in ran.decided.values()}


@pytest.mark.rule("Schema, `presets`, not empty")
def test_listed_presets_are_explicit(project: Project) -> None:
    """A `presets` that is not empty applies exactly what it lists: bundled names, found names and paths."""
    project.write("presets/default.json", {"hooks": {"postScriptsDir": "./never"}})
    project.write("presets/named.json", {"hooks": {"initScriptsDir": "./named"}})
    project.write("local.json", {"cache": {"file": "./local"}})
    project.write("tool.config.json", {"presets": ["ci", "named", "./local.json"], "presetsSearchPath": ["presets"]})
    ran = project.create(".", "--dry-run", env={"CI": "true"})
    found = {path: each["value"] for path, each in ran.decided.items() if each["layer"] == "preset"}
    assert ran.code == 0
    assert ran.decided["presets"]["value"] == ["ci", "named", "./local.json"]
    assert found == {
        "hooks.initScriptsDir": "./named",
        "hooks.onFailure": "fail",
        "cache.file": "./local",
        "cache.enabled": False,
    }


@pytest.mark.rule("Schema, `presetsSearchPath`")
def test_the_search_path_is_searched_in_order(project: Project) -> None:
    """`presetsSearchPath` lists folders, relative to the config, that are searched in order for presets by name."""
    project.write("settings/near/strict.json", {"cache": {"file": "./near"}})
    project.write("settings/far/strict.json", {"cache": {"file": "./far"}})
    project.write("settings/ci.json", {"presets": ["strict"], "presetsSearchPath": ["./gone", "./near", "./far"]})
    ran = project.create(".", "--dry-run", "--config=settings/ci.json")
    decided = ran.decided["cache.file"]
    assert ran.code == 0
    assert decided["value"] == "./near"
    assert decided["source"] == "settings/near/strict.json:1:20"


def scripts(project: Project, init: str, post: str) -> None:
    """Write a script for each stage that notes what there is in `modules/` when it runs."""
    project.module("shop_a")
    project.write(f"{init}/10.sh", "ls modules > init.txt 2>/dev/null; true\n")
    project.write(f"{post}/10.sh", "ls modules > post.txt\n")


@pytest.mark.rule("Schema, `hooks.initScriptsDir`, `hooks.postScriptsDir`")
@pytest.mark.parametrize("named", [False, True], ids=["default", "config"])
def test_scripts_run_before_and_after_the_build(project: Project, named: bool) -> None:
    """The scripts of `hooks.initScriptsDir` run before the build, those of `hooks.postScriptsDir` after it."""
    init, post = ("before", "after") if named else ("init-scripts", "post-scripts")
    scripts(project, init, post)
    if named:
        project.write("tool.config.json", {"hooks": {"initScriptsDir": "./before", "postScriptsDir": "./after"}})
    ran = project.create(".")
    noted = [(project.root / name).read_text(encoding="utf-8") for name in ("init.txt", "post.txt")]
    assert ran.code == 0
    assert noted == ["", "shop_a\n"]
    assert [(each["stage"], each["status"]) for each in ran.told("hook")] == [("init", "ok"), ("post", "ok")]


@pytest.mark.rule("Schema, `hooks.onFailure`")
@pytest.mark.parametrize(("choice", "code", "names"), [("continue", 0, ["shop_a"]), ("fail", 79, [])])
def test_on_failure_decides_what_a_failing_hook_does(
    project: Project, choice: str, code: int, names: list[str]
) -> None:
    """When a hook fails, `continue` reports it and goes on, and `fail` is a `HookFailed`, 79, that builds nothing."""
    project.module("shop_a")
    project.write("init-scripts/10.sh", "exit 3\n")
    project.write("tool.config.json", {"hooks": {"onFailure": choice}})
    ran = project.create(".")
    assert ran.code == code
    assert sorted(project.tree) == [f"modules/{name}/{name}.php" for name in names]
    assert [each["error"] for each in ran.told("error")] == ["HookFailed"] * (code != 0)
    assert [(each["script"], each["status"], each["exit"]) for each in ran.told("hook")] == [("10.sh", "failed", 3)]


@pytest.mark.rule("Schema, `cache.file`")
@pytest.mark.parametrize(
    ("config", "file", "source"),
    [({}, ".tool-cache.json", "built-in"), ({"file": "./b/c.json"}, "./b/c.json", "tool.config.json:3:11")],
)
def test_the_cache_file_is_decided(project: Project, config: Any, file: str, source: str) -> None:
    """`cache.file` says where a cache is kept; the default is `.tool-cache.json`."""
    project.write("tool.config.json", json.dumps({"cache": config}, indent=1))
    project.module("shop_a")
    decided = project.create(".").decided["cache.file"]
    assert decided["value"] == file
    assert decided["source"] == source
    assert (project.root / file).is_file()


@pytest.mark.rule("Schema, `cache.enabled`")
def test_a_disabled_cache_is_not_used(project: Project) -> None:
    """With `cache.enabled` `false` no cache is written, and one that is there is left as it is."""
    project.module("shop_a")
    project.write(".tool-cache.json", "no cache")
    project.write("tool.config.json", {"cache": {"enabled": False, "file": "other.json"}})
    first = project.create(".")
    second = project.create(".", "--cache-file=.tool-cache.json")
    assert first.code == 0
    assert second.code == 0
    assert not (project.root / "other.json").exists()
    assert (project.root / ".tool-cache.json").read_text(encoding="utf-8") == "no cache"
    assert [each["code"] for each in second.told("warning")] == []


@pytest.mark.rule("Schema, minimal file")
def test_a_minimal_file_names_a_theme_and_a_preset(project: Project) -> None:
    """A file of `schema`, `theme` and `presets` is valid: that theme is built and that preset applies."""
    project.theme("harbour")
    project.theme("meadow")
    project.write("tool.config.json", '{ "schema": 1, "theme": "harbour", "presets": ["ci"] }')
    ran = project.create(".")
    assert ran.code == 0
    assert sorted(project.tree) == ["themes/harbour/config/theme.yml", "themes/harbour/index.php"]
    assert ran.decided["presets"]["value"] == ["ci"]
    assert ran.decided["cache.enabled"]["source"] == "preset:ci"


@pytest.mark.rule("Schema, pinned file")
def test_a_file_may_pin_the_whole_selection(project: Project) -> None:
    """A file may pin the theme and every list of modules and opt out of presets."""
    project.theme("harbour")
    for name in ("shop_a", "shop_b", "shop_c", "blog"):
        project.module(name)
    modules = {"include": [], "exclude": ["*_c"], "only": ["shop_b", "shop_c"]}
    project.write("tool.config.json", {"schema": 1, "theme": "harbour", "presets": [], "modules": modules})
    ran = project.create(".", env={"CI": "true"})
    assert ran.code == 0
    assert sorted(project.tree) == [
        "modules/shop_b/shop_b.php",
        "themes/harbour/config/theme.yml",
        "themes/harbour/index.php",
    ]
    pinned = ("theme", "presets", "modules.include", "modules.exclude", "modules.only")
    decided = [ran.decided[path] for path in pinned]
    assert [each["value"] for each in decided] == ["harbour", [], [], ["*_c"], ["shop_b", "shop_c"]]
    assert {each["layer"] for each in decided} == {"config"}


@pytest.mark.rule("Schema, inline file")
def test_a_package_json_holds_the_same_object(project: Project) -> None:
    """The object under the key `tool` of a `package.json`, beside the usual fields, is read like a file of its own."""
    project.theme("harbour")
    project.module("shop_a")
    project.module("shop_b")
    config = {"schema": 1, "theme": "harbour", "presets": ["ci"], "modules": {"exclude": ["*_b"]}}
    decisions = []
    for name, content in (("own.json", config), ("package.json", {"name": "shop", "version": "1.0.0", "tool": config})):
        project.write(name, content)
        ran = project.create(".", "--dry-run", f"--config={name}")
        assert ran.code == 0
        decisions.append({path: (each["value"], each["layer"]) for path, each in ran.decided.items()})
    ran = project.create(".")
    assert decisions[0] == decisions[1]
    assert ran.code == 0
    assert sorted(project.tree) == [
        "modules/shop_a/shop_a.php",
        "themes/harbour/config/theme.yml",
        "themes/harbour/index.php",
    ]
