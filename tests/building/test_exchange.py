"""Exchange: how far a change has come in a project that was copied, where folders are known by their files alone."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from io_edges.building.exchange import position_of
from io_edges.system.folder import Folder
from io_edges.system.trees import survey
from pipeline.building.journal import Change, Position

OLD = {"a": "1", "deep/b": "2"}
NEW = {"a": "1", "deep/b": "2", "c": "3"}
"""An update that only adds a file, so that each file of the old folder is in the new one as well."""


def lay(folder: Path, files: Mapping[str, str]) -> None:
    """Write files below a folder; a name that ends in a slash is an empty folder."""
    folder.mkdir(parents=True)
    for name, content in files.items():
        path = folder / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text(content, encoding="utf-8")


def position_in(tmp_path: Path, old: Mapping[str, str], *contents: Mapping[str, str] | None) -> Position:
    """The position of a change, given what is in the component's place and in the staging folder."""
    for name, files in (("old", old), ("new", NEW)):
        lay(tmp_path / name, files)
    (tmp_path / "project/.tool/staging").mkdir(parents=True)
    (tmp_path / "project/modules").mkdir()
    for name, there in zip(("modules/m", ".tool/staging/0"), contents, strict=True):
        if there is not None:
            lay(tmp_path / "project" / name, there)
    with Folder.at(str(tmp_path)) as top, top.inner("project") as project, project.inner(".tool/staging") as staging:
        before, after = (survey(top, name).files for name in ("old", "new"))
        change = Change(path="modules/m", slot="0", new=1, old=2, before=before, after=after)
        return position_of(change, project, staging)


@pytest.mark.parametrize(
    ("place", "slot", "position"),
    [
        (OLD, NEW, "before"),
        (OLD, {"a": "1", "c": "3"}, "before"),
        (OLD, None, "before"),
        (NEW, OLD, "after"),
        (NEW, {"a": "1"}, "after"),
        (NEW, {"deep/": ""}, "after"),
        (NEW, {}, "after"),
        (NEW, None, "after"),
        (None, OLD, "before"),
        (NEW, {"a": "mine"}, "doubt"),
        ({"a": "mine"}, OLD, "doubt"),
    ],
)
def test_the_position_of_a_copied_change(
    tmp_path: Path,
    place: Mapping[str, str] | None,
    slot: Mapping[str, str] | None,
    position: str,
) -> None:
    """A folder is the new one or the old one by its files, of which some may have been removed already."""
    assert position_in(tmp_path, OLD, place, slot) == position


def test_an_old_folder_of_which_files_were_removed(tmp_path: Path) -> None:
    """What is left of the old folder is known by it, also if nothing of it is in the new one."""
    assert position_in(tmp_path, {"a": "1", "gone": "0"}, NEW, {"gone": "0"}) == "after"
