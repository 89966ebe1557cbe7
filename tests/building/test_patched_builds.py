"""Builds with patches: every machine builds the archive with its patch, and the messages about
patches.
"""

import json
import shutil
from hashlib import sha256

import pytest

from tests.support.project import Project, php

TEXT = "".join(f"{number}\n" for number in range(1, 21))
PATCHED = TEXT.replace("3\n", "three\n", 1)
OLD = {"m/m.php": php("m", "1"), "m/lib.php": TEXT, "m/gone.css": "a\n", "m/run.sh": TEXT}
NEW = {**OLD, "m/m.php": php("m", "2"), "m/lib.php": TEXT.replace("17\n", "seventeen\n")}
LIB = "--- a/lib.php\n+++ b/lib.php\n@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+three\n 4\n 5\n"
MORE = (
    "--- /dev/null\n+++ b/inc/new.php\n@@ -0,0 +1 @@\n+<?php\n"
    "diff --git a/tool b/tool\nnew file mode 100755\n--- /dev/null\n+++ b/tool\n@@ -0,0 +1 "
    "@@\n+#!/bin/sh\n"
    "--- a/gone.css\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
)
FILE = "patches/modules/m.patch"


@pytest.fixture
def patched(project: Project) -> Project:
    """A project with a patch that changes, adds and removes files, and the archive that it was
    made against.
    """
    project.archive("m.zip", OLD)
    project.write(FILE, LIB + MORE)
    return project


def built(project: Project) -> dict[str, str]:
    """The files of the module."""
    return {name: content for name, content in project.tree.items() if name.startswith("modules/")}


def codes(project: Project, *args: str) -> tuple[int, list[str]]:
    """The exit code of a run, and the codes of its warnings and the names of its errors."""
    ran = project.create(*args)
    reported = (each for each in ran.log if each["event"] in {"warning", "error"})
    return ran.code, [each.get("code") or each["error"] for each in reported]


def recorded(project: Project) -> dict[str, object]:
    """What the record says of the module."""
    text = (project.root / ".tool-manifest.json").read_text(encoding="utf-8")
    component: dict[str, object] = json.loads(text)["content"]["components"]["modules/m"]
    return component


@pytest.mark.parametrize("first", [True, False], ids=["update", "add"])
def test_a_component_is_built_with_its_patch(patched: Project, first: bool) -> None:
    """A patch changes, adds and removes files of a component, whether that exists already or
    not.
    """
    if first:
        patched.write(FILE, "")
        (patched.root / FILE).unlink()
        assert codes(patched) == (0, [])
        patched.write(FILE, LIB + MORE)
        assert "its patch has changed: 4 files change, 1 removed" in patched.run("status").out
    ran = patched.create()
    assert ran.code == 0, ran.err
    assert [each["patched"] for each in ran.reported("component")] == [3]
    folder = patched.root / "modules/m"
    assert (folder / "lib.php").read_text() == PATCHED
    assert (folder / "inc/new.php").read_text() == "<?php\n"
    assert (folder / "tool").stat().st_mode & 0o111
    assert not (folder / "gone.css").exists()
    assert recorded(patched)["patch"] == sha256((LIB + MORE).encode()).hexdigest()
    assert (
        patched.root / f".tool/archives/{recorded(patched)['patch']}.patch"
    ).read_text() == LIB + MORE
    assert [each["action"] for each in patched.create().reported("component")] == ["keep"]
    assert codes(patched, "--frozen") == (0, [])


def test_a_colleague_builds_the_same_bytes(patched: Project) -> None:
    """From record, patch and archive, a clone has the same files and the same record,
    with --frozen.
    """
    patched.create()
    clone = Project(patched.root.parent / "clone")
    shutil.copytree(patched.root / "patches", clone.root / "patches")
    for name in (".tool-manifest.json", "m.zip"):
        shutil.copy(patched.root / name, clone.root)
    assert codes(clone, "--frozen") == (0, [])
    assert built(clone) == built(patched)
    assert recorded(clone) == recorded(patched)


def test_an_update_is_patched_and_keeps_what_was_edited_besides(patched: Project) -> None:
    """The next version is built with the patch; a file that was also edited stays, or is merged."""
    patched.create()
    patched.archive("m.zip", NEW)
    assert codes(patched) == (0, [])
    assert (patched.root / "modules/m/lib.php").read_text() == PATCHED.replace(
        "17\n", "seventeen\n"
    )
    patched.write("modules/m/lib.php", PATCHED.replace("17\n", "seventeen\n") + "mine\n")
    patched.archive("m.zip", {**NEW, "m/lib.php": TEXT.replace("10\n", "ten\n")})
    assert codes(patched) == (73, ["OutputConflict"])
    assert codes(patched, "--merge") == (0, ["backed-up"])
    assert (patched.root / "modules/m/lib.php").read_text() == PATCHED.replace(
        "10\n", "ten\n"
    ) + "mine\n"


def test_a_patch_that_the_vendor_has_taken_over_is_removed(patched: Project) -> None:
    """If a patch does not fit because the archive has its changes and others beside them, `--merge`
    removes it, as the error advises.
    """
    patched.write(FILE, LIB)
    patched.create()
    patched.archive("m.zip", {**NEW, "m/lib.php": PATCHED.replace("1\n", "one\n", 1)})
    assert "--merge" in patched.run("create").err
    assert codes(patched, "--merge") == (0, ["patch-rewritten"])
    assert not (patched.root / FILE).exists()
    assert codes(patched, "--frozen") == (0, [])


def test_a_patch_that_is_a_link_is_not_followed(patched: Project) -> None:
    """A link in the place of a patch is not a patch, and one in the place of the folder of patches
    is ignored.
    """
    (patched.root / FILE).unlink()
    (patched.root / FILE).symlink_to("/etc/passwd")
    assert codes(patched) == (65, ["PatchInvalid"])
    shutil.rmtree(patched.root / "patches")
    (patched.root / "patches").symlink_to(patched.root.parent)
    assert codes(patched) == (0, [])


def test_nothing_is_kept_if_nothing_is_to_be(patched: Project) -> None:
    """With `TOOL_KEEP=none` no patch is kept; the patch in the project is the base of a merge, if
    it has not changed.
    """
    patched.create(env={"TOOL_KEEP": "none"})
    assert not (patched.root / ".tool/archives").exists()


def test_undo_leaves_patches_alone(patched: Project) -> None:
    """Undo restores the files from before and leaves the patch; the next run builds with it."""
    (patched.root / FILE).unlink()
    patched.create()
    patched.write(FILE, LIB)
    patched.create()
    after = built(patched)
    assert patched.run("undo").code == 0
    assert (patched.root / "modules/m/lib.php").read_text() == TEXT
    assert (patched.root / FILE).read_text() == LIB
    assert codes(patched) == (0, [])
    assert built(patched) == after


def test_where_a_patch_is_that_is_reported(patched: Project) -> None:
    """An error or warning about a patch names the file that was read, even if the project is
    elsewhere.
    """
    patched.write(FILE, LIB.replace("-3", "-4"))
    ran = patched.create("--output=site")
    (error,) = ran.reported("error")
    assert (ran.code, error["source"]) == (73, f"{FILE}:3:1")
    patched.write("site/" + FILE, LIB.replace("-3", "-4"))
    (error,) = patched.create("--output=site").reported("error")
    assert error["source"] == f"site/{FILE}:3:1"


def test_patches_lie_in_the_project_or_in_the_current_folder(patched: Project) -> None:
    """A deploy to another folder uses the patches of the current one, and later runs find them
    there; a project's own come first.
    """
    deployed = Project(patched.root / "site")
    assert codes(patched, "--output=site") == (0, [])
    assert (deployed.root / "modules/m/lib.php").read_text() == PATCHED
    assert not (deployed.root / "patches").exists()
    ran = deployed.run("create", "..", "--log-format=json")
    assert (ran.code, ran.reported("warning")) == (0, [])
    assert deployed.run("status", "--check").code == 0
    deployed.write("modules/m/lib.php", PATCHED.replace("17\n", "seventeen\n"))
    assert deployed.run("patch").code == 0
    assert "+seventeen" in (patched.root / FILE).read_text()
    assert not (deployed.root / "patches").exists()
    deployed.write(FILE, LIB)
    assert not (deployed.root / "modules/m/gone.css").exists()
    assert deployed.run("create", "..").code == 0
    assert (deployed.root / "modules/m/gone.css").exists()


def test_what_is_no_folder_of_patches_is_passed_over(patched: Project) -> None:
    """A file or a link called `patches`, and a folder in the place of a kept patch, are ignored."""
    patched.create()
    digest = recorded(patched)["patch"]
    kept = patched.root / f".tool/archives/{digest}.patch"
    kept.unlink()
    (kept / "x").mkdir(parents=True)
    assert codes(patched) == (0, [])
    patched.write("modules/m/lib.php", PATCHED + "mine\n")
    assert patched.run("diff", "--mine").code == 0
    patched.write("modules/m/lib.php", PATCHED)
    shutil.rmtree(patched.root / "patches")
    patched.write("patches", "x")
    for command in ("create", "status", "diff"):
        assert patched.run(command).code == 0
