"""The steps that each system needs when a run changes components, as values."""

import pytest

from pipeline.archives.places import USUAL
from pipeline.building.showing.next_steps import alterations_of, finished_alterations, next_events
from pipeline.building.steps import Step
from pipeline.building.stores.changes import Change, Run, RunKind, StoreEntry
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.record import RecordedComponent
from pipeline.building.survey import Survey
from pipeline.report.events import Action, ComponentKind, NextEvent
from pipeline.systems.residences import host_of
from pipeline.systems.system import Alteration, Happening, System
from pipeline.systems.table import SYSTEMS
from tests.support.recognition import project_with

UPGRADE = 'click "Upgrade" in the administration for `modules/m`, left out until then'
MANAGER = "upgrade `modules/m` in the module manager"
CACHES = "clear the caches, then run the database update"
THEME = "if `themes/t` was active, choose another theme"
THEME_BEFORE = "if `themes/t` is active, choose another theme"
MODULE = "if `modules/m` was enabled, undo the run, uninstall it and remove it again"
UNINSTALL = "uninstall `modules/m`"
NEEDS = {
    "WordPress": ((), (), (THEME,), (THEME_BEFORE,)),
    "PrestaShop": ((MANAGER,), (), (THEME,), (THEME_BEFORE,)),
    "thirty bees": ((MANAGER,), (), (THEME,), (THEME_BEFORE,)),
    "Omeka S": ((UPGRADE,), (), (THEME,), (THEME_BEFORE,)),
    "Omeka Classic": ((UPGRADE,), (), (THEME,), (THEME_BEFORE,)),
    "Drupal": ((CACHES,), (CACHES,), (CACHES, MODULE, THEME), (UNINSTALL, THEME_BEFORE)),
    "Drupal 7": ((CACHES,), (CACHES,), (CACHES, MODULE, THEME), (UNINSTALL, THEME_BEFORE)),
    "Backdrop": ((CACHES,), (CACHES,), (CACHES, MODULE, THEME), (UNINSTALL, THEME_BEFORE)),
}
"""After an update, after the undo of it, after a removal, and before that."""
REMOVED = (
    Alteration("module", "modules/m", "removed", "1.0"),
    Alteration("theme", "themes/t", "removed"),
)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_what_a_system_needs(system: System) -> None:
    """A system needs its steps after an update, after the undo of one, after a removal and before
    it.
    """
    update = Alteration("module", "modules/m", "updated", "1.0", "2.0")
    undo = Alteration("module", "modules/m", "brought back", "2.0", "1.0")
    found = (
        system.needs((update,)),
        system.needs((undo,)),
        system.needs(REMOVED),
        system.needs(REMOVED, is_before=True),
    )
    assert found == NEEDS[system.name]


def test_an_upgrade_is_a_higher_version() -> None:
    """An upgrade is a higher version as PHP compares them; without a version before, there was
    none, and a redo raises it again.
    """
    rows = [
        ("2.0", "2.0.0", True),
        ("1.0", "1.0", False),
        ("2.0", "1.9", False),
        (None, "1.0", True),
        ("1", None, False),
    ]
    for what in ("updated", "brought back"):
        found = [
            Alteration("module", "modules/m", what, before, after).is_raised
            for before, after, _ in rows
        ]
        assert found == [is_raised for _, _, is_raised in rows]


def recorded(version: str) -> RecordedComponent:
    """A component in the record."""
    return RecordedComponent(archive="m.zip", digest="", content="", version=version, files={})


def step(action: Action, path: str = "modules/m", kind: ComponentKind = "module") -> Step:
    """A step from version 1.0, unless it adds something, to version 2.0, unless it removes it."""
    before = None if action == "add" else recorded("1.0")
    after = None if action == "remove" else recorded("2.0")
    return Step(survey=Survey(kind=kind, path=path, written=before), action=action, component=after)


@pytest.mark.parametrize("kind", ["build", "undo"])
def test_what_the_system_may_know(kind: RunKind) -> None:
    """The system does not know a new component yet, unless an undo brings it back; a killed run
    counts like any other.
    """
    after: Happening = "updated" if kind == "build" else "brought back"
    added = (
        []
        if kind == "build"
        else [Alteration("module", "modules/new", "brought back", "2.0", "2.0")]
    )
    expected = [
        Alteration("module", "modules/m", after, "1.0", "2.0"),
        Alteration("theme", "themes/t", "removed", "1.0"),
        *added,
    ]
    steps = (
        step("update"),
        step("remove", "themes/t", "theme"),
        step("keep"),
        step("add", "modules/new"),
    )
    assert list(alterations_of(steps, kind)) == expected
    old, new = StoreEntry(recorded("1.0")), StoreEntry(recorded("2.0"))
    changes = (
        Change(path="modules/m", slot="0", entry_before=old, entry_after=new),
        Change(path="themes/t", slot="1", entry_before=old, removes=True),
        Change(path="modules/new", slot="2", entry_after=new, adds=True),
    )
    run = Run(id="1", time="", command=(), kind=kind)
    assert list(finished_alterations(Journal(run=run, changes=changes, backup=""))) == expected


def test_only_a_system_that_lives_in_the_project_needs_something() -> None:
    """Nothing is needed without a system, or if the system needs nothing for what has changed."""
    omeka = next(system for system in SYSTEMS if system.name == "Omeka S")
    changes = (Alteration("module", "modules/m", "updated", "1.0", "2.0"),)
    here = host_of(USUAL, project_with(omeka))
    nowhere = host_of(USUAL, project_with(omeka, "elsewhere"))
    assert list(next_events(changes, here)) == [NextEvent("Omeka S", (UPGRADE,))]
    assert list(next_events(changes, here, is_before=True)) == []
    assert list(next_events(changes, nowhere)) == list(next_events((), here)) == []
