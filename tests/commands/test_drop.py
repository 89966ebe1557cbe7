"""A command line without a drop: the current folder is used, or the drop of the last run
(`docs/building.md`).
"""

import shlex
import shutil
from pathlib import Path

import pytest

from pipeline.building.stores.last_drop import LastDrop, read_last_drop
from tests.support.forks import FORKS
from tests.support.project import Project, Ran


def built(ran: Ran) -> list[str]:
    """The components that are reported."""
    assert ran.code == 0
    return [each["path"] for each in ran.reported("component")]


def kept_in(project: Project) -> str:
    """The drop that is remembered."""
    return remembered_in(project).folder


def remembered_in(project: Project) -> LastDrop:
    """What is remembered of the drop."""
    return read_last_drop((project.root / ".tool/drop.json").read_bytes())


@pytest.fixture
def shop(project: Project) -> Project:
    """A project that was built from the folder `drop` in it."""
    project.module("m", "drop/m.zip")
    assert project.create("drop").code == 0
    return project


def test_the_drop_of_the_last_run(shop: Project) -> None:
    """If no drop is named and the current folder has no archive, the drop of the last run is used,
    and reported unless with `--quiet`.
    """
    ran = shop.create()
    assert built(ran) == ["modules/m"]
    assert [each["drop"] for each in ran.reported("summary")] == ["drop"]
    assert shop.run("create").err.endswith(" s; the drop is `drop`, as in the last run\n")
    assert shop.run("status").err == "the drop is `drop`, as in the last run\n"
    assert shop.run("status", "nope").err.startswith(
        "the drop is `drop`, as in the last run\nerror: "
    )
    assert shop.run("create", "--quiet").err == shop.run("status", "--quiet").err == ""
    assert built(shop.create("m")) == ["modules/m"]
    assert [each["archive"] for each in shop.run("inspect", "m", "--log-format=json").printed] == [
        "m.zip"
    ]


def test_from_another_folder(shop: Project) -> None:
    """The drop is remembered relative to the project, so that both may be moved together."""
    assert kept_in(shop) == "drop"
    (shop.root / "below").mkdir()
    ran = shop.create("--output=..", cwd="below")
    assert [each["drop"] for each in ran.reported("summary")] == ["../drop"]
    assert built(ran) == ["modules/m"]


def test_archives_in_the_current_folder(shop: Project) -> None:
    """Archives in the current folder are used before a remembered drop; a named folder is used as
    it is, even the current one.
    """
    assert built(shop.create(".")) == ["modules/m"]  # kept, without an archive
    assert kept_in(shop) == "."
    shop.create("drop")
    shop.module("n")
    assert built(shop.create()) == ["modules/n", "modules/m"]
    assert kept_in(shop) == "."


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ((), 0),
        (("--keep-going",), 76),
        (("--exclude=torn.zip", "--on-failure=fail"), 79),
        (("--frozen",), 80),
        (("--theme=nope",), 68),
    ],
)
def test_runs_that_are_remembered(shop: Project, args: tuple[str, ...], code: int) -> None:
    """A run that could read its drop remembers it, however the run ends."""
    shop.module("n", "other/n.zip")
    shop.write("post-scripts/fail.sh", "exit 1")
    if code in (76, 79):
        shop.write("other/torn.zip", b"PK\x03\x04 torn")
    assert shop.create("other", *args).code == code
    assert remembered_in(shop) == LastDrop("other")


@pytest.mark.parametrize("lasts", [False, True])
def test_a_run_that_the_disk_refuses(shop: Project, lasts: bool) -> None:
    """The drop of a run that the disk refuses something is remembered, unless the disk refuses that
    as well; then nothing is said of it beside the error.
    """
    shop.module("n", "other/n.zip")
    ran = FORKS.run(shop.root, "create", "other", number=3, way="ENOSPC", lasts=lasts)
    assert (ran.code, "drop.json" in ran.err) == (74, False)
    assert remembered_in(shop) == LastDrop("drop" if lasts else "other")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("other", "--dry-run"), 0),
        (("other", "--check"), 80),
        (("other", "n@1.0", "--frozen"), 64),
        (("torn",), 65),
        (("empty", "--prune"), 72),
        (("nope",), 72),
    ],
)
def test_runs_that_are_not(shop: Project, args: tuple[str, ...], code: int) -> None:
    """A run that only looks remembers nothing, nor does one whose arguments, settings or drop are
    wrong.
    """
    shop.archive("other/n.zip", {"n/module.json": '{"name": "n", "version": "1.0"}'})
    shop.module("p", "torn/p.zip")
    shop.write("patches/modules/p.patch", "torn")
    (shop.root / "empty").mkdir()
    assert shop.create(*args).code == code
    assert remembered_in(shop) == LastDrop("drop")


def test_a_run_with_names(shop: Project) -> None:
    """With names, commands that look use the remembered drop; `create` asks for it, with a command
    that names it.
    """
    shop.module("n", "other one/n.zip")
    assert shop.create("other one", "n").code == 0
    assert remembered_in(shop) == LastDrop("other one", with_names=True)
    assert shop.run("status").err == "the drop is `other one`, as in the last run\n"
    for args in (("n", "--keep-going"), ()):
        ran = shop.create(*args)
        (error,) = ran.reported("error")
        command = shlex.join(("tool", "create", "other one", *args))
        assert (ran.code, error["message"], error["help"]) == (
            72,
            "no drop is named; `other one` was used for a run with names, so it is not assumed",
            f"`{command}`, or name another folder",
        )
        assert shop.run(*shlex.split(command)[1:]).code == 0


def test_a_new_folder(project: Project) -> None:
    """A run that fails before it builds into a new folder leaves no folder and remembers nothing; a
    run that builds there remembers its drop.
    """
    project.module("m", "drop/m.zip")
    assert project.create("drop", "--theme=nope", "--output=shop").code == 68
    assert not (project.root / "shop").exists()
    assert project.create("drop", "--output=shop").code == 0
    assert kept_in(Project(project.root / "shop")) == str(project.root / "drop")


def test_a_file_that_is_damaged(shop: Project) -> None:
    """If the remembered drop cannot be read, the drop is asked for as if none was remembered."""
    (shop.root / ".tool/drop.json").write_text("{")
    assert shop.create().code == 72


def test_nothing_anywhere(project: Project) -> None:
    """Without any drop, one error asks for it and nothing else is reported; a named drop that is
    empty is a warning.
    """
    (error,) = [each for each in project.create().events if each["event"] != "decision"]
    assert (error["exit"], error["help"]) == (72, "name the folder, such as `tool create drop`")
    assert [each.name for each in project.root.iterdir()] == [".git"]
    assert project.create(".").code == 0
    assert [each.name for each in project.root.iterdir()] == [".git"]


def test_a_remembered_drop_that_is_gone(shop: Project) -> None:
    """In every command, a remembered drop that is gone is an error that says where its name comes
    from.
    """
    shutil.rmtree(shop.root / "drop")
    for command in (("create", "m"), ("status",), ("inspect", "m"), ("init", "--yes")):
        ran = shop.run(*command, "--log-format=json")
        (error,) = ran.reported("error")
        assert (ran.code, error["message"]) == (
            72,
            "cannot use `drop`, the drop of the last run: it does not exist",
        )
    (error,) = shop.create("dropp").reported("error")
    assert error["message"] == "folder `dropp` does not exist"


def test_pruning_needs_a_name(shop: Project) -> None:
    """With `--prune`, a remembered drop is not enough."""
    ran = shop.create("--prune")
    assert ran.code == 64
    assert [each["message"] for each in ran.reported("error")] == [
        "--prune removes what is not in the drop, so name it: `drop`, or another folder"
    ]


def test_init(shop: Project) -> None:
    """`tool init` offers the contents of the remembered drop, reports the drop, and shows a command
    that builds from it.

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
    for drop, kept in (
        ("../link", Path(project.root) / "link"),
        (str(elsewhere / "drop"), elsewhere / "drop"),
    ):
        assert project.create(drop, cwd="shop").code == 0
        assert kept_in(Project(project.root / "shop")) == str(kept)
        assert built(project.create(cwd="shop")) == ["modules/m"]


def test_a_project_that_is_named_by_a_link(project: Project) -> None:
    """A drop in a project that is named by a link is remembered relative to the project all the
    same.
    """
    project.module("m", "shop/drop/m.zip")
    (project.root / "link").symlink_to("shop")
    assert project.create("drop", "--output=../link", cwd="shop").code == 0
    assert kept_in(Project(project.root / "shop")) == "drop"
