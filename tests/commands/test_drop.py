"""The drop that is not named: the current folder, or that of the last run (`docs/building.md`)."""

import shutil
from pathlib import Path

import pytest

from pipeline.building.stores.record import Record
from pipeline.building.stores.state import read_state
from tests.support.project import Project, Ran


def built(ran: Ran) -> list[str]:
    """The components that are reported."""
    assert ran.code == 0
    return [each["path"] for each in ran.reported("component")]


def kept_in(project: Project) -> str:
    """The drop that the state has."""
    state = read_state((project.root / ".tool/state.json").read_bytes(), Record())
    assert state is not None
    return state.drop


@pytest.fixture
def shop(project: Project) -> Project:
    """A project that was built from the folder `drop` in it."""
    project.module("m", "drop/m.zip")
    assert project.create("drop").code == 0
    return project


def test_the_drop_of_the_last_run(shop: Project) -> None:
    """It is used if none is named and the current folder has no archive, and reported, unless with `--quiet`."""
    ran = shop.create()
    assert built(ran) == ["modules/m"]
    assert [each["drop"] for each in ran.reported("summary")] == ["drop"]
    assert shop.run("create").err.endswith(" s; the drop is `drop`, as in the last run\n")
    assert shop.run("status").err == "the drop is `drop`, as in the last run\n"
    assert shop.run("status", "nope").err.startswith("the drop is `drop`, as in the last run\nerror: ")
    assert shop.run("create", "--quiet").err == shop.run("status", "--quiet").err == ""
    assert built(shop.create("m")) == ["modules/m"]
    assert [each["archive"] for each in shop.run("inspect", "m", "--log-format=json").printed] == ["m.zip"]


def test_from_another_folder(shop: Project) -> None:
    """It is kept relative to the project, so the two may be moved together."""
    assert kept_in(shop) == "drop"
    (shop.root / "below").mkdir()
    ran = shop.create("--output=..", cwd="below")
    assert [each["drop"] for each in ran.reported("summary")] == ["../drop"]
    assert built(ran) == ["modules/m"]


def test_archives_in_the_current_folder(shop: Project) -> None:
    """They come first; a folder that is named is taken as it is, also the current one."""
    assert built(shop.create(".")) == ["modules/m"]  # kept, without an archive
    assert kept_in(shop) == "."
    shop.create("drop")
    shop.module("n")
    assert built(shop.create()) == ["modules/n", "modules/m"]
    assert kept_in(shop) == "."


def test_which_runs_count(shop: Project) -> None:
    """Neither runs with names, nor those that fail, nor those that only look."""
    shop.module("n", "other/n.zip")
    shop.create("other", "n")
    shop.create("other", "--dry-run")
    shop.write("other/torn.zip", b"PK\x03\x04 torn")
    assert shop.create("other", "--keep-going").code == 76
    shop.write("post-scripts/fail.sh", "exit 1")
    (shop.root / "other/torn.zip").unlink()
    assert shop.create("other", "--on-failure=fail").code == 79
    assert kept_in(shop) == "drop"
    assert shop.create("other", "--no-hooks").code == 0
    assert kept_in(shop) == "other"


def test_nothing_anywhere(project: Project) -> None:
    """Without a drop one error asks for it, with no other word; a drop that is named and empty is a warning."""
    (error,) = [each for each in project.create().events if each["event"] != "decision"]
    assert (error["exit"], error["help"]) == (72, "name the folder, such as `tool create drop`")
    assert [each.name for each in project.root.iterdir()] == [".git"]
    assert project.create(".").code == 0
    assert [each.name for each in project.root.iterdir()] == [".git"]


def test_a_remembered_drop_that_is_gone(shop: Project) -> None:
    """In every command it is an error that says where the name of the drop comes from."""
    shutil.rmtree(shop.root / "drop")
    for command in (("create", "m"), ("status",), ("inspect", "m"), ("init", "--yes")):
        ran = shop.run(*command, "--log-format=json")
        (error,) = ran.reported("error")
        assert (ran.code, error["message"]) == (72, "no folder `drop`, the drop of the last run: it does not exist")
    (error,) = shop.create("dropp").reported("error")
    assert error["message"] == "no folder `dropp`: it does not exist"


def test_pruning_needs_a_name(shop: Project) -> None:
    """With `--prune`, a remembered drop is not enough."""
    ran = shop.create("--prune")
    assert ran.code == 64
    assert [each["message"] for each in ran.reported("error")] == [
        "--prune removes what is not in the drop, so name it: `drop`, or another folder"
    ]


def test_init(shop: Project) -> None:
    """It offers what is in the remembered drop, reports it, and the command that it shows builds from it.

    Whether the record can be read does not matter.
    """
    (shop.root / ".tool-manifest.json").write_text("{")
    ran = shop.run("init", "--yes")
    assert (ran.code, ran.err) == (
        0,
        "the drop is `drop`, as in the last run\n"
        "wrote tool.config.json\n"
        "next: `tool create drop --dry-run` shows what would be built\n",
    )


def test_a_drop_elsewhere(project: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A drop outside the project is remembered by its absolute path; a link to it stays a link."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    Project(elsewhere).module("m", "drop/m.zip")
    (project.root / "shop").mkdir()
    (project.root / "link").symlink_to(elsewhere / "drop")
    for drop, kept in (("../link", Path(project.root) / "link"), (str(elsewhere / "drop"), elsewhere / "drop")):
        assert project.create(drop, cwd="shop").code == 0
        assert kept_in(Project(project.root / "shop")) == str(kept)
        assert built(project.create(cwd="shop")) == ["modules/m"]


def test_a_project_that_is_named_by_a_link(project: Project) -> None:
    """A drop in it is kept relative to it all the same."""
    project.module("m", "shop/drop/m.zip")
    (project.root / "link").symlink_to("shop")
    assert project.create("drop", "--output=../link", cwd="shop").code == 0
    assert kept_in(Project(project.root / "shop")) == "drop"
