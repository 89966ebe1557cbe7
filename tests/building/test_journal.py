"""What record and state say once a killed run is completed, going by its journal."""

import pytest
from msgspec.structs import replace

from pipeline.building.journal import Journal, Run, Swap, builds_after, settled_record
from pipeline.building.record import FileState, Record, RecordedComponent
from pipeline.building.state import LastBuild
from pipeline.building.tree import Tree

OLD, NEW, MINE = FileState(digest="old"), FileState(digest="new"), FileState(digest="mine")
BUILT = RecordedComponent(archive="m.zip", digest="1", content="2", version="2", files={"a": NEW, "b": NEW, "c": NEW})
PUT = Swap(
    path="modules/m",
    slot="0",
    component=BUILT,
    before={"a": OLD, "b": MINE, "c": MINE, "mine": MINE},
    after={"a": NEW, "b": MINE, "c": NEW, "mine": MINE, "folder": FileState(kind="folder")},
    users=("b", "c"),
)
REMOVED = Swap(path="modules/gone", slot="1")
RUN = Run(id="1", time="", command=(), last={"modules/m": LastBuild(component=BUILT, declined={"b": "1", "c": "1"})})
WHOLE = Journal(swaps=(PUT, REMOVED), backup="", run=RUN)
UNDOING = Journal(swaps=(PUT,), backup="", run=Run(id="2", time="", command=(), restores={"modules/m": None}))
BEFORE, AFTER = Record({"modules/m": replace(BUILT, version="1"), "modules/gone": BUILT}), Record({"modules/m": BUILT})
UNDONE = replace(
    UNDOING, run=replace(RUN, undoes=True, base=Record({"modules/r": BUILT}), restores={"modules/r": None})
)
RECORDING = replace(UNDONE, swaps=())
LEFT = LastBuild(
    component=BUILT,
    tree=Tree(PUT.after),
    declined={"b": "2"},
)


@pytest.mark.parametrize(
    ("journal", "done", "says"),
    [
        (WHOLE, {"modules/m", "modules/gone"}, {"modules/m": LEFT, "modules/gone": None}),
        (WHOLE, {"modules/gone"}, {"modules/gone": None}),
        (WHOLE, set(), {}),
        (UNDOING, {"modules/m"}, {"modules/m": None}),
        (RECORDING, set(), {"modules/r": None}),
        (Journal(swaps=(PUT,), backup=""), {"modules/m"}, {}),
    ],
    ids=["put in place", "removed", "nothing is done", "undone", "undone in the record alone", "of an earlier version"],
)
def test_what_was_built(journal: Journal, done: set[str], says: dict[str, LastBuild | None]) -> None:
    """What is there, what of it is added, and what was declined; what an undoing restores; `None` for what is gone."""
    assert builds_after(journal, done) == says


@pytest.mark.parametrize(
    ("record", "journal", "done", "says"),
    [
        (BEFORE, WHOLE, {"modules/m", "modules/gone"}, AFTER),
        (BEFORE, WHOLE, {"modules/gone"}, Record({"modules/m": BEFORE.components["modules/m"]})),
        (BEFORE, WHOLE, set(), None),
        (BEFORE, UNDONE, {"modules/m"}, Record({"modules/m": BUILT, "modules/r": BUILT})),
        (BEFORE, replace(UNDONE, swaps=(PUT, REMOVED)), {"modules/m"}, None),
        (BEFORE, RECORDING, set(), None),
        (Record({"modules/r": BUILT}), RECORDING, set(), Record({"modules/r": BUILT})),
        (
            BEFORE,
            Journal(swaps=(PUT,), backup=""),
            {"modules/m"},
            replace(BEFORE, components={**BEFORE.components, **AFTER.components}),
        ),
    ],
    ids=[
        "all is done",
        "some is done",
        "nothing is done",
        "all is undone",
        "some is undone",
        "the record alone, before",
        "the record alone, after",
        "of an earlier version",
    ],
)
def test_what_is_recorded(record: Record, journal: Journal, done: set[str], says: Record | None) -> None:
    """The record has what is done, and of what undoes another run all or nothing; `None` where nothing is completed."""
    assert settled_record(record, journal, done) == says
