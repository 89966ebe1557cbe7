"""A project that interferes with the build: races, a full disk, a read-only disk
(`docs/reliability.md`).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

import pytest
from msgspec.structs import replace

from io_edges.archives.examine import look_into
from io_edges.archives.zips import Opener
from io_edges.building.extract import Extractor
from io_edges.building.extract_new import extract_new
from io_edges.building.local import Staging
from io_edges.building.stage import Site, stage
from io_edges.report.console import Console
from io_edges.report.progress import progress
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from pipeline.archives.archive import ArchiveFile
from pipeline.building.merging.preference import Preference
from pipeline.building.patching.payload import Payload
from pipeline.building.steps import Plan
from pipeline.building.survey import Target
from pipeline.building.transaction import planned_changes
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.selection.choices import Choice, Reason
from tests.support.drafts import built_step
from tests.support.forks import FORKS, Forks
from tests.support.privileges import mounted, set_flag
from tests.support.project import Project, php
from tests.support.sweep import Counted, Thinned

RACER = """
import os, sys
project, outside = sys.argv[1:]
staging = [".tool/staging", ".tool/staging/0", ".tool/staging/0/deep"]
targets = ["modules", "modules/m", ".tool", *staging]
sys.stdout.write("ready\\n"); sys.stdout.flush()
while True:
    for target in targets:
        path = os.path.join(project, target)
        try:
            os.rename(path, path + ".real")
            os.symlink(outside, path)
        except OSError:
            pass
        unlink = lambda: os.path.islink(path) and os.unlink(path)
        for undo in (unlink, lambda: os.rename(path + ".real", path)):
            try:
                undo()
            except OSError:
                pass
"""


def test_a_racing_process(
    forks: Forks, tmp_path: Path, counted: Counted, thinned: Thinned[int]
) -> None:
    """While another process keeps swapping folders for links, nothing is ever written or removed
    where the links lead.
    """
    outside, project = tmp_path / "outside", tmp_path / "project"
    (outside / "deep").mkdir(parents=True)
    (outside / "m.php").write_text("mine", encoding="utf-8")
    project.mkdir()
    racer = subprocess.Popen(
        [sys.executable, "-c", RACER, str(project), str(outside)],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    codes: list[int] = []
    try:
        assert racer.stdout
        racer.stdout.readline()
        for number in thinned(range(150), 8):
            with zipfile.ZipFile(project / "m.zip", "w") as archive:
                for name in ("m.php", "a", "deep/b", "deep/er/c"):
                    archive.writestr(f"m/{name}", f"{number}")
            codes.append(forks.run(project, "create", "--force").code)
    finally:
        racer.kill()
        racer.communicate()
    left = {path.relative_to(outside).as_posix() for path in outside.rglob("*")}
    assert left == {"m.php", "deep"}
    assert (outside / "m.php").read_text(encoding="utf-8") == "mine"
    assert set(codes) <= {0, 73, 74}
    counted("builds raced with links", len(codes))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 KiB."""
    with small_disk_at(tmp_path / "disk"):
        yield tmp_path / "disk"


@contextmanager
def small_disk_at(folder: Path) -> Iterator[None]:
    """Mount a disk of 256 KiB for a while."""
    folder.mkdir()
    with mounted(folder, "-t", "tmpfs", "-o", "size=256k", "tmpfs"):
        yield


@contextmanager
def mounted_twice(source: Path, place: Path, *options: str) -> Iterator[None]:
    """Mount a folder or a file at a second place for a while."""
    if source.is_dir():
        place.mkdir(parents=True, exist_ok=True)
    with mounted(place, "--bind", source):
        for option in options:
            subprocess.run(["mount", "-o", f"remount,bind,{option}", place], check=True)
        yield


def test_a_full_disk(small_disk: Path, tmp_path: Path) -> None:
    """A disk that fills up ends the run with 74, the path and the cause; the project is as
    before.
    """
    project = Project(small_disk)
    project.module("m")
    assert project.create().code == 0
    drop = Project(tmp_path / "drop")
    drop.archive("m.zip", {"m/m.php": "new", "m/data": os.urandom(300_000)})

    def seen() -> dict[Path, bytes | bool]:
        """All that there is, but for the drop that is remembered."""
        paths = (path for path in sorted(small_disk.rglob("*")) if path.name != "drop.json")
        return {path: path.is_file() and path.read_bytes() for path in paths}

    before = seen()
    ran = project.create(str(drop.root))
    (error,) = ran.reported("error")
    assert ran.code == 74
    assert error["error"] == "FileSystemProblem"
    assert error["message"].rpartition(": ")[2] == "no space left on device"
    assert seen() == before


@pytest.mark.parametrize(("size", "code"), [(150_000, 0), (300_000, 74)], ids=["the copy", "all"])
def test_a_full_disk_below_the_local_folder(project: Project, size: int, code: int) -> None:
    """If the files of a component do not fit into `.tool/`, the run ends with 74 and the project is
    as before; a copy of the archive that does not fit is a warning.

    The next run on a larger disk builds, whatever the failed one left there.
    """
    project.module("n", "drop/n.zip")
    assert project.create("drop").code == 0
    shutil.rmtree(project.root / ".tool")
    project.archive("drop/m.zip", {"m/m.php": "<?php", "m/data.php": os.urandom(size).hex()[:size]})
    with small_disk_at(project.root / ".tool"):
        before = project.tree
        ran = project.create("drop")
        assert ran.code == code
        causes = [each["message"] for each in ran.reported("error" if code else "warning")]
        assert any("no space left on device" in each for each in causes)
        assert (project.tree == before) is bool(code)
        assert not (project.root / ".tool/staging").exists()
    assert project.create("drop").code == 0
    assert set(project.tree) == {"modules/m/m.php", "modules/m/data.php", "modules/n/n.php"}


def test_a_project_on_another_disk_than_its_modules(project: Project, small_disk: Path) -> None:
    """If components are on another disk, files are copied there and back, with the same result."""
    with mounted_twice(small_disk, project.root / "modules"):
        project.archive("m.zip", {"m/m.php": php("m", "1"), "m/a/b": "1", "m/gone": "1"})
        project.module("n")
        ran = project.create()
        assert ran.code == 0
        assert not ran.reported("warning")
        project.write("modules/m/a/mine", "mine")
        project.write("modules/m/gone", "mine")
        project.archive("m.zip", {"m/m.php": php("m", "2"), "m/a": "2"})
        assert project.create().code == 73
        assert project.create("--force").code == 0
        assert project.tree == {
            "modules/m/m.php": php("m", "2"),
            "modules/m/a": "2",
            "modules/n/n.php": php("n"),
        }
        kept = {
            path.name
            for path in project.root.glob(".tool/backup/*/modules/m/**/*")
            if path.is_file()
        }
        assert kept == {"mine", "gone"}
        project.write("modules/n/a/.DS_Store", "mine")
        (project.root / "modules/n/empty/deep").mkdir(parents=True)
        assert project.create("--exclude=n", "--prune").code == 0
        assert [path.name for path in (project.root / "modules").iterdir()] == ["m"]
        assert not (project.root / ".tool/staging").exists()


def test_a_link_on_another_disk(project: Project, small_disk: Path) -> None:
    """A link of an archive is made, replaced and brought back on another disk than
    the project's.
    """
    with mounted_twice(small_disk, project.root / "modules"):
        for target in ("a", "b"):
            path = project.archive("m.zip", {"m/m.php": php("m", target), "m/a": "", "m/b": ""})
            link = zipfile.ZipInfo("m/link")
            link.create_system, link.external_attr = 3, 0o120777 << 16
            with zipfile.ZipFile(path, "a") as archive:
                archive.writestr(link, target)
            assert project.create().code == 0
            assert (project.root / "modules/m/link").readlink() == Path(target)
        assert project.run("undo").code == 0
        assert (project.root / "modules/m/link").readlink() == Path("a")


def test_a_disk_that_ignores_case(tmp_path: Path) -> None:
    """Two names that differ only in case are refused on a disk that would lose one of them, and are
    both built on any other.
    """
    project = Project(tmp_path / "project")
    file = project.archive("m.zip", {"m/m.php": "", "m/A/x": "1", "m/a/y": "2"})
    (archive,) = look_into(ArchiveFile(path=file, display_path="m.zip"))
    assert archive.component
    choice = Choice(archive, archive.component, True, Reason("unmentioned"))
    step = built_step(choice, Target(), Payload(), None, Preference())
    (change,) = planned_changes(Plan(project=PurePath("/p"), steps=(step,)), None)
    (tmp_path / "staging").mkdir()
    with (
        Folder.at(str(tmp_path / "staging")) as folder,
        progress(Console(), "", 0) as bar,
        Opener() as opener,
    ):
        staging = Staging(folder)
        elsewhere = Site(folder, staging, Extractor(opener, bar, ignores_case=True))
        with pytest.raises(Stop) as stop:
            stage(change, step, elsewhere, extract_new({"0": step}, elsewhere))
        site = Site(folder, staging, Extractor(opener, bar))
        written = stage(replace(change, slot="1"), step, site, extract_new({"1": step}, site))
    flaw = Flaw("it differs from `A` only in case, which this disk ignores", entry="a")
    assert stop.value.errors == (ArchiveRejected("m.zip", flaw),)
    assert sorted(written.files) == ["A/x", "a/y", "m.php"]


def test_a_backup_on_another_disk(project: Project, small_disk: Path) -> None:
    """If the backup is on another disk, the files of a replaced or removed component are copied
    there.
    """
    project.archive("m.zip", {"m/m.php": "1", "m/gone": "1"})
    project.module("n")
    assert project.create().code == 0
    with mounted_twice(small_disk, project.root / ".tool/backup"):
        for name in ("m", "n"):
            project.write(f"modules/{name}/{name}.php", f"mine {name}")
        project.archive("m.zip", {"m/m.php": "2"})
        assert project.create("--force", "--exclude=n", "--prune").code == 0
        kept = [path for path in project.root.glob(".tool/backup/*/modules/**/*") if path.is_file()]
        assert sorted(path.read_text(encoding="utf-8") for path in kept) == ["mine m", "mine n"]
        assert project.tree == {"modules/m/m.php": "2"}
        assert not (project.root / ".tool/staging").exists()


@pytest.mark.parametrize("place", ["modules", "modules/m/upload"])
def test_a_file_and_an_empty_folder_in_place_of_each_other(
    project: Project, small_disk: Path, place: str
) -> None:
    """Where files are replaced one by one, `--force` replaces an empty folder by a file, and
    the reverse.
    """
    with mounted_twice(small_disk, project.root / place):
        project.archive("m.zip", {"m/m.php": "1", "m/upload/x": "x"})
        assert project.create("--force").code == 0
        (project.root / "modules/m/f").mkdir()
        project.write("modules/m/d", "mine")
        project.archive("m.zip", {"m/m.php": "1", "m/upload/x": "x", "m/f": "theirs", "m/d/": ""})
        assert project.create().code == 73
        assert project.create("--force").code == 0
        assert project.tree == {
            "modules/m/m.php": "1",
            "modules/m/upload/x": "x",
            "modules/m/f": "theirs",
        }
        assert (project.root / "modules/m/d").is_dir()
        assert project.create("--check").code == 0


WRITER = """
import itertools, os, shutil, sys
name = sys.argv[1]
for number in itertools.count():
    is_last = number > 100 and os.path.exists("stop")  # first, as a run may end meanwhile
    try:
        os.mkdir("modules/m/cache")
    except OSError:
        pass
    for path in (f"modules/m/{name}", f"modules/m/cache/{name}-{number % 7}"):
        try:
            with open(f"{path}.new", "w") as file:
                file.write(str(number))
            os.replace(f"{path}.new", path)
        except FileNotFoundError:
            pass
    if number % 50 == 0:
        shutil.rmtree("modules/m/cache", ignore_errors=True)
    if is_last:
        break
print(open(f"modules/m/{name}").read() == str(number))
"""


def test_updates_under_a_writing_system(
    project: Project, counted: Counted, thinned: Thinned[int]
) -> None:
    """While two processes write and delete all the time, updates end well, and the newest of each
    file is in place.
    """
    project.archive("m.zip", {"m/m.php": php("m", "0"), "m/a": "0"})
    assert project.create().code == 0
    command = [sys.executable, "-c", WRITER]
    writers = [
        subprocess.Popen([*command, name], cwd=project.root, stdout=subprocess.PIPE)
        for name in ("one", "two")
    ]
    try:
        numbers = thinned(range(100), 12)
        ends = []
        for number in numbers:
            project.archive("m.zip", {"m/m.php": php("m", f"{number}"), f"m/a{number}": "new"})
            ends.append(project.create())
        project.write("stop", "")
        reported = [writer.communicate(timeout=60)[0] for writer in writers]
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert [
        (ran.code, ran.err.splitlines()[-2:]) for ran in ends if ran.code or ran.reported("warning")
    ] == []
    assert reported == [b"True\n"] * 2
    assert [
        name for name in (".tool/staging", ".tool/backup") if (project.root / name).exists()
    ] == []
    assert list((project.root / "modules/m").glob(".*")) == []
    counted("updates under a writing system", len(numbers))


def is_mounted(place: Path) -> bool:
    """Whether something is mounted at a place."""
    shown = str(place).replace(" ", r"\040")
    return f" {shown} " in Path("/proc/self/mountinfo").read_text(encoding="utf-8")


FILES = {"m/m.php": "1", "m/upload/index": "x", "m/conf/a": "a"}


@pytest.mark.parametrize("option", ["rw", "ro"])
@pytest.mark.parametrize("content", [{"index": "x"}, {"index": "x", "mine": "mine"}, {}])
@pytest.mark.parametrize("place", ["upload", "upload/deep", "conf/a"])
def test_what_is_mounted_in_a_component(
    project: Project, tmp_path: Path, place: str, content: dict[str, str], option: str
) -> None:
    """A mount in a component is neither moved nor removed, whatever it contains; an error names
    what cannot be done.
    """
    project.archive("m.zip", FILES)
    assert project.create().code == 0
    volume = Project(tmp_path / "volume")
    volume.root.mkdir()
    for name, text in content.items():
        volume.write(name, text)
    source = volume.write("a", "a") if place == "conf/a" else volume.root
    with mounted_twice(source, project.root / "modules/m" / place, option):
        before = {path.name: path.read_bytes() for path in volume.root.iterdir()}
        project.archive("m.zip", {**FILES, "m/m.php": php("m", "2")})
        ran = project.create()
        assert is_mounted(project.root / "modules/m" / place)
        # What is missing there cannot be put back.
        if place == "upload" and not content and option == "ro":
            assert ran.code == 74
            (error,) = ran.reported("error")
            assert (
                error["message"]
                == f"`{project.root}/modules/m/upload/index`: read-only file system"
            )
            assert "`modules.exclude`" in error["help"]
            assert project.tree["modules/m/m.php"] == "1"
            return
        assert ran.code == 0, ran.err
        assert not ran.reported("warning")
        restored = {"index": b"x"} if place == "upload" else {}
        assert {path.name: path.read_bytes() for path in volume.root.iterdir()} == before | restored
        assert project.tree["modules/m/m.php"] == php("m", "2")
        assert project.create("--check").code == 0
        ran = project.create("--exclude=m", "--prune")
        assert ran.code == 0, ran.err
        assert {path.name: path.read_bytes() for path in volume.root.iterdir()} == before | restored
        assert is_mounted(project.root / "modules/m" / place)
        assert not (project.root / ".tool/staging").exists()
        assert not (project.root / ".tool/backup").exists()


def test_folders_on_a_disk_in_a_component(project: Project, small_disk: Path) -> None:
    """A run can add folders on a disk that is mounted in a component, and an undo removes them."""
    with mounted_twice(small_disk, project.root / "modules/m/upload"):
        for files in (FILES, {**FILES, "m/upload/deep/new": "1"}):
            project.archive("m.zip", files)
            assert project.create().code == 0
        ran = project.run("undo", "--log-format=json")
        assert ran.code == 0, ran.err
        assert not (project.root / "modules/m/upload/deep").exists()


@pytest.mark.parametrize("flag", ["i", "a"])
def test_what_is_immutable(flag: str) -> None:
    """A file that nobody may replace stays while other files are updated; if it would have to
    change, the run ends with an error that names it.
    """
    folder = Path(tempfile.mkdtemp(dir=Path(__file__).parent.parent.parent / ".venv"))
    project = Project(folder)
    project.archive("m.zip", {"m/m.php": php("m", "1"), "m/fixed": "1", "m/deep/fixed": "1"})
    assert project.create().code == 0
    fixed = [
        project.write("modules/m/mine", "mine"),
        folder / "modules/m/fixed",
        folder / "modules/m/deep",
    ]
    try:
        set_flag(f"+{flag}", *fixed)
        project.archive("m.zip", {"m/m.php": php("m", "2"), "m/fixed": "1", "m/deep/fixed": "1"})
        ran = project.create()
        assert (ran.code, [each["code"] for each in ran.reported("warning")]) == (0, [])
        assert project.tree["modules/m/m.php"] == php("m", "2")
        before = project.tree
        project.archive("m.zip", {"m/m.php": php("m", "3"), "m/fixed": "2", "m/deep/fixed": "2"})
        assert project.create("--dry-run").code == 0
        ran = project.create()
        (error,) = ran.reported("error")
        assert ran.code == 74
        assert re.fullmatch(
            r"`.*/modules/m/(deep/)?fixed`: operation not permitted", error["message"]
        )
        assert "`modules.exclude`" in error["help"]
        assert project.tree == before
        assert not (folder / ".tool/staging").exists()
        # The folder that they are in can be moved.
        assert project.create("--exclude=m", "--prune").code == 0
        assert project.run("undo").code == 0
        assert project.tree == before
    finally:
        subprocess.run(["chattr", "-R", f"-{flag}", folder], capture_output=True, check=False)
        shutil.rmtree(folder)


def _ready_to_prune(project: Project) -> dict[str, str]:
    """Build two modules, edit one, and take both archives out of the drop, which keeps
    a third one.
    """
    for name in ("m", "n", "stays"):
        project.archive(f"{name}.zip", {f"{name}/{name}.php": php(name), f"{name}/a": name})
    assert project.create().code == 0
    project.write("modules/n/a", "mine")
    for name in ("m", "n"):
        (project.root / f"{name}.zip").unlink()
    return project.tree


def test_a_failing_prune_on_another_disk(project: Project, small_disk: Path) -> None:
    """If the disk is full when the record is written, `--prune` puts both components back on their
    own disk.
    """
    with mounted_twice(small_disk, project.root / "modules"):
        before = _ready_to_prune(project)
        ran = FORKS.run(project.root, "create", "--prune", number=10_000, way="ENOSPC")
        assert ran.code == 0
        number = 1 + next(
            at for at, call in enumerate(ran.calls) if call.startswith("open ('.tool-manifest")
        )
        assert project.run("undo").code == 0
        assert project.tree == before
        ran = FORKS.run(project.root, "create", "--prune", number=number, way="ENOSPC")
        assert (ran.code, project.tree) == (74, before)
        assert not (project.root / ".tool/staging").exists()


def test_a_killed_prune_on_another_disk(
    project: Project, small_disk: Path, thinned: Thinned[int]
) -> None:
    """If `--prune` is killed at any call, the next run and `undo` bring both components back
    whole.
    """
    with mounted_twice(small_disk, project.root / "modules"):
        before = _ready_to_prune(project)
        calls = FORKS.run(project.root, "create", "--prune", number=10_000, way="EIO").calls
        assert project.run("undo").code == 0
        assert project.tree == before
        for number in thinned(range(1, len(calls) + 1), 12):
            FORKS.run(project.root, "create", "--prune", number=number, way="KILL")
            assert project.create("--prune").code == 0, number
            assert set(project.tree) == {"modules/stays/a", "modules/stays/stays.php"}, number
            assert project.run("undo").code == 0, number
            assert project.tree == before, number
