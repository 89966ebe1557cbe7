"""Files of a component that this user may not read, such as the cache of a web server
(`docs/building.md`).
"""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import memory
from tests.support.forks import FORKS, Forked
from tests.support.project import Project, php
from tests.support.sweep import in_turn, sample

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can run the command as another user"
)
USER = 12345


@pytest.fixture
def site() -> Iterator[Project]:
    """A project of a user with two modules, built."""
    with tempfile.TemporaryDirectory(dir=memory.place()) as folder:
        project = Project(Path(folder))
        os.chown(project.root, USER, USER)
        for name in "mn":
            project.archive(f"drop/{name}.zip", {f"{name}/{name}.php": php(name), f"{name}/a": "1"})
        assert run(project, "create", "drop").code == 0
        yield project


def run(project: Project, *args: str) -> Forked:
    """Run a command as the user."""
    return FORKS.run(project.root, *args, user=USER)


def close(site: Project, path: str, mode: int = 0o600) -> None:
    """Give a path to root, and close it to the user."""
    os.chown(site.root / path, 0, 0)
    (site.root / path).chmod(mode)


def errors(ran: Forked) -> list[str]:
    """What the errors of a run are about."""
    reported = [json.loads(line) for line in ran.err.splitlines()]
    return [each["message"] for each in reported if each["event"] == "error"]


@pytest.mark.parametrize("name", ["cache.bin", "cache/deep/x"])
def test_what_need_not_be_read_is_not_read(site: Project, name: str) -> None:
    """An unreadable file or folder that neither base nor archive has is listed and never opened:
    every command works, and it stays.
    """
    file = site.write(f"modules/m/{name}", "theirs")
    (site.root / "modules/m" / name.partition("/")[0]).chmod(0)
    site.archive("drop/m.zip", {"m/m.php": php("m", "2"), "m/a": "2"})
    for args in (
        ["status", "drop"],
        ["diff", "drop"],
        ["diff", "drop", "--mine"],
        ["create", "drop"],
        ["undo"],
    ):
        ran = run(site, *args)
        assert (ran.code, errors(ran)) == (0, []), (args, errors(ran))
    assert file.read_text("utf-8") == "theirs"
    assert (site.root / "modules/m/a").read_text("utf-8") == "1"


@pytest.mark.parametrize(("path", "mode"), [("modules/m", 0o700), ("modules/m/a", 0o600)])
def test_one_that_is_needed_is_an_error_of_its_component_alone(
    site: Project, path: str, mode: int
) -> None:
    """An unreadable file that is needed stops the run with 74 before anything is written;
    `--keep-going` builds the others, and `status` shows them.

    For an unreadable folder, `--force` does not help.
    """
    close(site, path, mode)
    for each in "mn":
        site.archive(f"drop/{each}.zip", {f"{each}/{each}.php": php(each, "2"), f"{each}/a": "2"})
    ran = run(site, "create", "drop")
    assert (ran.code, errors(ran)) == (74, [f"`{path}`: permission denied"])
    assert (site.root / "modules/n/a").read_text("utf-8") == "1"
    status = run(site, "status", "drop")
    paths = [json.loads(each)["path"] for each in status.out.splitlines()]
    assert (status.code, paths) == (74, ["modules/m", "modules/n"])
    assert path == "modules/m/a" or run(site, "create", "drop", "--force", "modules/m").code == 74
    assert run(site, "create", "drop", "--keep-going").code == 74
    assert [(site.root / f"modules/{each}/a").read_text("utf-8") for each in "mn"] == ["1", "2"]


def test_force_replaces_it_unread(site: Project) -> None:
    """`--force` with the component's name replaces an unreadable file, even if it cannot be linked;
    the file is in the backup.
    """
    others = site.root / "modules/m/a"
    others.write_text("theirs", "utf-8")
    os.chown(others, 0, 0)
    others.chmod(0o600)
    own = site.root / "modules/m/m.php"
    own.chmod(0)
    for args in (["--force"], ["--mine", "modules/m"], ["--take-theirs", "modules/m/*"]):
        assert run(site, "create", "drop", *args).code == 74
    site.archive("drop/m.zip", {"m/m.php": php("m", "2"), "m/a": "2"})
    ran = run(site, "create", "drop", "--force", "modules/m")
    assert (ran.code, errors(ran)) == (0, [])
    assert (others.read_text("utf-8"), own.read_text("utf-8")) == ("2", php("m", "2"))
    (backup,) = site.root.glob(".tool/backup/*/modules/m")
    kept = {each.name: (each.read_text("utf-8"), each.stat().st_uid) for each in backup.iterdir()}
    assert kept == {"a": ("theirs", 0), "m.php": (php("m"), USER)}
    assert run(site, "status", "drop").code == 0


@pytest.mark.sweep
@pytest.mark.parametrize("call", sample(range(1, 40), 8))
def test_a_file_that_no_link_can_be_made_of_is_never_lost(site: Project, call: int) -> None:
    """Wherever the run is killed, the next one finds the file in its place or in the backup."""
    others = site.root / "modules/m/a"
    others.write_text("theirs", "utf-8")
    os.chown(others, 0, 0)
    others.chmod(0o600)
    FORKS.run(
        site.root, "create", "drop", "--force", "modules/m", number=call, way="KILL", user=USER
    )
    assert run(site, "create", "drop", "--force", "modules/m").code == 0
    (backup,) = site.root.glob(".tool/backup/*/modules/m/a")
    assert (backup.read_text("utf-8"), others.read_text("utf-8")) == ("theirs", "1")


@pytest.mark.parametrize(("path", "mode"), [("modules/m", 0o700), ("modules/m/a", 0o600)])
def test_one_that_cannot_be_removed_is_an_error_of_it_alone(
    site: Project, path: str, mode: int
) -> None:
    """If `--prune` cannot read a component, it stops with 74 beside all other errors;
    `--keep-going` removes and builds the rest.
    """
    site.archive("drop/o.zip", {"o/o.php": php("o")})
    assert run(site, "create", "drop").code == 0
    close(site, path, mode)
    site.write("modules/n/a", "edited")
    site.archive("drop/n.zip", {"n/n.php": php("n", "2"), "n/a": "2"})
    for each in "mo":
        (site.root / f"drop/{each}.zip").unlink()
    before, wrong = site.tree, [f"`{path}`: permission denied"]
    stopped = run(site, "create", "drop", "--prune")
    conflict = "both you and the archive changed `modules/n`: `modules/n/a` (edited)"
    assert (errors(stopped), site.tree) == ([conflict, *wrong], before)
    assert (
        json.loads(stopped.err.splitlines()[-2])["help"]
        == "run as its owner, or as root; or change the permissions"
    )
    ran = run(site, "create", "drop", "--prune", "--keep-going", "--force")
    assert (ran.code, errors(ran)) == (74, wrong)
    assert sorted(site.tree) == ["modules/m/a", "modules/m/m.php", "modules/n/a", "modules/n/n.php"]
    assert (site.root / "modules/n/a").read_text("utf-8") == "2"


def test_a_new_component_beside_a_closed_one(site: Project) -> None:
    """The folders of other components are searched for a new component, except those that cannot be
    read.
    """
    close(site, "modules/m", 0o700)
    site.archive("drop/o.zip", {"o/o.php": php("o")})
    assert run(site, "create", "drop", "n", "o").code == 0
    assert (site.root / "modules/o/o.php").exists()


@pytest.mark.sweep
@pytest.mark.parametrize(("call", "way"), in_turn(range(1, 50), ("KILL", "ENOSPC"), 8))
def test_undo_brings_back_what_was_moved_unread(site: Project, call: int, way: str) -> None:
    """Undo restores an unreadable file from the backup, wherever it is killed or refused a call,
    and also for a user who may read it.
    """
    others = site.root / "modules/m/a"
    others.write_text("theirs", "utf-8")
    close(site, "modules/m/a")
    site.archive("drop/m.zip", {"m/m.php": php("m", "2"), "m/a": "2"})
    assert run(site, "create", "drop", "--force", "m").code == 0
    FORKS.run(site.root, "undo", number=call, way=way, user=USER)
    FORKS.run(site.root, "undo", user=USER if call % 3 else 0)
    theirs = [path for path in site.root.rglob("a") if path.read_text("utf-8") == "theirs"]
    assert (theirs, others.stat().st_uid, others.stat().st_mode & 0o777) == ([others], 0, 0o600)
    assert (site.root / "modules/m/m.php").read_text("utf-8") == php("m")
    ran = run(site, "redo")
    assert (ran.code, errors(ran)) == (74, ["`modules/m/a`: permission denied"])
    assert FORKS.run(site.root, "redo", "--force").code == 0


@pytest.mark.parametrize(
    ("folder", "refused"), [("patches", ["themes/o"]), ("patches/modules", [])]
)
def test_a_folder_of_patches_that_cannot_be_looked_into(
    site: Project, folder: str, refused: list[str]
) -> None:
    """If the folder of patches cannot be read, each component that may have a patch is refused by
    itself, and `status` shows them all.
    """
    site.write("patches/modules/m.patch", "")
    close(site, folder, 0o700)
    site.archive("drop/o.zip", {"o/config/theme.yml": "name: o\n", "o/index.php": ""})
    status = run(site, "status", "drop")
    files = [f"patches/{each}.patch" for each in (*refused, "modules/m", "modules/n")]
    assert [each.partition("`")[2].partition("`")[0] for each in errors(status)] == files
    assert [json.loads(each)["path"] for each in status.out.splitlines()] == [
        "themes/o",
        "modules/m",
        "modules/n",
    ]
    assert run(site, "create", "drop", "m", "--keep-going").code == 74
    (site.root / folder).chmod(0o755)
    assert run(site, "create", "drop").code == 0
