"""Configurations that another user has made unreadable: they are errors, and are never ignored
(`docs/configuration.md`).
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import memory
from tests.support.forks import FORKS, Forked
from tests.support.project import Project

USER = 65_534
pytestmark = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can run the command as another user"
)


@pytest.fixture
def shop() -> Iterator[Project]:
    """A project that everybody may read, with a folder `closed` of root's that nobody
    else may enter.
    """
    with tempfile.TemporaryDirectory(dir=memory.place()) as folder:
        project = Project(Path(folder))
        project.root.chmod(0o755)
        project.write(".git/HEAD", "")
        project.write("tool.config.json", {"schema": 1})
        project.write("closed/tool.config.json", {"theme": "harbour"})
        (project.root / "closed").chmod(0o700)
        yield project


def run(project: Project, *args: str, cwd: str = ".") -> Forked:
    """Run the command as another user, with its log as text."""
    return FORKS.run(project.root / cwd, *args, env={}, user=USER)


@pytest.mark.parametrize(
    "args", [["config", "show"], ["config", "validate"], ["create", "--dry-run"]]
)
def test_a_link_into_a_closed_folder(shop: Project, args: list[str]) -> None:
    """A configuration that is a link into an unreadable folder is an error (66), whatever
    configuration is above it.
    """
    (shop.root / "sub").mkdir()
    (shop.root / "sub/tool.config.json").symlink_to("../closed/tool.config.json")
    ran = run(shop, *args, cwd="sub")
    assert ran.code == 66
    assert ran.err.startswith(
        "error: ConfigUnreadable: cannot read `tool.config.json`: permission denied\n"
    )


def test_a_closed_folder_among_those_that_are_checked(shop: Project) -> None:
    """If everything below a folder is checked, a folder that cannot be listed is an error, unless
    git ignores it.
    """
    ran = run(shop, "config", "validate", ".")
    assert (ran.code, ran.out) == (66, "tool.config.json: valid\n")
    assert "error: ConfigUnreadable: cannot read `closed`: permission denied\n" in ran.err
    shop.write(".gitignore", "closed\n")
    (shop.root / ".git/HEAD").unlink()
    subprocess.run(["git", "init", "-q"], cwd=shop.root, check=True)
    os.chown(shop.root, USER, USER)
    os.chown(shop.root / ".git", USER, USER)
    ran = run(shop, "config", "validate", ".")
    assert (ran.code, ran.out) == (0, "tool.config.json: valid\n"), ran.err
