"""What the commands say of a component that a killed run has begun, until the next build (`docs/building.md`)."""

import pytest

from tests.support.forks import FORKS
from tests.support.project import Project, Ran, php

FILES = ("a", "b", "c")


@pytest.fixture
def interrupted(project: Project) -> Project:
    """A project in which the update of one of two modules was killed between two files."""
    for version in ("1", "2"):
        project.archive(
            "drop/m.zip", {"m/m.php": php("m", version), **dict.fromkeys(map("m/{}".format, FILES), version)}
        )
        project.module("n", "drop/n.zip")
        if version == "1":
            assert project.create("drop").code == 0
    calls = FORKS.run(project.root, "create", "drop", "--dry-run", way="EIO").calls
    assert calls == []
    number = 0
    while project.tree["modules/m/b"] == "1":
        number += 1
        FORKS.run(project.root, "create", "drop", number=number, way="KILL")
    return project


def run(project: Project, *args: str) -> Ran:
    """Run a command, with the log as JSON."""
    return project.run(*args, env={"TOOL_LOG_FORMAT": "json"})


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("status", "drop"), 0),
        (("status", "drop", "--check"), 80),
        (("create", "drop", "--dry-run"), 0),
        (("create", "drop", "--check"), 80),
        (("create", "drop", "--frozen", "--dry-run"), 80),
        (("undo", "--dry-run"), 0),
        (("diff", "drop"), 0),
        (("log",), 0),
        (("patch", "drop"), 73),
        (("patch", "drop", "n"), 0),
        (("patch", "drop", "m", "--dry-run"), 73),
    ],
)
def test_commands_that_look(interrupted: Project, args: tuple[str, ...], code: int) -> None:
    """Each says that a run was interrupted, in one line, and plans nothing for its component."""
    before = interrupted.tree
    ran = run(interrupted, *args)
    assert ran.code == code
    told = [each["message"] for each in ran.told("warning") if each["code"] == "interrupted-run"]
    message = "an earlier run was interrupted in `modules/m`; the next `tool create` or `tool undo` finishes it"
    assert told == [message]
    assert [each["path"] for each in ran.told("component")] == ["modules/n"] * (args[0] == "create")
    assert interrupted.tree == before


def test_its_status(interrupted: Project) -> None:
    """Its component is `interrupted`, and nothing of it is compared; the other is as ever."""
    assert [(each["path"], each.get("state")) for each in run(interrupted, "status", "drop").printed] == [
        ("modules/m", "interrupted"),
        ("modules/n", None),
    ]
    assert "interrupted" in interrupted.run("status", "drop").out


@pytest.mark.parametrize("args", [("create", "drop"), ("create", "drop", "n"), ("create", "drop", "--exclude=m")])
def test_the_next_build(interrupted: Project, args: tuple[str, ...]) -> None:
    """It finishes what was begun, whatever it is called with, and says so."""
    ran = run(interrupted, *args)
    assert ran.code == 0
    assert "an earlier run was interrupted; this run finished it first" in ran.err
    assert {name: text for name, text in interrupted.tree.items() if name.startswith("modules/m")} == {
        "modules/m/m.php": php("m", "2"),
        **{f"modules/m/{name}": "2" for name in FILES},
    }
    assert run(interrupted, "create", "drop", "--check").code == 0


def test_the_next_undo(interrupted: Project) -> None:
    """It finishes what was begun, and takes it back."""
    assert run(interrupted, "undo").code == 0
    assert {text for name, text in interrupted.tree.items() if name.startswith("modules/m/") and len(text) == 1} == {
        "1"
    }
