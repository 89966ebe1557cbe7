"""Why a setting has its value, and how to change it (`docs/configuration.md`)."""

from typing import Any

import pytest

from pipeline.explain.document import LayerValue, SettingPart
from pipeline.explain.settings import explain_setting
from pipeline.report.events import ListElement
from tests.support.cases import SETTING, Case, case_of


def explained(path: str, case: Case) -> SettingPart:
    """The explanation of the setting at a path."""
    return explain_setting(SETTING[path], case.settings.decision(path))


def test_five_layers() -> None:
    """The winner comes first; each other layer has its value, its location and what overrides it."""
    files = {"p.json": '{"theme": "p"}'}
    case = case_of('{"presets": ["./p.json"],\n "theme": "c"}', files, {"TOOL_THEME": "e"}, {"theme": "f"})
    assert explained("theme", case) == SettingPart(
        path="theme",
        value="f",
        meaning=SETTING["theme"].meaning,
        flag="--theme",
        variable="TOOL_THEME",
        layers=(
            LayerValue("flag", "--theme", "f", wins=True),
            LayerValue("env", "TOOL_THEME", "e", False, because="`flag` overrides `env`"),
            LayerValue("config", "tool.config.json:2:11", "c", False, because="`flag` overrides `config`"),
            LayerValue("preset", "p.json:1:11", "p", False, because="`flag` overrides `preset`"),
            LayerValue("default", "built-in", "auto", False, because="`flag` overrides `default`"),
        ),
        advice="pass another value, or leave out `--theme`",
    )


@pytest.mark.parametrize(
    ("case", "advice"),
    [
        ({"flags": {"cache.enabled": False}}, "pass another value, or leave out `--no-cache`"),
        (
            {"environ": {"TOOL_CACHE_ENABLED": "1"}},
            "set `TOOL_CACHE_ENABLED` to another value or unset it; `--cache` or `--no-cache` overrides it",
        ),
        (
            {"config": {"cache": {"enabled": False}}},
            "edit tool.config.json:1:23; `--cache` or `--no-cache` and `TOOL_CACHE_ENABLED` override it for one run",
        ),
        (
            {"config": {"presets": ["ci"]}},
            "set `cache.enabled` in the configuration file; `--cache` or `--no-cache` and `TOOL_CACHE_ENABLED` "
            "override it for one run",
        ),
        (
            {},
            "set `cache.enabled` in the configuration file; `--cache` or `--no-cache` and `TOOL_CACHE_ENABLED` "
            "override it for one run",
        ),
    ],
)
def test_the_advice_of_each_layer(case: dict[str, Any], advice: str) -> None:
    """The layer that assigns the value says where to change it."""
    assert explained("cache.enabled", case_of(**case)).advice == advice


def test_presets_over_presets() -> None:
    """A later preset overrides an earlier one."""
    case = case_of({"presets": ["./p.json", "ci"]}, {"p.json": '{"cache": {"enabled": true}}'})
    assert [(each.layer, each.source, each.because) for each in explained("cache.enabled", case).layers] == [
        ("preset", "preset:ci", ""),
        ("preset", "p.json:1:23", "the later preset `preset:ci` overrides it"),
        ("default", "built-in", "`preset` overrides `default`"),
    ]


def test_the_elements_of_a_list() -> None:
    """Each element has the layer that wrote it, in the order of the value."""
    case = case_of(
        '{"exclude": ["...", "c"], "presets": ["./p.json"]}',
        {"p.json": {"exclude": ["p"]}},
        {"TOOL_MODULES_EXCLUDE": "...,e"},
        {"modules.exclude": ("f", "...")},
    )
    part = explained("modules.exclude", case)
    assert [(each.layer, each.extended) for each in part.layers] == [
        ("flag", False),
        ("env", True),
        ("config", True),
        ("preset", True),
        ("default", False),
    ]
    assert part.elements == (
        ListElement("f", "flag", "--exclude"),
        ListElement("p", "preset", "p.json:1:14"),
        ListElement("c", "config", "tool.config.json:1:21"),
        ListElement("e", "env", "TOOL_MODULES_EXCLUDE"),
    )


def test_detected_presets() -> None:
    """A preset that was detected has what it was detected by."""
    case = case_of({"presetsSearchPath": ["."]}, {"default.json": {}}, {"CI": "1"})
    part = explained("presets", case)
    assert (part.value, part.detected) == ("auto", ("default", "ci"))
    assert part.elements == (ListElement("default", "default", "default.json"), ListElement("ci", "default", "CI"))
