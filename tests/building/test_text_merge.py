"""Files that both sides changed are merged by lines, or the reason is reported
(`docs/building.md`).
"""

from hashlib import sha256

import pytest
from msgspec.structs import replace

from pipeline.building.draft import PlanOptions
from pipeline.building.judging.obstacles import conflicts
from pipeline.building.merging.outcomes import FileOutcome
from pipeline.building.merging.preference import Preference, Preferred
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.text_merge import merge_texts
from pipeline.building.showing.plan_events import component_event
from pipeline.building.steps import Step
from pipeline.building.stores.record import FileState, RecordedComponent
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.report.diagnostics.conflicts import DisputedFile, OutputConflict
from tests.support.drafts import built_step, draft_of, untouched
from tests.support.updates import CHOICE, Texts, contents_of_texts, files_of

BASE = b"1\n2\n3\n4\n5\n"
MINE, THEIRS, BOTH = (
    BASE.replace(b"2", b"two"),
    BASE.replace(b"4", b"four"),
    b"1\ntwo\n3\nfour\n5\n",
)


def merged(
    base: Texts, mine: Texts, theirs: Texts, prefer: Preferred = "nobody", *, kept: bool = True
) -> Step:
    """The step for a component whose files are so in the three versions, after the merge."""
    recorded = RecordedComponent(archive="m.zip", digest="1", content="1", files=files_of(base))
    target = Target(occupancy="present", tree=Tree(files_of(mine)))
    return after(
        built_step(
            CHOICE, target, Payload(files_of(theirs, executable=True)), recorded, Preference(prefer)
        ),
        base if kept else {},
        mine,
        theirs,
    )


def disputed(step: Step) -> tuple[DisputedFile, ...]:
    """The files in conflict."""
    (error,) = conflicts(step)
    assert isinstance(error, OutputConflict)
    return error.disputed


def after(step: Step, base: Texts, mine: Texts, theirs: Texts) -> Step:
    """A step after the merge."""
    contents = contents_of_texts(mine, theirs, base or None)
    (done,) = merge_texts(
        draft_of(step, options=PlanOptions(merge=True), texts=contents)
    ).plan.steps
    return done


@pytest.mark.parametrize("prefer", ["nobody", "theirs", "mine"])
def test_changes_that_do_not_touch_are_merged(prefer: Preferred) -> None:
    """A merged file is the user's from then on, and the user's version goes to the backup; no flag
    is needed.
    """
    done = merged({"f": BASE, "g": BASE}, {"f": MINE, "g": BASE}, {"f": THEIRS, "g": BASE}, prefer)
    result = FileState(digest=sha256(BOTH).hexdigest(), executable=True)
    assert done.merge.outcomes["f"] == FileOutcome("merged", result)
    assert (done.action, done.texts, done.merge.disputes, done.merge.of("merged")) == (
        "update",
        {"f": BOTH},
        {},
        ("f",),
    )
    assert (done.backed_up, component_event(done).merged) == (("f",), 1)


def test_one_side_may_have_the_changes_of_the_other() -> None:
    """If one side has the changes of the other, its version is the result: the user's stays without
    a backup, or the archive's is built.
    """
    both = FileState(digest=sha256(BOTH).hexdigest(), executable=True)
    mine, theirs = ({"f": BOTH}, {"f": THEIRS}), ({"f": MINE}, {"f": BOTH})
    assert merged({"f": BASE}, *mine).merge.outcomes["f"] == FileOutcome("edited", both)
    assert merged({"f": BASE}, *theirs).merge.outcomes["f"] == FileOutcome("forced", both)


def test_what_is_not_merged_says_why() -> None:
    """Touching changes are reported with their lines, and so is a base that is not kept; both stay
    conflicts.
    """
    other = BASE.replace(b"2", b"zwei").replace(b"5", b"five")
    done = merged(
        {"f": BASE, "g": BASE, "h": b"\0"},
        {"f": MINE, "g": MINE, "h": b"1"},
        {"f": other, "g": THEIRS, "h": b"2"},
    )
    assert [(name, each.why, each.lines) for name, each in done.unmerged.items()] == [
        ("f", "touching", ((2, 2),)),
        ("h", "binary", ()),
    ]
    assert disputed(done) == (
        DisputedFile("modules/m/f", "edited", "touching", ((2, 2),)),
        DisputedFile("modules/m/h", "edited", "binary"),
    )
    alone = merged({"f": BASE}, {"f": MINE}, {"f": THEIRS}, kept=False)
    assert disputed(alone) == (DisputedFile("modules/m/f", "edited", "unkept"),)


def test_of_line_ends_only_the_side_that_changed_them_is_named() -> None:
    """If two of the three texts differ only in their line ends, that is the reason, and the side
    that changed them is named.
    """
    crlf = {
        name: text.replace(b"\n", b"\r\n")
        for name, text in {"base": BASE, "theirs": THEIRS}.items()
    }
    done = merged(
        {"f": BASE, "g": BASE, "h": BASE},
        {"f": MINE, "g": crlf["base"], "h": crlf["theirs"]},
        {"f": crlf["base"], "g": THEIRS, "h": THEIRS},
    )
    assert [each.why for each in done.unmerged.values()] == ["their ends", "your ends", "ends"]


def test_what_does_not_merge_is_decided_by_a_flag() -> None:
    """With `--mine` or `--force` beside `--merge`, the remaining conflicts are decided."""
    other = BASE.replace(b"2", b"zwei")
    done = merged({"f": BASE, "g": BASE}, {"f": MINE, "g": MINE}, {"f": other, "g": THEIRS}, "mine")
    assert (done.merge.of("merged"), done.merge.archive_backed_up, done.merge.disputes) == (
        ("g",),
        ("f",),
        {},
    )


def test_what_is_no_conflict_of_files_is_left() -> None:
    """No file is read of a component without a conflict, nor of one that is not built."""
    kept = untouched(
        "modules/m",
        RecordedComponent(archive="m.zip", digest="1", content="1", files=files_of({"f": BASE})),
    )
    assert after(kept, {}, {}, {}) == kept
    added = merged({}, {"f": MINE}, {"f": THEIRS})
    assert (added.unmerged, added.merge.disputes) == ({}, {"f": "added"})


def test_what_the_shop_writes_anew_is_not_merged() -> None:
    """The `config.xml` of a PrestaShop module is the archive's, just as without `--merge`."""
    choice = replace(CHOICE, component=replace(CHOICE.component, system="PrestaShop"))
    recorded = RecordedComponent(
        archive="m.zip", digest="1", content="1", files=files_of({"config.xml": BASE})
    )
    target = Target(occupancy="present", tree=Tree(files_of({"config.xml": MINE})))
    step = built_step(
        choice, target, Payload(files_of({"config.xml": THEIRS})), recorded, Preference()
    )
    assert after(step, {"config.xml": BASE}, {"config.xml": MINE}, {"config.xml": THEIRS}) == step
