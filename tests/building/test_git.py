"""Git: what it changes of a project on the way through a repository (`docs/howto/commit-the-record.md`)."""

import pytest

from pipeline.building.git import changes_line_ends
from tests.support.project import Project

SAID = ["git-changes-line-ends"]
FOLDERS = ("modules", "themes", "wp-content", "wp-content/plugins")
ON = "[core]\n\tautocrlf = true\n"


@pytest.mark.parametrize(
    ("config", "is_on"),
    [
        (ON, True),
        ("[Core]\nAutoCRLF=TRUE ; as on Windows", True),
        ("[core] autocrlf", True),
        ('[core]\n autocrlf = "yes"', True),
        ("[core]\n autocrlf = input", False),
        ("[core]\n autocrlf = false", False),
        (f"{ON}autocrlf = false", False),
        ('[core "x"]\nautocrlf = true', False),
        ("[user]\nautocrlf = true", False),
        ("# [core]\n; autocrlf = true\nautocrlf = true", False),
        ("", False),
    ],
)
def test_a_configuration(config: str, is_on: bool) -> None:
    """The last `core.autocrlf` counts; `input` changes nothing that is checked out."""
    assert changes_line_ends([ON.replace("true", "false"), config], (), (), FOLDERS) is is_on
    assert changes_line_ends([config, ""], ["*.png binary\n# * -text"], ["vendor/\n*.log"], FOLDERS) is is_on


@pytest.mark.parametrize(
    "line",
    [
        "* -text",
        "** -text",
        "modules/** -text",
        "/modules/* text=auto",
        "wp-content/plugins/** -text",
        "* text=auto eol=lf",
    ],
)
def test_what_attributes_say_otherwise(line: str) -> None:
    """A line about all files, or all modules, decides about line ends: nothing is said then."""
    assert not changes_line_ends([ON], [f"*.jpg binary\n{line}\n"], (), FOLDERS)


@pytest.mark.parametrize("line", ["modules", "/modules/", "wp-content/", "themes/*", "*", ".tool-manifest.json"])
def test_what_is_not_in_git(line: str) -> None:
    """What git leaves out it does not change."""
    assert not changes_line_ends([ON], (), [f"{line}\n"], FOLDERS)


def test_a_project_in_git(project: Project) -> None:
    """A run that changes something says that git changes line ends, and so does the status; another run does not."""
    project.module("m")
    home = {"HOME": str(project.root / "home")}

    def told(*args: str) -> list[str]:
        ran = project.run(*args, "--log-format=json", env=home)
        assert ran.code == 0
        return [each["code"] for each in ran.told("warning")]

    project.write("home/.gitconfig", ON)
    assert [told("create"), told("create"), told("status")] == [SAID, [], SAID]
    project.write(".git/config", "[core]\nautocrlf = false\n")
    assert told("status") == []
    project.write(".git/config", ON)
    project.write("home/.gitconfig", "")
    assert told("status") == SAID
    project.write(".gitattributes", "* -text\n")
    assert told("status") == []


def test_a_worktree(project: Project) -> None:
    """The configuration of a worktree is where its file `.git` leads; without git nothing is said."""
    project.module("m")
    home = {"HOME": str(project.root / "home")}
    (project.root / ".git").rmdir()
    assert project.run("status", env=home).err == ""
    project.write(".git", "gitdir: home/repo/worktrees/w\n")
    project.write("home/repo/worktrees/w/commondir", "../..\n")
    project.write("home/repo/config", ON)
    assert "core.autocrlf" in project.run("status", env=home).err
    project.write("home/repo/config", "x" * 300_000)
    assert project.run("status", env=home).err == ""
