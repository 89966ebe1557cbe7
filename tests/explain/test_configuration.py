"""Where the configuration and the presets came from (`docs/explain.md`)."""

from msgspec.structs import replace

from pipeline.explain.changes import Case
from pipeline.explain.configuration import explain_config
from pipeline.explain.document import ConfigPart, PresetRow, ProbeRow
from pipeline.resolve import Request, resolve
from tests.support.cases import case_of
from tests.support.disks import START, disk_of


def explained(case: Case) -> ConfigPart:
    """The explanation of a configuration."""
    return explain_config(case.resolution, START, case.disk)


def test_a_search_that_finds_one() -> None:
    """Every path that was probed, in order, what is shadowed, where the search ended and which presets apply."""
    case = case_of(
        '{"presets": ["./p.json", "ci", "team"], "presetsSearchPath": ["lib", "lib2"]}',
        {"package.json": {"tool": {}}, "p.json": {}, "lib2/team.json": {}},
    )
    assert explained(case) == ConfigPart(
        file="tool.config.json",
        probes=(
            ProbeRow("tool.config.ts", "missing"),
            ProbeRow("tool.config.js", "missing"),
            ProbeRow("tool.config.json", "taken"),
            ProbeRow("package.json", "shadowed"),
        ),
        ended_at=".",
        ended_because="match",
        shadowed=("package.json",),
        presets=(
            PresetRow("./p.json", "p.json", "tool.config.json:1:14", False),
            PresetRow("ci", "preset:ci", "tool.config.json:1:26", False),
            PresetRow("team", "lib2/team.json", "tool.config.json:1:32", False),
        ),
        preset_probes=(
            *(ProbeRow(f"lib/team.{suffix}", "missing") for suffix in ("ts", "js", "json")),
            *(ProbeRow(f"lib2/team.{suffix}", "missing") for suffix in ("ts", "js")),
            ProbeRow("lib2/team.json", "taken"),
        ),
    )


def test_presets_that_are_detected() -> None:
    """What each was detected by; a `default` that is not there was looked for."""
    part = explained(case_of({"presetsSearchPath": ["lib"]}, {}, {"CI": "true"}))
    assert part.presets == (PresetRow("ci", "preset:ci", "CI", detected=True),)
    assert part.preset_probes == (
        *(ProbeRow(f"lib/default.{suffix}", "missing") for suffix in ("ts", "js", "json")),
        ProbeRow("CI", "taken"),
    )
    found = explained(case_of({"presetsSearchPath": ["lib"]}, {"lib/default.json": {}}))
    assert found.presets == (PresetRow("default", "lib/default.json", "lib/default.json", detected=True),)
    assert found.preset_probes[2:] == (ProbeRow("lib/default.json", "taken"), ProbeRow("CI", "missing"))


def test_a_configuration_that_is_named_and_none_at_all() -> None:
    """`--config` ends the search before it begins; without any configuration, it ends at the repository."""
    disk = disk_of({"/project/.git": None, "/project/conf/a.json": "{}"})
    request = Request(start=START, config="conf/a.json")
    named = explain_config(resolve(request, disk).unwrap(), START, disk)
    nothing = explain_config(resolve(replace(request, config=None), disk).unwrap(), START, disk)
    assert (named.file, named.ended_at, named.ended_because) == ("conf/a.json", "", "named")
    assert (nothing.file, nothing.ended_at, nothing.ended_because) == (None, ".", "git")
