"""Patches as programs made them: each form is applied; of one that cannot be read, the message says
how to make it.
"""

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.building.patching.patch_file import read_patch
from pipeline.report.diagnostics.patches import PatchInvalid
from tests.support.patch_makers import WAYS, applied
from tests.support.patch_programs import ALL, EDIT, LINES, OLD, Maker, Tree, by_folders, by_git

RECORDED = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "support/data/patch_makers.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
MOVED: Tree = {"z.php": LINES, **{name: text for name, text in OLD.items() if name != "a.php"}}


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: row["way"])
def test_what_a_program_wrote_is_applied(row: dict[str, str]) -> None:
    """A patch in any form changes, adds and deletes files as the program that wrote it meant it."""
    assert applied(row["patch"].encode()) == WAYS[row["way"]][1]


def of_git(*settings: str) -> Callable[..., Maker]:
    """A command of git with some settings, of what is staged."""
    return lambda *command: by_git(*settings, *command[1:], "--cached")


def of_folders(*command: str) -> Maker:
    """A command that compares two folders, with what is in them."""
    return by_folders(*command, "-rN")


UNREADABLE: dict[str, tuple[Callable[..., Maker], tuple[str, ...], Tree]] = {
    "colours": (of_git("-c", "color.diff=always"), ("git", "diff"), ALL),
    "a rename": (of_git(), ("git", "diff"), MOVED),
    "a copy": (
        of_git("-c", "diff.renames=copies"),
        ("git", "diff", "-C", "-C"),
        {**OLD, "z.php": LINES},
    ),
    "a context diff": (of_folders, ("diff", "-c"), EDIT),
    "a normal diff": (of_folders, ("diff",), EDIT),
    "a script for ed": (of_folders, ("diff", "-e"), EDIT),
}
"""How a command is run, the command that makes what cannot be read, and the tree that it is of."""


@pytest.mark.skipif(
    shutil.which("git") is None or shutil.which("diff") is None,
    reason="git or diff is not installed",
)
@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_can_be_made_anew(what: str, tmp_path: Path) -> None:
    """If a patch cannot be read, the command in its message makes one that can."""
    made, command, new = UNREADABLE[what]
    for folder in ("first", "anew"):
        (tmp_path / folder).mkdir()
    wrong = read_patch(made(*command)(tmp_path / "first", new), "modules/m").error
    assert isinstance(wrong, PatchInvalid)
    advised = re.search(r"make it with `(.*?)`", wrong.advice)
    assert advised
    assert applied(made(*shlex.split(advised[1]))(tmp_path / "anew", new)) == new
