"""A project that is built again: record, edits, removal, cache and lock (`docs/building.md`)."""

import contextlib
import fcntl
import json
import os
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pipeline.building.stores.layout import MARKS
from tests.support.forks import TOOL, Forks
from tests.support.project import Project, Ran, php
from tests.support.sweep import Thinned, in_turn, sample
from tests.support.tables import rows


def actions(ran: Ran) -> dict[str, str]:
    """What was done for each component of a run that succeeded."""
    assert ran.code == 0, ran.err
    return {each["path"]: each["action"] for each in ran.reported("component")}


def codes(ran: Ran) -> list[str]:
    """The warnings of a run, by their codes."""
    return [each["code"] for each in ran.reported("warning")]


def conflict(ran: Ran) -> list[tuple[str, str]]:
    """The errors of a run that ended with a conflict."""
    assert ran.code == 73, ran.err
    return [(each["error"], each["source"]) for each in ran.reported("error")]


def inodes(project: Project) -> dict[str, int]:
    """Every file of the components by its inode: one that is written again has another."""
    return {name: (project.root / name).stat().st_ino for name in project.tree}


def shown(root: Path) -> dict[str, Any]:
    """Everything below a folder: what each folder, link and file is, and its mode."""
    found: dict[str, Any] = {}
    for path in sorted(root.rglob("*")):
        content = path.readlink() if path.is_symlink() else path.is_file() and path.read_bytes()
        found[path.relative_to(root).as_posix()] = (path.lstat().st_mode, content)
    return found


def test_an_unchanged_run_writes_nothing(project: Project) -> None:
    """A second run keeps every component, and writes neither record nor cache."""
    project.module("m")
    project.theme("t")
    assert actions(project.create()) == {"themes/t": "add", "modules/m": "add"}
    before = (
        shown(project.root),
        inodes(project),
        (project.root / ".tool-manifest.json").stat().st_ino,
    )
    ran = project.create()
    assert actions(ran) == {"themes/t": "keep", "modules/m": "keep"}
    assert (
        shown(project.root),
        inodes(project),
        (project.root / ".tool-manifest.json").stat().st_ino,
    ) == before


@pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace, which lists the calls of a process, is missing"
)
def test_an_unchanged_run_reads_no_archive(project: Project) -> None:
    """With record and cache, an archive that has not changed is not opened."""
    archive = project.module("m")
    project.create()
    traced: list[str | Path] = ["strace", "-f", "-e", "trace=open,openat", TOOL, "create"]
    reported = subprocess.run(
        traced, cwd=project.root, capture_output=True, check=True
    ).stderr.decode()
    opened = [line for line in reported.splitlines() if "open" in line.partition("(")[0]]
    assert [
        any(name in line for line in opened) for name in (".tool-cache.json", archive.name)
    ] == [True, False]


def test_a_missing_component_leaves_the_record_as_it_is(project: Project) -> None:
    """A dry run says so as well as the run that builds it again."""
    project.module("m")
    assert project.create().code == 0
    shutil.rmtree(project.root / "modules" / "m")
    for ran in (project.create("--dry-run"), project.create()):
        (summary,) = ran.reported("summary")
        assert (summary["added"], summary["record"]) == (1, False)


def test_what_the_user_deleted_is_restored(project: Project) -> None:
    """A component with deleted files is completed: deleting a file is not an edit."""
    project.archive("m.zip", {"m/m.php": "m", "m/b": "b"})
    project.create()
    before = project.tree
    (project.root / "modules/m/b").unlink()
    assert actions(project.create()) == {"modules/m": "update"}
    assert project.tree == before
    assert actions(project.create()) == {"modules/m": "keep"}


def change(project: Project, edit: str) -> Path:
    """Change a component as a person or a running system would; return the file."""
    file = project.root / "modules/m/deep/a"
    match edit:
        case "same size and time":
            status = file.stat()
            file.write_text("A", encoding="utf-8")
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        case "added":
            file = project.write("modules/m/deep/er/mine", "mine")
        case "junk":
            file = project.write("modules/m/__MACOSX/._env", "mine")
        case "link":
            file.unlink()
            file.symlink_to("../m.php")
        case "mode":
            file.chmod(0o775)
        case "other kind":
            file.unlink()
            os.mkfifo(file)
        case "folder":
            file = file.with_name("mine")
            file.mkdir(mode=0o700)
    return file


EDITS = ("same size and time", "added", "junk", "link", "mode", "other kind", "folder")


@pytest.mark.parametrize("edit", EDITS)
def test_what_the_user_changed_stays(project: Project, edit: str) -> None:
    """An edit stays in place while other files are updated, and a second run has nothing to do."""
    project.archive("m.zip", {"m/m.php": php("m", "m"), "m/deep/a": "a"})
    project.create()
    before = (file := change(project, edit)).lstat()
    assert actions(project.create()) == {"modules/m": "keep"}
    project.archive("m.zip", {"m/m.php": php("m", "2"), "m/deep/a": "a", "m/new": ""})
    ran = project.create()
    assert actions(ran) == {"modules/m": "update"}
    assert codes(ran) == []
    after = file.lstat()
    assert after.st_mode == before.st_mode
    assert edit == "folder" or after.st_ino == before.st_ino
    assert project.tree["modules/m/m.php"] == php("m", "2")
    assert project.tree["modules/m/new"] == ""
    (component,) = project.create().reported("component")
    counts = {"mode": (0, 0), "folder": (0, 0), "added": (0, 1), "junk": (0, 1)}.get(edit, (1, 0))
    assert component["action"] == "keep"
    assert (component["edited"], component["added"]) == counts


@pytest.mark.parametrize("edit", ["same size and time", "link", "other kind", "both added"])
def test_what_both_sides_changed(project: Project, edit: str) -> None:
    """A file that both the user and the archive changed stops the run; with `--force` and `--mine`,
    the version that is not built is in the backup.
    """
    project.archive(
        "m.zip", {"m/m.php": php("m", "m")} | ({} if edit == "both added" else {"m/deep/a": "a"})
    )
    project.create()
    if edit == "both added":
        project.write("modules/m/deep/a", "mine")
    file = change(project, edit)
    mine = file.lstat()
    project.archive("m.zip", {"m/m.php": php("m", "2"), "m/deep/a": "theirs"})
    before = shown(project.root)
    ran = project.create()
    reason = {"same size and time": " (edited)", "both added": ""}.get(edit, " (of another type)")
    assert conflict(ran) == [("OutputConflict", "modules/m")]
    assert f"`modules/m/deep/a`{reason}" in ran.reported("error")[0]["message"]
    assert shown(project.root) == before
    copy = Project(project.root.parent / "copy")
    subprocess.run(["cp", "-a", project.root, copy.root], check=True)
    ran = copy.create("--mine")
    assert ran.code == 0
    assert codes(ran) == ["backed-up"]
    assert copy.tree["modules/m/m.php"] == php("m", "2")
    assert (copy.root / "modules/m/deep/a").lstat().st_mode == mine.st_mode
    (backup,) = copy.root.glob(".tool/backup/*/modules/m/deep/*")
    assert backup.read_text(encoding="utf-8") == "theirs"
    assert actions(copy.create()) == {"modules/m": "keep"}
    ran = project.create("--force")
    assert ran.code == 0
    assert codes(ran) == ["backed-up"]
    assert project.tree["modules/m/deep/a"] == "theirs"
    (backup,) = project.root.glob(".tool/backup/*/modules/m/deep/*")
    assert backup.lstat().st_ino == mine.st_ino
    assert backup.lstat().st_mode == mine.st_mode
    assert actions(project.create()) == {"modules/m": "keep"}


@pytest.mark.parametrize("edit", EDITS)
def test_what_the_user_changed_in_what_is_removed(project: Project, edit: str) -> None:
    """Without `--prune` nothing is removed; with it, files as recorded are deleted and everything
    else goes to the backup.
    """
    project.archive("m.zip", {"m/m.php": "m", "m/deep/a": "a"})
    project.create()
    file = change(project, edit)
    edited = file.lstat()
    before = shown(project.root / "modules")
    ran = project.create("--exclude=m")
    assert actions(ran) == {"modules/m": "keep"}
    assert codes(ran)[-1] == "kept-components"
    assert shown(project.root / "modules") == before
    assert actions(project.create("--exclude=m", "--prune")) == {"modules/m": "remove"}
    kept = [
        path for path in project.root.glob(".tool/backup/*/modules/**/*") if path.name == file.name
    ]
    mode = (project.root / ".tool").stat().st_mode if edit == "folder" else edited.st_mode
    assert [path.lstat().st_mode for path in kept] == ([] if edit == "mode" else [mode])
    assert project.tree == {}


def test_a_damaged_record(project: Project) -> None:
    """A record that cannot be read is an error that says what to do; nothing is written or
    removed.
    """
    project.module("m")
    project.create()
    project.write(".tool-manifest.json", "{}")
    before = shown(project.root)
    ran = project.create("--exclude=m", "--force", "--prune")
    assert conflict(ran) == [("OutputConflict", ".tool-manifest.json")]
    assert "restore it; or delete it" in ran.reported("error")[0]["help"]
    assert shown(project.root) == before


@pytest.mark.parametrize("content", [b"garbage", None])
def test_a_damaged_cache(project: Project, content: bytes | None) -> None:
    """A damaged cache is a warning and is replaced; a cache that cannot be written is a warning,
    too.
    """
    project.module("m")
    project.create()
    cache = project.root / ".tool-cache.json"
    whole = cache.read_bytes()
    cache.unlink()
    if content is None:
        cache.mkdir()
        assert codes(project.create()) == codes(project.create()) == ["unwritable-file"]
    else:
        cache.write_bytes(content)
        ran = project.create()
        assert actions(ran) == {"modules/m": "keep"}
        assert codes(ran) == ["damaged-file"]
        assert cache.read_bytes() == whole
        assert codes(project.create()) == []


def test_what_a_killed_run_left_beside_the_cache(project: Project) -> None:
    """The next run removes what a killed one left beside the cache, even if the cache itself needs
    no change.
    """
    project.module("m")
    project.create()
    left = project.write(f".tool-cache.json.{'0' * 16}.tool-new", "half")
    assert project.create().code == 0
    assert not left.exists()


def test_a_cache_and_a_drop_without_archives(project: Project) -> None:
    """A run over a folder without archives, perhaps named by mistake, does not change the cache."""
    project.module("m", "drop/m.zip")
    project.create("drop")
    before = (project.root / ".tool-cache.json").read_bytes()
    (project.root / "empty").mkdir()
    assert codes(project.create("empty")) == ["nothing-to-build", "kept-components"]
    assert (project.root / ".tool-cache.json").read_bytes() == before


def test_what_the_cache_knows_of_a_file_that_the_setting_names_since(project: Project) -> None:
    """An archive without a marker that is cached as a module is a theme once the theme setting
    names its file.
    """
    project.archive("sea.zip", {"sea/a": "a"})
    assert actions(project.create()) == {"modules/sea": "add"}
    assert actions(project.create("--theme=./sea.zip")) == {
        "themes/sea": "add",
        "modules/sea": "keep",
    }


def test_a_cache_in_a_new_folder(project: Project) -> None:
    """The folders above the cache file are made."""
    project.module("m")
    project.create("--cache-file=deep/er/cache.json")
    assert (project.root / "deep/er/cache.json").is_file()


def test_an_archive_that_changes_in_place_is_noticed(project: Project) -> None:
    """If an archive is replaced by another one of the same name, size and time, the cache notices
    it.
    """
    archive = project.archive("m.zip", {"m/m.php": "1"})
    project.create()
    times = archive.stat().st_atime_ns, archive.stat().st_mtime_ns
    project.archive("m.zip", {"m/m.php": "2"})
    os.utime(archive, ns=times)
    assert actions(project.create()) == {"modules/m": "update"}


@pytest.mark.parametrize("args", [(), ("--dry-run",)])
def test_a_damaged_journal(project: Project, args: tuple[str, ...]) -> None:
    """The files of a killed run are kept if its journal cannot be read."""
    project.module("m")
    project.write(".tool/staging/run.json", "{}")
    mine = project.write(".tool/staging/0/mine", "mine")
    ran = project.create(*args)
    assert conflict(ran) == [("OutputConflict", ".tool/staging/run.json")]
    assert "save your files from" in ran.reported("error")[0]["help"]
    assert mine.read_text(encoding="utf-8") == "mine"
    assert project.tree == {}


def test_what_a_killed_run_has_left_is_told(project: Project) -> None:
    """The next run says that it has cleaned up after a killed run, and a dry run says that the next
    run will.
    """
    project.module("m")
    project.write(".tool/staging/0/half", "")
    dry, ran = project.create("--dry-run"), project.create()
    assert [each["message"] for each in (*dry.reported("warning"), *ran.reported("warning"))] == [
        (
            "an earlier run was interrupted before it changed a file; the next one removes its "
            "temporary files"
        ),
        "an earlier run was interrupted before it changed a file; its temporary files are removed",
    ]
    assert (project.root / ".tool/staging").exists() is False


def damaged(project: Project, name: str, archive: str) -> None:
    """Make the archive of a module whose damage only shows when its files are extracted."""
    path = project.archive(archive, {f"{name}/{name}.php": "<?php", f"{name}/data": "content" * 9})
    content = bytearray(path.read_bytes())
    place = content.index(b"PK\x03\x04", 4)  # of the second entry
    content[place + 30 + len(f"{name}/data") + 3] ^= 0xFF
    path.write_bytes(content)


def rivals(project: Project) -> None:
    """Two archives of the module `m`, of which nothing says which is newer, beside
    the module `n`.
    """
    project.archive("m (1).zip", {"m/m.php": "<?php // one"})
    project.archive("m (2).zip", {"m/m.php": "<?php // two"})
    project.module("n")


def test_an_ambiguous_component_is_passed_over(project: Project) -> None:
    """With `--keep-going`, an ambiguous component stays as it is, the others are built, nothing is
    removed, and the exit code is 68.
    """
    for name in ("m", "gone"):
        project.module(name)
    assert project.create().code == 0
    for name in ("m", "gone"):
        (project.root / f"{name}.zip").unlink()
    rivals(project)
    before = (project.root / "modules/m/m.php").read_text("utf-8")
    assert project.create("--prune").code == 68
    assert not (project.root / "modules/n").exists()
    for args in (("--keep-going", "-n"), ("--keep-going", "--prune")):
        ran = project.create(*args)
        assert (ran.code, [each["error"] for each in ran.reported("error")]) == (
            68,
            ["ComponentAmbiguous"],
        )
        actions = {each["path"]: each["action"] for each in ran.reported("component")}
        assert actions == {"modules/n": "add", "modules/gone": "keep"}
        assert [each["refused"] for each in ran.reported("archive")] == [True, True, False]
        assert (ran.reported("summary")[0]["added"], ran.reported("summary")[0]["refused"]) == (
            1,
            1,
        )
    assert (project.root / "modules/n").is_dir()
    assert (project.root / "modules/gone").is_dir()
    assert (project.root / "modules/m/m.php").read_text("utf-8") == before


def test_keep_going_removes_nothing(project: Project) -> None:
    """With `--keep-going`, nothing is removed if an archive is refused, even if that only shows
    when it is extracted.
    """
    for name in ("foo", "left", "gone"):
        project.module(name)
    project.create()
    before = project.tree
    damaged(project, "bar", "foo.zip")
    (project.root / "gone.zip").unlink()
    ran = project.create("--keep-going", "--prune", "--exclude=left")
    assert ran.code == 76
    assert [each["source"] for each in ran.reported("error")] == ["foo.zip"]
    assert project.tree == before
    assert [(each["removed"], each["kept"]) for each in ran.reported("summary")] == [(0, 0)]


def test_damage_is_told_of_all_archives_at_once(project: Project) -> None:
    """Damage that only shows when files are extracted is reported for every archive, and nothing is
    built.

    With `--keep-going`, such components are neither counted nor in the plan of the scripts.
    """
    for name in ("a", "b"):
        damaged(project, name, f"{name}.zip")
    project.module("c")
    project.write("post-scripts/a.sh", 'cat "$TOOL_HOOK_PLAN"')
    before = shown(project.root)
    ran = project.create("--no-cache")
    assert (ran.code, [each["source"] for each in ran.reported("error")]) == (
        76,
        ["a.zip", "b.zip"],
    )
    after = shown(project.root)
    assert {path for path in after if path.startswith(".tool")} == {
        ".tool",
        *(f".tool/{name}" for name in ("drop.json", *MARKS)),
    }
    assert {path: what for path, what in after.items() if not path.startswith(".tool")} == before
    ran = project.create("--no-cache", "--keep-going")
    assert (ran.code, list(project.tree), ran.reported("summary")[0]["added"]) == (
        76,
        ["modules/c/c.php"],
        1,
    )
    reported = [json.loads(each["line"]) for each in ran.reported("output")]
    assert [each["path"] for plan in reported for each in plan["components"]] == ["modules/c"]


@pytest.mark.parametrize("is_built", [False, True])
def test_a_run_that_only_refuses(project: Project, is_built: bool) -> None:
    """With `--keep-going`, a run whose only archive to build is damaged does not pass for done,
    whether that shows at once or only when files are extracted.
    """
    if is_built:
        project.module("m")
        project.create()
    for content in ("data", "end"):
        damaged(project, "x", "x.zip")
        if content == "end":
            project.write("x.zip", b"PK\3\4")
        ran = project.create("--keep-going")
        (summary,) = ran.reported("summary")
        assert (ran.code, summary["outcome"], summary["refused"]) == (76, "unchanged", 1)
        assert project.run("create", "--keep-going").err.splitlines()[-1] == "nothing was changed"


def test_a_locked_project(project: Project) -> None:
    """While another run builds the project, a second one ends at once with 75 and writes
    nothing.
    """
    project.module("m")
    holder = os.open(project.root, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    before = shown(project.root)
    ran = project.create()
    assert ran.code == 75
    assert [each["error"] for each in ran.reported("error")] == ["ProjectLocked"]
    assert project.create("--wait=0.2").code == 75
    assert project.create("--dry-run").code == 0
    assert shown(project.root) == before
    os.close(holder)
    assert actions(project.create()) == {"modules/m": "add"}


def test_four_runs_at_once(project: Project) -> None:
    """If four runs start at once, those that wait all succeed in turn; of those that do not wait,
    all but one end with 75.
    """
    project.module("m")
    project.write("init-scripts/slow.sh", "cat fifo")
    os.mkfifo(project.root / "fifo")

    def start(*args: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [TOOL, "create", *args], cwd=project.root, stderr=subprocess.DEVNULL
        )

    first = start()
    waited: list[str | Path] = [TOOL, "create", "--wait=0.2"]
    # Opened when the script of the first reads.
    with (project.root / "fifo").open("w", encoding="utf-8"):
        losers = [start() for _ in range(3)]
        assert [each.wait(60) for each in losers] == [75] * 3
        reported = subprocess.run(
            waited, cwd=project.root, capture_output=True, text=True, check=False
        )
        assert reported.returncode == 75
        assert reported.stderr.count("waiting for another run in") == 1
    assert first.wait(60) == 0
    (project.root / "init-scripts/slow.sh").unlink()
    assert [each.wait(60) for each in [start("--wait=60") for _ in range(2)]] == [0] * 2
    assert project.tree == {"modules/m/m.php": php("m")}


@pytest.mark.parametrize("place", ["package.json", "other.json", "pipe", "folder", "socket"])
def test_a_cache_file_that_is_no_cache(project: Project, place: str) -> None:
    """If `cache.file` leads to something that is not a cache, that stays as it is, and the run goes
    on.
    """
    project.module("m")
    path = project.root / place
    match place:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "socket":
            with socket.socket(socket.AF_UNIX) as server, contextlib.chdir(project.root):
                server.bind(place)
        case "package.json" | "other.json":
            path.write_text('{"digest":"sha256:0","content":{}}', encoding="utf-8")
    before = path.lstat()
    first, second = (project.create(f"--cache-file={place}") for _ in range(2))
    assert [
        (ran.code, len(codes(ran)), codes(ran)[0].endswith("-file")) for ran in (first, second)
    ] == [(0, 1, True)] * 2
    assert (path.lstat().st_ino, path.lstat().st_mode) == (before.st_ino, before.st_mode)
    assert actions(second) == {"modules/m": "keep"}


@pytest.mark.parametrize("target", ["elsewhere/there.json", "../there.json"])
def test_a_cache_file_that_is_a_link(project: Project, target: str) -> None:
    """A link in the place of the cache, perhaps from a repository, is not followed."""
    project.module("m")
    project.write("elsewhere/mine", "")
    (project.root / ".tool-cache.json").symlink_to(target)
    assert [codes(project.create()) for _ in range(2)] == [["unwritable-file"]] * 2
    assert (project.root / ".tool-cache.json").is_symlink()
    assert not (project.root / target).exists()


def test_little_memory(project: Project) -> None:
    """Reading record and cache takes no more memory than their size."""
    project.module("m")
    for _ in range(2):
        command: list[str | Path] = ["sh", "-c", 'ulimit -v 200000 && exec "$0" create', TOOL]
        ran = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        assert "warning" not in ran.stderr, ran.stderr


def test_what_was_refused_is_told_whatever_else_ends_the_run(project: Project) -> None:
    """With `--keep-going`, a failing script or a conflict does not hide the archives that were
    skipped.
    """
    project.write("bad.zip", b"no archive")
    project.module("m")
    project.write("post-scripts/a.sh", "exit 3")
    ran = project.create("--keep-going", "--on-failure=fail")
    assert ran.code == 79
    assert [each["error"] for each in ran.reported("error")] == ["HookFailed", "ArchiveRejected"]
    project.write("modules/m/m.php", "mine")
    project.archive("m.zip", {"m/m.php": "theirs"})
    project.module("n")
    ran = project.create("--keep-going")
    assert ran.code == 76
    assert [each["error"] for each in ran.reported("error")] == [
        "ArchiveRejected",
        "OutputConflict",
    ]
    assert project.tree == {"modules/m/m.php": "mine", "modules/n/n.php": php("n")}
    (project.root / "bad.zip").unlink()
    assert project.create("--keep-going").code == 73


def test_archives_that_come_while_a_lock_is_waited_for(project: Project) -> None:
    """The drop is read after the project is locked, so that a component that another run builds
    meanwhile is not taken for removed.
    """
    project.module("m")
    project.create()
    holder = os.open(project.root, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    command: list[str | Path] = [TOOL, "create", "--wait=30", "--prune", "--log-format=json"]
    with subprocess.Popen(command, cwd=project.root, stderr=subprocess.PIPE, text=True) as waiting:
        assert waiting.stderr
        # The settings come before the lock.
        reported = next(line for line in waiting.stderr if "log.format" in line)
        project.module("n")
        os.close(holder)
        reported += waiting.stderr.read()
        assert waiting.wait(60) == 0
        assert '"path":"modules/n"' in reported


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")
@pytest.mark.skipif(
    shutil.which("setpriv") is None, reason="setpriv, which takes rights from root, is missing"
)
def test_what_a_shop_wrote_as_another_user_stays_its_own(project: Project) -> None:
    """Files and folders of another user stay in place and keep their owner; a removal moves them
    with the component.
    """
    project.archive("m.zip", {"m/m.php": "1"})
    project.create()
    paths = [
        project.write(name, "shop") for name in ("modules/m/config_fr.xml", "modules/m/cache/page")
    ]
    for path in (*paths, paths[1].parent):
        os.chown(path, 12345, 12345)
    project.archive("m.zip", {"m/m.php": "2"})
    rights = "-chown,-fowner,-dac_override,-dac_read_search"
    weak = ["setpriv", f"--inh-caps={rights}", f"--bounding-set={rights}"]

    def run(*args: str) -> int:
        return subprocess.run(
            [*weak, TOOL, "create", *args], cwd=project.root, capture_output=True, check=False
        ).returncode

    built = {
        "modules/m/m.php": "2",
        "modules/m/config_fr.xml": "shop",
        "modules/m/cache/page": "shop",
    }
    assert run() == 0
    assert project.tree == built
    assert {path.stat().st_uid for path in (*paths, paths[1].parent)} == {12345}
    assert run("--exclude=m", "--prune") == 0
    assert project.tree == {}
    kept = {
        path.name for path in project.root.glob(".tool/backup/*/modules/m/**/*") if path.is_file()
    }
    assert kept == {"config_fr.xml", "page"}
    assert project.run("undo").code == 0
    assert project.tree == built


@pytest.mark.sweep
@pytest.mark.parametrize("depth", sample([300, 1100], 1))
def test_a_deep_folder_of_the_user(project: Project, depth: int) -> None:
    """A user's folder that is nested deeper than any archive may be is carried over like any
    other.
    """
    project.module("m")
    project.create()
    at = os.open(project.root / "modules/m", os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=at)
        at, above = os.open("d", os.O_RDONLY, dir_fd=at), at
        os.close(above)
    os.close(os.open("mine", os.O_CREAT | os.O_WRONLY, dir_fd=at))
    os.close(at)
    project.archive("m.zip", {"m/m.php": "2"})
    assert actions(project.create()) == {"modules/m": "update"}
    assert actions(project.create("--exclude=m", "--prune")) == {"modules/m": "remove"}
    command: list[str | Path] = [
        "find",
        project.root / ".tool/backup",
        "-name",
        "mine",
        "-printf",
        "%d\\n",
    ]
    assert int(subprocess.run(command, capture_output=True, check=True).stdout) > depth
    subprocess.run(["rm", "-r", project.root / ".tool"], check=True)


def test_names_that_are_not_utf_8(project: Project) -> None:
    """The names of a project, an archive and a user's file may have any bytes."""
    root = Path(os.fsdecode(bytes(project.root) + b"/caf\xe9"))
    strange = Project(root)
    archive = strange.archive("m.zip", {"m/m.php": "1"})
    archive.rename(Path(os.fsdecode(bytes(root) + b"/m\xe9.zip")))
    assert [strange.create().code, strange.create().code] == [0, 0]
    (root / "modules/m" / os.fsdecode(b"\xe9")).touch()
    (root / os.fsdecode(b"m\xe9.zip")).unlink()
    strange.archive("m.zip", {"m/m.php": "2"}).rename(root / os.fsdecode(b"m\xe9.zip"))
    assert strange.create().code == 0
    assert sorted(path.name for path in (root / "modules/m").iterdir()) == [
        "m.php",
        os.fsdecode(b"\xe9"),
    ]


def test_a_link_that_a_script_puts_in_the_way_is_cleaned_up_after(
    project: Project, tmp_path: Path
) -> None:
    """If a script puts a link where components go, the run fails and leaves no staging folder."""
    project.module("m")
    project.write("init-scripts/a.sh", f"ln -s '{tmp_path}' modules")
    assert conflict(project.create()) == [("OutputConflict", "modules")]
    assert not (project.root / ".tool/staging").exists()


def test_a_script_that_removes_the_staging_folder(project: Project) -> None:
    """A post script that cleans up the project causes no warning."""
    project.module("m")
    project.write("post-scripts/a.sh", "rm -rf .tool/staging .tool/plan.json")
    ran = project.create()
    assert ran.code == 0
    assert codes(ran) == []


def test_a_checkout_elsewhere(project: Project, forks: Forks) -> None:
    """A committed record holds in another checkout, where every file has a new time, even if that
    is read-only.
    """
    project.module("m")
    project.create()
    (project.root / ".tool-cache.json").unlink()
    os.utime(project.root / "modules/m/m.php", (1, 1))
    ran = forks.run(project.root, "create", "--no-cache", number=1, way="EROFS")
    assert ran.code == 0, ran.err


def test_a_long_name(project: Project) -> None:
    """A component may have any name that a folder may have."""
    name = "m" * 250
    project.module(name, "m.zip")
    assert actions(project.create()) == {f"modules/{name}": "add"}


def test_a_backup_that_cannot_be(project: Project) -> None:
    """A file in the place of the backup folder is reported before anything is done."""
    project.module("m")
    project.write("modules/m/m.php", "mine")
    project.write(".tool/backup", "a file")
    assert conflict(project.create(".", "modules/m", "--force")) == [
        ("OutputConflict", ".tool/backup")
    ]
    (project.root / ".tool/backup").unlink()
    assert project.create(".", "modules/m", "--force").code == 0
    project.write("modules/m/m.php", "mine since")
    shutil.rmtree(project.root / ".tool/backup")
    project.write(".tool/backup", "a file")
    for args in (("--dry-run",), ()):
        assert conflict(project.run("undo", "--force", *args, env={"TOOL_LOG_FORMAT": "json"})) == [
            ("OutputConflict", ".tool/backup")
        ]


@pytest.mark.parametrize(("place", "what", "reported"), rows("rebuild", "in the way"))
def test_something_in_place_of_the_tools_own_files(
    project: Project, place: str, what: str, reported: str
) -> None:
    """Whatever is in the place of record, staging folder or journal is a conflict, also in a dry
    run, and stays.
    """
    project.module("m")
    (project.root / "mine").mkdir()
    path = project.root / place
    path.parent.mkdir(exist_ok=True, parents=True)
    {
        "link": lambda: path.symlink_to(project.root / "mine"),
        "folder": path.mkdir,
        "file": path.touch,
    }[what]()
    before = shown(project.root)
    for args in ((), ("--dry-run",)):
        ran = project.create(*args)
        assert conflict(ran) == [("OutputConflict", place)]
        assert reported in ran.reported("error")[0]["message"]
    assert shown(project.root) == before


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("made", "way"),
    in_turn(
        [("mkdir", 1), ("mkdirat", 1), ("mkdirat", 2), ("mkdirat", 3)],
        ("signal=SIGINT", "error=ENOSPC"),
        at_most=4,
    ),
)
@pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace, which breaks calls of a process, is missing"
)
def test_folders_that_were_just_made(project: Project, made: tuple[str, int], way: str) -> None:
    """A run that is interrupted or fails while or just after it makes a folder leaves none
    behind.
    """
    project.module("m", "drop/m.zip")
    call, number = made
    traced = [
        "strace",
        "-f",
        "-o",
        "/dev/null",
        "-e",
        f"trace={call}",
        "-e",
        f"inject={call}:{way}:when={number}",
    ]
    command: list[str | Path] = [*traced, TOOL, "create", "drop", "--output=a/b"]
    ran = subprocess.run(command, cwd=project.root, capture_output=True, check=False)
    assert ran.returncode == (130 if "INT" in way else 74)
    assert sorted(path.name for path in project.root.iterdir()) == [".git", "drop"]


def test_first_runs_at_once(project: Project, thinned: Thinned[int]) -> None:
    """If several runs begin at once in a new folder, one of them builds, and none removes the
    folder from another.
    """
    project.module("m", "drop/m.zip")
    for number in thinned(range(12), 1):
        command: list[str | Path] = [
            TOOL,
            "create",
            "drop",
            f"--output=new{number}/deep/er",
            "--quiet",
        ]
        runs = [
            subprocess.Popen(command, cwd=project.root, stderr=subprocess.DEVNULL) for _ in range(3)
        ]
        codes = {run.wait(60) for run in runs}
        assert codes <= {0, 75}, codes
        assert 0 in codes, codes
        assert (project.root / f"new{number}/deep/er/modules/m/m.php").is_file()
