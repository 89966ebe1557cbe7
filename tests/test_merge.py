"""Merge, run alone: the layers over one another (`docs/precedence.md`)."""

from pathlib import PurePath

from pipeline.config.layers import Decision, Layer, Origin, Settings, defaults, make_layer
from pipeline.merge import merge, over
from pipeline.report.notes import MisspeltVariable
from pipeline.report.source import BUILT_IN, Source
from pipeline.schema import LEAVES
from tests.support.disks import START

BUILTIN = defaults(START)
LEAF = {leaf.path: leaf for leaf in LEAVES}


def test_the_defaults_are_complete() -> None:
    """The fifth layer sets every leaf, so that merging it alone gives settings."""
    assert merge((BUILTIN,)) == Settings(
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
        decisions=tuple(Decision(leaf.path, Origin("default", BUILT_IN, leaf.default), ()) for leaf in LEAVES),
    )


def test_the_highest_layer_wins_leaf_by_leaf() -> None:
    """Of each leaf the highest layer that sets it wins, and the others are kept in order."""
    theme, only = LEAF["theme"], LEAF["modules.only"]
    flag = Origin("flag", Source("--theme"), "a")
    config = Origin("config", Source("c.json", 1, 2), "b")
    empty = Origin("config", Source("c.json", 3, 4), ())
    preset = Origin("preset", Source("preset:x"), ("m",))
    settings = merge(
        (
            make_layer({theme: flag}, START),
            make_layer({theme: config, only: empty}, START),
            make_layer({only: preset}, START),
            BUILTIN,
        )
    )
    assert (settings.theme, settings.modules_only) == ("a", ())
    assert settings.decision("theme") == Decision("theme", flag, (config, Origin("default", BUILT_IN, "auto")))
    assert settings.decision("modules.only") == Decision(
        "modules.only", empty, (preset, Origin("default", BUILT_IN, ()))
    )


def test_notes_are_kept() -> None:
    """The notes of every layer are kept, the higher first."""
    high, low = (Layer(notes=(MisspeltVariable(name, "TOOL_THEME"),)) for name in ("TOOL_THEM", "TOOL_TEME"))
    assert over(high, low).notes == high.notes + low.notes
