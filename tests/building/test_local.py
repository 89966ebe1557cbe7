"""The folder `.tool/`: who may look into it, what it is taken over from, and when it is not there."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from io_edges.building.local import local_in
from io_edges.system.folder import Folder
from pipeline.building.layout import MARKS
from tests.support.forks import TOOL, environment
from tests.support.project import Project, Ran, php

WEAK = "-chown,-fowner,-dac_override,-dac_read_search"
needs_other_users = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only root can make files of another user"
)


def keeping(project: Project) -> Path:
    """A project in which a run has kept something: a file of the user."""
    project.module("m")
    project.write("modules/m/m.php", "mine")
    assert project.create("--force").code == 0
    return project.root / ".tool"


def weakly(project: Project, *args: str) -> Ran:
    """Run the command with no more rights than any user has."""
    command = ["setpriv", f"--inh-caps={WEAK}", f"--bounding-set={WEAK}", TOOL, *args]
    done = subprocess.run(
        command,
        cwd=project.root,
        env=environment({"TOOL_LOG_FORMAT": "json"}),
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def told(ran: Ran) -> list[tuple[str, str, str]]:
    """What a run warns of about the folder, or why it stops: code or exit code, place and message."""
    warnings = [(each["code"], each["source"], each["message"]) for each in ran.told("warning")]
    return [*warnings, *((str(each["exit"]), each["source"], each["message"]) for each in ran.told("error"))]


def test_who_may_look_into_it(project: Project) -> None:
    """Nobody but the user, whatever the mask is; version control and Apache, old and new, are told to pass it over."""
    local = keeping(project)
    assert stat.S_IMODE(local.stat().st_mode) == 0o700
    assert {name: (local / name).read_bytes() for name in MARKS} == dict(MARKS)
    assert MARKS[".gitignore"] == b"*\n"
    assert all(rule in MARKS[".htaccess"] for rule in (b"Require all denied", b"Deny from all"))


@pytest.mark.parametrize(("mode", "group", "given"), [(0o775, -1, 0o770), (0o2775, 12345, 0o2770), (0o755, -1, 0o700)])
def test_a_project_of_a_group(project: Project, mode: int, group: int, given: int) -> None:
    """Whoever shares a project that its group may write into can build it, too."""
    if group >= 0 and os.geteuid() != 0:
        pytest.skip("only root can give a folder to any group")
    os.chown(project.root, -1, group)
    project.root.chmod(mode)
    local = keeping(project)
    assert stat.S_IMODE(local.stat().st_mode) == given
    assert local.stat().st_gid == project.root.stat().st_gid


def test_marks_of_the_user_stay(project: Project) -> None:
    """A file of the user that is called like one of the tool's is not replaced."""
    project.write(".tool/.gitignore", "backup/\n")
    local = keeping(project)
    assert (local / ".gitignore").read_text(encoding="utf-8") == "backup/\n"
    assert (local / ".htaccess").exists()


def test_a_refused_run_leaves_none(project: Project) -> None:
    """What a run has made that builds nothing is gone; what was there before it stays."""
    project.module("m")
    project.write("init-scripts/a.sh", "exit 1")
    before = sorted(path.name for path in project.root.iterdir())
    assert project.create("--on-failure=fail").code == 79
    assert sorted(path.name for path in project.root.iterdir()) == before
    project.write(".tool/mine", "mine")
    assert project.create("--on-failure=fail").code == 79
    assert sorted(path.name for path in (project.root / ".tool").iterdir()) == [".gitignore", ".htaccess", "mine"]


def test_one_that_cannot_be_opened_or_removed(tmp_path: Path) -> None:
    """A folder in which something appears stays; one that another process puts in its place does, too."""
    with Folder.at(str(tmp_path)) as project, local_in(project) as local:
        (tmp_path / ".tool").rename(tmp_path / "away")
        (tmp_path / ".tool").mkdir()
        (tmp_path / ".tool/theirs").touch()
        (tmp_path / "away/.gitignore").write_bytes(b"mine")
        assert local.look(".htaccess")
    assert (tmp_path / "away/.gitignore").read_bytes() == b"mine"
    assert (tmp_path / ".tool/theirs").exists()


@needs_other_users
@pytest.mark.parametrize("inner", ["", "/staging"])
def test_one_of_another_user(project: Project, inner: str) -> None:
    """Whoever only looks is told that it cannot be read, once; a build stops before anything, and says whose it is."""
    local = keeping(project)
    place = project.root / f".tool{inner}"
    place.mkdir(exist_ok=True)
    place.chmod(0o700)
    os.chown(place, 12345, 12345)
    project.archive("m.zip", {"m/m.php": php("m", "2")})
    path = f".tool{inner}"
    for args in (("status",), ("create", "--dry-run")):
        ran = weakly(project, *args)
        message = f"`{path}` belongs to the user `12345`, and cannot be read: what is known from there is left out"
        assert (ran.code, told(ran)) == (0, [("local-unreadable", path, message)])
    ran = weakly(project, "create")
    message = f"`{path}` belongs to the user `12345`, and cannot be used: permission denied"
    assert (ran.code, told(ran)) == (74, [("74", path, message)])
    assert project.tree == {"modules/m/m.php": php("m")}
    os.chown(place, 0, 0)
    local.chmod(0)
    ran = weakly(project, "create")
    assert (ran.code, told(ran)) == (74, [("74", ".tool", "`.tool` cannot be used: permission denied")])
    assert ran.told("error")[0]["help"] == "give yourself the permission: `chmod -R u+rwX .tool`"
    assert weakly(project, "status").told("warning")[0]["message"].startswith("`.tool` cannot be read")


def test_backups_of_before(project: Project) -> None:
    """What an earlier version kept moves, under another name where its own is taken; the folder of before is gone."""
    for name in (".tool-backup/1", ".tool-backup/2", ".tool/backup/1", ".tool/backup/1-2"):
        project.write(f"{name}/modules/m/m.php", name)
    project.module("m")
    assert told(project.create()) == []
    kept = {
        path.relative_to(project.root).parts[2]: path.read_text()
        for path in project.root.glob(".tool/backup/*/modules/m/*")
    }
    assert kept == {"1": ".tool/backup/1", "1-2": ".tool/backup/1-2", "1-3": ".tool-backup/1", "2": ".tool-backup/2"}
    assert not (project.root / ".tool-backup").exists()


def test_backups_of_before_elsewhere(project: Project, tmp_path: Path) -> None:
    """A folder for backups that is a link or a file is the user's, and an empty one is removed."""
    project.module("m")
    (tmp_path / "elsewhere").mkdir()
    old = project.root / ".tool-backup"
    old.symlink_to(tmp_path / "elsewhere")
    assert told(project.create()) == []
    assert old.is_symlink()
    old.unlink()
    old.mkdir()
    assert told(project.create()) == []
    assert not old.exists()


def test_a_folder_in_place_of_the_log(project: Project) -> None:
    """Then all is built, but what is left of the run has to stay; once the folder is away, the next run settles it."""
    project.module("m")
    log = project.root / ".tool/log.jsonl"
    log.mkdir(parents=True)
    ran = project.create()
    assert (ran.code, set(project.tree)) == (0, {"modules/m/m.php"})
    left = "`.tool/staging` could not be removed: the next run settles what is in it"
    assert [(each["message"], each["help"]) for each in ran.told("warning")] == [(left, "leave it, and run again")]
    assert told(project.create()) == [("74", ".tool/log.jsonl", f"`{log}`: is a directory")]
    log.rmdir()
    assert [code for code, *_ in told(project.create())] == ["interrupted-run"]
    assert [run["added"] for run in project.run("log", "--log-format=json").printed] == [[{"path": "modules/m"}]]
