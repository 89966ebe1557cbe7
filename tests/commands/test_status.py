"""`tool status`: what is built, and how it differs from what was written and from the drop
(`docs/building.md`).
"""

import os
import re
import shutil
import zipfile
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from tests.support.project import Project, php

Act: TypeAlias = Callable[[Project], object]
"""What somebody does in a project."""

SAME: dict[str, Any] = {
    "event": "status",
    "kind": "module",
    "name": "m",
    "path": "modules/m",
    "version": None,
    "archive": "m.zip",
    "drop": "same",
    "available": None,
    "edited": [],
    "added": [],
    "deleted": [],
    "mode": [],
}
MODULE = {"m/m.php": php("m"), "m/a/b.php": "b"}


def status(project: Project, *args: str) -> list[dict[str, Any]]:
    """What the command prints as JSON."""
    ran = project.run("status", *args, "--log-format=json")
    assert ran.code == 0
    assert ran.events == []
    return ran.printed


def versioned(project: Project, version: str, archive: str = "m.zip") -> None:
    """Put the archive of a module with a version into the drop."""
    project.archive(
        archive, {"m/module.json": f'{{"name": "m", "version": "{version}"}}', "m/a.php": version}
    )


def test_as_built(project: Project) -> None:
    """A component that was just built has no differences, and is one line in text."""
    versioned(project, "1.2")
    project.create()
    assert status(project) == [{**SAME, "version": "1.2", "available": "1.2"}]
    ran = project.run("status")
    assert ran.code == 0
    assert ran.out == "modules/m  1.2  m.zip  as built\n"
    assert ran.err == ""


def test_warnings_about_the_drop(project: Project) -> None:
    """A command that writes nothing reports the same warnings about archives as a build."""
    project.archive("thing.zip", {"a": ""})
    for args in (("create", "--check"), ("status",), ("diff",)):
        warnings = project.run(*args, "--log-format=json").reported("warning")
        assert [warning["code"] for warning in warnings] == ["unrecognised-archive"]


def test_a_damaged_state(project: Project) -> None:
    """If the state cannot be understood, a warning names it."""
    project.module("m")
    assert project.run("create").code == 0
    project.write(".tool/state.json", "{")
    warnings = project.run("status", "--log-format=json").reported("warning")
    assert [(each["code"], each["source"]) for each in warnings] == [
        ("damaged-file", ".tool/state.json")
    ]


def test_quiet(project: Project) -> None:
    """With `--quiet`, text only has components that are not as built."""
    project.module("m")
    project.module("n")
    project.create()
    assert project.run("status", "--quiet").out == ""
    project.write("modules/n/mine", "")
    assert project.run("status", "--quiet").out == "modules/n  -  n.zip  1 added\n"
    assert [each["name"] for each in status(project, "--quiet")] == ["m", "n"]


def test_no_archive_to_compare_with(project: Project) -> None:
    """If no drop is named or remembered and the current folder has no archive, status says how to
    name the drop.
    """
    project.module("m", "drop/m.zip")
    project.archive("drop/n.zip", {"n/x": ""})
    (project.root / "drop/n.zip").write_bytes(b"PK")
    assert project.create("drop", "--keep-going").code == 76
    (project.root / ".tool/drop.json").unlink()
    hint = (
        "the current folder has no archive to compare with: name the drop, `tool status FOLDER`\n"
    )
    assert hint in project.run("status").err
    assert hint not in project.run("status", ".").err


def test_what_is_no_change(project: Project) -> None:
    """Times, a copy of the whole project and another umask make no difference."""
    project.archive("m.zip", MODULE)
    project.create()
    for path in (project.root / "modules").rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700 if path.is_dir() else 0o600)
    copy = Project(project.root.parent / "copy")
    shutil.copytree(project.root, copy.root, symlinks=True)
    assert status(project) == [SAME]
    assert status(copy) == [SAME]


BUILT = {"m/m.php": php("m", "1"), "m/lib.php": "1"}
UPDATE = {"m/m.php": php("m", "2"), "m/lib.php": "2"}


def edit(text: str, name: str = "lib.php") -> Act:
    """What writes a file of the module."""
    return lambda project: project.write(f"modules/m/{name}", text)


def forget(project: Project) -> None:
    """Lose the record and the state."""
    (project.root / ".tool-manifest.json").unlink()
    (project.root / ".tool" / "state.json").unlink()


@pytest.mark.parametrize(
    ("act", "update", "conflicts"),
    [
        (edit("mine"), dict(reversed(BUILT.items())), []),
        (edit("mine"), UPDATE, ["lib.php"]),
        (edit("mine", "css/new.css"), {**UPDATE, "m/css": "2"}, ["css"]),
        (forget, BUILT, []),
    ],
)
def test_conflicts_are_those_of_a_build(
    project: Project, act: Act, update: dict[str, str], conflicts: list[str]
) -> None:
    """A component has conflicts exactly if a run would stop at it, with the same advice."""
    project.archive("m.zip", BUILT)
    project.create()
    act(project)
    project.archive("m.zip", update)
    looked, dry = project.run("status", "--log-format=json"), project.create("--dry-run")
    (reported,) = looked.printed
    assert reported.get("conflicts", []) == conflicts
    assert (looked.code, dry.code) == (0, 73 if conflicts else 0)
    named = [
        name
        for each in dry.reported("error")
        for name in re.findall(r"`modules/m/(\S+)`", each["message"])
    ]
    assert named == conflicts
    assert [each["help"] for each in looked.reported("warning")] == [
        each["help"] for each in dry.reported("error")
    ]


def test_what_is_compared(project: Project) -> None:
    """Status reads the files of a changed archive, as a dry run does, and reports damage in
    them.
    """
    project.archive("m.zip", {**BUILT, "m/data": "1"})
    project.create()
    broken = b"2" * 100
    with zipfile.ZipFile(project.root / "m.zip", "w") as archive:
        archive.writestr("m/m.php", php("m", "2"))
        archive.writestr("m/data", broken)
    project.write("m.zip", (project.root / "m.zip").read_bytes().replace(broken, b"3" * 100))
    ran, dry = project.run("status", "--log-format=json"), project.create("--dry-run")
    assert ran.printed == [{**SAME, "drop": "changed"}]
    assert (ran.code, ran.reported("error")) == (dry.code, dry.reported("error"))
    assert ran.code == 76


def test_added_code_is_an_alarm(project: Project) -> None:
    """Added files that can run end `--check` with 80 and are named, unless a pattern excludes
    them.
    """
    project.module("m")
    project.create()
    names = [
        ".htaccess",
        ".user.ini",
        "cache/x.PHP7",
        "x.inc",
        "x.install",
        "x.phar",
        "x.php",
        "x.phtml",
    ]
    for name in (*names, "notes.txt"):
        project.write(f"modules/m/{name}", "<?php")
    ran = project.run("status", "--check", "--log-format=json")
    (error,) = ran.reported("error")
    listed = ", ".join(f"`{name}`" for name in names)
    assert (ran.code, error["message"]) == (80, f"`modules/m` is not as it was built: {listed}")
    assert (
        project.run("status", "--check", *(f"--except=modules/m/{name}" for name in names)).code
        == 0
    )
    assert project.run("status", "--check", "--except=modules/n/*").code == 80


PLUGIN = "<?php\n/*\nPlugin Name: Lights\nVersion: 1.2\n*/\n"
FOREIGN = {
    "event": "status",
    "kind": "module",
    "version": None,
    "archive": "",
    "drop": "gone",
    "available": None,
} | {each: list[str]() for each in ("edited", "added", "deleted", "mode")}


def test_everything_that_lies_there(project: Project) -> None:
    """With `--all`, components that the tool did not build are listed, with what their markers say
    and their archives.

    They are never checked.
    """
    project.module("m", "drop/m.zip")
    project.module("off", "drop/off.zip")
    project.write("tool.config.json", {"exclude": ["off"]})
    assert project.create("drop").code == 0
    files = {
        "themes/sea/style.css": "/*\nTheme Name: Sea\nVersion: 3\n*/\n",
        "modules/off/off.php": php("off"),
        "modules/lights-old/lights.php": PLUGIN,
        "modules/data/json/module.json": '{"name": "json", "version": "2"}',
        "modules/json/module.json": '{"name": "json", "version": "2"}',
        "modules/hello.php": PLUGIN,
        "modules/index.php": "<?php",
    }
    for name, content in files.items():
        project.write(name, content)
    (project.root / "modules" / "torn").symlink_to("nowhere")
    rows = [
        {
            "kind": "theme",
            "path": "themes/sea",
            "installed": "3",
            "foreign": "component",
            "system": "WordPress",
        },
        {"path": "modules/data", "foreign": "folder"},
        {"path": "modules/hello.php", "installed": "1.2", "foreign": "file", "system": "WordPress"},
        {"path": "modules/index.php", "foreign": "file"},
        {"path": "modules/json", "installed": "2", "foreign": "component"},
        {
            "path": "modules/lights-old",
            "installed": "1.2",
            "foreign": "component",
            "system": "WordPress",
        },
        {
            **{"path": "modules/off", "archive": "off.zip", "drop": "unselected"},
            **{"foreign": "component", "system": "PrestaShop"},
        },
        {"path": "modules/torn", "foreign": "link"},
    ]
    foreign = [{**FOREIGN, "name": str(each["path"]).rpartition("/")[2], **each} for each in rows]
    assert status(project, "--all", "--check") == [SAME, *foreign]
    assert status(project) == [SAME]
    assert status(project, "--all", "lights-old", "m") == [SAME, foreign[5]]
    assert [
        re.split("  +", line)[1:] for line in project.run("status", "--all").out.splitlines()
    ] == [
        ["-", "m.zip", "as built"],
        ["3", "not in the record: a WordPress theme; the drop has no archive of it"],
        [
            "-",
            (
                "not in the record: a folder without the marker of a module; the drop has no "
                "archive "
                "of it"
            ),
        ],
        ["1.2", "not in the record: a WordPress module; the drop has no archive of it"],
        ["-", "not in the record: a file; the drop has no archive of it"],
        ["2", "not in the record: a module; the drop has no archive of it"],
        ["1.2", "not in the record: a WordPress module; the drop has no archive of it"],
        ["-", "off.zip", "not in the record: a PrestaShop module; not selected"],
        ["-", "not in the record: a link that leads to nothing; the drop has no archive of it"],
    ]


def test_what_may_be_in_an_archive_that_is_refused(project: Project) -> None:
    """With `--all`, a component on disk may be in a refused archive, and several that differ are
    reported as ambiguous.
    """
    for number in "12":
        project.archive(f"drop/{number}.zip", {"m/m.php": php("m", number)})
    (project.root / "drop" / "torn.zip").write_bytes(b"PK")
    project.write("modules/m/m.php", php("m"))
    project.write("modules/x/y", "")
    ran = project.run("status", "drop", "--all", "--log-format=json")
    assert {each["path"]: each["drop"] for each in ran.printed} == {
        "modules/m": "ambiguous",
        "modules/x": "unknown",
    }
