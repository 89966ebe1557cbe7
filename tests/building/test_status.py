"""Status, run alone: how files, record, selection and drop differ (`docs/building.md`)."""

from pathlib import PurePath
from typing import Literal

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from pipeline.archives.archive import Component
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.payload import Payload
from pipeline.building.showing.status import (
    Differences,
    deviates,
    deviations,
    file_differences,
    interrupted_events,
    status_events,
    unsaved_edits,
)
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.report.diagnostics import BuildError
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.diagnostics.bases import UnknownBase, UnknownComponent
from pipeline.report.diagnostics.building import not_as_built, not_complete
from pipeline.report.diagnostics.conflicts import DisputedFile, OutputConflict
from pipeline.report.diagnostics.patches import PatchConflict
from pipeline.report.events import ComponentKind, InDrop, Obstacle, StatusEvent
from pipeline.report.states import state
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from tests.support.drafts import built_step, choice_of, reader_of, untouched

A, B = FileState(digest="a"), FileState(digest="b")
RUN = FileState(digest="a", executable=True)
LINK = FileState(kind="link", target="x")
FOUND = Component(kind="module", name="m", version="2.0")
PRESENT = Target(occupancy="present", tree=Tree({"f": B}))


def recorded(
    digest: str = "1", content: str = "c", version: str | None = "1.0"
) -> RecordedComponent:
    """A recorded component of one file."""
    return RecordedComponent(
        archive="m.zip", digest=digest, content=content, version=version, files={"f": A}
    )


def choice(
    digest: str = "1",
    content: str = "c",
    version: str | None = "1.0",
    *,
    kind: ComponentKind = "module",
    selected: bool = True,
) -> Choice:
    """An archive of the component."""
    known = {"digest": digest, "content": content, "file_count": 1}
    return choice_of(version=version, kind=kind, selected=selected, archive=known)


def refused(damaged: Choice) -> Choice:
    """The same archive, damaged."""
    return replace(
        damaged,
        archive=replace(damaged.archive, refusals=(ArchiveRejected("m.zip", Flaw("damaged")),)),
    )


def events(
    components: dict[str, RecordedComponent],
    *choices: Choice,
    there: Target = PRESENT,
    refused: tuple[BuildError, ...] = (),
) -> list[StatusEvent]:
    """The events of a selection, where the same is in the place of each component."""
    selected = {each.path: each for each in choices if each.is_built}
    steps = [
        replace(
            untouched(path, components.get(path)),
            survey=replace(
                untouched(path, components.get(path), there).survey, choice=selected.get(path)
            ),
        )
        for path in dict.fromkeys((*components, *selected))
    ]
    plan = Plan(project=PurePath("/p"), steps=tuple(steps), refused=refused)
    return list(status_events(Selection(choices), plan, Record(components)))


@pytest.mark.parametrize(
    ("written", "current", "expected"),
    [
        ({"f": A}, {"f": A}, Differences()),
        ({"f": A}, {"f": B}, Differences(edited=("f",))),
        ({"f": A}, {"f": LINK}, Differences(edited=("f",))),
        ({"f": LINK}, {"f": FileState(kind="link", target="y")}, Differences(edited=("f",))),
        ({"f": A}, {"f": RUN}, Differences(mode=("f",))),
        ({"f": RUN}, {"f": FileState(digest="b")}, Differences(edited=("f",))),
        ({"f": A, "g": A}, {"g": A, "h/i": B}, Differences(added=("h/i",), deleted=("f",))),
        ({}, {"empty": FileState(kind="folder")}, Differences()),
    ],
)
def test_differences(
    written: dict[str, FileState], current: dict[str, FileState], expected: Differences
) -> None:
    """A path is edited, added, deleted or has another mode; empty folders are ignored."""
    assert file_differences(written, current) == expected


@pytest.mark.parametrize(
    ("known", "selected", "drop"),
    [
        (recorded(), choice(), "same"),
        (recorded(), choice("2"), "repacked"),
        (recorded(), choice("2", "d", "1.1"), "newer"),
        (recorded(), choice("2", "d", "0.9"), "older"),
        (recorded(), choice("2", "d"), "changed"),
        (recorded(version=None), choice("2", "d"), "changed"),
        (recorded(), choice("2", "d", None), "changed"),
    ],
)
def test_the_archive_in_the_drop(known: RecordedComponent, selected: Choice, drop: InDrop) -> None:
    """Digest, content and version say how the archive in the drop differs from the recorded one."""
    (event,) = events({"modules/m": known}, selected)
    assert event == StatusEvent(
        kind="module",
        name="m",
        path="modules/m",
        version=known.version,
        archive="m.zip",
        drop=drop,
        available=selected.component.version,
        edited=("f",),
        added=(),
        deleted=(),
        mode=(),
    )


def test_a_component_that_is_missing() -> None:
    """A component that was written and is not on disk is missing; a new one is not."""
    new, known = events({"modules/m": recorded()}, choice(kind="theme"), there=Target())
    assert (new.path, new.missing) == ("themes/m", UNSET)
    assert (known.path, known.missing, known.deleted) == ("modules/m", True, ("f",))


@pytest.mark.parametrize(("occupancy", "obstacle"), [("file", "modules/m"), ("link", "modules")])
def test_what_is_in_the_way(occupancy: Literal["file", "link"], obstacle: str) -> None:
    """If a file or a link is in a component's place, or above it, no file counts as deleted."""
    (event,) = events(
        {"modules/m": recorded()}, choice(), there=Target(occupancy=occupancy, obstacle=obstacle)
    )
    assert (event.obstacle, event.deleted) == (Obstacle(obstacle, occupancy), ())


def test_what_is_in_conflict() -> None:
    """The files that would stop a run are listed by their paths in the component."""
    conflict = OutputConflict("modules/m", disputed=(DisputedFile("modules/m/f", "edited"),))
    elsewhere = OutputConflict("modules/n", disputed=(DisputedFile("modules/n/f", "edited"),))
    (event,) = events({"modules/m": recorded()}, choice("2", "d"), refused=(conflict, elsewhere))
    assert (event.conflicts, event.edited) == (("f",), ("f",))
    misfit = PatchConflict("patches/modules/m.patch", 1, path="modules/m", name="g", why="none")
    unknown = UnknownBase(UnknownComponent("modules/m", "2"))
    (event,) = events({"modules/m": recorded()}, choice("2", "d"), refused=(misfit, unknown))
    assert event.conflicts == ("g",)


@pytest.mark.parametrize(
    ("other", "drop"),
    [
        (choice(kind="theme", selected=False), "unselected"),
        (choice(), "gone"),
        (refused(choice()), "unknown"),
        (replace(choice(kind="theme"), is_ambiguous=True), "ambiguous"),
    ],
)
def test_what_is_not_selected(other: Choice, drop: str) -> None:
    """A recorded component that is not selected is left out, gone, in several archives, or perhaps
    in a refused one.
    """
    event = events({"themes/m": recorded()}, other, there=Target())[0]
    assert event.kind == "theme"
    assert event.drop == drop
    assert event.available is None
    assert event.deleted == ("f",)


def test_what_is_not_built() -> None:
    """A selected component that is not recorded is new."""
    (event,) = events({}, choice(), there=Target())
    assert event.path == "modules/m"
    assert event.drop == "new"
    assert event.version is None
    assert event.archive == "m.zip"


def test_another_version_is_there() -> None:
    """A component that was replaced is shown with both versions, and with the reason why the next
    run leaves it, if it does.
    """
    new, there = choice("2", "d", "3.0"), untouched("modules/m", recorded(), PRESENT)
    step = Step(survey=replace(there.survey, found=FOUND, is_replaced=True, choice=new))
    unknown = replace(step, errors=(UnknownBase(UnknownComponent("modules/m")),))
    for each, why in ((step, "behind"), (unknown, "unknown")):
        plan = Plan(project=PurePath("/p"), steps=(each,))
        (event,) = status_events(Selection((new,)), plan, Record({"modules/m": recorded()}))
        assert (event.version, event.installed, event.base, event.drop) == (
            "1.0",
            "2.0",
            why,
            "other",
        )
        assert deviates(event)
    plan = Plan(project=PurePath("/p"), steps=(), skipped=(step,))  # its archive is refused
    (event,) = status_events(Selection((new,)), plan, Record({"modules/m": recorded()}))
    assert (event.version, event.installed, event.base) == ("1.0", "2.0", UNSET)


def test_another_version_without_an_archive() -> None:
    """A replaced component that is not selected has an unknown base, or is compared with its
    archive, wherever that is.
    """
    there = untouched("modules/m", recorded(), PRESENT)
    step = replace(there, base=None, survey=replace(there.survey, found=FOUND, is_replaced=True))
    for each, why in ((step, "unknown"), (replace(step, base=recorded()), UNSET)):
        plan = Plan(project=PurePath("/p"), steps=(each,))
        (event,) = status_events(Selection(()), plan, Record({"modules/m": recorded()}))
        assert (event.version, event.installed, event.base, event.drop) == (
            "1.0",
            "2.0",
            why,
            "gone",
        )
        assert deviates(event)


def test_the_archive_of_another_version() -> None:
    """If the archive of the version on disk exists, the lists compare the disk with it, and a check
    fails.
    """
    target = replace(PRESENT, tree=Tree({"f": B, "mine": A}))
    new, made = choice("2", "d", "2.0"), replace(recorded("2", "d", "2.0"), files={"f": B})
    built = built_step(new, target, Payload({"f": B}), made)
    step = replace(
        built, survey=replace(built.survey, written=recorded(), is_replaced=True, found=FOUND)
    )
    (event,) = previewed({"modules/m": made}, new, step)
    assert (event.drop, event.version, event.installed, event.base) == ("same", "1.0", "2.0", UNSET)
    assert (event.edited, event.added, deviates(event)) == ((), ("mine",), True)


def test_what_an_update_changes() -> None:
    """Status counts the files that another archive would change and remove; for the archive that
    was built it has no numbers.
    """
    target = replace(PRESENT, tree=Tree({"f": A, "old": A}))
    base = replace(recorded(), files={"f": A, "old": A})
    for new, expected in ((choice("2", "d", "2.0"), (("f", "old"), 1)), (choice(), (UNSET, UNSET))):
        (event,) = previewed(
            {"modules/m": base}, new, built_step(new, target, Payload({"f": B}), base)
        )
        assert (event.changes, event.removed) == expected


def previewed(known: dict[str, RecordedComponent], new: Choice, step: Step) -> list[StatusEvent]:
    """The events if a step is known of the component."""
    plan = Plan(project=PurePath("/p"), steps=(step,))
    return list(status_events(Selection((new,)), plan, Record(known)))


@pytest.mark.parametrize(
    ("there", "is_deviating"),
    [
        (replace(PRESENT, tree=Tree({"f": A})), False),
        (replace(PRESENT, tree=Tree({"f": A, "g": B})), False),
        (replace(PRESENT, tree=Tree({"f": A, "x.php": B})), True),
        (replace(PRESENT, tree=Tree({"f": RUN})), False),
        (PRESENT, True),
        (replace(PRESENT, tree=Tree({})), True),
        (Target(), True),
        (Target(occupancy="link", obstacle="modules"), True),
    ],
    ids=[
        "as built",
        "added",
        "added code",
        "made executable",
        "edited",
        "deleted",
        "missing",
        "in the way",
    ],
)
def test_what_deviates(there: Target, is_deviating: bool) -> None:
    """A built component deviates if it is missing or edited, or if code was added to it; modes are
    ignored.
    """
    (event,) = events({"modules/m": recorded()}, choice(), there=there)
    assert deviates(event) is is_deviating
    (new,) = events({}, choice(), there=there)
    assert not deviates(new)


def test_what_is_in_no_record_and_there() -> None:
    """An unrecorded component on disk is compared with its archive: how many files are alike, and
    which differ.
    """
    target, made = (
        replace(PRESENT, tree=Tree({"f": B, "h": A, "x": A})),
        replace(recorded(), files={"f": A, "h": A}),
    )
    built = built_step(choice(), target, Payload(made.files), made)
    plan = Plan(
        project=PurePath("/p"), steps=(replace(built, survey=replace(built.survey, written=None)),)
    )
    (event,) = status_events(Selection((choice(),)), plan, Record())
    assert (event.alike, event.edited, event.added, event.drop) == (1, ("f",), ("x",), "new")


def test_what_was_built_and_deviates() -> None:
    """Each component with a missing or edited file is listed, except for files that its system
    rewrites.
    """
    there = Target(occupancy="present", tree=Tree({"config.xml": B}))
    shop = replace(recorded(), files={"config.xml": A})
    (event,) = events({"modules/m": shop}, choice(), there=there)
    preview = Plan(project=PurePath("/p"), steps=(untouched("modules/m", shop, there),))
    reader = reader_of()
    assert tuple(deviations([event], preview, reader)) == (
        not_as_built("modules/m", ("config.xml",)),
    )
    known = replace(
        reader,
        recognise_installed=lambda _: {
            "modules/m": Component(kind="module", name="m", system="PrestaShop")
        },
    )
    assert tuple(deviations([event], preview, known)) == ()
    assert tuple(deviations([replace(event, edited=())], preview, reader)) == ()
    missing = replace(event, edited=(), missing=True)
    assert tuple(deviations([missing], preview, reader)) == (not_as_built("modules/m"),)
    every = replace(event, deleted=("a",), added=("b.PHP", "c.txt", "cache/d.php"))
    (alarm,) = deviations([every], preview, known, ("modules/m/cache/*",))
    assert alarm == not_as_built("modules/m", ("a", "b.PHP"))
    assert tuple(deviations([every], preview, known, ("modules/m/*",))) == ()


def test_edits_that_no_patch_holds() -> None:
    """Edits are the files on disk that are not the archive's, except those that the system writes
    or a patch holds.
    """
    written = {"f": A, "g": A, "config.xml": A}
    there = Target(occupancy="present", tree=Tree({"f": B, "config.xml": B}))
    base = replace(recorded(), files=written)
    shop = choice_of(system="PrestaShop", archive={"digest": "2", "content": "d", "file_count": 3})
    built = built_step(shop, there, Payload(written), base)
    removed = untouched("modules/n", base, there)
    nobody = untouched("modules/o", None, there)
    plan = Plan(project=PurePath("/p"), steps=(removed, built, nobody))
    assert unsaved_edits(plan) == ("modules/m/f", "modules/n/config.xml", "modules/n/f")
    patch = read_patch(b"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n", "modules/n")
    assert unsaved_edits(replace(plan, patches={"modules/n": patch})) == (
        "modules/m/f",
        "modules/n/config.xml",
    )


def test_what_a_killed_run_has_begun() -> None:
    """The components of a killed run are interrupted, recorded or not, and `--check` names them;
    nothing else is said of them.
    """
    events = tuple(
        interrupted_events(("modules/n", "modules/m"), Record({"modules/m": recorded()}))
    )
    assert [(each.path, each.state, each.archive) for each in events] == [
        ("modules/m", "interrupted", recorded().archive),
        ("modules/n", "interrupted", ""),
    ]
    assert {state(each) for each in events} == {
        ("interrupted: the next `tool create` or `tool undo` completes it", "error")
    }
    reader = reader_of()
    expected = (not_complete("modules/m"), not_complete("modules/n"))
    assert tuple(deviations(events, Plan(project=PurePath("/p"), steps=()), reader)) == expected
