"""Errors and warnings of a run in GitHub Actions are annotations, too (`docs/howto/git-and-ci.md`)."""

from pathlib import PurePath

import pytest

from io_edges.report.findings import Finder
from pipeline.report.events import ErrorEvent
from tests.support.annotations import read_back
from tests.support.project import Project, Ran

STEP = {"GITHUB_ACTIONS": "true"}


def annotations(ran: Ran) -> list[tuple[str, dict[str, str], str]]:
    """The annotations in a log, as the runner reads them."""
    return [read_back(line) for line in ran.err.splitlines() if line.startswith("::")]


def test_what_is_wrong_with_a_build(project: Project) -> None:
    """Each error and warning of a text log has its annotation, with a path from the root of the repository."""
    project.write("shop/tool.config.json", {"modules": {"only": ["m", "n*"]}})
    project.module("m", "shop/drop/m.zip")
    ran = project.run("create", "drop", "--check", cwd="shop", env=STEP)
    plain = project.run("create", "drop", "--check", cwd="shop")
    assert ran.code == 80
    assert annotations(ran) == [
        (
            "warning",
            {"file": "shop/tool.config.json", "line": "1", "col": "28", "title": "unmatched-pattern"},
            "no module matches `n*` of modules.only\nhelp: check the name and its case",
        ),
        (
            "error",
            {"file": "shop/modules/m", "title": "OutOfDate"},
            "`modules/m` is out of date: a run would add it\nhelp: run `tool create` without `--check`",
        ),
    ]
    assert [line for line in ran.err.splitlines() if not line.startswith("::")] == plain.err.splitlines()


def test_no_more_than_are_shown(project: Project) -> None:
    """Ten errors are annotated, which is what GitHub shows of a step; the log has all."""
    project.write("tool.config.json", {f"key{number}": 1 for number in range(12)})
    ran = project.run("create", env=STEP)
    assert len(annotations(ran)) == 10
    assert ran.err.count("error: SchemaValidationError") == 12


def test_what_is_not_annotated(project: Project) -> None:
    """JSON is JSON alone, findings that are annotations are not repeated, and only GitHub's own variable counts."""
    project.write("tool.config.json", {"key": 1})
    assert [each["event"] for each in project.run("create", "--log-format=json", env=STEP).log] == [
        "start",
        "error",
        "summary",
    ]
    assert annotations(project.run("config", "validate", "--format=github", env=STEP)) == []
    assert annotations(project.run("create", env={"GITHUB_ACTIONS": "", "CI": "true"})) == []
    assert len(annotations(project.run("create", "--quiet", env=STEP))) == 1


def test_a_name_that_looks_like_a_command(project: Project) -> None:
    """No archive commands the step that it is built or looked at in, wherever its name stands in the output."""
    project.module("a", "drop/::error::a.zip")
    project.module("b", "drop/##[error]b.zip")
    for args in (["create", "drop", "--dry-run"], ["create", "drop"], ["status", "drop"], ["inspect", "drop"]):
        ran = project.run(*args, env=STEP)
        lines = [line for line in f"{ran.out}{ran.err}".splitlines() if line.lstrip().startswith("::") or "##[" in line]
        assert (ran.code, lines) == (0, [])


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("TOOL_x/tool.config.json:1:2", ("TOOL_x/tool.config.json", 1, 2)),
        ("--x.json:3:4", ("--x.json", 3, 4)),
        ("preset:ci/a.json:5:6", ("preset:ci/a.json", 5, 6)),
        ("drop/a.zip", ("drop/a.zip", 0, 0)),
        ("TOOL_THEME", ("", 0, 0)),
        ("--theme", ("", 0, 0)),
        (None, ("", 0, 0)),
    ],
)
def test_where_a_finding_is(source: str | None, place: tuple[str, int, int]) -> None:
    """A source with a line is a file, whatever its name; without one, it may be a flag or a variable."""
    event = ErrorEvent(error="E", exit=65, path=None, message="m", source=source, help=None)
    finding = Finder(PurePath("/nowhere")).of_event(event)
    assert (finding.file, finding.line, finding.column) == place


def test_a_folder_that_cannot_be_looked_into() -> None:
    """Where the search for the root of the repository is refused, the current folder is the root."""
    unreachable = PurePath("/" + "a/" * 2100)
    assert Finder(unreachable).root == unreachable
