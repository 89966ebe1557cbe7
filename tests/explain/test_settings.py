"""Why a setting has its value, and what would change it (`docs/explain.md`)."""

import pytest

from pipeline.explain.advice import Change, ChangeStep, SettingEffect
from pipeline.explain.changes import Case
from pipeline.explain.document import ElementRow, LayerValue, SettingPart
from pipeline.explain.settings import TRIED_LIMIT, explain_setting
from pipeline.schema import Value
from tests.support.cases import SETTING, case_of


def explained(path: str, case: Case) -> SettingPart:
    """The explanation of the setting at a path."""
    return explain_setting(SETTING[path], case)


def changes(part: SettingPart) -> list[list[ChangeStep]]:
    """For each layer of a part below the winner, the steps that let it decide; nothing if nothing does."""
    return [list(layer.change.steps) if layer.change else [] for layer in part.layers[1:]]


def test_five_layers() -> None:
    """The winner comes first; each loser has its place, why it lost, and the smallest change that lets it win."""
    case = case_of(
        '{"presets": ["./p.json"],\n "theme": "c"}',
        {"p.json": '{"theme": "p"}'},
        {"TOOL_THEME": "e"},
        {"theme": "f"},
    )

    def passed(value: str) -> Change:
        return Change(
            (ChangeStep("pass", "--theme", value=value),), (SettingEffect("theme", value, "flag", "--theme"),)
        )

    left_out = Change((ChangeStep("omit", "--theme"),), (SettingEffect("theme", "e", "env", "TOOL_THEME"),))
    assert explained("theme", case) == SettingPart(
        path="theme",
        value="f",
        meaning=SETTING["theme"].meaning,
        flag="--theme",
        variable="TOOL_THEME",
        layers=(
            LayerValue("flag", "--theme", "f", wins=True),
            LayerValue("env", "TOOL_THEME", "e", False, because="`flag` overrides `env`", change=left_out),
            LayerValue(
                "config", "tool.config.json:2:11", "c", False, because="`flag` overrides `config`", change=passed("c")
            ),
            LayerValue("preset", "p.json:1:11", "p", False, because="`flag` overrides `preset`", change=passed("p")),
            LayerValue(
                "default", "built-in", "auto", False, because="`flag` overrides `default`", change=passed("auto")
            ),
        ),
    )


@pytest.mark.parametrize(
    ("environ", "flags", "step"),
    [
        ({}, {"theme": "f"}, ChangeStep("omit", "--theme")),
        ({"TOOL_THEME": "e"}, {}, ChangeStep("unset", "TOOL_THEME")),
    ],
)
def test_what_is_above_a_layer_can_be_taken_away(
    environ: dict[str, str], flags: dict[str, Value], step: ChangeStep
) -> None:
    """A flag is left out, a variable unset."""
    assert changes(explained("theme", case_of(None, {}, environ, flags))) == [[step]]


@pytest.mark.parametrize(
    ("name", "text", "steps"),
    [
        (
            "tool.config.json",
            '{"exclude": ["a"], "modules": {"exclude": ["b"]}}',
            [
                ChangeStep("delete", "tool.config.json:1:42", "modules.exclude"),
                ChangeStep("delete", "tool.config.json:1:13", "exclude"),
            ],
        ),
        ("tool.config.json", '{"exclude": ["a"]}', [ChangeStep("delete", "tool.config.json:1:13", "exclude")]),
        (
            "package.json",
            '{"name": "x", "tool": {"exclude": ["a"]}}',
            [ChangeStep("delete", "package.json:1:35", "exclude")],
        ),
        (
            ".tool.json",
            '{"excludeModules": ["a"], "x": 1}',
            [ChangeStep("delete", ".tool.json:1:20", "excludeModules")],
        ),
    ],
)
def test_a_list_is_deleted_wherever_it_was_written(name: str, text: str, steps: list[ChangeStep]) -> None:
    """The steps name every place from which the list came: the shorthand, the key of a package, a 0.x key.

    Where that takes more than one step, to pass a flag is less.
    """
    ways = changes(explained("modules.exclude", case_of(text, name=name)))
    assert ways == [steps if len(steps) == 1 else [ChangeStep("pass", "--exclude", value=())]]


def test_presets_over_presets() -> None:
    """A later preset overrides an earlier one; what a bundled preset says cannot be deleted, but overridden."""
    case = case_of({"presets": ["./p.json", "ci"]}, {"p.json": '{"cache": {"enabled": true}}'})
    part = explained("cache.enabled", case)
    assert [(each.layer, each.source, each.because) for each in part.layers] == [
        ("preset", "preset:ci", ""),
        ("preset", "p.json:1:23", "a later preset overrides an earlier one, and `preset:ci` comes later"),
        ("default", "built-in", "`preset` overrides `default`"),
    ]
    assert changes(part) == [[ChangeStep("pass", "--cache", value=True)], [ChangeStep("pass", "--cache", value=True)]]


def test_a_preset_in_a_package() -> None:
    """What an installed package says is not deleted there, since the next install brings it back, but overridden."""
    preset = "node_modules/team/p.json"
    case = case_of({"presets": [f"./{preset}"]}, {preset: {"hooks": {"onFailure": "fail"}, "exclude": ["a", "b"]}})
    assert changes(explained("hooks.onFailure", case)) == [[ChangeStep("pass", "--on-failure", value="continue")]]
    elements = explained("modules.exclude", case).elements
    assert [list(row.change.steps) for row in elements if row.change] == [
        [ChangeStep("pass", "--exclude", value=("b",))],
        [ChangeStep("pass", "--exclude", value=("a",))],
    ]


def test_a_preset_that_applies_twice() -> None:
    """What would take away the later one takes away the earlier, too: so nothing lets that one decide."""
    case = case_of({"presets": ["./p.json", "./p.json"], "theme": "c"}, {"p.json": {"theme": "p"}})
    default = [ChangeStep("pass", "--theme", value="auto")]
    deleted = [ChangeStep("delete", "tool.config.json:1:48", "theme")]
    assert changes(explained("theme", case)) == [deleted, [], default]


def test_what_would_change_nothing_is_not_told() -> None:
    """A layer that says the same as the one that decides has no change."""
    part = explained("theme", case_of({"theme": "auto"}))
    assert [(each.value, each.change) for each in part.layers] == [("auto", None), ("auto", None)]


def test_a_change_tells_everything_that_comes_of_it() -> None:
    """Without its presets a run has other values, too: the setting's own comes first."""
    case = case_of({"presets": ["./p.json"]}, {"p.json": {"theme": "p", "cache": {"enabled": False}}})
    assert explained("presets", case).layers[1].change == Change(
        (ChangeStep("delete", "tool.config.json:1:13", "presets"),),
        (
            SettingEffect("presets", "auto", "default", "built-in"),
            SettingEffect("theme", "auto", "default", "built-in"),
            SettingEffect("cache.enabled", True, "default", "built-in"),
        ),
    )


def test_a_change_that_fails_is_not_told() -> None:
    """Neither is one that would make another list fail: a preset that is found in the folder only."""
    case = case_of({"presets": ["team"], "presetsSearchPath": ["./presets"]}, {"presets/team.json": {}})
    part = explained("presetsSearchPath", case)
    assert (part.layers[1].change, part.elements[0].change) == (None, None)


def test_the_elements_of_a_list() -> None:
    """Each element has who wrote it, in the order of the value, and what takes out it alone."""
    case = case_of(
        '{"exclude": ["...", "c"], "presets": ["./p.json"]}',
        {"p.json": {"exclude": ["p"]}},
        {"TOOL_MODULES_EXCLUDE": "...,e,x y"},
        {"modules.exclude": ("f", "...")},
    )
    part = explained("modules.exclude", case)
    assert part.value == ("f", "p", "c", "e", "x y")
    assert [(each.layer, each.extended) for each in part.layers] == [
        ("flag", False),
        ("env", True),
        ("config", True),
        ("preset", True),
        ("default", False),
    ]
    assert [(each.value, each.layer, each.source, each.change and each.change.steps) for each in part.elements] == [
        ("f", "flag", "--exclude", (ChangeStep("omit", "--exclude", value="f"),)),
        ("p", "preset", "p.json:1:14", (ChangeStep("delete", "p.json:1:14", "exclude[0]", "p"),)),
        ("c", "config", "tool.config.json:1:21", (ChangeStep("delete", "tool.config.json:1:21", "exclude[1]", "c"),)),
        ("e", "env", "TOOL_MODULES_EXCLUDE", (ChangeStep("set", "TOOL_MODULES_EXCLUDE", value="...,x y"),)),
        ("x y", "env", "TOOL_MODULES_EXCLUDE", (ChangeStep("set", "TOOL_MODULES_EXCLUDE", value="...,e"),)),
    ]


def test_a_flag_that_is_passed_once() -> None:
    """Without its only value the flag is not passed at all, and the layers below decide."""
    (element,) = explained("modules.only", case_of(flags={"modules.only": ("a",)})).elements
    assert element.change == Change(
        (ChangeStep("omit", "--only", value="a"),), (SettingEffect("modules.only", (), "default", "built-in"),)
    )


def test_a_list_in_a_variable_that_commas_cannot_write() -> None:
    """What stays in a variable is written as a JSON array where an element has a comma; the last one is unset."""
    case = case_of(None, {}, {"TOOL_MODULES_ONLY": '["a", "b,c"]', "TOOL_MODULES_EXCLUDE": "x"})
    first, _ = explained("modules.only", case).elements
    assert first.change == Change(
        (ChangeStep("set", "TOOL_MODULES_ONLY", value='["b,c"]'),),
        (SettingEffect("modules.only", ("b,c",), "env", "TOOL_MODULES_ONLY"),),
    )
    (only,) = explained("modules.exclude", case).elements
    assert only.change == Change(
        (ChangeStep("unset", "TOOL_MODULES_EXCLUDE"),), (SettingEffect("modules.exclude", (), "default", "built-in"),)
    )


def test_an_element_of_a_variable_that_looks_like_json() -> None:
    """What stays is written as a JSON array, too, if it would be taken for one otherwise."""
    part = explained("modules.only", case_of(environ={"TOOL_MODULES_ONLY": "a,[b]*"}))
    assert [each.change.steps if each.change else None for each in part.elements] == [
        (ChangeStep("set", "TOOL_MODULES_ONLY", value='["[b]*"]'),),
        (ChangeStep("set", "TOOL_MODULES_ONLY", value="a"),),
    ]


def test_an_element_that_a_file_has_twice() -> None:
    """Each place of it is deleted, the last first, so that the others stay where they are."""
    part = explained("modules.only", case_of('{"modules": {"only": ["a", "b", "a"]}}'))
    assert [each.change.steps if each.change else None for each in part.elements[:1]] == [
        (
            ChangeStep("delete", "tool.config.json:1:33", "modules.only[2]", "a"),
            ChangeStep("delete", "tool.config.json:1:23", "modules.only[0]", "a"),
        )
    ]


def test_an_element_that_a_file_has_without_a_list() -> None:
    """The 0.x file may name one preset as a string, out of which nothing can be taken: a flag overrides it."""
    (element,) = explained("presets", case_of({"preset": "ci"}, name=".tool.json")).elements
    assert element.change is not None
    assert element.change.steps == (ChangeStep("pass", "--preset", value=()),)


def test_detected_presets() -> None:
    """A preset that was detected has what it was detected by; `ci` goes without the variable `CI`."""
    case = case_of({"presetsSearchPath": ["."]}, {"default.json": {}}, {"CI": "1"})
    part = explained("presets", case)
    assert (part.value, part.detected) == ("auto", ("default", "ci"))
    effects = (
        SettingEffect("presets", ("default",), "default", "built-in"),
        SettingEffect("hooks.onFailure", "continue", "default", "built-in"),
        SettingEffect("cache.enabled", True, "default", "built-in"),
    )
    assert part.elements == (
        ElementRow(
            "default",
            "default",
            "default.json",
            Change(
                (ChangeStep("pass", "--preset", value=("ci",)),),
                (SettingEffect("presets", ("ci",), "flag", "--preset"),),
            ),
        ),
        ElementRow("ci", "default", "CI", Change((ChangeStep("unset", "CI"),), effects)),
    )


def test_values_that_no_layer_has() -> None:
    """Where there are only a few values, the flag for each that no layer has is told."""
    case = case_of()
    assert [part.changes for part in (explained("cache.enabled", case), explained("theme", case))] == [
        (
            Change(
                (ChangeStep("pass", "--no-cache", value=False),),
                (SettingEffect("cache.enabled", False, "flag", "--no-cache"),),
            ),
        ),
        (),
    ]


def test_long_lists() -> None:
    """Of a very long list the first elements have their change, and all of them their assignment."""
    part = explained(
        "modules.only", case_of({"modules": {"only": [f"m{number}" for number in range(TRIED_LIMIT + 1)]}})
    )
    assert [each.change is None for each in part.elements] == [False] * TRIED_LIMIT + [True]
