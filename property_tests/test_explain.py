"""Laws of explanations: they agree with what is resolved."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.emit import decisions
from pipeline.explain.settings import explain_setting
from pipeline.schema import SETTINGS
from property_tests.strategies import SETTING
from tests.support.cases import Case, case_of
from tests.support.sweep import law

words = st.sampled_from(["a", "b", "a*", "b.zip", "x y", "p,q"])
lists = st.lists(words, max_size=3) | st.lists(words, max_size=2, unique=True).map(lambda items: ["...", *items])
folders = st.sampled_from(["d", "./d", "../d", "/d"])
presets = st.lists(st.sampled_from(["ci", "none", "./p.json", "team", "./lib/q.json"]), max_size=3)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "theme": st.sampled_from(["auto", "none", "a", "x.zip", "d/x.zip"]),
    "modules.include": lists,
    "modules.exclude": lists,
    "modules.only": lists,
    "presets": presets | presets.map(lambda items: [*items, "..."]),
    "presetsSearchPath": st.sampled_from([["lib"], ["./lib", "."]]),
    "hooks.initScriptsDir": folders,
    "hooks.postScriptsDir": folders,
    "hooks.onFailure": st.sampled_from(["fail", "continue"]),
    "cache.file": folders,
    "cache.enabled": st.booleans(),
    "log.format": st.sampled_from(["text", "json"]),
}
IN_PRESET = {path: values for path, values in VALUES.items() if not path.startswith("presets")}
LEGACY = {
    "themeName": VALUES["theme"],
    "theme": VALUES["theme"],
    "excludeModules": st.lists(words, max_size=2),
    "exclude": st.lists(words, max_size=2),
    "modules": st.lists(words, max_size=2),
    "cache": st.sampled_from([True, False, "c"]),
    "noCache": st.booleans(),
    "onFailure": VALUES["hooks.onFailure"],
    "failOnHookError": st.booleans(),
    "preset": st.just("ci"),
}


@st.composite
def files(draw: st.DrawFn, values: dict[str, st.SearchStrategy[Any]]) -> dict[str, Any]:
    """A configuration or a preset, with the shorthand or without."""
    data: dict[str, Any] = {}
    for path, value in draw(st.fixed_dictionaries({}, optional=values)).items():
        *outer, last = path.split(".")
        (data.setdefault(outer[0], {}) if outer else data)[last] = value
    shorthand = draw(st.none() | st.lists(words, max_size=2))
    return data if shorthand is None else {"exclude": shorthand, **data}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Any five layers, in files of every form."""
    flags = draw(st.fixed_dictionaries({}, optional=VALUES))
    environ = draw(st.fixed_dictionaries({}, optional=VALUES))
    texts = {SETTING[path].variable: _in_variable(value) for path, value in environ.items()}
    config = {**draw(files(VALUES)), "presetsSearchPath": ["lib", "."]}
    legacy = draw(st.fixed_dictionaries({"presetsDir": st.just(["lib"])}, optional=LEGACY))
    form = draw(st.sampled_from(["tool.config.json", "tool.config.json", "package.json", ".tool.json"]))
    data = {"package.json": {"name": "x", "tool": config}, ".tool.json": legacy}.get(form, config)
    below = {name: draw(files(IN_PRESET)) for name in ("p.json", "lib/q.json", "lib/team.json", "team.json")}
    detected = draw(st.sampled_from([{}, {"lib/default.json": {"theme": "b"}}]))
    return case_of(
        files={form: data, **below, **detected},
        environ={**texts, **draw(st.sampled_from([{}, {"CI": "1"}]))},
        flags={path: _as_flag(value) for path, value in flags.items()},
    )


def _as_flag(value: Any) -> Any:
    return (tuple(value) or ("",)) if isinstance(value, list) else value


def _in_variable(value: Any) -> str:
    if isinstance(value, list):
        return str(value).replace("'", '"')
    return str(value).lower() if isinstance(value, bool) else value


@settings(max_examples=law(100))
@given(cases())
def test_an_explanation_agrees_with_the_log(case: Case) -> None:
    """Value, layers and places of each setting are those of the decision that every command reports."""
    parts = (explain_setting(setting, case.settings.decision(setting.path)) for setting in SETTINGS)
    for part, decision in zip(parts, decisions(case.settings), strict=True):
        winner, *losers = part.layers
        assert (part.path, part.value, winner.layer, winner.source) == (
            decision.path,
            decision.value,
            decision.layer,
            decision.source,
        )
        assert [(each.layer, each.source, each.value, each.extended) for each in losers] == [
            (each.layer, each.source, each.value, each.extended) for each in decision.overridden
        ]
        assert part.detected == decision.detected
