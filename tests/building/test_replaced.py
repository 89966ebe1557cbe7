"""Another version in a component's place: the system updated it by itself (`docs/building.md`)."""

import json
import os
import shutil
from typing import Any

import pytest

from tests.support.project import Project


def module(version: str, **files: str) -> dict[str, str]:
    """The files of a version of a module that names it in its marker, and in a library."""
    marker = json.dumps({"name": "m", "version": version})
    return {"m/module.json": marker, "m/lib.php": f"lib {version}", "m/same.php": "same", **files}


OLD, NEW, NEWER = module("1.0", **{"m/old.php": "old"}), module("2.0"), module("3.0")


def built(files: dict[str, str], **more: str) -> dict[str, str]:
    """The files of the module by their paths in the project."""
    return {f"modules/{name}": content for name, content in {**files, **more}.items()}


def install(project: Project, files: dict[str, str]) -> None:
    """Put a version in the module's place, as a system does that updates it by itself."""
    shutil.rmtree(project.root / "modules" / "m")
    for name, content in files.items():
        project.write(f"modules/{name}", content)


def record_of(project: Project) -> dict[str, Any]:
    """What the record says of the module."""
    recorded = json.loads((project.root / ".tool-manifest.json").read_text(encoding="utf-8"))
    components: dict[str, dict[str, Any]] = recorded["content"]["components"]
    return components["modules/m"]


@pytest.fixture
def updated(project: Project) -> Project:
    """A project whose system has updated a module that was built, and somebody has added a file before."""
    project.archive("m.zip", OLD)
    assert project.create().code == 0
    project.write("modules/m/upload.png", "upload")
    assert project.create().code == 0
    install(project, {**NEW, "m/upload.png": "upload"})
    return project


def test_what_no_archive_gives(updated: Project) -> None:
    """With `--mine`, pipes, what systems leave behind and a repository come in no record, and stay."""
    os.mkfifo(updated.root / "modules/m/pipe")
    for name in (".DS_Store", "lib/Thumbs.db", ".git/config"):
        updated.write(f"modules/m/{name}", "junk")
    assert updated.create("--mine").code == 0
    assert sorted(record_of(updated)["files"]) == ["lib.php", "module.json", "same.php"]
    assert [updated.create("--check").code, updated.run("status", "--check").code] == [0, 0]
    updated.archive("m.zip", NEWER)
    assert updated.create().code == 0
    assert (updated.root / "modules/m/pipe").is_fifo()
    assert (updated.root / "modules/m/.git/config").read_text() == "junk"


@pytest.mark.parametrize("archive", [OLD, NEWER], ids=["the older archive", "a third version"])
def test_two_versions_are_not_mixed(updated: Project, archive: dict[str, str]) -> None:
    """A run stops and leaves the component as it is, whichever archive is there; status says both versions."""
    updated.archive("m.zip", archive)
    before = updated.tree
    ran = updated.create()
    assert (ran.code, [each["error"] for each in ran.told("error")]) == (73, ["ComponentReplaced"])
    assert updated.tree == before
    assert "replaced: 2.0 is there" in updated.run("status").out
    (status,) = [json.loads(line) for line in updated.run("status", "--log-format=json").out.splitlines()]
    assert (status["version"], status["installed"]) == ("1.0", "2.0")


def test_it_is_taken_over(updated: Project) -> None:
    """With `--mine` what is there counts as written; its archive is not built over it, and the next one updates it."""
    ran = updated.create("--mine")
    assert (ran.code, [each["code"] for each in ran.told("warning")]) == (0, ["another-version"])
    assert "adopted; 1.0 of the drop is not built over it" in updated.run("status").out
    recorded = record_of(updated)
    assert (recorded["version"], sorted(recorded["files"])) == ("2.0", ["lib.php", "module.json", "same.php"])
    assert updated.create("--frozen").code == 0
    assert updated.tree == built(NEW, **{"m/upload.png": "upload"})
    (updated.root / "modules/m/lib.php").unlink()
    assert updated.create().code == 0
    assert "modules/m/lib.php" not in updated.tree
    updated.write("modules/m/lib.php", "lib 2.0")
    updated.archive("m.zip", module("3.0"))
    assert updated.create().code == 0
    assert updated.tree == built(NEWER, **{"m/upload.png": "upload"})
    assert "instead_of" not in record_of(updated)


def test_what_was_declined_is_declined_after_a_redo(project: Project) -> None:
    """Files of another version that were kept in a first build are kept again where that build is done once more."""
    for name, content in NEW.items():
        project.write(f"modules/{name}", content)
    project.archive("m.zip", OLD)
    for args in (("create", "--mine"), ("undo",), ("undo",), ("create",)):
        ran = project.run(*args, env={"TOOL_LOG_FORMAT": "json"})
        assert (ran.code, ran.told("error")) == (0, []), args
    assert project.tree == built({**OLD, **NEW})


def test_another_version_that_nobody_built(project: Project) -> None:
    """Where a version was installed before the first run, status and the conflict say both, and so does what wins."""
    for name, content in NEW.items():
        project.write(f"modules/{name}", content)
    project.archive("m.zip", OLD)
    assert "not in the record: 2.0 is there; 1 as in the archive, 2 differ; 1 missing" in project.run("status").out
    (error,) = project.create().told("error")
    assert "(2.0 is there, the archive has 1.0)" in error["message"]
    assert error["help"].startswith(
        "build an archive of 2.0 first (`tool help howto/updates`); or build with `--force`"
    )
    (warning, _) = project.create("--mine").told("warning")
    assert warning["code"] == "another-version"
    assert warning["message"] == "`modules/m` was not built here: version 2.0 is there, and is treated as `m.zip` (1.0)"


def test_taking_over_is_undone(updated: Project) -> None:
    """It is in the log, and undone as any other change: the next run stops again."""
    before = record_of(updated)
    assert updated.create("--mine").code == 0
    assert "updated  modules/m  1.0 → 2.0" in updated.run("log").out
    ran = updated.run("undo", "--log-format=json")
    assert (ran.code, ran.told("warning")) == (0, [])
    assert (record_of(updated), updated.tree) == (before, built(NEW, **{"m/upload.png": "upload"}))
    assert [each["error"] for each in updated.create().told("error")] == ["ComponentReplaced"]
    ran = updated.run("undo", "--log-format=json")
    assert (ran.code, ran.told("warning"), updated.create().code) == (0, [], 0)


def test_force_after_taking_over_was_undone(updated: Project) -> None:
    """Once it is undone, `--force` still builds the archive's version whole, and leaves nothing of the other."""
    install(updated, {**NEW, "m/new.php": "new", "m/upload.png": "upload"})
    assert [updated.create("--mine").code, updated.run("undo").code, updated.create("--force").code] == [0, 0, 0]
    assert updated.tree == built(OLD, **{"m/upload.png": "upload"})


def test_what_was_taken_over_is_never_deleted(updated: Project) -> None:
    """What a later archive has no longer goes to the backup, also if the component is removed."""
    assert updated.create("--mine").code == 0
    updated.archive("m.zip", {name: text for name, text in NEWER.items() if "same" not in name})
    assert updated.create().code == 0
    assert [path.name for path in updated.root.glob(".tool/backup/**/same.php")] == ["same.php"]


def test_the_archive_is_built_whole(updated: Project) -> None:
    """With `--force` the archive's version is built; all else goes to the backup, but what somebody added stays."""
    assert updated.create("--force").code == 0
    assert updated.tree == built(OLD, **{"m/upload.png": "upload"})
    kept = {path.name for path in updated.root.glob(".tool*/**/m/*") if "backup" in str(path)}
    assert kept == {"module.json", "lib.php"}


def test_a_link_that_was_added_stays(updated: Project) -> None:
    """With `--force`, what somebody has added stays where it is, also if it is a link or an empty folder."""
    install(updated, OLD)
    link, folder = updated.root / "modules/m/mine", updated.root / "modules/m/own"
    for version in (OLD, NEW):
        install(updated, version)
        link.symlink_to("same.php")
        folder.mkdir()
        assert updated.create("--force").code == 0
        assert (str(link.readlink()), folder.is_dir()) == ("same.php", True)
    assert updated.tree["modules/m/lib.php"] == "lib 1.0"
    assert not (updated.root / ".tool/backup").exists() or not [*updated.root.glob(".tool/backup/*/modules/m/mine")]


def test_what_was_taken_over_and_is_gone(updated: Project) -> None:
    """Where a component that was taken over is no longer, its old archive is not built without being asked to."""
    assert updated.create("--mine").code == 0
    shutil.rmtree(updated.root / "modules" / "m")
    assert [each["error"] for each in updated.create().told("error")] == ["ComponentReplaced"]
    assert "adopted; 1.0 of the drop is not built over it; missing" in updated.run("status").out
    assert updated.create("--force").code == 0
    assert updated.tree == built(OLD)


def test_the_system_was_first(project: Project) -> None:
    """Where the system has installed the very version of the archive, equal files are taken over, and no more."""
    project.archive("m.zip", OLD)
    assert project.create().code == 0
    install(project, NEW)
    project.archive("m.zip", NEW)
    ran = project.create()
    assert (ran.code, [each["action"] for each in ran.told("component")]) == (0, ["keep"])
    assert record_of(project)["version"] == "2.0"


def test_a_marker_that_was_edited(project: Project) -> None:
    """A marker that alone was changed is an edit, and so is a component whose marker is as it was."""
    project.archive("m.zip", OLD)
    assert project.create().code == 0
    project.write("modules/m/module.json", NEW["m/module.json"])
    assert project.create().code == 0
    project.write("modules/m/lib.php", "mine")
    assert project.create().code == 0
    assert record_of(project)["version"] == "1.0"


def test_those_of_several_that_are_named_are_taken_over(project: Project) -> None:
    """Of several that were replaced none is taken over unless it is named; of two names, both are."""
    for name in ("m", "n", "o"):
        files = {each.replace("m/", f"{name}/", 1): text.replace('"m"', f'"{name}"') for each, text in OLD.items()}
        project.archive(f"{name}.zip", files)
    assert project.create().code == 0
    for name in ("m", "n", "o"):
        for each, text in NEW.items():
            project.write("modules/" + each.replace("m/", f"{name}/", 1), text.replace('"m"', f'"{name}"'))
    ran = project.create("--mine")
    assert [each["error"] for each in ran.told("error")] == ["ComponentReplaced"] * 3
    assert project.create(".", "m", "n", "--mine").code == 0
    assert [each["source"] for each in project.create("--mine").told("error")] == []


def test_it_is_updated_again_after_it_was_taken_over(updated: Project) -> None:
    """A run that leaves what was taken over as it is does not make a later version of the system's its own."""
    assert updated.create("--mine").code == 0
    install(updated, module("4.0", **{"m/fourth.php": "4"}))
    assert updated.create().code == 0
    updated.archive("m.zip", NEWER)
    assert [each["error"] for each in updated.create().told("error")] == ["ComponentReplaced"]
    assert updated.create("--force").code == 0
    assert updated.tree == built(NEWER)


def test_a_frozen_run_takes_nothing_over(updated: Project) -> None:
    """With `--frozen`, a component is not taken over, as that would be recorded."""
    ran = updated.create("--mine", "--frozen")
    assert (ran.code, [each["error"] for each in ran.told("error")]) == (80, ["OutOfDate"])
    assert record_of(updated)["version"] == "1.0"


def test_a_frozen_run_where_it_is_replaced(updated: Project) -> None:
    """With `--frozen`, a component that was replaced is not as recorded, also where what is wrong is passed over."""
    before = updated.tree
    ran = updated.create("--frozen", "--keep-going")
    assert (ran.code, [each["error"] for each in ran.told("error")], updated.tree) == (80, ["OutOfDate"], before)
    shutil.rmtree(updated.root / "modules" / "m")
    updated.write("modules/m", "a file")
    assert (updated.create("--frozen", "--keep-going").code, updated.tree) == (80, {"modules/m": "a file"})


def test_a_later_record_where_the_state_is_lost(updated: Project) -> None:
    """A record with a later version than files and drop is kept, also without a state, and status says so."""
    updated.archive("m.zip", NEW)
    assert updated.create().code == 0
    shutil.rmtree(updated.root / ".tool")
    install(updated, OLD)
    updated.archive("m.zip", OLD)
    looked = updated.run("status", env={"TOOL_LOG_FORMAT": "json"})
    assert (looked.code, [each["code"] for each in looked.told("warning")]) == (0, ["record-ahead"])
    ran = updated.create()
    assert (ran.code, [each["code"] for each in ran.told("warning")]) == (0, ["record-ahead"])
    assert record_of(updated)["version"] == "2.0"


@pytest.fixture
def updated_since(project: Project) -> Project:
    """A project in which a run has changed one file of a module, that the system has updated since."""
    for patch in ("old", "new"):
        project.archive("m.zip", {**OLD, "m/patch.php": patch})
        assert project.create().code == 0
    install(project, {**NEW, "m/patch.php": "new"})
    return project


def test_undo_stops_at_another_version(updated_since: Project) -> None:
    """A run is not taken back in what the system has updated; with `--mine` that is left, also on the way back."""
    before = updated_since.tree
    ran = updated_since.run("undo", env={"TOOL_LOG_FORMAT": "json"})
    assert (ran.code, [each["error"] for each in ran.told("error")]) == (73, ["ComponentReplaced"])
    assert updated_since.tree == before
    for args in (("--mine",), ()):
        ran = updated_since.run("undo", *args, env={"TOOL_LOG_FORMAT": "json"})
        assert (ran.code, ran.told("warning"), updated_since.tree) == (0, [], before)
        assert "replaced: 2.0 is there" in updated_since.run("status").out


def test_undo_forced_over_another_version(updated_since: Project) -> None:
    """With `--force`, nothing of the other version is left, but in the backup; and that is undone, too."""
    before = updated_since.tree
    assert updated_since.run("undo", "--force").code == 0
    assert updated_since.tree == {**before, **built({**OLD, "m/patch.php": "old"})}
    assert updated_since.run("undo").code == 0
    assert updated_since.tree == before
