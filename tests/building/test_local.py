"""The folder `.tool/`: who may read it, and what happens if it cannot be used or belongs to
somebody else.
"""

import json
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from io_edges.building.local import ignores_case_in, local_in
from io_edges.system.folder import Folder
from pipeline.building.stores.layout import MARKS
from tests.support import memory
from tests.support.forks import FORKS, GROUP, TOOL, environment
from tests.support.privileges import mounted, set_flag
from tests.support.project import Project, Ran, php
from tests.support.tables import rows

WEAK = "-chown,-fowner,-dac_override,-dac_read_search"
needs_other_users = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None,
    reason="only root can make files of another user",
)


def keeping(project: Project) -> Path:
    """A project in which a run has kept something: a file of the user."""
    project.module("m")
    project.write("modules/m/m.php", "mine")
    assert project.create(".", "modules/m", "--force").code == 0
    return project.root / ".tool"


def weakly(project: Project, *args: str) -> Ran:
    """Run the command with no more rights than any user has."""
    command: list[str | Path] = [
        "setpriv",
        f"--inh-caps={WEAK}",
        f"--bounding-set={WEAK}",
        TOOL,
        *args,
    ]
    done = subprocess.run(
        command,
        cwd=project.root,
        env=environment({"TOOL_LOG_FORMAT": "json"}),
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def reported(ran: Ran) -> list[tuple[str, str, str]]:
    """What a run warns of about the folder, or why it stops: code or exit code, place
    and message.
    """
    warnings = [(each["code"], each["source"], each["message"]) for each in ran.reported("warning")]
    return [
        *warnings,
        *((str(each["exit"]), each["source"], each["message"]) for each in ran.reported("error")),
    ]


def test_who_may_look_into_it(project: Project) -> None:
    """The project's owner and group may read `.tool/`, whatever the mask is; version control and
    Apache skip it.
    """
    local = keeping(project)
    assert stat.S_IMODE(local.stat().st_mode) == stat.S_IMODE(project.root.stat().st_mode) & 0o2770
    assert {name: (local / name).read_bytes() for name in MARKS} == dict(MARKS)
    assert MARKS[".gitignore"] == b"*\n"
    assert all(rule in MARKS[".htaccess"] for rule in (b"Require all denied", b"Deny from all"))


def test_marks_of_the_user_stay(project: Project) -> None:
    """A user's file that has the name of one of the tool's is not replaced."""
    project.write(".tool/.gitignore", "backup/\n")
    local = keeping(project)
    assert (local / ".gitignore").read_text(encoding="utf-8") == "backup/\n"
    assert (local / ".htaccess").exists()


def test_a_refused_run_leaves_none(project: Project) -> None:
    """A run that builds nothing removes what it made, except the remembered drop; files from before
    stay.
    """
    project.module("m")
    project.write("init-scripts/a.sh", "exit 1")
    before = sorted(path.name for path in project.root.iterdir())
    assert project.create("--on-failure=fail").code == 79
    assert sorted(path.name for path in project.root.iterdir()) == sorted([*before, ".tool"])
    assert {path.name for path in (project.root / ".tool").iterdir()} == {*MARKS, "drop.json"}
    project.write(".tool/mine", "mine")
    assert project.create("--on-failure=fail").code == 79
    assert {path.name for path in (project.root / ".tool").iterdir()} == {
        *MARKS,
        "drop.json",
        "mine",
    }


def test_one_that_cannot_be_opened_or_removed(tmp_path: Path) -> None:
    """`.tool/` stays if something appears in it, or if another process puts a folder in its
    place.
    """
    with Folder.at(str(tmp_path)) as project, local_in(project) as local:
        (tmp_path / ".tool").rename(tmp_path / "away")
        (tmp_path / ".tool").mkdir()
        (tmp_path / ".tool/theirs").touch()
        (tmp_path / "away/.gitignore").write_bytes(b"mine")
        assert local.lstat(".htaccess")
    assert (tmp_path / "away/.gitignore").read_bytes() == b"mine"
    assert (tmp_path / ".tool/theirs").exists()


@pytest.mark.parametrize(("twin", "ignores_case"), [("", False), ("B", False), ("A", True)])
def test_whether_a_disk_ignores_case(tmp_path: Path, twin: str, ignores_case: bool) -> None:
    """A disk ignores case if a name in the other case leads to the same file; a hard link imitates
    that here.
    """
    (tmp_path / "a").touch()
    if twin:
        (tmp_path / twin).hardlink_to(tmp_path / "a")
    with Folder.at(str(tmp_path)) as project:
        assert ignores_case_in(project) is ignores_case
    (tmp_path / "empty").mkdir()
    with Folder.at(str(tmp_path / "empty")) as empty:
        assert not ignores_case_in(empty)


@needs_other_users
@pytest.mark.parametrize("inner", ["", "/staging"])
def test_one_of_another_user(project: Project, inner: str) -> None:
    """If `.tool/` belongs to another user, commands that only look warn that it cannot be read; a
    build stops at once and names the owner.
    """
    local = keeping(project)
    place = project.root / f".tool{inner}"
    place.mkdir(exist_ok=True)
    place.chmod(0o700)
    os.chown(place, 12345, 12345)
    project.archive("m.zip", {"m/m.php": php("m", "2")})
    path = f".tool{inner}"
    for args in (("status",), ("create", "--dry-run")):
        ran = weakly(project, *args)
        message = f"`{place}`: permission denied; it belongs to the user `12345`"
        assert (ran.code, reported(ran)) == (
            0,
            [("problem-ahead", path, f"`tool create` would stop: {message}")],
        )
    ran = weakly(project, "create")
    assert (ran.code, reported(ran)) == (74, [("74", path, message)])
    assert project.tree == {"modules/m/m.php": php("m")}
    os.chown(place, 0, 0)
    local.chmod(0)
    ran = weakly(project, "create")
    assert (ran.code, reported(ran)) == (74, [("74", ".tool", f"`{local}`: permission denied")])
    assert (
        ran.reported("error")[0]["help"]
        == "run as its owner, or as root; or change the permissions"
    )
    assert weakly(project, "status").reported("warning")[0]["code"] == "problem-ahead"


@needs_other_users
def test_patches_that_cannot_be_written(project: Project) -> None:
    """If the folder of patches belongs to another user, `tool patch` ends with 74 and names the
    file.
    """
    project.module("m")
    assert project.create().code == 0
    project.write("modules/m/m.php", "mine")
    (project.root / "patches").mkdir()
    os.chown(project.root / "patches", 12345, 12345)
    ran = weakly(project, "patch")
    assert (ran.code, [each["source"] for each in ran.reported("error")]) == (
        74,
        ["patches/.gitattributes"],
    )


USERS: Final = (12_345, 23_456)


def hand_over(root: Path, user: int) -> None:
    """Give all that is local to a user, and let the group write into everything that is built."""
    for path in (root / ".tool").rglob("*"):
        os.chown(path, user, -1, follow_symlinks=False)
    os.chown(root / ".tool", user, -1)
    for path in (
        root / ".tool-manifest.json",
        root / ".tool-cache.json",
        *(root / "modules").rglob("*"),
    ):
        os.chown(path, -1, GROUP)
        path.chmod(0o2775 if path.is_dir() else 0o664)


@needs_other_users
@pytest.mark.parametrize("mask", [0o022, 0o077])
@pytest.mark.parametrize("mode", [0o775, 0o2775])
def test_users_of_a_group_take_turns(mode: int, mask: int) -> None:
    """Each user of a group builds, updates, backs up, undoes and removes, while everything in the
    folder belongs to the other.
    """
    with tempfile.TemporaryDirectory(dir=memory.place()) as folder:
        project, umask = Project(Path(folder)), os.umask(0o022)
        for place in (project.root, project.root / "modules"):
            place.mkdir(exist_ok=True)
            os.chown(place, -1, GROUP)
            place.chmod(mode)
        project.module("n", "drop/n.zip")
        for number, words in enumerate(
            ("create", "create", "undo", "create --force", "undo", "create --prune") * 2
        ):
            if words == "create --prune":
                (project.root / "drop/m.zip").unlink()
            elif words.startswith("create"):
                project.archive(
                    "drop/m.zip", {"m/m.php": php("m", str(number)), f"m/{number}/x": "x"}
                )
            if words == "create --force":
                project.write("modules/m/m.php", f"mine {number}")
            if number:
                hand_over(project.root, USERS[number % 2])
            command, *flags = words.split()
            try:
                os.umask(mask)
                drop = ["drop"] * (command == "create")
                ran = FORKS.run(project.root, command, *drop, *flags, user=USERS[1 - number % 2])
            finally:
                os.umask(0o022)
            codes = {
                each["code"]
                for each in map(json.loads, ran.err.splitlines())
                if each["event"] == "warning"
            }
            assert (ran.code, codes - {"backed-up", "built-again"}) == (0, set()), (words, ran.err)
            assert not (project.root / ".tool/staging").exists()
            local = [
                path for path in (project.root / ".tool").rglob("*") if "previous" not in path.parts
            ]
            assert {path.stat().st_gid for path in local} == {GROUP}
            assert {
                stat.S_IMODE(path.stat().st_mode) & 0o777 for path in local if path.is_dir()
            } == {0o770}
        os.umask(umask)


@needs_other_users
@pytest.mark.parametrize("place", ["0", "0/d"])
def test_a_killed_run_of_another_user(place: str) -> None:
    """If only the user who started a killed run can complete it, an error names them and nothing
    changes; then they complete it.
    """
    with tempfile.TemporaryDirectory(dir=memory.place()) as folder:
        project = Project(Path(folder))
        os.chown(project.root, -1, GROUP)
        project.root.chmod(0o2775)
        project.archive("m.zip", {"m/m.php": php("m"), "m/d/x": "x"})
        script = project.write("init-scripts/a.sh", "kill -9 $PPID")
        assert FORKS.run(project.root, "create", user=USERS[0]).code == -9
        script.unlink()
        (project.root / ".tool/staging" / place).chmod(0o750)
        ran = FORKS.run(project.root, "create", user=USERS[1])
        (error,) = (
            each for each in map(json.loads, ran.err.splitlines()) if each["event"] == "error"
        )
        assert (ran.code, project.tree) == (74, {})
        assert (
            f".tool/staging/{place}`: permission denied; it belongs to the user `{USERS[0]}`"
            in error["message"]
        )
        assert (project.root / ".tool/staging/0/m.php").exists()
        assert FORKS.run(project.root, "create", user=USERS[0]).code == 0
        assert FORKS.run(project.root, "create", user=USERS[1]).code == 0


CLOSED: Final = "it is in a folder that is not writable"
OWNED: Final = {
    "the project": ([""], 0o755, ".tool-manifest.json", CLOSED),
    "the local folder": (
        [".tool"],
        0o755,
        ".tool",
        "permission denied; it belongs to the user `root`",
    ),
    "the backup": ([".tool/backup"], 0o755, ".tool/backup", "permission denied"),
    "modules, and two are new": (["modules"], 0o755, "modules/n", "permission denied"),
    "sticky modules, and one that goes": (
        ["modules", "modules/old"],
        0o1777,
        "modules/old",
        "operation not permitted",
    ),
    "a component": (["modules/m"], 0o755, "modules/m/m.php", "permission denied"),
    "a folder that changes": (["modules/m/d"], 0o755, "modules/m/d/x", "permission denied"),
    "a sticky one": (
        ["modules/m/d", "modules/m/d/x"],
        0o1777,
        "modules/m/d/x",
        "operation not permitted",
    ),
    "a folder that does not change": (["modules/m/same"], 0o755, "", ""),
}
"""What belongs to root, and the mode of folders; what keeps another user from a build
therefore, and why.
"""


@needs_other_users
@pytest.mark.parametrize("what", OWNED)
def test_what_another_user_may_not_change(what: str) -> None:
    """If the tool's own files cannot be written, the run ends with 74, changes nothing and runs no
    script.

    `--check`, a dry run and a diff work, as they only look.
    """
    with tempfile.TemporaryDirectory(dir=memory.place()) as folder:
        project, (owned, mode, refused, why) = Project(Path(folder)), OWNED[what]
        project.archive("drop/m.zip", {"m/m.php": php("m"), "m/d/x": "1", "m/same/x": "1"})
        project.module("old", "drop/old.zip")
        assert project.create("drop").code == 0
        project.write("modules/m/m.php", "mine")
        project.archive("drop/m.zip", {"m/m.php": php("m", "2"), "m/d/x": "2", "m/same/x": "1"})
        if "old" in refused:
            (project.root / "drop/old.zip").unlink()
        for name in ("n", "o") if refused == "modules/n" else ():
            project.module(name, f"drop/{name}.zip")
        (project.root / ".tool/backup").mkdir()
        project.write("init-scripts/a.sh", "touch ran")
        for path in (project.root, *project.root.rglob("*")):
            os.chown(path, USERS[0], USERS[0])
        for path in (project.root / name for name in owned):
            os.chown(path, 0, 0)
            path.chmod(mode if path.is_dir() else 0o644)
        before = project.tree
        checked = FORKS.run(
            project.root, "create", "drop", "--force", "--prune", "--check", user=USERS[0]
        )
        assert checked.code == 80
        for flags in (["--dry-run"], []):
            ran = FORKS.run(
                project.root, "create", "drop", "--force", "--prune", *flags, user=USERS[0]
            )
            errors = [
                each["message"]
                for each in map(json.loads, ran.err.splitlines())
                if each["event"] == "error"
            ]
            is_own, is_refused = refused.startswith("."), bool(refused) and not flags
            assert errors == ([f"`{project.root}/{refused}`: {why}"] if is_refused else []), ran.err
            assert ran.code == (74 if is_refused else 0)
            assert not (project.root / ".tool/staging").exists()
            assert not refused or project.tree == before
            assert not (is_own and (project.root / "ran").exists())
            assert FORKS.run(project.root, "diff", "drop", user=USERS[0]).code == 0
        assert project.create("drop", "--force", "--prune").code == 0
        assert project.tree["modules/m/m.php"] == php("m", "2")


@needs_other_users
def test_a_killed_undo_of_another_user() -> None:
    """If another user's undo was killed, an undo ends with 74 and their name; they complete it."""
    with tempfile.TemporaryDirectory(dir=memory.place()) as folder:
        project = Project(Path(folder))
        os.chown(project.root, -1, GROUP)
        project.root.chmod(0o2775)
        for text in "12":
            project.archive("drop/m.zip", {"m/m.php": php("m", text)})
            assert FORKS.run(project.root, "create", "drop", user=USERS[0]).code == 0
        number = 0
        while not (project.root / ".tool/staging").exists():
            number += 1
            FORKS.run(project.root, "undo", user=USERS[0], number=number, way="KILL")
        while FORKS.run(project.root, "undo", user=USERS[0], number=number, way="KILL").code == -9:
            number += 1
            if project.tree != {"modules/m/m.php": php("m", "2")}:
                break
        for slot in (project.root / ".tool/staging").iterdir():
            slot.chmod(0o750 if slot.is_dir() else 0o640)
        ran = FORKS.run(project.root, "undo", user=USERS[1])
        (error,) = (
            each for each in map(json.loads, ran.err.splitlines()) if each["event"] == "error"
        )
        assert ran.code == 74
        assert f"it belongs to the user `{USERS[0]}`" in error["message"]
        assert FORKS.run(project.root, "undo", user=USERS[0]).code == 0
        assert project.tree == {"modules/m/m.php": php("m", "1")}


@contextmanager
def obstructed(path: Path, how: str) -> Iterator[None]:
    """Keep something in the local folder from being written for a while."""
    if how == "mounted":
        with mounted(path, "-t", "tmpfs", "tmpfs"):
            yield
        return
    if how == "a folder":
        path.unlink()
        path.mkdir()
    elif how == "a file":
        path.rename(path.with_name("away"))
        path.touch()
    else:
        set_flag(f"+{how[0]}", path)
    try:
        yield
    finally:
        if how == "a folder":
            path.rmdir()
        elif how == "a file":
            path.unlink(missing_ok=True)
            path.with_name("away").rename(path)
        else:
            set_flag(f"-{how[0]}", path)


@pytest.fixture
def built() -> Iterator[Project]:
    """A project on a disk that knows immutable files, in which something was built and updated."""
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent.parent.parent / ".venv") as folder:
        project = Project(Path(folder))
        for text in ("1", "2"):
            project.archive("m.zip", {"m/m.php": php("m", text)})
            assert project.create().code == 0
        yield project


@pytest.mark.parametrize(("name", "how", "lost"), rows("local", "only for later"))
def test_what_only_serves_later(built: Project, name: str, how: str, lost: str) -> None:
    """If a file cannot be written that only later commands need, the run ends with 0 and says so,
    and so does the next one.
    """
    with obstructed(built.root / ".tool" / name, how):
        for text in ("3", "4"):
            built.archive("m.zip", {"m/m.php": php("m", text)})
            ran = built.create()
            assert (ran.code, built.tree) == (0, {"modules/m/m.php": php("m", text)})
            left_out = [("unwritable-file", f".tool/{lost}")] * bool(lost)
            assert [(each["code"], each["source"]) for each in ran.reported("warning")] == left_out
            assert not (built.root / ".tool/staging").exists()
    built.archive("m.zip", {"m/m.php": php("m", "5")})
    assert reported(built.create()) == []
    assert built.run("undo").code == 0
    assert built.tree == {"modules/m/m.php": php("m", "4")}


def test_a_link_in_place_of_what_was_kept(built: Project) -> None:
    """A link in the place of the previous run's files is removed and not followed; a file is kept
    under another name.
    """
    outside = built.write("outside/mine", "mine")
    for number, put in enumerate(
        (lambda path: path.symlink_to(outside.parent), lambda path: path.write_text("mine"))
    ):
        shutil.rmtree(built.root / ".tool/previous")
        put(built.root / ".tool/previous")
        built.archive("m.zip", {"m/m.php": php("m", f"again {number}")})
        assert built.create().code == 0
        left = [path.read_text() for path in (built.root / ".tool").glob(".*.tool-new")]
        assert (left, outside.read_text()) == (["mine"] * number, "mine")
    assert built.run("undo").code == 0


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("immutable", "operation not permitted"),
        ("append-only", "operation not permitted"),
        ("a folder", "is a directory"),
    ],
)
def test_what_a_run_needs_in_the_end(built: Project, how: str, why: str) -> None:
    """If the state cannot be written, the run ends with 74 and puts everything back."""
    path = built.root / ".tool/state.json"
    with obstructed(path, how):
        built.archive("m.zip", {"m/m.php": php("m", "3")})
        for _ in range(2):
            ran = built.create()
            errors = [each["message"] for each in ran.reported("error")]
            assert (ran.code, errors) == (74, [f"`{path}`: {why}"])
            assert ran.reported("summary")[0]["outcome"] == "unchanged"
            assert built.tree == {"modules/m/m.php": php("m", "2")}
            assert not (built.root / ".tool/staging").exists()
    assert reported(built.create()) == []
