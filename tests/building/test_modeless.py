"""Disks without modes, such as those of Windows: executable bits are not compared there
(`docs/building.md`).
"""

import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from pipeline.building.stores.changes import Change
from pipeline.building.stores.record import FileState
from pipeline.building.stores.tree import Tree
from pipeline.building.survey import Target
from tests.support.forks import Forked, Forks
from tests.support.project import Project

Run: TypeAlias = Callable[..., Forked]
SIZE = 8 * 1024**2
"""The bytes of a disk of NTFS, of which it needs one and a half million for itself."""


def mounted(folder: Path) -> str:
    """Mount a new disk of NTFS without modes in a folder; give the reason if it cannot be done."""
    if os.geteuid():
        return "only root may mount disks"
    if shutil.which("ntfs-3g") is None or shutil.which("mkntfs") is None:
        return "ntfs-3g is not installed"
    image = folder.with_suffix(".image")
    with image.open("wb") as file:
        file.truncate(SIZE)
    commands: tuple[list[str | Path], ...] = (
        ["mkntfs", "-q", "-F", image],
        ["ntfs-3g", "-o", "umask=000", image, folder],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{command[0]} fails: {done.stderr.splitlines()[-1:]}"
    return ""


@pytest.fixture(params=["simulated", "ntfs-3g"])
def disk(request: pytest.FixtureRequest, project: Project, forks: Forks) -> Iterator[Run]:
    """Runs the command in the project, which is on a disk without modes."""
    if request.param == "simulated":
        yield lambda *args, **fault: forks.run(project.root, *args, modeless=True, **fault)
        return
    if reason := mounted(project.root):
        pytest.skip(reason)
    try:
        project.write(".git/HEAD", "")
        yield lambda *args, **fault: forks.run(project.root, *args, **fault)
    finally:
        subprocess.run(["umount", project.root], check=True)


def pack(project: Project, version: str, files: Mapping[str, str], *executable: str) -> None:
    """Pack a module, some of whose files are executable."""
    (project.root / "drop").mkdir(exist_ok=True)
    with zipfile.ZipFile(project.root / "drop/m.zip", "w") as archive:
        for name, content in {
            "m.php": f"<?php class m extends Module {{}} // {version}",
            **files,
        }.items():
            info = zipfile.ZipInfo(f"m/{name}", (2026, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = (
                3,
                (0o100755 if name in executable else 0o100644) << 16,
            )
            archive.writestr(info, content)


def check_clean(run: Run) -> None:
    """Demand that nothing differs from what was built, by any command that looks."""
    assert run("create", "drop", "--check").code == 0
    assert run("create", "drop", "--frozen").code == 0
    status = run("status", "drop", "--check")
    assert (status.code, '"mode":[]' in status.out) == (0, True), status.out
    assert [run("diff", "drop", *way).out for way in ((), ("--mine",), ("--theirs",))] == [
        "",
        "",
        "",
    ]


def is_executable(project: Project, name: str) -> bool:
    """Whether a file of the module counts as executable in the record, which other copies of the
    project share.
    """
    files = (
        (project.root / ".tool-manifest.json").read_text(encoding="utf-8").split(f'"{name}"', 1)[1]
    )
    return '"executable": true' in files.split("}", 1)[0]


def test_the_bits_are_not_compared(project: Project, disk: Run) -> None:
    """No file differs after a build, an update, an undo or a redo; the record has the archive's
    bits.
    """
    pack(project, "1", {"run": "1", "text": "1", "same": "1"}, "run")
    assert disk("create", "drop").code == 0
    check_clean(disk)
    assert (is_executable(project, "run"), is_executable(project, "text")) == (True, False)
    (project.root / "modules/m/text").write_text("mine")
    pack(project, "2", {"run": "2", "text": "1", "same": "1"}, "same")
    updated = disk("create", "drop")
    assert updated.code == 0, updated.err
    status = disk("status", "drop").out
    assert ('"edited":["text"]' in status, '"mode":[]' in status) == (True, True), status
    assert (is_executable(project, "run"), is_executable(project, "same")) == (False, True)
    for command, version in (("undo", "1"), ("redo", "2")):
        undone = disk(command)
        assert undone.code == 0, undone.err
        assert project.tree["modules/m/run"] == version
        assert project.tree["modules/m/text"] == "mine"
        assert is_executable(project, "run") == (version == "1")
        assert disk("diff", "drop", "--mine", "--stat").out.count("modules/m/") == 1


def test_a_bit_alone(project: Project, disk: Run) -> None:
    """An archive that only changes an executable bit changes the record, but no file."""
    pack(project, "1", {"run": "1"})
    assert disk("create", "drop").code == 0
    inode = (project.root / "modules/m").stat().st_ino
    pack(project, "1", {"run": "1"}, "run")
    assert disk("create", "drop").code == 0
    assert (project.root / "modules/m").stat().st_ino == inode
    assert is_executable(project, "run")
    check_clean(disk)


@pytest.mark.parametrize(
    "kept", [(".tool-manifest.json",), (".tool",)], ids=["pulled", "without a record"]
)
def test_one_memory(project: Project, disk: Run, kept: tuple[str, ...]) -> None:
    """A copy of the project that only has the record, or only the folder `.tool/`, has no
    differences either.
    """
    pack(project, "1", {"run": "1", "text": "1"}, "run")
    assert disk("create", "drop").code == 0
    for name in {".tool-manifest.json", ".tool", ".tool-cache.json"}.difference(kept):
        path = project.root / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    assert '"updated":0' in disk("create", "drop").err
    check_clean(disk)


@pytest.mark.usefixtures("unmeasured")
def test_killed(
    project: Project, disk: Run, thinned: Callable[[list[int], int], list[int]]
) -> None:
    """A run that is killed anywhere is completed by the next one."""
    pack(project, "1", {"run": "1", "text": "1"}, "run")
    assert disk("create", "drop").code == 0
    pack(project, "2", {"run": "2", "text": "2"}, "text")
    calls = len(disk("create", "drop", way="KILL").calls)
    assert calls > 20
    for version, number in enumerate(thinned([*range(1, calls + 1)], 4), 3):
        pack(project, str(version), {"run": str(version), "text": str(version)}, "text")
        disk("create", "drop", number=number, way="KILL")
        assert disk("create", "drop").code == 0
        assert project.tree["modules/m/run"] == str(version)
        assert disk("create", "drop", "--check").code == 0
    check_clean(disk)


def test_modes_that_somebody_gave(project: Project, forks: Forks) -> None:
    """On a disk with modes, an update leaves files executable if somebody has made all of
    them so.
    """
    pack(project, "1", {"text": "1"})
    assert forks.run(project.root, "create", "drop").code == 0
    subprocess.run(["chmod", "-R", "755", "."], cwd=project.root, check=True)
    before = sorted(path.name for path in (project.root / ".tool").iterdir())
    assert '"mode":["m.php","text"]' in forks.run(project.root, "status", "drop").out
    assert sorted(path.name for path in (project.root / ".tool").iterdir()) == before
    pack(project, "2", {"text": "2"})
    assert forks.run(project.root, "create", "drop").code == 0
    assert (project.root / "modules/m/text").stat().st_mode & 0o777 == 0o755


RUN, TEXT = FileState(executable=True, digest="1"), FileState(digest="1")
LINK, FOLDER = FileState(kind="link", target="a"), FileState(kind="folder")


@pytest.mark.parametrize(
    ("has_modes", "others", "files"),
    [
        (True, {"a": RUN, "b": RUN}, {"a": TEXT, "b": TEXT, "c": LINK, "d": FOLDER}),
        (False, {"a": RUN, "c": RUN, "e": RUN}, {"a": RUN, "b": TEXT, "c": LINK, "d": FOLDER}),
        (False, {"a": LINK, "c": LINK}, {"a": TEXT, "b": TEXT, "c": LINK, "d": FOLDER}),
    ],
    ids=["modes", "none", "other kinds"],
)
def test_whose_bits_count(
    has_modes: bool, others: Mapping[str, FileState], files: Mapping[str, FileState]
) -> None:
    """Only on a disk without modes does a file take the executable bit of the version that it is
    compared with.
    """
    target = Target(
        occupancy="present",
        tree=Tree({"a": TEXT, "b": TEXT, "c": LINK, "d": FOLDER}),
        has_modes=has_modes,
    )
    assert target.with_bits_of(others).files == files


def test_what_the_journal_says_of_bits() -> None:
    """On a disk without modes, the journal has the files as the disk shows them, and the component
    as its archive has it.
    """
    change = Change(path="m", slot="0", before={"a": RUN, "b": LINK}, after={"a": TEXT, "c": RUN})
    assert change.without_bits() == Change(
        path="m", slot="0", before={"a": TEXT, "b": LINK}, after={"a": TEXT, "c": TEXT}
    )
