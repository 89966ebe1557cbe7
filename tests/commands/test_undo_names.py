"""`tool undo NAME…`: components of the last run are taken back one by one."""

import json
import shutil
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.support.forks import FORKS
from tests.support.project import Project, Ran, php


def run(project: Project, *args: str) -> Ran:
    """Run a command, with the log as JSON."""
    return project.run(*args, env={"TOOL_LOG_FORMAT": "json"})


def seen(project: Project) -> tuple[dict[str, str], bytes | None, dict[str, Any]]:
    """The files of components and patches, the record, and the components in the state."""
    record = project.root / ".tool-manifest.json"
    state = project.root / ".tool/state.json"
    known = (
        json.loads(state.read_bytes())["content"].get("components", {}) if state.exists() else {}
    )
    components = {path: each["component"] for path, each in known.items()}
    folders = (project.root / name for name in ("modules", "themes", "patches"))
    paths = sorted(path for folder in folders for path in folder.rglob("*"))
    files = {
        str(path.relative_to(project.root)): path.read_text("utf-8") if path.is_file() else ""
        for path in paths
    }
    return files, record.read_bytes() if record.exists() else None, components


def release(project: Project, version: str) -> None:
    """Put a release of two modules and a theme into the drop."""
    for name in ("a", "b"):
        project.archive(
            f"drop/{name}.zip",
            {f"{name}/{name}.php": php(name, version), f"{name}/{version}": version},
        )
    project.archive(
        "drop/t.zip", {"config/theme.yml": f"name: t\nversion: {version}\n", "index.php": "<?php"}
    )


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project after its first build of two modules and a theme; each test changes a copy."""
    project = Project(tmp_path_factory.mktemp("first") / "project")
    release(project, "1.0")
    assert project.create("drop").code == 0
    return project


@pytest.fixture(scope="module")
def second(first: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The same after an update of all of them; each test changes a copy."""
    project = first.copy(tmp_path_factory.mktemp("second") / "project")
    release(project, "2.0")
    assert project.create("drop").code == 0
    return project


@pytest.mark.parametrize("life", ["first", "second"])
def test_one_after_another(life: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Law: components that are undone one after another are as after one undo of all; each can be
    redone at once.
    """
    after: Project = request.getfixturevalue(life)
    whole = after.copy(tmp_path / "whole")
    assert FORKS.run(whole.root, "undo").code == 0
    project = after.copy(tmp_path / "parts")
    states = [seen(project)]
    for name in ("b", "themes/t", "a"):
        assert FORKS.run(project.root, "undo", name).code == 0
        states.append(seen(project))
        assert FORKS.run(project.root, "redo").code == 0
        assert seen(project) == states[-2]
        assert FORKS.run(project.root, "undo", name).code == 0
        assert seen(project) == states[-1]
        assert not (project.root / ".tool/staging").exists()
    assert states[-1] == seen(whole)
    assert states[-1][0].keys() != states[0][0].keys()
    ran = run(project, "undo")
    (error,) = ran.reported("error")
    assert (ran.code, error["help"]) == (73, "`tool redo` reverses the undo")


def test_the_others_of_a_run(second: Project, tmp_path: Path) -> None:
    """The other components stay as they are; an undo without names takes back all that are left,
    and names the run.
    """
    project = second.copy(tmp_path / "project")
    before = seen(project)
    ran = run(project, "undo", "a", "--dry-run")
    assert [each["path"] for each in ran.reported("component")] == ["modules/a"]
    assert seen(project) == before
    ran = run(project, "undo", "a")
    assert [each["path"] for each in ran.reported("component")] == ["modules/a"]
    assert (ran.reported("undo")[0]["command"], ran.code) == (["tool", "create", "drop"], 0)
    changed = {
        path
        for path in chain(before[0], seen(project)[0])
        if before[0].get(path) != seen(project)[0].get(path)
    }
    assert changed == {"modules/a/a.php", "modules/a/1.0", "modules/a/2.0"}
    ran = run(project, "undo")
    assert {each["path"] for each in ran.reported("component")} == {"modules/b", "themes/t"}
    assert (ran.reported("undo")[0]["command"], ran.code) == (["tool", "create", "drop"], 0)
    whole = second.copy(tmp_path / "whole")
    assert run(whole, "undo").code == 0
    assert seen(project) == seen(whole)


def test_a_redo_of_a_part(second: Project, tmp_path: Path) -> None:
    """After the redo of a component, an undo takes it back with all that were left."""
    project = second.copy(tmp_path / "project")
    for args in (("undo", "a"), ("undo", "b"), ("redo",), ("undo",)):
        assert FORKS.run(project.root, *args).code == 0
    whole = second.copy(tmp_path / "whole")
    assert FORKS.run(whole.root, "undo").code == 0
    assert seen(project) == seen(whole)


def test_a_run_in_between(second: Project, tmp_path: Path) -> None:
    """After another run that changes the project, only that run can be undone."""
    project = second.copy(tmp_path / "project")
    assert FORKS.run(project.root, "undo", "a").code == 0
    assert FORKS.run(project.root, "create", "drop", "a").code == 0
    ran = run(project, "undo", "b")
    (error,) = ran.reported("error")
    assert (ran.code, error["message"].partition(":")[0]) == (
        73,
        "there is nothing to undo in `modules/b`",
    )
    assert run(project, "undo").code == 0
    assert project.tree["modules/a/1.0"] == "1.0"


def test_a_component_that_is_gone(second: Project, tmp_path: Path) -> None:
    """A component that was removed since the run stops only an undo that includes it."""
    project = second.copy(tmp_path / "project")
    shutil.rmtree(project.root / "modules/a")
    for args in ((), ("a", "b")):
        assert run(project, "undo", *args).code == 73
    assert run(project, "undo", "b", "t").code == 0


@pytest.mark.parametrize(
    ("names", "code", "error"),
    [
        (("x",), 68, "ComponentNotFound"),
        (("a", "modules/x"), 68, "ComponentNotFound"),
        (("a@1.0",), 64, "UsageError"),
        (("",), 64, "UsageError"),
    ],
)
def test_names_that_cannot_be(
    second: Project, tmp_path: Path, names: tuple[str, ...], code: int, error: str
) -> None:
    """An unknown name is an error, and so is a version."""
    project = second.copy(tmp_path / "project")
    before = seen(project)
    ran = run(project, "undo", *names)
    assert (ran.code, ran.reported("error")[0]["error"]) == (code, error)
    assert seen(project) == before


def test_a_patch_of_a_part(project: Project) -> None:
    """A patch that the run rewrote is restored with its own component only."""
    for name in ("a", "b"):
        project.archive(
            f"drop/{name}.zip",
            {f"{name}/{name}.php": php(name, "1"), f"{name}/text": "1\n2\n3\n4\n5\n6\n7\n"},
        )
    assert project.create("drop").code == 0
    for name in ("a", "b"):
        project.write(f"modules/{name}/text", "1\n2\n3\nmine\n5\n6\n")
    assert project.run("patch", "drop").code == 0
    assert project.create("drop").code == 0
    before = seen(project)
    for name in ("a", "b"):
        project.archive(
            f"drop/{name}.zip",
            {f"{name}/{name}.php": php(name, "2"), f"{name}/text": "1!\n2\n3\n4\n5\n6\n7\n"},
        )
    assert project.create("drop", "--merge").code == 0
    after = seen(project)
    patches = ("patches/modules/a.patch", "patches/modules/b.patch")
    assert [before[0][each] == after[0][each] for each in patches] == [False, False]
    assert FORKS.run(project.root, "undo", "b").code == 0
    assert [seen(project)[0][each] == before[0][each] for each in patches] == [False, True]
    for args, expected in ((("redo",), after), (("undo",), before), (("redo",), after)):
        assert FORKS.run(project.root, *args).code == 0
        assert seen(project) == expected
    for name in ("a", "b"):
        assert FORKS.run(project.root, "undo", name).code == 0
    assert seen(project) == before
