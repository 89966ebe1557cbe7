"""What can be undone of a run, component by component, as values (`docs/building.md`)."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from pipeline.archives.places import Places
from pipeline.building.names import known_components, named_changes
from pipeline.building.stores.changes import Change, Run, RunKind, StoreEntry
from pipeline.building.stores.journal import Journal, needed_archives, read_journal
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.building.stores.sealed import seal
from pipeline.building.stores.undoable import Undoable, record_before
from pipeline.building.transaction import slot_after
from pipeline.report.diagnostic import Command
from pipeline.report.diagnostics.building import NothingToUndo
from pipeline.report.diagnostics.drop import ComponentNotFound
from pipeline.report.outcome import errors_of, value_of
from pipeline.report.wording import SUGGESTION_LIMIT
from pipeline.selection.select import Selection

OLD, NEW = FileState(digest="old"), FileState(digest="new")
WAS = RecordedComponent(archive="m.zip", digest="1", content="1", version="1", files={"a": OLD})
NOW = replace(WAS, digest="2", version="2", files={"a": NEW})
A, B, C = (
    Change(
        path="modules/a",
        slot="0",
        before={"a": OLD},
        entry_before=StoreEntry(WAS),
        entry_after=StoreEntry(NOW),
    ),
    Change(path="themes/b", slot="1", adds=True, after={"a": NEW}, entry_after=StoreEntry(NOW)),
    Change(path="modules/c", entry_before=StoreEntry(WAS), entry_after=StoreEntry(NOW)),
)
PATCHES = Change(
    path="patches",
    slot="2",
    before={"modules/a.patch": OLD, "modules/d.patch": OLD},
    after={"modules/a.patch": NEW, "modules/d.patch": NEW, ".htaccess": NEW},
)
RUN = Journal(
    run=Run(id="1", time="T", command=("tool", "create", "drop")),
    changes=(A, B, C),
    backup=".tool/backup/1",
    patches=PATCHES,
    made=("themes",),
    was_recorded=False,
)
COMMAND = Command("drop", "shop")


def undone(rest: Undoable | None, kind: RunKind = "undo", slot: str = "7") -> Journal:
    """The journal of the undo of the theme, after which the rest can be undone; or of
    the redo of it.
    """
    run = Run(id="2", time="T2", command=("tool", kind, "b"), kind=kind)
    change = replace(B, slot=slot, adds=False, removes=True)
    return Journal(run=run, changes=(change,), backup=".tool/backup/2", rest=rest)


def test_the_part_of_a_component() -> None:
    """The part of a component has its change, that of its patch, and the folders that were made for
    them.
    """
    undoable = RUN.own
    assert undoable.paths == {"modules/a", "themes/b", "modules/c", "modules/d"}
    part = undoable.only({"modules/a"})
    assert [change.path for change in part.changes] == ["modules/a"]
    assert part.changes[0].backup == ".tool/backup/1/modules/a"
    [patches] = part.patches
    assert (patches.before, patches.after) == ({"modules/a.patch": OLD}, {"modules/a.patch": NEW})
    assert (part.made, undoable.only({"themes/b"}).made) == ((), ("themes",))
    assert (undoable.only({"themes/b"}).patches, undoable.only({"modules/d"}).changes) == ((), ())
    assert part.run == RUN.run
    assert not part.was_recorded


@pytest.mark.parametrize(
    "order", list(permutations(["modules/a", "themes/b", "modules/c", "modules/d"]))
)
def test_parts_are_the_whole(order: tuple[str, ...]) -> None:
    """Law: if components are undone one after another, in any order, they are recorded as after one
    undo of all.
    """
    record = Record({change.path: NOW for change in RUN.changes})
    left: Undoable | None = RUN.own
    for path in order:
        assert left
        record = record_before(left.only({path}), record)
        left = left.without({path})
    assert left is None
    assert record == record_before(RUN.own, Record({change.path: NOW for change in RUN.changes}))


def test_what_is_taken_back() -> None:
    """An undo takes back the rest of a run, a redo takes back the last undo, and an undo after that
    both of them.
    """
    rest = RUN.own.without({"themes/b"})
    first = undone(rest)
    assert (first.taken_back_by("undo"), first.taken_back_by("redo")) == (rest, first.own)
    assert (RUN.taken_back_by("undo"), RUN.taken_back_by("redo")) == (RUN.own, None)
    assert undone(None).taken_back_by("undo") is None
    again = undone(rest, "redo").taken_back_by("undo")
    assert again
    assert [change.path for change in again.changes] == ["themes/b", "modules/a", "modules/c"]
    assert (again.run, again.was_recorded) == (RUN.run, False)
    assert again.file_changes == (*again.patches, again.changes[0], again.changes[1])


def test_slots_that_are_free() -> None:
    """New files are prepared in slots after those that can still be undone, so that no name is used
    twice.
    """
    assert (slot_after(None), slot_after(None, 2)) == (0, 2)
    assert slot_after(RUN.own, 1) == 4
    assert slot_after(Undoable(run=RUN.run)) == 0


def test_archives_of_what_can_still_be_undone() -> None:
    """The archives of changes that can still be undone are kept."""
    assert needed_archives(undone(RUN.own.without({"themes/b"})), Record()) == {"1"}
    assert needed_archives(undone(None), Record()) == set()


REST = RUN.own.without({"themes/b"})
assert REST


@pytest.mark.parametrize(
    "rest",
    [
        replace(REST, changes=(B,)),
        replace(REST, changes=(replace(A, slot="7"),)),
        replace(REST, changes=(replace(A, slot="0" * 10),)),
        replace(REST, changes=(replace(A, backup=".tool/backup/1"),)),
        replace(REST, changes=(replace(A, backup="../modules/a"),)),
        replace(REST, patches=(replace(PATCHES, after={"../a.patch": NEW}),)),
        replace(REST, patches=(replace(PATCHES, slot="x"),)),
        replace(REST, places=Places("lib", "src")),
        replace(REST, home="elsewhere"),
        replace(REST, made=("themes",)),
    ],
)
def test_a_rest_that_cannot_be(rest: Undoable) -> None:
    """The changes that can still be undone are judged like those of a run when they are read
    back.
    """
    assert read_journal(seal(undone(rest))) is None
    assert read_journal(seal(undone(REST))) == undone(REST)


def test_the_longest_name_of_a_slot() -> None:
    """A slot has a number of up to nine digits."""
    assert REST
    rest = undone(replace(REST, changes=(replace(A, slot="9" * 9),)))
    assert read_journal(seal(rest)) == rest


def test_patches_beside_the_project() -> None:
    """Parts of a run that are joined have their patches in the folder of the part that has any."""
    alone = Undoable(run=RUN.run)
    with_patches = replace(alone, patches=(PATCHES,), home="../shop")
    assert alone.joined(with_patches) == with_patches.joined(alone) == with_patches


def test_names_of_what_is_undone() -> None:
    """A name stands for components of the run; for one that the run did not change, the kept
    versions are reported.
    """
    rest = RUN.own.without({"themes/b"})
    assert rest
    last = undone(rest)
    known = known_components(Selection(()), Record({"modules/other": WAS}), last.paths | rest.paths)
    advised = (COMMAND, {"modules/other": ("modules/other@1.0",)})
    assert value_of(named_changes((), last, rest, known, advised)) == rest
    assert value_of(named_changes(("a", "modules/c/"), last, rest, known, advised)) == rest.only(
        {"modules/a", "modules/c"}
    )
    errors = errors_of(named_changes(("b", "other", "aa", "a", "b"), last, rest, known, advised))
    assert errors == (
        NothingToUndo("part", "themes/b", last.run.words, command=COMMAND),
        NothingToUndo("other", "modules/other", RUN.run.words, ("modules/other@1.0",), COMMAND),
        ComponentNotFound("aa", ""),
    )
    assert [each.advice for each in errors] == [
        "`tool redo --output=shop` reverses the undo",
        "to build a kept version, run `tool create drop modules/other@1.0 --output=shop`",
        "name a component that the last run changed, or none",
    ]


def test_many_names_that_are_not_known() -> None:
    """Similar names are only looked for for the first unknown names, as that takes time."""
    names = [f"modules/aa{number}" for number in range(SUGGESTION_LIMIT + 1)]
    errors = errors_of(
        named_changes(
            names, undone(RUN.own), RUN.own, {"modules/aa": ("modules/aa",)}, (COMMAND, {})
        )
    )
    *first, last = (error.suggestions for error in errors if isinstance(error, ComponentNotFound))
    assert (set(first), last) == ({("modules/aa",)}, ())
