"""Git: merge and compare texts, and ask which files the repository of a folder, if there is one, leaves out.

Texts are merged and compared outside any repository, without anybody's configuration, in files that have numbers for
names. A repository comes from anywhere, and its configuration can name programs: git runs none of them here. Where it
is missing, refuses the repository or takes long, nothing is said of it.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from io_edges.system.stop import Stop
from pipeline.building.merging.lines import LINK, Git, Version
from pipeline.report.diagnostics.scripts import ScriptRuntimeUnavailable

if TYPE_CHECKING:
    from subprocess import CompletedProcess
    from tempfile import TemporaryDirectory

_COMMAND: Final = ("git", "--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null")
_ENVIRONMENT: Final = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
"""No lock of the index, and no remote: of a partial clone, git would fetch what is missing by any program."""
_SECONDS: Final = 2.0
_DIFF: Final = (
    *("diff", "--no-index", "--no-color", "--no-renames", "--no-ext-diff", "--no-textconv", "--text", "--no-prefix"),
    *("--diff-algorithm=myers", "--indent-heuristic", "--inter-hunk-context=0", "--abbrev=10"),
)
_TEXTS: Final = ("mine", "base", "theirs")


def _merge(base: bytes, mine: bytes, theirs: bytes, mark: int) -> bytes:
    """Merge two sides of a base, with marks where they touch. Raises `Stop` without git, and `OSError`."""
    with _folder() as folder:
        for name, text in zip(_TEXTS, (mine, base, theirs), strict=True):
            Path(folder, name).write_bytes(text)
        return _outside(folder, "merge-file", "--stdout", f"--marker-size={mark}", *_TEXTS)


def _diff(pairs: Sequence[tuple[Version | None, Version | None]], context: int) -> bytes:
    """The diff of pairs of files, named by their numbers. Raises `Stop` without git, and `OSError`."""
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
    """A folder of its own, outside the project, for the time of one command."""
    from tempfile import TemporaryDirectory  # most runs need none

    return TemporaryDirectory(prefix="tool-")


def _outside(folder: str, *command: str) -> bytes:
    """The output of a git command in a folder that is in no repository, which compares or merges texts."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        **{"LC_ALL": "C", "HOME": folder, "XDG_CONFIG_HOME": folder, "GIT_ATTR_NOSYSTEM": "1"},
        **{"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_DIR": f"{folder}/none"},
    }
    try:
        ran = _git(PurePath(folder), *command, environment=environment)
    except (FileNotFoundError, PermissionError) as error:
        raise Stop(ScriptRuntimeUnavailable()) from error
    if ran.returncode not in range(128):  # how many conflicts there are, or whether anything differs
        raise Stop(ScriptRuntimeUnavailable(output=ran.stderr.decode(errors="backslashreplace").strip()))
    return ran.stdout


def _git(
    folder: PurePath, *command: str, environment: Mapping[str, str], text: bytes = b"", seconds: float | None = None
) -> "CompletedProcess[bytes]":
    import subprocess  # most runs need none

    words = (*_COMMAND, *command)
    return subprocess.run(
        words, cwd=folder, env=environment, input=text, capture_output=True, timeout=seconds, check=False
    )


GIT: Final = Git(merge=_merge, diff=_diff)
"""What the pipeline asks of git."""


def ignored(folder: PurePath, paths: Iterable[str]) -> set[str]:
    """The paths below a folder that git leaves out; none without a repository, or if git fails or takes long."""
    from subprocess import SubprocessError  # most runs need none

    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or "_CONFIG" in name}
    text = "".join(f"{path}\0" for path in paths).encode(errors="surrogateescape")
    command = ("check-ignore", "-z", "--stdin")
    try:
        ran = _git(folder, *command, environment={**own, **_ENVIRONMENT}, text=text, seconds=_SECONDS)
    except (OSError, SubprocessError):
        return set()
    found = ran.stdout.decode(errors="surrogateescape") if ran.returncode <= 1 else ""
    return {*found.split("\0")} - {""}
