"""A simulated macOS: Python and the C library lack everything that only Linux has
(`tests/support/macos.py`).
"""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.forks import PATIENCE, environment
from tests.support.project import Project, Ran, php

ROOT = Path(__file__).parents[2]
LINES = "1\n2\n3\n4\n5\n"


def on_macos(project: Project, *args: str) -> Ran:
    """Run the command as on macOS."""
    command = [sys.executable, "-P", "-m", "tests.support.macos", *args]
    variables = {**environment(), "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        command,
        cwd=project.root,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    return Ran(ended.returncode, ended.stdout, ended.stderr)


def pack(project: Project, version: str, **files: str) -> None:
    """Make the archive of a module in a version."""
    project.archive(
        "drop/m.zip",
        {"m/m.php": php("m", version), **{f"m/{name}": text for name, text in files.items()}},
    )


def test_the_life_of_a_project(project: Project) -> None:
    """On macOS, every command does what it does on Linux: builds, updates, hooks, scripts, undo,
    the log.
    """
    module = project.root / "modules/m"
    project.write("init-scripts/a.sh", "echo hooked $TOOL_HOOK_STAGE\n")
    pack(project, "1", a=LINES, b="1", c="1")
    first = on_macos(project, "create", "drop")
    assert (first.code, first.out) == (0, f"{project.root}\n"), first.err
    assert "init-scripts/a.sh: hooked init" in first.err

    (module / "a").write_text(LINES.replace("5", "mine"))
    (module / "b").chmod(0o4640)
    (module / "mine").write_text("mine")
    pack(project, "2", a=LINES.replace("1", "theirs"), b="2", d="2")
    assert "+2" in on_macos(project, "diff", "drop", "--merge").out
    assert on_macos(project, "create", "--merge").code == 0
    expected = {
        "m.php": php("m", "2"),
        "a": "theirs\n2\n3\n4\nmine\n",
        "b": "2",
        "d": "2",
        "mine": "mine",
    }
    assert project.tree == {f"modules/m/{name}": text for name, text in expected.items()}
    assert (module / "b").stat().st_mode & 0o7777 == 0o640
    assert on_macos(project, "status", "--check").code == 80

    undone = on_macos(project, "undo")
    assert undone.code == 0, undone.err
    assert project.tree["modules/m/a"] == LINES.replace("5", "mine")
    assert project.tree["modules/m/c"] == "1"
    reported = on_macos(project, "log").out
    assert [line.split("  ")[1] for line in reported.splitlines() if line[0].isdigit()] == [
        "tool create drop",
        "tool create --merge",
        "tool undo",
    ]
    removed = on_macos(project, "create", "drop", "--exclude=*", "--prune")
    assert removed.code == 0, removed.err
    assert project.tree == {}


@pytest.mark.parametrize("value", ["no", "ne"], ids=["right", "wrong"])
def test_a_script(project: Project, value: str) -> None:
    """A configuration that is a script is evaluated on macOS, and its mistakes are reported."""
    project.write(
        "tool.config.ts",
        f'export default {{ [["the", "me"].join("")]: {value!r} === "no" ? "none" : 1 }};',
    )
    shown = on_macos(project, "config", "show", "--log-format=json")
    assert (shown.code, '"value":"none"' in shown.out) == (
        (0, True) if value == "no" else (65, False)
    ), shown.err


def test_a_killed_run(project: Project) -> None:
    """On macOS, a run that is killed while components are put in place is completed by the next
    one.
    """
    pack(project, "1", a="1")
    assert project.create("drop").code == 0
    pack(project, "2", a="2")
    project.write("post-scripts/a.sh", "kill -9 $PPID\n")
    assert on_macos(project, "create", "drop").code == -signal.SIGKILL
    assert on_macos(project, "create", "drop", "--no-hooks").code == 0
    assert project.tree == {"modules/m/m.php": php("m", "2"), "modules/m/a": "2"}
    assert not (project.root / ".tool/staging").exists()
