"""Laws of diffs: what git and patch make of them."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from subprocess import run

import pytest
from hypothesis import given
from hypothesis import strategies as st

from io_edges.building.git import GIT
from pipeline.building.merging.lines import EXECUTABLE, FILE, LINK, Version, file_diffs
from property_tests.strategies import triples
from tests.support.triples import Triple

modes = st.sampled_from([FILE, EXECUTABLE])
links = st.sampled_from([b"b", b"../c d", b"\xc3\xa9"]).map(lambda target: Version(target, LINK))
names = st.sampled_from(
    [
        "a",
        "a b.php",
        "views/\u00e9.tpl",
        'q"uote',
        "back\\slash",
        "c/d/e.css",
        "tab\tname",
        "\udcff",
    ]
)


def _versions(triple: Triple, one: int, other: int) -> tuple[Version, Version]:
    return Version(triple[1], one), Version(triple[2], other)


files = st.builds(_versions, triples, modes, modes)
sides = (
    files
    | files.map(lambda pair: (None, pair[1]))
    | files.map(lambda pair: (pair[0], None))
    | st.tuples(links, links)
    | st.tuples(links, st.none())
    | st.tuples(st.none(), links)
)
trees = st.dictionaries(
    names, sides.filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=5
)
Trees = Mapping[str, tuple[Version | None, Version | None]]


@pytest.mark.parametrize(
    "command",
    [
        ["git", "apply", "--whitespace=nowarn"],
        ["patch", "-p1", "--quiet", "--no-backup-if-mismatch"],
    ],
    ids=["git", "patch"],
)
@given(trees=trees)
def test_programs_make_the_new_files_of_the_old_ones(
    command: list[str], trees: Trees, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """`git apply` and `patch -p1` accept the diff of any files and links, and turn the old files
    into exactly the new ones.
    """
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    folder = tmp_path_factory.mktemp("tree")
    for name, (old, _) in trees.items():
        _put(folder / name, old)
    diff = b"".join(
        each.text for each in file_diffs([(name, *pair) for name, pair in trees.items()], GIT)
    )
    done = run(command, cwd=folder, input=diff, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b""), diff
    assert _tree(folder) == {name: new for name, (_, new) in trees.items() if new}
    shutil.rmtree(folder)


def _put(path: Path, version: Version | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if version and version.mode == LINK:
        path.symlink_to(os.fsdecode(version.content))
    elif version:
        path.write_bytes(version.content)
        path.chmod(version.mode & 0o777)


def _tree(folder: Path) -> dict[str, Version]:
    """The files and links below a folder."""
    there = (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    return {str(path.relative_to(folder)): _version(path) for path in there}


def _version(path: Path) -> Version:
    if path.is_symlink():
        return Version(os.fsencode(path.readlink()), LINK)
    return Version(path.read_bytes(), EXECUTABLE if os.access(path, os.X_OK) else FILE)
