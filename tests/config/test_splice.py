"""The element `"..."` in lists, by the real command (`docs/configuration.md`, Add to a list)."""

import json

import pytest

from tests.support.project import Project, Ran


def built(ran: Ran) -> list[str]:
    """The modules that are built."""
    return [each["name"] for each in ran.reported("component")]


def test_every_layer_adds_to_the_next(project: Project) -> None:
    """Flag, variable, configuration and presets each extend the list below; the log has the source of each item."""
    for name in "abcdefg":
        project.module(name)
    project.write("one.json", '{"modules": {"exclude": ["a"]}}')
    project.write("two.json", '{"exclude": ["...", "b"]}')
    project.write(
        "tool.config.json",
        '{"presets": ["./one.json", "./two.json"],\n "modules": {"exclude": ["c", "..."]}, "exclude": ["...", "d"]}',
    )
    ran = project.create(".", "--exclude=a", "--exclude=...", "--exclude=f", env={"TOOL_MODULES_EXCLUDE": "...,e"})
    decision = ran.decided["modules.exclude"]
    assert decision["value"] == ["a", "c", "b", "d", "e", "f"]
    assert decision["written"] == ["a", "...", "f"]
    assert [(each["value"], each["source"]) for each in decision["elements"]] == [
        ("a", "--exclude"),
        ("c", "tool.config.json:2:26"),
        ("b", "two.json:1:21"),
        ("d", "tool.config.json:2:59"),
        ("e", "TOOL_MODULES_EXCLUDE"),
        ("f", "--exclude"),
    ]
    assert [(each["value"], each.get("extended", False)) for each in decision["overridden"]] == [
        (["...", "e"], True),
        (["c", "...", "d"], True),
        (["...", "b"], True),
        (["a"], True),
        ([], False),
    ]
    assert built(ran) == ["g"]


def test_a_flag_that_adds_leaves_the_exceptions_of_the_configuration(project: Project) -> None:
    """What a configuration includes against its own `exclude` stays in when a flag adds to that `exclude`."""
    for name in ("shop_a", "shop_b", "blog"):
        project.module(name)
    project.write("tool.config.json", {"exclude": ["shop_*"], "modules": {"include": ["shop_b"]}})
    assert built(project.create(".", "--dry-run", "--exclude=...", "--exclude=blog")) == ["shop_b"]
    assert built(project.create(".", "--dry-run", "--exclude=...", "--exclude=shop_b")) == ["blog"]


def test_presets_may_be_added_to_those_that_are_detected(project: Project) -> None:
    """In `presets` the element stands for what is detected, or for what a layer below lists."""
    project.write("presets/default.json", {"theme": "none"})
    project.write("more.json", {"cache": {"file": "c"}})
    project.write("tool.config.json", {"presetsSearchPath": ["presets"]})
    ran = project.create(".", "--dry-run", "--preset=...", "--preset=./more.json", "--preset=ci", env={"CI": "true"})
    decision = ran.decided["presets"]
    assert (decision["value"], decision["detected"]) == (["default", "./more.json", "ci"], ["default", "ci"])
    assert [each["source"] for each in decision["elements"]] == ["presets/default.json", "--preset", "--preset"]
    assert ran.decided["theme"]["source"] == "presets/default.json:1:11"
    assert ran.decided["hooks.onFailure"]["source"] == "preset:ci"
    assert ran.decided["cache.file"]["source"] == "more.json:1:20"
    again = project.create(".", "--dry-run", "--preset=auto", env={"TOOL_PRESETS": "none", "CI": "1"}).decided[
        "presets"
    ]
    assert (again["value"], again["layer"], again["detected"]) == ("auto", "flag", ["default", "ci"])
    low = project.create(".", "--dry-run", "--preset=...", env={"TOOL_PRESETS": "none", "CI": "1"}).decided["presets"]
    assert (low["value"], low.get("detected")) == (["none"], None)


def test_a_preset_that_is_added_again_gets_the_higher_rank(project: Project) -> None:
    """A preset that a layer adds to a list which has it already applies at its last place, over the others."""
    project.write("presets/default.json", {"theme": "none", "cache": {"file": "default"}})
    project.write("strict.json", {"cache": {"file": "strict"}})
    project.write("tool.config.json", {"presetsSearchPath": ["presets"], "presets": ["...", "./strict.json"]})
    below = project.create(".", "--dry-run").decided
    assert (below["presets"]["value"], below["cache.file"]["value"]) == (["default", "./strict.json"], "strict")
    above = project.create(".", "--dry-run", "--preset=...", "--preset=default").decided
    assert (above["presets"]["value"], above["cache.file"]["value"]) == (["./strict.json", "default"], "default")
    over = project.create(
        ".", "--dry-run", "--preset=...", "--preset=default", env={"TOOL_PRESETS": "default,ci"}
    ).decided
    assert over["presets"]["value"] == ["ci", "default"]


def test_folders_stay_relative_to_where_each_is_written(project: Project) -> None:
    """A search path that is put together finds presets beside the file and beside the current folder."""
    project.write("tool.config.json", {"presetsSearchPath": ["lib"]})
    project.write("lib/one.json", {"theme": "none"})
    project.write("sub/lib/two.json", {"cache": {"file": "c"}})
    ran = project.create(
        ".",
        *("--dry-run", "--presets-search-path=...", "--presets-search-path=lib", "--preset=one", "--preset=two"),
        cwd="sub",
    )
    assert ran.code == 0
    assert ran.decided["presetsSearchPath"]["value"] == ["lib", "lib"]
    assert ran.decided["theme"]["source"] == "../lib/one.json:1:11"
    assert ran.decided["cache.file"]["source"] == "lib/two.json:1:20"


@pytest.mark.parametrize(
    ("config", "args", "path", "location"),
    [
        ('{"exclude": ["...", "a", "..."]}', (), "exclude[2]", "tool.config.json:1:26"),
        ('{"modules": {"only": ["...", "..."]}}', (), "modules.only[1]", "tool.config.json:1:30"),
        ("{}", ("--include=...", "--include=..."), "modules.include", "--include"),
    ],
)
def test_a_second_one_is_an_error(
    project: Project, config: str, args: tuple[str, ...], path: str, location: str
) -> None:
    """A list that has the element twice ends in 65, with the place of the second."""
    project.write("tool.config.json", config)
    ran = project.create(".", *args)
    (error,) = ran.reported("error")
    assert (ran.code, error["error"], error["path"], error["source"]) == (65, "SchemaValidationError", path, location)


def test_the_legacy_file_is_read_tolerantly(project: Project) -> None:
    """In the 0.x file a second one is left out with a warning, and lifting keeps the first."""
    project.write(".tool.json", {"excludeModules": ["...", "a", "..."]})
    ran = project.create(".")
    assert ran.code == 0
    assert ran.decided["modules.exclude"]["value"] == ["a"]
    assert "legacy-key" in [each["code"] for each in ran.reported("warning")]
    assert json.loads((project.root / ".tool.json").read_text()) == {"schema": 1, "modules": {"exclude": ["...", "a"]}}


def test_init_writes_it(project: Project) -> None:
    """An answer or a flag of `tool init` may have the element once."""
    ran = project.run("init", "--yes", "--exclude=...", "--exclude=a", "--preset=...", "--preset=ci")
    assert ran.code == 0
    assert json.loads((project.root / "tool.config.json").read_text()) == {
        "schema": 1,
        "modules": {"exclude": ["...", "a"]},
        "presets": ["...", "ci"],
    }
    ran = project.run("init", "--yes", "--force", "--exclude=...", "--exclude=...", "--log-format=json")
    assert (ran.code, "modules.exclude" in ran.err) == (65, True)
