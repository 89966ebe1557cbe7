"""What is done about a component in whose place another version stands, as a function of what is known of it."""

from pathlib import PurePath
from typing import Literal

import pytest
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.building.files_merge import FileOutcome, Verdict, leave, replace_all, without_deleting
from pipeline.building.given import Given
from pipeline.building.obstacles import conflicts
from pipeline.building.preference import Preference, Preferred
from pipeline.building.record import Files, FileState, Record, RecordedComponent, adopted
from pipeline.building.replaced import Installed, replaced_edits, step_for, taken_over, with_version
from pipeline.building.state import LastBuild
from pipeline.building.steps import Step, Target, removal_step
from pipeline.building.tree import Tree
from pipeline.report.diagnostics.conflicts import (
    ComponentReplaced,
    DisputedFile,
    OutputConflict,
    another_version,
    record_ahead,
)
from pipeline.report.diagnostics.updates import PartialArchive, edits_replaced
from pipeline.selection.choices import Choice, Reason

W, D, A, MINE, LINK = (FileState(digest=each) for each in ("written", "there", "archive", "mine", "link"))
MARKER = "m.json"
WRITTEN: Files = {MARKER: W, "lib": W, "old": W}
THERE: Files = {MARKER: D, "lib": D, "new": D}
GIVEN: Files = {MARKER: A, "lib": A, "old": W}
FOUND = Component(kind="module", name="m", version="2", evidence=MARKER)


def recorded(version: str, files: Files = WRITTEN) -> RecordedComponent:
    """What is said of a version."""
    return RecordedComponent(archive="m.zip", digest=f"d{version}", content="c", version=version, files=dict(files))


def choice(version: str = "3") -> Choice:
    """The archive of the module."""
    component = Component(kind="module", name="m", version=version)
    file = ArchiveFile(path=PurePath("/drop/m.zip"), display_path="m.zip")
    archive = Archive(file=file, digest=f"d{version}", content="c", component=component, files=3)
    return Choice(archive, component, True, Reason("unmentioned"))


def installed(files: Files = THERE, base: RecordedComponent | None = None, **known: object) -> Installed:
    """What is in the place of the module, of which version 1 was built."""
    place = Target(occupancy="present", tree=Tree(files)) if files else Target()
    each = Installed(
        choice=choice(), place=place, base=base or recorded("1"), recorded=base or recorded("1"), last=None
    )
    return replace(each, **known)


def error(version: str = "2", **more: bool) -> ComponentReplaced:
    """That another version is there."""
    return replace(ComponentReplaced("modules/m", version, "1", "m.zip", "3"), **more)


def results(step: Step) -> dict[str, tuple[FileState | None, Verdict]]:
    """What is there after a step, and why."""
    return {name: (each.result, each.verdict) for name, each in step.merge.outcomes.items()}


@pytest.mark.parametrize(
    ("each", "found", "version"),
    [
        (installed(), FOUND, "2"),
        (installed(), None, None),
        (installed(), replace(FOUND, version="1"), None),
        (installed({**THERE, MARKER: W}), FOUND, None),
        (installed({"lib": D}), FOUND, None),
        (replace(installed(), base=None), FOUND, None),
        (installed(last=LastBuild(component=recorded("1"), tree=Tree({MARKER: D}))), FOUND, None),
        (installed(last=LastBuild(component=recorded("1"), tree=Tree({MARKER: MINE}))), FOUND, "2"),
        (installed(last=LastBuild(component=recorded("1"))), FOUND, "2"),
    ],
    ids=[
        *("replaced", "no marker", "the same version", "its marker is as written", "the marker is gone"),
        *("never built", "as the last run left it", "not as the last run left it", "the last run left none"),
    ],
)
def test_what_says_that_it_was_replaced(each: Installed, found: Component | None, version: str | None) -> None:
    """Its marker says another version than the one that was built, and is neither as written nor as a run left it."""
    assert with_version(each, found).version == version


@pytest.mark.parametrize(
    ("files", "is_suspect"),
    [(THERE, True), ({**WRITTEN, MARKER: D}, False), ({**WRITTEN, "new": D}, False), ({"lib": W}, True)],
    ids=["another version", "an edited marker", "an added file", "two are missing"],
)
def test_what_is_looked_into(files: Files, is_suspect: bool) -> None:
    """A component may be another version if two paths depart from what was written, or if nothing was."""
    assert installed(files).is_suspect is is_suspect
    assert replace(installed(files), base=None).is_suspect


def test_what_was_never_built() -> None:
    """Where nothing was built, another version than the archive's is told: in the conflict, or of what is written."""
    never = replace(installed(), base=None, recorded=None)
    assert (never.is_suspect, replace(never, place=Target()).is_suspect) == (True, False)
    other = with_version(never, FOUND)
    assert (other.unbuilt, other.version) == ("2", None)
    assert with_version(never, replace(FOUND, version="3")) == with_version(never, None) == never
    refused = step_for(other, Given(GIVEN), Preference(), is_alone=True)
    files = (DisputedFile("modules/m/lib", "added"), DisputedFile("modules/m/m.json", "added"))
    (conflict,) = conflicts([refused])
    assert conflict == OutputConflict("modules/m", disputed=files, versions=("2", "3"))
    assert "(2 is there, the archive has 3)" in conflict.message
    assert "(2 is there, the archive says no version)" in replace(conflict, versions=("2", "")).message
    assert tuple(taken_over([refused], Record())) == ()
    mine = step_for(other, Given(GIVEN), Preference("mine"), is_alone=True)
    assert tuple(taken_over([mine], Record())) == (another_version("modules/m", "2", "m.zip", "3"),)


def test_it_is_refused() -> None:
    """Nobody says whose version it is to be: nothing is done, and a run stops."""
    step = step_for(installed(version="2"), Given(GIVEN), Preference(), is_alone=True)
    assert (step.action, step.merge.outcomes, conflicts([step])) == ("keep", {}, (error(),))
    several = step_for(installed(version="2"), Given(GIVEN), Preference("mine"), is_alone=False)
    assert conflicts([several]) == (error(is_alone=False),)


def test_it_is_taken_over() -> None:
    """What is there counts as written, but not what is known as added; nothing is changed."""
    last = LastBuild(component=recorded("1"), tree=Tree({"lib": W, "new": D}))
    step = step_for(installed(version="2", last=last), Given(GIVEN), Preference("mine"), is_alone=True)
    component = adopted("2", {MARKER: D, "lib": D}, choice().archive)
    assert (step.action, step.component, step.merge) == ("update", component, leave(component.files, THERE))
    assert step.merge.of("added") == ("new",)
    assert (not step.merge.is_idle, component.instead_of, component.stands_for) == (False, "d3", "d3")
    warning = another_version("modules/m", "2", "m.zip", is_adopted=True)
    assert [*taken_over([step], Record())] == [warning]
    assert [*taken_over([step], Record({"modules/m": component}))] == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("pipe", "other"), (".DS_Store", "file"), ("lib/Thumbs.db", "file"), ("._lib", "file")),
        *(
            ("__MACOSX/lib", "file"),
            (".git/config", "file"),
            ("lib/.git", "link"),
            ("a\x07", "file"),
            ("a\udcff", "file"),
        ),
        ("x" * 256, "file"),
    ],
)
def test_what_no_archive_gives_is_not_taken_over(name: str, kind: Literal["file", "link", "other"]) -> None:
    """What no archive could have given remains the user's, and comes in no record."""
    there = {MARKER: D, "lib": D, name: FileState(kind=kind, digest="1")}
    step = step_for(installed(version="2", files=there), Given(GIVEN), Preference("mine"), is_alone=True)
    assert step.component == adopted("2", {MARKER: D, "lib": D}, choice().archive)
    assert step.merge.of("added") == (name,)


def test_the_archive_is_built_whole() -> None:
    """The archive wins everywhere; what differs goes to the backup, and what is known as added stays."""
    last = LastBuild(component=recorded("1"), tree=Tree({"lib": W, "new": D}))
    step = step_for(
        installed({**THERE, "more": D}, version="2", last=last), Given(GIVEN), Preference("theirs"), is_alone=True
    )
    assert (step.action, results(step)) == (
        "update",
        {
            MARKER: (A, "forced"),
            "lib": (A, "forced"),
            "old": (W, "updated"),
            "new": (D, "added"),
            "more": (None, "forced"),
        },
    )
    bare = step_for(installed(version="2"), Given(GIVEN), Preference("theirs"), is_alone=True)
    assert results(bare)["new"] == (None, "forced")


def test_the_system_was_first() -> None:
    """Where the version of the archive is there, files are compared as without a record."""
    step = step_for(installed({MARKER: A, "lib": A}, version="3"), Given(GIVEN), Preference(), is_alone=True)
    assert (step.action, step.recorded, results(step)) == (
        "update",
        recorded("1"),
        {MARKER: (A, "same"), "lib": (A, "same"), "old": (W, "updated")},
    )
    assert step_for(installed(version="3"), Given(GIVEN), Preference(), is_alone=True).merge.disputes == {
        MARKER: "added",
        "lib": "added",
    }


OVER = adopted("2", THERE, choice().archive)


@pytest.mark.parametrize(
    ("each", "component"),
    [
        (installed(base=OVER), OVER),
        (replace(installed(base=OVER), recorded=None, last=LastBuild(component=OVER)), OVER),
        (replace(installed(base=OVER), recorded=recorded("3"), last=LastBuild(component=OVER)), None),
        (installed(base=OVER, version="5"), None),
    ],
    ids=["recorded", "not recorded", "a pulled record", "replaced again"],
)
@pytest.mark.parametrize("prefer", ["nobody", "theirs", "mine"])
def test_what_was_taken_over_stays(each: Installed, component: RecordedComponent | None, prefer: Preferred) -> None:
    """The archive that it was taken over against is not built over it, whatever was edited since."""
    edited = replace(each, place=replace(each.place, tree=Tree({MARKER: D, "lib": MINE, "more": MINE})))
    step = step_for(edited, Given(), Preference(prefer), is_alone=True)
    assert (step.action, step.component) == ("keep", component)
    assert (step.merge.edited, step.merge.of("added")) == (("lib",), ("more",))
    assert step.merge.is_idle


def test_the_archive_is_there_already() -> None:
    """If the system has put the archive's version there by itself, the step says so."""
    files = {**GIVEN, "mine": MINE}
    step = step_for(installed(files, version="3"), Given(GIVEN), Preference(), is_alone=True)
    assert (step.action, step.is_there, step.is_recorded_alone, conflicts([step])) == ("keep", True, True, ())
    assert not step_for(installed(WRITTEN), Given(GIVEN), Preference(), is_alone=True).is_there
    assert not step_for(
        installed(GIVEN, recorded("3", GIVEN)), Given(GIVEN), Preference(), is_alone=True
    ).is_recorded_alone


def left_by_run(files: Files, **more: str) -> LastBuild:
    """What the last run left of the first version."""
    return LastBuild(component=replace(recorded("1"), **more), tree=Tree({**WRITTEN, **files}))


@pytest.mark.parametrize(
    ("each", "lost"),
    [
        (installed(version="2", last=left_by_run({"lib": MINE, "old": MINE, "new": MINE})), ("lib", "old")),
        (installed({**THERE, "lib": MINE}, version="2", last=left_by_run({"lib": MINE})), ()),
        (installed(version="2", last=left_by_run({})), ()),
        (installed(version="2", last=left_by_run({"lib": MINE}, instead_of="d3")), ()),
        (installed(version="2"), ()),
        (installed(last=left_by_run({"lib": MINE})), ()),
    ],
    ids=["edited", "still there", "not edited", "taken over", "no state", "not replaced"],
)
def test_edits_that_were_replaced(each: Installed, lost: tuple[str, ...]) -> None:
    """The state knows what somebody had edited; what is there now and is another file has replaced it."""
    refused, mine = (
        step_for(each, Given(GIVEN), prefer, is_alone=True) for prefer in (Preference(), Preference("mine"))
    )
    assert each.lost_edits == lost
    assert refused.replaced is None or refused.replaced.edits == lost
    said = (edits_replaced("modules/m", "2", lost),) if lost else ()
    assert tuple(replaced_edits([each], [mine])) == said
    assert tuple(replaced_edits([each], [refused])) == (() if refused.replaced else said)


MANY: Files = {f"f{number}": W for number in range(10)}


def few(number: int, state: FileState = A) -> Files:
    """Some of these files, as an archive has them."""
    return dict.fromkeys(sorted(MANY)[:number], state)


@pytest.mark.parametrize(
    ("written", "given", "left"),
    [
        (MANY, few(4), 4),
        (MANY, {"other": A}, 0),
        (MANY, few(5), None),
        (MANY, {**few(1), **{f"new{number}": A for number in range(4)}}, None),
        (dict([*MANY.items()][1:]), {}, None),
        ({**few(9, W), "folder": FileState(kind="folder")}, {}, None),
    ],
    ids=["less than half", "none of them", "half of them", "others", "few", "an empty folder"],
)
def test_a_part_of_a_component(written: Files, given: Files, left: int | None) -> None:
    """Less than half as many files, of which less than half of ten and more would be left, are perhaps no component."""
    archive = replace(choice().archive, files=len(given))
    each = replace(installed(written, recorded("1", written)), choice=replace(choice(), archive=archive))
    error = None if left is None else PartialArchive("modules/m", "m.zip", len(given), left, len(written))
    step = step_for(each, Given(given), Preference("mine"), is_alone=True)
    assert (step.partial, conflicts([step])) == (error, () if error is None else (error,))
    assert step_for(each, Given(given), Preference("theirs"), is_alone=True).partial is None
    assert (
        step_for(replace(each, recorded=recorded("3", given)), Given(given), Preference(), is_alone=True).partial
        is None
    )


def test_what_was_taken_over_is_gone() -> None:
    """Where nothing is there any more, the archive is built only if it is to win."""
    gone = installed({}, base=OVER)
    step = step_for(gone, Given(), Preference(), is_alone=True)
    assert conflicts([step]) == (ComponentReplaced("modules/m", "2", "2", "m.zip", "3", is_missing=True),)
    assert step_for(gone, Given(), Preference("theirs"), is_alone=True).action == "add"


def test_a_record_that_is_ahead() -> None:
    """A record with a later version than the archive and what is there is kept, and so is the component."""
    ahead = replace(installed(WRITTEN, base=recorded("1")), recorded=recorded("4"))
    assert (ahead.is_ahead, ahead.ahead) == (True, record_ahead("modules/m", "4", "3"))
    assert step_for(ahead, Given(GIVEN), Preference(), is_alone=True).recorded == recorded("4")
    for each in (recorded("2"), recorded("1"), None):
        assert not replace(ahead, recorded=each).is_ahead
    assert not replace(ahead, last=LastBuild(component=recorded("4"))).is_ahead


def test_nothing_of_it_is_deleted() -> None:
    """What would be deleted of a component that was taken over goes to the backup: by an update, and if it goes."""
    removed = removal_step("module", "modules/m", Target(occupancy="present", tree=Tree(THERE)), OVER)
    assert results(removed) == dict.fromkeys(THERE, (None, "forced"))
    merged = without_deleting(replace_all({"a": D, "empty": FileState(kind="folder")}, {}, ("empty",)))
    assert merged.outcomes["a"] == FileOutcome("forced")
    assert merged.backed_up == ("a",)
    assert leave({}, {"empty": FileState(kind="folder")}).outcomes["empty"].verdict == "same"
