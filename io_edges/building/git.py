"""Git: ask git which built files the repository of a project, if there is one, leaves out.

A repository comes from anywhere, and its configuration can name programs: git runs none of them here. Where it is
missing, refuses the repository or takes long, nothing is said.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final

from toolz import concat, partition

from pipeline.building.record import Record
from pipeline.report.diagnostics.disk import GitLeavesOut

_COMMAND: Final = ("git", "--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null")
_ENVIRONMENT: Final = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
"""No lock of the index, and no remote: of a partial clone, git would fetch what is missing by any program."""
_SECONDS: Final = 2.0


def git_warnings(project: PurePath, record: Record) -> Iterator[GitLeavesOut]:
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
            yield GitLeavesOut(folder.removeprefix(below).rstrip("/"), files, line, file.removeprefix(below))


def _hidden(top: PurePath, paths: Iterable[str]) -> dict[str, tuple[str, int]]:
    """The paths in a repository that git leaves out, each with the file and the line of the pattern."""
    command = ("check-ignore", "--verbose", "-z", "--stdin")
    matches = partition(4, _git(top, *command, paths=paths).split("\0"))
    return {path: (file, int(line)) for file, line, pattern, path in matches if not pattern.startswith("!")}


def _git(top: PurePath, *command: str, paths: Iterable[str]) -> str:
    """The output of a git command in a repository; empty if it fails."""
    import subprocess  # most runs need none

    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or "_CONFIG" in name}
    try:
        ran = subprocess.run(
            (*_COMMAND, *command),
            cwd=top,
            env={**own, **_ENVIRONMENT},
            input="".join(f"{path}\0" for path in paths).encode(errors="surrogateescape"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout.decode(errors="surrogateescape") if ran.returncode <= 1 else ""
