"""Git: merge and compare texts, and ask which files the repository of a project ignores.

Texts are merged and compared outside any repository, without the user's configuration, in files
with numbers for names. A repository may come from anywhere, and its configuration can name
programs; git runs none of them here. If git is missing, refuses the repository or takes too long,
ignored files are not reported.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from returns.result import Failure, Result, Success

from io_edges.system.stop import Stop, cause_of
from pipeline.building.merging.lines import LINK, Git, Version
from pipeline.report.diagnostics.scripts import ScriptRuntimeUnavailable

if TYPE_CHECKING:
    from subprocess import CompletedProcess
    from tempfile import TemporaryDirectory

_COMMAND: Final = ("git", "--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null")
_ENVIRONMENT: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
}
"""Take no lock of the index, and use no remote: in a partial clone, git would fetch objects, by
any program.
"""
_SECONDS: Final = 2.0
_DIFF: Final = (
    *(
        "diff",
        "--no-index",
        "--no-color",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--text",
        "--no-prefix",
    ),
    *("--diff-algorithm=myers", "--indent-heuristic", "--inter-hunk-context=0", "--abbrev=10"),
)
_TEXTS: Final = ("mine", "base", "theirs")


def _merge(base: bytes, mine: bytes, theirs: bytes, mark: int) -> bytes:
    """Merge two sides of a base, with conflict markers where they touch. Raises `Stop` if
    git is missing.
    """
    with _folder() as folder:
        for name, text in zip(_TEXTS, (mine, base, theirs), strict=True):
            Path(folder, name).write_bytes(text)
        return _outside(folder, "merge-file", "--stdout", f"--marker-size={mark}", *_TEXTS)


def _merge_trees(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """Merge two sides of a base as `git rebase` does; `None` if git is too old."""
    with _folder() as folder:
        for name in ("objects", "refs"):
            Path(folder, name).mkdir()
        Path(folder, "HEAD").write_text("ref: refs/heads/mine\n", encoding="utf-8")
        _outside(
            folder, "fast-import", "--quiet", text=_commits(base, mine, theirs), repository=folder
        )
        merging = ("merge-tree", "--write-tree", "refs/heads/mine", "refs/heads/theirs")
        tree = (
            _outside(folder, *merging, repository=folder, too_old=True).partition(b"\n")[0].decode()
        )
        if not tree:
            return None
        return _outside(folder, "cat-file", "blob", f"{tree}:f", repository=folder)


def _commits(*texts: bytes) -> bytes:
    """A stream for `git fast-import` with a commit for each text: the base, and a branch
    for each side.
    """
    stream = b""
    for number, (name, text) in enumerate(zip(("base", "mine", "theirs"), texts, strict=True), 1):
        stream += b"commit refs/heads/%b\nmark :%d\ncommitter c <c> 0 +0000\ndata 0\n" % (
            name.encode(),
            number,
        )
        if number > 1:
            stream += b"from :1\n"
        stream += b"M 100644 inline f\ndata %d\n%b\n" % (len(text), text)
    return stream


def _diff(pairs: Sequence[tuple[Version | None, Version | None]], context: int) -> bytes:
    """The diff of pairs of files, which are named by their numbers. Raises `Stop` if
    git is missing.
    """
    if not any(map(any, pairs)):
        return b""
    with _folder() as folder:
        for at, side in enumerate("ab"):
            Path(folder, side).mkdir()
            for number, pair in enumerate(pairs):
                _put(Path(folder, side, str(number)), pair[at])
        return _outside(folder, *_DIFF, f"--unified={context}", "a", "b")


def _put(path: Path, version: Version | None) -> None:
    if version is None:
        return
    if version.mode == LINK:
        path.symlink_to(os.fsdecode(version.content))
    else:
        path.write_bytes(version.content)
        path.chmod(version.mode & 0o777)


def _folder() -> "TemporaryDirectory[str]":
    """A temporary folder outside the project, for one command."""
    from tempfile import TemporaryDirectory  # most runs need none

    return TemporaryDirectory(prefix="tool-")


def _outside(
    folder: str, *command: str, text: bytes = b"", repository: str = "", too_old: bool = False
) -> bytes:
    """The output of a git command that compares or merges texts, run in a folder outside
    any repository.

    With `too_old`, git may be too old for the command; then the output is empty.
    """
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        **{"LC_ALL": "C", "HOME": folder, "XDG_CONFIG_HOME": folder, "GIT_ATTR_NOSYSTEM": "1"},
        **{
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_DIR": repository or f"{folder}/none",
        },
    }
    try:
        ran = _git(PurePath(folder), *command, environment=environment, text=text)
    except (FileNotFoundError, PermissionError) as error:
        raise Stop(ScriptRuntimeUnavailable()) from error
    if too_old and ran.returncode not in {0, 1}:
        return b""
    if ran.returncode not in range(128):  # the number of conflicts, or whether anything differs
        raise Stop(
            ScriptRuntimeUnavailable(output=ran.stderr.decode(errors="backslashreplace").strip())
        )
    return ran.stdout


def _git(
    folder: PurePath,
    *command: str,
    environment: Mapping[str, str],
    text: bytes = b"",
    seconds: float | None = None,
) -> "CompletedProcess[bytes]":
    import subprocess  # most runs need none

    words = (*_COMMAND, *command)
    return subprocess.run(
        words,
        cwd=folder,
        env=environment,
        input=text,
        capture_output=True,
        timeout=seconds,
        check=False,
    )


GIT: Final = Git(merge=_merge, merge_trees=_merge_trees, diff=_diff)
"""The functions of git that the pipeline uses."""


def ignored(folder: PurePath, paths: Iterable[str]) -> Result[set[str], str]:
    """The paths below a folder that git ignores, or why git could not tell."""
    from subprocess import SubprocessError  # most runs need none

    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or "_CONFIG" in name
    }
    text = "".join(f"{path}\0" for path in paths).encode(errors="surrogateescape")
    command = ("check-ignore", "-z", "--stdin")
    try:
        ran = _git(
            folder, *command, environment={**own, **_ENVIRONMENT}, text=text, seconds=_SECONDS
        )
    except OSError as error:
        return Failure(f"git cannot be run: {cause_of(error)}")
    except SubprocessError:
        return Failure(f"git took more than {_SECONDS:.0f} seconds")
    if ran.returncode not in {0, 1}:
        first = ran.stderr.decode(errors="backslashreplace").partition("\n")[0]
        return Failure(first.removeprefix("fatal: ") or f"git ended with {ran.returncode}")
    return Success({*ran.stdout.decode(errors="surrogateescape").split("\0")} - {""})
