"""The archives that are kept after a build."""

import errno
import random
import zipfile
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from io_edges.archives.examine import look_into
from io_edges.archives.zips import Opener, Vetted
from io_edges.building import archives
from io_edges.building.archives import keep_archives
from io_edges.building.contents import contents_in
from io_edges.building.local import Staging
from io_edges.building.project import ProjectView
from io_edges.system.folder import Folder
from pipeline.archives.archive import ArchiveFile
from pipeline.building.stores.kept import (
    BuiltAs,
    KeptBuilds,
    read_kept,
    with_built,
    without_room,
    write_kept,
)
from pipeline.building.stores.layout import kept_path
from pipeline.building.stores.record import Record, RecordedComponent, read_record
from pipeline.building.stores.state import State
from pipeline.config.variables import KEEP, Keeping, read_keeping
from pipeline.report.diagnostics.disk import unwritable_file
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.location import Location
from pipeline.report.outcome import errors_of, value_of
from tests.support.project import Project, Ran, php


def recorded(project: Project, path: str) -> RecordedComponent:
    """What the record says of a component."""
    record = read_record((project.root / ".tool-manifest.json").read_bytes())
    assert record is not None
    return record.components[path]


def read(project: Project, component: RecordedComponent, *names: str) -> Mapping[str, bytes]:
    """Files of a component as its archive has them."""
    with Folder.at(str(project.root)) as folder:
        view = ProjectView(project.root, folder, Record(), State())
        return contents_in(view, view.path, Vetted()).read_kept(component, names) or {}


def test_a_file_of_a_kept_archive(project: Project) -> None:
    """Each file is read by its path in the component, whatever the archive is called."""
    project.archive("m-1.0.zip", {"m/m.php": "<?php", "m/a/b": "b", "m/empty": ""})
    assert project.create().code == 0
    project.write("modules/m/m.php", "mine")
    names = ("m.php", "a/b", "empty", "a", "other")
    files = {"m.php": b"<?php", "a/b": b"b", "empty": b""}
    assert read(project, recorded(project, "modules/m"), *names) == files


def test_a_member_of_a_kept_bundle(project: Project) -> None:
    """A member of a bundle is found by its content, whether it is a folder or an archive in the
    bundle.
    """

    def module(name: str) -> dict[str, str]:
        marker = f"<module><name>{name}</name></module>"
        return {f"{name}/{name}.php": f"<?php // {name}", f"{name}/config.xml": marker}

    inner = project.archive("x.zip", module("x"))
    project.archive("folders.zip", {**module("a"), **module("b")})
    project.archive("archives.zip", {"x.zip": inner.read_bytes(), "readme.txt": ""})
    (project.root / "x.zip").unlink()
    assert project.create().code == 0
    for path, name in (("modules/a", "a.php"), ("modules/b", "b.php"), ("modules/x", "x.php")):
        assert read(project, recorded(project, path), name) == {
            name: f"<?php // {name[0]}".encode()
        }


def test_an_archive_that_the_state_alone_knows(project: Project) -> None:
    """Without a record, the archive of a component that a run leaves alone is kept as the base of
    its next update.
    """
    project.archive("m.zip", {"m/m.php": php("m")})
    project.archive("n.zip", {"n/n.php": php("n")})
    assert project.create().code == 0
    component = recorded(project, "modules/m")
    (project.root / ".tool-manifest.json").unlink()
    project.archive("n.zip", {"n/n.php": php("n", "2")})
    assert project.create(".", "n").code == 0
    assert "modules/m" not in (project.root / ".tool-manifest.json").read_text()
    assert (project.root / kept_path(component.digest)).is_file()


@pytest.mark.parametrize("change", ["missing", "another", "cut off", "no digest", "other content"])
def test_what_does_not_count(project: Project, change: str) -> None:
    """A kept archive that is missing, or has another digest than its name says, is ignored."""
    project.module("m")
    assert project.create().code == 0
    component = recorded(project, "modules/m")
    kept = project.root / kept_path(component.digest)
    if change == "missing":
        kept.unlink()
    elif change == "another":
        with zipfile.ZipFile(kept, "a") as opened:
            opened.writestr("m/more", "more")
    elif change == "cut off":
        kept.write_bytes(kept.read_bytes()[:-1])
    else:
        component = replace(
            component,
            **{"no digest": {"digest": "../../m"}, "other content": {"content": "0"}}[change],
        )
    assert read(project, component, "m.php") == {}


def versions(project: Project) -> list[str]:
    """What the kept archives were built as, in the order of their names."""
    beside = sorted((project.root / ".tool/archives").glob("*.json"))
    return sorted(
        f"{each.path}@{each.version}"
        for file in beside
        for each in read_kept(file.read_bytes()).built
    )


def update(
    project: Project, *numbers: int, env: Mapping[str, str] | None = None, size: int = 0
) -> Ran:
    """Build the releases of a module in the order of their numbers, each in the place of
    the one before.
    """
    for number in numbers:
        marker = f"<module><name>m</name><version>{number}.0</version></module>"
        data = random.Random(number).randbytes(size)
        project.archive(
            "drop/m.zip", {"m/m.php": php("m", str(number)), "m/config.xml": marker, "m/data": data}
        )
        ran = project.create("drop", env=env)
        assert ran.code == 0
    return ran


def test_every_archive_that_was_built_is_kept(project: Project) -> None:
    """An archive stays when later runs have built others, with a note of what was built from it."""
    update(project, 1, 2)
    project.module("n", "drop/n.zip")
    update(project, 3)
    assert versions(project) == [
        "modules/m@1.0",
        "modules/m@2.0",
        "modules/m@3.0",
        "modules/n@None",
    ]
    kept = read_kept(
        (project.root / kept_path(recorded(project, "modules/m").digest, "json")).read_bytes()
    )
    content = recorded(project, "modules/m").content
    assert kept == KeptBuilds(
        (BuiltAs(path="modules/m", archive="m.zip", content=content, version="3.0"),)
    )


def test_the_oldest_archives_go_first(project: Project) -> None:
    """Beyond `TOOL_KEEP`, the oldest archives by the log are removed; the run that removes them
    names them, and no later one does.
    """
    update(project, 1, 2, size=40_000)
    ran = update(project, 3, size=40_000, env={"TOOL_KEEP": "100K"})
    (warning,) = ran.reported("warning")
    assert (warning["code"], warning["message"]) == (
        "archives-forgotten",
        "there is no room in `.tool/archives` for `modules/m@1.0`: this name no longer works",
    )
    assert versions(project) == ["modules/m@2.0", "modules/m@3.0"]
    assert update(project, 4, size=1, env={"TOOL_KEEP": "100K"}).reported("warning") == []


@pytest.mark.parametrize(
    ("keep", "left"), [("1K", ["2.0", "3.0"]), ("none", ["2.0"]), ("all", ["1.0", "2.0", "3.0"])]
)
def test_what_is_built_is_always_kept(project: Project, keep: str, left: list[str]) -> None:
    """However small `TOOL_KEEP` is, the archives of built components and of those that the last run
    replaced stay; with `none`, no new one is kept.
    """
    update(project, 1, 2, size=4_000)
    update(project, 3, size=4_000, env={"TOOL_KEEP": keep})
    assert versions(project) == [f"modules/m@{each}" for each in left]


@pytest.mark.parametrize("text", ["", " 512K ", "200M", "2G", "0K", "all", "none"])
def test_how_much_is_kept(text: str) -> None:
    """`TOOL_KEEP` is a size in powers of 1024, `all` or `none`; blanks around it are ignored."""
    sizes = {
        "": 1024**3,
        "512K": 512 * 1024,
        "200M": 200 * 1024**2,
        "2G": 2 * 1024**3,
        "0K": 0,
        "all": None,
        "none": 0,
    }
    assert value_of(read_keeping({KEEP: text})) == Keeping(
        is_on=text != "none", limit=sizes[text.strip()]
    )


@pytest.mark.parametrize(
    "text", ["1", "1g", "1.5G", "G", "-1G", "1 G", "1T", "1GB", "some", "9" * 20 + "G"]
)
def test_what_is_no_size(text: str) -> None:
    """Any other value of `TOOL_KEEP` is a usage error at the variable."""
    message = f"`{text}` is neither a size nor `all` or `none`"
    instead = "a size is a number and `K`, `M` or `G`, such as `200M`"
    error = UsageError(message, "tool create", location=Location(KEEP), instead=instead)
    assert errors_of(read_keeping({KEEP: f" {text} "})) == (error,)


def test_a_run_with_what_is_no_size(project: Project) -> None:
    """A command that would change a project ends with that error and changes nothing."""
    project.module("m")
    ran = project.create(env={"TOOL_KEEP": "some"})
    (error,) = ran.reported("error")
    assert (ran.code, error["source"], project.tree) == (64, "TOOL_KEEP", {})
    assert error["help"] == "a size is a number and `K`, `M` or `G`, such as `200M`"


@pytest.mark.parametrize("command", ["create", "undo"])
def test_a_preview_with_what_is_no_size(project: Project, command: str) -> None:
    """A command that only shows what it would change ends with that error, too."""
    project.module("m")
    project.create()
    ran = project.run(command, "--dry-run", env={"TOOL_KEEP": "some"})
    assert (ran.code, ran.out) == (64, "")
    assert "error: UsageError: `some` is neither a size nor `all` or `none`" in ran.err


def test_what_has_no_room() -> None:
    """The oldest archives are removed until the rest fits, to the byte; one that no logged run
    built is the oldest, and needed ones take up room.
    """
    sizes = {"a": 5, "b": 1, "c": 5, "d": 5}
    by_age = ("d", "a", "c", "gone")
    assert without_room(sizes, {"c"}, by_age, None) == ()
    assert without_room(sizes, {"c"}, by_age, 16) == ()
    assert without_room(sizes, {"c"}, by_age, 15) == ("b",)
    assert without_room(sizes, {"c"}, by_age, 14) == ("b", "d")
    assert without_room(sizes, {"c"}, by_age, 0) == ("b", "d", "a")


def test_what_an_archive_was_built_as_is_judged(project: Project) -> None:
    """The note beside a kept archive is ignored if it is damaged or names an impossible
    component.
    """
    fine = BuiltAs(path="modules/m", archive="m.zip", content="c")
    wrong = (replace(fine, path="../m"), replace(fine, patch="../p"))
    assert read_kept(write_kept(KeptBuilds((*wrong, fine)))) == KeptBuilds((fine,))
    assert read_kept(write_kept(KeptBuilds((fine,)))[:-9]) == KeptBuilds()


def test_one_more_component_of_a_kept_archive() -> None:
    """A component that is built again from a kept archive is noted last, as it was built now;
    others of a bundle stay.
    """
    component = RecordedComponent(
        archive="m.zip", digest="1", content="1", version="2.0", patch="2", files={}
    )
    again = BuiltAs(path="modules/m", archive="m.zip", content="1", version="2.0", patch="2")
    others = (replace(again, path="modules/n"), replace(again, content="2"))
    before = KeptBuilds((replace(again, archive="old.zip", version=None), *others))
    assert with_built(before, "modules/m", component) == KeptBuilds((*others, again))


def test_a_disk_without_room_for_copies(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk has no room for the copy of an archive, a warning says so, and nothing of the
    copy is left.
    """
    file = project.module("m")
    found = look_into(ArchiveFile(path=file, display_path=file.name))

    def copy(source: int, target: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives, "copy_content", copy)
    for name in (".tool", "staging"):
        (project.root / name).mkdir()
    with (
        Folder.at(str(project.root)) as folder,
        folder.child("staging") as staging,
        Opener() as opener,
    ):
        warning = keep_archives(found, folder, Staging(staging), opener)
    assert warning == unwritable_file(".tool/archives", "no space left on device", is_cache=False)
    assert list((project.root / ".tool/archives").iterdir()) == []
