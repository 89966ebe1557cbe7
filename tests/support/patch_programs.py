"""Programs that make patches: how each is run over one change of a component.

A program that is missing skips the test. Those of npm are in a folder of their own, as
`make integrations` installs them.
"""

import difflib
import io
import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

import pytest

Tree: TypeAlias = Mapping[str, bytes]
Maker: TypeAlias = Callable[[Path, Tree], bytes]
LINES: Final = b"".join(b"line %d\n" % number for number in range(1, 41))
OLD: Final[Tree] = {"a.php": LINES, "inc/b.php": LINES, "gone.txt": b"gone\n"}
CHANGED: Final = LINES.replace(b"line 5\n", b"five\n").replace(b"line 30\n", b"line 30\nmore\n")
EDIT: Final[Tree] = {**OLD, "a.php": CHANGED, "inc/b.php": LINES.replace(b"line 9\n", b"")}
ALL: Final[Tree] = {
    **{name: text for name, text in EDIT.items() if name != "gone.txt"},
    "inc/new.txt": b"new\n",
}
PACKAGES: Final = Path(__file__).parents[2] / ".venv/patches/node_modules"
_MANIFEST: Final = b'{"name": "m", "version": "1.0.0"}\n'


def run(folder: Path, *command: str, codes: tuple[int, ...] = (0,), text: bytes = b"") -> bytes:
    """The output of a program; one that is not installed skips the test. Of two programs `yarn`, it
    is the old one.
    """
    path = f"{PACKAGES / 'yarn/bin'}:{PACKAGES / '.bin'}:{os.environ['PATH']}"
    if shutil.which(command[0], path=path) is None:
        pytest.skip(f"{command[0]} is not installed")
    none = folder.parent / "no configuration"
    variables = {
        "HOME": str(none),
        "LC_ALL": "C",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
        "HGRCPATH": str(none),
    }
    variables |= {
        "USER": "a",
        "EMAIL": "a <a@example.org>",
        "BRZ_HOME": str(none),
        "CVSROOT": str(folder / "../root"),
    }
    variables |= {
        "YARN_ENABLE_TELEMETRY": "0",
        "YARN_ENABLE_NETWORK": "0",
        "YARN_ENABLE_GLOBAL_CACHE": "0",
    }
    variables |= {"npm_config_offline": "true", "npm_config_update_notifier": "false"}
    library = os.environ.get("LD_LIBRARY_PATH", "")
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": path, "LD_LIBRARY_PATH": library, **variables},
        input=text,
        capture_output=True,
        check=False,
    )
    assert done.returncode in codes, done
    return done.stdout


def put(folder: Path, tree: Tree) -> None:
    """Make the files of a folder those of a tree."""
    for path in [
        path
        for path in folder.rglob("*")
        if path.is_file() and not _is_kept(path.relative_to(folder))
    ]:
        path.unlink()
    for name, content in tree.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _is_kept(path: Path) -> bool:
    """Whether a file is one of version control."""
    return path.parts[0].startswith((".", "_darcs")) or "CVS" in path.parts


GIT: Final = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")


def by_git(*words: str, at: str = ".", after: str = "") -> Maker:
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


def by_folders(*command: str, names: tuple[str, str] = ("old", "new")) -> Maker:
    """What a program writes of two folders."""

    def make(folder: Path, new: Tree) -> bytes:
        for name, tree in zip(names, (OLD, new), strict=True):
            (folder / name).mkdir(parents=True)
            put(folder / name, tree)
        return run(folder, *command, *names, codes=(0, 1))

    return make


def by_svn(*words: str) -> Maker:
    """What Subversion writes of a working copy, in which a property has changed, too."""

    def make(folder: Path, new: Tree) -> bytes:
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


def by_history(program: str, *words: str) -> Maker:
    """What Mercurial, Breezy, Fossil or darcs writes of a working copy."""
    begin, add, commit = _HISTORIES[program]

    def make(folder: Path, new: Tree) -> bytes:
        home = folder / "copy"
        home.mkdir()
        for command in begin:
            run(home, program, *command)
        put(home, OLD)
        run(home, program, *add)
        run(home, program, *commit)
        put(home, new)
        run(home, program, *add)
        return run(home, program, *words, codes=(0, 1))

    return make


_Command: TypeAlias = tuple[str, ...]
_HISTORIES: Final[dict[str, tuple[tuple[_Command, ...], _Command, _Command]]] = {
    "hg": (
        (("init",),),
        ("addremove", "--quiet", "--similarity", "0"),
        ("commit", "--user", "a", "--message", "old"),
    ),
    "brz": ((("init", "--quiet"),), ("add", "--quiet"), ("commit", "--quiet", "--message", "old")),
    "fossil": (
        (("init", "--admin-user", "a", "../all.fossil"), ("open", "--force", "../all.fossil")),
        ("addremove",),
        ("commit", "--comment", "old", "--no-warnings", "--no-prompt"),
    ),
    "darcs": (
        (("init",),),
        ("add", "--recursive", "--quiet", "."),
        ("record", "--all", "--name", "old", "--author", "a"),
    ),
}
"""How a program begins a history, takes up what files there are, and commits them."""


def by_cvs(folder: Path, new: Tree) -> bytes:
    """What CVS writes of a working copy."""
    run(folder, "cvs", "init")
    (folder / "m").mkdir()
    put(folder / "m", OLD)
    run(
        folder / "m",
        "cvs",
        "-d",
        str(folder / "../root"),
        "-Q",
        "import",
        "-m",
        "old",
        "m",
        "vendor",
        "release",
    )
    shutil.rmtree(folder / "m")
    run(folder, "cvs", "-Q", "checkout", "m")
    put(folder / "m", new)
    for name in new.keys() - OLD.keys():
        run(folder / "m", "cvs", "-d", str(folder / "../root"), "-Q", "add", name)
    for name in OLD.keys() - new.keys():
        run(folder / "m", "cvs", "-d", str(folder / "../root"), "-Q", "remove", name)
    return run(
        folder / "m", "cvs", "-d", str(folder / "../root"), "-Q", "diff", "-uN", codes=(0, 1)
    )


def by_quilt(*words: str) -> Maker:
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


def by_filter(*command: str) -> Maker:
    """What a program makes of a patch of git."""
    return lambda folder, new: run(folder, *command, text=by_git("diff", "--cached")(folder, new))


def by_difflib(_: Path, new: Tree) -> bytes:
    """What Python's standard library writes."""
    texts = list[str]()
    for name in sorted(OLD):
        old, edited = (tree[name].decode().splitlines(keepends=True) for tree in (OLD, new))
        texts += difflib.unified_diff(old, edited, f"a/{name}", f"b/{name}")
    return "".join(texts).encode()


def by_jsdiff(write: str) -> Maker:
    """What jsdiff writes, given how of a file's `name` and its `old` and `now` texts, which a
    file may lack.
    """

    def make(folder: Path, new: Tree) -> bytes:
        if not (PACKAGES / "diff").is_dir():
            pytest.skip("diff is not installed")
        names = sorted({*OLD, *new})
        texts = [
            [name, *(tree[name].decode() if name in tree else None for tree in (OLD, new))]
            for name in names
        ]
        changed = [each for each in texts if each[1] != each[2]]
        script = (
            f"const diff = require({str(PACKAGES / 'diff')!r})\n"
            f"const write = (name, old, now) => {write}\n"
            f"process.stdout.write({json.dumps(changed)}.map(each => write(...each)).join(''))\n"
        )
        return run(folder, "node", "--eval", script)

    return make


def _package(folder: Path, texts: Tree) -> Path:
    """A project that has the old component as a package."""
    shop = folder / "shop"
    (shop / "node_modules/m").mkdir(parents=True)
    (shop / "package.json").write_text(
        '{"name": "shop", "dependencies": {"m": "file:./m.tgz"}}', encoding="utf-8"
    )
    with tarfile.open(shop / "m.tgz", "w:gz") as packed:
        for name, content in {**OLD, "package.json": _MANIFEST}.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
    put(shop / "node_modules/m", {**texts, "package.json": _MANIFEST})
    return shop


def by_patch_package(lock: str, text: str) -> Maker:
    """What patch-package writes in a project that npm or yarn has installed, as its
    lock file says.
    """

    def make(folder: Path, new: Tree) -> bytes:
        shop = _package(folder, new)
        (shop / lock).write_text(text.replace("SHOP", str(shop)), encoding="utf-8")
        run(shop, "patch-package", "m")
        return (shop / "patches/m+1.0.0.patch").read_bytes()

    return make


def by_yarn(folder: Path, new: Tree) -> bytes:
    """What `yarn patch` writes."""
    if not (PACKAGES / "@yarnpkg/cli-dist").is_dir():
        pytest.skip("yarn is not installed")
    shop = _package(folder, new)
    (shop / "yarn.lock").touch()
    (shop / ".yarnrc.yml").write_text("nodeLinker: node-modules\n", encoding="utf-8")
    yarn = ("node", str(PACKAGES / "@yarnpkg/cli-dist/bin/yarn.js"))
    run(shop, *yarn, "install")
    copy = json.loads(run(shop, *yarn, "patch", "m", "--json").splitlines()[-1])["path"]
    put(Path(copy), {**new, "package.json": _MANIFEST})
    return run(shop, *yarn, "patch-commit", copy)
