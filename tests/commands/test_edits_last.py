"""No command loses edits that are saved as patches unless it is told to (`docs/building.md`)."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.project import Project, php

TEXT = "".join(f"{number}\n" for number in range(1, 21))
OLD = {"m/m.php": php("m", "1"), "m/lib.php": TEXT, "m/other.php": TEXT}
FILE = "patches/modules/m.patch"


def edited(**lines: str) -> str:
    """The text with other lines in the places of some: `l3="three"`."""
    return "".join(f"{lines.get(f'l{number}', number)}\n" for number in range(1, 21))


def update(project: Project, **files: str) -> None:
    """Put the next version into the drop, with other texts for some files; an empty one
    is not in it.
    """
    named = {f"m/{name}.php": text for name, text in files.items()}
    new = {**OLD, "m/m.php": php("m", "2"), **named}
    project.archive("m.zip", {name: text for name, text in new.items() if text})


@pytest.fixture(scope="module")
def patched_once(shared: Project) -> Project:
    """A project in which two lines of a file are edited, and saved as a patch; each test
    changes a copy.
    """
    shared.archive("m.zip", OLD)
    assert shared.create().code == 0
    shared.write("modules/m/lib.php", edited(l3="three", l17="seventeen"))
    assert shared.run("patch").code == 0
    assert shared.create().code == 0
    return shared


@pytest.fixture
def patched(patched_once: Project, tmp_path: Path) -> Project:
    """A copy of that project."""
    return patched_once.copy(tmp_path / "project")


def lines(project: Project) -> list[str]:
    """The lines that the patch adds."""
    text = (project.root / FILE).read_text(encoding="utf-8")
    return [
        line for line in text.splitlines() if line.startswith("+") and not line.startswith("+++")
    ]


@pytest.mark.parametrize(
    ("new", "words"),
    [(edited(l3="drei"), ()), (edited(l3="drei", l17="siebzehn"), (".", "m")), ("", ())],
    ids=["one of two lines", "both lines", "the file is gone"],
)
def test_a_patch_that_does_not_fit_is_not_saved_away(
    patched: Project, new: str, words: tuple[str, ...]
) -> None:
    """If the vendor changed the lines of a patch, or removed its file, `tool patch` does not drop
    the patch.
    """
    before = (patched.root / FILE).read_bytes()
    update(patched, lib=new)
    assert patched.create().code == 73
    assert patched.run("patch", *words).code == 0
    assert (patched.root / FILE).read_bytes() == before
    assert patched.create().code == 73
    assert patched.create("--take-theirs=modules/m/lib.php").code == 0
    assert patched.run("patch", *words).code == 0
    assert (patched.root / FILE).read_bytes() == before
    assert patched.create().code == 0
    assert patched.create("--frozen").code == 80


def test_a_mend_by_hand_is_saved_where_its_file_is_named(patched: Project) -> None:
    """After the vendor's file was built, an edit of it replaces the patch only if the file is
    named.
    """
    update(patched, lib=edited(l3="drei"))
    assert patched.create("--take-theirs=modules/m/lib.php").code == 0
    before = (patched.root / FILE).read_bytes()
    patched.write("modules/m/lib.php", edited(l3="drei", l4="three", l17="seventeen"))
    ran = patched.run("patch")
    assert (ran.code, (patched.root / FILE).read_bytes()) == (0, before)
    assert "name the file to save it as on disk" in ran.err
    assert patched.run("patch", "modules/m/lib.php").code == 0
    assert lines(patched) == ["+three", "+seventeen"]
    assert patched.create("--frozen").code == 80
    assert patched.create().code == 0
    assert (patched.root / "modules/m/lib.php").read_text() == edited(
        l3="drei", l4="three", l17="seventeen"
    )
    assert patched.create("--frozen").code == 0


@pytest.mark.parametrize(
    ("line", "is_built", "environ"),
    [("l3", True, {}), ("l4", True, {}), ("l4", False, {}), ("l3", False, {"TOOL_KEEP": "none"})],
)
def test_edits_are_saved_twice(
    project: Project, line: str, is_built: bool, environ: Mapping[str, str]
) -> None:
    """An edit of a line that a patch changes, or of the line after it, is saved like the
    first one.
    """
    project.archive("m.zip", OLD)
    assert project.create(env=environ).code == 0
    project.write("modules/m/lib.php", edited(l3="three", l17="seventeen"))
    assert project.run("patch", env=environ).code == 0
    assert not is_built or project.create(env=environ).code == 0
    twice = edited(**{"l3": "three", "l17": "seventeen", line: "again"})
    project.write("modules/m/lib.php", twice)
    ran = project.run("patch", env=environ)
    assert (ran.code, "warning" in ran.err) == (0, False)
    assert "+again" in lines(project)
    assert project.create(env=environ).code == 0
    assert (project.root / "modules/m/lib.php").read_text() == twice
    assert project.run("diff", "--mine").out == ""
    saved = (project.root / FILE).read_bytes()
    assert project.run("patch", env=environ).code == 0
    assert (project.root / FILE).read_bytes() == saved


def test_what_was_pulled_is_kept(patched: Project) -> None:
    """A colleague's lines that are not built yet stay in the patch; an edit of their file is saved
    after a build.
    """
    pulled = (
        (patched.root / FILE)
        .read_text(encoding="utf-8")
        .replace("+seventeen\n", "+seventeen\n+colleague\n")
    )
    patched.write(FILE, pulled.replace("@@ -14,7 +14,7", "@@ -14,7 +14,8"))
    patched.write("modules/m/lib.php", edited(l3="trois", l17="seventeen"))
    ran = patched.run("patch")
    assert (ran.code, lines(patched)) == (0, ["+three", "+seventeen", "+colleague"])
    assert "left out of the patch: the patch has changes to it that are not built yet" in ran.err
    assert patched.create().code == 73
    assert patched.create("--merge").code == 0
    assert (patched.root / "modules/m/lib.php").read_text() == edited(
        l3="trois", l17="seventeen\ncolleague"
    )
    assert patched.run("patch").code == 0
    assert lines(patched) == ["+trois", "+seventeen", "+colleague"]
    before = pulled.replace("@@ -14,7 +14,7", "@@ -14,7 +14,8").replace("+three", "+drei")
    patched.write(FILE, before)
    patched.write("modules/m/lib.php", edited(l3="tres", l17="seventeen\ncolleague"))
    ran = patched.run("patch")
    assert (ran.code, (patched.root / FILE).read_text()) == (0, before)
    assert "changes to it that are not built yet" in ran.err
    assert patched.run("patch", "modules/m/lib.php").code == 0
    assert lines(patched) == ["+tres", "+seventeen", "+colleague"]


def test_a_patch_is_merged_with_a_new_archive(patched: Project) -> None:
    """`--merge` builds the archive with the patch and rewrites the patch; other edits on disk stay
    edits.
    """
    patched.write("modules/m/lib.php", edited(l3="three", l17="seventeen", l20="mine"))
    update(patched, lib=edited(l1="eins", l6="", l10="zehn"))
    before = (patched.root / FILE).read_bytes()
    ran = patched.run("create")
    assert ran.code == 73
    assert "`--merge` merges the patch with the archive and rewrites it" in ran.err
    assert patched.create("--merge", "--dry-run").code == 0
    assert (patched.root / FILE).read_bytes() == before
    assert "+eins" in patched.run("diff", "--merge").out
    ran = patched.run("create", "--merge")
    assert ran.code == 0, ran.err
    assert f"`{FILE}` did not fit `m.zip`: it was merged with the archive and rewritten" in ran.err
    assert lines(patched) == ["+three", "+seventeen"]
    result = edited(l1="eins", l3="three", l6="", l10="zehn", l17="seventeen", l20="mine")
    assert (patched.root / "modules/m/lib.php").read_text() == result
    assert "+mine" in patched.run("diff", "--mine").out
    assert patched.create().code == 0
    assert patched.create("--frozen", "--mine").code == 0
    fresh = Project(patched.root.parent / "fresh")
    shutil.copytree(patched.root / "patches", fresh.root / "patches")
    shutil.copy(patched.root / "m.zip", fresh.root)
    assert fresh.create().code == 0
    assert (fresh.root / "modules/m/lib.php").read_text() == result.replace("mine", "20")


def test_a_patch_is_as_it_was_after_a_run_that_fails(patched: Project) -> None:
    """If a run that rewrites a patch is refused a call, the patch is restored."""
    before = (patched.root / FILE).read_bytes()
    update(patched, lib=edited(l1="eins"))
    hook = patched.write("init-scripts/a.sh", "rm -r modules/m; echo > modules/m\n")
    assert patched.create("--merge").code != 0
    assert (patched.root / FILE).read_bytes() == before
    hook.unlink()


def test_a_patch_of_what_is_not_built_is_mended_by_hand(project: Project) -> None:
    """If nothing was built, or the same archive, no merge is suggested; the suggested command
    works.
    """
    project.archive("m.zip", OLD)
    project.write(FILE, "--- a/lib.php\n+++ b/lib.php\n@@ -3 +3 @@\n-drei\n+three\n")
    for _ in range(2):
        ran = project.run("create")
        assert ran.code == 73
        assert (
            "change the patch by hand; `--take-theirs=modules/m/lib.php` builds the archive's "
            "file\n"
        ) in ran.err
        assert project.create("--take-theirs=modules/m/lib.php").code == 0
        ran = project.run("create")
        assert (ran.code, "is built without" in ran.err) == (0, True)
        (project.root / FILE).write_text(
            "--- a/lib.php\n+++ b/lib.php\n@@ -3 +3 @@\n-trois\n+three\n"
        )
        (project.root / "modules/m/lib.php").unlink()
    project.write(FILE, "--- a/lib.php\n+++ b/lib.php\n@@ -3 +3 @@\n-3\n+three\n")
    assert project.create().code == 0
    assert project.create("--frozen").code == 0
