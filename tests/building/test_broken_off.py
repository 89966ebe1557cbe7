"""An update of 30 files that is killed before each call that changes the disk, and what happens next."""

import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from pipeline.building.stores.record import FileState, Record, read_record, write_record
from tests.support.forks import FORKS, Forked
from tests.support.project import Project, php
from tests.support.sweep import Counted, Thinned

CHANGED, GONE, CAME, SAME = (
    tuple(f"{kind}/{number}" for number in range(10)) for kind in ("b", "gone", "came", "same")
)
PULLED = sha256(b"pulled").hexdigest()


def files(version: int) -> dict[str, str]:
    """The files of the module in a version: the next one changes 10, adds 10 and removes 10."""
    others = (*CHANGED, *SAME, *(GONE if version == 1 else CAME))
    texts = {name: "same" if name in SAME else str(version) for name in others}
    return {"m.php": php("m", str(version)), **texts}


class Killed:
    """A project in which the update is killed at a call, again and again."""

    def __init__(self, root: Path) -> None:
        self.base, self.project = Project(root / "base"), Project(root / "work")
        for version in (1, 2, 3):
            self.base.archive(f"drop{version}/m.zip", {f"m/{name}": text for name, text in files(version).items()})
        if self.base.create("drop1").code != 0:
            raise AssertionError("the first build failed")

    def begin(self, number: int = 0) -> list[str]:
        """Make the project anew, and kill the update before a call; without a number, list its calls."""
        shutil.rmtree(self.project.root, ignore_errors=True)
        shutil.copytree(self.base.root, self.project.root, symlinks=True)
        return FORKS.run(self.project.root, "create", "drop2", number=number, way="KILL").calls

    def run(self, *args: str) -> Forked:
        """Run the command on what is left."""
        return FORKS.run(self.project.root, *args)

    @property
    def module(self) -> dict[str, str]:
        """The files of the module."""
        tree = self.project.tree.items()
        return {name.removeprefix("modules/m/"): text for name, text in tree if name.startswith("modules/m/")}

    @property
    def is_begun(self) -> bool:
        """Whether a file was changed."""
        return self.module != files(1)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """The update, to be killed."""
    return Killed(tmp_path_factory.mktemp("killed"))


def a_status(killed: Killed) -> None:
    """Nothing is changed by a look; the next build finishes the update."""
    before = killed.module
    assert killed.run("status", "drop2").code == 0
    assert killed.module == before
    a_build(killed)


def a_build(killed: Killed) -> None:
    """It finishes the update."""
    assert killed.run("create", "drop2").code == 0
    assert killed.module == files(2)
    assert killed.run("create", "drop2", "--check").code == 0


def another_drop(killed: Killed) -> None:
    """It finishes the update, and then updates the module once more."""
    assert killed.run("create", "drop3").code == 0
    assert killed.module == files(3)
    assert killed.run("create", "drop3", "--check").code == 0


def an_undo(killed: Killed) -> None:
    """It takes the update back, or the first build if the update has changed no file."""
    is_begun = killed.is_begun
    assert killed.run("undo").code == 0
    assert killed.module == (files(1) if is_begun else {})


def a_pull(killed: Killed) -> None:
    """A component that came with a record stays in it; the update is finished."""
    path = killed.project.root / ".tool-manifest.json"
    record = read_record(path.read_bytes()) or Record()
    pulled = replace(record.components["modules/m"], archive="p.zip", files={"p.php": FileState(digest=PULLED)})
    path.write_bytes(write_record(replace(record, components={**record.components, "modules/p": pulled})))
    killed.project.write("modules/p/p.php", "pulled")
    assert killed.run("create", "drop2").code == 0
    assert killed.module == files(2)
    assert killed.project.tree["modules/p/p.php"] == "pulled"
    assert (read_record(path.read_bytes()) or Record()).components.keys() == {"modules/m", "modules/p"}


def an_edit(killed: Killed) -> None:
    """An edit stays, whether the update is about its file or not; where it is and has not begun, that is a conflict."""
    edits = {"b/5": "mine", "same/5": "mine"}
    is_begun = killed.is_begun
    for name, text in edits.items():
        killed.project.write(f"modules/m/{name}", text)
    assert killed.run("create", "drop2").code == (0 if is_begun else 73)
    assert killed.module == {**files(2 if is_begun else 1), **edits}


def a_removal(killed: Killed) -> None:
    """A module that somebody has removed is built again, whole."""
    shutil.rmtree(killed.project.root / "modules/m")
    a_build(killed)


NEXT = (a_status, a_build, another_drop, an_undo, a_pull, an_edit, a_removal)


def cases(killed: Killed, thinned: Thinned[int]) -> Iterator[int]:
    """The numbers of the calls before which the update is killed."""
    return iter(thinned(range(1, len(killed.begin()) + 1), 4))


@pytest.mark.parametrize("what", NEXT)
def test_what_follows_a_kill(
    killed: Killed, what: Callable[[Killed], None], thinned: Thinned[int], counted: Counted
) -> None:
    """Every file is whole, old or new, and never reads as the new version before it is that; then the next step."""
    tried = 0
    for number in cases(killed, thinned):
        killed.begin(number)
        left, old, new = killed.module, files(1), files(2)
        assert all(text in {old.get(name), new.get(name)} for name, text in left.items()), number
        is_new = left["m.php"] == new["m.php"]
        assert not is_new or {name: text for name, text in left.items() if name not in GONE} == new, number
        what(killed)
        assert not (killed.project.root / ".tool/staging").exists() or what is an_edit, number
        tried += 1
    counted(f"kills before {what.__name__.replace('_', ' ')}", tried)
