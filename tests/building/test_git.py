"""Git: what it changes of a project on the way through a repository (`docs/howto/commit-the-record.md`)."""

import os
import pwd
import subprocess
from pathlib import Path

import pytest

from io_edges.building.git import git_notes
from pipeline.building.git import Hiding, changed_line_ends, hidden_files, tracked_files
from pipeline.building.record import read_record
from pipeline.report.problems.disk import GitChangesLineEnds
from tests.support.project import Project, php

SAID = ["git-changes-line-ends"]
FOLDERS = ("modules", "themes", "wp-content", "wp-content/plugins")
ON, INPUT = "[core]\n\tautocrlf = true\n", "[core]\n\tautocrlf = input\n"


@pytest.mark.parametrize(
    ("config", "value"),
    [
        (ON, "true"),
        ("[Core]\nAutoCRLF=TRUE ; as on Windows", "true"),
        ("[core] autocrlf", "true"),
        ('[core]\n autocrlf = "yes"', "true"),
        (INPUT, "input"),
        ("[core]\n autocrlf = false", ""),
        (f"{ON}autocrlf = false", ""),
        (f"{ON}autocrlf = input", "input"),
        ('[core "x"]\nautocrlf = true', ""),
        ("[user]\nautocrlf = true", ""),
        ("# [core]\n; autocrlf = true\nautocrlf = true", ""),
        ("", ""),
    ],
)
def test_a_configuration(config: str, value: str) -> None:
    """The last `core.autocrlf` counts."""
    assert changed_line_ends([ON.replace("true", "false"), config], (), (), FOLDERS) == value
    others = ["*.png binary\n# * -text\n* diff=php"], ["vendor/\n*.log"]
    assert changed_line_ends([config, ""], *others, FOLDERS) == value


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("* -text", ""),
        ("** binary", ""),
        ("modules/** -text", ""),
        ("wp-content/plugins/** -text", ""),
        ("* text=auto eol=lf", ""),
        ("/modules/* text=auto", "true"),
        ("* text eol=crlf", "true"),
    ],
)
def test_what_attributes_say_otherwise(line: str, left: str) -> None:
    """A line about all files, or all modules, decides; but `text` alone leaves it to `core.autocrlf=true`."""
    attributes = [f"*.jpg binary\n{line}\n"]
    assert changed_line_ends([ON], attributes, (), FOLDERS) == left
    assert changed_line_ends([INPUT], attributes, (), FOLDERS) == ""


@pytest.mark.parametrize("line", ["modules", "/modules/", "wp-content/", "themes/*", "*", ".tool-manifest.json"])
def test_what_is_not_in_git(line: str) -> None:
    """What git leaves out it does not change."""
    assert changed_line_ends([ON], (), [f"{line}\n"], FOLDERS) == ""


@pytest.mark.parametrize(("value", "only_crlf"), [("true", False), ("input", True)])
def test_git_does_so(value: str, only_crlf: bool, tmp_path: Path) -> None:
    """What is said of `core.autocrlf` is what git does: of a clone, the files that differ, and the way out."""
    for name, config in (("changed", ()), ("kept", ("modules/** -text",))):
        note = GitChangesLineEnds(("modules",), only_crlf=only_crlf)
        assert all(line in note.help for line in config)
        origin, clone = tmp_path / name, tmp_path / f"{name} clone"
        git(tmp_path, value, "init", "--quiet", str(origin))
        (origin / "modules").mkdir()
        (origin / "modules/lf").write_bytes(b"a\nb\n")
        (origin / "modules/crlf").write_bytes(b"a\r\nb\r\n")
        (origin / ".gitattributes").write_text("\n".join(config))
        git(origin, value, "add", ".")
        git(origin, value, "commit", "--quiet", "--message=Begin")
        git(tmp_path, value, "clone", "--quiet", str(origin), str(clone))
        files = ("lf", "crlf")
        changed = [each for each in files if read(origin, each) != read(clone, each)]
        assert changed == ([] if config else ["crlf"] if only_crlf else ["lf"])


def git(folder: Path, autocrlf: str, *args: str) -> None:
    """Run git with a value of `core.autocrlf`."""
    known = ("-c", f"core.autocrlf={autocrlf}", "-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *known, *args], cwd=folder, check=True, capture_output=True)


def read(root: Path, name: str) -> bytes:
    """What is in a file of the modules."""
    return (root / "modules" / name).read_bytes()


def test_a_project_in_git(project: Project) -> None:
    """A run that changes something says that git changes line ends, and so does the status; another run does not."""
    project.module("m")
    home = {"HOME": str(project.root / "home")}

    def told(*args: str) -> list[str]:
        ran = project.run(*args, "--log-format=json", env=home)
        assert ran.code == 0
        return [each["code"] for each in ran.told("warning")]

    project.write("home/.gitconfig", ON)
    assert [told("create"), told("create"), told("status")] == [SAID, [], SAID]
    project.write(".git/config", "[core]\nautocrlf = false\n")
    assert told("status") == []
    project.write(".git/config", ON)
    project.write("home/.gitconfig", "")
    assert told("status") == SAID
    project.write(".gitattributes", "* -text\n")
    assert told("status") == []


def test_a_worktree(project: Project) -> None:
    """The configuration of a worktree is where its file `.git` leads; without git nothing is said."""
    project.module("m")
    home = {"HOME": str(project.root / "home")}
    (project.root / ".git").rmdir()
    assert project.run("create", "--quiet", env=home).err == ""
    project.write(".git", "gitdir: home/repo/worktrees/w\n")
    project.write("home/repo/worktrees/w/commondir", "../..\n")
    project.write("home/repo/config", ON)
    assert "core.autocrlf" in project.run("status", env=home).err
    project.write("home/repo/info/exclude", "/modules/\n")
    assert project.run("status", env=home).err == ""
    (project.root / "home/repo/info/exclude").unlink()
    project.write("home/repo/config", "x" * 300_000)
    assert project.run("status", env=home).err == ""


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch, project: Project) -> None:
    """Where nobody knows the home of the user, as in some containers, there is no configuration in it."""
    project.module("m")
    assert project.run("create").code == 0
    record = read_record((project.root / ".tool-manifest.json").read_bytes())
    assert record
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    monkeypatch.delenv("HOME")
    assert list(git_notes(project.root, record)) == []


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
    "a `.gitignore` of its own\n  = help: add them, after each update, too: `git add --force modules/m`\n"
)


def test_a_gitignore_of_a_component(project: Project) -> None:
    """What a component's own `.gitignore` hides is said once by runs, and by the status until it is in git."""
    project.archive("drop/m.zip", SHIPPED)
    project.archive("drop/n.zip", {"n/n.php": php("n"), "n/.gitignore": "/nothing\n"})
    home = {"HOME": str(project.root / "home")}
    (project.root / ".git").rmdir()
    git(project.root, "false", "init", "--quiet")

    def told(*args: str) -> str:
        ran = project.run(*args, "drop", env=home)
        assert ran.code == 0
        return ran.err[max(ran.err.find("warning:"), 0) :].partition("done:")[0]

    assert told("create") == LEFT_OUT
    assert "warning" not in told("create")
    project.archive("drop/m.zip", {**SHIPPED, "m/m.php": php("m", "2")})
    assert "warning" not in told("create")
    git(project.root, "false", "add", ".")
    assert told("status") == LEFT_OUT
    git(project.root, "false", "add", "--force", "modules/m/vendor/a.php")
    assert "`git add` leaves out `vendor/b.php` of `modules/m`" in told("status")
    git(project.root, "false", "add", "--force", "modules")
    assert told("status") == ""
    (project.root / ".git/index").unlink()
    project.write(".git/info/exclude", "/modules/\n")
    assert told("status") == ""


def test_a_project_below_the_top_of_a_repository(project: Project) -> None:
    """Where the project is in a folder of a repository, what is in git is looked up there."""
    project.archive("drop/m.zip", SHIPPED)
    (project.root / ".git").rmdir()
    git(project.root, "false", "init", "--quiet")
    (project.root / "shops/one").mkdir(parents=True)
    assert "shops/one/modules/m/.gitignore:2:1: `git add`" in project.run("create", "drop", "--output=shops/one").err
    git(project.root, "false", "add", "--force", ".")
    assert project.run("status", "drop", "--output=shops/one").err == ""
    project.write(".gitignore", "shops/*/modules\n")
    (project.root / ".git/index").unlink()
    assert project.run("status", "drop", "--output=shops/one").err == ""


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
    git(tmp_path, "false", "init", "--quiet")
    (tmp_path / "m").mkdir()
    for name in ("m/a", "m/ab"):
        (tmp_path / name).write_text(name)
    git(tmp_path, "false", "add", "m/ab")
    git(tmp_path, "false", "add", *(("--intent-to-add",) if version == "3" else ()), "m/a")
    git(tmp_path, "false", "update-index", f"--index-version={version}")
    index = (tmp_path / ".git/index").read_bytes()
    assert index[7] == int(version)
    assert tracked_files(index, ("m/a", "m/b")) == frozenset(found)
    assert tracked_files(b"", ("m/a", "m/\udcff")) == frozenset()


def test_an_index_of_long_paths(tmp_path: Path) -> None:
    """A long path is found in an index, too; of one that has its paths in another file, there is no telling."""
    git(tmp_path, "false", "init", "--quiet")
    folder = tmp_path / ("d" * 200)
    folder.mkdir()
    paths = [f"{folder.name}/{number:x}{'f' * 100}" for number in range(40)]
    for path in paths:
        (tmp_path / path).write_text(path)
    git(tmp_path, "false", "add", ".")
    assert tracked_files((tmp_path / ".git/index").read_bytes(), (*paths, "other")) == frozenset(paths)
    git(tmp_path, "false", "update-index", "--split-index")
    assert tracked_files((tmp_path / ".git/index").read_bytes(), ("other",)) == {"other"}


def test_no_file_that_blocks(project: Project) -> None:
    """A FIFO in place of a file of git is taken as empty, and so is a path that no file can have."""
    project.module("m")
    os.mkfifo(project.root / ".gitattributes")
    assert project.run("create").code == 0
    (project.root / ".git").rmdir()
    project.write(".git", "gitdir: a\0b")
    assert project.run("status").code == 0
