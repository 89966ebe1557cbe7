"""Git: ask git what the repository of a project, if there is one, changes or leaves out.

A repository comes from anywhere, and its configuration can name programs: git runs none of them here. Where it is
missing, refuses the repository or takes long, nothing is said.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Final, NamedTuple

from toolz import partition

from pipeline.building.record import Record
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import GitChangesLineEnds, GitLeavesOut

_COMMAND: Final = ("git", "--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null")
_ENVIRONMENT: Final = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
"""No lock of the index, and no remote: of a partial clone, git would fetch what is missing by any program."""
_SECONDS: Final = 2.0
_OFF: Final = {"", "false", "no", "off", "0"}


class _Hiding(NamedTuple):
    """The line that hides a file: that of a file of patterns, by its path in the repository."""

    file: str
    line: int


def git_notes(project: PurePath, record: Record) -> Iterator[WarningDiagnostic]:
    """Note built files that git would change or leave out."""
    top = next((folder for folder in (project, *project.parents) if os.path.lexists(folder / ".git")), None)
    if top and record.components:
        below = "" if project == top else f"{project.relative_to(top).as_posix()}/"
        yield from _line_end_notes(top, below, record)
        yield from _ignore_notes(top, below, record)


def _line_end_notes(top: PurePath, below: str, record: Record) -> Iterator[GitChangesLineEnds]:
    """A note if git changes line ends of a component, unless it leaves that out."""
    if _git(top, "config", "core.autocrlf").strip().lower() in _OFF:
        return
    built = [f"{below}{path}/any" for path in record.components]
    said = partition(3, _git(top, "check-attr", "-z", "--stdin", "text", "eol", paths=built).split("\0"))
    settled = {path for path, name, value in said if (name, value) in {("text", "unset"), ("eol", "lf")}}
    if {*built} - settled - _hidden(top, built).keys():
        yield GitChangesLineEnds(record.places.modules, record.places.themes)


def _ignore_notes(top: PurePath, below: str, record: Record) -> Iterator[GitLeavesOut]:
    """A note for each component that came with a `.gitignore` by which files of it are not added to git."""
    named = {
        f"{below}{path}/": [f"{below}{path}/{name}" for name in each.files]
        for path, each in record.components.items()
        if any(f"/{name}".endswith("/.gitignore") for name in each.files)
    }
    hidden = _hidden(top, [name for names in named.values() for name in names]) if named else {}
    for folder, names in named.items():
        if left := [name for name in names if name in hidden and hidden[name].file.startswith(folder)]:
            files = tuple(name.removeprefix(folder) for name in left)
            file, line = hidden[left[0]]
            yield GitLeavesOut(folder.removeprefix(below).rstrip("/"), files, line, file.removeprefix(below))


def _hidden(top: PurePath, paths: Iterable[str]) -> dict[str, _Hiding]:
    """Of paths in a repository those that git leaves out and does not have yet."""
    said = _git(top, "check-ignore", "--verbose", "-z", "--stdin", paths=paths)
    matches = partition(4, said.split("\0"))
    return {path: _Hiding(file, int(line)) for file, line, pattern, path in matches if not pattern.startswith("!")}


def _git(top: PurePath, *command: str, paths: Iterable[str] = ()) -> str:
    """What a command of git prints in a repository; empty if it fails."""
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
