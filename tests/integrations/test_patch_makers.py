"""Patches as programs make them: what each writes of one change of a component is applied, as others apply it.

A program that is missing is skipped. `git apply` and GNU patch are the judges, where they take the patch.
"""

import difflib
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from pipeline.building.patching.naming import with_names
from pipeline.building.patching.patch_file import read_patch
from pipeline.building.patching.patches import apply_patch

pytestmark = pytest.mark.integration

Tree = Mapping[str, bytes]
LINES: Final = b"".join(b"line %d\n" % number for number in range(1, 41))
OLD: Final[Tree] = {"a.php": LINES, "inc/b.php": LINES, "gone.txt": b"gone\n"}
CHANGED: Final = LINES.replace(b"line 5\n", b"five\n").replace(b"line 30\n", b"line 30\nmore\n")
EDIT: Final[Tree] = {**OLD, "a.php": CHANGED, "inc/b.php": LINES.replace(b"line 9\n", b"")}
ALL: Final[Tree] = {**{name: text for name, text in EDIT.items() if name != "gone.txt"}, "inc/new.txt": b"new\n"}


def run(folder: Path, *command: str, codes: tuple[int, ...] = (0,), text: bytes = b"") -> bytes:
    """The output of a program; one that is not installed skips the test."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    none = folder.parent / "no configuration"
    variables = {"HOME": str(none), "LC_ALL": "C", "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1", "HGRCPATH": str(none)}
    done = subprocess.run(
        command, cwd=folder, env={"PATH": os.environ["PATH"], **variables}, input=text, capture_output=True, check=False
    )
    assert done.returncode in codes, done
    return done.stdout


def put(folder: Path, tree: Tree) -> None:
    """Make the files of a folder those of a tree."""
    for path in [path for path in folder.rglob("*") if path.is_file() and path.relative_to(folder).parts[0][0] != "."]:
        path.unlink()
    for name, content in tree.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


GIT: Final = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")


def by_git(*words: str, at: str = ".", after: str = "") -> Callable[[Path, Tree], bytes]:
    """What git writes in a repository, of what is staged or, with a command, of a commit."""

    def make(folder: Path, new: Tree) -> bytes:
        home = folder / at
        home.mkdir(parents=True, exist_ok=True)
        run(folder, "git", "init", "--quiet")
        for tree in (OLD, new):
            put(home, tree)
            run(folder, "git", "add", "--all", ".")
            if tree is OLD or after:
                run(folder, *GIT, "commit", "--quiet", "--message", "a change")
        return run(folder, *GIT, *words)

    return make


def by_folders(*command: str, names: tuple[str, str] = ("old", "new")) -> Callable[[Path, Tree], bytes]:
    """What a program writes of two folders."""

    def make(folder: Path, new: Tree) -> bytes:
        for name, tree in zip(names, (OLD, new), strict=True):
            (folder / name).mkdir(parents=True)
            put(folder / name, tree)
        return run(folder, *command, *names, codes=(0, 1))

    return make


def by_svn(*words: str) -> Callable[[Path, Tree], bytes]:
    """What Subversion writes of a working copy, in which a property has changed, too."""

    def make(folder: Path, new: Tree) -> bytes:
        if shutil.which("svnadmin") is None:
            pytest.skip("svnadmin is not installed")
        run(folder, "svnadmin", "create", "repository")
        run(folder, "svn", "checkout", "--quiet", f"file://{folder}/repository", "copy")
        copy = folder / "copy"
        put(copy, OLD)
        run(copy, "svn", "add", "--quiet", "--force", ".")
        run(copy, "svn", "commit", "--quiet", "--message", "old")
        run(copy, "svn", "update", "--quiet")
        put(copy, new)
        run(copy, "svn", "add", "--quiet", "--force", ".")
        for name in OLD.keys() - new.keys():
            run(copy, "svn", "delete", "--quiet", name)
        run(copy, "svn", "propset", "--quiet", "svn:ignore", "x", ".")
        return run(copy, "svn", "diff", *words)

    return make


def by_hg(*words: str) -> Callable[[Path, Tree], bytes]:
    """What Mercurial writes of a working copy."""

    def make(folder: Path, new: Tree) -> bytes:
        run(folder, "hg", "init")
        for tree in (OLD, new):
            put(folder, tree)
            run(folder, "hg", "addremove", "--quiet", "--similarity", "0")
            if tree is OLD:
                run(folder, "hg", "commit", "--user", "a", "--message", "old")
        return run(folder, "hg", *words)

    return make


def by_quilt(*words: str) -> Callable[[Path, Tree], bytes]:
    """What quilt keeps of a change."""

    def make(folder: Path, new: Tree) -> bytes:
        home = folder / "m"
        home.mkdir()
        put(home, OLD)
        run(home, "quilt", "new", "a.patch")
        run(home, "quilt", "add", *sorted({*OLD, *new}))
        put(home, {**new})
        run(home, "quilt", "refresh", *words, codes=(0, 1))
        return (home / "patches/a.patch").read_bytes()

    return make


def by_difflib(_: Path, new: Tree) -> bytes:
    """What Python's standard library writes."""
    texts = list[str]()
    for name in sorted(OLD):
        old, edited = (tree[name].decode().splitlines(keepends=True) for tree in (OLD, new))
        texts += difflib.unified_diff(old, edited, f"a/{name}", f"b/{name}")
    return "".join(texts).encode()


WAYS: Final[dict[str, tuple[Callable[[Path, Tree], bytes], Tree]]] = {
    "git diff": (by_git("diff", "--cached"), ALL),
    "git diff, no prefix": (by_git("-c", "diff.noprefix=true", "diff", "--cached"), ALL),
    "git diff, mnemonic prefix": (by_git("-c", "diff.mnemonicPrefix=true", "diff", "--cached"), ALL),
    "git diff, functions": (by_git("diff", "--cached", "--function-context"), ALL),
    "git diff, no context": (by_git("diff", "--cached", "--unified=0"), ALL),
    "git diff, ten lines": (by_git("diff", "--cached", "--unified=10", "--patience"), ALL),
    "git diff, no renames": (by_git("diff", "--cached", "--no-renames", "--full-index"), ALL),
    "git diff, in a project": (by_git("diff", "--cached", at="shop/modules/m"), ALL),
    "git diff, with a summary": (by_git("diff", "--cached", "--patch-with-stat"), ALL),
    "git format-patch": (by_git("format-patch", "-1", "--stdout", after="commit"), ALL),
    "git show": (by_git("show", after="commit"), ALL),
    "git log": (by_git("log", "-1", "--patch", after="commit"), ALL),
    "git diff of folders": (by_folders("git", "diff", "--no-index"), ALL),
    "git diff of folders, no prefix": (by_folders("git", "diff", "--no-index", "--no-prefix"), ALL),
    "diff -ru": (by_folders("diff", "-ru"), EDIT),
    "diff -ruN": (by_folders("diff", "-ruN"), ALL),
    "diff -Naur": (by_folders("diff", "-Naur", names=("m.orig", "m")), ALL),
    "diff -ruN, deeper": (by_folders("diff", "-ruN", names=("orig/m", "modules/m")), ALL),
    "diff -ruN, from here": (by_folders("diff", "-ruN", names=("./old", "./new")), ALL),
    "diff -U0": (by_folders("diff", "-rN", "-U0"), ALL),
    "busybox diff": (by_folders("busybox", "diff", "-ruN"), ALL),
    "svn diff": (by_svn(), ALL),
    "svn diff --git": (by_svn("--git"), ALL),
    "hg diff": (by_hg("diff"), ALL),
    "hg diff --git": (by_hg("diff", "--git"), ALL),
    "quilt": (by_quilt(), ALL),
    "quilt -p ab": (by_quilt("-p", "ab"), ALL),
    "difflib": (by_difflib, EDIT),
}
"""How a patch is made, and the tree that it is of."""


def applied(patch: bytes) -> Tree:
    """What the tool makes of the old tree."""
    named = with_names(read_patch(patch, "modules/m"), OLD, OLD)
    assert named.wrong is None, patch
    done = apply_patch(named, OLD)
    assert (done.misplaced, done.skipped) == ((), ()), patch
    both = {**OLD, **done.files}
    return {name: content for name, content in both.items() if content is not None}


def by_others(patch: bytes, folder: Path) -> list[Tree]:
    """What `git apply` and GNU patch make of it, with the number of folders that each takes it with."""
    trees = list[Tree]()
    for program in (("git", "apply", "--unidiff-zero"), ("patch", "--force", "--no-backup-if-mismatch", "--quiet")):
        for taken in range(3):
            home = folder / f"{program[0]}-{taken}"
            home.mkdir(parents=True)
            put(home, OLD)
            try:
                run(home, *program, f"-p{taken}", text=patch)
            except AssertionError:
                continue
            trees.append(
                {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*") if path.is_file()}
            )
            break
    return trees


@pytest.mark.parametrize("way", WAYS)
def test_a_patch_is_applied_as_it_is_made(way: str, tmp_path: Path) -> None:
    """Files are changed, added and deleted as the program that made the patch meant it, and as a judge does it.

    The judges leave a file empty that Subversion has deleted.
    """
    make, new = WAYS[way]
    (tmp_path / "made").mkdir()
    patch = make(tmp_path / "made", new)
    assert applied(patch) == new
    judged = by_others(patch, tmp_path / "judges")
    assert not judged or new in [{name: text for name, text in tree.items() if text} for tree in judged]
