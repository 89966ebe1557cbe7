"""What the last run built, and what a record from elsewhere would say of it, as values (`docs/building.md`)."""

from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component, Entry, with_component
from pipeline.building.cache import KnownFiles, LastBuild, read_cache, write_cache
from pipeline.building.last_build import as_built_here, last_builds
from pipeline.building.plan import Target, build_step, kept_step
from pipeline.building.record import FileState, RecordedComponent
from pipeline.selection.choices import Choice, Reason

OLD, NEW, MINE = (FileState(digest=digest) for digest in ("old", "new", "mine"))
LINK = FileState(kind="link", target="a")
RECORDED = RecordedComponent(
    archive="m.zip", digest="2", content="c", version="2", files={"a": NEW, "b": OLD, "l": LINK}
)
LAST = LastBuild("1", "1")
KNOWN: KnownFiles = {"a": ((1,), "old"), "b": ((1,), "old"), "gone": ((1,), "old")}
THERE = Target(
    standing="present", files={"a": OLD, "b": MINE, "l": LINK}, known={"a": ((1,), "old"), "b": ((2,), "mine")}
)


def choice() -> Choice:
    """A module of two files."""
    component = Component(kind="module", name="m", version="1", evidence="m/m.json", root="m/")
    file = ArchiveFile(path=PurePath("/drop/m.zip"), display_path="m.zip")
    archive = with_component(Archive(file=file), component, (Entry(name="m/a"), Entry(name="m/b")))
    return Choice(replace(archive, digest="1"), component, True, Reason("unmentioned"))


@pytest.mark.parametrize(
    ("there", "known", "foreign"),
    [
        (Target(), {"a": "new", "b": "old"}, ()),
        (Target(standing="present", files={"a": NEW, "b": OLD}), {"a": "new", "b": "old"}, ()),
        (Target(standing="present", files={"a": OLD, "b": OLD}), {"a": "new", "b": "old"}, ()),
        (Target(standing="present", files={"a": NEW, "b": MINE}), {"a": "new", "b": "mine"}, ("b",)),
        (
            Target(standing="present", files={"a": NEW, "b": OLD, "x": MINE}),
            {"a": "new", "b": "old", "x": "mine"},
            ("x",),
        ),
        (
            Target(standing="present", files={"a": NEW, "b": replace(OLD, executable=True)}),
            {"a": "new", "b": "old"},
            ("b",),
        ),
        (Target(standing="present", files={"a": OLD, "b": OLD}), {"a": "late", "b": "old"}, ("a",)),
    ],
    ids=["new", "unchanged", "updated", "edited", "added", "made executable", "edited during the run"],
)
def test_what_is_not_the_tools(there: Target, known: dict[str, str], foreign: tuple[str, ...]) -> None:
    """Files that are not as the archive has them when the run is over are somebody's own."""
    recorded = RecordedComponent(archive="m.zip", digest="0", content="c", files={"a": OLD, "b": OLD})
    step = build_step(choice(), there, {"a": NEW, "b": OLD}, recorded, "nobody")
    files = {"modules/m": {name: ((1,), digest) for name, digest in known.items()}}
    assert last_builds([step, kept_step("modules/other", RECORDED)], files) == {
        "modules/m": LastBuild("1", "1", foreign)
    }


def test_what_the_record_would_say() -> None:
    """Files have the digests that the last run left; links, and files that were not the tool's, are as recorded."""
    files = {"a": OLD, "b": OLD, "gone": OLD, "l": LINK}
    assert as_built_here(RECORDED, THERE, LAST, KNOWN) == replace(
        RECORDED, digest="1", content="", version="1", files=files
    )
    mine = as_built_here(RECORDED, THERE, replace(LAST, foreign=("a", "gone")), KNOWN)
    assert mine.files == {"a": NEW, "b": OLD, "l": LINK}


@pytest.mark.parametrize(
    ("recorded", "there", "last"),
    [
        (RECORDED, THERE, None),
        (RECORDED, THERE, LastBuild("2")),
        (RECORDED, replace(THERE, files={"a": NEW, "b": MINE}), LAST),
        (RECORDED, replace(THERE, known={"a": ((3,), "old")}), LAST),
    ],
    ids=["not known", "recorded here", "files came along", "another project"],
)
def test_where_the_record_is_right(recorded: RecordedComponent, there: Target, last: LastBuild | None) -> None:
    """The record stays as it is if it is of the last run here, if that is unknown, or if files came along."""
    assert as_built_here(recorded, there, last, KNOWN) is recorded


def test_it_is_kept_in_the_cache() -> None:
    """What was built survives the cache file."""
    read = read_cache(write_cache([], {}, {"modules/m": LAST}))
    assert read is not None
    assert read.builds == {"modules/m": LAST}
