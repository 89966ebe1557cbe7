"""A project that works against the build: races, a full disk, a disk that is read-only (`docs/reliability.md`)."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from io_edges.archives.examine import look_into
from io_edges.archives.members import Opener
from io_edges.building.extract import Extractor
from io_edges.building.stage import Site, extract_new, stage
from io_edges.building.staging import Staging
from io_edges.report.console import Console
from io_edges.report.progress import progress
from io_edges.system.folder import Folder
from io_edges.system.stop import Stop
from pipeline.archives.archive import ArchiveFile
from pipeline.building.plan import Target, build_step
from pipeline.report.build_problems import ArchiveRejected
from pipeline.selection.choices import Choice, Reason
from tests.support.forks import Forks
from tests.support.project import Project
from tests.support.sweep import Counted, Thinned

RACER = """
import os, sys
project, outside = sys.argv[1:]
targets = ["modules", "modules/m", ".tool-staging", ".tool-staging/0", ".tool-staging/0/deep"]
sys.stdout.write("ready\\n"); sys.stdout.flush()
while True:
    for target in targets:
        path = os.path.join(project, target)
        try:
            os.rename(path, path + ".real")
            os.symlink(outside, path)
        except OSError:
            pass
        for undo in (lambda: os.path.islink(path) and os.unlink(path), lambda: os.rename(path + ".real", path)):
            try:
                undo()
            except OSError:
                pass
"""


def test_a_racing_process(forks: Forks, tmp_path: Path, counted: Counted, thinned: Thinned[int]) -> None:
    """While folders are swapped for links all the time, nothing is ever written or removed where they lead."""
    outside, project = tmp_path / "outside", tmp_path / "project"
    (outside / "deep").mkdir(parents=True)
    (outside / "m.php").write_text("mine", encoding="utf-8")
    project.mkdir()
    racer = subprocess.Popen(
        [sys.executable, "-c", RACER, str(project), str(outside)], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    codes: list[int] = []
    try:
        assert racer.stdout
        racer.stdout.readline()
        for number in thinned(range(150), 50):
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
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"this process may not mount a disk: {mounted.stderr.decode().strip()}")  # as in a container
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk(small_disk: Path, tmp_path: Path) -> None:
    """A disk that fills up ends the run with 74, the path and the cause; what was there is there, and nothing else."""
    project = Project(small_disk)
    project.module("m")
    assert project.create().code == 0
    drop = Project(tmp_path / "drop")
    drop.archive("m.zip", {"m/m.php": "new", "m/data": os.urandom(300_000)})
    before = {path: path.is_file() and path.read_bytes() for path in sorted(small_disk.rglob("*"))}
    ran = project.create(str(drop.root))
    (error,) = ran.told("error")
    assert ran.code == 74
    assert error["error"] == "FileSystemProblem"
    assert error["message"].rpartition(": ")[2] == "no space left on device"
    assert {path: path.is_file() and path.read_bytes() for path in sorted(small_disk.rglob("*"))} == before


def test_a_disk_without_exchange(forks: Forks, project: Project) -> None:
    """Where two folders cannot be exchanged in one step, three renames do it."""
    project.archive("m.zip", {"m/m.php": "1"})
    forks.run(project.root, "create")
    project.archive("m.zip", {"m/m.php": "2"})
    ran = forks.run(project.root, "create", number=10_000, way="EIO", exchange=False)
    assert ran.code == 0
    assert project.tree == {"modules/m/m.php": "2"}
    assert not (project.root / ".tool-staging").exists()


def test_a_project_on_another_disk_than_its_modules(project: Project, small_disk: Path) -> None:
    """Where folders cannot be moved to, files are replaced one by one, with the same result, and it is told."""
    (project.root / "modules").mkdir()
    subprocess.run(["mount", "--bind", small_disk, project.root / "modules"], check=True)
    try:
        project.archive("m.zip", {"m/m.php": "1", "m/a/b": "1", "m/gone": "1"})
        project.module("n")
        ran = project.create()
        assert ran.code == 0
        assert [each["code"] for each in ran.told("warning")] == ["in-place"] * 2
        project.write("modules/m/a/mine", "mine")
        project.write("modules/m/gone", "mine")
        project.archive("m.zip", {"m/m.php": "2", "m/a": "2"})
        assert project.create().code == 73
        assert project.create("--force").code == 0
        assert project.tree == {"modules/m/m.php": "2", "modules/m/a": "2", "modules/n/n.php": "<?php // n"}
        kept = {path.name for path in project.root.glob(".tool-backup/*/modules/m/**/*") if path.is_file()}
        assert kept == {"mine", "gone"}
        assert project.create("--exclude=n", "--prune").code == 0
        assert [path.name for path in (project.root / "modules").iterdir()] == ["m"]
        assert not (project.root / ".tool-staging").exists()
    finally:
        subprocess.run(["umount", project.root / "modules"], check=True)


SCRIPTS = {
    "the staged folder": "mv .tool-staging/0 elsewhere; mkdir .tool-staging/0; echo mine > .tool-staging/0/mine",
    "the folder in place": "mv modules/m elsewhere; mkdir modules/m; echo mine > modules/m/mine",
    "something beside them": "mkdir .tool-staging/7; echo mine > .tool-staging/7/mine",
}


@pytest.mark.parametrize("what", SCRIPTS)
def test_folders_that_a_script_replaces(project: Project, what: str) -> None:
    """What a script puts in place of a folder of the run is never removed, wherever it put the other one."""
    project.archive("m.zip", {"m/m.php": "1"})
    project.create()
    project.write("modules/m/added", "added")
    project.archive("m.zip", {"m/m.php": "2"})
    script = project.write("init-scripts/a.sh", SCRIPTS[what])
    ran = project.create()
    assert (ran.code, "left-over" in ran.err) == {
        "the staged folder": (73, True),
        "the folder in place": (73, False),
        "something beside them": (0, True),
    }[what]
    script.unlink()
    project.create()
    texts = [path.read_text(encoding="utf-8") for path in project.root.rglob("*") if path.name in {"mine", "added"}]
    assert sorted(set(texts)) == ["added", "mine\n"]


def test_a_disk_that_ignores_case(tmp_path: Path) -> None:
    """Two names that differ in case alone are refused where one would be lost, and both are built elsewhere."""
    project = Project(tmp_path / "project")
    file = project.archive("m.zip", {"m/m.php": "", "m/A/x": "1", "m/a/y": "2"})
    (archive,) = look_into(ArchiveFile(path=file, display_path="m.zip"))
    assert archive.component
    choice = Choice(archive, archive.component, True, Reason("unmentioned"))
    step = build_step(choice, Target(), {}, None, "nobody")
    (tmp_path / "staging").mkdir()
    with Folder.at(str(tmp_path / "staging")) as folder, progress(Console(), "", 0) as bar, Opener() as opener:
        staging = Staging(folder)
        elsewhere = Site(folder, staging, Extractor(opener, bar, ignores_case=True))
        with pytest.raises(Stop) as stop:
            stage(step, "0", elsewhere, extract_new({"0": step}, elsewhere))
        site = Site(folder, staging, Extractor(opener, bar))
        swap, _ = stage(step, "1", site, extract_new({"1": step}, site))
    reason = "it differs from `A` only in case, which this disk does not tell apart"
    assert stop.value.problems == (ArchiveRejected("m.zip", reason, "a"),)
    assert swap.component and sorted(swap.component.files) == ["A/x", "a/y", "m.php"]
