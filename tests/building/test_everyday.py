"""Builds beside a running system (`docs/building.md`)."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.forks import TOOL
from tests.support.privileges import skip_without
from tests.support.project import Project, Ran


def component(ran: Ran, path: str) -> dict[str, Any]:
    """What a run that succeeded says of a component."""
    assert ran.code == 0, ran.err
    return next(each for each in ran.reported("component") if each["path"] == path)


def test_a_theme_built_by_a_script(project: Project) -> None:
    """Files that a post script builds into the theme do not stop the next run, and each run builds
    them again.
    """
    project.archive("t.zip", {"config/theme.yml": "name: sea", "a.css": "1"})
    project.write(
        "post-scripts/build.sh", "cat themes/sea/a.css > themes/sea/all.css; chmod -R g+w themes"
    )
    for version in ("1", "1", "2"):
        project.archive("t.zip", {"config/theme.yml": "name: sea", "a.css": version})
        assert project.create().code == 0
        assert project.tree["themes/sea/all.css"] == version


def test_a_record_in_git(project: Project) -> None:
    """Two clones with different masks, time zones and folders build the same record, byte for
    byte.
    """
    records = []
    for name, mask, zone in (("one", 0o022, "UTC"), ("two", 0o077, "Asia/Tokyo")):
        clone = Project(project.root.parent / name)
        clone.theme("sea", "drop/t.zip")
        clone.archive("drop/m.zip", {"m/m.php": "1", "m/b": "", "m/a": ""})
        before = os.umask(mask)
        try:
            assert clone.create("drop", env={"TZ": zone}).code == 0
        finally:
            os.umask(before)
        records.append((clone.root / ".tool-manifest.json").read_bytes())
    assert records[0] == records[1]
    moved = Project(project.root.parent / "moved")
    shutil.copytree(project.root.parent / "one", moved.root)
    (moved.root / ".tool-cache.json").unlink()
    assert {each["action"] for each in moved.create("drop").reported("component")} == {"keep"}
    assert (moved.root / ".tool-manifest.json").read_bytes() == records[0]


def test_the_time_of_written_files(project: Project) -> None:
    """With `SOURCE_DATE_EPOCH`, every written file has that time; an invalid value is refused."""
    project.archive("m.zip", {"m/m.php": "1", "m/a/b": "1"})
    assert project.create(env={"SOURCE_DATE_EPOCH": "1000000000"}).code == 0
    files = [path for path in (project.root / "modules").rglob("*") if path.is_file()]
    assert {path.stat().st_mtime for path in files} == {1_000_000_000.0}
    for text in ("yesterday", "-1", "1e3", "9" * 12):
        # Refused though there is nothing to write.
        ran = project.create(env={"SOURCE_DATE_EPOCH": text})
        (error,) = ran.reported("error")
        assert (ran.code, error["source"]) == (65, "SOURCE_DATE_EPOCH")
        assert error["message"] == f"expected seconds since 1970, at most 11 digits, found `{text}`"


OVERLAY = """
set -e
mkdir -p lower upper work merged
cp -a project/. lower
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged
cd merged
cp ../m2.zip m.zip
"$0" create
"""


own_mounts = pytest.mark.skipif(
    shutil.which("unshare") is None,
    reason="unshare, which gives a process mounts of its own, is missing",
)


@own_mounts
def test_a_folder_without_rights_where_there_is_no_proc(project: Project) -> None:
    """An update of a component in which the user has a read-only folder leaves nothing behind, even
    where `/proc` is not mounted.
    """
    project.archive("m.zip", {"m/m.php": "1"})
    project.create()
    project.write("modules/m/mine/kept", "mine").parent.chmod(0o500)
    project.archive("m.zip", {"m/m.php": "2"})
    before = {each.name for each in project.root.iterdir()}
    hidden = 'mount -t tmpfs none /proc || exit 99; exec "$0" create --quiet'
    command: list[str | Path] = ["unshare", "-m", "sh", "-c", hidden, TOOL]
    ran = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)
    if ran.returncode == 99 or "unshare:" in ran.stderr:
        skip_without("mount disks", ran.stderr)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert {each.name for each in project.root.iterdir()} == before
    assert (project.root / "modules/m/mine/kept").read_text() == "mine"


@own_mounts
def test_a_component_in_the_image_of_a_container(project: Project, tmp_path: Path) -> None:
    """In a lower layer of an overlay, where the system refuses to move folders, an update replaces
    the files one by one.
    """
    project.archive("m.zip", {"m/m.php": "1", "m/a/b": "1", "m/gone": "1"})
    project.create()
    project.write("modules/m/a/mine", "mine")
    Project(tmp_path).archive("m2.zip", {"m/m.php": "2", "m/a/b": "1", "m/new": "2"})
    command: list[str | Path] = [
        "unshare",
        "-m",
        "sh",
        "-c",
        f"{OVERLAY}\nfind modules -type f -exec grep -H . {{}} +",
        TOOL,
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    if "mount:" in ran.stderr or "unshare:" in ran.stderr:
        skip_without("mount disks", ran.stderr)
    assert ran.returncode == 0, ran.stderr
    found = sorted(line for line in ran.stdout.splitlines() if line.startswith("modules/"))
    assert found == [
        "modules/m/a/b:1",
        "modules/m/a/mine:mine",
        "modules/m/m.php:2",
        "modules/m/new:2",
    ]
