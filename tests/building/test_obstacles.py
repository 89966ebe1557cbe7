"""What stands in the way of what a run would write (`docs/building.md`)."""

import pytest
from msgspec.structs import replace
from returns.result import Success

from pipeline.building.draft import PlanOptions
from pipeline.building.judging.obstacles import check_patterns, conflicts
from pipeline.building.merging.files_merge import merge_files, replace_all
from pipeline.building.merging.outcomes import FileOutcome, Merge
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.payload import Payload
from pipeline.building.steps import Step
from pipeline.building.stores.record import DENIED, Files, FileState
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.report.diagnostics.conflicts import OutputConflict, idle_pattern
from pipeline.report.diagnostics.disk import denied
from tests.support.drafts import built_step, draft_of, untouched
from tests.support.updates import CHOICE

STEP = replace(untouched("modules/m"), action="update")
SHUT = FileState(digest=DENIED)


def at(target: Target, step: Step = STEP) -> Step:
    """A step of a component in whose place is this."""
    return replace(step, survey=replace(step.survey, target=target))


@pytest.mark.parametrize(
    ("there", "unread"),
    [
        ({"a": SHUT, "mine": SHUT}, ("a",)),
        ({"lib": SHUT, "logs": SHUT}, ("lib",)),
        ({"mine": SHUT}, ()),
    ],
)
def test_what_may_not_be_read(there: Files, unread: tuple[str, ...]) -> None:
    """An unreadable file is an error if base or archive have it, or something in it; then nothing
    else is reported of it.
    """
    merge = merge_files({"a": FileState(digest="1")}, there, {"lib/c": FileState(digest="2")})
    step = replace(at(Target(occupancy="present", tree=Tree(dict(there)))), merge=merge)
    problems = tuple(denied(f"modules/m/{name}") for name in unread)
    assert tuple(conflicts(step)) == problems


def test_a_target_folder_that_is_a_link() -> None:
    """If a target folder is a link, the error names the flags that build where it leads; for a
    component that is a link, there are none.
    """
    linked = Target(occupancy="link", obstacle="modules", leads_to="/srv/site/plug ins")
    flags = "--output=/srv/site '--modules-dir=plug ins'"
    built = built_step(CHOICE, Target(), Payload(), None)
    beyond = OutputConflict("modules", reason="link", flags=flags)
    assert tuple(conflicts(at(linked, built))) == (beyond,)
    itself = Target(occupancy="link", obstacle="modules/m")
    steps = (at(itself, each) for each in (built, STEP, replace(STEP, action="remove")))
    assert [each for step in steps for each in conflicts(step)] == [
        OutputConflict("modules/m", reason="link", kind="module"),
        OutputConflict("modules/m", reason="link", undoing=True),
        OutputConflict("modules/m", reason="link"),
    ]


def test_consent_to_replace_what_may_not_be_read() -> None:
    """If the user has agreed to replace an unreadable file, it is no error; a folder still is."""
    disk = {"a": SHUT, "b": FileState(kind="other", digest=DENIED)}
    archive, outcomes = (
        {name: FileState(digest="1") for name in disk},
        dict.fromkeys(disk, FileOutcome("forced")),
    )
    merge = Merge(outcomes=outcomes, disk=disk, archive=archive)
    step = replace(at(Target(occupancy="present", tree=Tree(disk))), merge=merge)
    a, b = (denied(f"modules/m/{name}") for name in disk)
    assert tuple(conflicts(step)) == (a, b)
    assert tuple(conflicts(step, replaces_unread=True)) == (b,)
    shown = tuple(conflicts(step, replaces_unread=True, output="site"))
    assert shown == (replace(b, path="site/modules/m/b"),)


def test_a_component_whose_folder_may_not_be_read() -> None:
    """A component whose folder cannot be read is an error, unless it stays as it is."""
    closed = at(Target(occupancy="present", is_closed=True))
    assert tuple(conflicts(closed, replaces_unread=True)) == (denied("modules/m"),)
    assert not [*conflicts(replace(closed, action="keep"), replaces_unread=True)]
    built = at(
        Target(occupancy="present", is_closed=True), built_step(CHOICE, Target(), Payload(), None)
    )
    assert tuple(conflicts(built)) == (denied("modules/m", "m"),)
    survey = replace(built.survey, kind="theme")  # of which a run can leave out none
    assert tuple(conflicts(replace(built, survey=survey))) == (denied("modules/m"),)


def test_an_unread_file_is_disputed_though_the_archive_is_the_same() -> None:
    """An unreadable file may be an edit, so the user has to decide, unless the archive has no such
    file.
    """
    disk, both = {"a": SHUT, "own": SHUT}, {"a": FileState(digest="1")}
    verdicts = {name: each.verdict for name, each in merge_files(both, disk, both).outcomes.items()}
    assert verdicts == {"a": "disputed", "own": "added"}


def test_patterns_about_a_component_with_an_unknown_base() -> None:
    """If the base is unknown, a pattern may name a file on disk or in the archive; it decides what
    `--force` would decide, and any other pattern is reported as idle.
    """
    disk, archive = (
        {"a": FileState(digest="1"), "own": FileState()},
        {"a": FileState(digest="2"), "new": FileState()},
    )
    forced = replace_all(disk, archive, ("own",))
    stays = replace(untouched("modules/m"), forced=forced)
    names = tuple(f"modules/m/{name}" for name in ("a", "own", "new"))
    draft = draft_of(stays, options=PlanOptions(prefer=Preference(theirs=names)))
    idle = (idle_pattern("--take-theirs", each) for each in names[1:])
    assert check_patterns(draft) == Success(draft.with_warnings(*idle))
    wrong = check_patterns(draft_of(untouched("modules/m"), options=draft.options)).failure()
    assert [each.message for each in wrong] == [
        f"--take-theirs: no file of a component matches `{each}`" for each in names
    ]
