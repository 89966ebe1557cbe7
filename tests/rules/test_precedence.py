"""Precedence: which of the five layers sets a setting."""

import json
from collections.abc import Iterable
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from pipeline.schema import NOT_IN_PRESETS, SETTINGS, Setting
from tests.support.project import Project, Ran

LAYERS = ("flag", "env", "config", "preset", "default")
FILES = {"config": "tool.config.json", "preset": "./preset.json"}


def value_of(rank: int, setting: Setting) -> Any:
    """A value for each setting that differs from that of the rank below; that of rank 0 differs from the default."""
    match setting.type:
        case "choice":
            return setting.choices[1 - rank % 2]
        case "boolean":
            return rank % 2 == 1
        case "strings" if setting.path == "presets":
            return [FILES["preset"]] * (rank + 1)
        case "strings":
            return [f"{setting.name}_{rank}_a", f"{setting.name}_{rank}_b*"]
        case _:
            return f"{setting.name}_{rank}"


def may_set(layer: str, setting: Setting) -> bool:
    """Tell whether a layer may set a setting: a preset chooses no presets."""
    return layer != "preset" or setting.path not in NOT_IN_PRESETS


def text_of(values: dict[Setting, Any]) -> str:
    """Write a file that sets settings, each on a line of its own."""
    data: dict[str, Any] = {}
    for setting, value in values.items():
        *outer, last = setting.keys
        inner = data
        for key in outer:
            inner = inner.setdefault(key, {})
        inner[last] = value
    return json.dumps(data, indent=2)


def place(text: str, setting: Setting) -> str:
    """The line and column of a setting's value in such a text."""
    offset = 0
    for key in setting.keys:
        offset = text.index(f'"{key}": ', offset) + len(f'"{key}": ')
    return f"{text.count(chr(10), 0, offset) + 1}:{offset - text.rfind(chr(10), 0, offset)}"


def flags(setting: Setting, value: Any) -> list[str]:
    """The flags that set a setting: a list's is repeated, a boolean's has a negative."""
    match value:
        case bool():
            return [setting.flag if value else f"--no-{setting.flag.removeprefix('--')}"]
        case list():
            return [f"{setting.flag}={item}" for item in value]
        case _:
            return [f"{setting.flag}={value}"]


def variable(value: Any) -> str:
    """The text of the variable that sets a setting."""
    return ",".join(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else value


def default(setting: Setting) -> Any:
    """The built-in value of a setting, as JSON has it."""
    return list(setting.default) if isinstance(setting.default, tuple) else setting.default


def run(project: Project, layers: Iterable[str], settings: Iterable[Setting]) -> tuple[Ran, list[dict[str, Any]]]:
    """Run with every setting set by each layer, highest first; give the run and the decisions to expect."""
    args, env = ["create", "--dry-run"], {}
    assignments: dict[Setting, list[dict[str, Any]]] = {setting: [] for setting in settings}
    for rank, layer in enumerate(layers):
        value_in = default if layer == "default" else partial(value_of, rank)
        values = {setting: value_in(setting) for setting in settings if may_set(layer, setting)}
        text = text_of(values)
        for setting, value in values.items():
            match layer:
                case "flag":
                    args += flags(setting, value)
                    source = flags(setting, value)[0].split("=")[0]
                case "env":
                    env[setting.variable] = variable(value)
                    source = setting.variable
                case "default":
                    source = "built-in"
                case _:
                    source = f"{FILES[layer].removeprefix('./')}:{place(text, setting)}"
            assignments[setting].append({"layer": layer, "source": source, "value": value})
        if layer in FILES:
            project.write(FILES[layer], text)
    expected = [
        {"event": "decision", "path": setting.path, **found[0], "overridden": found[1:]}
        for setting, found in assignments.items()
    ]
    return project.run(*args, env=env), expected


@pytest.mark.rule("Precedence, layers 1 to 3")
def test_repeated_flags(project: Project) -> None:
    """Of a repeated flag with one value the last holds; a list has all of them."""
    project.write(FILES["preset"], {})
    values = {
        setting: (value_of(0, setting), value_of(1, setting)) for setting in SETTINGS if setting.path != "log.format"
    }
    pairs = [flag for setting, (first, last) in values.items() for flag in flags(setting, first) + flags(setting, last)]
    ran = project.run("config", "show", *pairs, "--log-format=text", "--log-format=json")
    assert [json.loads(line)["value"] for line in ran.out.splitlines()] == [
        *(first + last if isinstance(first, list) else last for first, last in values.values()),
        "json",
    ]


@pytest.mark.rule("Precedence, layer 4 over 5")
def test_presets_win_over_the_defaults(project: Project) -> None:
    """A preset sets each of the ten settings that do not choose presets, and wins over its built-in default."""
    project.theme("theme_0")
    project.write(FILES["config"], {"presets": [FILES["preset"]]})
    ran, expected = run(project, ("preset", "default"), [setting for setting in SETTINGS if may_set("preset", setting)])
    decided = [each for each in ran.told("decision") if each["path"] not in NOT_IN_PRESETS]
    assert ran.code == 0
    assert decided == expected
    assert len(decided) == 10
    assert all(each["value"] != each["overridden"][0]["value"] for each in decided)


@pytest.mark.rule("Precedence, layers 1 to 3", "Precedence, layer 1 over 2, 2 over 3, 3 over 4")
@pytest.mark.parametrize(("upper", "lower"), list(pairwise(LAYERS[:4])))
def test_a_layer_wins_over_the_next(project: Project, upper: str, lower: str) -> None:
    """Flags win over variables, variables over the config file, the config file over presets: for every setting."""
    project.theme("theme_0")
    project.write(FILES["preset"], {})
    ran, expected = run(project, (upper, lower, "default"), SETTINGS)
    assert ran.code == 0
    assert ran.told("decision") == expected
    assert {each["layer"] for each in ran.told("decision")} == {upper}


@pytest.mark.rule("Precedence, layer 1")
def test_a_flag_wins_over_every_other_layer(project: Project) -> None:
    """With a setting set in all five layers the flag's value is taken, and the four others are told, highest first."""
    project.theme("theme_0")
    ran, expected = run(project, LAYERS, SETTINGS)
    assert ran.code == 0
    assert ran.told("decision") == expected
    layers = [[each["layer"], *(lost["layer"] for lost in each["overridden"])] for each in expected]
    assert layers == [[layer for layer in LAYERS if may_set(layer, setting)] for setting in SETTINGS]


@pytest.mark.rule("Precedence, layer 3")
def test_the_given_config_is_the_third_layer(project: Project) -> None:
    """The file given with `--config` is the config layer: below variables, above presets."""
    project.write("settings.json", {"theme": "none", "hooks": {"onFailure": "continue"}, "presets": ["ci"]})
    ran = project.create(".", "--dry-run", "--config=settings.json", env={"TOOL_THEME": "auto"})
    decided = [ran.decided[path] for path in ("theme", "hooks.onFailure")]
    assert ran.code == 0
    assert [(each["value"], each["layer"], [lost["layer"] for lost in each["overridden"]]) for each in decided] == [
        ("auto", "env", ["config", "default"]),
        ("continue", "config", ["preset", "default"]),
    ]


@pytest.mark.rule("Precedence, layer 4, bundled presets")
def test_the_bundled_preset_none_sets_nothing(project: Project) -> None:
    """The bundled preset `none` sets no setting."""
    ran = project.create(".", "--dry-run", "--preset=none")
    assert ran.code == 0
    assert {path: each["layer"] for path, each in ran.decided.items() if each["layer"] != "default"} == {
        "presets": "flag",
        "log.format": "env",
    }


@pytest.mark.rule("Precedence, layer 4, bundled presets")
def test_the_bundled_preset_ci_is_clean_and_strict(project: Project) -> None:
    """The bundled preset `ci` lets a failing hook stop the run and uses no cache."""
    ran = project.create(".", "--dry-run", "--preset=ci")
    assert ran.code == 0
    assert [each for each in ran.told("decision") if each["layer"] == "preset"] == [
        {
            "event": "decision",
            "path": "hooks.onFailure",
            "value": "fail",
            "layer": "preset",
            "source": "preset:ci",
            "overridden": [{"layer": "default", "source": "built-in", "value": "continue"}],
        },
        {
            "event": "decision",
            "path": "cache.enabled",
            "value": False,
            "layer": "preset",
            "source": "preset:ci",
            "overridden": [{"layer": "default", "source": "built-in", "value": True}],
        },
    ]


@pytest.mark.rule("Precedence, layer 4, local presets")
def test_a_local_preset_may_be_a_script(project: Project) -> None:
    """A preset may be a path such as `./presets/strict.ts`; what it computes has the file as its place."""
    project.write("presets/strict.ts", 'export default { cache: { file: "c" as string, enabled: !0 } };')
    project.write("tool.config.json", {"presets": ["./presets/strict.ts"]})
    decided = project.create(".", "--dry-run").decided["cache.file"]
    assert decided["value"] == "c"
    assert decided["layer"] == "preset"
    assert decided["source"] == "presets/strict.ts:1:33"


@pytest.mark.rule("Precedence, lists")
def test_a_list_replaces_a_list(project: Project) -> None:
    """A list is one setting: the higher list replaces the lower, and an empty one is set and wins."""
    project.module("shop_a")
    project.write("tool.config.json", {"modules": {"exclude": ["shop_a"], "only": ["shop_b"]}})
    ran = project.create(".", "--exclude=shop_c", env={"TOOL_MODULES_ONLY": "[]"})
    assert ran.code == 0
    assert sorted(project.tree) == ["modules/shop_a/shop_a.php"]
    assert [ran.decided[path]["value"] for path in ("modules.exclude", "modules.only")] == [["shop_c"], []]
