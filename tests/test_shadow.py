"""Shadow, run alone: what a new configuration hides (`docs/discovery.md`)."""

import pytest

from pipeline.notes import LegacyUnread, Note, ShadowedConfig
from pipeline.shadow import shadows
from pipeline.tree import Candidate
from tests.disks import START, disk_of

NEW = Candidate(path=START / "tool.config.json", shown="tool.config.json", form="json")


@pytest.mark.parametrize(
    ("there", "notes"),
    [
        ({}, ()),
        ({"/project/tool.config.json": "{}"}, ()),
        ({"/project/tool.config.ts": ""}, (ShadowedConfig("tool.config.ts", ("tool.config.json",)),)),
        ({"/project/package.json": '{"tool": {}}'}, (ShadowedConfig("tool.config.json", ("package.json",)),)),
        ({"/project/package.json": "{"}, ()),
        ({"/tool.config.js": ""}, (ShadowedConfig("tool.config.json", ("../tool.config.js",)),)),
        ({"/package.json": "{"}, ()),
        ({"/.tool.json": "{}"}, (LegacyUnread("../.tool.json", "tool.config.json"),)),
        ({"/project/.tool.json": "{}", "/tool.config.js": ""}, (ShadowedConfig(NEW.shown, ("../tool.config.js",)),)),
    ],
)
def test_what_is_hidden(there: dict[str, str], notes: tuple[Note, ...]) -> None:
    """What discovery takes and what it passes over once the file is there is told, before the file is there."""
    assert shadows(NEW, b"{}", START, disk_of(there)) == notes


def test_a_key_that_is_new() -> None:
    """The key of a `package.json` is looked for in its new content."""
    package = Candidate(path=START / "package.json", shown="package.json", form="package")
    disk = disk_of({"/project/package.json": "{}", "/project/tool.config.js": ""})
    assert shadows(package, b'{"tool": {}}', START, disk) == (ShadowedConfig("tool.config.js", ("package.json",)),)
    assert shadows(package, b"{}", START, disk_of({"/project/package.json": "{}"})) == ()
