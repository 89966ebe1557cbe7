"""Legacy: rewrite the 0.x file in the version 1 shape, its bytes kept beside it (`docs/legacy.md`)."""

import os
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from io_edges.atomic import back_up, replace_file
from io_edges.console import Console, print_line
from io_edges.disk import real_disk
from io_edges.stop import Stop, require
from pipeline.disk import Disk
from pipeline.escape import escape
from pipeline.locate import find_legacy, locate
from pipeline.notes import LegacyKept, LegacyLifted, LegacyUnread
from pipeline.outcome import value_of
from pipeline.paths import shown
from pipeline.problems import FileSystemProblem
from pipeline.read import read
from pipeline.resolve import Request
from pipeline.tree import Candidate

if TYPE_CHECKING:
    from pipeline.lift import Lifted


def lift_legacy(request: Request, console: Console) -> None:
    """Lift the 0.x file if it is the configuration of a run; what refuses it is a warning."""
    disk = real_disk(request.start, console.tell)
    located = value_of(locate(request.start, request.config, disk))
    candidate = located.candidate if located else None
    if candidate is None or candidate.form != "legacy":
        return
    from pipeline.lift import lift  # costs start-up time, and only a 0.x file needs it

    lifted = value_of(read(candidate, disk).bind(lift))
    if lifted is None:
        return
    try:
        _rewrite(candidate, lifted, request.start, console)
    except Stop as stop:
        causes = (each.cause for each in stop.problems if isinstance(each, FileSystemProblem))
        console.warn((LegacyKept(candidate.shown, ", ".join(causes)),))


def migrate(request: Request, console: Console, *, dry_run: bool) -> None:
    """Lift the 0.x file on request, and print what changes as a unified diff. Raises `Stop`."""
    from pipeline.lift import lift

    disk = real_disk(request.start, console.tell)
    candidate = _asked_for(request, disk, console)
    if candidate is None:
        console.say(f"no 0.x file in {request.start} or above it: there is nothing to migrate")
        return
    lifted = require(read(candidate, disk).bind(lift)) if candidate.form == "legacy" else None
    if lifted is None:
        console.say(f"{candidate.shown} does not have the 0.x shape: there is nothing to migrate")
        return
    console.warn(lifted.notes)
    _print_diff(candidate.shown, lifted)
    if dry_run:
        console.say("dry run: nothing was written")
    else:
        _rewrite(candidate, lifted, request.start, console)


def _asked_for(request: Request, disk: Disk, console: Console) -> Candidate | None:
    """The file that `--config` names, else the nearest 0.x file, read or not."""
    if request.config is not None:
        return require(locate(request.start, request.config, disk)).candidate
    candidate = find_legacy(request.start, disk)
    located = value_of(locate(request.start, None, disk)) if candidate else None
    if candidate and located and located.candidate and located.candidate != candidate:
        console.warn((LegacyUnread(candidate.shown, located.candidate.shown),))
    return candidate


def _rewrite(candidate: Candidate, lifted: "Lifted", start: PurePath, console: Console) -> None:
    path = candidate.path
    if _is_read_only(Path(path)):
        raise Stop(FileSystemProblem(candidate.shown, "it is read-only"))
    backup = back_up(path, lifted.original, f"{path.name}.0x")
    replace_file(path, lifted.text.encode(), follow=True)
    console.warn((LegacyLifted(candidate.shown, shown(backup, start)),))


def _is_read_only(path: Path) -> bool:
    """Whether a file is not to be written to, which a rename over it would not ask."""
    try:
        return not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK)
    except OSError:  # it is gone, and the write will say so
        return False


def _print_diff(name: str, lifted: "Lifted") -> None:
    from difflib import unified_diff  # costs start-up time, and only this command needs it

    texts = (lifted.original.decode("utf-8-sig"), lifted.text)
    before, after = (text.removesuffix("\n").split("\n") for text in texts)
    for line in unified_diff(before, after, name, name, lineterm=""):
        print_line(escape(line))
