"""Names in patches: which sections are about files of the component, and which add or
delete them.
"""

from collections.abc import Mapping

import pytest

from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patch_lines import Hunk, name_in
from pipeline.building.patching.patches import PatchResult, apply_patch

M = "modules/m"
TEXT = b"1\n2\n3\n"
EDIT = b"--- a/%b\n+++ b/%b\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n"
TWO = b"1\ntwo\n3\n"


def applied(patch: bytes, archive: Mapping[str, bytes]) -> PatchResult:
    """What a patch makes of an archive."""
    named = with_names(read_patch(patch, M), archive, archive)
    assert named.error is None
    return apply_patch(named, archive)


@pytest.mark.parametrize(
    "name", [b"themes/m/sub/a", b"modules/other/sub/a"], ids=["theme", "module"]
)
def test_a_name_in_another_component_is_passed_over(name: bytes) -> None:
    """A section about a file of another component changes no file of this one with the same
    name.
    """
    archive = {"a": TEXT, "sub/a": TEXT}
    where = name.decode()
    lone = applied(EDIT % (name, name), archive)
    assert (lone.files, lone.skipped) == ({}, (("elsewhere", where, 1),))
    both = applied(EDIT % (b"modules/m/a", b"modules/m/a") + EDIT % (name, name), archive)
    assert (both.files, both.skipped) == ({"a": TWO}, (("elsewhere", where, 8),))


def test_a_folder_of_the_component_is_none_of_the_project() -> None:
    """A folder `themes` in the archive is that of the component, also for a file that is added to
    it.
    """
    archive = {"themes/dark/a": TEXT}
    assert applied(EDIT % ((b"themes/dark/a",) * 2), archive).files == {"themes/dark/a": TWO}
    added = b"--- /dev/null\n+++ b/themes/dark/b\n@@ -0,0 +1 @@\n+x\n"
    assert applied(added, archive).files == {"themes/dark/b": b"x\n"}


def test_a_folder_that_is_called_like_the_component() -> None:
    """If the archive has a folder with the name of the component, a new file in it stays in that
    folder.
    """
    added = b"--- /dev/null\n+++ b/m/new\n@@ -0,0 +1 @@\n+x\n"
    assert applied(added, {"m/a": TEXT}).files == {"m/new": b"x\n"}
    assert applied(added, {"a": TEXT}).files == {"new": b"x\n"}


def test_a_new_file_below_the_name_of_the_component_goes_where_edited_files_are() -> None:
    """If the patch names an edited file below the component, new files are below it, too."""
    added = b"--- /dev/null\n+++ b/m/new\n@@ -0,0 +1 @@\n+x\n"
    edited = EDIT % (b"m/a", b"m/a")
    assert applied(added + edited, {"a": TEXT, "m/b": TEXT}).files == {"new": b"x\n", "a": TWO}


@pytest.mark.parametrize(
    "time", ["1970-01-01 00:00:00.000000000 +0000", "1969-12-31 19:00:00 -0500", "(nonexistent)"]
)
def test_a_file_is_deleted_as_the_patch_says(time: str) -> None:
    """The time zero, in any zone, or Subversion's word deletes a file, if nothing of it is left."""
    names = f"--- gone\t2026-01-01 00:00:00 +0000\n+++ gone\t{time}\n".encode()
    assert applied(names + b"@@ -1,3 +0,0 @@\n-1\n-2\n-3\n", {"gone": TEXT}).files == {"gone": None}
    assert applied(names + b"@@ -1,3 +1,2 @@\n 1\n-2\n 3\n", {"gone": TEXT}).files == {
        "gone": b"1\n3\n"
    }


@pytest.mark.parametrize(
    "time", ["1970-01-01 01:00:00 +0000", "1969-12-31 19:00:00 -0400", "2026-01-01 00:00:00 +0000"]
)
def test_a_file_that_becomes_empty_stays(time: str) -> None:
    """With any other time, a file without lines is an empty file, not a deleted one."""
    patch = f"--- gone\n+++ gone\t{time}\n@@ -1,3 +0,0 @@\n-1\n-2\n-3\n".encode()
    assert applied(patch, {"gone": TEXT}).files == {"gone": b""}


def test_a_file_is_added_as_the_patch_says() -> None:
    """A hunk without old lines adds a file; the same file may exist already, and a different one is
    a conflict.
    """
    patch = b"--- old/new\n+++ new/new\n@@ -0,0 +1 @@\n+x\n"
    assert applied(patch, {}).files == applied(patch, {"new": b""}).files == {"new": b"x\n"}
    assert applied(patch, {"new": b"x\n"}).skipped == (("present", "new", 1),)
    assert [conflict.why for conflict in applied(patch, {"new": b"y\n"}).misplaced] == ["exists"]
    git = b"diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+x\n"
    assert applied(git, {"f": b"y\n"}).files == {"f": b"x\ny\n"}


def test_sections_that_change_nothing() -> None:
    """A section without a hunk, or with a new mode alone, changes nothing; a patch of such sections
    is idle.
    """
    for patch in (b"--- a\n+++ a\n", b"diff --git a/f b/f\nold mode 100644\nnew mode 100755\n"):
        read = read_patch(patch, M)
        assert (read.error, read.is_idle, read.text) == (None, True, patch)
    assert not read_patch(EDIT % (b"f", b"f"), M).is_idle
    mode = b"diff --git a/f b/f\nold mode 100644\nnew mode 100755\n"
    assert applied(mode, {"f": TEXT}) == PatchResult(skipped=(("mode", "f", 1),))
    assert applied(mode + EDIT % (b"f", b"f"), {"f": TEXT}) == PatchResult(
        {"f": TWO}, skipped=(("mode", "f", 1),)
    )


def test_a_name_in_quotes_beside_one_without() -> None:
    """Git may quote one of the two names and not the other."""
    patch = b'diff --git "a/x" b/x\n' + EDIT % (b"x", b"x")
    assert applied(patch, {"x": TEXT}).files == {"x": TWO}


def test_a_name_in_quotes_has_escapes() -> None:
    """A name in quotes is read with the escapes of C."""
    line = rb'+++ "\a\b\f\n\r\t\v\"\\\303\251"'
    assert name_in(line) == b'\a\b\f\n\r\t\v"\\\xc3\xa9'


def test_the_folder_of_modules_under_any_name() -> None:
    """If modules are in another folder, names may begin with that folder."""
    names = (b"plug/other/a", b"plug/other/a")
    assert with_names(read_patch(EDIT % names, "wp/plug/m"), {"a"}).files[0].is_elsewhere


def test_lines_without_a_change_are_common_on_both_sides() -> None:
    """If a hunk changes no line, all its lines are common above and below."""
    hunk = Hunk(line=1, start=1, new_start=1, lines=((b" ", b"1\n"), (b" ", b"2\n")))
    assert (hunk.above, hunk.below) == (2, 2)
