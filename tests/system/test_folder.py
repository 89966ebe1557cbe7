"""A folder by its descriptor: names in it, and paths below it (`docs/reliability.md`)."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from io_edges.system.folder import Folder

CALLS: dict[str, Callable[[Folder, str], object]] = {
    "lstat": lambda folder, name: folder.lstat(name),
    "read": lambda folder, name: folder.read(name, 9),
    "create": lambda folder, name: folder.create(name),
    "link": lambda folder, name: folder.link(name, "a"),
    "make": lambda folder, name: folder.make(name),
    "discard": lambda folder, name: folder.discard(name),
    "move": lambda folder, name: folder.move(name, folder, "b"),
    "move to": lambda folder, name: folder.move("a", folder, name),
}


@pytest.mark.parametrize("name", ["", "..", "../a", "d/a", "/etc/passwd", "a\0"])
@pytest.mark.parametrize("call", CALLS)
def test_what_is_no_name(tmp_path: Path, call: str, name: str) -> None:
    """Where a name is expected, a path is refused, wherever it would lead."""
    (tmp_path / "top/d").mkdir(parents=True)
    for path in ("a", "top/a", "top/d/a"):
        (tmp_path / path).write_text(path, encoding="utf-8")
    with Folder.at(str(tmp_path / "top")) as folder, pytest.raises(OSError) as refused:
        CALLS[call](folder, name)
    assert refused.value.errno == errno.EINVAL
    files = {
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()
    }
    assert files == {"a", "top/a", "top/d/a"}


def test_what_a_move_that_fails_is_about(tmp_path: Path) -> None:
    """If the system refuses a move, the error names the side that is not the tool's own."""
    for path in ("modules/m/a", ".tool/staging/m/a"):
        (tmp_path / path).mkdir(parents=True)
    with (
        Folder.at(str(tmp_path / "modules")) as modules,
        Folder.at(str(tmp_path / ".tool/staging")) as staging,
    ):
        for source, target in ((modules, staging), (staging, modules)):
            with pytest.raises(OSError) as refused:
                source.move("m", target, "m")
            assert (refused.value.errno, refused.value.filename) == (
                errno.ENOTEMPTY,
                str(tmp_path / "modules/m"),
            )


def test_what_is_at_a_path(tmp_path: Path) -> None:
    """A path is followed folder by folder: nothing is below a missing folder or a file, and a link
    is not a folder.
    """
    (tmp_path / "d/e").mkdir(parents=True)
    (tmp_path / "d/e/a").touch()
    (tmp_path / "link").symlink_to("d")
    with Folder.at(str(tmp_path)) as folder:
        assert [
            folder.status(path) is not None
            for path in ("d/e/a", "d/e", "d/no/a", "no", "d/e/a/b/c")
        ] == [
            True,
            True,
            False,
            False,
            False,
        ]
        assert [folder.obstacle(path) for path in ("d/e", "d/e/a/b", "link/e", "no/a")] == [
            None,
            ("d/e/a", "file"),
            ("link", "link"),
            None,
        ]
        with pytest.raises(OSError):
            folder.status("link/e")
        with pytest.raises(OSError):
            folder.inner("d/../d")
