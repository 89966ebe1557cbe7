"""Where something is, seen from the current folder (`docs/output.md`)."""

from pathlib import PurePath

import pytest

from io_edges.report.places import Bases
from pipeline.report.build_problems import ArchiveRejected, FileSystemProblem, OutputConflict
from pipeline.report.drop_notes import UnrecognisedArchive, UnusedFiles
from pipeline.report.notes import Note
from pipeline.report.problems import MalformedJson, Problem
from pipeline.report.run_notes import InPlace
from pipeline.report.source import Source
from tests.support.project import Project

BASES = Bases("../drop", "out", PurePath("/home/shop"))


@pytest.mark.parametrize(
    ("subject", "place", "expected"),
    [
        (ArchiveRejected("a.zip", "bad"), "a.zip", "../drop/a.zip"),
        (ArchiveRejected("p.zip!a", "bad"), "p.zip!a", "../drop/p.zip!a"),
        (ArchiveRejected("./a.zip", "bad"), "./a.zip", "./a.zip"),
        (ArchiveRejected("/x/a.zip", "bad"), "/x/a.zip", "/x/a.zip"),
        (UnrecognisedArchive("a.zip", "a"), "a.zip", "../drop/a.zip"),
        (UnusedFiles("../drop", "folder", ("x",)), "../drop", "../drop"),
        (OutputConflict("modules/m"), "modules/m", "out/modules/m"),
        (InPlace("modules/m", "why"), "modules/m", "out/modules/m"),
        (MalformedJson(Source("c.json", 1, 2), "bad"), "c.json", "c.json"),
        (FileSystemProblem("/home/shop/out/x", "full"), "/home/shop/out/x", "out/x"),
        (FileSystemProblem("/home/other", "full"), "/home/other", "/home/other"),
    ],
)
def test_a_place(subject: Problem | Note, place: str, expected: str) -> None:
    """An archive is in the drop, a component in the project, and what is in the current folder is relative to it."""
    assert BASES.place(subject, place) == expected


def test_the_place_of_an_archive_can_be_opened(project: Project) -> None:
    """Errors and warnings of archives name a path that leads to them, also for a theme outside the drop."""
    project.write("drop/page.zip", "x")
    project.archive("drop/thing.zip", {"a": ""})
    project.write("else/theme.zip", "x")
    ran = project.create("drop", "--output=out", "--theme=else/theme.zip")
    sources = {each["source"] for each in (*ran.told("error"), *ran.told("warning"))}
    assert sources == {"drop/page.zip", "drop/thing.zip", "./else/theme.zip"}
    assert [source for source in sources if not (project.root / source).is_file()] == []
