"""What `tool inspect NAME` says of components, run alone (`docs/archives.md`)."""

from typing import Any

from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.archives.inspection import Inspection, inspection
from pipeline.building.draft import Occupant
from pipeline.building.showing.inspections import inspections_of
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from tests.support.drafts import choice_of, reader_of

NOWHERE = reader_of()
"""A project in which nothing is looked at."""


def choice(name: str) -> Choice:
    """A selected module."""
    return choice_of(name, version="2", evidence=f"{name}/{name}.php", archive={"file_count": 1})


def recorded(name: str, version: str | None) -> RecordedComponent:
    """A component of one file in the record."""
    return RecordedComponent(
        archive=f"{name}-1.zip",
        digest="1",
        content="2",
        version=version,
        files={"a": FileState(digest="3")},
    )


def test_what_components_are_and_why() -> None:
    """For each archive: what it is, why it is built, and what was built before; for a name without
    an archive, its record.
    """
    built, new = choice("built"), choice("new")
    record = Record(
        {"modules/built": recorded("built", None), "modules/gone": recorded("gone", "1")}
    )
    chosen = {"selected": True, "reason": "no setting leaves it out"}
    assert tuple(
        inspections_of(
            Selection((built, new)), frozenset({"modules/built", "modules/gone"}), record, NOWHERE
        )
    ) == (
        replace(inspection(built.archive), **chosen, built_from="built-1.zip"),
        replace(inspection(new.archive), **chosen),
        Inspection(
            archive="modules/gone",
            kind="module",
            name="gone",
            version="1",
            files=1,
            selected=False,
            reason="the drop has no archive of it; it stays until a run with `--prune`",
            built_from="gone-1.zip",
            built_version="1",
        ),
    )


def test_what_is_only_on_disk() -> None:
    """A component that is only on disk is described by its marker; without one, its folder gives
    name and kind.
    """
    marked = Component(
        kind="module", name="seo", version="2", evidence="seo.php", system="WordPress"
    )
    there = {
        "modules/old": Occupant("component", marked, 3),
        "themes/sea": Occupant("folder", None, 1),
    }
    reader = replace(
        NOWHERE, recognise_occupants=lambda paths: {path: there[path] for path in paths}
    )
    left: dict[str, Any] = {
        "selected": False,
        "reason": "the drop has no archive of it, nor does the record have it; it stays as it is",
    }
    said: dict[str, Any] = {
        "name": "seo",
        "version": "2",
        "evidence": "seo.php",
        "system": "WordPress",
    }
    assert tuple(inspections_of(Selection(()), frozenset(there), Record(), reader)) == (
        Inspection(archive="modules/old", kind="module", **said, files=3, **left),
        Inspection(
            archive="themes/sea",
            kind="theme",
            name="sea",
            named_by="sea/ (folder of the project)",
            files=1,
            **left,
        ),
    )
