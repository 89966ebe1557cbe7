"""Unread: files of a component that this user may not read, such as the cache of a web server (`docs/building.md`)."""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import memory
from tests.support.forks import FORKS, Forked
from tests.support.project import Project, php

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run the command as another user")
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


def errors(ran: Forked) -> list[str]:
    """What the errors of a run are about."""
    told = [json.loads(line) for line in ran.err.splitlines()]
    return [each["message"] for each in told if each["event"] == "error"]


@pytest.mark.parametrize("name", ["cache.bin", "cache/deep/x"])
def test_what_need_not_be_read_is_not_read(site: Project, name: str) -> None:
    """A file or folder that neither base nor archive has is listed, never opened: every command goes on, it stays."""
    file = site.write(f"modules/m/{name}", "theirs")
    (site.root / "modules/m" / name.partition("/")[0]).chmod(0)
    site.archive("drop/m.zip", {"m/m.php": php("m", "2"), "m/a": "2"})
    for args in (["status", "drop"], ["diff", "drop"], ["diff", "drop", "--mine"], ["create", "drop"], ["undo"]):
        ran = run(site, *args)
        assert (ran.code, errors(ran)) == (0, []), (args, errors(ran))
    assert file.read_text("utf-8") == "theirs"
    assert (site.root / "modules/m/a").read_text("utf-8") == "1"


def test_one_that_is_needed_is_an_error_of_its_component_alone(site: Project) -> None:
    """The run stops with 74 before anything is written; `--keep-going` builds the others, and `status` shows them."""
    os.chown(site.root / "modules/m/a", 0, 0)
    (site.root / "modules/m/a").chmod(0o600)
    for each in "mn":
        site.archive(f"drop/{each}.zip", {f"{each}/{each}.php": php(each, "2"), f"{each}/a": "2"})
    ran = run(site, "create", "drop")
    assert (ran.code, len(errors(ran))) == (74, 1)
    assert (site.root / "modules/n/a").read_text("utf-8") == "1"
    status = run(site, "status", "drop")
    paths = [json.loads(each)["path"] for each in status.out.splitlines()]
    assert (status.code, paths) == (74, ["modules/m", "modules/n"])
    assert run(site, "create", "drop", "--keep-going").code == 74
    assert (site.root / "modules/n/a").read_text("utf-8") == "2"
