"""What a journal says of a run that was killed: what record and state say, and what its components will have."""

import pytest
from msgspec.structs import replace

from pipeline.building.journal import (
    Change,
    Entry,
    Journal,
    Run,
    Staged,
    is_written,
    leading_to,
    needed_archives,
    record_with,
    taken_back,
    without_changes,
)
from pipeline.building.record import Files, FileState, Record, RecordedComponent, digest_of
from pipeline.building.state import LastBuild, State
from pipeline.building.tree import Tree

OLD, NEW, MINE = FileState(digest="old"), FileState(digest="new"), FileState(digest="mine")
WAS = RecordedComponent(archive="m.zip", digest="1", content="1", version="1", files={"a": OLD, "same": OLD})
BUILT = replace(WAS, digest="2", version="2", files={"a": NEW, "same": OLD, "came": NEW})
PUT = Change(
    path="modules/m",
    slot="0",
    old=1,
    new=2,
    said=Entry(WAS, LastBuild(component=WAS)),
    says=Entry(BUILT, LastBuild(component=BUILT)),
    before={"a": OLD, "same": OLD, "gone": OLD, "mine": MINE},
    after={"a": NEW, "same": OLD, "came": NEW, "mine": MINE},
)
ALONE = Change(path="modules/r", said=Entry(WAS), says=Entry(BUILT))
JOURNAL = Journal(run=Run(id="1", time="", command=()), changes=(PUT, ALONE), backup="")
BEFORE = Record({"modules/m": WAS, "modules/r": WAS, "modules/pulled": WAS})
AFTER = Record({"modules/pulled": WAS, "modules/m": BUILT, "modules/r": BUILT})


def test_what_is_recorded() -> None:
    """A record takes over what a run has changed, and keeps what was pulled; it then says all of the run."""
    assert record_with(BEFORE, JOURNAL) == AFTER
    assert [is_written(JOURNAL, record) for record in (BEFORE, AFTER)] == [False, True]
    assert leading_to(AFTER, JOURNAL).record == digest_of(AFTER)
    assert leading_to(Record(), replace(JOURNAL, is_recorded=False)).record == ""
    assert needed_archives(JOURNAL, AFTER) == {"1", "2"}
    assert JOURNAL.moves == (PUT,)
    assert PUT.differing == ("a", "came", "gone")
    assert [each.replaced for each in (PUT, replace(PUT, in_place="mounted"))] == ["0", "0.undo"]


def test_what_is_left_out() -> None:
    """What record and state say already of a change that is left out, they say no more; a pulled record stays."""
    state = State({"modules/m": LastBuild(component=BUILT)})
    assert without_changes(AFTER, state, (PUT,)) == (
        Record({**AFTER.components, "modules/m": WAS}),
        State({"modules/m": LastBuild(component=WAS)}),
    )
    pulled = Record({"modules/m": replace(BUILT, version="3")})
    assert without_changes(pulled, State(), (PUT,)) == (pulled, State())


def test_what_undoing_restores() -> None:
    """Record and state are as before; where the state did not know a component, the record stands in."""
    assert taken_back(JOURNAL) == {"modules/m": PUT.said, "modules/r": Entry(WAS, LastBuild(component=WAS))}


@pytest.mark.parametrize(
    ("there", "in_place", "files", "staged"),
    [
        (PUT.before, "", PUT.after, {"a", "came"}),
        (PUT.after, "", PUT.after, set()),
        ({**PUT.before, "a": MINE, "own": MINE}, "", {**PUT.after, "a": MINE, "own": MINE}, {"came"}),
        ({"gone": OLD}, "", {"a": NEW, "same": OLD, "came": NEW}, {"a", "same", "came"}),
        ({"a": NEW, "mine": MINE}, "mounted", {"a": NEW, "came": NEW, "mine": MINE}, {"came"}),
    ],
    ids=["to do", "done", "edited", "deleted", "begun in place"],
)
def test_what_there_is_once_it_is_complete(there: Files, in_place: str, files: Files, staged: set[str]) -> None:
    """What the run brings is staged, or in place; what was changed since stays, and what was deleted stays away."""
    tree = Tree(dict(there), dict.fromkeys(there, (1,)))
    completed = replace(PUT, in_place=in_place).completed(tree)
    signatures = dict.fromkeys(files.keys() - staged, (1,))
    assert completed == Staged(".tool/staging/0", Tree(dict(files), signatures), frozenset(staged))


def test_what_is_disputed() -> None:
    """A file that the run changes, and somebody else, too, disputes a change; one that was added does not."""
    assert [PUT.disputes({**PUT.before, name: NEW}) for name in ("own", "a", "gone", "same")] == [
        False,
        True,
        True,
        False,
    ]
