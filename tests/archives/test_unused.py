"""Which files in a drop are archives; one warning names all others, with what they are
(`docs/archives.md`).
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from io_edges.archives.find import find_archives, find_unused
from pipeline.recognition.unmarked import DropEntry, unused_in
from pipeline.report.diagnostics.drop import unused_files
from tests.support.project import Project
from tests.support.tables import rows


def test_what_is_an_archive(tmp_path: Path) -> None:
    """A file that ends in `.zip`, in any case, is an archive, also in a subfolder of the drop;
    files that a Mac leaves beside it are not.
    """
    for name in (
        "b.ZIP",
        "a.zip",
        "._a.zip",
        "a.zip.part",
        "themes/c.zip",
        "modules/d.zip",
        "other/e.zip",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "folder.zip").mkdir()
    assert [(file.display_path, file.shelf) for file in find_archives(".", tmp_path, "auto")] == [
        ("a.zip", ""),
        ("b.ZIP", ""),
        ("themes/c.zip", "themes"),
        ("modules/d.zip", "modules"),
    ]


@pytest.mark.parametrize(("name", "names", "is_file", "what"), rows("unused", "entries"))
def test_what_is_unused(name: str, names: tuple[str, ...] | None, is_file: bool, what: str) -> None:
    """Each unused file, or folder with known names in it, is called what it is, unless nobody would
    expect it to be read.
    """
    entry = DropEntry(name, None if names is None else frozenset(names), is_file)
    assert unused_in("drop", [entry]) == ((unused_files("drop", ((name, what),)),) if what else ())


def test_one_warning() -> None:
    """One warning names all unused files, in order."""
    names = ("b.rar", "a.zip.part", "a.tgz")
    found = (
        ("a.tgz", "another format"),
        ("a.zip.part", "an unfinished download"),
        ("b.rar", "another format"),
    )
    assert unused_in("d", map(DropEntry, names)) == (unused_files("d", found),)


def test_the_warning(project: Project) -> None:
    """A run names each unused file, and builds the rest; built folders are no unpacked archives."""
    project.module("m", "drop/m.zip")
    for name in (
        "a.tar.gz",
        "modules/b.7z",
        "c.zip.part",
        "e/e.info.yml",
        "f g/f.zip",
        ".h/h.zip",
        ".i.rar",
    ):
        project.write(f"drop/{name}", "")
    (project.root / "drop/j.zip").symlink_to("gone")
    os.mkfifo(project.root / "drop/k.zip")
    project.create("drop", "--output=drop")
    (warning,) = project.create("drop", "--output=drop").reported("warning")
    assert {key: warning[key] for key in ("code", "message", "help", "source")} == {
        "code": "unused-files",
        "message": "only `.zip` files are read, not `a.tar.gz` (another format), "
        "`c.zip.part` (an unfinished download), `e` (an unpacked component), "
        "`f g` (a folder of archives), `j.zip` (no file), `k.zip` (no file), "
        "`modules/b.7z` (another format)",
        "help": (
            "put `.zip` files, packed with `zip -r`, directly in that folder; or name the "
            "folder that has them"
        ),
        "source": "drop",
    }


def test_archives_in_a_folder_beside(project: Project) -> None:
    """If the folder of the run has no archives and a folder beside it has, the run suggests that
    folder.
    """
    project.module("m", "drop/m.zip")
    warnings = {each["code"]: each["message"] for each in project.create(".").reported("warning")}
    assert warnings == {
        "unused-files": "only `.zip` files are read, not `drop` (a folder of archives)",
        "nothing-to-build": "nothing to build: no `.zip` file in the current folder",
    }


def test_a_folder_that_may_not_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be listed is ignored."""
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.zip").touch()
    listed = Path.iterdir

    def refuse(folder: Path) -> Iterator[Path]:
        if folder.name == "closed":
            raise PermissionError
        return listed(folder)

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert find_unused(".", tmp_path) == (unused_files(".", (("open", "a folder of archives"),)),)
