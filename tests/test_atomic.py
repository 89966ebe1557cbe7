"""Replace a file: whole or not at all."""

import os
from pathlib import Path

import pytest

from io_edges.atomic import replace_file
from io_edges.stop import Stop
from pipeline.problems import FileSystemProblem


def modes(folder: Path) -> dict[str, int]:
    """Every name in a folder with its permissions."""
    return {path.name: path.lstat().st_mode & 0o777 for path in folder.iterdir()}


def test_a_new_file(tmp_path: Path) -> None:
    """A file that was not there has the mode 0644 less the umask, and nothing is left beside it."""
    before = os.umask(0o027)
    try:
        replace_file(tmp_path / "a", b"new")
    finally:
        os.umask(before)
    assert ((tmp_path / "a").read_bytes(), modes(tmp_path)) == (b"new", {"a": 0o640})


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_the_mode_is_kept(tmp_path: Path, mode: int) -> None:
    """A file that is replaced keeps its permissions; a copy has those of the file that it is like."""
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(mode)
    replace_file(tmp_path / "b", b"old", like=tmp_path / "a")
    replace_file(tmp_path / "a", b"new")
    assert ((tmp_path / "a").read_bytes(), modes(tmp_path)) == (b"new", {"a": mode, "b": mode})


@pytest.mark.parametrize("follow", [True, False])
def test_a_link(tmp_path: Path, follow: bool) -> None:
    """A link stays and its file is replaced, or the link itself is."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a").write_bytes(b"old")
    (tmp_path / "a").symlink_to("kept/a")
    replace_file(tmp_path / "a", b"new", follow=follow)
    assert (tmp_path / "a").is_symlink() is follow
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "kept" / "a").read_bytes()) == (
        b"new",
        b"new" if follow else b"old",
    )
    assert modes(tmp_path / "kept") == {"a": 0o644}


def test_what_a_killed_run_has_left(tmp_path: Path) -> None:
    """A temporary file of an earlier run is removed first; if it is a link, what it leads to is not touched."""
    (tmp_path / "safe").write_bytes(b"safe")
    (tmp_path / ".a.tool-new").symlink_to("safe")
    replace_file(tmp_path / ".a", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"safe": b"safe", ".a": b"new"}


@pytest.mark.parametrize("broken", ["write", "fsync", "rename"])
def test_a_failure_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """If a write, a sync or the rename is refused, the old file stands, nothing is left, and the problem is told."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_bytes(b"old")
    if broken == "rename":
        monkeypatch.setattr(os, "rename", refuse)
    else:
        monkeypatch.setattr(os, {"write": "fchmod", "fsync": "fsync"}[broken], refuse)
    with pytest.raises(Stop) as stopped:
        replace_file(tmp_path / "a", b"new")
    assert stopped.value.problems == (FileSystemProblem(str(tmp_path / "a"), "no space left on device"),)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old"}


def test_an_interrupt_leaves_nothing_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt before the rename removes the temporary file and goes on its way."""

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file(tmp_path / "a", b"new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "cause"), [("no/a", "no such file or directory"), ("a\0", "embedded null byte")])
def test_a_place_that_cannot_be(tmp_path: Path, name: str, cause: str) -> None:
    """A folder that is not there and a name that no file can have are problems with the path as it was given."""
    with pytest.raises(Stop) as stopped:
        replace_file(tmp_path / name, b"new")
    assert stopped.value.problems == (FileSystemProblem(str(tmp_path / name), cause),)
