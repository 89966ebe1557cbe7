"""Building a version by its name: `NAME@VERSION`, from the drop or from the archives
that are kept.
"""

import re
import shlex
import subprocess
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.project import Project, Ran, php


def release(
    project: Project, version: str, file: str = "drop/m.zip", more: Mapping[str, str] | None = None
) -> None:
    """Put a release of the module `m` into the drop."""
    marker = f"<module><name>m</name><version>{version}</version></module>"
    project.archive(
        file,
        {"m/m.php": php("m", version), "m/config.xml": marker, "m/same": "same", **(more or {})},
    )


def shown(project: Project) -> str:
    """The text in the module that says which release it is."""
    return (project.root / "modules/m/m.php").read_text("utf-8").rpartition(" ")[2]


def told(ran: Ran, code: str) -> dict[str, Any]:
    """The only warning of a kind."""
    (warning,) = (each for each in ran.reported("warning") if each["code"] == code)
    return warning


def paste(project: Project, text: str) -> list[Ran]:
    """Run the commands in a help, as a shell runs them when they are pasted."""
    runs = []
    for command in re.findall("`([^`]+)`", text):
        program, *words = shlex.split(command)
        if program == "tool":
            runs.append(project.run(*words, env={"TOOL_LOG_FORMAT": "json"}))
        else:
            subprocess.run([program, *words], cwd=project.root, check=True)
    return runs


@pytest.fixture
def replaced(project: Project) -> Project:
    """A project in which 2.0 was built, in the drop in the place of 1.0, which only a kept
    archive has.
    """
    for version in ("1.0", "2.0"):
        release(project, version)
        assert project.create("drop").code == 0
    return project


@pytest.fixture
def beside(project: Project) -> Project:
    """A project in which 2.0 was built, with 1.0 beside it in the drop."""
    release(project, "1.0", "drop/m-1.0.zip")
    release(project, "2.0", "drop/m[2].zip")
    assert project.create("drop").code == 0
    return project


def test_a_version_that_is_kept(replaced: Project) -> None:
    """A kept version is built like an update, with edits kept, under the name of the archive that
    was built.
    """
    replaced.write("modules/m/same", "mine")
    ran = replaced.create("drop", "m@1.0")
    (event,) = ran.reported("component")
    assert (ran.code, shown(replaced), event["archive"], event["previous"]) == (
        0,
        "1.0",
        "m.zip",
        "2.0",
    )
    assert replaced.tree["modules/m/same"] == "mine"
    assert replaced.create("drop").code == 0
    assert shown(replaced) == "2.0"


@pytest.mark.parametrize("word", ["m@1.0", "modules/m@v1", "m@1.0.0"])
def test_how_a_version_is_written(beside: Project, word: str) -> None:
    """An equal version is accepted, after the name or the path of the component."""
    assert beside.create("drop", word).code == 0
    assert shown(beside) == "1.0"


def test_what_the_next_run_builds_is_told_with_commands(replaced: Project) -> None:
    """The commands that a run prints put the kept archive into the drop and leave the newer one
    out.
    """
    help_text = told(replaced.create("drop", "m@1.0"), "built-again")["help"]
    (ran,) = paste(replaced, help_text)
    assert (ran.code, shown(replaced)) == (0, "1.0")
    assert sorted(path.name for path in (replaced.root / "drop").iterdir()) == [
        "m-1.0.zip",
        "m.zip",
    ]


def test_the_pattern_keeps_what_a_configuration_leaves_out(beside: Project) -> None:
    """In the command, the name is quoted as a pattern and a shell need it, and the list of a
    configuration is kept.
    """
    beside.module("n", "drop/n.zip")
    beside.write("tool.config.json", {"exclude": ["n"]})
    warning = told(beside.create("drop", "m@1.0"), "built-again")
    assert (
        warning["help"] == "`tool create drop --exclude=... '--exclude=m[[]2].zip'` leaves it out"
    )
    (ran,) = paste(beside, warning["help"])
    assert (ran.code, shown(beside), [*beside.root.glob("modules/n")]) == (0, "1.0", [])


def test_the_flags_of_the_run_are_repeated(beside: Project) -> None:
    """The command leaves out everything that flags of the run leave out."""
    beside.module("n", "drop/n.zip")
    warning = told(beside.create("drop", "m@1.0", "--exclude=n"), "built-again")
    (ran,) = paste(beside, warning["help"])
    assert (ran.code, shown(beside), [*beside.root.glob("modules/n")]) == (0, "1.0", [])


def test_an_undo_tells_the_same(replaced: Project) -> None:
    """After an undo, the commands keep the version that it restored."""
    ran = replaced.run("undo", env={"TOOL_LOG_FORMAT": "json"})
    (again,) = paste(replaced, told(ran, "built-again")["help"])
    assert (again.code, shown(replaced)) == (0, "1.0")


def test_the_highest_of_the_drop_needs_no_command(beside: Project) -> None:
    """If any run would build the named version, no command is printed."""
    assert beside.create("drop", "m@2.0").reported("warning") == []


def test_a_version_that_is_nowhere(replaced: Project) -> None:
    """A version that does not exist ends with 68 and lists the existing ones and where each is,
    with damaged archives named as such.
    """
    release(replaced, "3.0", "drop/m-3.0.zip")
    ran = replaced.create("drop", "m@4.0")
    (error,) = ran.reported("error")
    assert (ran.code, error["error"]) == (68, "ComponentNotFound")
    assert error["message"] == (
        "`modules/m` has no version `4.0`; available: `3.0` in the drop (`m-3.0.zip`), `2.0` in "
        "the drop (`m.zip`), "
        "`2.0` kept, `1.0` kept"
    )


def test_a_damaged_archive(replaced: Project) -> None:
    """A kept archive that has changed is not built; the error and the log name it."""
    (line,) = (each for each in log(replaced) if each["version"] == "1.0")
    file = replaced.root / f".tool/archives/{line['digest']}.zip"
    file.write_bytes(file.read_bytes()[:-1])
    ran = replaced.create("drop", "m@1.0")
    (error,) = ran.reported("error")
    assert (ran.code, shown(replaced)) == (68, "2.0")
    assert f"`1.0` kept, but damaged (`.tool/archives/{line['digest']}.zip`)" in error["message"]
    assert [each["damaged"] for each in log(replaced)] == [True, False]
    assert "kept archive is damaged" in replaced.run("log", "m").out


def log(project: Project, *names: str) -> list[dict[str, Any]]:
    """The versions that `tool log` lists."""
    ran = project.run("log", *names, "--log-format=json")
    return [each for each in ran.printed if each.get("event") == "version"]


def test_the_log_lists_versions_by_digest_where_they_are_alike(project: Project) -> None:
    """Archives with the same version, or none, are listed by the first digits of their digests,
    which build them.
    """
    for text in ("1", "2"):
        project.archive("drop/m.zip", {"m/m.php": php("m", text)})
        assert project.create("drop").code == 0
    first, second = log(project, "modules/m")
    assert [first["name"], second["name"]] == [
        f"modules/m@{each['digest'][:6]}" for each in (first, second)
    ]
    assert project.create("drop", first["name"]).code == 0
    assert shown(project) == "1"
    assert log(project, "other") == []


@pytest.mark.parametrize(
    "words",
    [
        ("status", "drop", "m@1.0"),
        ("patch", "drop", "m@1.0"),
        ("create", "drop", "m@1.0", "--frozen"),
    ],
)
def test_commands_that_take_no_version(replaced: Project, words: tuple[str, ...]) -> None:
    """`status`, `patch` and `--frozen` take no version."""
    ran = replaced.run(*words)
    assert (ran.code, "a version is taken only by" in ran.err) == (64, True)


def test_diff_and_inspect_take_a_version(replaced: Project) -> None:
    """`diff` shows what building the version would do, and `inspect` what its archive is."""
    assert "+<?php class m extends Module {} // 1.0" in replaced.run("diff", "drop", "m@1.0").out
    ran = replaced.run("inspect", "drop", "m@1.0")
    assert "version   1.0" in ran.out


@pytest.mark.parametrize("pattern", ["m", "m.zip"])
def test_a_version_that_a_setting_leaves_out(replaced: Project, pattern: str) -> None:
    """A version that a setting leaves out is reported as left out, and not built."""
    ran = replaced.create("drop", "m@1.0", f"--exclude={pattern}")
    assert (ran.code, shown(replaced)) == (0, "2.0")
    assert told(ran, "left-out")["message"].startswith("`m@1.0` is left out: matches")


def test_a_theme_by_its_version(project: Project) -> None:
    """A theme is built from a kept archive, too, unless the setting says that there is none."""
    for version in ("1.0", "2.0"):
        marker = f"name: t\nversion: {version}\n"
        project.archive(
            "drop/t.zip",
            {"config/theme.yml": marker, "index.php": version, "assets/css/theme.css": ""},
        )
        assert project.create("drop").code == 0
    assert told(project.create("drop", "t@1.0", "--theme=none"), "left-out")
    assert project.create("drop", "themes/t@1.0").code == 0
    assert project.tree["themes/t/index.php"] == "1.0"


def test_the_same_version_twice_in_the_drop(project: Project) -> None:
    """If the drop has two archives of one version with different contents, the version does not
    choose between them.
    """
    release(project, "1.0", "drop/a.zip")
    release(project, "1.0", "drop/b.zip", {"m/more": ""})
    release(project, "2.0", "drop/c.zip")
    assert project.create("drop", "m@2.0").code == 0
    ran = project.create("drop", "m@1.0")
    (error,) = ran.reported("error")
    assert (ran.code, error["error"]) == (68, "ComponentAmbiguous")


def test_a_partial_archive_that_is_named(project: Project) -> None:
    """An archive with few files is built if its version is named."""
    release(project, "1.0", "drop/m-1.0.zip")
    release(project, "2.0", "drop/m-2.0.zip", {f"m/{number}": "" for number in range(20)})
    assert project.create("drop").code == 0
    assert project.create("drop", "m@1.0").code == 0


def test_a_component_that_was_removed(replaced: Project) -> None:
    """A removed component is built again from a kept archive, even without a drop."""
    (replaced.root / "drop/m.zip").unlink()
    replaced.module("n", "drop/n.zip")
    assert replaced.create("drop", "--prune").code == 0
    assert replaced.create("m@2.0").code == 0
    assert shown(replaced) == "2.0"


def test_a_patch_that_does_not_fit(replaced: Project) -> None:
    """The conflict names the kept patch with which the version was built, and copying that resolves
    it.
    """
    replaced.write("modules/m/m.php", php("m", "2.0") + "\n// mine\n")
    assert replaced.run("patch", "drop").code == 0
    assert replaced.create("drop").code == 0
    release(replaced, "3.0")
    assert replaced.create("drop", "--take-theirs=*").code == 0
    patch = replaced.root / "patches/modules/m.patch"
    patch.write_text(patch.read_text("utf-8").replace("2.0", "3.0"), encoding="utf-8")
    assert replaced.create("drop").code == 0
    ran = replaced.create("drop", "m@2.0")
    (error,) = ran.reported("error")
    (source, target) = re.findall("`([^`]+)`", error["help"])[:2]
    assert (ran.code, error["error"], target) == (73, "PatchConflict", "patches/modules/m.patch")
    patch.write_bytes((replaced.root / source).read_bytes())
    assert replaced.create("drop", "m@2.0").code == 0


def test_undo_of_what_the_last_run_did_not_change(replaced: Project) -> None:
    """The advice is a command for each kept version, which builds that version."""
    replaced.module("n", "drop/n.zip")
    assert replaced.create("drop").code == 0
    ran = replaced.run("undo", "m", "--log-format=json")
    (error,) = ran.reported("error")
    assert (ran.code, shown(replaced)) == (73, "2.0")
    assert error["message"].startswith(
        "there is nothing to undo in `modules/m`: the last run did not change it, or"
    )
    assert error["help"] == "to build a kept version, run `tool create drop modules/m@1.0`"
    assert [ran.code for ran in paste(replaced, error["help"])] == [0]
    assert shown(replaced) == "1.0"
