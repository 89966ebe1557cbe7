"""What a journal says of a killed run: record and state, and the files that its components will
have.
"""

import pytest
from msgspec.structs import replace

from pipeline.building.stores.changes import Change, FileMove, Run, StoreEntry
from pipeline.building.stores.journal import (
    Journal,
    is_written,
    leading_to,
    needed_archives,
    record_with,
)
from pipeline.building.stores.record import (
    FileState,
    Record,
    RecordedComponent,
    changed_paths,
    digest_of,
)
from pipeline.building.stores.state import LastBuild
from pipeline.building.stores.undoable import entries_before, record_before

OLD, NEW, MINE = FileState(digest="old"), FileState(digest="new"), FileState(digest="mine")
WAS = RecordedComponent(
    archive="m.zip", digest="1", content="1", version="1", files={"a": OLD, "same": OLD}
)
BUILT = replace(WAS, digest="2", version="2", files={"a": NEW, "same": OLD, "came": NEW})
PUT = Change(
    path="modules/m",
    slot="0",
    entry_before=StoreEntry(WAS, LastBuild(component=WAS)),
    entry_after=StoreEntry(BUILT, LastBuild(component=BUILT)),
    before={"a": OLD, "same": OLD, "gone": OLD, "mine": MINE},
    after={"a": NEW, "same": OLD, "came": NEW, "mine": MINE},
)
ALONE = Change(path="modules/r", entry_before=StoreEntry(WAS), entry_after=StoreEntry(BUILT))
JOURNAL = Journal(run=Run(id="1", time="", command=()), changes=(PUT, ALONE), backup="")
BEFORE = Record({"modules/m": WAS, "modules/r": WAS, "modules/pulled": WAS})
AFTER = Record({"modules/pulled": WAS, "modules/m": BUILT, "modules/r": BUILT})


def test_what_is_recorded() -> None:
    """A record takes over the changes of a run and keeps what was pulled; then it contains the
    whole run.
    """
    assert record_with(BEFORE, JOURNAL) == AFTER
    assert [is_written(JOURNAL, record) for record in (BEFORE, AFTER)] == [False, True]
    assert leading_to(AFTER, JOURNAL).record == digest_of(AFTER)
    assert leading_to(Record(), replace(JOURNAL, is_recorded=False)).record == ""
    assert needed_archives(JOURNAL, AFTER) == {"1", "2"}
    assert JOURNAL.moves == (PUT,)
    assert (PUT.differing, PUT.replaced_slot) == (("a", "came", "gone"), "0.undo")
    assert changed_paths(BEFORE, AFTER) == ("modules/m", "modules/r")
    assert record_before(JOURNAL.own, AFTER) == BEFORE


def test_how_a_run_is_named() -> None:
    """A run is called by its command, as it would be typed in a shell, and by its time."""
    assert (
        Run(id="1", time="T", command=("tool", "create", "my drop")).words
        == "`tool create 'my drop'` of T"
    )


def test_what_undoing_restores() -> None:
    """An undo restores what record and state said before the run."""
    assert entries_before(JOURNAL.own) == {
        "modules/m": PUT.entry_before,
        "modules/r": ALONE.entry_before,
    }


FOLDER, LINK = FileState(kind="folder"), FileState(kind="link", target="a")
Move = tuple[str, FileState | None, FileState | None]
"""A file, and what it is before and after the run."""


@pytest.mark.parametrize(
    ("before", "after", "moves"),
    [
        pytest.param(
            {"a": OLD, "v": OLD, "z": OLD, "same": OLD},
            {"a": NEW, "v": NEW, "z": NEW, "new": OLD, "same": OLD},
            [("new", None, OLD), ("a", OLD, NEW), ("z", OLD, NEW), ("v", OLD, NEW)],
            id="files that change beside one that is added",
        ),
        pytest.param(
            {"a": OLD, "v": OLD, "b/c": OLD},
            {"a": NEW, "v": NEW},
            [("a", OLD, NEW), ("v", OLD, NEW), ("b/c", OLD, None)],
            id="a file that is removed",
        ),
        pytest.param(
            {"a": OLD, "v": OLD},
            {"v": NEW, "b": OLD},
            [("b", None, OLD), ("v", OLD, NEW), ("a", OLD, None)],
            id="a file that is added and one that is removed",
        ),
        pytest.param(
            {"a/b": OLD, "a/c": OLD, "v": OLD},
            {"a": OLD, "v": NEW},
            [("a/c", OLD, None), ("a/b", OLD, None), ("a", None, OLD), ("v", OLD, NEW)],
            id="a folder becomes a file",
        ),
        pytest.param(
            {"a": OLD, "v": OLD},
            {"a/b": OLD, "v": NEW},
            [("a", OLD, None), ("a/b", None, OLD), ("v", OLD, NEW)],
            id="a file becomes a folder",
        ),
        pytest.param(
            {"a": FOLDER, "v": OLD},
            {"a/b": OLD, "v": NEW},
            [("a/b", None, OLD), ("v", OLD, NEW)],
            id="an empty folder gets a file",
        ),
        pytest.param(
            {"a/b": OLD, "v": OLD},
            {"a": FOLDER, "v": NEW},
            [("a", None, FOLDER), ("v", OLD, NEW), ("a/b", OLD, None)],
            id="a folder is emptied",
        ),
        pytest.param(
            {"a": FOLDER, "v": OLD},
            {"a": OLD, "v": NEW},
            [("a", FOLDER, None), ("a", None, OLD), ("v", OLD, NEW)],
            id="an empty folder becomes a file",
        ),
        pytest.param(
            {"a": LINK, "v": OLD},
            {"a": OLD, "v": NEW},
            [("a", LINK, OLD), ("v", OLD, NEW)],
            id="a link becomes a file",
        ),
        pytest.param(
            {},
            {"a": OLD, "v": NEW},
            [("a", None, OLD), ("v", None, NEW)],
            id="a component that is added",
        ),
        pytest.param(
            {"a": OLD, "v": OLD},
            {},
            [("v", OLD, None), ("a", OLD, None)],
            id="a component that is removed",
        ),
    ],
)
def test_the_order_of_an_update(
    before: dict[str, FileState], after: dict[str, FileState], moves: list[Move]
) -> None:
    """An update first adds files, then changes them, the file that says the version last, and then
    removes files.
    """
    change = Change(path="modules/m", slot="0", before=before, after=after, marker="v")
    expected = tuple(FileMove(*move) for move in moves)
    assert change.file_moves == expected
    assert [move.back.back for move in change.file_moves] == [*expected]


@pytest.mark.parametrize(
    ("before", "after", "previous", "first"),
    [("1", "2", "", "v"), ("1", "2", "3", "new"), ("2", "1", "", "new")],
)
def test_where_a_system_leaves_out_what_is_newer(
    before: str, after: str, previous: str, first: str
) -> None:
    """If a system leaves out a component with a newer version, the file with the version comes
    first when that is raised, and last otherwise.
    """
    change = Change(
        path="plugins/m",
        slot="0",
        before={"a": OLD, "v": OLD, "gone": OLD},
        after={"a": NEW, "v": NEW, "new": NEW},
        marker="v",
        holds_back=True,
        previous=previous,
        entry_before=StoreEntry(replace(WAS, version=before)),
        entry_after=StoreEntry(replace(BUILT, version=after)),
    )
    names = [move.name for move in change.file_moves]
    assert (names[0], sorted(names)) == (first, ["a", "gone", "new", "v"])
    assert [move.name for move in replace(change, holds_back=False).file_moves] == [
        "new",
        "a",
        "v",
        "gone",
    ]
