"""`--frozen` builds only what the record says; commands that only look write nothing (`docs/building.md`)."""

import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from tests.support.forks import TOOL, environment
from tests.support.project import Project, php

FILES = {"m/m.php": php("m"), "m/a.php": "a", "m/b.php": "b"}
WRITING = re.compile(
    r"^\d+ +(?:(?:mkdir|rename|unlink|rmdir|link|symlink|truncate|ftruncate|chmod|fchmod|chown|fchown|mknod|utimensat)"
    r"\w*\(|open\w*\([^)]*O_(?:WRONLY|RDWR|CREAT|TRUNC))",
    re.MULTILINE,
)


def digest(path: Path) -> str:
    """The digest that the record and messages have of an archive."""
    return sha256(path.read_bytes()).hexdigest()


def everything(root: Path) -> dict[str, bytes]:
    """The content of every file below a folder."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def built(project: Project) -> Project:
    """A project with two modules, built."""
    project.archive("m.zip", FILES)
    project.module("n")
    assert project.create("--no-cache").code == 0
    return project


def refusals(project: Project, *args: str) -> list[str]:
    """The messages of a frozen run that changes nothing and ends with 80; none if it succeeds."""
    before = everything(project.root)
    ran = project.create("--frozen", "--no-cache", *args)
    messages = [each["message"].partition("; run without")[0] for each in ran.reported("error")]
    assert {each["error"] for each in ran.reported("error")} <= {"OutOfDate"}
    assert ran.code == (80 if messages else 0)
    assert not messages or everything(project.root) == before
    return messages


def test_what_the_record_says(built: Project) -> None:
    """A run with the recorded archives and selection succeeds, also where nothing is built yet."""
    assert refusals(built) == []
    shutil.rmtree(built.root / "modules")
    assert refusals(built) == []
    assert sorted(built.tree) == ["modules/m/a.php", "modules/m/b.php", "modules/m/m.php", "modules/n/n.php"]


def test_another_archive(built: Project) -> None:
    """An archive with other files is refused, with its digest and the recorded one."""
    before = digest(built.root / "m.zip")
    built.archive("m.zip", {**FILES, "m/a.php": "changed"})
    assert refusals(built) == [
        f"`m.zip` is not what `modules/m` was built from: SHA-256 is {digest(built.root / 'm.zip')}, "
        f"recorded is {before}"
    ]


def test_an_archive_that_was_packed_again(built: Project) -> None:
    """An archive with other bytes and the same files passes, with a notice."""
    built.archive("m.zip", dict(reversed(FILES.items())))
    ran = built.create("--frozen", "--no-cache")
    assert ran.code == 0
    assert [(each["code"], each["source"]) for each in ran.reported("warning")] == [("repacked-archive", "m.zip")]


def test_other_components(built: Project) -> None:
    """A component that is selected and not recorded is refused, and one that is recorded and not selected."""
    built.module("new")
    (built.root / "n.zip").unlink()
    assert refusals(built, "--exclude=m") == [
        "`modules/m` is in the record; it is not selected, or `m.zip` is not in the drop",
        "`modules/n` is in the record; it is not selected, or `n.zip` is not in the drop",
        "`modules/new` (`new.zip`) is selected, and not in the record",
    ]


def test_without_a_record(project: Project) -> None:
    """Without a record nothing may be built."""
    project.module("m")
    assert refusals(project) == ["`modules/m` (`m.zip`) is selected, and not in the record"]


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace, which traces the calls, is not installed")
@pytest.mark.parametrize("args", [("status", "--verbose"), ("create", "--check"), ("create", "--dry-run")])
def test_what_only_looks_writes_nothing(built: Project, args: tuple[str, ...]) -> None:
    """No system call of such a command opens a file to write, or changes the disk."""
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
    assert [line for line in calls.splitlines() if WRITING.match(line) and "/dev/null" not in line] == []
