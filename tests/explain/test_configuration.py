"""Where the configuration and the presets came from (`docs/configuration.md`)."""

from msgspec.structs import replace

from pipeline.config.disk import Disk
from pipeline.explain.document import ConfigPart, PresetRow
from pipeline.explain.settings import explain_config
from pipeline.locate import Probe
from pipeline.resolve import Request, resolve
from tests.support.cases import Case, case_of
from tests.support.disks import START


def explained(case: Case) -> ConfigPart:
    """The explanation of the configuration."""
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
            Probe("tool.config.ts", "missing"),
            Probe("tool.config.js", "missing"),
            Probe("tool.config.json", "taken"),
            Probe("package.json", "shadowed"),
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
            *(Probe(f"lib/team.{suffix}", "missing") for suffix in ("ts", "js", "json")),
            *(Probe(f"lib2/team.{suffix}", "missing") for suffix in ("ts", "js")),
            Probe("lib2/team.json", "taken"),
        ),
    )


def test_presets_that_are_detected() -> None:
    """What each was detected by; a `default` that is not there was looked for."""
    part = explained(case_of({"presetsSearchPath": ["lib"]}, {}, {"CI": "true"}))
    assert part.presets == (PresetRow("ci", "preset:ci", "CI", detected=True),)
    assert part.preset_probes == (
        *(Probe(f"lib/default.{suffix}", "missing") for suffix in ("ts", "js", "json")),
        Probe("CI", "taken"),
    )
    found = explained(case_of({"presetsSearchPath": ["lib"]}, {"lib/default.json": {}}))
    assert found.presets == (PresetRow("default", "lib/default.json", "lib/default.json", detected=True),)
    assert found.preset_probes[2:] == (Probe("lib/default.json", "taken"), Probe("CI", "missing"))


def test_a_configuration_that_is_named_and_none_at_all() -> None:
    """`--config` ends the search before it begins; without any configuration, it ends at the repository."""
    disk = Disk.of({"/project/.git": None, "/project/conf/a.json": "{}"})
    request = Request(start=START, config="conf/a.json")
    requests = (request, replace(request, config=None))
    named, nothing = (explain_config(resolve(each, disk).unwrap(), START, disk) for each in requests)
    assert (named.file, named.ended_at, named.ended_because) == ("conf/a.json", "", "named")
    assert (nothing.file, nothing.ended_at, nothing.ended_because) == (None, ".", "git")
