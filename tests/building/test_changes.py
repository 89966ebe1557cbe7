"""The difference of each file between two versions, and which contents it is made from."""

from collections.abc import Collection
from pathlib import PurePath

from msgspec import UNSET
from msgspec.structs import replace

from io_edges.building.git import GIT
from pipeline.archives.archive import Component
from pipeline.building.draft import Contents
from pipeline.building.merging.files_merge import replace_all
from pipeline.building.merging.lines import EXECUTABLE, lines_for_screen
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.payload import Payload
from pipeline.building.showing.changes import (
    Comparison,
    differences,
    next_run,
    since_built,
    unknown_bases,
)
from pipeline.building.showing.plan_events import component_event
from pipeline.building.steps import Plan, Step
from pipeline.building.stores.record import FileState, RecordedComponent
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from pipeline.emit import emit
from pipeline.report.diagnostics.bases import UnknownBase, UnknownComponent
from pipeline.report.events import DiffEvent
from pipeline.report.layout import Screen
from tests.support.drafts import built_step, untouched
from tests.support.updates import BASE, CHOICE, MINE, NEW, OLD, PLACE, PREVIEW, states


def contents(asked: list[tuple[str, tuple[str, ...]]], *, kept: bool = True) -> Contents:
    """Contents of all files, each saying where it was asked for."""

    def source(where: str) -> object:
        def read(*args: Collection[str]) -> dict[str, bytes]:
            *_, names = args
            asked.append((where, tuple(sorted(names))))
            return {name: f"{where}\n".encode() for name in names}

        return read

    built = source("built") if kept else lambda *_: None
    return Contents(source("there"), source("given"), built, lambda *_: None, GIT)  # type: ignore[arg-type]


def reported(
    compared: Comparison, asked: list[tuple[str, tuple[str, ...]]], *, kept: bool = True
) -> list[object]:
    """What is said of the files that differ."""
    diffs = differences([compared], contents(asked, kept=kept))
    return [
        (each.event.path, each.event.change, each.event.incomparable, each.text.splitlines()[-2:])
        for each in diffs
    ]


def test_a_run_writes_what_the_archive_gives() -> None:
    """The files that a run writes are compared with those on disk; unchanged files are in no diff,
    and neither are kept components.
    """
    step = built_step(CHOICE, PLACE, Payload(NEW), BASE, Preference())
    plan = Plan(project=PurePath("/p"), steps=(step, untouched("modules/k", BASE)))
    (compared,) = next_run(plan, {})
    asked: list[tuple[str, tuple[str, ...]]] = []
    assert reported(compared, asked) == [("modules/m/a", "changed", UNSET, [b"-there", b"+given"])]
    assert asked == [("there", ("a",)), ("given", ("a",))]


def test_a_run_adds_what_is_not_there() -> None:
    """An added component has the files of its archive; a link has its target."""
    step = built_step(CHOICE, Target(), Payload(), None, Preference())
    link = FileState(kind="link", target="a")
    files = {**states(a="1"), "l": link, "empty": FileState(kind="folder")}
    (compared,) = next_run(
        Plan(project=PurePath("/p"), steps=(step,)), {"modules/m": Payload(files)}
    )
    assert reported(compared, []) == [
        ("modules/m/a", "added", UNSET, [b"@@ -0,0 +1 @@", b"+given"]),
        ("modules/m/l", "added", UNSET, [b"+a", b"\\ No newline at end of file"]),
    ]


def test_what_consent_would_replace() -> None:
    """The diffs of a component with an unknown base are those of `--force`."""
    survey = built_step(CHOICE, PLACE, Payload(NEW), None).survey
    stays = Step(survey=survey, forced=replace_all(MINE, NEW, ("c",)))
    plan = Plan(
        project=PurePath("/p"), steps=(), skipped=(stays, untouched("modules/n", None, PLACE))
    )
    assert list(next_run(plan, {})) == []
    payload = Payload(NEW, texts={"a": b"2"})
    assert list(next_run(plan, {"modules/m": payload, "modules/n": payload})) == [
        Comparison(
            path="modules/m",
            old=MINE,
            new={**NEW, "c": MINE["c"]},
            disk=MINE,
            archive=NEW,
            texts={"a": b"2"},
            choice=CHOICE,
        )
    ]


def test_components_whose_edits_nobody_knows() -> None:
    """Errors name the components with an unknown base and those that an unknown version
    replaced.
    """
    said = UnknownComponent("modules/a", "1")
    found = Component(kind="module", name="m", version="2")
    steps = tuple(
        replace(each, survey=replace(each.survey, is_replaced=True, found=found))
        for each in (
            untouched("modules/m", None, PLACE),
            untouched("modules/a", None, PLACE),
            untouched("modules/gone"),
            untouched("modules/known", BASE, PLACE),
        )
    )
    plan = Plan(project=PurePath("/p"), steps=steps)
    other = UnknownComponent("modules/m", "2", "module")
    refused = replace(plan, refused=(UnknownBase(said),))
    assert unknown_bases(refused) == (
        UnknownBase(said),
        UnknownBase(other),
    )
    assert unknown_bases(replace(plan, steps=steps[2:])) == ()


def test_what_was_changed_here_has_the_kept_archive_as_its_base() -> None:
    """Your changes are compared with the archive in the drop, otherwise with the kept one; without
    either, the file is named. A missing file is left out.
    """
    (compared,) = since_built(PREVIEW, {}, is_mine=True)
    asked: list[tuple[str, tuple[str, ...]]] = []
    assert reported(compared, asked) == [
        ("modules/m/b", "changed", UNSET, [b"-built", b"+there"]),
        ("modules/m/c", "added", UNSET, [b"@@ -0,0 +1 @@", b"+there"]),
    ]
    assert asked == [("there", ("b", "c")), ("built", ("b",))]
    assert reported(compared, [], kept=False)[0] == (
        *("modules/m/b", "changed", "unkept"),
        [b"# modules/m/b: changed, the archive that it was built from is not kept"],
    )
    (compared,) = since_built(PREVIEW, {"modules/m": (CHOICE, Payload(NEW))}, is_mine=True)
    assert reported(compared, [])[0] == ("modules/m/b", "changed", UNSET, [b"-given", b"+there"])
    unread = Comparison(path="modules/m", old={"b": FileState()}, new=MINE, disk=MINE)
    assert [each.event.incomparable for each in differences([unread], contents([]))] == [
        UNSET,
        "unkept",
        UNSET,
    ]


def test_what_an_archive_changes_is_compared_with_what_was_built() -> None:
    """The changes of an archive are compared with the built files; the disk gives their contents
    only where it still has them.
    """
    (compared,) = since_built(PREVIEW, {"modules/m": (CHOICE, Payload(NEW))}, is_mine=False)
    assert reported(compared, []) == [("modules/m/a", "changed", UNSET, [b"-there", b"+given"])]


def test_an_executable_bit_and_a_merged_text() -> None:
    """A new executable bit alone is a diff; the content of a merged file comes from the merge."""
    compared = Comparison(
        path="m",
        old=states(a="1", b="1"),
        new={"a": FileState(digest=OLD["a"].digest, executable=True), **states(b="merged\n")},
        disk=OLD,
        texts={"b": b"merged\n"},
    )
    assert reported(compared, []) == [
        ("m/a", "changed", UNSET, [b"old mode 100644", b"new mode %o" % EXECUTABLE]),
        ("m/b", "changed", UNSET, [b"-there", b"+merged"]),
    ]


def test_a_file_that_becomes_a_folder() -> None:
    """A line before the diff of a file says that a folder takes its place, or that it takes that
    of a folder.
    """
    file, folder = states(x="1"), states(**{"x/y": "1", "x/z/w": "1"})
    for old, new, said in (
        (file, folder, b"it becomes a folder"),
        (folder, file, b"a folder becomes this file"),
    ):
        compared = Comparison(path="m", old=old, new=new, disk=old, archive=new, choice=CHOICE)
        first, *others = (
            diff.text.splitlines()[0] for diff in differences([compared], contents([]))
        )
        assert (
            first == b"# m/x: %b, which `git apply` takes of text alone, and `patch` never" % said
        )
        assert others == [b"diff --git a/m/%b b/m/%b" % (name, name) for name in (b"x/y", b"x/z/w")]


def test_a_diff_is_told_in_a_line() -> None:
    """A line has the numbers of added and removed lines, or the reason why there are none."""
    diffs = (
        DiffEvent("m/a", "changed", 2, 1, False),
        DiffEvent("m/b", "added", 0, 0, True, "binary"),
    )
    assert emit(diffs, "text") == ("m/a  changed  +2 -1", "m/b  added    not text")


def test_a_diff_is_harmless_to_a_terminal() -> None:
    """Control characters are escapes, tabs are spaces, and colours say what a line means."""
    lines = b"diff --git a/m b/m\n@@ -1 +1,2 @@\n-a\tb\n+\x1b\xff\n \r\n"
    assert [*lines_for_screen(lines, Screen())] == [
        "diff --git a/m b/m",
        "@@ -1 +1,2 @@",
        "-a    b",
        "+\\x1b\\xff",
        " ",
    ]
    assert [*lines_for_screen(b"-a\n b\n", Screen(colour=True))] == ["\x1b[31m-a\x1b[0m", " b"]


def test_the_log_says_which_files_an_update_changes() -> None:
    """An update names the files that are others afterwards, or gone, and no folder; text
    counts them.
    """
    target = Target(
        occupancy="present",
        tree=Tree({**OLD, "old/x": OLD["a"], "empty": FileState(kind="folder")}),
    )
    base = RecordedComponent(
        archive="m.zip", digest="1", content="1", files={**OLD, "old/x": OLD["a"]}
    )
    files = {**NEW, "new": FileState(kind="folder")}
    plan = Plan(
        project=PurePath("/p"),
        steps=(built_step(CHOICE, target, Payload(files), base, Preference()),),
    )
    event = component_event(*plan.steps)
    assert event.changes == ("a", "old/x")
    assert emit([event], "text", Screen(verbose=True)) == (
        "will update  modules/m  2  2 files change; 1 removed",
        "  modules/m/a",
        "  modules/m/old/x",
    )
