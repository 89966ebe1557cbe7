"""`--frozen` builds only what the record says; commands that only look write nothing
(`docs/building.md`).
"""

import re
import shutil
import subprocess

import pytest

from tests.support.forks import TOOL, environment
from tests.support.project import Project, php

FILES = {"m/m.php": php("m"), "m/a.php": "a", "m/b.php": "b"}
WRITING = re.compile(
    r"^\d+ +(?:(?:mkdir|rename|unlink|rmdir|link|symlink|truncate|ftruncate|chmod|fchmod|chown"
    r"|fchown|mknod|utimensat)"
    r"\w*\(|open\w*\([^)]*O_(?:WRONLY|RDWR|CREAT|TRUNC))",
    re.MULTILINE,
)


@pytest.fixture
def built(project: Project) -> Project:
    """A project with two modules, built."""
    project.archive("m.zip", FILES)
    project.module("n")
    assert project.create("--no-cache").code == 0
    return project


def test_what_the_record_says(built: Project) -> None:
    """With the recorded archives and selection, a frozen run succeeds, even if nothing is built
    yet.
    """
    for _ in range(2):
        ran = built.create("--frozen", "--no-cache")
        assert (ran.code, ran.reported("error")) == (0, [])
        assert sorted(built.tree) == [
            "modules/m/a.php",
            "modules/m/b.php",
            "modules/m/m.php",
            "modules/n/n.php",
        ]
        shutil.rmtree(built.root / "modules")


def test_another_archive_of_a_recorded_component(built: Project) -> None:
    """Another archive of a recorded component is left out, because the record names the first
    one.
    """
    built.archive("m-2.zip", {**FILES, "m/a.php": "changed"})
    ran = built.create("--frozen")
    reasons = {each["archive"]: each["reason"] for each in ran.reported("archive")}
    assert (ran.code, reasons["m-2.zip"]) == (0, "the record names m.zip")


def test_a_recorded_component_that_the_system_is_too_old_for(project: Project) -> None:
    """The recorded archive is built whatever the system's version; any other archive is judged."""
    plugin = "<?php\n/*\nPlugin Name: M\nVersion: {}\nRequires at least: 6.4\n*/\n"
    project.archive("m.zip", {"m/m.php": plugin.format("1.0")})
    project.write("wp-includes/version.php", "<?php\n$wp_version = '6.4';\n")
    assert project.create().code == 0
    shutil.rmtree(project.root / "wp-content/plugins/m")
    project.write("wp-includes/version.php", "<?php\n$wp_version = '6.1';\n")
    assert project.create("--frozen").code == 0
    assert (project.root / "wp-content/plugins/m/m.php").is_file()
    project.archive("m.zip", {"m/m.php": plugin.format("1.1")})
    ran = project.create()
    assert (ran.code, [each["error"] for each in ran.reported("error")]) == (
        73,
        ["UnmetRequirement"],
    )


@pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace, which traces the calls, is not installed"
)
@pytest.mark.parametrize("args", [("status", "--verbose"), ("create", "--check")])
def test_what_only_looks_writes_nothing(built: Project, args: tuple[str, ...]) -> None:
    """A command that only looks makes no system call that opens a file for writing or changes the
    disk.
    """
    built.archive("m.zip", {**FILES, "m/a.php": "changed"})
    built.write("modules/n/mine", "mine")
    trace = built.root.parent / "trace"
    strace = ["strace", "-f", "-qq", "-e", "trace=%file,%desc", "-o", str(trace)]
    subprocess.run(
        [*strace, str(TOOL), *args],
        cwd=built.root,
        env=environment({"PYTHONDONTWRITEBYTECODE": "1"}),
        check=False,
        capture_output=True,
        timeout=60,
    )
    calls = trace.read_text(encoding="utf-8", errors="replace")
    assert "O_RDONLY" in calls
    assert [
        line for line in calls.splitlines() if WRITING.match(line) and "/dev/null" not in line
    ] == []
