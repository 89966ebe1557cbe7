"""Metadata of the folders that new files get (`docs/building.md`)."""

from pathlib import Path

from io_edges.system.folder import Folder
from io_edges.system.metadata import folders_like
from pipeline.building.stores.record import FileState


def test_a_folder_that_its_owner_may_not_write_to(tmp_path: Path) -> None:
    """While files are written to it, its owner may use it; then it has its mode."""
    (tmp_path / "new").mkdir()
    (tmp_path / "old/a").mkdir(parents=True)
    (tmp_path / "old/b").mkdir(mode=0o750)
    (tmp_path / "old/a").chmod(0o550)
    files = {"a/file": FileState(), "b/file": FileState()}

    def modes() -> list[int]:
        return [(tmp_path / "new" / name).stat().st_mode & 0o777 for name in ("a", "b")]

    with Folder.at(str(tmp_path / "old")) as old, Folder.at(str(tmp_path / "new")) as new:
        with folders_like(files, old, new):
            assert modes() == [0o750, 0o750]
        assert modes() == [0o550, 0o750]
