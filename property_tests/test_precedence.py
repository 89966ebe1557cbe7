"""Laws of precedence: who sets a leaf, whom that overrides, and how layers lie over one another."""

import json
import posixpath
from pathlib import PurePath
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from toolz import assoc_in, get_in

from pipeline.config.flags import read_flags
from pipeline.config.layers import Origin, Settings
from pipeline.merge import merge, over
from pipeline.report.outcome import fold
from pipeline.resolve import Layer, Request, resolve
from pipeline.schema import LEAVES
from property_tests.printing import unexpected
from property_tests.strategies import LEAF, configs, layers, paths, values_of
from tests.support.disks import START, disk_of

FILES = ("p0.json", "p1.json", "p2.json", "lib/default.json", "lib2/default.json")
LISTS = ("modules.include", "modules.exclude", "modules.only", "presetsSearchPath")
names = st.sampled_from(["./p0.json", "p1.json", "/project/p2.json", "none", "ci"])
search_paths = st.lists(st.sampled_from(["lib", "./lib2", "nowhere"]), max_size=3)
above = {leaf: values_of(leaf) for leaf in LEAVES} | {
    LEAF["presets"]: st.lists(names, max_size=3),
    LEAF["presetsSearchPath"]: search_paths,
}
in_environ = st.fixed_dictionaries({}, optional={leaf.path: values | st.just("") for leaf, values in above.items()})
said = st.fixed_dictionaries({}, optional={leaf.path: values for leaf, values in above.items()})

anywhere = layers(START, START / "sub", START.parent)


class Five(Struct, frozen=True):
    """What each of the five layers says, as a user would write it."""

    flags: dict[str, Any]
    environ: dict[str, Any]
    config: dict[str, Any]
    presets: dict[str, dict[str, Any]]
    ci: bool


@st.composite
def fives(draw: st.DrawFn) -> Five:
    """Any five layers; the presets that they choose are there."""
    config = draw(configs(skip=("presets", "presetsSearchPath")))
    config |= draw(st.fixed_dictionaries({}, optional={"presets": above[LEAF["presets"]]}))
    config |= draw(st.fixed_dictionaries({}, optional={"presetsSearchPath": search_paths}))
    flags, environ = draw(said), draw(in_environ)
    if draw(st.booleans()):  # let them be detected
        for each in (flags, environ, config):
            each.pop("presets", None)
    presets = {name: draw(configs(skip=("presets", "presetsSearchPath"))) for name in FILES}
    return Five(flags, environ, config, presets, draw(st.booleans()))


def run(five: Five) -> Settings:
    """Resolve through flags, variables and files."""
    flags = {LEAF[path].name: _flag(value) for path, value in five.flags.items()}
    environ = {LEAF[path].variable: _variable(value) for path, value in five.environ.items()}
    files = {str(START / name): json.dumps(content) for name, content in five.presets.items()}
    disk = disk_of({**files, str(START / "tool.config.json"): json.dumps(five.config)})
    request = Request(
        start=START, flags=read_flags(flags, START), environ={**environ, **({"CI": "true"} if five.ci else {})}
    )
    return fold(resolve(request, disk), lambda resolution: resolution.settings, unexpected)


def _flag(value: Any) -> Any:
    return (tuple(value) or ("",)) if isinstance(value, list) else value


def _variable(value: Any) -> str:
    if isinstance(value, list):
        plain = value and all(item and item.strip() == item and not {",", "["} & set(item) for item in value)
        return ",".join(value) if plain else json.dumps(value)
    return str(value).lower() if isinstance(value, bool) else value


def in_file(content: dict[str, Any]) -> dict[str, Any]:
    """What a file says about each leaf, with its shorthand folded."""
    said = {leaf.path: value for leaf in LEAVES if (value := get_in(leaf.keys, content)) is not None}
    if "exclude" in content:
        said["modules.exclude"] = list(dict.fromkeys([*said.get("modules.exclude", []), *content["exclude"]]))
    return said


def expected(five: Five) -> dict[str, list[tuple[str, str, Any]]]:
    """Each leaf's layers, highest first: layer, source without place, value."""
    flags = {path: [] if value == [""] else value for path, value in five.flags.items()}
    environ = {path: value for path, value in five.environ.items() if value != ""}
    stack: list[Any] = [
        ("flag", lambda path: "--no-cache" if flags[path] is False else LEAF[path].flag, flags),
        ("env", lambda path: LEAF[path].variable, environ),
        ("config", lambda path: "tool.config.json", in_file(five.config)),
    ]
    above = {path: value for _, _, says in reversed(stack) for path, value in says.items()}
    found = [f"{folder}/default.json" for folder in above.get("presetsSearchPath", []) if folder != "nowhere"]
    chosen = above.get("presets", found[:1] + ["ci"] * five.ci)
    bundled = {"none": {}, "ci": {"hooks": {"onFailure": "fail"}, "cache": {"enabled": False}}}
    for entry in reversed(chosen):
        name = entry.removeprefix("./").removeprefix("/project/")
        shown = f"preset:{entry}" if entry in bundled else name
        stack.append(("preset", lambda path, shown=shown: shown, in_file({**five.presets, **bundled}[name])))
    stack.append(("default", lambda path: "built-in", {leaf.path: listed(leaf.default) for leaf in LEAVES}))
    return {path: [(layer, name(path), says[path]) for layer, name, says in stack if path in says] for path in LEAF}


def told(origin: Origin) -> tuple[str, str, Any]:
    """An origin without line and column."""
    return origin.layer, origin.source.name, listed(origin.value)


def listed(value: Any) -> Any:
    """Give a list as a file has it."""
    return list(value) if isinstance(value, tuple) else value


@given(fives())
def test_the_highest_layer_that_sets_a_leaf_wins_and_the_others_are_overridden_in_order(five: Five) -> None:
    """Each leaf has the value of the highest layer that sets it, and lists all the others, highest first."""
    decided = {each.path: [told(each.winner), *map(told, each.overridden)] for each in run(five).decisions}
    assert decided == expected(five)


@given(fives())
def test_the_value_used_is_the_value_told(five: Five) -> None:
    """The settings hold what the winner wrote, its paths relative to the folder where it is written."""
    settings = run(five)
    for leaf in LEAVES:
        winner = settings.decision(leaf.path).winner
        base = (START / winner.source.name).parent if winner.layer == "preset" else START
        assert getattr(settings, leaf.name) == meant(leaf.path, winner.value, base)


def meant(path: str, value: Any, base: PurePath) -> Any:
    """What a value amounts to if it is written in a file of some folder."""
    if path in {"hooks.initScriptsDir", "hooks.postScriptsDir", "cache.file"}:
        return PurePath(posixpath.join(base, value))
    if path == "presetsSearchPath":
        return tuple(PurePath(posixpath.join(base, item)) for item in value)
    if path == "theme" and value.lower().endswith(".zip"):
        return str(base / value)
    if path == "presets" and value != "auto":
        return tuple(item if item in {"none", "ci"} else str(base / item) for item in value)
    return value


@given(configs(skip=("presets", "presetsSearchPath")))
def test_a_default_never_masks_a_preset(preset: dict[str, Any]) -> None:
    """Whatever a preset says is decided by it if no layer above speaks, also where it says the same as a default."""
    settings = run(Five({"presets": ["p1.json"]}, {}, {}, {"p1.json": preset}, True))
    says = in_file(preset)
    assert {path: told(settings.decision(path).winner) for path in says} == {
        path: ("preset", "p1.json", value) for path, value in says.items()
    }


@given(st.tuples(*[st.fixed_dictionaries({"theme": paths})] * 3), st.permutations(FILES[:3]))
def test_a_later_preset_lies_over_an_earlier_one(themes: tuple[dict[str, Any], ...], order: list[str]) -> None:
    """Of presets that all set a leaf the last one listed wins, and the others follow backwards."""
    presets = dict(zip(FILES, [*themes, {}, {}], strict=True))
    decision = run(Five({}, {}, {"presets": [f"./{name}" for name in order]}, presets, False)).decision("theme")
    assert [told(each)[1] for each in (decision.winner, *decision.overridden)] == [*reversed(order), "built-in"]


@given(st.sampled_from(LISTS), st.sampled_from(["flags", "environ", "config"]), st.lists(names, min_size=1))
def test_an_explicit_empty_list_wins(path: str, layer: str, below: list[str]) -> None:
    """An empty list in a flag, a variable or a file is set, and lies over a list that is not empty."""
    flags = {path: []} if layer == "flags" else {}
    environ = {path: [] if layer == "environ" else below} if layer != "config" else {}
    config = assoc_in({}, LEAF[path].keys, [] if layer == "config" else below)
    decision = run(Five(flags, environ, config, {}, False)).decision(path)
    assert decision.winner.value == ()
    assert [told(each)[2] for each in decision.overridden] == [below] * (len(flags) + len(environ)) + [[]]


@given(anywhere)
def test_the_silent_layer_is_the_identity(layer: Layer) -> None:
    """A layer that says nothing changes nothing, above or below."""
    assert over(Layer(), layer) == layer == over(layer, Layer())


@given(anywhere, anywhere, anywhere)
def test_over_is_associative(high: Layer, middle: Layer, low: Layer) -> None:
    """It makes no difference which two of three layers are merged first."""
    assert over(over(high, middle), low) == over(high, over(middle, low))
    assert merge((high, middle, low), START) == merge((over(high, middle), low), START)
