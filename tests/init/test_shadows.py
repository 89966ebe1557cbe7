"""Shadow, run alone: what a new configuration hides (`docs/discovery.md`)."""

import pytest

from pipeline.config.tree import ConfigFile
from pipeline.init.shadows import shadows
from pipeline.locate import locate
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.configuration import MalformedJson, ShadowedConfig
from pipeline.report.location import Location
from pipeline.report.outcome import fold
from tests.support.disks import START, disk_of

NEW = ConfigFile(path=START / "tool.config.json", display_path="tool.config.json", kind="json")
EARLY = "the text ends too early"


def told(new: ConfigFile, content: bytes, there: dict[str, str]) -> object:
    """What is told, or the problems."""
    disk = disk_of(there)
    found = locate(START, None, disk).bind(lambda before: shadows(before, new, content, START, disk))
    return fold(found, lambda notes: notes, lambda problems: problems)


@pytest.mark.parametrize(
    ("there", "notes"),
    [
        ({}, ()),
        ({"/project/tool.config.json": "{}"}, ()),
        ({"/project/tool.config.ts": ""}, (ShadowedConfig("tool.config.ts", ("tool.config.json",)),)),
        ({"/project/package.json": '{"tool": {}}'}, (ShadowedConfig("tool.config.json", ("package.json",)),)),
        ({"/tool.config.js": ""}, (ShadowedConfig("tool.config.json", ("../tool.config.js",)),)),
        ({"/.tool.json": "{}"}, (ShadowedConfig("tool.config.json", ("../.tool.json",)),)),
        (
            {"/project/.tool.json": "{}", "/tool.config.js": ""},
            (ShadowedConfig(NEW.display_path, ("../tool.config.js",)),),
        ),
    ],
)
def test_what_is_hidden(there: dict[str, str], notes: tuple[WarningDiagnostic, ...]) -> None:
    """What discovery takes and what it passes over once the file is there is told, before the file is there."""
    assert told(NEW, b"{}", there) == notes


def test_a_key_that_is_new() -> None:
    """The key of a `package.json` is looked for in its new content."""
    package = ConfigFile(path=START / "package.json", display_path="package.json", kind="package")
    there = {"/project/package.json": "{}", "/project/tool.config.js": ""}
    assert told(package, b'{"tool": {}}', there) == (ShadowedConfig("tool.config.js", ("package.json",)),)
    assert told(package, b"{}", {"/project/package.json": "{}"}) == ()
    assert told(package, b"{", {"/.tool.json": "{}"}) == (MalformedJson(Location("package.json", 1, 2), EARLY),)
