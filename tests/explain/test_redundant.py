"""What changes nothing, run alone (`docs/ci.md`, What changes nothing)."""

import json

import pytest

from pipeline.explain.globs import covers
from pipeline.explain.redundant import redundancies
from pipeline.report.outcome import fold
from pipeline.report.redundancies import EqualSetting, IdlePreset, Redundancy, RedundantItem
from pipeline.report.source import BUILT_IN, Source
from pipeline.resolve import Request, resolve
from tests.support.disks import START, disk_of

CONFIG = "tool.config.json"


def redundant(files: dict[str, object], environ: dict[str, str] | None = None) -> tuple[Redundancy, ...]:
    """What changes nothing in some files; text stands as it is, anything else is written as JSON."""
    texts = {f"/project/{name}": text if isinstance(text, str) else json.dumps(text) for name, text in files.items()}
    disk = disk_of(texts)
    return fold(
        resolve(Request(start=START, environ=environ or {}), disk),
        lambda resolution: redundancies(resolution, START, disk),
        lambda problems: pytest.fail(repr(problems)),
    )


def paths(files: dict[str, object], environ: dict[str, str] | None = None) -> list[str]:
    """Where there is something that changes nothing."""
    return [f"{each.source.name} {each.path}" for each in redundant(files, environ)]


@pytest.mark.parametrize(
    ("wide", "narrow", "does"),
    [
        ("*", "", True),
        ("*", "a*b?[c]", True),
        ("**", "*", True),
        ("a*", "a", True),
        ("a*", "ab*c", True),
        ("a*c", "abcc", True),
        ("*b", "ab", True),
        ("?", "[ab]", True),
        ("[ab]", "a", True),
        ("[!a]", "b", True),
        ("[ab]*", "b?", True),
        ("a", "a", True),
        ("[", "[", True),
        ("", "a", False),
        ("a", "", False),
        ("a", "ab", False),
        ("ab", "a*", False),
        ("a?", "a*", False),
        ("[ab]", "?", False),
        ("[ab]", "[ba]", False),
        ("[!a]", "a", False),
        ("a*c", "abcd", False),
        ("A", "a", False),
    ],
)
def test_globs_that_cover_others(wide: str, narrow: str, does: bool) -> None:
    """A glob covers another if it matches all that the other does; where that is not certain, it does not."""
    assert covers(wide, narrow) is does


def test_a_setting_that_is_equal_to_what_it_overrides() -> None:
    """It is named with what sets the same: the default, another preset, or a preset below the configuration."""
    files = {
        CONFIG: {"theme": "auto", "presets": ["ci", "./p.json"], "cache": {"enabled": False}},
        "p.json": {"hooks": {"onFailure": "fail"}, "log": {"format": "json"}},
    }
    assert redundant(files) == (
        EqualSetting("theme", Source(CONFIG, 1, 11), "default", BUILT_IN),
        EqualSetting("cache.enabled", Source(CONFIG, 1, 71), "preset", Source("preset:ci")),
        EqualSetting("hooks.onFailure", Source("p.json", 1, 25), "preset", Source("preset:ci")),
    )


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ({"theme": "a", "presets": [], "hooks": {"initScriptsDir": "./init-scripts"}, "exclude": ["a", "b"]}, []),
        ({"cache": {"file": ".tool-cache.json"}}, []),
        ({"presetsSearchPath": [], "modules": {"only": []}}, ["presetsSearchPath", "modules.only"]),
        ({"presets": ["..."]}, ["presets"]),
        ({"exclude": ["..."]}, ["exclude"]),
        ({"presets": ["none"]}, []),
        ({"presets": ["none", "ci"]}, ["presets[0]"]),
        ({"presets": ["ci", "ci"]}, ["presets[0]"]),
        ({"presets": ["...", "ci", "none", "ci"]}, ["presets[2]"]),
        ({"presets": ["./p.json"], "theme": "t"}, ["presets[0]"]),
        ({"presets": ["./p.json"], "theme": "p"}, ["theme"]),
        ({"presets": ["./m.json"], "exclude": ["a"]}, ["exclude"]),
        ({"presets": ["./m.json"], "exclude": ["a"], "modules": {"include": ["x"]}}, ["presets[0]"]),
        ({"presets": ["./m.json"], "exclude": ["...", "a"], "modules": {"include": ["x"]}}, ["exclude"]),
        ({"presets": ["./m.json", "./n.json"], "exclude": ["...", "b"]}, ["presets[1]"]),
        ({"presetsSearchPath": ["./lib", "x", "lib"]}, ["presetsSearchPath[2]"]),
        ({"exclude": ["a", "...", "a"]}, ["exclude[2]"]),
        ({"exclude": ["a"], "modules": {"exclude": ["a"]}}, ["exclude[0]"]),
        ({"modules": {"only": ["a_b", "a_*", "*_b", "a_*"]}}, ["modules.only[0]", "modules.only[3]"]),
        ({"exclude": ["*", "a.zip", "*.zip", "b!c"]}, ["exclude[1]"]),
        ({"modules": {"include": ["**", "*"]}}, ["modules.include[1]"]),
        ({"presets": ["./m.json"], "exclude": ["...", "a", "?"]}, []),
    ],
)
def test_what_is_found_in_a_configuration(config: object, found: list[str]) -> None:
    """Paths, lists of patterns whose layer counts, and what depends on the environment are left alone."""
    presets = {"p.json": {"theme": "p"}, "m.json": {"exclude": ["a"]}, "n.json": {"exclude": ["...", "a"]}}
    assert [path for path in paths({CONFIG: config, **presets}) if path.startswith(CONFIG)] == [
        f"{CONFIG} {path}" for path in found
    ]


def test_a_pattern_that_another_covers() -> None:
    """The pattern is named with the one that makes it superfluous."""
    assert redundant({CONFIG: '{"exclude": ["shop_*",\n "shop_a"]}'}) == (
        RedundantItem("exclude[1]", Source(CONFIG, 2, 2), "shop_a", "shop_*"),
    )


def test_a_preset_that_wins_nothing() -> None:
    """A preset is named at its entry; a detected one, which nobody wrote, is not."""
    files = {CONFIG: {"presets": ["./p.json"], "theme": "t"}, "p.json": {"theme": "p"}}
    assert redundant(files) == (IdlePreset("presets[0]", Source(CONFIG, 1, 14), "./p.json"),)
    assert redundant({**files, CONFIG: {"theme": "t"}}, {"TOOL_PRESETS": "./p.json"}) == (
        IdlePreset("presets", Source("TOOL_PRESETS"), "./p.json"),
    )
    assert redundant({CONFIG: {"hooks": {"onFailure": "fail"}, "cache": {"enabled": False}}}, {"CI": "1"}) == (
        EqualSetting("hooks.onFailure", Source(CONFIG, 1, 25), "preset", Source("preset:ci")),
        EqualSetting("cache.enabled", Source(CONFIG, 1, 55), "preset", Source("preset:ci")),
    )


def test_flags_and_variables_are_left_out_of_account() -> None:
    """What one run overrides is not superfluous in the file, nor is what one run says the same as."""
    config = {"theme": "t", "presets": ["./p.json"]}
    environ = {"TOOL_THEME": "t", "TOOL_LOG_FORMAT": "text"}
    assert redundant({CONFIG: config, "p.json": {"log": {"format": "json"}}}, environ) == ()


def test_a_preset_that_is_listed_twice_around_another() -> None:
    """What it sets is needed where it stands above another, if not where it is the lowest."""
    files = {CONFIG: {"presets": ["./p.json", "./q.json", "./p.json"]}, "p.json": {"theme": "auto"}}
    assert paths({**files, "q.json": {"theme": "q"}}) == [f"{CONFIG} presets[0]", f"{CONFIG} presets[1]"]


def test_the_legacy_file() -> None:
    """In the 0.x file a path is that of the old key."""
    files = {".tool.json": {"themeName": "auto", "excludeModules": ["a*", "ab"], "preset": "none"}}
    assert paths(files) == [".tool.json themeName", ".tool.json excludeModules[1]"]
