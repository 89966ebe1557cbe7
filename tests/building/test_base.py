"""What a component on disk was made from, and what a run does if that is not
known (`docs/building.md`).
"""

import json
import shutil
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.project import Project
from tests.support.sites import (
    archives,
    backed_up,
    built,
    codes,
    errors,
    install,
    record_of,
    status_of,
)


def module(version: str, **files: str) -> dict[str, str]:
    """The files of a version of a module that names it in its marker, and in a library."""
    marker = json.dumps({"name": "m", "version": version})
    return {"m/module.json": marker, "m/lib.php": f"lib {version}", "m/same.php": "same", **files}


OLD, NEW, NEWER = (
    module("1.4.2", **{"m/old.php": "old"}),
    module("1.5.0"),
    module("1.6.0", **{"m/new.php": "new"}),
)


def rewrite(project: Project, **more: object) -> None:
    """Write a record that says something else of the module, as somebody may have done who
    committed it.
    """
    from msgspec.structs import replace

    from pipeline.building.stores.record import Record, read_record, write_record

    file = project.root / ".tool-manifest.json"
    record = read_record(file.read_bytes())
    assert record is not None
    component = replace(record.components["modules/m"], **more)
    file.write_bytes(write_record(Record({"modules/m": component})))


@pytest.fixture
def site(project: Project) -> Project:
    """A site whose module no run has built: somebody has edited a file, and added one."""
    install(project, {**OLD, "m/lib.php": "mine", "m/upload.png": "upload"})
    return project


def test_a_running_site_is_taken_over(site: Project) -> None:
    """With the archive of the version on disk, a run takes over a site without a flag and without
    touching a file.

    `tool patch` saves the edits that it found.
    """
    archives(site, m=OLD)
    before = {path: path.stat().st_mtime_ns for path in site.root.glob("modules/m/*")}
    assert "+mine" in site.run("diff", "--mine").out
    assert "not in the record: 3 as in the archive, 1 differs" in site.run("status").out
    ran = site.create()
    assert (ran.code, codes(ran), [each["action"] for each in ran.reported("component")]) == (
        0,
        [],
        ["keep"],
    )
    assert {path: path.stat().st_mtime_ns for path in site.root.glob("modules/m/*")} == before
    event = status_of(site)
    assert (record_of(site)["version"], event["edited"], event["added"]) == (
        "1.4.2",
        ["lib.php"],
        ["upload.png"],
    )
    assert site.run("patch").code == 0
    assert "+mine" in (site.root / "patches/modules/m.patch").read_text(encoding="utf-8")
    assert site.run("undo").code == 0
    assert (
        record_of(site),
        {path: path.stat().st_mtime_ns for path in site.root.glob("modules/m/*")},
    ) == ({}, before)


def test_an_edit_of_a_site_is_merged(project: Project) -> None:
    """`--merge` merges an edit of a site with a newer archive; the archive of the version on disk
    is the base.
    """
    text = "one\n2\n3\n4\n{}\n"
    old, new = (module(each, **{"m/lib.php": text.format(each)}) for each in ("1.4.2", "1.5.0"))
    archives(project, a=old, b=new)
    install(project, {**old, "m/lib.php": "mine\n2\n3\n4\n1.4.2\n"})
    assert errors(project.create()) == ["OutputConflict"]
    assert project.create("--merge").code == 0
    assert project.tree == built({**new, "m/lib.php": "mine\n2\n3\n4\n1.5.0\n"})


def test_the_archive_of_the_version_on_disk_is_needed(project: Project) -> None:
    """No message advises to remove the archive that the next run needs as the base; after that run,
    the log has both versions.
    """
    archives(project, a=OLD, b=NEW)
    install(project, OLD)
    assert codes(project.run("status", "--log-format=json")) == []
    assert codes(project.create()) == []
    assert "modules/m  1.4.2 → 1.5.0" in project.run("log").out
    warnings = project.create().reported("warning")
    assert [each["help"].partition(";")[0] for each in warnings] == [
        "after the build, remove `a.zip`"
    ]
    archives(project, a=OLD, b=NEW, c=NEWER)
    warnings = project.create("--dry-run").reported("warning")
    assert [each["help"].partition(";")[0] for each in warnings] == [
        "after the build, remove `a.zip`"
    ]


@pytest.mark.parametrize(
    "flags", [(), ("--mine",), ("--force",), ("--merge",), ("--prune",)], ids=" ".join
)
def test_the_newest_archive_alone(site: Project, flags: tuple[str, ...]) -> None:
    """Two versions are never mixed: without the archive of the version on disk, a component stays
    as it is, and others are built.
    """
    archives(site, m=NEW)
    site.module("other")
    before = site.tree
    ran = site.create(".", *flags)
    assert (ran.code, errors(ran), backed_up(site)) == (73, ["UnknownBase"], [])
    assert site.tree == {
        **before,
        **{name: text for name, text in site.tree.items() if "other" in name},
    }
    assert (record_of(site), bool(record_of(site, "modules/other"))) == ({}, True)
    (error,) = ran.reported("error")
    assert error["message"] == (
        "cannot tell what `modules/m` was made from: 1.4.2 is on disk, but `m.zip` has 1.5.0; "
        "`--force` would replace 2 files, leave 2 unchanged and move 1 away"
    )


def test_the_ways_out_of_an_unknown_base(site: Project) -> None:
    """The command in the error builds the archive whole; files that cannot run stay, and the rest
    goes to the backup.

    `tool diff NAME` shows that before.
    """
    archives(site, m=NEW)
    site.write("modules/m/.git/config", "git")
    site.write("modules/m/hack.php", "hack")
    (error,) = site.create().reported("error")
    assert "`tool create . --force modules/m`" in error["help"]
    assert "`--exclude=m` leaves it to the system" in error["help"]
    assert (site.create("--exclude=m").code, record_of(site)) == (0, {})
    *diffs, forced = site.run("diff", "m", "--log-format=json").printed
    assert [each["path"] for each in diffs] == [
        *("modules/m/hack.php", "modules/m/lib.php", "modules/m/module.json", "modules/m/old.php")
    ]
    assert forced == {
        "event": "forced",
        "path": "modules/m",
        "replaces": ["lib.php", "module.json"],
        "leaves": [".git/config", "same.php", "upload.png"],
        "moves": ["hack.php", "old.php"],
    }
    ran = site.create(".", "--force", "modules/m")
    assert [(each["previous"], each["version"]) for each in ran.reported("component")] == [
        ("1.4.2", "1.5.0")
    ]
    assert ran.code == 0
    files = {**NEW, "m/upload.png": "upload", "m/.git/config": "git"}
    assert (site.tree, record_of(site)["version"]) == (built(files), "1.5.0")
    assert backed_up(site) == ["hack.php", "lib.php", "module.json", "old.php"]


def test_an_uncertain_base(project: Project) -> None:
    """An archive of the version on disk of which files are missing and others differ only counts as
    the base with `--mine NAME`.
    """
    there = {**OLD, "m/lib.php": "mine"}
    del there["m/old.php"]
    install(project, there)
    archives(project, a=OLD, b=NEW)
    (error,) = project.create().reported("error")
    assert "`tool create . --mine modules/m`" in error["help"]
    assert (project.tree, errors(project.create("--mine"))) == (built(there), ["UnknownBase"])
    assert errors(project.create(".", "m", "--mine")) == []
    assert (project.tree["modules/m/lib.php"], record_of(project)["version"]) == ("mine", "1.5.0")


@pytest.fixture
def updated(project: Project) -> Project:
    """A project whose system has updated a module that was built, in which somebody had edited and
    added a file.
    """
    archives(project, m=OLD)
    assert project.create().code == 0
    project.write("modules/m/upload.png", "upload")
    project.write("modules/m/same.php", "mine")
    assert project.create().code == 0
    install(project, {**NEW, "m/upload.png": "upload"})
    return project


def test_an_automatic_update_stops_nobody(updated: Project) -> None:
    """A component that its system has updated by itself stays as it is, the others are built, and
    edits that the update replaced are named once.
    """
    updated.module("other")
    before = updated.tree
    ran = updated.create()
    assert (ran.code, codes(ran)) == (0, ["edits-replaced", "drop-behind"])
    assert {name: text for name, text in updated.tree.items() if "/m/" in name} == before
    assert (record_of(updated)["version"], codes(updated.create())) == ("1.4.2", ["drop-behind"])
    assert "1.5.0 is on disk" in updated.run("status").out


def test_a_kept_archive_is_the_base(project: Project) -> None:
    """If somebody puts the version from before the last run back, its kept archive is the base."""
    archives(project, m=OLD)
    assert project.create().code == 0
    archives(project, m=NEW)
    assert project.create().code == 0
    install(project, {**OLD, "m/lib.php": "mine"})
    ran = project.create()
    assert (ran.code, codes(ran), project.tree["modules/m/lib.php"]) == (0, ["drop-behind"], "mine")
    archives(project, m=NEWER)
    assert errors(project.create()) == ["OutputConflict"]
    assert project.create("--mine").code == 0
    assert project.tree == built({**NEWER, "m/lib.php": "mine"})


def test_a_marker_that_an_undo_keeps(project: Project) -> None:
    """If `undo --mine` keeps the file with the version, a warning says so."""
    archives(project, m=OLD)
    assert project.create().code == 0
    archives(project, m=NEW)
    assert project.create().code == 0
    project.write("modules/m/module.json", NEW["m/module.json"] + "\n")
    ran = project.run("undo", "--mine", env={"TOOL_LOG_FORMAT": "json"})
    assert (ran.code, "old-version-shown" in codes(ran)) == (0, True)


@pytest.mark.parametrize("state", ["with", "without"])
def test_a_record_does_not_say_what_an_archive_gives(project: Project, state: str) -> None:
    """A record that lacks a file of its archive, or all of them, makes a run remove none, and a
    frozen run refuses it.
    """
    archives(project, m=OLD)
    assert project.create().code == 0
    files = {name.removeprefix("m/"): text for name, text in OLD.items()}
    for left in (["lib.php", "module.json", "old.php"], []):
        if state == "without":
            shutil.rmtree(project.root / ".tool")
        recorded = record_of(project)["files"]
        rewrite(
            project, files={name: _state(each) for name, each in recorded.items() if name in left}
        )
        ran = project.create("--frozen")
        assert (ran.code, errors(ran), project.tree) == (80, ["OutOfDate"], built(OLD))
        assert (project.create().code, project.tree) == (0, built(OLD))
        assert sorted(record_of(project)["files"]) == sorted(files)
        assert project.create("--frozen").code == 0


def _state(said: Mapping[str, Any]) -> Any:
    from pipeline.building.stores.record import FileState

    return FileState(**said)


def test_a_record_of_nothing_in_a_fresh_clone(project: Project) -> None:
    """A frozen run does not build a component that the record does not have."""
    archives(project, m=OLD)
    assert project.create().code == 0
    rewrite(project, files={})
    shutil.rmtree(project.root / "modules")
    shutil.rmtree(project.root / ".tool")
    ran = project.create("--frozen")
    assert (ran.code, errors(ran), project.tree) == (80, ["OutOfDate"], {})


def test_an_edit_without_its_component(project: Project) -> None:
    """If an undo left only an edited file of a component, the base of that is unknown, unless the
    component is named.
    """
    archives(project, m=OLD)
    assert project.create().code == 0
    project.write("modules/m/lib.php", "mine")
    assert (project.run("undo", "--mine").code, project.tree) == (0, {"modules/m/lib.php": "mine"})
    assert (errors(project.create(".", "--force")), project.tree) == (
        ["UnknownBase"],
        {"modules/m/lib.php": "mine"},
    )
    assert project.create(".", "--force", "m").code == 0
    assert project.tree == built(OLD)
