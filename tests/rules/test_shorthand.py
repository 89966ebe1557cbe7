"""Shorthand: `exclude` at the top level of a configuration."""

import re
from typing import Any

import pytest

from tests.support.project import Project, Ran


def drop(project: Project) -> None:
    """Put four modules into the drop."""
    for name in ("shop_a", "shop_b", "shop_c", "blog"):
        project.module(name)


def built(ran: Ran) -> list[str]:
    """The modules that a run selected."""
    assert ran.code == 0, ran.err
    return sorted(each["name"] for each in ran.told("archive") if each["selected"])


def decision(value: Any, layer: str, source: str, *overridden: dict[str, Any]) -> dict[str, Any]:
    """The whole decision about `modules.exclude`."""
    default = {"layer": "default", "source": "built-in", "value": []}
    assignment = {"value": value, "layer": layer, "source": source, "overridden": [*overridden, default]}
    return {"event": "decision", "path": "modules.exclude", **assignment}


@pytest.mark.rule("Schema, `exclude`", "Shorthand, rule 1")
def test_the_shorthand_is_merged_into_modules_exclude(project: Project) -> None:
    """`exclude` is appended to `modules.exclude` of the same file, its own first, without what comes twice."""
    drop(project)
    project.write("tool.config.json", '{"exclude": ["shop_b", "blog"], "modules": {"exclude": ["shop_a", "blog"]}}')
    ran = project.create()
    assert built(ran) == ["shop_c"]
    expected = decision(["shop_a", "blog", "shop_b"], "config", "tool.config.json:1:56")
    assert ran.decided["modules.exclude"] == expected


@pytest.mark.rule("Shorthand, rule 2")
def test_the_shorthand_is_merged_before_flags(project: Project) -> None:
    """What a flag overrides is the merged list: the shorthand is folded in before flags are applied."""
    drop(project)
    project.write("tool.config.json", '{"exclude": ["shop_b"], "modules": {"exclude": ["shop_a"]}}')
    ran = project.create("--exclude=blog")
    assert built(ran) == ["shop_a", "shop_b", "shop_c"]
    merged = {"layer": "config", "source": "tool.config.json:1:48", "value": ["shop_a", "shop_b"]}
    assert ran.decided["modules.exclude"] == decision(["blog"], "flag", "--exclude", merged)


@pytest.mark.rule("Shorthand, rule 3")
def test_the_flag_is_independent_of_the_shorthand(project: Project) -> None:
    """`--exclude` is no shorthand: it replaces what the config excludes, in either spelling, and wins."""
    drop(project)
    project.write("tool.config.json", {"exclude": ["shop_*"]})
    ran = project.create("--exclude=blog", "--exclude=shop_a")
    assert built(ran) == ["shop_b", "shop_c"]
    assert sorted(project.tree) == ["modules/shop_b/shop_b.php", "modules/shop_c/shop_c.php"]
    lost = {"layer": "config", "source": "tool.config.json:1:13", "value": ["shop_*"]}
    assert ran.decided["modules.exclude"] == decision(["blog", "shop_a"], "flag", "--exclude", lost)


@pytest.mark.rule("Shorthand, rule 3")
def test_the_shorthand_exists_in_files_only(project: Project) -> None:
    """The shorthand is no setting: no decision is told about it, and no variable sets it."""
    drop(project)
    ran = project.create(env={"TOOL_EXCLUDE": "shop_*"})
    assert built(ran) == ["blog", "shop_a", "shop_b", "shop_c"]
    assert "exclude" not in ran.decided
    assert ran.decided["modules.exclude"]["layer"] == "default"


@pytest.mark.rule("Shorthand, rule 4")
def test_the_shorthand_loads_as_modules_exclude(project: Project) -> None:
    """`{schema, exclude: […]}` loads as `{schema, modules: {exclude: […]}}`: all but the place is the same."""
    drop(project)
    short = {"schema": 1, "exclude": ["shop_*", "b*"]}
    full = {"schema": 1, "modules": {"exclude": ["shop_*", "b*"]}}
    told = []
    for content in (short, full):
        project.write("tool.config.json", content)
        ran = project.create("--dry-run")
        assert built(ran) == []
        place = ran.decided["modules.exclude"]["source"]
        assert ran.decided["modules.exclude"] == decision(["shop_*", "b*"], "config", place)
        told.append(re.sub(r"tool\.config\.json:1:\d+", "place", str(ran.events)))
    assert told[0] == told[1]


@pytest.mark.rule("Shorthand, rule 1")
def test_the_shorthand_of_a_preset_is_its_own(project: Project) -> None:
    """A preset may use the shorthand too; it is merged into the preset's list, not into the config's."""
    drop(project)
    project.write("tool.config.json", '{"presets": ["./preset.json"], "exclude": ["shop_a"]}')
    project.write("preset.json", '{"exclude": ["shop_b"]}')
    ran = project.create()
    lost = {"layer": "preset", "source": "preset.json:1:13", "value": ["shop_b"]}
    assert ran.decided["modules.exclude"] == decision(["shop_a"], "config", "tool.config.json:1:43", lost)
    assert built(ran) == ["blog", "shop_b", "shop_c"]
