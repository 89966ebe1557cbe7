"""Two configurations, leaf by leaf (`docs/explain.md`)."""

from msgspec.structs import replace

from pipeline.explain.difference import LeafDifference, Side, differences, lines
from pipeline.report.layout import PIPE
from pipeline.report.outcome import fold
from pipeline.resolve import resolve
from property_tests.printing import unexpected
from tests.support.cases import case_of
from tests.support.disks import START


def test_values_as_written() -> None:
    """A leaf that differs has both values as written; presets that were detected are told one by one."""
    a = case_of({"theme": "x", "cache": {"enabled": False}})
    b = case_of({"cache": {"enabled": False}}, environ={"CI": "1"})
    assert differences(a.settings, b.settings, START) == (
        LeafDifference("theme", Side("x", "config", "tool.config.json:1:11"), Side("auto", "default", "built-in")),
        LeafDifference("presets", Side("auto", "default", "built-in"), Side(("ci",), "default", "built-in")),
        LeafDifference("hooks.onFailure", Side("continue", "default", "built-in"), Side("fail", "preset", "preset:ci")),
    )
    assert differences(a.settings, a.settings, START) == ()


def test_values_that_are_written_alike() -> None:
    """Paths that mean different places are told from the current folder."""
    preset = {"theme": "x.zip", "cache": {"file": "c"}}
    above = {"presetsSearchPath": ["lib"]}
    a, b = (
        case_of({"presets": [f"./{folder}p.json"], **above}, {f"{folder}p.json": preset}) for folder in ("", "sub/")
    )
    told = {each.path: (each.a.value, each.b.value) for each in differences(a.settings, b.settings, START)}
    assert told == {
        "theme": ("x.zip", "sub/x.zip"),
        "presets": (("./p.json",), ("./sub/p.json",)),
        "cache.file": ("c", "sub/c"),
    }


def test_lists_that_are_written_alike() -> None:
    """The paths in a list, too."""
    config = {"presetsSearchPath": ["lib"]}
    case = case_of(config, {"sub/c.json": config})
    b = fold(resolve(replace(case.request, config="sub/c.json"), case.disk), lambda other: other.settings, unexpected)
    (told,) = differences(case.settings, b, START)
    assert (told.path, told.a.value, told.b.value) == ("presetsSearchPath", ("lib",), ("sub/lib",))


def test_one_place_by_two_paths() -> None:
    """Paths that are written differently and mean one place do not differ."""
    there = {"presetsSearchPath": ["../lib"], "cache": {"file": "../c"}, "theme": "../x.zip"}
    here = {"presetsSearchPath": ["lib"], "cache": {"file": "c"}, "theme": "x.zip"}
    case = case_of(here, {"sub/c.json": there})
    b = fold(resolve(replace(case.request, config="sub/c.json"), case.disk), lambda other: other.settings, unexpected)
    assert differences(case.settings, b, START) == ()


def test_for_people() -> None:
    """Each leaf has one line for each side."""
    a, b = (case_of({"exclude": [name]}) for name in ("a b", "c"))
    assert lines(differences(a.settings, b.settings, START), PIPE) == (
        "modules.exclude",
        '  -  ["a b"]  config  tool.config.json:1:13',
        "  +  [c]      config  tool.config.json:1:13",
    )
