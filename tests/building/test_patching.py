"""Patches in a plan, without a disk: what is built, what stops the run, and what is reported."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import PurePath

import pytest
from msgspec import UNSET, Struct, field
from msgspec.structs import replace
from returns.result import Success

from pipeline.archives.archive import Component
from pipeline.building.draft import PatchFiles, PlanOptions, ProjectReader
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.patch import Patch, patch_path
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.payload import Payload, as_built, with_patch
from pipeline.building.planning.contents import built_texts, payloads_of
from pipeline.building.showing.changes import differences, next_run, since_built
from pipeline.building.showing.plan_events import patches_written
from pipeline.building.showing.status import status_events
from pipeline.building.steps import Plan
from pipeline.building.stores.record import Files, FileState, Record, RecordedComponent
from pipeline.building.stores.state import LastBuild, State
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.plan import plan
from pipeline.report.diagnostic import Command
from pipeline.report.diagnostics.building import OutOfDate, files_edited, patch_unfit
from pipeline.report.diagnostics.conflicts import DisputedFile, OutputConflict
from pipeline.report.diagnostics.disk import denied
from pipeline.report.diagnostics.patches import (
    PatchConflict,
    PatchInvalid,
    patch_moved,
    patch_restored,
    unused_patch,
)
from pipeline.report.outcome import BuildOutcome, errors_of, value_of
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from tests.support.tables import rows
from tests.support.updates import CHOICE, contents_of_texts, files_of

M = "modules/m"
FILE = patch_path(M)
VENDOR = {"a": b"1\n2\n3\n", "b": b"b\n", "gone": b"x\n"}
EDIT = b"--- a\n+++ a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n"
BARE = EDIT.replace(b"-1,3 +1,3", b"-2 +2").replace(b" 1\n", b"").replace(b" 3\n", b"")
WHOLE = (
    EDIT
    + b"--- /dev/null\n+++ new\n@@ -0,0 +1 @@\n+new\n--- gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
)
BUILT = {"a": b"1\ntwo\n3\n", "b": b"b\n", "new": b"new\n"}
OTHER = {**VENDOR, "a": b"1\nzwei\n3\n"}


def recorded(
    texts: Mapping[str, bytes], patch: bytes = WHOLE, **fields: object
) -> RecordedComponent:
    """A component that was built from the archive with a patch."""
    digest = sha256(patch).hexdigest() if patch else ""
    base = RecordedComponent(
        archive="m.zip",
        digest=CHOICE.archive.digest,
        content=CHOICE.archive.content,
        version=CHOICE.component.version,
        files=files_of(texts),
        patch=digest,
    )
    return replace(base, **fields)


class World(Struct, frozen=True, kw_only=True):
    """An archive, a patch, what is there and what the record says."""

    archive: Mapping[str, bytes] = field(default_factory=lambda: VENDOR)
    more: Files = {}
    """Other entries of the archive."""
    patch: bytes | None = WHOLE
    disk: Mapping[str, bytes] | None = None
    record: RecordedComponent | None = None
    patches: Mapping[str, bytes | None] = {}
    says: Component | None = None
    ignores_case: bool = False
    state: State = State()

    @property
    def reader(self) -> ProjectReader:
        """The reader of the project."""
        own = {**({} if self.patch is None else {M: self.patch}), **self.patches}
        return ProjectReader(
            project=PurePath("/p"),
            command=Command("drop"),
            view_targets=lambda paths: dict.fromkeys(paths, self.place),
            view_occupancies=lambda paths: dict.fromkeys(paths, self.place),
            list_contents=lambda choices: [
                Success({**files_of(self.archive), **self.more}) for _ in choices
            ],
            recognise_installed=lambda found: dict.fromkeys(found, self.says),
            find_named=lambda *_: (),
            list_scripts=lambda _: Success(None),
            texts=contents_of_texts(self.disk or {}, self.archive, VENDOR, patch(WHOLE)),
            ignores_case=lambda: self.ignores_case,
            patches=PatchFiles(
                PurePath("/p"), tuple(f"{path}.patch" for path in own), self.content
            ),
        )

    def content(self, name: str) -> bytes | None:
        """What is in a patch."""
        return {M: self.patch, **self.patches}[name.removesuffix(".patch")]

    @property
    def place(self) -> Target:
        """The target of the component."""
        return (
            Target()
            if self.disk is None
            else Target(occupancy="present", tree=Tree(files_of(self.disk)))
        )

    def plan(self, **options: object) -> BuildOutcome[Plan]:
        """Plan a run."""
        record = Record({M: self.record}) if self.record else Record()
        return plan(Selection((CHOICE,)), record, self.state, self.reader, PlanOptions(**options))  # type: ignore[arg-type]

    def planned(self, **options: object) -> Plan:
        """The plan."""
        planned = value_of(self.plan(**options))
        assert planned is not None, errors_of(self.plan(**options))
        return planned


def test_the_archive_counts_with_its_patch() -> None:
    """A new component or an update has the patched files, and the record has the digest of the
    patch.
    """
    for world in (World(), World(disk=VENDOR, record=recorded(VENDOR, b""))):
        (step,) = world.planned().steps
        assert step.merge.files == files_of(BUILT)
        assert step.component == recorded(BUILT)
        assert step.payload.texts == {"a": BUILT["a"], "new": b"new\n"}
    state = State({M: LastBuild(component=recorded(BUILT))})
    (kept,) = World(disk=BUILT, record=recorded(BUILT), state=state).planned().steps
    assert (kept.action, kept.payload.texts, kept.payload.removed) == (
        "keep",
        {"a": BUILT["a"], "new": b"new\n"},
        ("gone",),
    )
    payloads = payloads_of([CHOICE], World(patch=EDIT).reader, {M: patch(EDIT)}, {})
    assert value_of(payloads[M]) == Payload(
        files_of({**VENDOR, "a": BUILT["a"]}),
        files_of({"a": VENDOR["a"]}),
        {"a": BUILT["a"]},
        sha256(EDIT).hexdigest(),
    )


def patch(data: bytes) -> Patch:
    """A patch that can be read."""
    read = read_patch(data, M)
    assert read.error is None
    return read


def test_what_is_there_without_the_patch_is_patched_again() -> None:
    """Files on disk without the patch count as written and are patched again; the warning names
    them.
    """
    planned = World(disk={**VENDOR, "b": b"mine\n"}, record=recorded(BUILT)).planned()
    (step,) = planned.steps
    assert step.merge.files == files_of({**BUILT, "b": b"mine\n"})
    assert planned.warnings == (patch_restored(M, ("a", "gone")),)


def test_a_conflict_names_the_patch_of_the_file() -> None:
    """If a file was both patched and edited, the conflict names the patch."""
    world = World(disk={**VENDOR, "a": b"1\ndrei\n3\n"}, record=recorded(VENDOR, b""))
    disputed = (DisputedFile(f"{M}/a", "edited", patch=FILE),)
    assert errors_of(world.plan()) == (OutputConflict(M, disputed=disputed),)


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [(b" 2\n", "2\\n", " 2\\n"), (b"\n", "2", "\\n")],
    ids=["indented", "blank"],
)
def test_lines_that_differ_in_blanks(line: bytes, expected: str, found: str) -> None:
    """If lines differ only in blanks, or are blank, the blanks are shown."""
    (error,) = errors_of(World(archive={**VENDOR, "a": b"1\n" + line + b"3\n"}).plan())
    assert isinstance(error, PatchConflict)
    assert (error.expected, error.found) == (expected, found)


def test_a_patch_that_does_not_fit() -> None:
    """A patch that does not fit stops the run and shows both texts, unless a flag or an earlier run
    has decided; then each run says so.
    """
    conflict = PatchConflict(
        FILE,
        3,
        path=M,
        name="a",
        archive="m.zip",
        why="none",
        at_line=2,
        expected="2",
        found="zwei",
    )
    world = World(archive=OTHER, disk=VENDOR, record=recorded(VENDOR, b""))
    there = replace(conflict, is_there=True)
    assert errors_of(world.plan()) == (there,)
    assert world.planned(keep_going=True).component_errors == (there,)
    forced = world.planned(prefer=Preference("theirs"))
    assert forced.warnings == (unused_patch(FILE, "unfit", f"{M}/a", line=3),)
    left = {name: text for name, text in OTHER.items() if name != "gone"}
    assert forced.steps[0].component == recorded({**left, "new": b"new\n"})
    assert forced.steps[0].merge.files["a"] == files_of(OTHER)["a"]
    mine = world.planned(prefer=Preference("mine"))
    assert (mine.steps[0].merge.files["a"], mine.steps[0].merge.of("declined")) == (
        files_of(VENDOR)["a"],
        ("a",),
    )
    later = World(archive=OTHER, disk=BUILT, record=forced.steps[0].component)
    unfit = unused_patch(FILE, "unfit", f"{M}/a", line=3)
    assert later.planned().warnings == (unfit,)
    for by_path, all_files in (
        (Preference(theirs=("*/a",)), forced),
        (Preference(mine=("*/a",)), mine),
    ):
        decided = world.planned(prefer=by_path)
        assert (decided.steps[0].merge.files, decided.warnings) == (
            all_files.steps[0].merge.files,
            all_files.warnings,
        )
        assert "idle-pattern" in {each.code for each in later.planned(prefer=by_path).warnings}
    assert errors_of(world.plan(prefer=Preference(mine=("*/b",)))) == (there,)
    assert errors_of(later.plan(frozen=True)) == (
        files_edited(M, ("a",)),
        patch_unfit(M, FILE, f"{M}/a"),
    )
    assert errors_of(World(archive=OTHER).plan(prefer=Preference("mine"))) == (conflict,)
    (event,) = status_events(
        Selection((CHOICE,)), world.planned(keep_going=True), Record({M: recorded(BUILT)})
    )
    assert event.conflicts == ("a",)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("l", {"l": FileState(kind="link", target="a")}),
        ("gone/x", {}),
        ("d", {"d/e": FileState()}),
        ("d", {"d": FileState(kind="folder")}),
    ],
)
def test_a_file_is_not_added_where_something_else_is(name: str, more: Files) -> None:
    """A patch cannot add a file where there is a link, a file above it, a folder with files, or an
    empty folder of the archive.
    """
    world = World(patch=b"--- /dev/null\n+++ %b\n@@ -0,0 +1 @@\n+x\n" % name.encode(), more=more)
    assert errors_of(world.plan()) == (
        PatchConflict(FILE, 1, path=M, name=name, archive="m.zip", why="kind"),
    )


def test_a_file_may_be_added_to_an_empty_folder() -> None:
    """A patch may add a file to an empty folder of the archive."""
    world = World(
        patch=b"--- /dev/null\n+++ d/x\n@@ -0,0 +1 @@\n+x\n", more={"d": FileState(kind="folder")}
    )
    assert world.planned().steps[0].merge.files == files_of({**VENDOR, "d/x": b"x\n"})


def test_what_is_said_of_a_patch_in_part() -> None:
    """A part about another component is named by its path, and a moved part by how far it moved; of
    a file that does not fit, nothing else is said.
    """
    texts = {"c": b"1\ntwo\n3\n", "d": b"0\n1\n2\n3\n"}
    twice = b"--- c\n+++ c\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n@@ -9 +9 @@\n-x\n+y\n"
    elsewhere = EDIT.replace(b" a\n", b" modules/n/a\n")
    payload = with_patch(
        CHOICE, files_of(texts), patch(twice + elsewhere + EDIT.replace(b" a\n", b" d\n")), texts
    )
    ((_, warning),) = payload.absent
    assert ([conflict.name for conflict in payload.conflicts], payload.skipped) == (
        ["c"],
        (patch_moved(FILE, f"{M}/d", 20, 1),),
    )
    assert warning == unused_patch(FILE, "elsewhere", "modules/n/a", line=11)


@pytest.mark.parametrize(
    ("data", "reason"), [(b"x", "it is no unified diff"), (None, "it is not a file")]
)
def test_what_is_no_patch(data: bytes | None, reason: str) -> None:
    """A file that is not a patch stops the run, whatever is preferred."""
    world = World(patch=None, patches={M: data}, disk=BUILT, record=recorded(BUILT))
    for options in ({}, {"prefer": Preference("theirs")}):
        assert errors_of(world.plan(**options)) == (PatchInvalid(FILE, 1, reason),)
    assert [
        each.what for each in errors_of(world.plan(frozen=True)) if isinstance(each, OutOfDate)
    ] == ["record"]


def test_what_is_no_patch_beside_a_component_that_was_built_without_one() -> None:
    """A file that is not a patch stops the run even if archive and record have not changed."""
    world = World(patch=None, patches={M: b"x"}, disk=VENDOR, record=recorded(VENDOR, patch=b""))
    fault = PatchInvalid(FILE, 1, "it is no unified diff")
    assert errors_of(world.plan()) == (fault,)
    assert errors_of(replace(world, disk=None).plan()) == (fault,)


def test_patches_that_are_not_used_or_not_there() -> None:
    """A warning names a patch of something that is not built, a missing patch, and one that the
    vendor has taken over.

    If the files are already as in the archive, no patch is missing and none is called taken over.
    """
    lost = World(patch=None, patches={"modules/n": EDIT}, disk=BUILT, record=recorded(BUILT))
    assert lost.planned().warnings == (
        unused_patch("patches/modules/n.patch", "component"),
        unused_patch(FILE, "missing", M, files=3),
    )
    assert lost.planned(names=frozenset({M})).warnings == (
        unused_patch(FILE, "missing", M, files=3),
    )
    assert replace(lost, patches={}, disk=VENDOR).planned().warnings == ()
    assert replace(lost, patches={}, disk=None).planned().warnings == (
        unused_patch(FILE, "missing", M),
    )
    replaced = replace(lost, patches={}, record=recorded(BUILT, digest="other"))
    assert replaced.planned().warnings == (unused_patch(FILE, "missing", M),)
    taken = World(archive={**VENDOR, "a": BUILT["a"]}, patch=EDIT)
    assert taken.planned().warnings == (unused_patch(FILE, "present", f"{M}/a", line=3),)
    state = State({M: LastBuild(component=recorded(taken.archive, EDIT))})
    again = replace(taken, disk=taken.archive, record=recorded(taken.archive, EDIT), state=state)
    assert again.planned().warnings == again.planned(frozen=True).warnings == ()


def test_frozen_compares_the_patch_with_the_record() -> None:
    """With `--frozen`, a changed, missing or unrecorded patch differs from the record."""
    cases = (
        World(disk=BUILT, record=recorded(BUILT, EDIT)),
        World(patch=None, disk=BUILT, record=recorded(BUILT)),
        World(disk=VENDOR, record=recorded(VENDOR, b"")),
    )
    said = [errors_of(world.plan(frozen=True))[0].message for world in cases]
    assert [each.partition(": ")[0] for each in said] == [
        f"`{FILE}` is not what `{M}` was built with",
        f"`{M}` was built with `{FILE}`, which is missing or cannot be read",
        f"`{FILE}` is not what `{M}` was built with",
    ]
    assert World(disk=BUILT, record=recorded(BUILT)).planned(frozen=True).changes == ()


def test_status_counts_what_is_patched() -> None:
    """Patched files are counted, and are in no other list."""
    world = World(disk={**BUILT, "new": b"mine\n"}, record=recorded(BUILT))
    (event,) = status_events(
        Selection((CHOICE,)), world.planned(keep_going=True), Record({M: recorded(BUILT)})
    )
    assert (event.patched, event.edited, event.conflicts) == (("a", "gone"), ("new",), UNSET)


def test_a_patched_marker_is_no_other_version() -> None:
    """A marker that the patch changed counts as written; if it says yet another version, that is
    reported.
    """
    says = Component(kind="module", name="m", version="9", evidence="a")
    world = World(
        disk={**VENDOR, "a": BUILT["a"], "b": b"mine\n"}, record=recorded(VENDOR, b""), says=says
    )
    (step,) = world.planned().steps
    assert step.merge.files == files_of({**BUILT, "b": b"mine\n"})
    other = replace(world, disk={"a": b"9\n", "b": b"9\n"})
    assert [each.code for each in other.planned().warnings] == ["drop-behind"]


def test_no_patch_is_tried_where_the_drop_is_behind() -> None:
    """No patch is applied if record or disk have a later version than the archive."""
    ahead = recorded({"a": b"9\n"}, version="9", digest="other")
    state = State({M: LastBuild(component=recorded(VENDOR, b""))})
    planned = World(archive=OTHER, disk=VENDOR, record=ahead, state=state).planned()
    assert [each.code for each in planned.warnings] == ["drop-behind"]


def test_diffs_have_the_contents_of_patches() -> None:
    """The diffs of a run, of your changes and of the archive show patched contents."""
    world = World(disk={**BUILT, "a": b"1\ntwo\n3\nmine\n"}, record=recorded(BUILT))
    preview = world.planned(keep_going=True)
    payloads = payloads_of([CHOICE], world.reader, preview.patches, {M: recorded(BUILT)})
    archives = {M: (CHOICE, value_of(payloads[M]) or Payload())}
    (mine,) = differences(since_built(preview, archives, is_mine=True), world.reader.texts)
    assert mine.text.endswith(b"@@ -1,3 +1,4 @@\n 1\n two\n 3\n+mine\n")
    bare = World(disk=VENDOR, record=recorded(VENDOR, b""))
    payloads = payloads_of([CHOICE], bare.reader, bare.planned().patches, {})
    theirs = {M: (CHOICE, value_of(payloads[M]) or Payload())}
    there = [
        each.text
        for each in differences(
            since_built(bare.planned(keep_going=True), theirs, is_mine=False), bare.reader.texts
        )
    ]
    run = [each.text for each in differences(next_run(bare.planned(), {}), bare.reader.texts)]
    assert there == run
    assert [each.count(b"+two") for each in run] == [1, 0, 0]


@pytest.mark.parametrize(("names", "said"), rows("patching", "near names"))
def test_patches_that_look_like_ours(
    names: tuple[str, ...], said: tuple[tuple[str, str], ...]
) -> None:
    """A file with nearly the name of a component's patch is reported; patches of other tools are
    ignored.
    """
    world = World(patch=None)
    reader = replace(world.reader, patches=PatchFiles(PurePath("/p"), names))
    planned = value_of(plan(Selection((CHOICE,)), Record(), State(), reader, PlanOptions()))
    assert planned is not None
    reported = []
    for name, why in said:
        component = "" if why == "component" else M
        reported.append(unused_patch(f"patches/{name}", why, component))  # type: ignore[arg-type]
    assert list(planned.warnings) == reported
    frozen = errors_of(
        plan(Selection((CHOICE,)), Record(), State(), reader, PlanOptions(frozen=True))
    )
    assert [each.message for each in frozen][1:] == [each.message for each in reported]


def test_a_patch_that_cannot_be_read_is_an_error_of_its_component_alone() -> None:
    """If a patch cannot be read, or its names exclude each other, the other components are
    built.
    """
    refused = denied(FILE)
    world = World(patch=None)
    reader = replace(
        world.reader, patches=PatchFiles(PurePath("/p"), ("modules/m.patch",), lambda _: refused)
    )
    selection = Selection((CHOICE,))
    assert errors_of(plan(selection, Record(), State(), reader, PlanOptions())) == (refused,)
    passed = value_of(plan(selection, Record(), State(), reader, PlanOptions(keep_going=True)))
    assert passed is not None
    assert (passed.steps, passed.refused) == ((), (refused,))
    added = b"--- /dev/null\n+++ b/%b\n@@ -0,0 +1 @@\n+x\n"
    twice = World(patch=added % b"N" + added % b"n", ignores_case=True)
    assert [each.message for each in errors_of(twice.plan())] == [
        f"`{FILE}` is not a valid patch: `N` and `n` are one name"
    ]


def test_what_a_patch_removes_has_to_be_a_file() -> None:
    """A patch that removes a link or a folder of the archive does not fit."""
    for more in ({"l": FileState(kind="link", target="a")}, {"l/x": FileState()}):
        world = World(patch=b"--- l\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", more=more)
        assert errors_of(world.plan()) == (
            PatchConflict(FILE, 1, path=M, name="l", archive="m.zip", why="kind"),
        )


def test_a_patch_cannot_add_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """With it, a component has no more files than an archive may have."""
    monkeypatch.setattr("pipeline.building.patching.payload.ENTRY_LIMIT", 3)
    (error,) = errors_of(World().plan())
    assert "has more than 3 files" in error.message


def test_an_empty_patch_is_none() -> None:
    """An empty patch counts as no patch."""
    assert World(patch=b"\n").planned().patches == {}


def test_what_was_built_with_a_patch_that_is_refused() -> None:
    """A refused patch stays refused, even if the state says that it was built."""
    twice = (
        b"--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/f/x\n@@ -0,0 +1 @@\n+x\n"
    )
    built = recorded(VENDOR, twice)
    world = World(
        patch=twice, disk=VENDOR, record=built, state=State({M: LastBuild(component=built)})
    )
    (error,) = errors_of(world.plan())
    assert error.message == f"`{FILE}` is not a valid patch: `f` is a file and a folder in it"


def test_without_the_patch_that_it_was_built_with_nothing_is_known() -> None:
    """If neither the kept patch nor the archive exists, no content of the built files is known."""
    world, base = World(), recorded(BUILT, EDIT)
    assert built_texts(M, base, ("a",), (), world.reader.texts) == {}
    nothing = replace(world.reader.texts, read_kept=lambda *_: None)
    assert built_texts(M, recorded(BUILT), ("a",), (), nothing) == {}
    assert built_texts(M, recorded(BUILT), ("a", "gone"), (CHOICE,), nothing) == {"a": BUILT["a"]}


def test_an_archive_that_was_built_is_not_read_again() -> None:
    """If an archive was built with the same patch, only the patched files are read; with another
    one, all are.
    """
    asked = list[str]()

    def contents(choices: Sequence[Choice]) -> list[BuildOutcome[Files]]:
        asked.extend(each.path for each in choices)
        return [Success(files_of(VENDOR)) for _ in choices]

    reader = replace(World().reader, list_contents=contents)
    payloads = payloads_of((CHOICE,), reader, {M: patch(WHOLE)}, {M: recorded(BUILT)})
    assert (payloads, asked) == (payloads_of((CHOICE,), World().reader, {M: patch(WHOLE)}, {}), [])
    assert payloads_of((CHOICE,), reader, {}, {M: recorded(VENDOR, b"")}) == {
        M: Success(Payload(files_of(VENDOR)))
    }
    assert asked == []
    for built in (recorded(BUILT, digest="old", content="old"), recorded(BUILT, EDIT)):
        payloads_of((CHOICE,), reader, {M: patch(WHOLE)}, {M: built})
    assert asked == [M, M]


def test_what_was_built_on_a_disk_that_tells_case_is_given_again() -> None:
    """A component that was built is given again, whatever the case of its names."""
    texts = {"x": b"x\n", "X": b"y\n"}
    added = b"--- /dev/null\n+++ %b\n@@ -0,0 +1 @@\n+%b\n"
    data = added % (b"x", b"x") + added % (b"X", b"y")
    built = recorded(texts, data)
    assert as_built(CHOICE, built, patch(data), {}) == Payload(
        files_of(texts), texts=texts, patch=built.patch
    )


def test_a_plan_with_a_patch_that_is_written_anew() -> None:
    """With `--merge`, the plan has the merged file and the new patch, which is reported once it is
    written.
    """
    moved = {**VENDOR, "a": b"0\n1\n2\n3\n2\n"}
    bare = WHOLE.replace(EDIT, BARE)
    world = World(archive=moved, patch=bare, disk=BUILT, record=recorded(BUILT, bare, digest="old"))
    (conflict,) = errors_of(world.plan())
    assert isinstance(conflict, PatchConflict)
    assert (conflict.why, conflict.can_merge) == ("several", True)
    planned = world.planned(merge=True)
    assert planned.steps[0].payload.rewritten == planned.patches[M]
    assert planned.steps[0].payload.texts["a"] == b"0\n1\ntwo\n3\n2\n"
    assert planned.warnings == ()
    assert [each.message for each in patches_written(planned, dry=True)] == [
        (
            "`patches/modules/m.patch` does not fit `m.zip`: it would be merged with the archive "
            "and "
            "rewritten"
        )
    ]
    new = planned.patches[M].text
    assert planned.steps[0].component == recorded({**BUILT, "a": b"0\n1\ntwo\n3\n2\n"}, new)


def test_a_file_that_the_archive_lacks_and_what_was_built() -> None:
    """A patched file that was built before and is gone from the archive is a conflict; one that no
    archive had is reported when it is built.
    """
    gone = WHOLE + EDIT.replace(b"--- a\n+++ a", b"--- old\n+++ old")
    line = gone.count(b"\n", 0, gone.index(b"--- old")) + 1
    (error,) = errors_of(
        World(patch=gone, record=recorded({**BUILT, "old": b"x"}, digest="old"), disk=BUILT).plan()
    )
    assert isinstance(error, PatchConflict)
    assert (error.name, error.why, error.line) == ("old", "absent", line)
    assert World(patch=gone).planned().warnings == (
        unused_patch(FILE, "absent", f"{M}/old", line=line),
    )
    built = recorded(BUILT, gone)
    state = State({M: LastBuild(component=built)})
    assert World(patch=gone, disk=BUILT, record=built, state=state).planned().warnings == ()
    dropped = State({M: LastBuild(component=built, dropped=("old",))})
    again = World(patch=gone, disk=BUILT, record=built, state=dropped).planned()
    assert again.warnings == (unused_patch(FILE, "unfit", f"{M}/old", line=line),)


def test_a_file_that_only_a_record_without_its_patch_explains() -> None:
    """A file that only a record explains whose patch is missing counts as edited by hand: it stays,
    and the warning omits it.
    """
    state = State({M: LastBuild(component=recorded(VENDOR, b""))})
    mine = {**VENDOR, "a": BUILT["a"]}
    planned = World(patch=None, disk=mine, record=recorded(mine, EDIT), state=state).planned()
    assert planned.steps[0].merge.of("edited") == ("a",)
    assert planned.warnings == (unused_patch(FILE, "missing", M),)
