"""Merging a patch that does not fit a new archive; without `--merge`, whether that can be tried."""

from collections.abc import Mapping
from pathlib import PurePath

import pytest
from msgspec import Struct
from msgspec.structs import replace
from returns.result import Success

from pipeline.building.draft import PatchFiles, PlanOptions
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.payload import Payload, with_patch
from pipeline.building.planning.contents import rebase
from pipeline.building.stores.record import RecordedComponent
from pipeline.report.diagnostics.patches import PatchConflict
from tests.support.drafts import draft_of
from tests.support.updates import CHOICE, contents_of_texts, files_of

M = "modules/m"
NINE = b"".join(b"%d\n" % number for number in range(1, 10))
PATCH = b"--- a\n+++ a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
NEW = NINE.replace(b"3\n", b"drei\n")
NOBODY = Preference()
BASE = RecordedComponent(archive="m.zip", digest="1", content="1", files={})


class Case(Struct, frozen=True, kw_only=True):
    """An archive that was built, a new one, and a patch."""

    old: Mapping[str, bytes] | None
    new: Mapping[str, bytes]
    patch: bytes = PATCH

    def rebased(
        self, *, merge: bool, base: RecordedComponent | None = BASE, prefer: Preference = NOBODY
    ) -> Payload:
        """What becomes of the patch."""
        patch = read_patch(self.patch, M)
        contents = contents_of_texts(given=self.new, kept=self.old)
        draft = draft_of(
            options=PlanOptions(merge=merge, prefer=prefer),
            texts=contents,
            list_contents=lambda choices: [Success(files_of(self.new)) for _ in choices],
            patches=PatchFiles(PurePath("/p")),
        )
        draft = replace(draft, plan=replace(draft.plan, patches={M: patch}))
        payload = with_patch(
            CHOICE, files_of(self.new), patch, contents.read_archive(CHOICE, patch.names)
        )
        return rebase(CHOICE, payload, base, draft)


def test_a_patch_is_merged_and_written_anew() -> None:
    """A merged patch fits the new archive, and none of its changes is lost."""
    rebased = Case(old={"a": NINE}, new={"a": NEW}).rebased(merge=True)
    merged = NEW.replace(b"5\n", b"five\n")
    assert rebased.rewritten is not None
    assert (rebased.texts, rebased.conflicts) == ({"a": merged}, ())
    assert rebased.patch == rebased.rewritten.digest
    assert rebased.files == files_of({"a": merged})


@pytest.mark.parametrize(
    ("case", "base", "can_merge"),
    [
        (Case(old={"a": NINE}, new={"a": NEW}), BASE, True),
        (Case(old=None, new={"a": NEW}), BASE, False),
        (Case(old={"a": NEW}, new={"a": NEW}), BASE, False),
        (Case(old={"a": NINE}, new={}), BASE, False),
        (Case(old={"a": NINE}, new={"a": NEW}), None, False),
        (
            Case(old={"a": NINE}, new={"a": NEW}),
            replace(BASE, digest="2", content=CHOICE.archive.content),
            False,
        ),
    ],
    ids=["kept", "not kept", "does not fit either", "gone", "never built", "the same archive"],
)
def test_whether_a_patch_can_be_merged(
    case: Case, base: RecordedComponent | None, can_merge: bool
) -> None:
    """A patch can be merged if it fits the archive that was built and the new one has the file."""
    (conflict,) = case.rebased(merge=False, base=base).conflicts
    assert (conflict.name, conflict.can_merge) == ("a", can_merge)
    merged = case.rebased(merge=True, base=base)
    assert (merged.rewritten is not None) is can_merge


def test_a_patch_whose_changes_the_archive_has_is_removed() -> None:
    """If the archive has all changes of a patch, and others beside them, nothing is left of the
    patch.
    """
    new = NEW.replace(b"5\n", b"five\n")
    rebased = Case(old={"a": NINE}, new={"a": new}).rebased(merge=True)
    assert rebased.rewritten == Patch(M)
    assert rebased == Payload(files_of({"a": new}), rewritten=Patch(M))


def test_what_touches_stays_a_conflict() -> None:
    """Touching changes stay a conflict, even if another file of the patch is merged; a file that a
    pattern decides is not merged.
    """
    patch = PATCH + PATCH.replace(b" a\n", b" b\n")
    two = Case(
        old={"a": NINE, "b": NINE}, new={"a": NEW, "b": NEW.replace(b"5\n", b"V\n")}, patch=patch
    )
    rebased = two.rebased(merge=True)
    assert [(each.name, each.why) for each in rebased.conflicts] == [("b", "touching")]
    assert rebased.rewritten is not None
    one = Case(old={"a": NINE}, new={"a": NEW.replace(b"5\n", b"V\n")}).rebased(merge=True)
    assert [each.why for each in one.conflicts] == ["touching"]
    assert one.rewritten is None
    left = two.rebased(merge=True, prefer=Preference(mine=(f"{M}/a",), theirs=(f"{M}/b",)))
    assert [type(each) for each in left.conflicts] == [PatchConflict] * 2
    assert left.rewritten is None
