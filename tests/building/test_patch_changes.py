"""How a run changes patches, as values: which it writes, what its journal may hold, and what undo
restores.
"""

from hashlib import sha256
from pathlib import PurePath

import pytest
from msgspec.structs import replace

from pipeline.building.draft import PatchFiles
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.patching import unused_patches
from pipeline.building.planning.undo import offer_patches
from pipeline.building.showing.plan_events import actions_of, patches_written
from pipeline.building.steps import Plan
from pipeline.building.stores.changes import Change, FileMove, Run, StoreEntry
from pipeline.building.stores.journal import Journal, read_journal
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.building.stores.sealed import seal
from pipeline.building.transaction import rewritten_patches
from pipeline.report.diagnostics.patches import unused_patch
from tests.support.drafts import ABSENT, built_step, choice_of, draft_of

NAME = "modules/m.patch"
OLD = FileState(digest=sha256(b"old").hexdigest())
NEW = FileState(digest=sha256(b"new").hexdigest())
TEXT = b"--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n"
PATCHES = Change(path="patches", slot="1", before={NAME: OLD}, after={NAME: NEW, ".htaccess": NEW})
JOURNAL = Journal(
    run=Run(id="1", time="", command=()), changes=(), backup=".tool/backup/1", patches=PATCHES
)
BUILT = RecordedComponent(archive="m.zip", digest="1", content="1", files={})


def test_what_is_written_anew() -> None:
    """A merged patch has its new text, and a patch of which nothing is left is removed; both are
    reported when that is done.
    """
    steps = [
        built_step(choice_of(name=name), ABSENT, Payload(rewritten=patch), None)
        for name, patch in (
            ("m", read_patch(TEXT, "modules/m")),
            ("n", Patch("modules/n")),
            ("o", None),
        )
    ]
    plan = Plan(
        project=PurePath("/p"),
        steps=tuple(steps),
        patch_moves=(FileMove("modules/x.patch", NEW, None),),
    )
    assert rewritten_patches(plan) == {NAME: TEXT, "modules/n.patch": b""}
    told = [each.message.partition("`: ")[0] for each in patches_written(plan, [NAME])]
    assert [each.split("`")[1] for each in told] == [
        "patches/modules/n.patch",
        "patches/modules/x.patch",
        "patches/modules/m.patch",
    ]


@pytest.mark.parametrize(
    ("there", "given_back"),
    [(b"new", (FileMove(NAME, NEW, OLD),)), (b"changed", ()), (b"", ()), (None, ())],
)
def test_what_undo_gives_back(there: bytes | None, given_back: tuple[FileMove, ...]) -> None:
    """Undo restores a patch that is as the run left it; one that has changed or gone since stays
    like that and is named.
    """
    draft = draft_of(patches=PatchFiles(PurePath("/p"), (NAME,), lambda _: there))
    offered = offer_patches(JOURNAL.own, draft).plan
    assert offered.patch_moves == given_back
    assert [each.code for each in offered.warnings] == ["patch-stays"] * (not given_back)
    assert offer_patches(replace(JOURNAL, patches=None).own, draft).plan == draft.plan


def test_what_a_journal_may_hold() -> None:
    """A journal may hold patches of components with their notes, in the project or at an absolute
    path, and nothing else.
    """
    assert read_journal(seal(JOURNAL)) == JOURNAL
    assert JOURNAL.paths == {"modules/m"}
    assert (JOURNAL.file_changes, JOURNAL.moves) == ((PATCHES,), ())
    wrong = [
        replace(JOURNAL, home="elsewhere"),
        *(
            replace(JOURNAL, patches=change)
            for change in (
                replace(PATCHES, path="modules/m"),
                replace(PATCHES, slot="x"),
                replace(PATCHES, removes=True),
                replace(PATCHES, after={"modules/m.sh": NEW}),
                replace(PATCHES, after={"../modules/m.patch": NEW}),
                replace(PATCHES, after={"other/m.patch": NEW}),
            )
        ),
    ]
    assert [read_journal(seal(each)) for each in wrong] == [None] * len(wrong)


def test_what_a_killed_run_counts_for() -> None:
    """The changes of a killed run count, unless the run that completes it changes the same
    component in another way.
    """
    changes = (
        Change(path="modules/m", slot="0", adds=True, entry_after=StoreEntry(BUILT)),
        Change(path="modules/n", slot="1"),
        Change(path="modules/o", slot="2", removes=True),
    )
    finished = replace(JOURNAL, changes=changes)
    kept = replace(built_step(choice_of(), ABSENT, Payload(), None), action="keep")
    assert actions_of([kept], finished) == {
        "modules/m": "add",
        "modules/n": "update",
        "modules/o": "remove",
    }
    assert actions_of([replace(kept, action="update")], None) == {"modules/m": "update"}
    assert [finished.is_other_record, JOURNAL.is_other_record] == [True, False]


def test_patches_that_are_passed_over() -> None:
    """Patches in the current folder of built components, and links, are named as ignored; the patch
    of an interrupted component counts as used.
    """
    files = PatchFiles(
        PurePath("/p"),
        ("modules/begun.patch",),
        links=("modules", "themes/deep", "other"),
        beside=(NAME, "modules/elsewhere.patch"),
    )
    draft = draft_of(
        record=Record({"modules/m": BUILT}), patches=files, interrupted=frozenset({"modules/begun"})
    )
    assert [each.message.split("`")[1] for each in unused_patches(draft)] == [
        "patches/modules/m.patch",
        "patches/modules",
        "patches/themes/deep",
    ]


def test_a_patch_in_which_nothing_is_left() -> None:
    """A patch that changes nothing is named as unused."""
    draft = draft_of()
    idle = read_patch(b"--- a\n+++ a\n", "modules/m")
    draft = draft.with_plan(replace(draft.plan, patches={"modules/m": idle}))
    assert unused_patches(draft) == (unused_patch("patches/modules/m.patch", "nothing"),)
