"""The element `"..."` in lists, by the real command (`docs/configuration.md`, Add to a list)."""

from tests.support.project import Project


def test_every_layer_adds_to_the_next(project: Project) -> None:
    """Flag, variable, configuration and presets each extend the list below them; the log has the
    layer of each item.
    """
    for name in "abcdefg":
        project.module(name)
    project.write("one.json", '{"modules": {"exclude": ["a"]}}')
    project.write("two.json", '{"exclude": ["...", "b"]}')
    project.write(
        "tool.config.json",
        (
            '{"presets": ["./one.json", "./two.json"],\n "modules": {"exclude": ["c", "..."]}, '
            '"exclude": ["...", "d"]}'
        ),
    )
    ran = project.create(
        ".", "--exclude=a", "--exclude=...", "--exclude=f", env={"TOOL_MODULES_EXCLUDE": "...,e"}
    )
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
    assert [each["name"] for each in ran.reported("component")] == ["g"]
