"""Laws of precedence: which layer sets a setting, which layers it overrides, and how layers are
merged.
"""

import json
import posixpath
import re
from pathlib import PurePath
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from toolz import get_in, unique

from pipeline.config.flags import read_flags
from pipeline.config.layers import Assignment, Layer, Settings, make_layer
from pipeline.merge import merge, over
from pipeline.report.location import Location
from pipeline.report.outcome import fold
from pipeline.resolve import Request, resolve
from pipeline.schema import SETTINGS
from property_tests.printing import unexpected
from property_tests.strategies import SETTING, configs, layers, perhaps_spliced, values_of
from tests.support.disks import START, disk_of

FILES = ("p0.json", "p1.json", "p2.json", "lib/default.json", "lib2/default.json")
LISTS = ("modules.include", "modules.exclude", "modules.only", "presetsSearchPath")
names = st.sampled_from(["./p0.json", "p1.json", "/project/p2.json", "none", "ci"])
search_paths = perhaps_spliced(st.lists(st.sampled_from(["lib", "./lib2", "nowhere"]), max_size=3))
above = {setting: values_of(setting) for setting in SETTINGS} | {
    SETTING["presets"]: perhaps_spliced(st.lists(names, max_size=3)),
    SETTING["presetsSearchPath"]: search_paths,
}
in_environ = st.fixed_dictionaries(
    {}, optional={setting.path: values | st.just("") for setting, values in above.items()}
)
said = st.fixed_dictionaries(
    {}, optional={setting.path: values for setting, values in above.items()}
)

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
    config |= draw(st.fixed_dictionaries({}, optional={"presets": above[SETTING["presets"]]}))
    config |= draw(st.fixed_dictionaries({}, optional={"presetsSearchPath": search_paths}))
    flags, environ = draw(said), draw(in_environ)
    if draw(st.booleans()):  # let them be detected
        for each in (flags, environ, config):
            each.pop("presets", None)
    presets = {name: draw(configs(skip=("presets", "presetsSearchPath"))) for name in FILES}
    return Five(flags, environ, config, presets, draw(st.booleans()))


def run(five: Five) -> Settings:
    """Resolve through flags, variables and files."""
    flags = {SETTING[path].name: _flag(value) for path, value in five.flags.items()}
    environ = {SETTING[path].variable: _variable(value) for path, value in five.environ.items()}
    files = {str(START / name): json.dumps(content) for name, content in five.presets.items()}
    disk = disk_of({**files, str(START / "tool.config.json"): json.dumps(five.config)})
    request = Request(
        start=START,
        flags=read_flags(flags, START),
        environ={**environ, **({"CI": "true"} if five.ci else {})},
    )
    return fold(resolve(request, disk), lambda resolution: resolution.settings, unexpected)


def _flag(value: Any) -> Any:
    return (tuple(value) or ("[]",)) if isinstance(value, list) else value


def _variable(value: Any) -> str:
    if isinstance(value, list):
        plain = value and all(
            item and item.strip() == item and not set(",[\r\n") & set(item) for item in value
        )
        return ",".join(value) if plain else json.dumps(value)
    return str(value).lower() if isinstance(value, bool) else value


def in_file(content: dict[str, Any]) -> dict[str, Any]:
    """What a file says about each setting, with its shorthand folded."""
    said = {
        setting.path: value
        for setting in SETTINGS
        if (value := get_in(setting.keys, content)) is not None
    }
    if "exclude" in content:
        said["modules.exclude"] = list(
            dict.fromkeys([*said.get("modules.exclude", []), *content["exclude"]])
        )
    return said


def in_flags(value: Any) -> Any:
    """What the values of a flag say: a line break separates, as a comma does in a variable."""
    if value == ["[]"]:
        return []
    if not isinstance(value, list):
        return value
    read: list[str] = []
    for item in value:
        lines = re.split("[\r\n]", item)
        read += [item] if len(lines) == 1 else [line.strip() for line in lines if line.strip()]
    return read


def expected(five: Five) -> dict[str, list[tuple[str, str, Any]]]:
    """Each setting's layers, highest first: layer, location without place, value."""
    flags = {path: in_flags(value) for path, value in five.flags.items()}
    stripped = {
        path: value.strip() if isinstance(value, str) else value
        for path, value in five.environ.items()
    }
    environ = {path: value for path, value in stripped.items() if value != ""}
    stack: list[Any] = [
        ("flag", lambda path: "--no-cache" if flags[path] is False else SETTING[path].flag, flags),
        ("env", lambda path: SETTING[path].variable, environ),
        ("config", lambda path: "tool.config.json", in_file(five.config)),
    ]
    above = {
        path: [says[path] for _, _, says in stack if path in says]
        for path in ("presetsSearchPath", "presets")
    }
    folders = [
        folder
        for folder in spliced("presetsSearchPath", *above["presetsSearchPath"])
        if folder != "nowhere"
    ]
    chosen = spliced("presets", *above["presets"], ["default"] * bool(folders) + ["ci"] * five.ci)
    bundled = {"none": {}, "ci": {"hooks": {"onFailure": "fail"}, "cache": {"enabled": False}}}
    for entry in unique(reversed(chosen)):  # one that is listed again has its last place
        name = f"{folders[0]}/default.json" if entry == "default" else entry
        name = name.removeprefix("./").removeprefix("/project/")
        shown = f"preset:{entry}" if entry in bundled else name
        stack.append(
            ("preset", lambda path, shown=shown: shown, in_file({**five.presets, **bundled}[name]))
        )
    stack.append(
        (
            "default",
            lambda path: "built-in",
            {setting.path: listed(setting.default) for setting in SETTINGS},
        )
    )
    return {
        path: [(layer, name(path), says[path]) for layer, name, says in stack if path in says]
        for path in SETTING
    }


def spliced(path: str, *stack: list[str]) -> list[str]:
    """What lists, highest first, give together, as the manual words it.

    Any two strings stand in the order in which they are read first; in `presets` in the order in
    which they are read last.
    """
    read: list[str] = []
    for items in reversed(stack):
        read = [each for item in items for each in (read if item == "..." else [item])]
    place = dict(zip(read, range(len(read)), strict=True)) if path == "presets" else {}
    return sorted(set(read), key=lambda item: place.get(item, read.index(item)))


def told(assignment: Assignment) -> tuple[str, str, Any]:
    """An assignment without line and column."""
    return assignment.layer, assignment.location.name, listed(assignment.value)


def listed(value: Any) -> Any:
    """Give a list as a file has it."""
    return list(value) if isinstance(value, tuple) else value


@given(fives())
def test_the_highest_layer_that_sets_a_setting_wins_and_the_others_are_overridden_in_order(
    five: Five,
) -> None:
    """Each setting has the value of the highest layer that sets it, and lists all the others,
    highest first.
    """
    decided = {
        each.path: [told(each.winner), *map(told, each.overridden)] for each in run(five).decisions
    }
    assert decided == expected(five)


@given(fives())
def test_the_value_used_is_the_value_told(five: Five) -> None:
    """The settings have the reported values, with paths relative to the folder where each was
    written.
    """
    settings = run(five)
    for setting in SETTINGS:
        decision = settings.decision(setting.path)
        if isinstance(decision.value, tuple):
            items = [
                did_you_mean(setting.path, (each.value,), base_of(each.assignment))[0]
                for each in decision.elements
            ]
            assert getattr(settings, setting.name) == tuple(items)
        else:
            assert getattr(settings, setting.name) == did_you_mean(
                setting.path, decision.value, base_of(decision.winner)
            )


def base_of(assignment: Assignment) -> PurePath:
    """The folder of the file that an assignment is in."""
    return (START / assignment.location.name).parent if assignment.layer == "preset" else START


@given(fives())
def test_a_list_is_what_the_layers_spliced_give(five: Five) -> None:
    """Each list is what a naive reading of its layers gives, and each string in it is reported with
    the layer that wrote it.
    """
    settings, stacks = run(five), expected(five)
    for path in LISTS[:3]:
        decision = settings.decision(path)
        assert decision.value == tuple(spliced(path, *(value for _, _, value in stacks[path])))
        for each in decision.elements:
            layer, location, value = told(each.assignment)
            assert (layer, location, value) in stacks[path] and each.value in value
        extended = [told(each) for each in decision.contributors[1:]]
        assert extended == stacks[path][1 : 1 + len(extended)]


lists_of_one_setting = perhaps_spliced(st.lists(st.sampled_from("abc"), max_size=3))


def _saying(path: str, items: list[str]) -> Layer:
    return make_layer(
        {SETTING[path]: Assignment("config", Location("c.json"), tuple(items))}, START
    )


@given(st.sampled_from(LISTS), st.lists(lists_of_one_setting, max_size=3), st.integers(0, 3))
def test_a_splice_alone_is_the_identity(path: str, stack: list[list[str]], at: int) -> None:
    """A layer with the list `["..."]` changes no value and no assignment, wherever it is among the
    layers.
    """
    layers = [_saying(path, items) for items in stack]
    before = merge(layers, START)
    after = merge([*layers[:at], _saying(path, ["..."]), *layers[at:]], START)
    assert after.decision(path).elements == before.decision(path).elements
    assert after.decision(path).value == before.decision(path).value


@given(st.lists(anywhere, max_size=3))
def test_who_does_not_splice_sees_no_difference(layers: list[Layer]) -> None:
    """If the winning list has no `"..."`, its value is that list without duplicates, and it extends
    nothing.
    """
    for decision in merge(layers, START).decisions:
        if not decision.winner.splices:
            strings = decision.winner.strings
            if strings:
                assert {element.value for element in decision.elements} == set(strings)
            else:
                assert decision.value == decision.winner.value
            assert decision.contributors[1:] == ()


def did_you_mean(path: str, value: Any, base: PurePath) -> Any:
    """What a value amounts to if it is written in a file of some folder."""
    if path in {"hooks.initScriptsDir", "hooks.postScriptsDir", "cache.file"}:
        return PurePath(posixpath.join(base, value))
    if path == "presetsSearchPath":
        return tuple(PurePath(posixpath.join(base, item)) for item in value)
    if path == "theme" and value.lower().endswith(".zip"):
        return str(base / value)
    if path == "presets" and value != "auto":
        return tuple(
            item if item in {"none", "ci", "default"} else str(base / item) for item in value
        )
    return value


@given(anywhere)
def test_the_silent_layer_is_the_identity(layer: Layer) -> None:
    """A layer that sets nothing changes nothing, above or below any other."""
    assert over(Layer(), layer) == layer == over(layer, Layer())


@given(anywhere, anywhere, anywhere)
def test_over_is_associative(high: Layer, middle: Layer, low: Layer) -> None:
    """It makes no difference which two of three layers are merged first."""
    assert over(over(high, middle), low) == over(high, over(middle, low))
    assert merge((high, middle, low), START) == merge((over(high, middle), low), START)
