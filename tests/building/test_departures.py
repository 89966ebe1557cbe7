"""Departures: what happens to components that are not built any longer (`docs/building.md`)."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.building.departures import Departures, DepartureSteps, departures, removals, retentions
from pipeline.building.plan import Target, conflicts, kept_step, removal_step
from pipeline.building.record import FileState, Record, RecordedComponent
from pipeline.report.build_problems import ArchiveRejected, OutputConflict
from pipeline.report.run_notes import KeptComponents
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.select import Selection

FILES = {"a": FileState(digest="old")}
PRESENT = Target(standing="present", files={"a": FileState(digest="mine")})
BLOCKED = Target(standing="link", obstacle="modules")


def archive_file(name: str) -> ArchiveFile:
    """A file of the drop."""
    return ArchiveFile(path=PurePath(f"/drop/{name}"), display_path=name)


def module(name: str, file: ArchiveFile, *, selected: bool = True) -> Choice:
    """A module that is recognised in an archive."""
    component = Component(kind="module", name=name, version="1", evidence="m.json", root="")
    return Choice(Archive(file=file, component=component), component, selected, Reason("unmentioned"))


def closed(name: str, file: ArchiveFile) -> Choice:
    """An archive that is not opened, as a pattern leaves it out."""
    choice = module(name, file, selected=False)
    return replace(choice, archive=Archive(file=file), reason=Reason("pattern"))


def refused(choice: Choice) -> Choice:
    """The same, of an archive that is damaged."""
    refusals = (ArchiveRejected(choice.archive.file.display_path, "bad"),)
    return replace(choice, archive=replace(choice.archive, refusals=refusals))


def unrecognised(name: str, file: ArchiveFile) -> Choice:
    """An archive that is refused before it is recognised."""
    choice = refused(closed(name, file))
    return replace(choice, reason=Reason("refused"))


def record(**archives: str) -> Record:
    """A record of modules, by their names, each from an archive."""
    return Record({f"modules/{name}": recorded(archive) for name, archive in archives.items()})


def recorded(archive: str) -> RecordedComponent:
    """What the record says of a component that came from an archive."""
    return RecordedComponent(archive=archive, digest="1", content="2", version="0.9", files=FILES)


A = module("a", archive_file("a.zip"))
B = module("b", archive_file("b.zip"), selected=False)
X = archive_file("x.zip")
BUNDLE = archive_file("y.zip")
MEMBER = module("m", BUNDLE.at("in"))


@pytest.mark.parametrize(
    ("before", "selection", "leaving"),
    [
        (record(a="a.zip"), Selection((A,)), Departures()),
        (record(b="old name.zip"), Selection((A, B)), Departures(left_out=("modules/b",))),
        (record(c="x.zip"), Selection((closed("c", X),)), Departures(left_out=("modules/c",))),
        (record(m="x.zip!in"), Selection((closed("c", X),)), Departures(left_out=("modules/m",))),
        (record(z="z.zip", c="c.zip"), Selection((A,)), Departures(gone=("modules/c", "modules/z"))),
        (record(was="y.zip", n="y.zip!no"), Selection((MEMBER,)), Departures(gone=("modules/n", "modules/was"))),
        (
            record(x="x.zip", m="x.zip!in", c="c.zip"),
            Selection((unrecognised("x", X),)),
            Departures(gone=("modules/c",), in_doubt=True),
        ),
        (
            record(was="y.zip", n="y.zip!no", c="c.zip"),
            Selection((refused(MEMBER),)),
            Departures(gone=("modules/c",), in_doubt=True),
        ),
        (record(b="b.zip"), Selection((refused(B),)), Departures(left_out=("modules/b",))),
    ],
    ids=[
        "built",
        "left out, whatever its archive was called",
        "left out with its archive",
        "left out with its bundle",
        "gone from the drop",
        "gone from its bundle",
        "unknown, as its archive is refused",
        "unknown, as a member of its bundle is refused",
        "left out, though refused",
    ],
)
def test_what_departs(before: Record, selection: Selection, leaving: Departures) -> None:
    """What is recorded and not built is left out or gone, or may be in an archive that is refused."""
    assert departures(before, selection) == leaving


def test_another_drop() -> None:
    """Where the drop is probably another folder, all departures are in doubt."""
    assert departures(record(c="c.zip"), Selection(()), is_elsewhere=True) == Departures((), ("modules/c",), True)


PLACES = {"modules/b": PRESENT, "modules/c": Target(), "modules/d": BLOCKED, "modules/a": PRESENT}
LEAVING = Departures(("modules/b", "modules/c", "modules/d"), ("modules/a",))
BEFORE = record(a="a.zip", b="b.zip", c="c.zip", d="d.zip")


def test_removals() -> None:
    """What is there is removed in the order of paths, what is absent forgotten; what is in the way is a conflict."""
    assert removals(BEFORE, PLACES) == DepartureSteps(
        steps=(
            removal_step("modules/a", PRESENT, recorded("a.zip")),
            removal_step("modules/b", PRESENT, recorded("b.zip")),
            removal_step("modules/d", BLOCKED, recorded("d.zip")),
        ),
        absent=("modules/c",),
    )
    assert conflicts(removals(BEFORE, PLACES).steps) == (OutputConflict("modules", reason="link"),)


@pytest.mark.parametrize("in_doubt", [False, True])
def test_retentions(in_doubt: bool) -> None:
    """What is there is kept and told, what is absent forgotten; where something is in the way, nothing is done."""
    assert retentions(BEFORE, replace(LEAVING, in_doubt=in_doubt), PLACES) == DepartureSteps(
        steps=(kept_step("modules/b", recorded("b.zip")), kept_step("modules/a", recorded("a.zip"))),
        absent=("modules/c",),
        notes=(KeptComponents(("modules/b",), ("modules/a",), in_doubt),),
    )


def test_nothing_to_keep() -> None:
    """Nothing is told where none of the departures is there."""
    leaving = Departures(("modules/c",))
    assert retentions(BEFORE, leaving, {"modules/c": Target()}) == DepartureSteps(absent=("modules/c",))
    assert retentions(BEFORE, Departures(), {}) == DepartureSteps()


def test_the_paths_of_departures() -> None:
    """Departures are what is left out and what has gone."""
    assert LEAVING.paths == ("modules/b", "modules/c", "modules/d", "modules/a")
