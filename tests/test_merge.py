"""Merge, run alone: the layers over one another (`docs/precedence.md`)."""

from pathlib import PurePath

import pytest

from pipeline.config.layers import Decision, Layer, Origin, Settings, make_layer
from pipeline.merge import merge, over
from pipeline.report.notes import MisspeltVariable
from pipeline.report.source import BUILT_IN, Source
from pipeline.schema import LEAVES, Value
from tests.support.disks import START, origin

LEAF = {leaf.path: leaf for leaf in LEAVES}


def test_the_defaults_are_complete() -> None:
    """The fifth layer sets every leaf, so that merging no other layer gives settings."""
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
        decisions=tuple(Decision(leaf.path, origin("default", BUILT_IN, leaf.default), ()) for leaf in LEAVES),
    )


def test_the_highest_layer_wins_leaf_by_leaf() -> None:
    """Of each leaf the highest layer that sets it wins, and the others are kept in order."""
    theme, only = LEAF["theme"], LEAF["modules.only"]
    flag = origin("flag", Source("--theme"), "a")
    config = origin("config", Source("c.json", 1, 2), "b")
    empty = origin("config", Source("c.json", 3, 4), ())
    preset = origin("preset", Source("preset:x"), ("m",))
    settings = merge(
        (
            make_layer({theme: flag}, START),
            make_layer({theme: config, only: empty}, START),
            make_layer({only: preset}, START),
        ),
        START,
    )
    assert settings.theme == "a"
    assert settings.modules_only == ()
    assert settings.decision("theme") == Decision("theme", flag, (config, origin("default", BUILT_IN, "auto")))
    assert settings.decision("modules.only") == Decision(
        "modules.only", empty, (preset, origin("default", BUILT_IN, ()))
    )


@pytest.mark.parametrize(
    ("path", "written", "value"),
    [
        ("theme", "./t.zip", "/conf/t.zip"),
        ("theme", "t", "t"),
        ("modules.only", ("./a.zip", "b"), ("./a.zip", "b")),
        ("presets", ("ci", "./p.ts", "/p.json"), ("ci", "/conf/p.ts", "/p.json")),
        ("presets", "auto", "auto"),
        ("presetsSearchPath", ("presets", "/abs"), (PurePath("/conf/presets"), PurePath("/abs"))),
        ("hooks.postScriptsDir", "../p", PurePath("/conf/../p")),
        ("cache.file", "c.json", PurePath("/conf/c.json")),
        ("cache.enabled", False, False),
    ],
)
def test_paths_are_made_absolute(path: str, written: Value, value: object) -> None:
    """What is a path in a value is resolved against the folder that it is relative to; nothing else is touched."""
    layer = make_layer({LEAF[path]: Origin("config", Source("c.json"), written)}, PurePath("/conf"))
    assert getattr(merge((layer,), START), LEAF[path].name) == value


def test_notes_are_kept() -> None:
    """The notes of every layer are kept, the higher first."""
    high, low = (Layer(notes=(MisspeltVariable(name, "TOOL_THEME"),)) for name in ("TOOL_THEM", "TOOL_TEME"))
    assert over(high, low).notes == high.notes + low.notes
