"""Messages and advice that depend on a fact: how each fact changes them
(`docs/reference/errors.md`).
"""

from pathlib import PurePath

import pytest

from pipeline.report.diagnostic import Command, PathContext
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.archives import REPACK, ArchiveRejected, Flaw, one_each
from pipeline.report.diagnostics.building import patch_unused
from pipeline.report.diagnostics.drop import ComponentNotFound
from pipeline.report.diagnostics.patches import PatchConflict
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.diagnostics.selection import ahead, missing_need
from pipeline.report.diagnostics.settings import not_one_of
from pipeline.report.diagnostics.updates import BuiltElsewhere
from pipeline.report.location import Location, in_patches

UNFIT = PatchConflict(
    "m.patch", 3, path="modules/m", name="a", archive="m.zip", why="none", expected="x"
)
ELSEWHERE = BuiltElsewhere("modules/m", "old/m", "module")


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (ELSEWHERE, "leave it out with `--exclude=... --exclude=m`"),
        (BuiltElsewhere("themes/t", "old/t", "theme"), "leave it out with `--theme=none`"),
        (
            ArchiveRejected("/x/a.zip", Flaw("bad", REPACK), command=Command("drop")),
            "@/x/a.zip && mv /x/a.zip.new /x/a.zip`",
        ),
        (
            ArchiveRejected("a.zip", Flaw("bad", REPACK), command=Command("drop")),
            "@drop/a.zip && mv drop/a.zip.new drop/a.zip`",
        ),
        (UNFIT, "change the patch by hand; `--take-theirs=modules/m/a` builds the archive's file"),
        (
            EvaluationFailed(Location("c.ts"), "denied"),
            "a configuration script can read only the environment",
        ),
        (
            EvaluationFailed(Location("c.ts"), "denied", scope="`/p`, its folder"),
            "and its project: `/p`, its folder",
        ),
        (not_one_of(("a",), "log.format", Location("c.json", 1, 1), ""), "for example"),
    ],
)
def test_advice(error: Error, advice: str) -> None:
    """The advice depends on the kind of a component, on where an archive is, and on what is known
    of a script.
    """
    assert advice in error.advice


def test_a_patch_that_does_not_fit() -> None:
    """The advice names the kept patch before the merge, and that the file on disk can be kept."""
    kept = PatchConflict(
        "m.patch", 3, path="m", name="a", why="none", kept=".tool/k.patch", can_merge=True
    )
    merged = PatchConflict(
        "m.patch", 3, path="m", name="a", why="none", can_merge=True, is_there=True
    )
    assert kept.advice.startswith(
        "copy `.tool/k.patch`, the patch that this version was built with, over"
    )
    assert merged.advice == (
        "`--merge` merges the patch with the archive and rewrites it; `--take-theirs=m/a` builds "
        "the archive's file; "
        "`--keep-mine=m/a` keeps the file on disk"
    )


def test_refusals_are_joined_by_archive() -> None:
    """The first refusal of an archive counts its others; any other error stays as it is."""
    first = ArchiveRejected("a.zip", Flaw("bad"))
    others = (ComponentNotFound("x", "drop"), ComponentNotFound("y", "drop"))
    joined = one_each((first, *others, ArchiveRejected("a.zip", Flaw("worse"))))
    assert joined == (ArchiveRejected("a.zip", Flaw("bad"), more=1), *others)


def test_what_is_ahead() -> None:
    """A message of what is ahead says whether a run would stop; a JSON log has the advice on each
    component.
    """
    [warning] = ahead((ELSEWHERE,), PathContext(), "json")
    assert warning.message.startswith(
        "`tool create` would leave it as it is: `modules/m` is not built: "
    )
    assert [*ahead((ELSEWHERE,), PathContext(), "text")] == [warning]


def test_parts_of_sentences() -> None:
    """A missing fact leaves no trace in the sentence."""
    assert missing_need("theme", "t", "p", ("modules/m",)).message == (
        "`modules/m` needs the theme `t` (of `p`), which is neither in the drop nor in the project"
    )
    assert [
        patch_unused("m", place).path for place in (None, in_patches("patches/m.patch", 3))
    ] == [
        "",
        "patches/m.patch",
    ]
    assert Command("-drop", "site").line("diff", "m") == "tool diff ./-drop m --output=site"


def test_where_a_patch_is() -> None:
    """The path of a patch begins at the folder that has `patches/`, if that is not the project."""
    context = PathContext(project="site", patches=PurePath("here"))
    assert str(context.relativize(UNFIT)) == "here/m.patch:3:1"
    assert str(PathContext(project="site").relativize(UNFIT)) == "site/m.patch:3:1"
