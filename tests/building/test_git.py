"""Git: what a repository changes of a project, or leaves out (`docs/howto/git-and-ci.md`)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pipeline.building.git import Hiding, changes_line_ends, hidden_files, tracked_files
from tests.support.project import Project, php


def git(folder: Path, *args: str) -> None:
    """Run git."""
    subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True)


ON = "[core]\n\tautocrlf = true\n"
CHANGED = (
    "warning: git changes line ends here (`core.autocrlf`), so files may count as edited in a clone\n"
    "  = help: put `modules/** -text` and `themes/** -text` into `.gitattributes`\n"
)


@pytest.mark.parametrize(
    ("configs", "attributes", "expected"),
    [
        ([ON], [], True),
        (["[core]\nAutoCRLF=INPUT ; as on a Mac"], ["*.png binary\n# * -text\n* text=auto"], True),
        (['[core]\n autocrlf = "yes"', ON], [], True),
        ([ON, "[core]\n autocrlf = false"], [], False),
        (["[core]\n# autocrlf = true"], [], False),
        ([], [], False),
        ([ON], ["", "*.php text\nmodules/** -text"], False),
        ([ON], ["* text=auto eol=lf"], False),
    ],
)
def test_line_ends(configs: list[str], attributes: list[str], expected: bool) -> None:
    """The last `core.autocrlf` counts, unless a line of `.gitattributes` is about all files."""
    assert changes_line_ends(configs, attributes) == expected


def test_a_cache_that_git_does_not_ignore(project: Project) -> None:
    """The first run in a repository says that git would add the cache, unless git ignores it."""
    shutil.rmtree(project.root / ".git")
    git(project.root, "init", "-q")
    project.module("m")

    def told() -> list[str]:
        return [each["code"] for each in project.create().told("warning")]

    home = {"HOME": str(project.root / "home")}
    assert told() == ["git-adds-cache"]
    project.module("n")
    assert told() == []
    for place in (".gitignore", ".git/info/exclude", "home/.config/git/ignore"):
        shutil.rmtree(project.root / ".tool")
        project.module(place.replace("/", "").replace(".", ""))
        project.write(place, "/.tool-cache.json\n")
        assert "git-adds-cache" not in project.run("create", env=home).err
        (project.root / place).unlink()
    git(project.root, "check-ignore", "-q", ".tool/x")


def test_a_project_whose_line_ends_change(project: Project) -> None:
    """A run that changes something says so, and the status, until attributes say otherwise or nothing is in git."""
    project.module("m")
    home = {"HOME": str(project.root / "home")}

    def told(*args: str) -> str:
        ran = project.run(*args, env=home)
        assert ran.code == 0
        return ran.err[max(ran.err.find("warning:"), 0) :].partition("done:")[0]

    project.write(".git/config", ON + '[branch "b"]\n\tremote = origin\n' * 1000)
    assert told("create") == CHANGED
    assert "warning" not in told("create")
    assert told("status") == CHANGED
    project.write(".git/config", "")
    project.write("home/.gitconfig", ON)
    assert told("status") == CHANGED
    project.write("modules/.gitattributes", "** -text\n")
    assert told("status") == ""
    (project.root / "modules/.gitattributes").unlink()
    project.write(".gitignore", "/modules/*\n")
    assert told("status") == ""
    project.write(".gitignore", "/vendor/\n")
    project.write(".git/config", "[core]\nautocrlf = false\n")
    assert told("status") == ""


SHIPPED = {
    "m/m.php": php("m"),
    "m/.gitignore": "# of the module\nvendor/\n*.log\n",
    "m/vendor/a.php": "a",
    "m/vendor/b.php": "b",
    "m/data/.gitignore": "!kept.log\n",
    "m/data/kept.log": "kept",
}
LEFT_OUT = (
    "warning: modules/m/.gitignore:2:1: `git add` leaves out `vendor/a.php`, `vendor/b.php` of `modules/m`, which has "
    "a `.gitignore` of its own\n  = help: add them after each update: `git add --force modules/m`\n"
)


def test_a_gitignore_of_a_component(project: Project) -> None:
    """What a component's own `.gitignore` hides is said once by runs, and by the status until it is in git."""
    project.archive("drop/m.zip", SHIPPED)
    project.archive("drop/n.zip", {"n/n.php": php("n"), "n/.gitignore": "/nothing\n"})
    home = {"HOME": str(project.root / "home")}
    (project.root / ".git").rmdir()
    git(project.root, "init", "--quiet")
    project.write(".git/info/exclude", "/.tool-cache.json\n")

    def told(*args: str) -> str:
        ran = project.run(*args, "drop", env=home)
        assert ran.code == 0
        return ran.err[max(ran.err.find("warning:"), 0) :].partition("done:")[0]

    assert told("create") == LEFT_OUT
    assert "warning" not in told("create")
    project.archive("drop/m.zip", {**SHIPPED, "m/m.php": php("m", "2")})
    assert "warning" not in told("create")
    git(project.root, "add", ".")
    assert told("status") == LEFT_OUT
    git(project.root, "add", "--force", "modules/m/vendor/a.php")
    assert "`git add` leaves out `vendor/b.php` of `modules/m`" in told("status")
    git(project.root, "add", "--force", "modules")
    assert told("status") == ""
    (project.root / ".git/index").unlink()
    project.write(".git/info/exclude", "/modules/\n")
    assert told("status") == ""


def test_a_project_below_the_top_of_a_repository(project: Project) -> None:
    """Where the project is in a folder of a repository, what is in git is looked up there."""
    project.archive("drop/m.zip", SHIPPED)
    (project.root / ".git").rmdir()
    git(project.root, "init", "--quiet")
    (project.root / "shops/one").mkdir(parents=True)
    assert "shops/one/modules/m/.gitignore:2:1: `git add`" in project.run("create", "drop", "--output=shops/one").err
    git(project.root, "add", "--force", ".")
    assert project.run("status", "drop", "--output=shops/one").err == ""
    project.write(".gitignore", "shops/*/modules\n")
    (project.root / ".git/index").unlink()
    assert project.run("status", "drop", "--output=shops/one").err == ""


def test_a_worktree(project: Project) -> None:
    """What a worktree leaves out is where its file `.git` leads."""
    project.archive("drop/m.zip", SHIPPED)
    (project.root / ".git").rmdir()
    project.write(".git", "gitdir: home/repo/worktrees/w\n")
    project.write("home/repo/worktrees/w/commondir", "../..\n")
    assert LEFT_OUT in project.run("create", "drop").err
    project.write("home/repo/info/exclude", "/modules/\n")
    assert project.run("status", "drop").err == ""


def test_a_long_gitignore() -> None:
    """What would take long is not found out: a `.gitignore` comes from anywhere."""
    paths = [f"m/{number}" for number in range(1000)]
    assert len(hidden_files(paths, {"m": "*\n"})) == 1000
    assert hidden_files(paths, {"m": "*\n" * 2000}) == {}
    deep = [f"m/{'d/' * 30}{number}" for number in range(100)]
    assert len(hidden_files(deep, {"m": "**/d/**\n"})) == 100
    assert hidden_files(deep, {"m": f";{'**/' * 1000}*\n# a/b\n"}) == {}
    deepest = f"m/{'d/' * 1500}x"
    assert hidden_files([deepest], {"m": "x\n"}) == {deepest: Hiding("m", 1)}


def test_patterns() -> None:
    """The last line that fits counts, a deeper file before a higher, and nothing comes back of what is in a folder."""
    ignores = {
        "": "\ufeff/a/b\n\\#c\n",
        "d": "**/e/**\r\nf/*/g\n!h \n*.x\n!kept.x\nfolder/\n****/s\n",
        "a/b": "!*\n",
        "d/h": "[^x]?\n",
    }
    paths = ("a/b/x", "a/c", "#c", "d/i/e/x/y", "d/e", "d/f/x/g", "d/f/g", "d/f/x/y/g", "d/h/ab", "d/h/xb", "f/x/g")
    paths = (*paths, "d/a.x", "d/kept.x", "d/folder/a", "d/i/folder", "d/i/j/s")
    assert hidden_files(paths, ignores) == {
        "a/b/x": Hiding("", 1),
        "#c": Hiding("", 2),
        "d/i/e/x/y": Hiding("d", 1),
        "d/f/x/g": Hiding("d", 2),
        "d/h/ab": Hiding("d/h", 1),
        "d/a.x": Hiding("d", 4),
        "d/folder/a": Hiding("d", 6),
        "d/i/j/s": Hiding("d", 7),
    }


@pytest.mark.parametrize(("version", "found"), [("2", ["m/a"]), ("3", ["m/a"]), ("4", ["m/a", "m/b"])])
def test_an_index(version: str, found: list[str], tmp_path: Path) -> None:
    """What is in git is read from its index; of one whose paths are shortened, there is no telling."""
    git(tmp_path, "init", "--quiet")
    (tmp_path / "m").mkdir()
    for name in ("m/a", "m/ab"):
        (tmp_path / name).write_text(name)
    git(tmp_path, "add", "m/ab")
    git(tmp_path, "add", *(("--intent-to-add",) if version == "3" else ()), "m/a")
    git(tmp_path, "update-index", f"--index-version={version}")
    index = (tmp_path / ".git/index").read_bytes()
    assert index[7] == int(version)
    assert tracked_files(index, ("m/a", "m/b")) == frozenset(found)
    assert tracked_files(b"", ("m/a", "m/\udcff")) == frozenset()


def test_an_index_of_long_paths(tmp_path: Path) -> None:
    """A long path is found in an index, too; of one that has its paths in another file, there is no telling."""
    git(tmp_path, "init", "--quiet")
    folder = tmp_path / ("d" * 200)
    folder.mkdir()
    paths = [f"{folder.name}/{number:x}{'f' * 100}" for number in range(40)]
    for path in paths:
        (tmp_path / path).write_text(path)
    git(tmp_path, "add", ".")
    assert tracked_files((tmp_path / ".git/index").read_bytes(), (*paths, "other")) == frozenset(paths)
    git(tmp_path, "update-index", "--split-index")
    assert tracked_files((tmp_path / ".git/index").read_bytes(), ("other",)) == {"other"}


def test_no_file_that_blocks(project: Project) -> None:
    """A FIFO in place of a file of git is taken as empty, and so is a path that no file can have."""
    project.archive("drop/m.zip", SHIPPED)
    (project.root / ".git/info").mkdir()
    os.mkfifo(project.root / ".git/info/exclude")
    assert project.run("create", "drop").code == 0
    shutil.rmtree(project.root / ".git")
    project.write(".git", "gitdir: a\0b")
    assert project.run("status", "drop").code == 0
