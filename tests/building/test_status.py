"""Status and frozen, run alone: how files, record, selection and drop stand to one another (`docs/everyday.md`)."""

from pathlib import PurePath
from typing import Literal

import pytest

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.building.departures import Departures
from pipeline.building.frozen import FrozenCheck, check_frozen
from pipeline.building.plan import Target
from pipeline.building.record import FileState, Record, RecordedComponent
from pipeline.building.status import Differences, file_differences, status_events
from pipeline.report.build_problems import DisputedFile, NotAsRecorded, OutputConflict
from pipeline.report.events import Obstacle, StatusEvent
from pipeline.report.run_notes import Repacked
from pipeline.selection.choices import Choice, Reason

A, B = FileState(digest="a"), FileState(digest="b")
RUN = FileState(digest="a", executable=True)
LINK = FileState(kind="link", target="x")
PRESENT = Target(standing="present", files={"f": B})


def recorded(digest: str = "1", content: str = "c", version: str | None = "1.0") -> RecordedComponent:
    """A recorded component of one file."""
    return RecordedComponent(archive="m.zip", digest=digest, content=content, version=version, files={"f": A})


def choice(digest: str = "1", content: str = "c", version: str | None = "1.0", kind: str = "module") -> Choice:
    """A selected archive of the component."""
    file = ArchiveFile(path=PurePath("/drop/m.zip"), display_path="m.zip")
    component = Component(kind=kind, name="m", version=version)
    archive = Archive(file=file, digest=digest, content=content, component=component, files=1)
    return Choice(archive, component, True, Reason("unmentioned"))


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
def test_differences(written: dict[str, FileState], current: dict[str, FileState], expected: Differences) -> None:
    """Each path is edited, added, deleted or of another mode; empty folders do not count."""
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
def test_the_archive_in_the_drop(known: RecordedComponent, selected: Choice, drop: str) -> None:
    """Digest, content and version say how the archive in the drop stands to the recorded one."""
    record = Record({"modules/m": known})
    (event,) = status_events(record, [selected], Departures(), {"modules/m": PRESENT})
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


@pytest.mark.parametrize(("standing", "obstacle"), [("file", "modules/m"), ("link", "modules")])
def test_what_is_in_the_way(standing: Literal["file", "link"], obstacle: str) -> None:
    """Where a file or a link is in a component's place, or above it, nothing counts as deleted."""
    target = Target(standing=standing, obstacle=obstacle)
    (event,) = status_events(Record({"modules/m": recorded()}), [choice()], Departures(), {"modules/m": target})
    assert (event.obstacle, event.deleted) == (Obstacle(obstacle, standing), ())


def test_what_is_in_conflict() -> None:
    """The files because of which a run would stop are told by their paths in the component."""
    conflict = OutputConflict("modules/m", disputed=(DisputedFile("modules/m/f", "edited"),))
    elsewhere = OutputConflict("modules/n", disputed=(DisputedFile("modules/n/f", "edited"),))
    record = Record({"modules/m": recorded()})
    (event,) = status_events(record, [choice("2", "d")], Departures(), {"modules/m": PRESENT}, [conflict, elsewhere])
    assert (event.conflicts, event.edited) == (("f",), ("f",))


@pytest.mark.parametrize(
    ("leaving", "drop"),
    [
        (Departures(left_out=("themes/m",)), "unselected"),
        (Departures(gone=("themes/m",)), "gone"),
        (Departures(), "unknown"),
    ],
)
def test_what_is_not_selected(leaving: Departures, drop: str) -> None:
    """A recorded component that is not selected is left out, gone, or perhaps in a refused archive."""
    (event,) = status_events(Record({"themes/m": recorded()}), [], leaving, {"themes/m": Target()})
    assert event.kind == "theme"
    assert event.drop == drop
    assert event.available is None
    assert event.deleted == ("f",)


def test_what_is_not_built() -> None:
    """A selected component that is not recorded is new."""
    (event,) = status_events(Record(), [choice()], Departures(), {"modules/m": Target()})
    assert event.path == "modules/m"
    assert event.drop == "new"
    assert event.version is None
    assert event.archive == "m.zip"


@pytest.mark.parametrize(
    ("components", "selected", "contents", "expected"),
    [
        ({"modules/m": recorded()}, [choice()], {}, FrozenCheck((), ())),
        (
            {"modules/m": recorded()},
            [choice("2")],
            {"modules/m": {"f": A}},
            FrozenCheck((), (Repacked("m.zip", "modules/m"),)),
        ),
        (
            {"modules/m": recorded()},
            [choice("2")],
            {"modules/m": {"f": B}},
            FrozenCheck((NotAsRecorded("modules/m", "m.zip", "1", "2"),), ()),
        ),
        (
            {"modules/m": recorded()},
            [choice("2")],
            {"modules/m": {"f": RUN}},
            FrozenCheck((NotAsRecorded("modules/m", "m.zip", "1", "2"),), ()),
        ),
        ({"modules/m": recorded()}, [], {}, FrozenCheck((NotAsRecorded("modules/m", "m.zip", "1", ""),), ())),
        ({}, [choice()], {}, FrozenCheck((NotAsRecorded("modules/m", "m.zip", "", "1"),), ())),
    ],
)
def test_frozen(
    components: dict[str, RecordedComponent],
    selected: list[Choice],
    contents: dict[str, dict[str, FileState]],
    expected: FrozenCheck,
) -> None:
    """Only the recorded components from the recorded archives pass, or from archives with the very same files."""
    assert check_frozen(Record(components), selected, contents) == expected
