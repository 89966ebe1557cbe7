"""The example repository in `docs/examples/shop` is built as it is committed; `test_pages`
runs its README.
"""

import shlex
import shutil
from pathlib import Path
from typing import Any

import yaml

from tests.support.checkout import git
from tests.support.examples import EXAMPLES, SOURCES, archives, copy_example, pack
from tests.support.project import Project

RECORD = ".tool-manifest.json"
WORKFLOW = ".github/workflows/build.yml"


def commands(text: str) -> list[list[str]]:
    """Every `tool` command of a workflow of GitHub, in order."""
    workflow: dict[str, Any] = yaml.safe_load(text)
    lines = [
        step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step
    ]
    return [shlex.split(line)[1:] for line in lines if line.startswith("tool ")]


def test_archives_are_packed_from_their_sources() -> None:
    """Every archive of the examples is what `python -m tests.support.examples` writes."""
    assert {
        path.relative_to(EXAMPLES).as_posix(): path.read_bytes() for path in EXAMPLES.rglob("*.zip")
    } == archives()


def test_the_record_is_what_a_run_writes(tmp_path: Path) -> None:
    """A run without the record, in an unchanged copy, writes the record that the example has
    committed.
    """
    project = Project(copy_example("shop", tmp_path))
    project.root.joinpath(RECORD).unlink()
    shutil.rmtree(project.root / "modules")
    assert project.create("drop").code == 0
    assert (
        project.root.joinpath(RECORD).read_bytes() == EXAMPLES.joinpath("shop", RECORD).read_bytes()
    )


def test_the_commands_of_the_workflow_succeed(tmp_path: Path) -> None:
    """What CI runs exits with 0 in a fresh clone, and leaves nothing behind that git would
    want to commit.
    """
    project = Project(copy_example("shop", tmp_path))
    lines = commands(project.root.joinpath(WORKFLOW).read_text(encoding="utf-8"))
    runs = [project.run(*line, env={"CI": "true"}) for line in lines]
    assert lines == [["config", "validate"], ["create", "drop", "--frozen", "--mine"]]
    assert [ran.code for ran in runs] == [0] * len(runs), runs
    assert git(project.root, "status", "--porcelain") == ""


def test_the_shop_refuses_an_older_version(tmp_path: Path) -> None:
    """The init script stops a downgrade with `--force` before a component changes."""
    project = Project(copy_example("shop", tmp_path))
    project.create("drop")
    before = project.tree
    older = shutil.copytree(SOURCES / "shop/drop/giftwrap-1.2.0", tmp_path / "older")
    main = older / "giftwrap/giftwrap.php"
    main.write_text(main.read_text(encoding="utf-8").replace("1.2.0", "1.1.0"), encoding="utf-8")
    project.write("drop/giftwrap-1.2.0.zip", pack(older))
    ran = project.create("drop", "giftwrap", "--force")
    assert (ran.code, ran.reported("output")) == (
        79,
        [
            {
                "event": "output",
                "source": "init-scripts/10-no-downgrade.py",
                "stream": "stdout",
                "line": "modules/giftwrap is at 1.2.0, and the drop has 1.1.0",
            }
        ],
    )
    assert project.tree == before
