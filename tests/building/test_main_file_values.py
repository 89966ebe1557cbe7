"""Renamed main files, run alone: whether an update deactivates a plugin
(`docs/howto/other-systems.md`).
"""

import pytest

from pipeline.archives.archive import Component
from pipeline.building.judging.main_files import warn_of_renamed
from pipeline.building.patching.payload import Payload
from pipeline.building.steps import Step
from pipeline.building.stores.record import FileState, RecordedComponent
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.report.diagnostics.updates import main_file_renamed
from pipeline.values import replace
from tests.support.drafts import NOTHING, built_step, choice_of, draft_of

OLD, NEW = FileState(digest="old"), FileState(digest="new")
HEADER = b"<?php\n/*\nPlugin Name: Acme\n*/\n"
WAS = RecordedComponent(
    archive="acme.zip", digest="1", content="1", version="1", files={"acme.php": OLD}
)
RENAMED = main_file_renamed("modules/acme", "WordPress", "acme/acme.php", "acme/plugin.php")


def update(marker: str, *files: str, system: str = "WordPress") -> Step:
    """The update of a plugin whose main file was `acme.php`, to a version with these files."""
    choice = choice_of(
        "acme",
        version="2",
        system=system,
        evidence=marker,
        archive={"digest": "2", "content": "2", "file_count": 1},
    )
    target = Target(occupancy="present", tree=Tree({"acme.php": OLD}))
    return built_step(choice, target, Payload(dict.fromkeys(files, NEW)), WAS)


@pytest.mark.parametrize(
    ("step", "installed", "stays", "expected"),
    [
        (update("plugin.php", "plugin.php"), "acme.php", b"", (RENAMED,)),
        (update("plugin.php", "acme.php", "plugin.php"), "acme.php", b"<?php", (RENAMED,)),
        (update("plugin.php", "acme.php", "plugin.php"), "acme.php", HEADER, ()),
        (update("acme.php", "acme.php"), "acme.php", b"", ()),
        (update("plugin.php", "plugin.php"), "", b"", ()),
        (update("plugin.ini", "plugin.ini", system="Omeka S"), "acme.php", b"", ()),
        (replace(update("plugin.php", "plugin.php"), action="add"), "acme.php", b"", ()),
    ],
    ids=[
        "another",
        "stays without header",
        "stays with it",
        "the same",
        "unknown",
        "another system",
        "a new one",
    ],
)
def test_a_main_file_with_another_name(
    step: Step, installed: str, stays: bytes, expected: tuple[object, ...]
) -> None:
    """An update that leaves no file with the old name and a header deactivates the plugin."""
    there = Component(kind="module", name="acme", system="WordPress", evidence=installed)
    draft = draft_of(
        step,
        recognise_installed=lambda asked: dict.fromkeys(asked, there if installed else None),
        texts=replace(NOTHING, read_archive=lambda _, names: dict.fromkeys(names, stays)),
    )
    draft = draft.with_plan(replace(draft.plan, steps=(step,)))
    assert warn_of_renamed(draft).plan.warnings == expected
