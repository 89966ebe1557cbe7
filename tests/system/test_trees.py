"""Trees: how the files below a folder are reached (`docs/reliability.md`)."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from io_edges.system.folder import Folder
from io_edges.system.trees import DirChain, remove, survey, walk
from pipeline.building.stores.record import FileState
from pipeline.building.stores.tree import Tree
from pipeline.values import replace

DEEP = 300


def test_a_walk_goes_to_every_folder(tmp_path: Path) -> None:
    """A walk gives each folder once, opened, before the folders in it, even beside one that is too
    deep to stay open.
    """
    deep = "/".join("d" * 40)
    for path in (f"top/a/{deep}", f"top/b/{deep}", "top/c", f"top/a/{deep[:59]}/beside/e"):
        (tmp_path / path).mkdir(parents=True)
    with Folder.at(str(tmp_path)) as folder:
        walked = [
            (path, inside.path, os.fstat(inside.fd).st_ino) for path, inside in walk(folder, "top")
        ]
    paths = [path for path, _, _ in walked]
    inodes = {path: (tmp_path / path).stat().st_ino for path in paths}
    folders = [
        "top",
        *(path.relative_to(tmp_path).as_posix() for path in (tmp_path / "top").rglob("*")),
    ]
    assert sorted(paths) == sorted(folders)
    assert walked == [(path, str(tmp_path / path), inodes[path]) for path in paths]
    assert [
        path
        for path in paths
        if path != "top" and path.rpartition("/")[0] not in paths[: paths.index(path)]
    ] == []


def test_a_deep_folder_is_not_reached_from_the_top_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To remove a deep folder, the number of opened folders grows with its depth, not with the
    square of it.
    """
    at = os.open(tmp_path, os.O_RDONLY)
    for _ in range(DEEP):
        os.mkdir("d", dir_fd=at)
        at, above = os.open("d", os.O_RDONLY, dir_fd=at), at
        os.close(above)
    os.close(at)
    opened = []

    def count(*args: Any, **options: Any) -> int:
        opened.append(args[0])
        return open_file(*args, **options)

    open_file = os.open
    monkeypatch.setattr(os, "open", count)
    with Folder.at(str(tmp_path)) as folder:
        remove(folder, "d")
    assert list(tmp_path.iterdir()) == []
    assert len(opened) < 10 * DEEP


def test_a_file_that_is_removed_while_it_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that a running system removes during a survey is left out, without an error."""
    (tmp_path / "m").mkdir()
    for name in ("a", "b"):
        (tmp_path / "m" / name).touch()
    opened = os.open

    def removing(path: str, flags: int, *args: int, dir_fd: int | None = None) -> int:
        if path == "a":
            (tmp_path / "m/a").unlink()
        return opened(path, flags, *args, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", removing)
    with Folder.at(str(tmp_path)) as folder:
        assert list(survey(folder, "m").files) == ["b"]


def laid(top: Path) -> Path:
    """A folder `m` with two files, a link, and an empty folder."""
    (top / "m/in").mkdir(parents=True)
    (top / "m/empty").mkdir()
    (top / "m/a").write_text("a")
    (top / "m/in/b").write_text("b")
    (top / "m/link").symlink_to("a")
    return top / "m"


def restore_times(folder: Path) -> None:
    """Change the content of a file, and give it the size and the time that it had."""
    status = (folder / "in/b").stat()
    (folder / "in/b").write_text("c")
    os.utime(folder / "in/b", ns=(status.st_atime_ns, status.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file is added": lambda folder: (folder / "in/new").touch(),
    "a file is removed": lambda folder: (folder / "in/b").unlink(),
    "a file is renamed": lambda folder: (folder / "a").rename(folder / "in/a"),
    "a file is changed, and its time restored": restore_times,
    "a file is executable": lambda folder: (folder / "a").chmod(0o755),
    "a link is added": lambda folder: (folder / "in/link").symlink_to("b"),
    "a folder is added": lambda folder: (folder / "in/new").mkdir(),
    "a folder is removed": lambda folder: (folder / "empty").rmdir(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_survey_of_what_is_known(tmp_path: Path, change: Callable[[Path], object]) -> None:
    """If nothing has changed, a survey gives the known tree; otherwise the one that a survey
    without knowledge gives.
    """
    folder = laid(tmp_path)
    with Folder.at(str(tmp_path)) as top:
        known = survey(top, "m")
        assert survey(top, "m", known) is known
        change(folder)
        after = survey(top, "m", known)
        assert after == survey(top, "m")
        assert after != known


def test_a_file_is_missed_among_files_alone(tmp_path: Path) -> None:
    """A removed file is missing from a survey, also in a folder with only known files."""
    (tmp_path / "m").mkdir()
    for name in ("a", "b"):
        (tmp_path / "m" / name).touch()
    with Folder.at(str(tmp_path)) as top:
        known = survey(top, "m")
        assert survey(top, "m", known) is known
        (tmp_path / "m/b").unlink()
        assert survey(top, "m", known) == Tree(
            {"a": known.files["a"]}, {"a": known.signatures["a"]}
        )


def test_a_disk_that_shows_other_modes(tmp_path: Path) -> None:
    """A file is executable if its disk shows it so, even if its stat signature is known."""
    laid(tmp_path)
    with Folder.at(str(tmp_path)) as top:
        found = survey(top, "m")
        known = Tree(
            {**found.files, "a": replace(found.files["a"], executable=True)}, found.signatures
        )
        assert survey(top, "m", known) == found


def test_an_unchanged_file_is_not_read(tmp_path: Path) -> None:
    """A file with a known stat signature is not read again."""
    folder = laid(tmp_path)
    with Folder.at(str(tmp_path)) as top:
        found = survey(top, "m")
        known = Tree({**found.files, "a": FileState(digest="known")}, found.signatures)
        assert survey(top, "m", known) is known
        (folder / "in/b").unlink()
        assert survey(top, "m", known).files["a"] == FileState(digest="known")


def test_a_folder_that_is_made_again(tmp_path: Path) -> None:
    """A folder that is removed and made again during a walk is found, also below one that is
    open.
    """
    place = tmp_path / "a/b"
    place.mkdir(parents=True)
    with Folder.at(str(tmp_path)) as top, DirChain(top) as chain:
        chain.to("a")
        shutil.rmtree(place.parent)
        place.mkdir(parents=True)
        found = chain.found("a/b")
        assert found
        assert os.path.samestat(os.fstat(found.fd), place.stat())
        assert chain.found("a/c") is None
