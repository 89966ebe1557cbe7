"""The patches that a run writes: they are restored, completed and undone with it, and reported as
they are (`docs/building.md`).
"""

import shutil
from pathlib import Path

import pytest

from io_edges.building.patch_run import PatchJob, write_patches
from io_edges.building.project import Effect
from io_edges.building.project import Project as OpenProject
from io_edges.report.console import Console
from io_edges.system.folder import Folder
from pipeline.archives.places import Places
from pipeline.building.stores.changes import Run
from pipeline.building.stores.layout import PATCH_MARKS
from pipeline.building.stores.record import FileState, Record
from tests.support.forks import FORKS
from tests.support.project import Project, Ran, php

LINES = "".join(f"{number}\n" for number in range(1, 21))
"""What the vendor has in a file at first."""
FILE = "patches/modules/m.patch"
RECORD = ".tool-manifest.json"
A = "--- a/a.php\n+++ b/a.php\n@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+mine\n 6\n 7\n"
B = "--- a/b.php\n+++ b/b.php\n@@ -1,3 +1,3 @@\n 1\n-2\n+mine, too\n 3\n"
MINE = LINES.replace("5\n", "mine\n", 1)
"""The file with the edit of the first of these patches."""


def release(project: Project, version: str, *changes: tuple[str, str], name: str = "m") -> None:
    """Put a release of a module into the drop, with lines of its first file changed."""
    text = LINES
    for old, new in changes:
        text = text.replace(f"{old}\n", f"{new}\n", 1)
    files = {f"{name}.php": php(name, version), "a.php": text, "b.php": LINES}
    project.archive(
        f"drop/{name}.zip", {f"{name}/{path}": content for path, content in files.items()}
    )


@pytest.fixture
def patched(project: Project) -> Project:
    """A project with a patch of two files, and a release in the drop that it does not fit."""
    release(project, "1")
    release(project, "1", name="n")
    project.write(FILE, A + B)
    assert project.create("drop").code == 0
    release(project, "2", ("3", "three"))
    return project


def said(ran: Ran, code: str) -> list[str]:
    """The messages of the warnings of a code."""
    return [each["message"] for each in ran.reported("warning") if each["code"] == code]


def tree(project: Project) -> dict[str, str]:
    """The text of each component's files, of each patch and of the record."""
    names = [
        name.relative_to(project.root).as_posix()
        for name in project.root.rglob("*")
        if name.is_file()
    ]
    ours = (name for name in names if name.startswith(("modules/", "patches/", RECORD)))
    return {
        name: read(project, name)
        for name in ours
        if name.removeprefix("patches/") not in PATCH_MARKS
    }


def read(project: Project, name: str) -> str:
    """The text of a file."""
    return (project.root / name).read_text(encoding="utf-8")


def test_undo_brings_a_rewritten_patch_back(patched: Project) -> None:
    """Undo restores the patch that the run rewrote; a build with the old archive is as before, and
    redo gives the run's patch.
    """
    before = tree(patched)
    assert patched.create("drop", "--merge").code == 0
    merged = tree(patched)
    assert merged[FILE] != before[FILE]
    looked = patched.run("undo", "--dry-run", "--log-format=json")
    assert said(looked, "patch-rewritten") == [
        f"`{FILE}` would be brought back as it was before that run"
    ]
    assert tree(patched) == merged
    ran = patched.run("undo", "--log-format=json")
    assert said(ran, "patch-rewritten") == [f"`{FILE}` was brought back as it was before that run"]
    assert tree(patched) == before
    assert patched.run("redo").code == 0
    assert tree(patched) == merged
    assert patched.run("undo").code == 0
    release(patched, "1")
    assert patched.create("drop").code == 0
    assert read(patched, "modules/m/a.php") == MINE
    assert patched.create("drop", "--frozen").code == 0


def test_undo_brings_a_removed_patch_back(project: Project) -> None:
    """Undo restores a patch that was removed because the archive has all of its changes; redo
    removes it again.
    """
    release(project, "1")
    project.write(FILE, A)
    assert project.create("drop").code == 0
    release(project, "2", ("5", "mine"), ("3", "three"))
    ran = project.run("create", "drop", "--merge", "--log-format=json")
    assert said(ran, "patch-rewritten") == [
        f"`{FILE}` did not fit `m.zip`, which has all of its changes: it was removed"
    ]
    assert FILE not in tree(project)
    assert project.run("undo").code == 0
    assert read(project, FILE) == A
    ran = project.run("redo", "--log-format=json")
    assert said(ran, "patch-rewritten") == [f"`{FILE}` was removed, as before that run"]
    assert FILE not in tree(project)


def test_undo_leaves_a_patch_that_has_changed_since(patched: Project) -> None:
    """Undo leaves a patch that has changed since the run, says so, and takes back the rest."""
    assert patched.create("drop", "--merge").code == 0
    changed = read(patched, FILE) + "changed\n"
    patched.write(FILE, changed)
    ran = patched.run("undo", "--log-format=json")
    assert (ran.code, said(ran, "patch-stays")) == (
        0,
        [f"`{FILE}` has changed since that run: it stays as it is"],
    )
    assert (read(patched, FILE), read(patched, "modules/m/a.php")) == (changed, MINE)
    shutil.rmtree(patched.root / "patches")
    assert patched.run("redo").code == 0
    assert FILE not in tree(patched)


def test_a_damaged_patch_is_not_brought_back(patched: Project) -> None:
    """The saved text of a patch is verified like the files of components, in a dry run as well."""
    assert patched.create("drop", "--merge").code == 0
    (aside,) = patched.root.glob(".tool/previous/*/modules/m.patch")
    aside.write_text("damaged", encoding="utf-8")
    before = tree(patched)
    for args in (("undo", "--dry-run"), ("undo",)):
        assert patched.run(*args).code == 73
    assert tree(patched) == before


@pytest.mark.parametrize(
    ("args", "code"),
    [(("--dry-run",), 0), (("--check",), 80)],
)
def test_a_patch_that_would_be_rewritten(
    patched: Project, args: tuple[str, ...], code: int
) -> None:
    """A run that only looks says which patch would be rewritten."""
    ran = patched.run("create", "drop", "--merge", "--log-format=json", *args)
    assert ran.code == code
    assert said(ran, "patch-rewritten") == [
        f"`{FILE}` does not fit `m.zip`: it would be merged with the archive and rewritten"
    ]
    assert read(patched, FILE) == A + B


@pytest.mark.parametrize("args", [("--keep-going",), ()])
def test_a_patch_that_is_not_rewritten(patched: Project, args: tuple[str, ...]) -> None:
    """If another file of the component is in conflict, its patch stays and is not mentioned."""
    release(patched, "2", ("3", "three"))
    patched.write("modules/m/m.php", "mine\n")
    ran = patched.run("create", "drop", "--merge", "--log-format=json", *args)
    assert (ran.code, said(ran, "patch-rewritten"), read(patched, FILE)) == (73, [], A + B)


def hook(project: Project, text: str) -> None:
    """Have an init script."""
    project.write("init-scripts/10.sh", text)


def test_a_patch_that_changes_during_the_run(patched: Project) -> None:
    """A patch that an init script has changed stays as it is and is named; the component is built
    as merged.
    """
    hook(patched, f"printf '%s\\n' more >> {FILE}\n")
    ran = patched.run("create", "drop", "--merge", "--log-format=json")
    assert ran.code == 0, ran.err
    assert said(ran, "patch-stays") == [f"`{FILE}` changed during the run, which left it as it is"]
    assert said(ran, "patch-rewritten") == []
    assert read(patched, FILE) == f"{A}{B}more\n"
    assert "mine\n" in read(patched, "modules/m/a.php")


def test_patches_that_go_during_the_run(patched: Project) -> None:
    """If an init script has removed the folder of patches, it stays removed, and that is
    reported.
    """
    hook(patched, "rm -r patches\n")
    ran = patched.run("create", "drop", "--merge", "--log-format=json")
    assert (ran.code, len(said(ran, "patch-stays"))) == (0, 1)
    assert not (patched.root / "patches").exists()


def test_a_staged_patch_that_changes(patched: Project) -> None:
    """A staged patch that an init script has changed is never written."""
    hook(patched, "for each in .tool/staging/*/modules/m.patch; do echo more >> $each; done\n")
    before = tree(patched)
    ran = patched.run("create", "drop", "--merge")
    assert (ran.code, "it was changed after it was verified" in ran.err) == (74, True)
    assert tree(patched) == before


def test_a_record_that_changes_during_the_run(patched: Project) -> None:
    """If the record changes during a run, what it says of other components stays, as after a pull;
    the run says so.
    """
    more = patched.copy(patched.root.parent / "more")
    release(more, "1", name="o")
    assert more.create("drop", "o").code == 0
    shutil.copytree(more.root / "modules/o", patched.root / "modules/o")
    hook(patched, f"cp '{more.root / RECORD}' .\n")
    ran = patched.run("create", "drop", "--merge", "--log-format=json")
    assert (ran.code, len(said(ran, "changed-record"))) == (0, 1), ran.err
    assert "modules/o" in read(patched, RECORD)
    assert patched.run("status", "drop", "m", "--check").code == 0


def test_a_record_with_other_folders(patched: Project) -> None:
    """If an init script replaces the record by one with other folders, nothing is written."""
    other = Project(patched.root.parent / "other")
    release(other, "1")
    assert other.create("drop", "--modules-dir=plugins").code == 0
    hook(patched, f"cp '{other.root / RECORD}' .\n")
    before = tree(patched)
    ran = patched.run("create", "drop", "--merge")
    assert (ran.code, f"`{RECORD}` was changed during the run" in ran.err) == (73, True)
    assert {**tree(patched), RECORD: ""} == {**before, RECORD: ""}


def killed(project: Project, *args: str, at: str) -> None:
    """Kill a run after a call."""
    whole = project.copy(project.root.parent / "whole")
    calls = FORKS.run(whole.root, *args, way="KILL").calls
    number = next(number for number, call in enumerate(calls, 1) if call.startswith(at))
    assert FORKS.run(project.root, *args, number=number + 1, way="KILL").code == -9


AT = "rename ('m.patch',)"
"""The call that puts the patch in place."""


def test_a_component_of_a_killed_run_is_one(patched: Project) -> None:
    """No command calls the patch of an interrupted component unused or advises to delete it."""
    killed(patched, "create", "drop", "--merge", at=AT)
    for args in (
        ("status", "drop"),
        ("create", "drop", "--dry-run"),
        ("create", "drop", "--frozen", "--dry-run"),
    ):
        ran = patched.run(*args)
        assert "delete" not in ran.err + ran.out
        assert "an earlier run was interrupted in `modules/m`" in ran.err, args


@pytest.mark.parametrize(
    ("args", "code"),
    [(("create", "drop", "--frozen"), 80), (("create", "nowhere"), 72), (("redo",), 73)],
)
def test_a_run_that_finishes_another_and_stops(
    patched: Project, args: tuple[str, ...], code: int
) -> None:
    """A run that completes another one and then stops does not say that nothing was changed, nor
    that the record was not.
    """
    killed(patched, "create", "drop", "--merge", at=AT)
    release(patched, "3", ("5", "five"))
    ran = patched.run(*args, "--log-format=json")
    assert ran.code == code, ran.err
    ending = ran.log[-1]
    assert (ending["outcome"], ending["updated"], ending["record"]) == ("stopped", 1, True)
    assert "three\n4\nmine\n" in read(patched, "modules/m/a.php")


def test_a_run_that_finishes_a_component_that_is_added(patched: Project) -> None:
    """A run counts what it completed and what it did besides, each component once."""
    release(patched, "1", name="o")
    killed(patched, "create", "drop", "--merge", at="rename ('1',)")
    ran = patched.run("create", "drop", "--merge", "--log-format=json")
    assert ran.code == 0
    assert [ran.log[-1][each] for each in ("added", "updated", "kept", "outcome")] == [
        1,
        1,
        1,
        "done",
    ]


def test_what_a_killed_run_wrote_in_the_current_folder(patched: Project) -> None:
    """Patches in the current folder are completed there and nowhere else."""
    (patched.root / "site").mkdir()
    for name in ("modules", RECORD, ".tool"):
        shutil.move(patched.root / name, patched.root / "site" / name)
    args = ("create", "drop", "--merge", "--output=site")
    killed(patched, *args, at=AT)
    ran = patched.run("create", "../drop", "--merge", cwd="site")
    assert (ran.code, "run this command in that folder" in ran.err) == (74, True)
    assert patched.run(*args).code == 0
    assert patched.create("drop", "--frozen", "--output=site").code == 0
    assert patched.run("undo", "--output=site").code == 0
    assert read(patched, FILE) == A + B


def test_a_killed_run_whose_patches_are_gone(patched: Project) -> None:
    """If the folder of patches was removed, only components are completed."""
    site = patched.root / "site"
    site.mkdir()
    for name in ("modules", RECORD, ".tool"):
        shutil.move(patched.root / name, site / name)
    killed(patched, "create", "drop", "--merge", "--output=site", at="rename ('a.php',)")
    moved = patched.root.parent / "moved"
    shutil.move(site, moved)
    shutil.rmtree(patched.root)
    assert Project(moved).run("undo").code == 0
    assert (moved / "modules/m/a.php").read_text(encoding="utf-8") == MINE


def test_a_killed_run_whose_patches_were_removed(patched: Project) -> None:
    """If somebody has removed all patches since the kill, they stay removed."""
    killed(patched, "create", "drop", "--merge", at=AT)
    shutil.rmtree(patched.root / "patches")
    ran = patched.create("drop", "--merge")
    assert ran.code == 0
    assert not (patched.root / "patches").exists()


def edited(project: Project) -> None:
    """Edit a file of each module."""
    project.write("modules/m/b.php", LINES.replace("9\n", "edited\n", 1))
    project.write("modules/n/b.php", LINES.replace("9\n", "edited\n", 1))


def test_patches_of_which_some_were_written(patched: Project) -> None:
    """A killed `tool patch` is completed by the next one, or by a build; until then its components
    are incomplete.
    """
    edited(patched)
    killed(patched, "patch", "drop", at="rename ('n.patch',)")
    assert read(patched, FILE) == A + B
    before = tree(patched)
    assert patched.run("patch", "drop", "--dry-run").code == 73
    assert tree(patched) == before
    ran = patched.run("patch", "drop")
    assert (ran.code, ran.out) == (0, f"{FILE}\npatches/modules/n.patch\n"), ran.err
    assert "this run finished it first" in ran.err
    assert patched.create("drop", "--merge").code == 0
    assert patched.run("status", "drop", "--check").code == 0


def test_a_patch_beside_an_interrupted_run(patched: Project) -> None:
    """Until a build is completed, no patch is written, not even of another component."""
    killed(patched, "create", "drop", "--merge", at=AT)
    patched.write("modules/n/b.php", LINES.replace("9\n", "edited\n", 1))
    before = tree(patched)
    ran = patched.run("patch", "drop", "n")
    assert (ran.code, "`modules/m` is not complete: an earlier run was interrupted" in ran.err) == (
        73,
        True,
    )
    assert tree(patched) == before
    assert patched.run("undo").code == 0
    assert patched.run("patch", "drop", "n").code == 0


def test_patches_in_two_places(patched: Project) -> None:
    """If the project has patches of its own, those in the current folder are named as ignored, if
    they are of its components.
    """
    for name in ("modules", RECORD, ".tool", "patches"):
        shutil.move(patched.root / name, patched.root / "site" / name)
    patched.write("patches/modules/n.patch", B)
    patched.write("patches/modules/elsewhere.patch", B)
    ran = patched.run("create", "drop", "--merge", "--output=site", "--log-format=json")
    assert (ran.code, said(ran, "unused-patch")) == (
        0,
        [
            (
                "`patches/modules/n.patch` in the current folder is not used, because the project "
                "has "
                "`patches/`"
            )
        ],
    )
    assert patched.create("drop", "--frozen", "--output=site").code == 80


def test_patches_behind_a_link(patched: Project) -> None:
    """A link to a folder of patches is not followed, and is named."""
    shutil.move(patched.root / "patches/modules", patched.root / "common")
    (patched.root / "patches/modules").symlink_to("../common")
    (patched.root / "patches/other").symlink_to("../common")
    ran = patched.run("status", "drop", "--log-format=json")
    assert (
        said(ran, "unused-patch")[0] == "`patches/modules` is a link, so no patch behind it is used"
    )
    assert patched.create("drop", "--frozen").code == 80


def test_edits_that_are_saved_twice_around_another_build(patched: Project) -> None:
    """Saved edits are known as one's own until they are built, whatever else is built meanwhile."""
    release(patched, "1")
    patched.write("modules/n/a.php", MINE)
    assert patched.run("patch", "drop", "n").code == 0
    assert patched.create("drop", "m").code == 0
    release(patched, "2", ("3", "three"))
    assert patched.create("drop", "m", "--merge").code == 0
    patched.write("modules/n/a.php", MINE.replace("mine", "mine again"))
    ran = patched.run("patch", "drop", "n")
    assert (ran.code, "warning" in ran.err) == (0, False), ran.err
    assert "+mine again" in read(patched, "patches/modules/n.patch")


def test_a_patch_that_changes_while_another_is_made(tmp_path: Path) -> None:
    """`tool patch` leaves a patch that somebody changes after it was read, and writes the
    others.
    """
    other = tmp_path / "patches/modules/n.patch"
    other.parent.mkdir(parents=True)
    other.write_text("theirs", encoding="utf-8")
    with Folder.at(str(tmp_path)) as folder:
        job = PatchJob(
            texts={"modules/m.patch": b"new", "modules/n.patch": b"new"},
            as_read={"modules/n.patch": FileState(digest="as it was")},
            home=tmp_path,
            places=Places(),
            project=OpenProject(tmp_path, folder, Record()),
            run=Run(id="1", time="", command=(), kind="patch"),
            effect=Effect(),
        )
        assert write_patches(job, Console()) == ("modules/n.patch",)
    left = {
        path.relative_to(tmp_path).as_posix(): path
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert sorted(left) == [
        "patches/.gitattributes",
        "patches/.htaccess",
        FILE,
        "patches/modules/n.patch",
    ]
    assert [
        left[name].read_text(encoding="utf-8") for name in (FILE, "patches/modules/n.patch")
    ] == ["new", "theirs"]


def test_a_patch_that_is_a_link(patched: Project, tmp_path: Path) -> None:
    """`tool patch` does not write through a link."""
    edited(patched)
    (patched.root / "patches/modules/n.patch").symlink_to(tmp_path / "other")
    before = read(patched, FILE)
    assert patched.run("patch", "drop").code != 0
    assert (read(patched, FILE), (tmp_path / "other").exists()) == (before, False)
