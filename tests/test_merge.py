"""Merge, run alone: the layers over one another (`docs/configuration.md`)."""

from itertools import chain, combinations
from pathlib import PurePath

import pytest

from pipeline.config.layers import (
    LAYERS,
    Assignment,
    Decision,
    Element,
    Layer,
    LayerName,
    Settings,
    make_layer,
)
from pipeline.merge import merge, over
from pipeline.report.diagnostics.settings import misspelt_variable
from pipeline.report.location import BUILT_IN, Location
from pipeline.schema import SETTINGS, Setting, Value
from tests.support.disks import START, assignment
from tests.support.tables import rows

SETTING = {setting.path: setting for setting in SETTINGS}


@pytest.mark.rule("Precedence, layer 5", "Schema, every field, default")
def test_the_defaults_are_complete() -> None:
    """The defaults set every setting, so that they alone give settings."""
    assert merge((), START) == Settings(
        theme="auto",
        modules_include=(),
        modules_exclude=(),
        modules_only=(),
        presets="auto",
        presets_search_path=(),
        hooks_init_scripts_dir=PurePath("/project/init-scripts"),
        hooks_post_scripts_dir=PurePath("/project/post-scripts"),
        hooks_on_failure="continue",
        cache_file=PurePath("/project/.tool-cache.json"),
        cache_enabled=True,
        log_format="text",
        decisions=tuple(
            Decision(setting.path, assignment("default", BUILT_IN, setting.default), ())
            for setting in SETTINGS
        ),
    )


@pytest.mark.rule("Precedence, layer 1 over 2, 2 over 3, 3 over 4", "Precedence, layer 4 over 5")
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.path)
def test_each_layer_overrides_the_next(setting: Setting) -> None:
    """Whichever layers set a setting, the highest one wins, and the others are overridden, highest
    first.
    """
    others = [assignment(layer, Location(layer), setting.example) for layer in LAYERS[:-1]]
    for setters in chain.from_iterable(combinations(others, count) for count in range(1, 5)):
        decision = merge((make_layer({setting: each}, START) for each in setters), START).decision(
            setting.path
        )
        default = assignment("default", BUILT_IN, setting.default)
        assert (decision.winner, decision.overridden) == (setters[0], (*setters[1:], default))


@pytest.mark.parametrize(
    ("path", "written", "value"),
    [
        *rows("merge", "paths"),
        ("presetsSearchPath", ("presets", "/abs"), (PurePath("/conf/presets"), PurePath("/abs"))),
        ("hooks.postScriptsDir", "../p", PurePath("/conf/../p")),
        ("cache.file", "c.json", PurePath("/conf/c.json")),
    ],
)
def test_paths_are_made_absolute(path: str, written: Value, value: object) -> None:
    """A path in a value is resolved against the folder that it is relative to; other values are
    unchanged.
    """
    layer = make_layer(
        {SETTING[path]: Assignment("config", Location("c.json"), written)}, PurePath("/conf")
    )
    assert getattr(merge((layer,), START), SETTING[path].name) == value


def written(layer: LayerName, *items: str, folder: PurePath = START) -> Assignment:
    """How a layer set `modules.exclude` or another list."""
    return Assignment(layer, Location(layer), items, folder=folder)


def merged(path: str, *stack: Assignment, detected: tuple[Element, ...] = ()) -> Decision:
    """What is decided about a setting that some layers set, highest first."""
    return merge((Layer({path: (each,)}) for each in stack), START, detected).decision(path)


@pytest.mark.rule("Precedence, lists")
@pytest.mark.parametrize(
    ("lists", "elements"),
    rows("merge", "splices"),
)
def test_splices(
    lists: tuple[list[str], ...], elements: list[tuple[str, int | str, int | str]]
) -> None:
    """The element `"..."` stands for the list below; of duplicates the first stays, and each
    element has the layer that wrote it.
    """
    stack = tuple(written(layer, *items) for layer, items in zip(LAYERS, lists, strict=False))
    decision = merged("modules.exclude", *stack)
    assert decision.elements == tuple(
        Element(stack[int(layer)], int(index)) for _, layer, index in elements
    )
    assert decision.value == tuple(value for value, _, _ in elements)


@pytest.mark.parametrize(
    ("lists", "value"),
    [
        ((["...", "strict", "default"],), ["strict", "default"]),
        ((["...", "default"], ["default", "ci"]), ["ci", "default"]),
        ((["a", "...", "b"], ["b", "a"]), ["a", "b"]),
        ((["...", "./x.json"], ["x.json", "y"]), ["y", "./x.json"]),
        ((["..."], ["a", "b", "a"]), ["b", "a"]),
        ((["a", "b", "a"],), ["b", "a"]),
    ],
)
def test_spliced_presets_keep_the_last_of_equal_elements(
    lists: tuple[list[str], ...], value: list[str]
) -> None:
    """In `presets`, where later ones override earlier ones, the last of duplicates stays."""
    detected = (Element(Assignment("default", Location("p/default.json"), ("default",)), 0),)
    stack = tuple(written(layer, *items) for layer, items in zip(LAYERS, lists, strict=False))
    assert merged("presets", *stack, detected=detected).value == tuple(value)


def test_what_a_splice_extends() -> None:
    """A list extends the lists below it as far as each of them has the element `"..."`, and
    overrides the others.
    """
    stack = (
        written("flag", "..."),
        written("env", "...", "a"),
        written("config", "b"),
        written("preset", "c"),
    )
    decision = merged("modules.only", *stack)
    assert decision.contributors[1:] == stack[1:3]
    assert decision.overridden == (*stack[1:], assignment("default", BUILT_IN, ()))
    assert merged("modules.only", stack[3]).contributors[1:] == ()


def test_spliced_paths_are_relative_to_where_each_is_written() -> None:
    """Paths that are written alike in two folders are two, and both are searched."""
    stack = (
        written("flag", "presets", "..."),
        written("config", "./presets", "lib", folder=PurePath("/conf")),
    )
    layers = (Layer({"presetsSearchPath": (each,)}) for each in stack)
    assert merge(layers, START).presets_search_path == tuple(
        map(PurePath, ("/project/presets", "/conf/presets", "/conf/lib"))
    )
    assert merged(
        "presetsSearchPath", written("flag", "./a", "..."), written("env", "a")
    ).value == ("./a",)
    below = written("flag", "...", "../lib", folder=PurePath("/conf/sub"))
    assert merged(
        "presetsSearchPath", below, written("config", "lib", folder=PurePath("/conf"))
    ).value == ("lib",)


def test_what_is_detected_is_spliced() -> None:
    """In `presets`, the element stands for the detected presets, unless a layer below lists
    presets.
    """
    found = (Element(Assignment("default", Location("CI"), ("ci",)), 0),)
    high, low = written("flag", "...", "x"), written("config", "y")
    assert merged("presets", high, detected=found) == Decision(
        "presets",
        high,
        (assignment("default", BUILT_IN, "auto"),),
        (*found, Element(high, 1)),
        found,
    )
    assert merged("presets", high, low, detected=found).detected == ()
    assert [each.path for each in merge((), START, found).decisions if each.detected] == ["presets"]
    assert merged("presets", high, low, detected=found).value == ("y", "x")
    assert (
        merged("presets", detected=found).value,
        merged("presets", detected=found).elements,
    ) == ("auto", found)


def test_warnings_are_kept() -> None:
    """The warnings of all layers are kept, those of higher layers first."""
    high, low = (
        Layer(warnings=(misspelt_variable(name, "TOOL_THEME"),))
        for name in ("TOOL_THEM", "TOOL_TEME")
    )
    assert over(high, low).warnings == high.warnings + low.warnings


def test_lists_below_the_flags() -> None:
    """A flag only has to extend a non-empty list of another layer; repeated flags add to their own
    list anyway.
    """
    only, exclude, include = (SETTING[f"modules.{name}"] for name in ("only", "exclude", "include"))
    flags = make_layer({only: assignment("flag", Location("--only"), ("a",))}, START)
    lists = {only: ("b",), exclude: ("c",), include: ()}
    config = make_layer(
        {
            setting: assignment("config", Location("c.json"), value)
            for setting, value in lists.items()
        },
        START,
    )
    assert merge((flags, config), START).lists_below == frozenset({"--exclude"})
