"""Git: merge and compare texts, and ask which built files the repository of a project, if there is one, leaves out.

Texts are merged and compared outside any repository, without anybody's configuration, in files that have numbers for
names. A repository comes from anywhere, and its configuration can name programs: git runs none of them here. Where it
is missing, refuses the repository or takes long, nothing is said of it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from toolz import concat, partition

from io_edges.system.stop import Stop
from pipeline.building.merging.lines import LINK, Git, Version
from pipeline.building.stores.record import Record
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import git_leaves_out
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
        raise Stop(ScriptRuntimeUnavailable(said=ran.stderr.decode(errors="backslashreplace").strip()))
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


def git_warnings(project: PurePath, record: Record) -> Iterator[WarningDiagnostic]:
    """Note the components that came with a `.gitignore` that hides files of theirs which git does not have yet."""
    top = next((folder for folder in (project, *project.parents) if os.path.lexists(folder / ".git")), None)
    below = "" if top in {project, None} else f"{project.relative_to(str(top)).as_posix()}/"
    named = {
        f"{below}{path}/": [f"{below}{path}/{name}" for name in each.files]
        for path, each in record.components.items()
        if any(f"/{name}".endswith("/.gitignore") for name in each.files)
    }
    hidden = _hidden(top, concat(named.values())) if top and named else {}
    for folder, names in named.items():
        if left := [name for name in names if name in hidden and hidden[name][0].startswith(folder)]:
            files = tuple(name.removeprefix(folder) for name in left)
            file, line = hidden[left[0]]
            yield git_leaves_out(folder.removeprefix(below).rstrip("/"), files, line, file.removeprefix(below))


def ignored(folder: PurePath, paths: Iterable[str]) -> set[str]:
    """The paths, relative to a folder, that git leaves out; none if it is in no repository."""
    return {*_hidden(folder, paths)}


def _hidden(top: PurePath, paths: Iterable[str]) -> dict[str, tuple[str, int]]:
    """The paths in a repository that git leaves out, each with the file and the line of the pattern; none if it fails
    or takes long.
    """
    from subprocess import SubprocessError  # most runs need none

    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or "_CONFIG" in name}
    text = "".join(f"{path}\0" for path in paths).encode(errors="surrogateescape")
    command = ("check-ignore", "--verbose", "-z", "--stdin")
    try:
        ran = _git(top, *command, environment={**own, **_ENVIRONMENT}, text=text, seconds=_SECONDS)
    except (OSError, SubprocessError):
        return {}
    said = ran.stdout.decode(errors="surrogateescape") if ran.returncode <= 1 else ""
    matches = partition(4, said.split("\0"))
    return {path: (file, int(line)) for file, line, pattern, path in matches if not pattern.startswith("!")}
