"""Patches of files that the archive no longer has, and edits that only a record explains."""

import shutil

import pytest

from tests.support.project import Project, php

NINE = "".join(f"{number}\n" for number in range(1, 10))
FIVE = NINE.replace("5", "five")
FILE = "patches/modules/m.patch"


def files(version: str, **texts: str) -> dict[str, str]:
    """The files of an archive of the module."""
    return {"m/m.php": php("m", version), **{f"m/{name}": text for name, text in texts.items()}}


def codes(project: Project, *args: str) -> tuple[int, list[str]]:
    """The exit code of a run, and the codes of its warnings and the names of its errors."""
    ran = project.create(*args)
    reported = (event for event in ran.log if event["event"] in {"warning", "error"})
    return ran.code, [event.get("code") or event["error"] for event in reported]


@pytest.fixture
def patched(project: Project) -> Project:
    """A project with two patched files, of which the vendor has moved one since."""
    project.archive("m.zip", files("1", f=NINE, g=NINE))
    assert project.create().code == 0
    for name in "fg":
        project.write(f"modules/m/{name}", FIVE)
    assert project.run("patch").code == 0
    assert codes(project) == (0, [])
    project.archive("m.zip", files("2", **{"src/f": NINE, "g": NINE}))
    return project


def test_a_patched_file_that_the_vendor_moved_is_a_conflict(patched: Project) -> None:
    """A patch of a file that the vendor moved stops the run; if it is built without that part,
    every run says so until the patch is mended.
    """
    assert codes(patched) == codes(patched, "--merge") == (73, ["PatchConflict"])
    assert codes(patched, "--take-theirs=modules/m/f") == (0, ["unused-patch"])
    assert codes(patched) == (0, ["unused-patch"])
    assert codes(patched, "--frozen") == (80, ["OutOfDate"])
    whole = (patched.root / FILE).read_text(encoding="utf-8")
    patched.write(FILE, whole[whole.index("diff", 1) :])
    assert codes(patched) == (0, [])


def test_a_patched_file_that_the_vendor_moved_may_stay(patched: Project) -> None:
    """`--keep-mine` keeps the patched file on disk with its edit, and every run says so."""
    assert codes(patched, "--keep-mine=modules/m/f") == (0, ["unused-patch"])
    assert codes(patched) == (0, ["unused-patch"])
    assert patched.tree["modules/m/f"] == FIVE


def test_a_file_that_no_archive_had_is_passed_over(project: Project) -> None:
    """A patch of a file that no archive had, such as a test that releases leave out, is reported
    once and stops nothing.
    """
    project.archive("m.zip", files("1", g=NINE))
    edit = "--- a/{0}\n+++ b/{0}\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n"
    project.write(FILE, edit.format("tests/f") + edit.format("g"))
    assert codes(project) == (0, ["unused-patch"])
    assert codes(project) == codes(project, "--frozen") == (0, [])


def test_a_patch_in_which_nothing_is_left(project: Project) -> None:
    """A patch that changes nothing is a warning in every run, and an error with `--frozen`."""
    project.archive("m.zip", files("1", g=NINE))
    project.write(FILE, "--- a/g\n+++ b/g\n")
    assert codes(project) == codes(project) == (0, ["unused-patch"])
    assert codes(project, "--frozen") == (80, ["OutOfDate"])


def test_a_moved_hunk_is_told_once(project: Project) -> None:
    """The run that builds a moved hunk says how far it has moved; later runs do not."""
    project.archive("m.zip", files("1", g="0\n" * 40 + NINE))
    project.write(FILE, "--- a/g\n+++ b/g\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n")
    (warning,) = project.create().reported("warning")
    assert warning["message"] == f"`{FILE}` is applied 40 lines further down in `modules/m/g`"
    assert codes(project) == (0, [])


@pytest.mark.parametrize("edited", ["5", "5\n6"])
def test_an_edit_that_only_the_record_explains_stays(project: Project, edited: str) -> None:
    """If two people made the same edit by hand, and a record comes without the patch of one of
    them, the other's edit stays.
    """
    project.archive("m.zip", files("1", g=NINE))
    mine = NINE.replace(edited, f"{edited}\nhotfix")
    for home in ("one", "two"):
        assert project.create("--output", home).code == 0
        project.write(f"{home}/modules/m/g", mine)
    assert project.run("patch", "--output", "one").code == 0
    assert project.create("--output", "one").code == 0
    shutil.copy(project.root / "one/.tool-manifest.json", project.root / "two/.tool-manifest.json")
    (warning,) = project.create("--output", "two").reported("warning")
    assert warning["code"] == "unused-patch"
    assert " file" not in warning["message"]
    assert (project.root / "two/modules/m/g").read_text(encoding="utf-8") == mine
    assert "1 edited" in project.run("status", "--output", "two").out
