"""Git: what the tool asks it, whatever a repository or a configuration says
(`docs/building.md`).
"""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.privileges import give_away
from tests.support.project import Project, php


def git(folder: Path, *args: str) -> None:
    """Run git."""
    subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True)


def repository(project: Project) -> None:
    """Make the project a repository, whose user has no configuration."""
    shutil.rmtree(project.root / ".git")
    git(project.root, "init", "--quiet")


NAMED = ("-c", "user.name=x", "-c", "user.email=x@example.org")
CONFIG = '{"schema": 1}'
RUNS = (
    "core.fsmonitor",
    "core.pager",
    "pager.check-ignore",
    "core.sshCommand",
    "core.editor",
    "core.askPass",
)


def test_a_hostile_repository_runs_nothing(project: Project) -> None:
    """No program that a repository names is run, not even to fetch missing objects, nor from a
    hook.
    """
    project.write("drop/tool.config.json", CONFIG)
    repository(project)
    trap = shlex.quote(str(project.write("trap", f"#!/bin/sh\necho >> {project.root}/sprung\n")))
    (project.root / "trap").chmod(0o755)
    project.write(".gitignore", "/nothing\n")
    git(project.root, "add", ".gitignore", "drop")
    git(project.root, *NAMED, "commit", "--message=x")
    for key in (
        *RUNS,
        "filter.x.clean",
        "filter.x.smudge",
        "remote.x.uploadpack",
        "alias.check-ignore",
    ):
        git(project.root, "config", key, f"!{trap}" if key.startswith("alias") else trap)
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "core.autocrlf": "true",
        "core.sparseCheckout": "true",
        "extensions.partialClone": "x",
        "remote.x.url": f"ext::{trap}",
        "remote.x.promisor": "true",
        "protocol.ext.allow": "always",
        "core.hooksPath": str(project.root / "hooks"),
    }.items():
        git(project.root, "config", key, value)
    git(project.root, "-c", "core.fsmonitor=", "update-index", "--skip-worktree", ".gitignore")
    (project.root / ".gitignore").unlink()
    for blob in (project.root / ".git/objects").glob("??/*"):
        blob.unlink()
    project.write(".gitattributes", "* filter=x\n")
    for hook in ("post-index-change", "fsmonitor-watchman"):
        (project.root / "hooks").mkdir(exist_ok=True)
        shutil.copy(project.root / "trap", project.root / "hooks" / hook)
    (project.root / "sprung").unlink(missing_ok=True)
    assert project.run("config", "validate", ".").code == 0
    assert not (project.root / "sprung").exists()


@pytest.mark.parametrize("how", ["no git", "another's", "a FIFO", "no repository", "a NUL"])
def test_where_git_says_nothing(project: Project, how: str) -> None:
    """If git is missing, refuses the repository or hangs, a folder is searched as if it were in
    none, and a warning says so.
    """
    project.write("out/tool.config.json", CONFIG)
    repository(project)
    project.write(".gitignore", "out\n")
    env: dict[str, str] = {}
    if how == "no git":
        env = {"PATH": "/nowhere"}
    elif how == "another's":
        env = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
        give_away(project.root / ".git")
    elif how == "a FIFO":
        (project.root / ".git/info/exclude").unlink(missing_ok=True)
        os.mkfifo(project.root / ".git/info/exclude")
    else:
        shutil.rmtree(project.root / ".git")
        project.write(".git", "gitdir: nowhere" if how == "no repository" else "gitdir: a\0b")
    ran = project.run("config", "validate", ".", env=env)
    assert (ran.code, "git could not say" in ran.err) == (0, True)


TEXT = "".join(f"{number}\n" for number in range(1, 10))


def test_texts_are_compared_without_anybodys_configuration(project: Project) -> None:
    """Diffs and merges are the same whatever the user, the system or a repository configures, and
    run no other program.
    """
    home = project.root / "home"
    trap = project.write("trap", f"#!/bin/sh\necho >> {project.root}/sprung\n")
    trap.chmod(0o755)
    project.write("home/.gitattributes", "* -diff binary merge=x filter=x\n")
    configuration = {
        **{
            "core.attributesFile": home / ".gitattributes",
            "core.autocrlf": "true",
            "core.hooksPath": home,
        },
        **{
            "diff.external": trap,
            "diff.noprefix": "true",
            "diff.context": "0",
            "diff.algorithm": "patience",
        },
        **{
            "color.ui": "always",
            "merge.conflictStyle": "diff3",
            "core.pager": trap,
            "diff.mnemonicPrefix": "true",
        },
    }
    project.archive("drop/m.zip", {"m/m.php": php("m"), "m/a.txt": TEXT})
    assert project.create("drop").code == 0
    project.write("modules/m/a.txt", TEXT.replace("2\n", "mine\n"))
    project.archive(
        "drop/m.zip", {"m/m.php": php("m", "2"), "m/a.txt": TEXT.replace("8\n", "theirs\r\n")}
    )
    plain = project.run("diff", "drop", "--merge").out
    for key, value in configuration.items():
        git(project.root, "config", "--file", str(home / ".gitconfig"), key, str(value))
    shutil.copy(home / ".gitconfig", project.root / ".git/config")
    env = {
        "HOME": str(home),
        "TMPDIR": str(project.root),
        "GIT_EXTERNAL_DIFF": str(trap),
        "GIT_DIFF_OPTS": "-u0",
    }
    assert project.run("diff", "drop", "--merge", env=env).out == plain
    assert plain.count("\n-") - plain.count("\n--- ") == 2
    assert project.run("create", "drop", "--merge", env=env).code == 0
    assert (
        project.root / "modules/m/a.txt"
    ).read_bytes() == b"1\nmine\n3\n4\n5\n6\n7\ntheirs\r\n9\n"
    assert not (project.root / "sprung").exists()
    assert [path.name for path in project.root.glob("tool-*")] == []


@pytest.mark.parametrize("broken", [False, True], ids=["none", "broken"])
def test_without_git_nothing_is_merged_or_compared(project: Project, broken: bool) -> None:
    """A build, and a merge of nothing, need no git; any other merge or diff ends with 69 if git is
    missing or fails.
    """
    programs = project.root / "programs"
    programs.mkdir()
    if broken:
        project.write(
            "programs/git", "#!/bin/sh\necho fatal: a library is missing >&2\nexit 128\n"
        ).chmod(0o755)
    env = {"PATH": str(programs)}
    project.archive("drop/m.zip", {"m/m.php": php("m"), "m/a.txt": TEXT})
    assert project.create("drop", "--merge", env=env).code == 0
    assert project.run("diff", "drop", env=env).code == 0
    project.write("modules/m/a.txt", TEXT.replace("2\n", "mine\n"))
    project.archive(
        "drop/m.zip", {"m/m.php": php("m", "2"), "m/a.txt": TEXT.replace("8\n", "theirs\n")}
    )
    why = "does not work: fatal: a library is missing" if broken else "is not installed"
    for command in (("create", "drop", "--merge"), ("diff", "drop", "--mine"), ("patch", "drop")):
        ran = project.run(*command, env=env)
        assert ran.code == 69
        assert f"merging and comparing texts needs git, which {why}" in ran.err
    assert project.create("drop", "--keep-mine=modules/m/a.txt", env=env).code == 0
