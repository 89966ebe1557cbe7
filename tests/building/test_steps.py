"""Plan and hooks, run alone: what a run will do, as a value (`docs/building.md`,
`docs/scripts.md`).
"""

from pathlib import PurePath

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from returns.result import Success
from toolz import concat, unique

from pipeline.building.draft import PatchFiles, PlanOptions
from pipeline.building.hooks import BEGINNING, Hook, Hooks, Runner, Script, hook_folders, plan_hooks
from pipeline.building.judging.frozen import changes_record, out_of_date
from pipeline.building.judging.obstacles import conflicts
from pipeline.building.merging.outcomes import FileOutcome, Merge
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.patch import Patch
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.payload import Payload
from pipeline.building.planning.removals import remove_components, update_stores
from pipeline.building.showing.plan_events import (
    actions_of,
    archive_event,
    component_event,
    hook_events,
    patches_written,
    planned_backups,
    summary,
)
from pipeline.building.steps import Plan
from pipeline.building.stores.changes import FileMove
from pipeline.building.stores.record import FileState, Record, RecordedComponent
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.diagnostics.bases import DropBehind
from pipeline.report.diagnostics.building import backed_up, would_change
from pipeline.report.diagnostics.conflicts import DisputedFile, OutputConflict
from pipeline.report.diagnostics.patches import (
    Misfit,
    PatchConflict,
    patch_rewritten,
    patch_stays,
)
from pipeline.report.diagnostics.runs import skipped_backups, skipped_hook
from pipeline.report.events import ArchiveEvent, ComponentEvent, HookEvent, SummaryEvent
from pipeline.selection.choices import Reason
from pipeline.selection.select import Selection
from tests.support.cases import case_of
from tests.support.disks import START
from tests.support.drafts import ABSENT, built_step, choice_of, draft_of, reader_of, untouched

A, B, C = (
    choice_of(name, version="1", evidence=f"{name}/m.json", archive={"file_count": 2})
    for name in "abc"
)
OLD, NEW, MINE = (FileState(digest=digest) for digest in ("old", "new", "mine"))
FILES = {"a": OLD, "b/c": OLD}
RECORDED = RecordedComponent(archive="b.zip", digest="1", content="2", version="0.9", files=FILES)
SAME = Target(occupancy="present", tree=Tree(FILES))
EDITED = Target(occupancy="present", tree=Tree({"a": MINE, "b/c": OLD, "mine": MINE}))


def recorded(archive: str) -> RecordedComponent:
    """What the record says of a component that came from an archive."""
    return replace(RECORDED, archive=archive)


def test_the_disk_of_a_step() -> None:
    """On a disk without modes, files have the executable bits of the base, or without a base, their
    own.
    """
    target = replace(SAME, has_modes=False)
    step = untouched("modules/m", None, target)
    base = replace(RECORDED, files={**FILES, "a": replace(OLD, executable=True)})
    assert (step.disk, replace(step, base=base).disk) == (FILES, base.files)


def test_the_files_that_a_step_drops() -> None:
    """Of the conflicts that a flag accepted, those of files that the archive lacks are dropped."""
    cases: tuple[tuple[str, Misfit], ...] = (("a", "absent"), ("b", "none"))
    absent, other = (
        PatchConflict("patches/modules/m.patch", 1, path="modules/m", name=name, why=why)
        for name, why in cases
    )
    step = replace(untouched("modules/m", None), waived_conflicts=(absent, other))
    assert step.dropped == ("a",)


def test_steps() -> None:
    """A missing component is added; one that exists is updated if anything in it changes, and kept
    otherwise.
    """
    added = built_step(A, ABSENT, Payload({}), None)
    kept = built_step(B, EDITED, Payload(FILES), RECORDED)
    updated = built_step(C, EDITED, Payload({"a": OLD, "new": NEW}), RECORDED)
    assert [step.action for step in (added, kept, updated)] == ["add", "keep", "update"]
    assert added.version == "1"
    assert added.previous is None
    assert added.archive == "a.zip"
    assert kept.version == "1"
    assert kept.previous == "0.9"
    assert kept.merge.edited == ("a",)
    assert kept.merge.of("added") == ("mine",)
    assert kept.merge.of("restored") == ()
    assert updated.merge.files == {"a": MINE, "mine": MINE, "new": NEW}
    assert updated.backed_up == ()
    plan = Plan(project=PurePath("/p"), steps=(added, kept, updated))
    assert [step.path for step in plan.changes] == ["modules/a", "modules/c"]
    assert not [*concat(map(conflicts, plan.steps))]


def test_a_plan_of_nothing() -> None:
    """A plan is idle if no component changes and no hook runs, even if hooks are skipped."""
    hook = Hook("init", PurePath("/h/a.sh"), "h/a.sh", "sh")
    added, kept = (
        built_step(A, ABSENT, Payload({}), None),
        built_step(B, SAME, Payload(FILES), RECORDED),
    )
    idle = Plan(project=PurePath("/p"), steps=(kept,), hooks=Hooks((hook,), "--no-hooks"))
    hooks = (Hooks((hook,)), Hooks((replace(hook, stage="post"),)))
    busy = [replace(idle, steps=(kept, added)), *(replace(idle, hooks=each) for each in hooks)]
    assert idle.is_idle
    assert [plan.is_idle for plan in busy] == [False, False, False]


def test_what_stops_a_run() -> None:
    """A run stops at a refused archive and at edited files, but not at something that leaves a
    component as it is.
    """
    stopping = (ArchiveRejected("x.zip", Flaw("damaged")), OutputConflict("modules/c"))
    behind = DropBehind("modules/a", "a.zip", "1", "2")
    assert Plan(project=PurePath("/p"), steps=(), refused=(behind, *stopping)).stopping == stopping


def test_what_was_deleted() -> None:
    """A missing file is put back, which is an update; a missing component is added."""
    step = built_step(
        B, Target(occupancy="present", tree=Tree({"a": OLD})), Payload(FILES), RECORDED
    )
    absent = built_step(B, Target(), Payload(FILES), RECORDED)
    events = tuple(map(component_event, (step, absent)))
    assert step.merge.of("restored") == ("b/c",)
    assert [(each.action, each.restored) for each in events] == [("update", 1), ("add", UNSET)]


def test_a_component_that_is_removed() -> None:
    """All files on disk are removed; those that are not as recorded go to the backup."""
    draft = draft_of(
        untouched("themes/sea", RECORDED, EDITED),
        options=PlanOptions(prune=True),
        record=Record({"themes/sea": RECORDED}),
    )
    (step,) = remove_components(replace(draft, selection=Selection((A,)))).plan.steps
    assert step.kind == "theme"
    assert step.name == "sea"
    assert step.action == "remove"
    assert step.file_count == 3
    assert step.path == "themes/sea"
    assert step.backed_up == ("a", "mine")
    assert step.version == "0.9"
    assert step.archive == "b.zip"
    updated = replace(step, base=replace(RECORDED, archive="c.zip", version="2"))  # by the system
    assert (updated.version, updated.previous, updated.archive) == ("2", "2", "c.zip")


def test_a_component_that_is_not_built() -> None:
    """A component that is not built is kept as it is, and nothing is said about its files."""
    step = untouched("modules/b", RECORDED, EDITED)
    assert (step.action, step.file_count, step.choice, step.merge) == ("keep", 2, None, Merge())


def test_a_step_without_a_record() -> None:
    """A step of a component that is neither built nor recorded has no archive and no version."""
    step = untouched("modules/b")
    assert step.archive == ""
    assert step.version is None
    assert step.previous is None


def test_conflicts() -> None:
    """A file that both sides changed is a conflict with its reason, unless one side is
    preferred.
    """
    changed = {"a": NEW, "b/c": OLD, "mine": NEW}
    step = built_step(B, EDITED, Payload(changed), RECORDED)
    disputed = (DisputedFile("modules/b/a", "edited"), DisputedFile("modules/b/mine", "added"))
    assert tuple(conflicts(step)) == (OutputConflict("modules/b", disputed=disputed),)
    for winner in (Preference("theirs"), Preference("mine")):
        won = built_step(B, EDITED, Payload(changed), RECORDED, winner)
        assert not [*conflicts(won)]
        assert won.action == "update"
        assert won.backed_up == ("a", "mine")


def test_what_is_in_the_way() -> None:
    """A file or a link in the way is a conflict, whatever is preferred, and is reported once for
    all components behind it.
    """
    file, link = (
        Target(occupancy="file", obstacle="modules"),
        Target(occupancy="link", obstacle="modules/c"),
    )
    steps = [
        built_step(each, target, Payload({}), None, Preference("theirs"))
        for each, target in ((A, file), (B, file), (C, link))
    ]
    assert tuple(unique(concat(map(conflicts, steps)))) == (
        OutputConflict("modules", reason="file"),
        OutputConflict("modules/c", reason="link", kind="module"),
    )


def test_what_is_out_of_date() -> None:
    """Each component that a run would change is reported, otherwise the record."""
    step = built_step(A, ABSENT, Payload({}), None)
    plan = Plan(project=PurePath("/p"), steps=(step,))
    assert out_of_date(plan, Record()) == (would_change("modules/a", "add"),)
    current = Plan(project=PurePath("/p"), steps=(), record=Record({"modules/b": RECORDED}))
    assert out_of_date(current, Record()) == (would_change(".tool-manifest.json", "update"),)
    assert out_of_date(current, current.record) == ()


def test_what_changes_the_record() -> None:
    """A new component changes the record, and so does a plan with another record; nothing else
    does.
    """
    added = Plan(project=PurePath("/p"), steps=(built_step(A, ABSENT, Payload({}), None),))
    current = Plan(project=PurePath("/p"), steps=(), record=Record({"modules/b": RECORDED}))
    assert [changes_record(*each) for each in ((added, Record()), (current, Record()))] == [
        True,
        True,
    ]
    assert not changes_record(current, current.record)
    removed = replace(untouched("modules/b", RECORDED), action="remove")
    assert changes_record(replace(current, steps=(removed,)), current.record)


def test_a_missing_component_that_is_built_as_recorded() -> None:
    """It does not change the record, although a preview has not read its files; another archive
    does.
    """
    step = built_step(A, ABSENT, Payload({}), None)
    plan = Plan(project=PurePath("/p"), steps=(step,))
    assert step.component is not None
    recorded = replace(step.component, files=RECORDED.files)
    assert recorded.files
    assert not changes_record(plan, Record({"modules/a": recorded}))
    assert changes_record(plan, Record({"modules/a": replace(recorded, digest="other")}))


def test_what_goes_to_the_backup() -> None:
    """Each component with files for the backup is reported, and whether they are the user's or the
    archive's.
    """
    changed = {"a": NEW, "b/c": OLD}
    steps = [
        built_step(B, EDITED, Payload(changed), RECORDED, winner)
        for winner in (Preference("theirs"), Preference("mine"))
    ]
    plan = Plan(project=PurePath("/p"), steps=(*steps, built_step(A, ABSENT, Payload({}), None)))
    assert list(planned_backups(plan, "shop")) == [
        backed_up("modules/b", ("a",), "shop/.tool/backup", what, dry=True)
        for what in ("moved", "archive's")
    ]
    merged = replace(plan, steps=(replace(steps[0], texts={"a": b"both"}),))
    assert list(planned_backups(merged, "shop")) == [
        backed_up("modules/b", ("a",), "shop/.tool/backup", "copied", dry=True)
    ]


def test_the_record_of_what_is_kept() -> None:
    """A kept component is recorded as its archive has it, one that will be replaced stays as
    recorded, and a missing one is dropped.
    """
    kept = {"modules/c": recorded("c.zip"), "modules/refused": recorded("r.zip")}
    record = Record({**kept, "modules/vanished": recorded("v.zip")})
    added, same = (
        built_step(A, ABSENT, Payload({}), None),
        built_step(B, SAME, Payload(FILES), None),
    )
    changed = built_step(C, SAME, Payload({"a": NEW}), RECORDED)
    component = same.component
    assert component and (component.archive, component.version, component.files) == (
        "b.zip",
        "1",
        FILES,
    )
    draft = draft_of(
        added, same, changed, untouched("modules/vanished", recorded("v.zip")), record=record
    )
    after = update_stores(remove_components(replace(draft, selection=Selection((C,))))).plan
    assert after.record == Record({**kept, "modules/b": component})
    assert [step.path for step in after.skipped] == ["modules/vanished"]


def test_what_is_told() -> None:
    """The plan reports archives, components, hooks and the end of the run."""
    steps = (
        built_step(A, ABSENT, Payload({}), None),
        built_step(B, EDITED, Payload(FILES), RECORDED),
    )
    hook = Hook("init", PurePath("/h/a.sh"), "h/a.sh", "sh")
    plan = Plan(project=PurePath("/p"), steps=steps, hooks=Hooks((hook,)))
    without = replace(plan, hooks=Hooks((hook,), "--no-hooks"))
    passed_over = (
        ArchiveRejected("x.zip", Flaw("damaged", entry="a")),
        ArchiveRejected("x.zip", Flaw("damaged", entry="b")),
        OutputConflict("modules/c"),
        ArchiveRejected("y.zip", Flaw("damaged")),
    )
    reason = "no setting leaves it out"
    assert archive_event(A) == ArchiveEvent("a.zip", "module", "a", "1", True, reason, "a/m.json")
    refused = archive_event(replace(A, reason=Reason("refused"), selected=False))
    assert (refused.kind, refused.name, refused.selected) == (None, None, False)
    assert tuple(map(component_event, plan.steps)) == (
        ComponentEvent("module", "a", "add", "modules/a", 2, "1", None, "a.zip"),
        ComponentEvent("module", "b", "keep", "modules/b", 2, "1", "0.9", "b.zip", 1, 1),
    )
    assert hook_events(plan) == (HookEvent("init", "a.sh", "planned"),)
    assert hook_events(without) == (HookEvent("init", "a.sh", "skipped", reason="--no-hooks"),)
    assert summary(
        plan.project, "done", actions_of(plan.steps, None).values(), passed_over, 1.23456
    ) == SummaryEvent("/p", "done", 1, 0, 1, 0, 2, 1.235, 1)


def test_a_merge_of_nothing() -> None:
    """A merge without files changes nothing; a path that only has a version for the backup is not
    idle.
    """
    assert Merge().is_idle
    assert not Merge({"a": FileOutcome("declined")}, archive=FILES).is_idle


def test_the_folders_of_hooks() -> None:
    """Both folders of hooks are settings, and their assignments say whether the user named them."""
    settings = case_of({"hooks": {"postScriptsDir": "p"}}).settings
    init, post = hook_folders(settings)
    assert (init.stage, init.decision.path, init.decision.winner.layer) == (
        "init",
        "hooks.initScriptsDir",
        "default",
    )
    where = str(post.decision.winner.location)
    assert (post.stage, post.path, where) == ("post", START / "p", "tool.config.json:1:30")


def planned_hooks(*scripts: Script) -> Hooks:
    """The scripts of the folder of post scripts, planned."""
    folders = hook_folders(case_of({}).settings)[1:]
    return plan_hooks(folders, "", lambda _: Success(scripts)).unwrap()


def test_hooks() -> None:
    """Scripts run in the byte order of their names, by themselves or by their suffix; other files
    are skipped.
    """
    files = {
        "20.sh": False,
        "10 é.py": False,
        "Z": True,
        "b.js": False,
        "b.ts": True,
        ".hidden.sh": True,
        "notes.txt": False,
        "a.SH": False,
    }
    hooks = planned_hooks(
        *(Script(PurePath("/h") / name, f"h/{name}", flag) for name, flag in files.items())
    )
    assert [(hook.path.name, hook.runner) for hook in hooks.at("post")] == [
        ("10 é.py", "python"),
        ("20.sh", "sh"),
        ("Z", "itself"),
        ("a.SH", "sh"),
        ("b.ts", "itself"),
    ]
    assert hooks.warnings == (
        skipped_hook("post", "h/b.js", ".js"),
        skipped_hook("post", "h/notes.txt", ".txt"),
    )


@pytest.mark.parametrize(
    ("name", "line", "runner", "words"),
    [
        ("a", b"#!/bin/bash", "interpreter", (b"/bin/bash",)),
        ("a.sh", b"#! /bin/bash -e -u \t", "interpreter", (b"/bin/bash", b"-e -u")),
        ("a.js", b"#!/usr/bin/env node", "interpreter", (b"/usr/bin/env", b"node")),
        ("a.py", b"#!/usr/bin/env -S uv run", "interpreter", (b"/usr/bin/env", b"-S uv run")),
        ("a.php", b"#!/usr/bin/php\r", "interpreter", (b"/usr/bin/php",)),
        ("a", b"#!bin", "interpreter", (b"./bin",)),
        ("a", b"#!/bin/sh\0-x", "interpreter", (b"/bin/sh",)),
        ("a.sh", b"#! " + b"x" * 300, "sh", ()),
        ("a.sh", b"#!/bin/sh " + b"x" * 300, "interpreter", (b"/bin/sh", b"x" * 246)),
        ("a.sh", b"#!", "sh", ()),
        ("a.sh", b"\xef\xbb\xbf#!/bin/bash", "sh", ()),
        ("a.py", b"import os", "python", ()),
        ("a.py", b"#!/usr/bin/python3 -u", "python", (b"-u",)),
        ("a.py", b"#!/usr/bin/env python3.12\r", "python", ()),
        ("a.PY", b"#!/usr/bin/env -S X=1 python -I", "python", (b"-I",)),
        ("a", b"#!/usr/bin/env python3", "interpreter", (b"/usr/bin/env", b"python3")),
    ],
)
def test_a_script_that_is_not_executable(
    name: str, line: bytes, runner: Runner, words: tuple[bytes, ...]
) -> None:
    """The first line of a script says what runs it, as Linux reads it; otherwise its suffix does,
    also if both say Python.
    """
    script = Script(
        PurePath("/h") / name, f"h/{name}", False, beginning=(line + b"\necho\n")[:BEGINNING]
    )
    assert planned_hooks(script) == Hooks(
        (Hook("post", script.path, script.display_path, runner, words=words),)
    )
    executable = planned_hooks(replace(script, executable=True))
    assert executable == Hooks((Hook("post", script.path, script.display_path, "itself"),))


BACKUPS = (
    "a.sh~",
    "#a.sh#",
    "a.sh.orig",
    "a.REJ",
    "a.bak",
    "a.sample",
    "a.disabled",
    "a.dpkg-old",
    "a (1).sh",
    "b (12)",
)


def test_the_version_before() -> None:
    """The previous version of a replaced component is the one on disk, not the one that was
    built.
    """
    step = built_step(B, EDITED, Payload({**FILES, "new": NEW}), RECORDED)
    found = replace(B.component, version="0.95")
    other = replace(step, survey=replace(step.survey, is_replaced=True, found=found))
    assert (step.previous, other.previous) == ("0.9", "0.95")
    assert replace(other, survey=replace(other.survey, found=None)).previous is None


def test_patches_that_a_run_writes() -> None:
    """Each patch that is rewritten, restored or removed is named; a patch that changed meanwhile is
    named as staying.
    """
    patch = read_patch(b"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n", "modules/a")
    steps = tuple(
        built_step(each, ABSENT, Payload(rewritten=new), None)
        for each, new in ((A, patch), (B, Patch("modules/b")), (C, Patch("modules/c")))
    )
    names = ("modules/x.patch", "modules/y.patch", "modules/z.patch")
    given_back = tuple(map(FileMove, names, (None, OLD, OLD), (NEW, None, NEW)))
    plan = Plan(project=START, steps=(*steps, untouched("modules/n")), patch_moves=given_back)
    assert tuple(patches_written(plan, ("modules/c.patch", "modules/z.patch"))) == (
        patch_rewritten("patches/modules/a.patch", "merged", "a.zip"),
        patch_rewritten("patches/modules/b.patch", "removed", "b.zip"),
        patch_rewritten("patches/modules/x.patch", "brought back"),
        patch_rewritten("patches/modules/y.patch", "removed again"),
        patch_stays("patches/modules/c.patch"),
        patch_stays("patches/modules/z.patch"),
    )


def test_what_a_plan_is_built_from() -> None:
    """A plan knows the archives of its steps, even of unchanged ones, and then their patches."""
    patch = Patch("modules/a", digest="1")
    steps = (
        built_step(A, ABSENT, Payload({}), None),
        built_step(B, SAME, Payload(FILES), RECORDED),
        untouched("modules/n"),
    )
    patches = {"modules/a": patch, "modules/x": Patch("modules/x")}
    plan = Plan(project=START, steps=steps, patches=patches)
    assert plan.sources == (A.archive, B.archive, patch)


def test_where_patches_are() -> None:
    """The folder of patches is named if it is not in the project."""
    homes = (PurePath("/p"), PurePath("/elsewhere"))
    assert [reader_of(patches=PatchFiles(home)).patches_apart for home in homes] == [None, homes[1]]


def test_backups_of_scripts() -> None:
    """Backup copies of scripts do not run, executable or not, and one warning names them."""
    others = ("a(1).sh", "bak", "c.sh")
    scripts = (Script(PurePath("/h") / name, f"h/{name}", True) for name in (*BACKUPS, *others))
    hooks = planned_hooks(*scripts)
    assert tuple(hook.path.name for hook in hooks.scripts) == others
    assert hooks.warnings == (
        skipped_backups("post", tuple(sorted(f"h/{name}" for name in BACKUPS))),
    )


def test_the_scripts_that_are_new() -> None:
    """A script is new if its digest is not known; if no script may run, none is new."""
    one, two = (Hook("post", PurePath("/p") / name, name, "sh", name) for name in ("a.sh", "b.sh"))
    hooks, known = Hooks((one, two)), {"/p/a.sh": "a.sh", "/p/b.sh": "older"}
    assert (hooks.digests, hooks.new_since(known)) == (
        {"/p/a.sh": "a.sh", "/p/b.sh": "b.sh"},
        ("b.sh",),
    )
    forbidden = replace(hooks, forbidden_by="--no-hooks")
    assert (forbidden.digests, forbidden.new_since(known)) == ({}, ())
