"""Legacy: rewrite the 0.x file in the version 1 shape, with its bytes kept in a backup (`docs/legacy.md`)."""

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Final

from io_edges.disk import real_disk
from io_edges.report.console import Console, print_line
from io_edges.system.atomic import backed_up, replace_file
from io_edges.system.stop import Stop, require
from pipeline.config.disk import Disk
from pipeline.config.tree import Candidate, Document
from pipeline.init.lift import Lifted, lift
from pipeline.locate import LEGACY, Located, find_legacy, locate
from pipeline.read import read
from pipeline.report.escape import escape
from pipeline.report.notes import LegacyKept, LegacyLifted, LegacyUnread
from pipeline.report.outcome import value_of
from pipeline.report.paths import shown
from pipeline.report.problems import FileSystemProblem, Problem
from pipeline.resolve import Request

_NOTHING: Final = "there is nothing to migrate"
_UNLIFTED: Final = {
    "no object": "is not an object, and is ignored",
    "no 0.x shape": "does not have the 0.x shape",
    "no 0.x key": "has no key that 0.x had",
}
"""Why a file is left unchanged."""
DIFF_LIMIT = 2000
"""Lines, old and new together, up to which a minimal diff is computed."""


def read_legacy(located: Located, disk: Disk) -> Document | None:
    """Read the 0.x file if it is the configuration of a run."""
    candidate = located.candidate
    return value_of(read(candidate, disk)) if candidate and candidate.form == "legacy" else None


def lift_legacy(document: Document, start: PurePath, console: Console) -> None:
    """Lift the 0.x file that was the configuration of a run, unless it has changed; if it fails, warn why."""
    candidate = document.candidate
    try:
        lifted = require(lift(document))
        if lifted == "no 0.x key":
            console.warn((LegacyKept(candidate.shown, f"it {_UNLIFTED[lifted]}"),))
        elif not isinstance(lifted, str):
            if value_of(read(candidate, real_disk(start, console.tell))) != document:
                console.warn((LegacyKept(candidate.shown, "it is not what the build has read"),))
            else:
                _rewrite(candidate, lifted, start, console)
    except Stop as stop:
        console.warn((LegacyKept(candidate.shown, ", ".join(map(_cause, stop.problems))),))


def _cause(problem: Problem) -> str:
    return problem.cause if isinstance(problem, FileSystemProblem) else "it would be larger than 1 MiB"


def migrate(request: Request, console: Console, *, dry_run: bool) -> None:
    """Lift the 0.x file on request, and print the change as a unified diff. Raises `Stop`."""
    disk = real_disk(request.start, console.tell)
    candidate = _asked_for(request, disk, console)
    if candidate is None:
        console.say(f"no 0.x file in {request.start} or above it: {_NOTHING}")
        return
    if candidate.form != "legacy":
        console.say(f"only a file named {LEGACY[0][0]} is read as the 0.x file: {_NOTHING} in {candidate.shown}")
        return
    document = require(read(candidate, disk))
    lifted = require(lift(document))
    if isinstance(lifted, str):
        console.say(f"{candidate.shown} {_UNLIFTED[lifted]}: {_NOTHING}")
        return
    console.warn(lifted.notes)
    _target(candidate)
    _print_diff(candidate.shown, lifted)
    if dry_run:
        console.say("dry run: nothing was written")
    else:
        _rewrite(candidate, lifted, request.start, console)


def _asked_for(request: Request, disk: Disk, console: Console) -> Candidate | None:
    """The file that `--config` names, else the nearest 0.x file, even if another configuration takes precedence."""
    if request.config is not None:
        return require(locate(request.start, request.config, disk)).candidate
    candidate = find_legacy(request.start, disk)
    located = value_of(locate(request.start, None, disk)) if candidate else None
    if candidate and located and located.candidate and located.candidate != candidate:
        console.warn((LegacyUnread(candidate.shown, located.candidate.shown),))
    return candidate


def _rewrite(candidate: Candidate, lifted: Lifted, start: PurePath, console: Console) -> None:
    path, target = candidate.path, _target(candidate)
    with backed_up(path, lifted.original, f"{path.name}.0x") as backup:
        replace_file(target, lifted.text.encode())
    console.warn((LegacyLifted(candidate.shown, shown(backup, start)),))


def _target(candidate: Candidate) -> Path:
    """The file to rewrite, which a link may lead to. Raises `Stop` if it must not be rewritten."""
    target = Path(os.path.realpath(candidate.path))
    if cause := _elsewhere(Path(candidate.path), target) or ("it is read-only" if _is_read_only(target) else ""):
        raise Stop(FileSystemProblem(candidate.shown, cause))
    return target


def _elsewhere(path: Path, target: Path) -> str:
    """Why the target of a link is not this project's 0.x file; empty if it is."""
    if target.name != path.name:
        return f"it is a link to a file that is not named {path.name}"
    folder = Path(os.path.realpath(path.parent))
    project = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
    return "" if target.is_relative_to(project) else "it is a link to a file outside the project"


def _is_read_only(path: Path) -> bool:
    """Whether a file is read-only; a rename over it would not check that."""
    try:
        return not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK)
    except OSError:  # it is gone: the write will report it
        return False


def _print_diff(name: str, lifted: Lifted) -> None:
    """Print the diff so that `patch` accepts it: all control characters are escaped except tabs and line ends."""
    before, after = (_lines(text) for text in (lifted.original.decode(), lifted.text))
    for line in _diff(name, before, after):
        text = line.removesuffix("\n").removesuffix("\r")
        print_line("\t".join(map(escape, text.split("\t"))) + line[len(text) :].removesuffix("\n"))
        if not line.endswith("\n"):
            print_line("\\ No newline at end of file")


def _lines(text: str) -> list[str]:
    """The lines of a text, with their line ends."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _diff(name: str, before: list[str], after: list[str]) -> Iterable[str]:
    """The lines of a unified diff; beyond `DIFF_LIMIT` it replaces the whole text, as the search takes too long."""
    if len(before) + len(after) > DIFF_LIMIT:
        head = (f"--- {name}\n", f"+++ {name}\n", f"@@ -{_extent(before)} +{_extent(after)} @@\n")
        return (*head, *(f"-{line}" for line in before), *(f"+{line}" for line in after))
    from difflib import unified_diff  # costs start-up time, and only this command needs it

    return unified_diff(before, after, name, name)


def _extent(lines: list[str]) -> str:
    return "1" if len(lines) == 1 else f"1,{len(lines)}"
