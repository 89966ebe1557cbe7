"""Messages about a component that a killed run left half updated (`docs/building.md`)."""

from pathlib import Path

import pytest

from tests.support.forks import FORKS
from tests.support.project import Project, Ran, php

FILES = ("a", "b", "c")


@pytest.fixture(scope="module")
def killed(shared: Project) -> Project:
    """A project in which the update of one of two modules was killed between two files; no
    test changes it.
    """
    for version in ("1", "2"):
        shared.archive(
            "drop/m.zip",
            {"m/m.php": php("m", version), **dict.fromkeys(map("m/{}".format, FILES), version)},
        )
        shared.module("n", "drop/n.zip")
        if version == "1":
            assert shared.create("drop").code == 0
    whole = shared.copy(shared.root.parent / "whole")
    calls = FORKS.run(whole.root, "create", "drop", way="KILL").calls
    FORKS.run(shared.root, "create", "drop", number=calls.index("link ('c',)") + 1, way="KILL")
    assert [shared.tree[f"modules/m/{name}"] for name in FILES] == ["2", "2", "1"]
    return shared


@pytest.fixture
def interrupted(killed: Project, tmp_path: Path) -> Project:
    """A copy of that project."""
    return killed.copy(tmp_path / "project")


def test_an_interrupt_while_files_are_put_in_place(killed: Project, tmp_path: Path) -> None:
    """An interrupt is answered at once, in one line, even with `--quiet`; then every file is put in
    place and the run ends.
    """
    whole = killed.copy(tmp_path / "whole")
    calls = FORKS.run(whole.root, "create", "drop", way="KILL").calls
    number = calls.index("rename ('c',)") + 1
    ran = FORKS.run(
        killed.copy(tmp_path / "project").root,
        "create",
        "drop",
        "-q",
        env={},
        number=number,
        way="INT",
    )
    answer, end = ran.err.splitlines()[-2:]
    assert ran.code == 130
    assert answer == "interrupted: finishing 4 files, so that every component is whole"
    assert end.startswith("interrupted: ")
    project = Project(tmp_path / "project")
    assert {
        text
        for name, text in project.tree.items()
        if name.startswith("modules/m/") and len(text) == 1
    } == {"2"}


def run(project: Project, *args: str) -> Ran:
    """Run a command, with the log as JSON."""
    return project.run(*args, env={"TOOL_LOG_FORMAT": "json"})


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("status", "drop", "--check"), 80),
        (("create", "drop", "--dry-run"), 0),
        (("create", "drop", "--check"), 80),
        (("undo", "--dry-run"), 0),
        (("diff", "drop"), 0),
        (("log",), 0),
        (("patch", "drop"), 73),
        (("patch", "drop", "n"), 0),
    ],
)
def test_commands_that_look(killed: Project, args: tuple[str, ...], code: int) -> None:
    """Each command that only looks reports the interrupted run in one line, and plans nothing for
    its component.
    """
    before = killed.tree
    ran = run(killed, *args)
    assert ran.code == code
    reported = [
        each["message"] for each in ran.reported("warning") if each["code"] == "interrupted-run"
    ]
    (message,) = reported
    assert message.startswith("an earlier run was interrupted in `modules/m`: `tool create drop")
    assert message.endswith("; the next `tool create` or `tool undo` finishes it")
    assert [each["path"] for each in ran.reported("component")] == ["modules/n"] * (
        args[0] == "create"
    )
    assert killed.tree == before


@pytest.mark.parametrize(
    "args", [("create", "drop"), ("create", "drop", "n"), ("create", "drop", "--exclude=m")]
)
def test_the_next_build(interrupted: Project, args: tuple[str, ...]) -> None:
    """With any arguments, the next build completes the interrupted run and reports that."""
    ran = run(interrupted, *args)
    assert ran.code == 0
    assert "an earlier run was interrupted: `tool create drop" in ran.err
    assert "; this run finished it first" in ran.err
    assert {
        name: text for name, text in interrupted.tree.items() if name.startswith("modules/m")
    } == {
        "modules/m/m.php": php("m", "2"),
        **{f"modules/m/{name}": "2" for name in FILES},
    }
    assert run(interrupted, "create", "drop", "--check").code == 0


def test_the_next_undo(interrupted: Project) -> None:
    """An undo completes the interrupted run and then takes it back."""
    assert run(interrupted, "undo").code == 0
    assert {
        text
        for name, text in interrupted.tree.items()
        if name.startswith("modules/m/") and len(text) == 1
    } == {"1"}
