"""Where something is, as seen from the current folder (`docs/reference/events.md`)."""

from pathlib import PurePath

import pytest

from pipeline.report.diagnostic import Diagnostic, PathContext
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw, unrecognised_archive
from pipeline.report.diagnostics.building import changed_meanwhile
from pipeline.report.diagnostics.configuration import not_json
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.drop import unused_files
from pipeline.report.diagnostics.selection import ahead, problem_ahead
from pipeline.report.location import Location
from tests.support.project import Project

CONTEXT = PathContext("../drop", "out", PurePath("/home/shop"))


@pytest.mark.parametrize(
    ("diagnostic", "place"),
    [
        (ArchiveRejected("a.zip", Flaw("bad")), "../drop/a.zip"),
        (ArchiveRejected("p.zip!a", Flaw("bad")), "../drop/p.zip!a"),
        (ArchiveRejected("./a.zip", Flaw("bad")), "./a.zip"),
        (ArchiveRejected("/x/a.zip", Flaw("bad")), "/x/a.zip"),
        (unrecognised_archive("a.zip", "a"), "../drop/a.zip"),
        (unused_files("../drop", (("x", "a folder"),)), "../drop"),
        (OutputConflict("modules/m"), "out/modules/m"),
        (changed_meanwhile("modules/m", ("a",)), "out/modules/m"),
        (not_json(Location("c.json", 1, 2), "comment"), "c.json:1:2"),
        (FileSystemProblem("/home/shop/out/x", "full"), "out/x"),
        (FileSystemProblem("/home/other", "full"), "/home/other"),
    ],
)
def test_a_place(diagnostic: Diagnostic, place: str) -> None:
    """An archive is named in the drop, a component in the project, and a file in the current folder
    relative to that.
    """
    assert str(CONTEXT.relativize(diagnostic)) == place


@pytest.mark.parametrize(
    ("location", "place"),
    [
        (Location("--theme"), {}),
        (Location("TOOL_THEME"), {}),
        (Location("CI"), {}),
        (Location("preset:ci"), {}),
        (Location("built-in"), {}),
        (Location("tool.config.json"), {"file": "tool.config.json"}),
        (Location("preset:x", 1, 2), {"file": "preset:x", "line": 1, "column": 2}),
    ],
)
def test_the_file_of_a_location(location: Location, place: dict[str, object]) -> None:
    """A flag, a variable, a bundled preset and a default are in no file."""
    assert location.place == place


def test_a_error_ahead() -> None:
    """A warning of an error in `tool create` names the place where that command would report it."""
    rejected = ArchiveRejected("a.zip", Flaw("bad"))
    assert (*ahead((rejected,), CONTEXT, "text"),) == (
        problem_ahead(rejected, Location("../drop/a.zip")),
    )


def test_the_place_of_an_archive_can_be_opened(project: Project) -> None:
    """Errors and warnings of archives name a path that leads to the archive, even for a theme
    outside the drop.
    """
    project.write("drop/page.zip", "x")
    project.archive("drop/thing.zip", {"a": ""})
    project.write("else/theme.zip", "x")
    ran = project.create("drop", "--output=out", "--theme=else/theme.zip")
    sources = {each["source"] for each in (*ran.reported("error"), *ran.reported("warning"))}
    assert sources == {"drop/page.zip", "drop/thing.zip", "./else/theme.zip"}
    assert [source for source in sources if not (project.root / source).is_file()] == []
