"""Replacing a file: as a whole, or not at all."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from io_edges.system import whole_file
from io_edges.system.stop import Stop
from io_edges.system.whole_file import replace_file
from pipeline.report.diagnostics.disk import Cause, FileSystemProblem


def modes(folder: Path) -> dict[str, int]:
    """Every name in a folder with its permissions."""
    return {path.name: path.lstat().st_mode & 0o777 for path in folder.iterdir()}


def test_a_new_file(tmp_path: Path) -> None:
    """A new file has the owner and mode of its folder, whatever the umask, and nothing is left
    beside it.
    """
    tmp_path.chmod(0o750)
    before = os.umask(0o077)
    try:
        replace_file(tmp_path / "a", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "a").read_bytes() == b"new"
    assert modes(tmp_path) == {"a": 0o640}


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_the_mode_is_kept(tmp_path: Path, mode: int) -> None:
    """A replaced file keeps its permissions; a copy gets those of the file that it copies."""
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(mode)
    replace_file(tmp_path / "b", b"old", like=tmp_path / "a")
    replace_file(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert modes(tmp_path) == {"a": mode, "b": mode}


@pytest.mark.parametrize("follow", [True, False])
def test_a_link(tmp_path: Path, follow: bool) -> None:
    """A link stays and its target is replaced, or the link itself is."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a").write_bytes(b"old")
    (tmp_path / "a").symlink_to("kept/a")
    replace_file(tmp_path / "a", b"new", follow=follow)
    assert (tmp_path / "a").is_symlink() is follow
    assert (tmp_path / "a").read_bytes() == b"new"
    assert (tmp_path / "kept" / "a").read_bytes() == (b"new" if follow else b"old")
    assert modes(tmp_path / "kept") == {"a": 0o644}


def test_a_content_that_must_be_there(tmp_path: Path) -> None:
    """A file that must have a certain content is only replaced if it has it."""
    (tmp_path / "a").write_bytes(b"old")
    replace_file(tmp_path / "a", b"new", over=b"old")
    (tmp_path / "b").symlink_to("a")
    for name in ("a", "b", "c"):
        with pytest.raises(FileExistsError):
            replace_file(tmp_path / name, b"newer", over=b"old")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a": b"new",
        "b": b"new",
    }


@pytest.mark.parametrize("able", ["renameat2", "link", "neither"])
def test_a_name_that_must_be_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, able: str
) -> None:
    """A file that must be new is only written if nothing is there, and nothing is left beside
    it.
    """
    if able != "renameat2":
        monkeypatch.setattr(whole_file, "rename_to_new", lambda *_: False)
    if able == "neither":
        monkeypatch.setattr(os, "link", lambda *_, **__: (tmp_path / "no").stat())
    replace_file(tmp_path / "a", b"mine", over="nothing")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    if able != "neither":
        with pytest.raises(FileExistsError):
            replace_file(tmp_path / "a", b"other", over="nothing")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"mine"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only the system's own user can give a file away")
def test_the_owner_is_kept(tmp_path: Path) -> None:
    """A file that root rewrites keeps its owner."""
    (tmp_path / "a").write_bytes(b"old")
    os.chown(tmp_path / "a", 4321, 1234)
    (tmp_path / "a").chmod(0o660)
    replace_file(tmp_path / "b", b"old", like=tmp_path / "a")
    replace_file(tmp_path / "a", b"new")
    found = {each: (tmp_path / each).stat() for each in "ab"}
    assert {(each.st_uid, each.st_gid, each.st_mode & 0o777) for each in found.values()} == {
        (4321, 1234, 0o660)
    }


@pytest.mark.skipif(os.geteuid() != 0, reason="only the system's own user can give a file away")
def test_a_group_that_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the group cannot be kept, the owner still is, and the new group gets no permission."""
    real = os.fchown

    def fchown(descriptor: int, uid: int, gid: int) -> None:
        if gid != -1:
            raise PermissionError(1, "Operation not permitted")
        real(descriptor, uid, gid)

    (tmp_path / "a").write_bytes(b"old")
    os.chown(tmp_path / "a", 4321, 1234)
    (tmp_path / "a").chmod(0o664)
    monkeypatch.setattr(os, "fchown", fchown)
    replace_file(tmp_path / "a", b"new")
    found = (tmp_path / "a").stat()
    assert found.st_uid == 4321
    assert found.st_gid == os.getegid()
    assert found.st_mode & 0o777 == 0o604


def test_what_a_killed_run_has_left(tmp_path: Path) -> None:
    """Temporary files that nobody writes any more are removed, without following links; those being
    written, and the user's, stay.
    """
    held, left = (tmp_path / f".a.{each * 16}.tool-new" for each in "01")
    for path in (held, left, tmp_path / ".a.tool-new"):
        path.write_bytes(b"part")
    with held.open("rb") as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        replace_file(tmp_path / ".a", b"new")
    assert {path.name for path in tmp_path.iterdir()} == {".a", held.name, ".a.tool-new"}
    left.symlink_to(".a")
    replace_file(tmp_path / ".a", b"newer")
    assert {path.name for path in tmp_path.iterdir()} == {".a", left.name, ".a.tool-new"}
    assert (tmp_path / ".a").read_bytes() == b"newer"


def test_two_writers_at_once(tmp_path: Path) -> None:
    """If two processes write one file again and again, each write is whole."""
    script = (
        "import sys; from pathlib import Path; from io_edges.system.whole_file import "
        "replace_file\n"
    )
    script += "for _ in range(60): replace_file(Path(sys.argv[1]), sys.argv[2].encode() * 50_000)"
    writers = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "a"), each])
        for each in "xyz"
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert (tmp_path / "a").read_bytes() in {each * 50_000 for each in (b"x", b"y", b"z")}
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("broken", ["fstat", "fchmod", "fsync", "rename"])
def test_a_failure_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """If a call is refused, the old file stays, nothing is left beside it, and the error
    is reported.
    """

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_bytes(b"old")
    with monkeypatch.context() as patch, pytest.raises(Stop) as stopped:
        patch.setattr(os, broken, refuse)
        replace_file(tmp_path / "a", b"new")
    assert stopped.value.errors == (
        FileSystemProblem(str(tmp_path / "a"), "no space left on device", "space"),
    )
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old"}


def test_an_interrupt_leaves_nothing_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupt before the rename removes the temporary file and is raised again."""

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file(tmp_path / "a", b"new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "cause", "kind"),
    [("no/a", "no such file or directory", "missing"), ("a\0", "embedded null byte", "other")],
)
def test_a_place_that_cannot_be(tmp_path: Path, name: str, cause: str, kind: Cause) -> None:
    """A missing folder and an impossible name are errors with the path as it was given."""
    with pytest.raises(Stop) as stopped:
        replace_file(tmp_path / name, b"new")
    assert stopped.value.errors == (FileSystemProblem(str(tmp_path / name), cause, kind),)
