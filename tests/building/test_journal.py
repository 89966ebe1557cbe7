"""What the state says of components once a killed run is completed, going by its journal."""

import pytest

from pipeline.building.journal import Journal, Run, Swap, builds_after
from pipeline.building.record import FileState, RecordedComponent
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
        (Journal(swaps=(PUT,), backup=""), {"modules/m"}, {}),
    ],
    ids=["put in place", "removed", "nothing is done", "undone", "of an earlier version"],
)
def test_what_was_built(journal: Journal, done: set[str], says: dict[str, LastBuild | None]) -> None:
    """What is there, what of it is added, and what was declined; what an undoing restores; `None` for what is gone."""
    assert builds_after(journal, done) == says
