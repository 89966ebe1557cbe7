"""Paths on standard output: exact for a program, harmless on a
terminal (`docs/reference/events.md`).
"""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.support.forks import TOOL
from tests.support.project import Project

ODD = "a\nb\x1b[2J\udcff"
HARMLESS = r"a\nb\x1b[2J\udcff"


@pytest.fixture
def odd(tmp_path: Path) -> Project:
    """A folder whose name has a line break, an escape sequence and a byte that is not UTF-8."""
    (tmp_path / ODD).mkdir()
    return Project(tmp_path / ODD)


@pytest.mark.parametrize(
    ("command", "file"), [(("create", "."), ""), (("init", "--yes"), "/tool.config.json")]
)
def test_the_path_that_a_command_ends_with(
    odd: Project, command: tuple[str, ...], file: str
) -> None:
    """Standard output is the path, byte for byte, and a line break."""
    ran = odd.run(*command)
    assert ran.code == 0
    assert ran.out == f"{odd.root}{file}\n"


def test_the_path_on_a_terminal(odd: Project) -> None:
    """On a terminal, the path is one line without any character that the terminal would obey."""
    ours, theirs = pty.openpty()
    subprocess.run(
        [TOOL, "create", "."], cwd=odd.root, check=True, stdout=theirs, stderr=subprocess.DEVNULL
    )
    os.close(theirs)
    lines = os.read(ours, 65536).decode()
    os.close(ours)
    assert lines == f"{odd.root.parent}/{HARMLESS}\r\n"


def test_a_valid_file(odd: Project) -> None:
    """The line of a valid file has the file's name with escapes."""
    odd.write("tool.config.json", {"schema": 1})
    ran = odd.run("config", "validate", f"{ODD}/tool.config.json", cwd="..")
    assert ran.code == 0
    assert ran.out == f"{HARMLESS}/tool.config.json: valid\n"
