"""`tool patch`: edits become patches, which every build applies (`docs/howto/updates.md`)."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.project import Project, php

TEXT = "".join(f"{number}\n" for number in range(1, 21))
EDITED = TEXT.replace("3\n", "three\n", 1)
OLD: dict[str, str | bytes] = {
    "m/m.php": php("m", "1"),
    "m/lib.php": TEXT,
    "m/logo.png": b"\x89\0",
    "m/run.sh": TEXT,
}
FILE = "patches/modules/m.patch"


@pytest.fixture(scope="module")
def built(shared: Project) -> Project:
    """A project that is built; each test changes a copy."""
    shared.archive("m.zip", OLD)
    assert shared.create().code == 0
    return shared


@pytest.fixture
def edited(built: Project, tmp_path: Path) -> Project:
    """A project in which a text and a picture were edited, a file was added and another deleted."""
    project = built.copy(tmp_path / "project")
    project.write("modules/m/lib.php", EDITED)
    project.write("modules/m/logo.png", b"\x89\0\1")
    project.write("modules/m/mine.txt", "mine\n")
    (project.root / "modules/m/run.sh").unlink()
    return project


def text(project: Project) -> str:
    """The patch."""
    return (project.root / FILE).read_text(encoding="utf-8")


def test_edits_become_a_patch(edited: Project) -> None:
    """Edited texts are saved and a picture is named; added and deleted files are left out; saving
    twice gives the same.

    A dry run prints the patch and writes nothing.
    """
    ran = edited.run("patch", "--dry-run")
    assert (ran.code, "+three" in ran.out, (edited.root / "patches").exists()) == (0, True, False)
    ran = edited.run("patch")
    assert (ran.code, ran.out) == (0, f"{FILE}\n"), ran.err
    assert [line for line in ran.err.splitlines() if line.startswith("warning")] == [
        "warning: `modules/m/mine.txt` is left out of the patch: added",
        "warning: `modules/m/run.sh` is left out of the patch: deleted",
        "warning: `modules/m/logo.png` is left out of the patch: not text, or larger than 2 MiB",
    ]
    assert [line for line in text(edited).splitlines() if line.startswith(("+", "-"))] == [
        "--- a/modules/m/lib.php",
        "+++ b/modules/m/lib.php",
        "-3",
        "+three",
    ]
    assert (edited.root / "patches/.gitattributes").read_text() == "*.patch -text\n"
    assert "denied" in (edited.root / "patches/.htaccess").read_text()
    before = text(edited)
    assert edited.run("patch").code == 0
    assert text(edited) == before
    assert edited.create().code == 0
    assert edited.run("patch").code == 0
    assert text(edited) == before
    assert "lib.php" not in edited.run("diff", "--mine").out


def test_nothing_to_save_is_reported(edited: Project) -> None:
    """If there is no edit to save, the run reports that, and which files have to be named."""
    ran = edited.run("patch", "--output=elsewhere")
    assert (ran.code, ran.out, (edited.root / "elsewhere").exists()) == (0, "", False), ran.err
    edited.write("modules/m/lib.php", TEXT)
    ran = edited.run("patch")
    assert (ran.code, ran.out) == (0, ""), ran.err
    assert "no other edit to save; to save added or deleted files, name them" in ran.err


def test_a_mode_alone_is_named(project: Project) -> None:
    """A patch changes no mode of an existing file, so a new executable bit stays an edit and is
    named.
    """
    project.archive("m.zip", OLD)
    assert project.create().code == 0
    (project.root / "modules/m/run.sh").chmod(0o755)
    ran = project.run("patch", ".", "m")
    assert (ran.code, ran.out) == (0, "")
    assert (
        "`modules/m/run.sh` is left out of the patch: a patch cannot change the mode of an "
        "existing file"
    ) in ran.err
    assert "no other edit to save; " in ran.err


def test_files_are_named_by_their_paths(edited: Project) -> None:
    """An added or deleted file is saved if it is named; with names, only the named files are
    saved.
    """
    assert edited.run("patch", "modules/m/mine.txt", "modules/m/run.sh").code == 0
    assert [each in text(edited) for each in ("+mine", "deleted file mode", "three")] == [
        True,
        True,
        False,
    ]
    assert edited.create("--mine").code == 0
    assert not (edited.root / "modules/m/run.sh").exists()
    ran = edited.run("patch", "modules/m/nothing.php")
    assert (ran.code, "ComponentNotFound" in ran.err) == (68, True)


def test_a_patch_in_which_nothing_is_left_is_removed(edited: Project) -> None:
    """If an edit was taken back and its file is named, the patch is removed, and the next run does
    not miss it.
    """
    edited.run("patch")
    edited.create()
    edited.write("modules/m/lib.php", TEXT)
    assert edited.run("patch").code == 0
    assert "three" in text(edited)
    ran = edited.run("patch", "modules/m/lib.php")
    assert (ran.code, ran.out) == (0, "")
    assert not (edited.root / FILE).exists()
    assert edited.run("create", "--frozen", "--mine").code == 80
    ran = edited.run("create")
    assert (ran.code, "missing" in ran.err) == (0, False)
    assert edited.run("create", "--frozen", "--mine").code == 0


NAME = "modules/m/\udcff"
"""A path that is no text."""


def _system_writes(project: Project) -> None:
    project.archive("m.zip", {**OLD, "m/config.xml": "<a/>\n"})
    assert project.create().code == 0
    project.write("modules/m/config.xml", "<b/>\n")


def _declined(project: Project) -> None:
    project.archive(
        "m.zip", {**OLD, "m/m.php": php("m", "2"), "m/lib.php": TEXT.replace("3\n", "drei\n", 1)}
    )
    assert project.create("--keep-mine=modules/m/lib.php").code == 0


def _not_kept(project: Project) -> None:
    shutil.rmtree(project.root / ".tool/archives")


def _patched_and_not_kept(project: Project) -> None:
    assert project.run("patch").code == 0
    assert project.create().code == 0
    project.write("modules/m/lib.php", EDITED.replace("17\n", "seventeen\n"))
    _not_kept(project)


def _unreadable_name(project: Project) -> None:
    (project.root / NAME).write_bytes(b"mine\n")


THREE = ("-3", "+three")


@pytest.mark.parametrize(
    ("prepare", "words", "changes", "said"),
    [
        (_system_writes, (), THREE, ""),
        (_system_writes, ("modules/m/config.xml",), ("-<a/>", "+<b/>"), ""),
        (_declined, (), ("-drei", "+three"), ""),
        (_declined, ("modules/m/lib.php",), ("-drei", "+three"), ""),
        (_not_kept, (), THREE, ""),
        (_patched_and_not_kept, (), (*THREE, "-17", "+seventeen"), ""),
        (
            _unreadable_name,
            (NAME, "modules/m/lib.php"),
            THREE,
            "a patch cannot have a file of this name",
        ),
        (_unreadable_name, ("modules/m/m.php",), (), ""),
        (_unreadable_name, ("modules/m/none\udcff",), None, "no component"),
    ],
)
def test_what_is_saved(
    edited: Project,
    prepare: Callable[[Project], None],
    words: tuple[str, ...],
    changes: tuple[str, ...] | None,
    said: str,
) -> None:
    """Files that the system writes are saved only if they are named; an archive that is not kept is
    read from the drop; a name that no patch can have is left out.
    """
    prepare(edited)
    ran = edited.run("patch", *words)
    assert ran.code == (0 if changes is not None else 68 if "component" in said else 73), ran.err
    assert said in " ".join(ran.err.split())
    lines = text(edited).splitlines() if (edited.root / FILE).exists() else []
    assert tuple(line for line in lines if re.match("[-+](?![-+]{2} )", line)) == (changes or ())
    assert edited.run("patch", "--dry-run", *words).code == ran.code
    assert not changes or edited.create().code == 0


def test_a_patch_that_is_written_again_keeps_its_mode(edited: Project) -> None:
    """A rewritten patch keeps its mode, so that a group can go on writing it."""
    assert edited.run("patch").code == 0
    (edited.root / FILE).chmod(0o664)
    edited.write("modules/m/lib.php", EDITED.replace("17\n", "seventeen\n"))
    assert edited.run("patch").code == 0
    assert "seventeen" in text(edited)
    assert (edited.root / FILE).stat().st_mode & 0o777 == 0o664


def test_a_refused_run_leaves_nothing_behind(edited: Project) -> None:
    """If one patch cannot be made or written, none is, no folder is left, and existing patches are
    unchanged.
    """
    edited.archive("n.zip", {"n/n.php": php("n"), "n/a.txt": "1\n"})
    assert edited.create().code == 0
    edited.write("modules/n/a.txt", "2\n")
    edited.write("patches/modules/n.patch", "no diff")
    assert edited.run("patch").code == 65
    assert [path.name for path in edited.root.glob("patches/**/*") if path.is_file()] == ["n.patch"]
    shutil.rmtree(edited.root / "patches")
    edited.write("patches/modules/n.patch/x", "")
    before = sorted(edited.root.glob("patches/**/*"))
    ran = edited.run("patch")
    assert (ran.code, ran.out, ran.err.splitlines()[-1]) == (74, "", "nothing was changed")
    assert sorted(edited.root.glob("patches/**/*")) == before


def test_a_damaged_archive_in_the_drop_does_not_matter(edited: Project) -> None:
    """Edits are saved against the archive that was built, whatever is in the drop."""
    for damaged in (b"PK", (edited.root / "m.zip").read_bytes().replace(b"20\n", b"21\n")):
        edited.write("m.zip", damaged)
        assert edited.run("patch").code == 0
        assert "+three" in text(edited)
        (edited.root / FILE).unlink()


def test_a_damaged_record_of_a_project_elsewhere(project: Project) -> None:
    """The location of a damaged record is its path from the current folder."""
    project.write("shop/.tool-manifest.json", "{")
    ran = project.run("patch", "--output", "shop")
    assert (ran.code, ran.out) == (73, "")
    assert "  --> shop/.tool-manifest.json\n" in ran.err
