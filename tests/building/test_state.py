"""The state: what the tool last wrote here, and whether record or state is right if they differ
(`docs/building.md`).
"""

import json
from pathlib import PurePath

import pytest
from msgspec import defstruct
from msgspec.structs import replace

from pipeline.archives.places import USUAL, Places
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.removals import update_stores
from pipeline.building.stores.cache import cache_file, misplaced_cache_warnings
from pipeline.building.stores.last_drop import LastDrop, read_last_drop, write_last_drop
from pipeline.building.stores.record import Files, FileState, Record, RecordedComponent
from pipeline.building.stores.sealed import seal
from pipeline.building.stores.state import (
    LastBuild,
    State,
    last_build_with,
    read_state,
    state_with,
    write_state,
    written_in,
)
from pipeline.building.stores.tree import GRAIN, SECOND, Tree
from pipeline.building.survey import Target
from tests.support.cases import case_of
from tests.support.disks import START
from tests.support.drafts import built_step, choice_of, draft_of, untouched

OLD, NEW, MINE = (FileState(digest=digest) for digest in ("old", "new", "mine"))
NOW = 1_000 * SECOND


def component(version: str, **files: FileState) -> RecordedComponent:
    """What is said of a version of the module."""
    return RecordedComponent(
        archive="m.zip", digest=version, content="c", version=version, files=files
    )


HERE, PULLED = component("1", a=OLD, b=OLD, c=OLD), component("2", a=NEW, b=NEW, c=OLD)
LAST = LastBuild(component=HERE, tree=Tree({"a": OLD}, {"a": (1,)}))


CHOICE = choice_of(version="1", archive={"digest": "1", "file_count": 3})


@pytest.mark.parametrize(
    ("recorded", "last", "there", "base"),
    [
        (HERE, None, {}, HERE),
        (None, LAST, {"a": MINE}, HERE),
        (None, None, {"a": MINE}, None),
        (HERE, LAST, {"a": MINE}, HERE),
        (PULLED, LAST, {"a": OLD, "b": OLD, "c": OLD}, HERE),
        (PULLED, LAST, {"a": NEW, "b": NEW, "c": OLD}, PULLED),
        (PULLED, LAST, {"a": NEW, "b": OLD, "c": OLD}, HERE),
        (PULLED, LAST, {"a": NEW, "b": MINE, "c": OLD}, PULLED),
        (PULLED, LAST, {"a": MINE, "b": MINE, "c": OLD}, HERE),
        (component("2", a=NEW), LAST, {}, HERE),
        (PULLED, LAST, {"a": NEW, "b": NEW, "c": MINE, "x": MINE}, PULLED),
        (component("2", a=OLD, b=OLD), LAST, {"a": OLD, "b": OLD}, component("2", a=OLD, b=OLD)),
        (component("2", a=OLD, b=OLD), LAST, {"a": OLD, "b": OLD, "c": OLD}, HERE),
    ],
    ids=[
        *(
            "no state",
            "no record",
            "neither",
            "the same",
            "as built here",
            "came along",
            "half of it",
        ),
        *("an edit counts for neither", "edits of all", "nothing is there", "an edit of both"),
        *("a file less", "a file that is still there"),
    ],
)
def test_which_of_them_is_right(
    recorded: RecordedComponent | None,
    last: LastBuild | None,
    there: Files,
    base: RecordedComponent | None,
) -> None:
    """Record or state, whichever more files on disk match, is right; on a tie, the state. Added
    files do not count.
    """
    assert written_in(recorded, last, there) == base


def test_what_a_run_leaves() -> None:
    """The state has an unchanged component as it was found and a changed one as the run left it;
    others stay as before.
    """
    there = Target(occupancy="present", tree=Tree({"a": OLD, "b": OLD, "x": MINE}, {"x": (1,)}))
    same = built_step(CHOICE, there, Payload({"a": OLD, "b": OLD}), None)
    late = replace(same, survey=replace(same.survey, path="modules/late"), action="update")
    draft = draft_of(same, late, untouched("modules/other", HERE, there))
    before = State({"modules/other": LAST, "modules/gone": LAST}, patches="shop")
    kept = update_stores(replace(draft, state=before)).plan.state
    assert same.component is not None
    found = LastBuild(component=same.component, tree=there.tree)
    assert kept == replace(before, components={**before.components, "modules/m": found})
    assert kept.components["modules/m"].added == {"x"}
    new = LastBuild(component=PULLED, tree=Tree({"a": NEW}, {"a": (3,)}))
    after = state_with(kept, {"modules/new": new, "modules/gone": None})
    assert after.components == {"modules/other": LAST, "modules/m": found, "modules/new": new}


def test_what_is_left_of_a_component() -> None:
    """A file that differs from the written one stays known only if it was left so; an added file
    stays known in any case.
    """
    last = LastBuild(
        component=component("1", a=OLD, b=OLD), tree=Tree({"a": OLD, "b": MINE, "own": OLD})
    )
    found = Tree({"a": NEW, "b": MINE, "own": MINE, "late": MINE}, {"b": (2,), "late": (3,)})
    assert last_build_with(last, found).tree == Tree({"b": MINE, "own": MINE}, {"b": (2,)})


def test_it_is_read_as_it_was_written() -> None:
    """A state can be written and read back; files that may change without a new stat signature have
    to be read again.
    """
    shown = {"b": (1, NOW - GRAIN, NOW - GRAIN, 4)}
    tree = Tree(
        {"a": OLD, "b": OLD, "l": FileState(kind="link", target="a")},
        {"a": (1, NOW, NOW, 4), **shown},
    )
    state = State({"modules/m": replace(LAST, tree=tree, shown="0.9")}, patches="shop")
    expected = replace(LAST, tree=replace(tree, signatures=shown), shown="0.9")
    data = write_state(state, NOW)
    assert read_state(data, Record()) == State({"modules/m": expected}, patches="shop")
    assert read_state(data[:-9], Record()) is None


@pytest.mark.parametrize(
    "state",
    [
        State({"../m": LAST}),
        State({"modules/m": replace(LAST, component=component("1", **{"../a": OLD}))}),
        State({"modules/m": replace(LAST, tree=Tree({"/a": OLD}))}),
    ],
)
def test_a_state_that_leads_elsewhere(state: State) -> None:
    """A state with a valid seal is damaged if it has a path that no component, or no file of one,
    can have.
    """
    assert read_state(write_state(state, NOW), Record()) is None


def test_a_name_in_another_encoding() -> None:
    """A state can have user's files whose names are not UTF-8."""
    tree = Tree({**HERE.files, "\udcff": MINE}, {"a": (1, 2, 3, 4)})
    state = State({"modules/m": LastBuild(component=HERE, tree=tree)})
    assert read_state(write_state(state, NOW), Record()) == state


@pytest.mark.parametrize("wrong", [{"component": 1}, {"signatures": [None] * 4}])
def test_what_is_no_build(wrong: dict[str, object]) -> None:
    """A state with a valid seal is damaged if it has an impossible component, or knows more files
    than there were.
    """
    written = json.loads(
        write_state(State({"modules/m": replace(LAST, tree=Tree(HERE.files))}), NOW)
    )["content"]
    written["components"]["modules/m"] |= wrong
    assert read_state(seal(defstruct("State", [*written])(**written)), Record()) is None


def test_what_the_record_says_too() -> None:
    """If record and state agree on a component, they share one object, which is compared and held
    once.
    """
    tree = Tree(HERE.files, {"a": (1, 2, 3, 4)})
    data = write_state(State({"modules/m": LastBuild(component=HERE, tree=tree)}), NOW)
    for recorded, is_one in ((HERE, True), (PULLED, False)):
        state = read_state(data, Record({"modules/m": recorded}))
        assert state is not None
        last = state.components["modules/m"]
        assert last == LastBuild(component=HERE, tree=tree)
        assert last.tree.files is last.component.files
        assert (last.component is recorded) is is_one


@pytest.mark.parametrize(
    ("config", "file"),
    [
        (None, PurePath("/p/.tool-cache.json")),
        ({"cache": {"file": "c.json"}}, START / "c.json"),
        ({"cache": {"enabled": False}}, None),
    ],
)
def test_where_the_cache_is(config: dict[str, object] | None, file: PurePath | None) -> None:
    """The cache is in the project, unless a setting names another file or turns it off."""
    assert cache_file(case_of(config).settings, PurePath("/p")) == file


@pytest.mark.parametrize(
    ("file", "is_known", "is_told"),
    [
        (".tool/log.jsonl", True, True),
        ("x/../.TOOL/staging/x", True, True),
        ("patches/modules/aa.patch", True, True),
        (".tool-manifest.json", True, True),
        ("drop/new.ZIP", True, True),
        ("web/themes", True, False),
        ("web/modules/aa/x", True, False),
        ("modules/aa/x", False, False),
        ("web/cache.json", False, False),
        ("../.tool/x", False, False),
    ],
)
def test_where_no_cache_can_be(file: str, is_known: bool, is_told: bool) -> None:
    """A cache cannot be an archive, nor be among the tool's files or in a recorded folder of
    components.
    """
    settings = case_of({"cache": {"file": file}}).settings
    known = misplaced_cache_warnings(settings, START, Places("web/themes", "web/modules"))
    assert bool(known) == is_known
    assert bool(misplaced_cache_warnings(settings, START)) == is_told
    assert all(
        warning.location == settings.decision("cache.file").winner.location for warning in known
    )


def test_no_cache_behind_a_link() -> None:
    """A cache behind a link that leads to the tool's own files is reported, too."""
    settings = case_of({"cache": {"file": "link/x"}}).settings
    assert misplaced_cache_warnings(settings, START) == ()
    assert (
        misplaced_cache_warnings(settings, START, USUAL, lambda path: path.replace("link", ".tool"))
        != ()
    )


def test_no_cache_is_misplaced() -> None:
    """The place of a cache that is turned off is not reported."""
    assert (
        misplaced_cache_warnings(
            case_of({"cache": {"file": ".tool/x", "enabled": False}}).settings, START, USUAL
        )
        == ()
    )


def test_the_last_drop() -> None:
    """The remembered drop can be written and read back; a damaged file remembers none."""
    drop = LastDrop("../drop", with_names=True)
    assert read_last_drop(write_last_drop(drop)) == drop
    assert read_last_drop(write_last_drop(drop)[:-2]) == LastDrop()
