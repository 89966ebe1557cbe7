"""The base of a component on disk, and what a run does if it is unknown, as functions."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.archives.archive import Component
from pipeline.archives.entry_names import can_run
from pipeline.building.draft import PlanOptions
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.base import Base, base_if_behind, base_of, bases_of, moved_away
from pipeline.building.planning.compare import (
    behind_step,
    later_versions,
    selected_step,
    warn_of_old_versions,
)
from pipeline.building.planning.surveys import (
    FindCandidates,
    PatchedFiles,
    edits_lost,
    with_replacement,
)
from pipeline.building.stores.record import Files, FileState, Record, RecordedComponent
from pipeline.building.stores.state import LastBuild
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Survey, Target
from pipeline.report.diagnostics.bases import DropBehind, UnknownBase, UnknownComponent
from pipeline.report.diagnostics.patches import PatchConflict
from pipeline.report.diagnostics.updates import PartialArchive, edits_replaced
from pipeline.selection.choices import Choice
from pipeline.selection.select import Selection
from tests.support.drafts import choice_of, draft_of

W, D, A, MINE = (FileState(digest=each) for each in ("written", "there", "archive", "mine"))
MARKER, M = "m.json", "modules/m"
WRITTEN: Files = {MARKER: W, "lib": W, "old.php": W}
GIVEN: Files = {MARKER: D, "lib": D}
THERE: Files = {**GIVEN, "new.php": D}
FOUND = Component(kind="module", name="m", version="2", evidence=MARKER)
FORCED = PlanOptions(prefer=Preference("theirs"), names=frozenset({M}))


def recorded(version: str | None, files: Files = WRITTEN) -> RecordedComponent:
    """What is said of a version."""
    return RecordedComponent(
        archive="m.zip", digest=f"d{version}", content="c", version=version, files=dict(files)
    )


def choice(version: str | None = "3", **component: Any) -> Choice:
    """The archive of a version of the module."""
    known = {"digest": f"d{version}", "content": "c", "file_count": 3}
    return choice_of(version=version, archive=known, **component)


def survey(files: Files = THERE, **known: object) -> Survey:
    """What is in the place of the module, of which version 1 was built."""
    target = Target(occupancy="present", tree=Tree(dict(files))) if files else Target()
    each = Survey(
        kind="module",
        path=M,
        target=target,
        written=recorded("1"),
        recorded=recorded("1"),
        choice=choice(),
    )
    return replace(each, **known)


def foreign(files: Files = THERE, **known: object) -> Survey:
    """The same where no run has built it, and its marker says version 2."""
    return survey(files, **{"written": None, "recorded": None, "found": FOUND, **known})


def no_archive(_: Survey) -> tuple[()]:
    """No archive of the version on disk is known."""
    return ()


def an_archive(files: Files, system: str = "") -> FindCandidates:
    """A search that finds one archive, with these files."""
    return lambda _: [(choice("2", system=system), files)]


ONE: Files = {MARKER: W}
"""A component of one file."""


@pytest.mark.parametrize(
    ("each", "found", "patched", "is_replaced"),
    [
        pytest.param(survey(), FOUND, {}, True, id="newer"),
        pytest.param(survey(), replace(FOUND, version="0.9"), {}, True, id="older"),
        pytest.param(
            survey(), replace(FOUND, version="trunk"), {}, True, id="a version without a digit"
        ),
        pytest.param(
            survey(written=recorded("edge")),
            replace(FOUND, version="trunk"),
            {},
            True,
            id="two of them",
        ),
        pytest.param(
            survey(written=recorded("trunk")),
            replace(FOUND, version="trunk"),
            {},
            False,
            id="one of them",
        ),
        pytest.param(survey(written=recorded(None)), FOUND, {}, True, id="none was written"),
        pytest.param(survey(), replace(FOUND, version=None), {}, False, id="none is there"),
        pytest.param(survey(), None, {}, False, id="no marker"),
        pytest.param(survey(), replace(FOUND, version="v1.0"), {}, False, id="the same version"),
        pytest.param(
            survey(), replace(FOUND, version="1-acme"), {}, False, id="another word for it"
        ),
        pytest.param(survey({**THERE, MARKER: W}), FOUND, {}, False, id="its marker is as written"),
        pytest.param(survey({**WRITTEN, MARKER: D}), FOUND, {}, False, id="the marker alone"),
        pytest.param(survey({MARKER: D}), FOUND, {}, True, id="the others are missing"),
        pytest.param(survey({MARKER: D, "lib": W}), FOUND, {}, True, id="one is missing"),
        pytest.param(survey({**WRITTEN, MARKER: D, "new.php": D}), FOUND, {}, True, id="new code"),
        pytest.param(
            survey({**WRITTEN, MARKER: D, "new.txt": D}), FOUND, {}, False, id="a new upload"
        ),
        pytest.param(
            survey({MARKER: D}, written=recorded("1", ONE)), FOUND, {}, True, id="no other file"
        ),
        pytest.param(survey({**WRITTEN, **GIVEN}), FOUND, {"lib": D}, False, id="as patched"),
        pytest.param(
            survey({**WRITTEN, MARKER: A}),
            FOUND,
            {"lib": None},
            False,
            id="not as patched, but as written",
        ),
        pytest.param(
            survey({MARKER: D, "old.php": W}),
            FOUND,
            {"lib": None},
            False,
            id="removed by the patch",
        ),
        pytest.param(
            survey(
                {**WRITTEN, **GIVEN},
                last=LastBuild(component=recorded("1"), tree=Tree({**WRITTEN, MARKER: D})),
            ),
            FOUND,
            {},
            False,
            id="the marker as it was left",
        ),
        pytest.param(
            survey(
                {**WRITTEN, **GIVEN},
                last=LastBuild(component=recorded("1"), tree=Tree({**WRITTEN, "lib": D})),
            ),
            FOUND,
            {},
            False,
            id="the other file as it was left",
        ),
        pytest.param(
            survey(
                {MARKER: D, "lib": W},
                last=LastBuild(component=recorded("1"), tree=Tree({"lib": W, MARKER: W})),
            ),
            FOUND,
            {},
            False,
            id="missing as it was left",
        ),
        pytest.param(
            survey(last=LastBuild(component=recorded("1"), shown="2.0")),
            FOUND,
            {},
            False,
            id="the version as it was left",
        ),
        pytest.param(foreign(), FOUND, {}, False, id="never built"),
    ],
)
def test_what_was_replaced(
    each: Survey, found: Component | None, patched: PatchedFiles, is_replaced: bool
) -> None:
    """A component was replaced if its marker says another version, and the marker and one more
    file, if there is one, are not as anybody here left them.
    """
    assert with_replacement(each, found, patched, no_archive).is_replaced is is_replaced


def test_what_an_archive_says_was_replaced() -> None:
    """The marker alone shows that a component was replaced if the disk is wholly as an archive of
    the version in it.
    """
    there = {**WRITTEN, MARKER: D}
    for files, is_replaced in ((there, True), ({MARKER: D}, True), ({**there, "lib": A}, False)):
        assert (
            with_replacement(survey(there), FOUND, {}, an_archive(files)).is_replaced is is_replaced
        )


def test_what_a_shop_rewrites_is_no_sign() -> None:
    """Files that PrestaShop rewrites are no evidence for an update, nor against one."""
    shop = replace(FOUND, system="PrestaShop")
    there = {MARKER: D, "lib": W, "config.xml": D}
    each = survey(there, written=recorded("1", {**there, MARKER: W, "config.xml": W}))
    assert not with_replacement(each, shop, {}, no_archive).is_replaced
    assert with_replacement(
        each, shop, {}, an_archive({**there, "config.xml": A}, "PrestaShop")
    ).is_replaced


def test_what_is_looked_into() -> None:
    """A component may be another version if a file is not as it was written, or if nothing was
    written here.
    """
    assert [survey(files).may_be_replaced for files in (WRITTEN, THERE, {**WRITTEN, "new": D})] == [
        False,
        True,
        False,
    ]
    assert [foreign(files).may_be_replaced for files in (THERE, {})] == [True, False]


KEPT = replace(
    choice("2"), archive=replace(choice("2").archive, component=replace(FOUND, name="d2"))
)
"""An archive of the version that says no name: it is named by its file, which its digest names."""
SYSTEMS = with_replacement(survey(), FOUND, {}, no_archive)
"""A component of which the system has put version 2 in the place of version 1."""


@pytest.mark.parametrize(
    ("each", "expected"),
    [
        (survey(choice=choice("1")), None),
        (survey(choice=choice("0.9")), Base("behind", recorded("1"), "1")),
        (
            survey(choice=choice("0.9"), written=recorded("0.9")),
            Base("behind", recorded("0.9"), "1"),
        ),
        (survey(choice=choice("0.9"), recorded=None), Base("behind", recorded("1"), "1")),
        (survey(choice=choice("0.9"), recorded=recorded("0.9")), None),
        (survey({}, choice=choice("0.9"), recorded=None), None),
        (survey({}, choice=choice("0.9")), Base("behind", recorded("1"), "1")),
        (replace(SYSTEMS, choice=choice("1")), Base("behind", None, "2")),
        (replace(SYSTEMS, choice=choice("2")), None),
        (
            replace(SYSTEMS, choice=choice("9"), last=LastBuild(component=recorded("9"))),
            Base("behind", None, "2"),
        ),
        (foreign(choice=choice("1")), Base("behind", None, "2")),
        (foreign(choice=choice(None)), None),
        (survey(choice=None), None),
    ],
)
def test_the_drop_is_behind(each: Survey, expected: Base | None) -> None:
    """The drop is behind if its archive is older than record, base or disk, or was built before,
    unless a pulled record names it.
    """
    assert base_if_behind(each) == expected


OTHER: Files = {**GIVEN, "lib": A, "more": A}


@pytest.mark.parametrize(
    ("each", "candidates", "is_confirmed", "expected"),
    [
        (survey(), [], False, recorded("1")),
        (foreign({}), [], False, None),
        (foreign({"mine": MINE}, found=None), [(choice("2"), GIVEN)], False, None),
        (foreign(), [(choice("2"), GIVEN)], False, recorded("2", GIVEN)),
        (
            foreign(),
            [(choice("2"), {**GIVEN, "more": A})],
            False,
            recorded("2", {**GIVEN, "more": A}),
        ),
        (
            foreign(),
            [(choice("2"), {**GIVEN, "lib": A})],
            False,
            recorded("2", {**GIVEN, "lib": A}),
        ),
        (foreign(), [(choice("3"), GIVEN)], False, recorded("3", GIVEN)),
        (foreign(found=None), [(choice(None), GIVEN)], False, recorded(None, GIVEN)),
        (foreign(), [(choice("2"), OTHER)], False, ("2", "d2")),
        (
            foreign(),
            [(choice("2"), {**GIVEN, "lib": A, "more": A})],
            True,
            recorded("2", {**GIVEN, "lib": A, "more": A}),
        ),
        (
            foreign(),
            [(choice(None), {**GIVEN, "lib": A})],
            True,
            recorded(None, {**GIVEN, "lib": A}),
        ),
        (foreign(), [(choice("3"), {**GIVEN, "lib": A})], True, ("2", "")),
        (foreign(), [], True, ("2", "")),
        (foreign(found=replace(FOUND, version=None)), [], True, ("", "")),
        (foreign(found=None), [(choice(None), {**GIVEN, "lib": A})], False, ("", "dNone")),
        (
            foreign(),
            [(choice("2", named_by="m/ (folder)"), {**GIVEN, "more": A})],
            False,
            recorded("2", {**GIVEN, "more": A}),
        ),
        (foreign(), [(KEPT, {**GIVEN, "more": A})], False, ("2", "d2")),
    ],
    ids=[
        *(
            "as written",
            "not there",
            "files of somebody",
            "as the archive",
            "some are missing",
            "some differ",
        ),
        *(
            "all alike in another version",
            "all alike without a version",
            "missing and differing",
            "confirmed",
        ),
        *(
            "confirmed without a version",
            "not confirmed in another version",
            "no archive",
            "no archive and no version on disk",
            "no version",
        ),
        *("named by its folder", "a kept one with another name lacks none"),
    ],
)
def test_the_base(
    each: Survey,
    candidates: Sequence[tuple[Choice, Files]],
    is_confirmed: bool,
    expected: RecordedComponent | tuple[str, str] | None,
) -> None:
    """The base is what was written, or the archive of the version on disk; it is certain, or the
    user confirms it.
    """
    base = base_of(each, candidates, is_confirmed=is_confirmed)
    if isinstance(expected, tuple):
        likely = base.likely.archive.digest if base.likely else ""
        assert (base.certainty, base.version, likely) == ("unknown", *expected)
    else:
        assert base == Base("known", expected)


def test_of_several_archives_the_most_alike() -> None:
    """If several archives have the version on disk, the base is the one that matches most files."""
    one, other = replace(choice("2"), name="one"), choice("2")
    files = {**THERE, "lib": A}
    candidates = [(one, {**files, "new.php": A}), (other, files)]
    assert base_of(foreign(), candidates, is_confirmed=False).component == recorded("2", files)


def test_what_was_written_before_is_no_edit() -> None:
    """Files that record or state wrote belong to the base, even if its archive does not have
    them.
    """
    there = {**THERE, "old.php": W}
    last = LastBuild(component=recorded("1", {"late.php": MINE}))
    each = with_replacement(survey({**there, "late.php": MINE}, last=last), FOUND, {}, no_archive)
    made = base_of(each, [(choice("2"), GIVEN)], is_confirmed=False).component
    assert made is not None
    assert made.files == {**GIVEN, "old.php": W, "late.php": MINE}


def test_edits_that_were_replaced() -> None:
    """Files that the last run left edited or patched and that have gone since are named."""
    last = LastBuild(component=recorded("1"), tree=Tree({**WRITTEN, "lib": MINE, "old.php": W}))
    each = with_replacement(survey(last=last), FOUND, {}, no_archive)
    assert [*edits_lost(each, ())] == [edits_replaced(M, "2", ("lib",))]
    assert [*edits_lost(each, ("old.php",))] == [edits_replaced(M, "2", ("lib", "old.php"))]
    unedited = replace(each, last=replace(last, tree=Tree(dict(WRITTEN))))
    for other in (survey(last=last), SYSTEMS, unedited):
        assert not [*edits_lost(other, ())]


def test_what_may_run() -> None:
    """Code can run, and so can files that make a web server run it."""
    runs = [
        "a.php",
        "a/b.PHP7",
        "x.phtml",
        "x.pht",
        "x.phar",
        "x.inc",
        "x.cgi",
        ".htaccess",
        "d/.user.ini",
    ]
    runs += ["m.module", "m.install", "t.theme", "phptemplate.engine", "standard.profile"]
    stays = ["m.info", "install", "a.php.txt", "a.js", "php", "user.ini", "x.user.ini.bak"]
    assert [can_run(each) for each in (*runs, *stays)] == [True] * len(runs) + [False] * len(stays)


def test_what_goes_away() -> None:
    """Files that can run and are not in the archive are moved away, except added ones and those in
    `.git`.
    """
    there = {"a.php": D, "b.php": D, ".git/c.php": D, "d.txt": D, "lib": D}
    last = LastBuild(component=recorded("1"), tree=Tree({"b.php": D}))
    assert moved_away(survey(there, last=last), GIVEN) == {"a.php"}
    assert moved_away(survey(there), GIVEN) == {"a.php", "b.php"}


def test_an_unknown_base() -> None:
    """A component with an unknown base stays, and the error says what `--force` would do; if it is
    named, the archive is built whole.
    """
    there, payload = (
        {**THERE, "same": A, "note": D},
        Payload({MARKER: A, "lib": A, "same": A, "add": A}),
    )
    each, unknown = foreign(there), Base("unknown", version="2", likely=choice("2"))
    stays = selected_step(each, choice(), unknown, payload, draft_of())
    about = UnknownComponent(M, "2", "module", "m.zip", "3", "m.zip", replaces=2, leaves=2, moves=1)
    assert (stays.action, stays.component, stays.errors) == (
        "keep",
        None,
        (UnknownBase(about),),
    )
    assert stays.forced is not None
    assert (stays.forced.replaced, stays.forced.untouched, stays.forced.gone) == (
        ("lib", MARKER),
        ("note", "same"),
        ("new.php",),
    )
    (wrong,) = selected_step(
        each, choice(), replace(unknown, likely=None), payload, draft_of()
    ).errors
    assert wrong == UnknownBase(replace(about, likely=""))
    built = selected_step(each, choice(), unknown, payload, draft_of(options=FORCED))
    assert (built.action, built.merge.files) == ("update", {**payload.files, "note": D})
    assert (built.backed_up, built.errors, built.component) == (
        ("lib", MARKER, "new.php"),
        (),
        recorded("3", payload.files),
    )


def test_a_component_that_is_missing_and_behind() -> None:
    """If the drop is behind, a component that is there stays without an error, and a missing one is
    an error.
    """
    late = Base("behind", recorded("1"), "1")
    step = behind_step(survey(choice=choice("0.9")), choice("0.9"), late, draft_of())
    assert (step.action, step.component, step.base, step.errors) == (
        "keep",
        None,
        recorded("1"),
        (),
    )
    gone = behind_step(survey({}), choice("0.9"), late, draft_of())
    assert gone.errors == (DropBehind(M, "m.zip", "0.9", "1"),)
    (warning,) = later_versions([survey(choice=choice("0.9"))], {M: late}, draft_of())
    assert warning.code == "drop-behind"
    assert not [*later_versions([], {}, draft_of())]


def test_a_partial_archive() -> None:
    """An archive that would leave less than half of ten files is an error, unless it is recorded or
    forced; so is one that lacks a file that its system demands.
    """
    files = {f"f{number}": W for number in range(10)}
    each = survey(files, written=recorded("1", files), recorded=recorded("1", files))
    known, payload = Base("known", recorded("1", files)), Payload({"f0": A, "f1": A})
    step = selected_step(each, choice(), known, payload, draft_of())
    assert step.errors == (PartialArchive(M, "m.zip", 3, 2, 10),)
    assert selected_step(each, choice(), known, payload, draft_of(options=FORCED)).errors == ()
    demanded = choice(lacks=("other", "f1"))
    lost = selected_step(each, demanded, known, Payload({**files, "f1": A}), draft_of())
    assert lost.errors == (PartialArchive(M, "m.zip", 3, 10, 10, "f1"),)
    named = replace(each, recorded=recorded("3"))
    assert selected_step(named, choice(), known, payload, draft_of()).errors == ()
    inside = {f"dependencies/{name}": W for name in files}
    old = Base("known", recorded("1", {**inside, "f0": W, "f1": W}))
    assert selected_step(each, choice(apart="dependencies"), old, payload, draft_of()).errors == ()


def test_a_marker_that_is_kept() -> None:
    """A kept file that says another version is named, and the state has the version that the file
    shows.
    """
    mine = draft_of(options=PlanOptions(prefer=Preference("mine")))
    each = survey({**WRITTEN, MARKER: MINE}, found=FOUND)
    step = selected_step(
        each, choice(), Base("known", recorded("1")), Payload({**WRITTEN, MARKER: A}), mine
    )
    (warning,) = warn_of_old_versions(draft_of(step)).plan.warnings
    assert (warning.code, step.edited_version) == ("old-version-shown", "2")
    other = replace(step, survey=replace(each, found=replace(FOUND, version="3")))
    assert warn_of_old_versions(draft_of(other)).plan.warnings == ()


def test_the_patch_of_a_version_that_is_named() -> None:
    """Each conflict with the patch names the kept patch with which the version was built."""
    patch = f"patches/{M}.patch"
    misfit = PatchConflict(patch, 1, path=M, name="lib", archive="m.zip", why="none", at_line=1)
    options = PlanOptions(kept_patches={M: ".tool/patches/m.patch"})
    payload = Payload({**WRITTEN, "lib": A}, conflicts=(misfit,))
    step = selected_step(
        survey(WRITTEN), choice(), Base("known", recorded("1")), payload, draft_of(options=options)
    )
    kept = replace(misfit, is_there=True, kept=".tool/patches/m.patch")
    assert step.patch_errors == (kept,)
    copies = (
        f"copy `.tool/patches/m.patch`, the patch that this version was built with, over `{patch}`"
    )
    assert kept.advice.partition(";")[0] == copies


def test_where_archives_are_looked_for() -> None:
    """The archive of a version is looked for in the drop first, then among the kept ones, by
    version and name.
    """
    newest, old = choice(), replace(choice("2"), selected=False)
    payloads = {M: Payload({MARKER: A})}
    draft = replace(
        draft_of(record=Record(), list_contents=lambda choices: [Success(GIVEN) for _ in choices]),
        selection=Selection((newest, old)),
    )
    assert bases_of([foreign(choice=newest)], payloads, draft)[M] == Base(
        "known", recorded("2", GIVEN)
    )
    assert bases_of([foreign(choice=None)], payloads, draft)[M] == Base(
        "known", recorded("3", GIVEN)
    )
    damaged = replace(draft.reader, list_contents=lambda choices: [Failure(()) for _ in choices])
    assert (
        bases_of([foreign(choice=newest)], payloads, replace(draft, reader=damaged))[M].certainty
        == "unknown"
    )
    archives = tuple(
        replace(
            each.archive,
            component=replace(each.component, name=name),
            file=replace(each.archive.file),
        )
        for each, name in ((choice("2"), "other"), (choice("1"), "m"), (choice("2"), "m"))
    )
    kept = replace(
        draft,
        selection=Selection((newest,)),
        reader=replace(draft.reader, list_kept=lambda: archives),
    )
    named = replace(recorded("2", GIVEN), archive="kept archive of 2")
    assert bases_of([foreign(choice=newest)], payloads, kept)[M] == Base("known", named)
    none = replace(kept, reader=replace(kept.reader, list_kept=lambda: archives[:2]))
    assert bases_of([foreign(choice=newest)], payloads, none)[M].certainty == "unknown"
