"""Removals: recorded components that are not built any more (`docs/building.md`)."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.building.planning.removals import Removals, find_removals
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.location import Location
from pipeline.selection.choices import Choice, Reason
from pipeline.selection.select import Selection
from tests.support.drafts import choice_of

FILES = {"a": FileState(digest="old")}


def archive_file(name: str) -> ArchiveFile:
    """A file of the drop."""
    return ArchiveFile(path=PurePath(f"/drop/{name}"), display_path=name)


def module(name: str, file: ArchiveFile, *, selected: bool = True) -> Choice:
    """A module that is recognised in an archive."""
    return choice_of(
        name, version="1", evidence="m.json", selected=selected, archive={"file": file}
    )


def closed(name: str, file: ArchiveFile) -> Choice:
    """An archive that is not opened, as a pattern leaves it out."""
    choice = module(name, file, selected=False)
    return replace(choice, archive=Archive(file=file), reason=Reason("pattern"))


def refused(choice: Choice) -> Choice:
    """The same choice, of an archive that is damaged."""
    refusals = (ArchiveRejected(choice.archive.file.display_path, Flaw("bad")),)
    return replace(choice, archive=replace(choice.archive, refusals=refusals))


def unrecognised(name: str, file: ArchiveFile) -> Choice:
    """An archive that is refused before it is recognised."""
    choice = refused(closed(name, file))
    return replace(choice, reason=Reason("refused"))


def by_flag(choice: Choice) -> Choice:
    """The same choice, left out by a flag."""
    return replace(choice, reason=Reason("pattern", location=Location("--exclude")))


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
    ("before", "selection", "removals"),
    [
        (record(a="a.zip"), Selection((A,)), Removals()),
        (record(b="old name.zip"), Selection((A, B)), Removals(left_out=("modules/b",))),
        (record(c="x.zip"), Selection((closed("c", X),)), Removals(left_out=("modules/c",))),
        (record(m="x.zip!in"), Selection((closed("c", X),)), Removals(left_out=("modules/m",))),
        (
            record(z="z.zip", c="c.zip"),
            Selection((A,)),
            Removals(without_archive=("modules/c", "modules/z")),
        ),
        (
            record(was="y.zip", n="y.zip!no"),
            Selection((MEMBER,)),
            Removals(without_archive=("modules/n", "modules/was")),
        ),
        (
            record(x="x.zip", m="x.zip!in", c="c.zip"),
            Selection((unrecognised("x", X),)),
            Removals(without_archive=("modules/c",), in_doubt=True),
        ),
        (
            record(was="y.zip", n="y.zip!no", c="c.zip"),
            Selection((refused(MEMBER),)),
            Removals(without_archive=("modules/c",), in_doubt=True),
        ),
        (record(b="b.zip"), Selection((refused(B),)), Removals(left_out=("modules/b",))),
        (
            record(b="b.zip", a="a.zip"),
            Selection((by_flag(B),)),
            Removals(("modules/b",), ("modules/a",), by_flag=True),
        ),
        (
            record(c="x.zip"),
            Selection((by_flag(closed("c", X)),)),
            Removals(("modules/c",), by_flag=True),
        ),
        (
            record(b="b.zip"),
            Selection((B, by_flag(module("n", X, selected=False)))),
            Removals(("modules/b",)),
        ),
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
        "left out by a flag",
        "left out by a flag with its archive",
        "left out by a setting, another by a flag",
    ],
)
def test_what_is_removed(before: Record, selection: Selection, removals: Removals) -> None:
    """A recorded component that is not built is left out, has no archive, or may be in an archive
    that is refused.
    """
    assert find_removals(before, selection) == removals


@pytest.mark.parametrize(
    ("selection", "removals"),
    [
        (Selection((A, B)), Removals(left_out=("modules/b",))),
        (
            Selection((unrecognised("x", X),)),
            Removals(without_archive=("modules/b",), in_doubt=True),
        ),
        (Selection((refused(MEMBER),)), Removals(without_archive=("modules/b",))),
    ],
    ids=["others", "a refused archive may hold it", "a refused archive holds another"],
)
def test_what_is_removed_of_named_components(selection: Selection, removals: Removals) -> None:
    """Only named components are removed, and only an archive that may hold one of them leaves them
    in doubt.
    """
    assert (
        find_removals(record(b="b.zip", c="c.zip"), selection, frozenset({"modules/b"})) == removals
    )


@pytest.mark.parametrize("choices", [(), (module("t", replace(X, display_path="../x.zip")),)])
def test_an_empty_drop(choices: tuple[Choice, ...]) -> None:
    """If the drop has no archive, all removals are in doubt; an archive from elsewhere does not
    change that.
    """
    assert find_removals(record(c="c.zip"), Selection(choices)) == Removals(
        (), ("modules/c",), True
    )


def test_what_may_be_a_copy_is_not_removed() -> None:
    """A folder that may be a copy of a built component is not removed, as it may be the one
    in use.
    """
    choice = replace(module("b", archive_file("b.zip")), copies=("modules/old",))
    assert find_removals(record(old="a.zip", c="c.zip"), Selection((choice,))) == Removals(
        (), ("modules/c",)
    )
