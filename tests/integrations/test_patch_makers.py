"""Patches as programs make them: what each writes of one change of a component is applied, as
others apply it.

A program that is missing is skipped. `git apply` and GNU patch are the judges, where they
take the patch.
"""

from pathlib import Path

import pytest

from tests.support.patch_makers import WAYS, applied
from tests.support.patch_programs import OLD, Tree, put, run

pytestmark = pytest.mark.integration


def by_others(patch: bytes, folder: Path) -> list[Tree]:
    """What `git apply` and GNU patch make of it, with the number of folders that each
    takes it with.
    """
    trees = list[Tree]()
    for program in (
        ("git", "apply", "--unidiff-zero"),
        ("patch", "--force", "--no-backup-if-mismatch", "--quiet"),
    ):
        for taken in range(4):
            home = folder / f"{program[0]}-{taken}"
            home.mkdir(parents=True)
            put(home, OLD)
            try:
                run(home, *program, f"-p{taken}", text=patch)
            except AssertionError:
                continue
            trees.append(
                {
                    path.relative_to(home).as_posix(): path.read_bytes()
                    for path in home.rglob("*")
                    if path.is_file()
                }
            )
            break
    return trees


@pytest.mark.parametrize("way", WAYS)
def test_a_patch_is_applied_as_it_is_made(way: str, tmp_path: Path) -> None:
    """Files are changed, added and deleted as the program that made the patch meant it, and as a
    judge does it.

    The judges leave a file empty that Subversion has deleted.
    """
    make, new = WAYS[way]
    (tmp_path / "made").mkdir()
    patch = make(tmp_path / "made", new)
    assert applied(patch) == new
    judged = by_others(patch, tmp_path / "judges")
    assert not judged or new in [
        {name: text for name, text in tree.items() if text} for tree in judged
    ]
