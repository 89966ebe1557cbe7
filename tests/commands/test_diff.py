"""`tool diff`: the changes of files, as a diff that other programs accept (`docs/building.md`)."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.forks import TOOL
from tests.support.project import Project, Ran, php
from tests.support.terminals import Terminal

TEXT = "".join(f"{number}\n" for number in range(1, 21))
MINE, THEIRS = TEXT.replace("3\n", "three\n", 1), TEXT.replace("17\n", "seventeen\n")
OLD: dict[str, str | bytes] = {
    "m/m.php": php("m", "1"),
    "m/lib.php": TEXT,
    "m/gone.css": "a\n",
    "m/a.png": b"\x89\0",
    "m/run.sh": TEXT,
}
NEW: dict[str, str | bytes] = {
    "m/m.php": php("m", "2"),
    "m/lib.php": TEXT,
    "m/new file.css": "b\n",
    "m/a.png": b"\x89\0\1",
    "m/run.sh": THEIRS,
}


def names(ran: Ran) -> list[str]:
    """The files of a diff, in a row."""
    assert ran.code == 0, ran.err
    heads = (line for line in ran.out.splitlines() if line.startswith(("diff ", "# ")))
    return [line.replace('"', "").split(" b/")[-1] for line in heads]


@pytest.fixture(scope="module")
def built(shared: Project) -> Project:
    """A project that is built; each test changes a copy."""
    shared.archive("m.zip", OLD)
    assert shared.create().code == 0
    return shared


@pytest.fixture
def patched(built: Project, tmp_path: Path) -> Project:
    """A project in which a file was patched and another added, and a drop with an update and
    a new module.
    """
    project = built.copy(tmp_path / "project")
    project.write("modules/m/lib.php", MINE)
    project.write("modules/m/mine.txt", "mine\n")
    project.archive("m.zip", NEW)
    project.archive("n.zip", {"n/n.php": php("n") + "\n"})
    return project


@pytest.mark.parametrize(
    "command", [["git", "apply"], ["patch", "-p1", "--quiet"]], ids=["git", "patch"]
)
@pytest.mark.parametrize("merging", [(), ("--merge",)], ids=["plain", "merging"])
def test_applied_it_gives_what_the_next_run_gives(
    patched: Project, command: list[str], merging: tuple[str, ...]
) -> None:
    """A copy of the project to which the diff is applied has the files of the next run, except
    those that are not text.
    """
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    patched.archive(
        "m.zip", {**NEW, "m/a.png": OLD["m/a.png"], **({"m/lib.php": THEIRS} if merging else {})}
    )
    copy = Project(patched.root.parent / "copy")
    shutil.copytree(patched.root, copy.root)
    diff = patched.run("diff", *merging).out
    subprocess.run(command, cwd=copy.root, input=diff.encode(), check=True)
    assert patched.create(*merging).code == 0
    for each in (patched, copy):
        each.write("modules/m/a.png", "")
    assert copy.tree == patched.tree
    assert patched.run("diff", *merging) == Ran(0, "", "")


@pytest.mark.parametrize("forth", [True, False], ids=["to a folder", "to a file"])
def test_a_file_and_a_folder(project: Project, forth: bool) -> None:
    """If a file becomes a folder, or the reverse, a line says that only `git apply` accepts the
    diff, and `git apply` does.
    """
    file, folder = {"m/x": "1\n"}, {"m/x/y": "2\n", "m/x/z/w": "3\n"}
    marker = {"m/m.php": php("m")}
    project.archive("m.zip", {**marker, **(file if forth else folder)})
    assert project.create().code == 0
    project.archive("m.zip", {**marker, **(folder if forth else file)})
    copy = Project(project.root.parent / "copy")
    shutil.copytree(project.root, copy.root)
    ran = project.run("diff")
    said = "it becomes a folder" if forth else "a folder becomes this file"
    line = f"# modules/m/x: {said}, which `git apply` takes of text alone, and `patch` never"
    assert [each for each in ran.out.splitlines() if each.startswith("#")] == [line]
    subprocess.run(["git", "apply"], cwd=copy.root, input=ran.out.encode(), check=True)
    assert project.create().code == 0
    assert copy.tree == project.tree
    assert project.run("diff").out == ""


def test_the_files_alone(patched: Project) -> None:
    """With `--stat`, each file is a line with its numbers, or in JSON an object."""
    ran = patched.run("diff", "m", "--stat")
    assert [line.split() for line in ran.out.splitlines()] == [
        ["modules/m/a.png", "changed", "not", "text"],
        ["modules/m/gone.css", "removed", "+0", "-1"],
        ["modules/m/m.php", "changed", "+1", "-1"],
        ["modules/m/new", "file.css", "added", "+1", "-0"],
        ["modules/m/run.sh", "changed", "+1", "-1"],
    ]
    (said, *_) = patched.run("diff", "m", "--log-format=json").printed
    assert (said["event"], said["path"], said["incomparable"]) == (
        "diff",
        "modules/m/a.png",
        "binary",
    )


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"modules/m/m.php": "mine"}, "stop: both you and the archive changed `modules/m`"),
        ({"modules/m": "mine"}, "stop: `modules/m` is a file"),
    ],
    ids=["edited", "a file in its place"],
)
def test_conflicts_are_warnings(patched: Project, files: dict[str, str], said: str) -> None:
    """A component in conflict is named on standard error, and the others are shown."""
    if "modules/m" in files:
        shutil.rmtree(patched.root / "modules/m")
    for name, content in files.items():
        patched.write(name, content)
    ran = patched.run("diff")
    assert names(ran) == ["modules/n/n.php"]
    assert ran.err.startswith(f"warning: `tool create` would {said}"), ran.err


@pytest.mark.parametrize(
    ("flags", "code", "printed"),
    [
        ((), "problem-ahead", ["diff", "forced"]),
        (("--mine",), "unknown-base", []),
        (("--theirs",), "unknown-base", []),
    ],
)
def test_a_component_whose_base_is_unknown(
    project: Project, flags: tuple[str, ...], code: str, printed: list[str]
) -> None:
    """If the base of a component is unknown, neither your changes nor the vendor's can be shown
    alone; a warning says what to do.
    """
    project.write("modules/m/m.php", php("m", "theirs"))
    project.module("m")
    ran = project.run("diff", *flags, env={"TOOL_LOG_FORMAT": "json"})
    assert (ran.code, [each["event"] for each in ran.printed]) == (0, printed)
    (warning,) = ran.reported("warning")
    assert warning["code"] == code
    assert warning["help"].startswith("if `m.zip` is what it was made from, run `tool create")


def test_refused_archives_are_errors(patched: Project) -> None:
    """An archive that cannot be built is an error, after the diffs of the others."""
    patched.write("n.zip", b"PK")
    ran = patched.run("diff")
    assert (ran.code, "ArchiveRejected" in ran.err, "modules/m/m.php" in ran.out) == (
        76,
        True,
        True,
    )


def test_a_terminal_gets_colours_and_no_control_characters(patched: Project) -> None:
    """On a terminal, lines are coloured by their meaning, and control characters are shown as
    escapes.
    """
    patched.archive("m.zip", {**OLD, "m/m.php": "\x1b[2J"})
    with Terminal(patched.root, shell=[str(TOOL), "diff", "m"]) as terminal:
        assert terminal.end()[0] == 0
    assert b"\x1b[2J" not in terminal.raw
    assert b"\x1b[32m+\\x1b[2J\x1b[0m\r\n" in terminal.raw
