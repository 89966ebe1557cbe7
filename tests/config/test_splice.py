"""The element `"..."` in lists, by the real command (`docs/configuration.md`, Add to a list)."""

import json

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


def test_the_legacy_file_is_read_tolerantly(project: Project) -> None:
    """In the 0.x file a second one is left out with a warning, and lifting keeps the first."""
    project.write(".tool.json", {"excludeModules": ["...", "a", "..."]})
    ran = project.create(".")
    assert ran.code == 0
    assert ran.decided["modules.exclude"]["value"] == ["a"]
    assert "legacy-key" in [each["code"] for each in ran.reported("warning")]
    assert json.loads((project.root / ".tool.json").read_text()) == {"schema": 1, "modules": {"exclude": ["...", "a"]}}
