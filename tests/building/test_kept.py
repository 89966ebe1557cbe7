"""The archives that are kept after a build."""

import io
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from io_edges.archives.examine import look_into
from io_edges.archives.zips import Opener, Vetted
from io_edges.building.contents import contents_in
from io_edges.building.keep import keep_archives
from io_edges.building.local import Staging
from io_edges.building.project import ProjectView
from io_edges.system.folder import Folder
from pipeline.archives.archive import ArchiveFile
from pipeline.building.stores.layout import kept_path
from pipeline.building.stores.record import Record, RecordedComponent, read_record
from tests.support.project import Project, php
from tests.support.sweep import sweep_only


def recorded(project: Project, path: str) -> RecordedComponent:
    """What the record says of a component."""
    record = read_record((project.root / ".tool-manifest.json").read_bytes())
    assert record is not None
    return record.components[path]


def read(project: Project, component: RecordedComponent, *names: str) -> Mapping[str, bytes]:
    """Files of a component as its archive has them."""
    with Folder.at(str(project.root)) as folder:
        view = ProjectView(project.root, folder, Record(), Record())
        return contents_in(view, view.path, Vetted()).kept(component, names) or {}


def test_a_file_of_a_kept_archive(project: Project) -> None:
    """Each file is read from the archive by its path in the component, whatever the archive is called."""
    project.archive("m-1.0.zip", {"m/m.php": "<?php", "m/a/b": "b", "m/empty": ""})
    assert project.create().code == 0
    project.write("modules/m/m.php", "mine")
    names = ("m.php", "a/b", "empty", "a", "other")
    files = {"m.php": b"<?php", "a/b": b"b", "empty": b""}
    assert read(project, recorded(project, "modules/m"), *names) == files


def test_a_member_of_a_kept_bundle(project: Project) -> None:
    """A member of a bundle is found by what it holds, as a folder and as an archive in the bundle."""

    def module(name: str) -> dict[str, str]:
        marker = f"<module><name>{name}</name></module>"
        return {f"{name}/{name}.php": f"<?php // {name}", f"{name}/config.xml": marker}

    inner = project.archive("x.zip", module("x"))
    project.archive("folders.zip", {**module("a"), **module("b")})
    project.archive("archives.zip", {"x.zip": inner.read_bytes(), "readme.txt": ""})
    (project.root / "x.zip").unlink()
    assert project.create().code == 0
    for path, name in (("modules/a", "a.php"), ("modules/b", "b.php"), ("modules/x", "x.php")):
        assert read(project, recorded(project, path), name) == {name: f"<?php // {name[0]}".encode()}


def test_an_archive_that_the_state_alone_knows(project: Project) -> None:
    """Where the record is gone, that of a component which a run leaves as it is stays: the base of its next update."""
    project.archive("m.zip", {"m/m.php": php("m")})
    project.archive("n.zip", {"n/n.php": php("n")})
    assert project.create().code == 0
    component = recorded(project, "modules/m")
    (project.root / ".tool-manifest.json").unlink()
    project.archive("n.zip", {"n/n.php": php("n", "2")})
    assert project.create(".", "n").code == 0
    assert "modules/m" not in (project.root / ".tool-manifest.json").read_text()
    assert (project.root / kept_path(component.digest)).is_file()


@pytest.mark.parametrize("change", ["missing", "another", "cut off", "no digest", "other content"])
def test_what_does_not_count(project: Project, change: str) -> None:
    """An archive that is missing, or not the one that its name says, counts for nothing."""
    project.module("m")
    assert project.create().code == 0
    component = recorded(project, "modules/m")
    kept = project.root / kept_path(component.digest)
    if change == "missing":
        kept.unlink()
    elif change == "another":
        with zipfile.ZipFile(kept, "a") as opened:
            opened.writestr("m/more", "more")
    elif change == "cut off":
        kept.write_bytes(kept.read_bytes()[:-1])
    else:
        component = replace(
            component, **{"no digest": {"digest": "../../m"}, "other content": {"content": "0"}}[change]
        )
    assert read(project, component, "m.php") == {}


class Sparse(io.FileIO):
    """A file that leaves a hole where so many zeros are written."""

    HOLE: Final = bytes(1024**2)

    def write(self, data: Any) -> int:
        """Write, or pass."""
        if data != self.HOLE:
            return super().write(data)
        self.seek(len(data), io.SEEK_CUR)
        return len(data)


def test_the_limit(tmp_path: Path) -> None:
    """What is kept is within the limit, to the byte, the smallest first; a member of a bundle has a size of its own."""
    project = Project(tmp_path)
    inner = [project.module(name, f"inner/{name}.zip").read_bytes() for name in ("x", "y")]
    bundle = project.archive("b.zip", {"x.zip": inner[0], "y.zip": inner[1]})
    large = project.archive("large.zip", {"m/m.php": "<?php", "m/data": bytes(range(256)) * 4})
    files = [ArchiveFile(path=path, display_path=path.name) for path in (bundle, large)]
    archives = [each for file in files for each in look_into(file)]
    sizes = (*map(len, inner), large.stat().st_size)

    def left_out(limit: int) -> tuple[int, tuple[str, ...]]:
        (tmp_path / "staging").mkdir()
        (tmp_path / ".tool").mkdir()
        with Folder.at(str(tmp_path)) as folder, folder.child("staging") as staging, Opener() as opener:
            warning = keep_archives(archives, folder, Staging(staging), opener, limit)
        kept = len(list((tmp_path / ".tool/archives").iterdir()))
        shutil.rmtree(tmp_path / "staging")
        shutil.rmtree(tmp_path / ".tool")
        return kept, tuple(warning.message.split("`")[3::2]) if warning else ()

    assert left_out(sum(sizes)) == (3, ())
    assert left_out(sum(sizes) - 1) == (2, ("large.zip",))
    assert left_out(sizes[0]) == (1, ("b.zip!y.zip", "large.zip"))


@sweep_only
def test_what_is_too_large_to_be_kept(project: Project) -> None:
    """Over 1 GiB, the largest archives are left out, which is said by the run that builds them; all is built."""
    project.module("n")
    with Sparse(project.root / "m.zip", "w") as file, zipfile.ZipFile(file, "w") as archive:
        archive.writestr("m/m.php", php("m"))
        with archive.open(zipfile.ZipInfo("__MACOSX/hole"), "w") as junk:
            for _ in range(1024):
                junk.write(Sparse.HOLE)
    ran = project.create()
    (warning,) = ran.reported("warning")
    assert (ran.code, warning["code"]) == (0, "unwritable-file")
    assert warning["message"] == (
        "cannot write `.tool/archives`: it holds 1 GiB, and there is no room for `m.zip`; "
        "later runs cannot compare with the archives of this one"
    )
    assert set(project.tree) == {"modules/m/m.php", "modules/n/n.php"}
    kept = [path.name for path in (project.root / ".tool/archives").iterdir()]
    assert kept == [f"{recorded(project, 'modules/n').digest}.zip"]
    assert read(project, recorded(project, "modules/m"), "m.php") == {}
    again = project.create()
    assert (again.code, again.reported("warning")) == (0, [])
