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
    ran = project.create(".")
    assert built(ran) == ["shop_c"]
    expected = decision(["shop_a", "blog", "shop_b"], "config", "tool.config.json:1:56")
    assert ran.decided["modules.exclude"] == expected


@pytest.mark.rule("Shorthand, rule 2", "Shorthand, rule 3")
def test_the_shorthand_is_merged_before_flags(project: Project) -> None:
    """The flag `--exclude` is no shorthand: it replaces the list into which the shorthand was merged."""
    drop(project)
    project.write("tool.config.json", '{"exclude": ["shop_b"], "modules": {"exclude": ["shop_a"]}}')
    ran = project.create(".", "--exclude=blog")
    assert built(ran) == ["shop_a", "shop_b", "shop_c"]
    merged = {"layer": "config", "source": "tool.config.json:1:48", "value": ["shop_a", "shop_b"]}
    assert ran.decided["modules.exclude"] == decision(["blog"], "flag", "--exclude", merged)


@pytest.mark.rule("Shorthand, rule 4")
def test_the_shorthand_loads_as_modules_exclude(project: Project) -> None:
    """`{schema, exclude: […]}` loads as `{schema, modules: {exclude: […]}}`: all but the place is the same."""
    drop(project)
    short = {"schema": 1, "exclude": ["shop_*", "b*"]}
    full = {"schema": 1, "modules": {"exclude": ["shop_*", "b*"]}}
    told = []
    for content in (short, full):
        project.write("tool.config.json", content)
        ran = project.create(".", "--dry-run")
        assert built(ran) == []
        place = ran.decided["modules.exclude"]["source"]
        assert ran.decided["modules.exclude"] == decision(["shop_*", "b*"], "config", place)
        told.append(re.sub(r"tool\.config\.json:1:\d+", "place", str(ran.events)))
    assert told[0] == told[1]
