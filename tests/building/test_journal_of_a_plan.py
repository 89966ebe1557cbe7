"""Transaction, run alone: which files a run moves, and what record and state say afterwards
(`docs/reliability.md`).
"""

from operator import attrgetter
from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.building.merging.outcomes import FileOutcome, Merge
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.payload import Payload
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.changes import Change, Run, StoreEntry
from pipeline.building.stores.journal import Journal, record_with
from pipeline.building.stores.layout import BACKUPS
from pipeline.building.stores.record import DENIED, Files, FileState, Record, RecordedComponent
from pipeline.building.stores.state import LastBuild, State
from pipeline.building.stores.tree import Tree
from pipeline.building.stores.undoable import Undoable, record_before
from pipeline.building.survey import Target
from pipeline.building.transaction import (
    Snapshot,
    folders_for,
    journal_of,
    planned_changes,
    with_written,
)
from pipeline.systems.system import System
from pipeline.systems.table import SYSTEMS
from tests.support.drafts import ABSENT, built_step, choice_of

OLD, NEW, MINE = FileState(digest="old"), FileState(digest="new"), FileState(digest="mine")
CHOICE = choice_of(
    version="2", evidence="m.php", archive={"digest": "2", "content": "2", "file_count": 1}
)
WAS = RecordedComponent(
    archive="m.zip", digest="1", content="1", version="1", files={"a": OLD, "m.php": OLD}
)
RUN = Run(id="1", time="T", command=("tool", "create"))


def there(files: Files) -> Target:
    """A component that has these files."""
    return Target(occupancy="present", tree=Tree(dict(files)))


def journal(step: Step, written: Files, record: Record, undoes: Undoable | None = None) -> Journal:
    """The journal of a run with one step, of which this was written, in a project that has
    only the record.
    """
    plan = Plan(project=PurePath("/p"), steps=(step,), record=record)
    changes = tuple(
        with_written(each, step, Tree(dict(written))) for each in planned_changes(plan, undoes)
    )
    snapshot = Snapshot(
        record=record, state=State(), was_recorded=True, missing=folders_for(changes), undoes=undoes
    )
    return journal_of(plan, changes, RUN, f"{BACKUPS}/1", snapshot)


def test_a_new_component() -> None:
    """Record and state have the digests of the written files, which the plan did not know; the
    folder of the component is made.
    """
    made = journal(built_step(CHOICE, ABSENT, Payload({}), None), {"a": NEW}, Record())
    built = RecordedComponent(
        archive="m.zip", digest="2", content="2", version="2", files={"a": NEW}
    )
    assert made.made == ("modules",)
    assert made.changes == (
        Change(
            path="modules/m",
            slot="0",
            adds=True,
            after={"a": NEW},
            entry_after=StoreEntry(built, LastBuild(component=built, tree=Tree({"a": NEW}))),
        ),
    )


def test_an_update_that_is_forced() -> None:
    """Replaced files go to the backup, whose folder is made as well; added files stay."""
    target = there({"a": MINE, "m.php": OLD, "mine": MINE})
    step = built_step(CHOICE, target, Payload({"a": NEW, "m.php": NEW}), WAS, Preference("theirs"))
    [change] = journal(step, {"a": NEW, "m.php": NEW}, Record({"modules/m": WAS})).changes
    assert change.backed_up == ("a",)
    assert change.after == {"a": NEW, "m.php": NEW, "mine": MINE}
    assert change.entry_before == StoreEntry(WAS)
    files = {"a": NEW, "m.php": NEW}
    built = RecordedComponent(archive="m.zip", digest="2", content="2", version="2", files=files)
    assert change.entry_after == StoreEntry(
        built, LastBuild(component=built, tree=Tree(change.after))
    )
    assert folders_for((change,)) == {"modules", BACKUPS}


def test_bits_that_a_disk_does_not_keep() -> None:
    """If a disk keeps no executable bits, neither side of a change has them."""
    run = replace(NEW, executable=True)
    target = replace(there({"a": replace(OLD, executable=True)}), has_modes=False)
    step = built_step(CHOICE, target, Payload({"a": run}), replace(WAS, files={"a": OLD}))
    [change] = journal(step, {"a": run}, Record({"modules/m": WAS})).changes
    assert (change.before, change.after) == ({"a": OLD}, {"a": NEW})


def test_an_undo_restores_the_record() -> None:
    """Law: the record after a run and its undo is the record before the run."""
    before = Record({"modules/m": WAS})
    step = built_step(CHOICE, there(WAS.files), Payload({"a": NEW, "m.php": NEW}), WAS)
    run = journal(step, {"a": NEW, "m.php": NEW}, before)
    after = record_with(before, run)
    assert after != before
    back = Step(
        survey=replace(step.survey, choice=None), action="update", component=WAS, merge=step.merge
    )
    undone = journal(back, {"a": OLD, "m.php": OLD}, after, undoes=run.own)
    assert record_with(after, undone) == before == record_before(run.own, after)
    assert undone.changes[0].entry_after == run.changes[0].entry_before
    assert undone.changes[0].marker == "m.php"


def test_an_undo_of_files_that_nobody_could_read() -> None:
    """An undo brings unreadable files back from the folder to which the run moved them; the journal
    of the run names it.
    """
    back = Step(
        survey=built_step(CHOICE, there(WAS.files), Payload(), WAS).survey,
        action="update",
        component=WAS,
    )
    shut = Change(
        path="modules/m",
        slot="0",
        before={"a": FileState(digest=DENIED)},
        backup=".tool/backup/1/modules/m",
    )
    for change, aside in ((shut, shut.backup), (replace(shut, before={"a": OLD}), "")):
        undoes = Undoable(run=RUN, changes=(change,))
        [planned] = planned_changes(Plan(project=PurePath("/p"), steps=(back,)), undoes)
        assert planned.aside == aside


@pytest.mark.parametrize("system", SYSTEMS, ids=attrgetter("name"))
def test_which_systems_leave_out_what_is_newer(system: System) -> None:
    """Omeka leaves out a module with a newer version until somebody upgrades it there; the journal
    of an undo knows it, too.
    """
    choice = choice_of(
        version="2", evidence="m.php", system=system.name, archive={"digest": "2", "content": "2"}
    )
    before = Record({"modules/m": WAS})
    step = built_step(choice, there(WAS.files), Payload({"a": NEW, "m.php": NEW}), WAS)
    run = journal(step, {"a": NEW, "m.php": NEW}, before)
    back = Step(
        survey=replace(step.survey, choice=None), action="update", component=WAS, merge=step.merge
    )
    undone = journal(back, {"a": OLD, "m.php": OLD}, record_with(before, run), undoes=run.own)
    is_omeka = system.name.startswith("Omeka")
    assert [each.changes[0].holds_back for each in (run, undone)] == [is_omeka, is_omeka]
    assert [each.changes[0].file_moves[0].name for each in (run, undone)] == [
        "m.php" if is_omeka else "a",
        "a",
    ]


def test_a_component_that_is_removed() -> None:
    """Nothing takes the place of a removed component, neither in its folder nor in record or
    state.
    """
    survey = built_step(CHOICE, there(WAS.files), Payload(WAS.files), WAS).survey
    removal = Step(survey=replace(survey, choice=None), action="remove")
    [change] = journal(removal, {}, Record({"modules/m": WAS})).changes
    assert change == Change(
        path="modules/m", slot="0", before=WAS.files, removes=True, entry_before=StoreEntry(WAS)
    )


def test_the_version_that_was_there() -> None:
    """The journal has the version of a component that no run has built."""
    step = built_step(CHOICE, there(WAS.files), Payload({"a": NEW}), None, Preference("theirs"))
    found = Component(kind="module", name="m", version="1.5")
    foreign = replace(step, survey=replace(step.survey, found=found))
    [change] = journal(foreign, {"a": NEW}, Record()).changes
    assert (change.previous, change.before, change.removes) == ("1.5", WAS.files, False)


def test_a_new_component_with_a_patch() -> None:
    """The record has the files of the archive with its patch, as the plan knows them, not as they
    were staged.
    """
    patched = replace(WAS, patch="9")
    step = Step(
        survey=built_step(CHOICE, ABSENT, Payload({}), None).survey, action="add", component=patched
    )
    [change] = journal(step, {"a": NEW}, Record()).changes
    assert change.after == {"a": NEW}
    assert change.entry_after == StoreEntry(
        patched, LastBuild(component=patched, tree=Tree({"a": NEW}))
    )


def test_a_component_of_which_the_record_alone_changes() -> None:
    """A component of which only the record changes is in the journal without a folder in staging:
    none of its files is touched.
    """
    now = replace(WAS, archive="renamed.zip")
    step = built_step(CHOICE, there(WAS.files), Payload(WAS.files), WAS)
    plan = Plan(
        project=PurePath("/p"),
        steps=(replace(step, component=now),),
        record=Record({"modules/m": now}),
    )
    snapshot = Snapshot(
        record=Record({"modules/m": WAS}), state=State(), was_recorded=True, missing=frozenset()
    )
    [change] = journal_of(plan, (), RUN, "", snapshot).changes
    built = LastBuild(component=now, tree=Tree(WAS.files))
    assert change == Change(
        path="modules/m", entry_before=StoreEntry(WAS), entry_after=StoreEntry(now, built)
    )


def test_the_order_of_the_changes() -> None:
    """The members of one archive are written one after another, under the numbers of their
    steps.
    """
    steps = tuple(
        built_step(choice_of(name, file=file), ABSENT, Payload(), None)
        for name, file in (("a", "x.zip"), ("b", "y.zip"), ("c", "x.zip"))
    )
    changes = planned_changes(Plan(project=PurePath("/p"), steps=steps), None)
    assert [(change.path, change.slot) for change in changes] == [
        ("modules/a", "0"),
        ("modules/c", "2"),
        ("modules/b", "1"),
    ]


def test_an_undo_that_merges() -> None:
    """The journal of an undo names the files in which the user's edits were merged."""
    merged = Merge({"a": FileOutcome("merged", NEW)}, {"a": OLD}, {"a": OLD}, {"a": NEW})
    survey = built_step(CHOICE, there(WAS.files), Payload(), WAS).survey
    back = Step(survey=survey, action="update", component=WAS, merge=merged)
    undone = Change(path="modules/m", slot="0", before={"a": OLD})
    undoes = Undoable(run=RUN, changes=(undone,))
    [change] = planned_changes(Plan(project=PurePath("/p"), steps=(back,)), undoes)
    assert change.merged == ("a",)
