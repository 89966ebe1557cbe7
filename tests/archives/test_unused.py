"""What in a drop is an archive; what is not read is named, one line a kind, with what to do (`docs/archives.md`)."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from io_edges.archives.find import find_archives, find_unused
from pipeline.archives.unused import DropEntry, unused_in
from pipeline.report.diagnostics.drop import UnusedKind, unused_files
from tests.support.project import Project


def folder(name: str, *names: str) -> DropEntry:
    """A folder with some files in it."""
    return DropEntry(name, frozenset(names))


def test_what_is_an_archive(tmp_path: Path) -> None:
    """A file that ends in `.zip`, in any case, is one, also on a shelf; what a Mac leaves beside it is none."""
    for name in ("b.ZIP", "a.zip", "._a.zip", "a.zip.part", "themes/c.zip", "modules/d.zip", "other/e.zip"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "folder.zip").mkdir()
    assert [(file.display_path, file.shelf) for file in find_archives(".", tmp_path, "auto")] == [
        ("a.zip", ""),
        ("b.ZIP", ""),
        ("themes/c.zip", "themes"),
        ("modules/d.zip", "modules"),
    ]


ENTRIES: tuple[tuple[DropEntry, UnusedKind | None], ...] = (
    *((DropEntry(f"a-1.2{suffix}"), "other format") for suffix in (".tar.gz", ".TGZ", ".tar", ".tar.zst", ".rar")),
    *((DropEntry(f"themes/a{suffix}"), "other format") for suffix in (".7z", ".tar.xz", ".tbz2")),
    *((DropEntry(f"a-1.2{suffix}"), "split") for suffix in (".z01", ".7z.001", ".zip.002", ".part1.rar", ".R00")),
    *((DropEntry(f"a.zip{suffix}"), "unfinished") for suffix in (".part", ".crdownload", ".download", ".PARTIAL")),
    (folder("token", "token.info.yml", "token.module"), "unpacked"),
    (folder("views", "views.info"), "unpacked"),
    (folder("ps_banner", "ps_banner.php"), "unpacked"),
    (folder("hummingbird", "config/theme.yml"), "unpacked"),
    (folder("twenty", "style.css", "functions.php"), "unpacked"),
    (folder("harbour", "theme.json", "a.zip"), "unpacked"),
    (folder("drop", "a.ZIP", "readme"), "deeper"),
    (DropEntry("a.ZIP", is_file=False), "no file"),
    (folder("a.ZIP", "a.php"), "folder"),
    (folder("themes/a.zip"), "folder"),
    (folder("all.zip", "a.zip"), "deeper"),
    (DropEntry("a", is_file=False), None),
    (DropEntry("a.zip"), None),
    (DropEntry("a.gz"), None),
    (DropEntry("a.001"), None),
    (DropEntry("readme"), None),
    (DropEntry("a.php"), None),
    (folder("docs", "a.md", "style.css", "config/a.zip"), None),
    (folder("empty"), None),
    (folder("wp-includes", "theme.json", "version.php"), None),
)


@pytest.mark.parametrize(("entry", "kind"), ENTRIES, ids=lambda value: str(getattr(value, "name", value)))
def test_what_is_unused(entry: DropEntry, kind: UnusedKind | None) -> None:
    """Each is of one kind, or was never meant to be read."""
    assert unused_in("drop", [entry]) == ((unused_files("drop", kind, (entry.name,)),) if kind else ())


def test_one_warning_a_kind() -> None:
    """Those of a kind are named together and in order, the kinds in theirs."""
    names = ("b.rar", "a.zip.part", "a.tgz")
    assert unused_in("d", map(DropEntry, names)) == (
        unused_files("d", "other format", ("a.tgz", "b.rar")),
        unused_files("d", "unfinished", ("a.zip.part",)),
    )


def test_the_warnings(project: Project) -> None:
    """A run names each kind of unused file with advice, and builds the rest; built folders are no unpacked archives."""
    project.module("m", "drop/m.zip")
    for name in ("a.tar.gz", "modules/b.7z", "c.zip.part", "e/e.info.yml", "f g/f.zip", ".h/h.zip", ".i.rar"):
        project.write(f"drop/{name}", "")
    (project.root / "drop/j.zip").symlink_to("gone")
    os.mkfifo(project.root / "drop/k.zip")
    project.write("drop/themes/my x.zip/theme.json", '{"name": "x"}')
    project.create("drop", "--output=drop")
    ran = project.create("drop", "--output=drop")
    assert [(each["message"], each["help"]) for each in ran.reported("warning")] == [
        (
            "only `.zip` archives are read, not `a.tar.gz`, `modules/b.7z`",
            "unpack it, and pack its contents with `zip -r`",
        ),
        ("a download has not finished: `c.zip.part`", "wait for its end, or download again"),
        ("unpacked components are not read: `e`", "pack it: `cd drop && zip -r e.zip e`"),
        (
            "archives in subfolders are not read: `f g`",
            "move them up, or name their folder instead: `'drop/f g'`",
        ),
        (
            "folders that are called like archives are not read: `themes/my x.zip`",
            "pack it: `cd drop/themes && mv 'my x.zip' 'my x' && zip -r 'my x.zip' 'my x'`",
        ),
        (
            "only files are read, not `j.zip`, `k.zip`",
            "put the archives themselves there; the target of a link must exist",
        ),
    ]
    assert {(each["code"], each["source"]) for each in ran.reported("warning")} == {("unused-files", "drop")}
    pack = ran.reported("warning")[4]["help"].removeprefix("pack it: ").strip("`")
    subprocess.run(["bash", "-c", pack], cwd=project.root, check=True, capture_output=True)
    assert project.create("drop", "--output=drop").reported("summary")[0]["added"] == 1


def test_archives_in_a_folder_beside(project: Project) -> None:
    """A run in a folder without archives, beside one that has some, suggests that one."""
    project.module("m", "drop/m.zip")
    warnings = {each["code"]: each["message"] for each in project.create(".").reported("warning")}
    assert warnings == {
        "unused-files": "archives in subfolders are not read: `drop`",
        "nothing-to-build": "nothing to build: no `.zip` file in the current folder",
    }


def test_a_folder_that_may_not_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may not be looked at is passed over."""
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.zip").touch()
    listed = Path.iterdir

    def refuse(folder: Path) -> Iterator[Path]:
        if folder.name == "closed":
            raise PermissionError
        return listed(folder)

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert find_unused(".", tmp_path) == (unused_files(".", "deeper", ("open",)),)
