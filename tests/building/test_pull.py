"""A pulled record without the components that it describes (`docs/howto/git-and-ci.md`)."""

import shutil
from pathlib import Path

import pytest

from tests.support.project import Project

OLD = {"m/m.php": "<?php // 1", "m/lib.php": "lib 1", "m/gone.php": "gone", "m/same.php": "same"}
NEW = {"m/m.php": "<?php // 2", "m/lib.php": "lib 2", "m/new.php": "new", "m/same.php": "same"}
COMMITTED = ("m.zip", ".tool-manifest.json")


@pytest.fixture
def colleague(tmp_path: Path) -> Project:
    """The folder of somebody who builds the next version and commits archive and record."""
    root = tmp_path / "colleague"
    (root / ".git").mkdir(parents=True)
    return Project(root)


@pytest.fixture
def pulled(project: Project, colleague: Project) -> Project:
    """A project that was built, into which the archive and the record of the next
    version have come.
    """
    project.archive("m.zip", OLD)
    assert project.create().code == 0
    pull(project, colleague)
    return project


def pull(project: Project, colleague: Project) -> None:
    """Bring the archive and the record of the next version into a project."""
    colleague.archive("m.zip", NEW)
    assert colleague.create().code == 0
    for name in COMMITTED:
        shutil.copy(colleague.root / name, project.root / name)


def built(files: dict[str, str]) -> dict[str, str]:
    """The files of the module, with other ones, by their paths in the project."""
    return {f"modules/{name}": content for name, content in files.items()}


def test_what_is_behind_the_record_is_built(pulled: Project) -> None:
    """Files of the previous build are the tool's: a check finds them outdated, and a run updates
    them.
    """
    assert (
        pulled.run("status").out
        == "modules/m  -  m.zip  its archive has changed: 4 files change, 1 removed\n"
    )
    assert pulled.create("--check").code == 80
    ran = pulled.create("--frozen")
    assert (ran.code, pulled.tree) == (0, built(NEW))
    assert [
        (each["action"], each["edited"], each["added"]) for each in ran.reported("component")
    ] == [("update", 0, 0)]
    assert pulled.create("--check").code == 0


def test_what_was_edited_meanwhile_is_kept(pulled: Project) -> None:
    """An edit after the last run stays, and conflicts with the new version just as without the
    pull.
    """
    pulled.write("modules/m/same.php", "mine")
    pulled.write("modules/m/upload.png", "upload")
    (pulled.root / "modules" / "m" / "m.php").unlink()
    assert pulled.create().code == 0
    assert pulled.tree == built({**NEW, "m/same.php": "mine", "m/upload.png": "upload"})


@pytest.mark.parametrize("args", [(), ("--keep-going",)])
def test_a_frozen_run_with_a_conflict(pulled: Project, args: tuple[str, ...]) -> None:
    """With `--frozen`, a conflict stops the run, even with `--keep-going`, as the file would not be
    as recorded.
    """
    pulled.write("modules/m/lib.php", "mine")
    ran = pulled.create("--frozen", *args)
    assert [each["message"].partition("; run")[0] for each in ran.reported("error")] == [
        "after the run, these files of `modules/m` would still differ from the record: `lib.php`"
    ]
    assert (ran.code, pulled.tree) == (80, built({**OLD, "m/lib.php": "mine"}))


def test_what_was_edited_before_the_last_run_is_kept(project: Project, colleague: Project) -> None:
    """An edit that the last run here kept stays the user's."""
    project.archive("m.zip", OLD)
    assert project.create().code == 0
    project.write("modules/m/same.php", "mine")
    project.write("modules/m/upload.png", "upload")
    assert project.create().code == 0
    pull(project, colleague)
    assert project.create().code == 0
    assert project.tree == built({**NEW, "m/same.php": "mine", "m/upload.png": "upload"})


@pytest.mark.parametrize("cache", ["--cache", "--no-cache"])
def test_a_revert_is_a_version_of_before(project: Project, cache: str) -> None:
    """A file that was reverted by hand is an edit, whatever the cache has, and the next archive
    does not overwrite it.
    """
    project.archive("m.zip", OLD)
    assert project.create(cache).code == 0
    project.archive("m.zip", NEW)
    assert project.create("--no-cache").code == 0
    project.write("modules/m/lib.php", "lib 1")
    assert project.create(cache).code == 0
    assert project.tree == built({**NEW, "m/lib.php": "lib 1"})


def test_a_cache_that_projects_share(project: Project) -> None:
    """Builds of another project with the same cache say nothing about this one."""
    project.archive("one/m.zip", OLD)
    project.archive("two/m.zip", {**OLD, "m/lib.php": "lib 2"})
    cache = "--cache-file=shared.json"
    assert project.create("one", "--output=north", cache).code == 0
    project.write("north/modules/m/lib.php", "lib 2")
    assert project.create("two", "--output=south", cache).code == 0
    ran = project.create("one", "--output=north", cache)
    assert (ran.code, [each["edited"] for each in ran.reported("component")]) == (0, [1])
    assert (project.root / "north/modules/m/lib.php").read_text(encoding="utf-8") == "lib 2"
