"""`tool undo`: the last run that changed the project is taken back; changes made since stay."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.archives.places import Places
from pipeline.building.stores.journal import read_journal
from pipeline.building.stores.sealed import seal
from tests.support.forks import FORKS
from tests.support.project import Project, Ran, php

FIRST = {"m/m.php": "1", "m/a": "1", "m/gone": "1"}
SECOND = {"m/m.php": "2", "m/a": "1", "m/came": "2"}


def undo(project: Project, *args: str) -> Ran:
    """Undo, with the log as JSON."""
    return project.run("undo", *args, env={"TOOL_LOG_FORMAT": "json"})


def redo(project: Project, *args: str) -> Ran:
    """Redo, with the log as JSON."""
    return project.run("redo", *args, env={"TOOL_LOG_FORMAT": "json"})


def seen(project: Project) -> tuple[dict[str, str], bytes | None, dict[str, Any]]:
    """The files and empty folders of a project, its record, and the components in its state."""
    record, state = project.root / ".tool-manifest.json", project.root / ".tool/state.json"
    known = (
        json.loads(state.read_bytes())["content"].get("components", {}) if state.exists() else {}
    )
    components = {path: each["component"] for path, each in known.items()}
    placed = {
        path: path.read_text(encoding="utf-8")
        for path in (project.root / "lib").rglob("*")
        if path.is_file()
    }
    elsewhere = {path.relative_to(project.root).as_posix(): text for path, text in placed.items()}
    tops = (project.root / "modules", project.root / "themes")
    empty = (folder for top in tops for folder, *inside in os.walk(top) if inside == [[], []])
    elsewhere |= dict.fromkeys(
        (f"{os.path.relpath(folder, project.root)}/" for folder in empty), ""
    )
    return (
        {**project.tree, **elsewhere},
        record.read_bytes() if record.exists() else None,
        components,
    )


@pytest.fixture(scope="module")
def built(shared: Project) -> Project:
    """Two modules that are built, and an update of one in the drop; each test changes a copy."""
    shared.archive("drop/m.zip", FIRST)
    shared.module("n", "drop/n.zip")
    assert shared.create("drop").code == 0
    shared.archive("drop/m.zip", SECOND)
    return shared


@pytest.fixture(scope="module")
def updated_once(built: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The same after the update; each test changes a copy."""
    project = built.copy(tmp_path_factory.mktemp("updated") / "project")
    assert project.create("drop").code == 0
    return project


@pytest.fixture
def outdated(built: Project, tmp_path: Path) -> Project:
    """A project of two modules, of which the drop has an update of one."""
    return built.copy(tmp_path / "project")


@pytest.fixture
def updated(updated_once: Project, tmp_path: Path) -> Project:
    """A project of two modules, of which the last run has updated one."""
    return updated_once.copy(tmp_path / "project")


def edited(project: Project) -> None:
    """Edits of what is built: one in conflict, and a file of the user."""
    project.write("modules/m/m.php", "mine")
    project.write("modules/m/own/file", "mine")


def present(project: Project) -> None:
    """A module that is in a folder of its own choice already, with a file of the user."""
    project.archive("drop/m.zip", FIRST)
    project.write("lib/plugins/m/m.php", "1")
    project.write("lib/plugins/m/mine", "mine")


def packed_again(project: Project) -> None:
    """The same files in other archives: what was an update is built, and then the record
    alone changes.
    """
    assert project.create("drop").code == 0
    project.archive("drop/m.zip", {**SECOND, "m/": ""})
    project.archive("drop/n.zip", {"n/n.php": php("n"), "n/": ""})


def lost(project: Project) -> None:
    """A module that somebody has removed, with its archive."""
    shutil.rmtree(project.root / "modules/n")
    (project.root / "drop/n.zip").unlink()
    project.archive("drop/m.zip", FIRST)


def emptied(project: Project) -> None:
    """A module of which somebody has emptied folders, and made one, all of which the update
    fills, or empties.
    """
    first = {"m/m.php": "1", "m/full/a": "1", "m/deep/er/a": "1", "m/less/a": "1", "m/old/a": "1"}
    project.archive("drop/m.zip", first)
    assert project.create("drop").code == 0
    for name in ("full/a", "deep/er/a", "less/a"):
        (project.root / "modules/m" / name).unlink()
    (project.root / "modules/m/own").mkdir()
    second = {
        "m/m.php": "2",
        "m/full/a": "1",
        "m/deep/er/a": "2",
        "m/less/b": "2",
        "m/own/a": "2",
        "m/old/": "",
    }
    project.archive("drop/m.zip", second)


LIVES = {
    "the first build": (False, lambda project: project.module("n", "drop/n.zip"), ()),
    "the first build over what was there": (
        False,
        present,
        ("m", "--force", "--modules-dir=lib/plugins"),
    ),
    "an update of what was emptied": (False, emptied, ()),
    "an update": (True, lambda _: None, ()),
    "a removal": (True, lambda _: None, ("--exclude=m", "--prune")),
    "what was forced": (True, edited, ("--force",)),
    "what was mine": (True, edited, ("--mine",)),
    "a removal of what was edited": (True, edited, ("--exclude=m", "--prune")),
    "archives that were packed again": (True, packed_again, ()),
    "a record of what is gone": (True, lost, ("--prune",)),
}
"""By its name, whether a run is of the project that was built before, what is done there, and the
flags of the run.
"""
APART = [
    (life, "EXDEV") for life in ("the first build", "a removal", "a removal of what was edited")
]
"""Runs of whole components, which a system may refuse to move."""


@pytest.mark.parametrize(("life", "apart"), [*((life, "") for life in LIVES), *APART])
def test_there_and_back(built: Project, tmp_path: Path, life: str, apart: str) -> None:
    """After an undo, the project, its record and its state are as before the run, and after a redo
    as after it, again and again.
    """
    is_built, prepare, args = LIVES[life]
    project = built.copy(tmp_path / "project") if is_built else Project(tmp_path / "project")
    prepare(project)
    before = seen(project)
    assert FORKS.run(project.root, "create", "drop", *args, apart=apart).code == 0
    after = seen(project)
    assert after != before
    for command, wanted in (("undo", before), ("redo", after), ("undo", before)):
        ran = FORKS.run(project.root, command, apart=apart)
        assert (ran.code, '"event":"error"' in ran.err) == (0, False)
        assert seen(project) == wanted
        assert not (project.root / ".tool/staging").exists()


@pytest.mark.parametrize("args", [(), ("--no-hooks",)])
def test_what_is_gone(project: Project, args: tuple[str, ...]) -> None:
    """If nothing is left of the first build, there is no record afterwards, as there was none
    before.
    """
    project.module("n", "drop/n.zip")
    project.write("post-scripts/a.sh", "true")
    before = seen(project)
    assert project.create("drop").code == 0
    shutil.rmtree(project.root / "modules")
    assert undo(project, *args).code == 0
    assert seen(project) == before


def test_a_dry_run(updated: Project) -> None:
    """A dry run shows what undo would do, and warns of archives that the next build would build
    again.
    """
    before = seen(updated)
    ran = undo(updated, "--dry-run")
    assert ran.code == 0
    (reported,) = ran.reported("component")
    assert (reported["action"], reported["path"], reported["files"]) == ("update", "modules/m", 3)
    assert [each["code"] for each in ran.reported("warning")] == ["built-again"]
    assert "`m.zip`" in ran.reported("warning")[0]["message"]
    assert ran.reported("summary")[0]["outcome"] == "planned"
    assert seen(updated) == before


def test_what_was_done_since(updated: Project) -> None:
    """Files that were added or edited since stay; a file that both the run and somebody changed is
    a conflict to decide.
    """
    updated.write("modules/m/a", "edited since")
    updated.write("modules/m/new", "added since")
    updated.write("modules/m/m.php", "mine")
    before = seen(updated)
    ran = undo(updated)
    assert ran.code == 73
    (error,) = ran.reported("error")
    assert (
        error["message"]
        == "`modules/m` has changed since the run that is undone: `modules/m/m.php`"
    )
    assert seen(updated) == before
    since = {
        "modules/m/a": "edited since",
        "modules/m/new": "added since",
        "modules/n/n.php": php("n"),
    }
    assert undo(updated, "--mine").code == 0
    assert updated.tree == {**since, "modules/m/m.php": "mine", "modules/m/gone": "1"}
    kept = [path.read_text() for path in updated.root.glob(".tool/backup/*/modules/m/m.php")]
    assert kept == ["1"]
    assert redo(updated, "--force").code == 0
    assert updated.tree == {**since, "modules/m/m.php": "mine", "modules/m/came": "2"}


def test_what_cannot_be_undone(updated: Project) -> None:
    """If nothing is kept, or if the record or the kept files were changed, undo says so and does
    nothing.
    """

    def reported(ran: Ran) -> str:
        assert ran.code == 73
        return str(ran.reported("error")[0]["message"])

    record = updated.root / ".tool-manifest.json"
    whole = record.read_bytes()
    record.unlink()
    assert "`.tool-manifest.json` has changed since the run that could be undone" in reported(
        undo(updated)
    )
    record.write_bytes(whole)
    before = seen(updated)
    kept = updated.root / ".tool/previous/0.undo/m.php"
    kept.write_text("changed", encoding="utf-8")
    assert (
        reported(undo(updated))
        == "`.tool/previous/0.undo/m.php` has changed since the run that could be undone"
    )
    assert seen(updated) == before
    run = updated.root / ".tool/previous/run.json"
    previous = read_journal(run.read_bytes())
    assert previous
    run.write_bytes(seal(replace(previous, changes=(), places=Places("src", "lib"))))
    for args in ((), ("--dry-run",), ("--force",)):
        assert (
            reported(undo(updated, *args))
            == "`.tool/previous/run.json` has changed since the run that could be undone"
        )
    assert seen(updated) == before
    assert undo(updated, "--force", "--mine").code == 64
    updated.archive("drop/m.zip", FIRST)
    assert updated.create("drop", env={"TOOL_KEEP": "none"}).code == 0
    assert reported(undo(updated)) == "there is no run to undo or redo"
    assert updated.create("drop", env={"TOOL_KEEP": "nothing"}).code == 64


def test_undo_and_redo_take_turns(updated: Project) -> None:
    """An undo after an undo suggests `redo`, and a redo after anything else suggests `undo`; both
    name the run.
    """
    ran = redo(updated)
    (error,) = ran.reported("error")
    assert (ran.code, error["help"]) == (73, "`tool undo` undoes that run")
    ran = undo(updated)
    (event,) = ran.reported("undo")
    assert (ran.code, event["command"]) == (0, ["tool", "create", "drop"])
    for args in ((), ("--dry-run",), ("--force",)):
        ran = undo(updated, *args)
        (error,) = ran.reported("error")
        assert (ran.code, error["help"]) == (73, "`tool redo` reverses the undo")
    ran = redo(updated)
    (event,) = ran.reported("undo")
    assert (ran.code, event["command"]) == (0, ["tool", "undo"])
    assert redo(updated).code == 73
    assert undo(updated).code == 0


def test_a_component_that_was_removed_since(outdated: Project) -> None:
    """A component that was removed since cannot be completed from the replaced files, so the undo
    is refused, even with `--force`.

    The command in the error undoes the other components.
    """
    outdated.archive("drop/n.zip", {"n/n.php": php("n", "2"), "n/same": "1"})
    assert outdated.create("drop").code == 0
    shutil.rmtree(outdated.root / "modules/m")
    before = seen(outdated)
    for args in ((), ("--force",), ("--mine",), ("--dry-run",)):
        ran = undo(outdated, *args)
        (error,) = ran.reported("error")
        assert (ran.code, error["message"]) == (
            73,
            "`modules/m` has been removed since the run that could be undone",
        )
        way = "build the archives that you want, even older ones, with `tool create`"
        assert error["help"] == f"`tool undo modules/n` undoes the others; or {way}"
        assert seen(outdated) == before
    (error,) = undo(outdated, "m").reported("error")
    assert error["help"] == way
    assert undo(outdated, "modules/n").code == 0


def test_hooks(outdated: Project) -> None:
    """Post hooks run, and init hooks do not; with `--no-hooks`, none does."""
    outdated.write("init-scripts/a.sh", "echo init >> ran")
    outdated.write("post-scripts/a.sh", "echo post >> ran")
    assert outdated.create("drop").code == 0
    for command, args, expected in (
        (undo, ("--no-hooks",), ""),
        (redo, ("--no-exec",), ""),
        (undo, (), "post\n"),
    ):
        (outdated.root / "ran").write_text("", encoding="utf-8")
        assert command(outdated, *args).code == 0
        assert (outdated.root / "ran").read_text(encoding="utf-8") == expected


def test_presets(outdated: Project) -> None:
    """A given preset decides about hooks, as in `tool create`."""
    outdated.write("post-scripts/a.sh", "exit 3")
    outdated.write("presets/strict.json", '{"hooks": {"onFailure": "fail"}}')
    assert outdated.create("drop").code == 0
    assert undo(outdated, "--preset=strict", "--presets-search-path=presets").code == 79
    assert redo(outdated, "--preset=none").code == 0


def test_archives_are_kept(project: Project) -> None:
    """Without room, the archive of the built version is kept, and that of the one before as long as
    it can be undone.
    """
    versions: list[Path] = []
    for number in ("1", "2", "3"):
        project.archive("drop/m.zip", {"m/m.php": number})
        assert project.create("drop", env={"TOOL_KEEP": "0K"}).code == 0
        versions = sorted((project.root / ".tool/archives").iterdir())
        assert len(versions) == 2 * min(2, int(number))
    assert undo(project).code == 0
    assert sorted((project.root / ".tool/archives").iterdir()) == versions


def test_the_log(project: Project) -> None:
    """Each run that changed the project has a line, in order of time; a damaged line is skipped."""
    marker = "<module><name>m</name><version>{}</version></module>"
    for version in ("1.0", "2.0"):
        project.archive("drop/m.zip", {"m/m.php": version, "m/config.xml": marker.format(version)})
        assert project.create("drop").code == 0
    assert project.create("drop").code == 0
    assert project.create("drop", "--dry-run").code == 0
    project.write("modules/m/m.php", "mine")
    assert project.create("drop", "--exclude=m", "--prune").code == 0
    (backup,) = (project.root / ".tool/backup").iterdir()
    assert undo(project).code == 0
    with (project.root / ".tool/log.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "torn')
    runs = [each for each in project.run("log", "--log-format=json").printed if "event" not in each]
    digests = [
        each.pop("digest")
        for run in runs
        for did in ("added", "updated", "removed")
        for each in run[did]
    ]
    assert len(set(digests)) == 2
    facts = [
        {key: value for key, value in run.items() if key not in {"id", "time"} and value}
        for run in runs
    ]
    assert facts == [
        {"command": ["tool", "create", "drop"], "added": [{"path": "modules/m", "version": "1.0"}]},
        {
            "command": ["tool", "create", "drop"],
            "updated": [{"path": "modules/m", "version": "2.0", "previous": "1.0"}],
        },
        {
            "command": ["tool", "create", "drop", "--exclude=m", "--prune"],
            "removed": [{"path": "modules/m", "previous": "2.0"}],
            "backup": f".tool/backup/{backup.name}",
        },
        {"command": ["tool", "undo"], "added": [{"path": "modules/m", "version": "2.0"}]},
    ]
    about = project.run("log", "m", "--log-format=json").printed
    assert len([each for each in about if "event" not in each]) == len(runs)


def test_the_log_of_a_name_that_it_has_not(project: Project, built: Project) -> None:
    """If no run changed a component of the name, the log says so."""
    assert project.run("log", "m").err == "no run is in the log\n"
    ran = built.run("log", "modules/mm", "m/")
    assert (ran.code, len(ran.out.splitlines())) == (0, 3)
    assert ran.err.startswith("warning: no run in the log changed `modules/mm`\n")


def test_the_time_of_what_is_brought_back(outdated: Project) -> None:
    """A restored file has the time of writing, or of `SOURCE_DATE_EPOCH`: with an old time, PHP's
    code cache would go on serving the other code.

    Files in the backup keep their own time.
    """
    module = outdated.root / "modules/m"
    outdated.write("modules/m/a", "mine")
    outdated.archive("drop/m.zip", {**SECOND, "m/a": "2"})
    for path in (module / "a", module / "m.php"):
        os.utime(path, (1, 1))
    assert outdated.create("drop", "--force").code == 0
    (backup,) = outdated.root.glob(".tool/backup/*/modules/m/a")
    begun = (module / "m.php").stat().st_mtime
    assert undo(outdated).code == 0
    assert (module / "a").read_text("utf-8") == "mine"
    assert all((module / name).stat().st_mtime >= begun for name in ("a", "m.php", "gone"))
    assert backup.stat().st_mtime == 1
    assert outdated.run("redo", env={"SOURCE_DATE_EPOCH": "1000000000"}).code == 0
    assert {(module / name).stat().st_mtime for name in ("a", "m.php", "came")} == {1_000_000_000.0}
    assert outdated.run("undo", env={"SOURCE_DATE_EPOCH": "yesterday"}).code == 65
    assert {
        each["action"] for each in outdated.create("drop", "--check").reported("component")
    } == {"keep"}


def test_a_component_that_became_a_link(updated: Project) -> None:
    """If a component has become a link, undo asks to put its folder back and a removal to move the
    link away; then undo works.
    """
    (updated.root / "modules/m").rename(updated.root / "elsewhere")
    (updated.root / "modules/m").symlink_to("../elsewhere")
    (error,) = undo(updated).reported("error")
    assert (error["error"], error["help"]) == ("OutputConflict", "put the component's folder back")
    (error,) = updated.create("drop", "--exclude=m", "--prune").reported("error")
    assert (error["error"], error["help"]) == ("OutputConflict", "move it away")
    (updated.root / "modules/m").unlink()
    (updated.root / "elsewhere").rename(updated.root / "modules/m")
    assert undo(updated).code == 0


def test_an_empty_folder_is_no_file(project: Project) -> None:
    """The run that builds a component, its undo and the redo of it count the same files."""
    project.archive("m.zip", {"m/m.php": php("m"), "m/a": "1", "m/empty/": ""})
    runs = [project.create(), undo(project), redo(project)]
    counts = [(each["action"], each["files"]) for ran in runs for each in ran.reported("component")]
    assert counts == [("add", 2), ("remove", 2), ("add", 2)]
