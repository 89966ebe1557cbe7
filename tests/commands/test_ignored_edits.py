"""Edits in files that git ignores, which no clone has (`docs/howto/git-and-ci.md`)."""

import subprocess

import pytest

from tests.support.project import Project

THEME = {
    "t/config/theme.yml": "name: t\nversion: 1.0.0\n",
    "t/.gitignore": "assets\n",
    "t/index.tpl": "vendor\n",
    "t/assets/css/theme.css": "vendor\n",
    "t/assets/css/custom.css": "vendor\n",
}


def git(project: Project, *args: str) -> None:
    """Run git in the project."""
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *args],
        cwd=project.root,
        check=True,
        stdout=-3,
    )


@pytest.fixture
def shop(project: Project) -> Project:
    """A project in git, whose theme ignores its own assets; files inside and outside of
    these are edited.
    """
    git(project, "init", "-q")
    project.archive("drop/t.zip", THEME)
    assert project.create("drop").code == 0
    project.write("themes/t/assets/css/custom.css", "mine\n")
    project.write("themes/t/index.tpl", "mine\n")
    return project


def warned(project: Project, *command: str) -> list[tuple[str, str]]:
    """The warnings about ignored edits of a command."""
    ran = project.run(*command, "--log-format=json")
    assert ran.code == 0
    warnings = [each for each in ran.reported("warning") if each["code"] == "edits-ignored-by-git"]
    return [(each["message"], each["help"]) for each in warnings]


def test_edits_that_git_ignores(shop: Project) -> None:
    """One warning names the edits until a patch holds them; the command in it saves them."""
    message = (
        "git ignores `themes/t/assets/css/custom.css`, which you edited: a clone is built "
        "without your edits"
    )
    warning = [(message, "`tool patch drop themes/t` saves it as a patch; commit `patches/`")]
    assert [
        warned(shop, *command, "drop") for command in (("status",), ("create",), ("create", "-n"))
    ] == [warning] * 3
    (shop.root / "drop/t.zip").rename(shop.root / "t.zip")
    shop.module("m", "drop/m.zip")
    assert warned(shop, "status", "drop") == warning
    (shop.root / "t.zip").rename(shop.root / "drop/t.zip")
    assert shop.run("patch", "drop", "themes/t").code == 0
    assert [
        warned(shop, *command, "drop") for command in (("status",), ("create",), ("status",))
    ] == [[], [], []]
    (shop.root / "drop/t.zip").unlink()
    assert warned(shop, "status", "drop") == []


def test_a_component_that_the_run_removes(shop: Project) -> None:
    """With `--prune`, edits of a component that is removed are not reported."""
    (shop.root / "drop/t.zip").unlink()
    shop.module("m", "drop/m.zip")
    assert len(warned(shop, "create", "drop", "-n")) == 1
    assert warned(shop, "create", "drop", "-n", "--prune") == []
    assert warned(shop, "create", "drop", "--prune") == []


def test_edits_that_git_does_not_ignore(shop: Project) -> None:
    """Edits that were committed all the same, or that are in no repository, are not reported."""
    git(shop, "add", "-f", "themes/t/assets")
    assert warned(shop, "status", "drop") == []
    git(shop, "rm", "-rq", "--cached", "themes/t/assets")
    (shop.root / ".git").rename(shop.root / "elsewhere")
    assert warned(shop, "status", "drop") == []
