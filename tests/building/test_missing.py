"""What is needed and is in neither drop nor project, as runs report it (`docs/archives.md`)."""

import re
import shutil
from pathlib import Path

import pytest

from io_edges.building import view as look
from tests.support.project import Project, Ran
from tests.support.tables import rows


def drupal(project: Project, name: str, *needs: str, kind: str = "module", **inside: str) -> None:
    """Make the archive of a module that needs others, with more files in it."""
    listed = "".join(f"  - {need}\n" for need in needs)
    info = f"name: {name}\ntype: {kind}\ncore_version_requirement: ^10\nbase theme: sea\ndependencies:\n{listed}"
    project.archive(f"drop/{name}.zip", {f"{name}/{name}.info.yml": info, f"{name}/{name}.txt": "", **inside})


def missed(ran: Ran) -> list[str]:
    """What is missed in a run that is done."""
    assert ran.code == 0
    messages = [each["message"] for each in ran.reported("warning") if each["code"] == "missing-need"]
    return [re.sub(r".*? needs? (.*), which is neither .*", r"\1", each) for each in messages]


def create(project: Project, *args: str) -> list[str]:
    """Build the drop; return what is missed."""
    return missed(project.run("create", "drop", "--log-format=json", *args))


def test_it_is_told_once(project: Project) -> None:
    """A run reports it; later runs do not while it stays so, unless they report everything."""
    drupal(project, "a", "b", "drupal:node")
    drupal(project, "t", "a", kind="theme")
    assert create(project, "-n") == ["`b`", "the theme `sea`"]
    assert create(project) == ["`b`", "the theme `sea`"]
    assert [create(project), create(project, "-q"), create(project, "-n"), create(project, "a")] == [[], [], [], []]
    assert create(project, "--verbose") == ["`b`", "the theme `sea`"]
    drupal(project, "c", "d", "b")
    assert create(project) == ["`b`", "`d`"]
    shutil.rmtree(project.root / ".tool")
    assert create(project, "c") == ["`b`", "`d`"]
    assert create(project, "c") == []


FOLDERS = ("themes", "mu-plugins", "sites/all/themes", "modules", "sites/all/modules", "profiles")


@pytest.mark.parametrize("path", rows("missing", "modules"))
def test_what_others_have_put_there(project: Project, path: str) -> None:
    """It does not matter who has, and where Drupal finds it."""
    project.write(path, "")
    assert look.elsewhere(project.root, FOLDERS, frozenset({"b", "c"}), frozenset(), True) == {"b"}


@pytest.mark.parametrize("path", ["src/b/x", "modules/suite/tests/b/x", "modules/1/2/3/4/b/x"])
def test_what_is_no_module(project: Project, path: str) -> None:
    """Neither what is outside of all folders of modules, nor what is deep in one."""
    project.write(path, "")
    assert look.elsewhere(project.root, FOLDERS, frozenset({"b"}), frozenset(), True) == frozenset()


def test_what_is_there_after_the_run_counts(project: Project) -> None:
    """What `--prune` removes is missed; so is a module of a component that it removes."""
    drupal(project, "a", "suite:sub", "b")
    drupal(project, "suite", **{"suite/modules/sub/sub.info.yml": "type: module"})
    drupal(project, "b")
    assert create(project) == []
    for name in ("suite", "b"):
        (project.root / f"drop/{name}.zip").unlink()
    assert create(project, "-n") == []
    assert create(project, "-n", "--prune") == ["`b`", "`sub` (of `suite`)"]


def test_what_is_not_built_needs_nothing(project: Project) -> None:
    """A component in conflict that is passed over, one that is left out, and `tool status`."""
    drupal(project, "a", "b")
    project.write("modules/a/a.info.yml", "mine")
    ran = project.run("create", "drop", "--log-format=json", "--keep-going")
    assert (ran.code, [each["code"] for each in ran.reported("warning")]) == (73, [])
    assert create(project, "--exclude=a") == []
    assert missed(project.run("status", "drop", "--exclude=a", "--log-format=json")) == []
    assert create(project, "a", "--mine") == ["`b`"]


def test_where_there_is_no_telling(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a folder cannot be read, or holds too much, nothing is missed."""
    drupal(project, "a", "b")
    for number in range(3):
        project.write(f"modules/{number}/x", "")
    root, names = Path(project.root), frozenset({"b"})
    assert look.elsewhere(root, ("modules",), names, frozenset(), True) == frozenset()
    assert look.elsewhere(root, ("modules",), frozenset({"x", "X", "y"}), frozenset(), True) == {"x", "X"}
    assert look.elsewhere(root, ("drop/a.zip",), names, frozenset(), True) == names
    monkeypatch.setattr(look, "_LIMIT", 5)
    assert look.elsewhere(root, ("modules",), names, frozenset(), True) == names


def test_a_parent_that_the_run_removes(project: Project) -> None:
    """A theme that stays builds on it, so it is missed, though the system may have it in one release or another."""
    for name, parent in (("kid", "parent: classic\n"), ("classic", "")):
        project.archive(f"drop/{name}.zip", {"config/theme.yml": f"name: {name}\n{parent}", "a.tpl": name})
    assert create(project) == []
    (project.root / "drop/classic.zip").unlink()
    assert create(project, "--prune") == ["the theme `classic`"]
