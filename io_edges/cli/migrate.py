"""Migrate: the command that rewrites the 0.x file in the version 1 shape (`docs/legacy.md`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import unified_diff
from io import StringIO
from typing import Annotated, Final

from cyclopts import Parameter

from io_edges.cli.flags import CheckFlags, Switch
from io_edges.cli.session import RunConsole, disk_of, request_of
from io_edges.init.legacy import UNLIFTED, rewrite, target_of
from io_edges.report.console import Console, print_line
from io_edges.system.stop import require
from pipeline.config.disk import Disk
from pipeline.config.tree import Candidate
from pipeline.init.lift import Lifted, lift
from pipeline.locate import LEGACY, find_legacy, locate
from pipeline.read import read
from pipeline.report.escape import escape
from pipeline.report.outcome import value_of
from pipeline.report.problems.configuration import LegacyUnread
from pipeline.resolve import Request

_NOTHING: Final = "there is nothing to migrate"
DIFF_LIMIT = 2000
"""Lines, old and new together, up to which a minimal diff is computed."""


@dataclass(frozen=True, kw_only=True)
class MigrateFlags(CheckFlags):
    """What `tool config migrate` takes."""

    dry_run: Annotated[Switch, Parameter(alias="-n")] = False
    """Print what would change; write nothing."""


def migrate(*, flags: MigrateFlags = MigrateFlags(), console: RunConsole) -> None:
    """Rewrite the 0.x file in the version 1 shape, and print what changes.

    Examples:
      Show what would change in .tool.json:
        tool config migrate --dry-run
      Rewrite another 0.x file:
        tool config migrate --config=old/.tool.json

    Documentation: tool help legacy
    """
    request = request_of(flags, flags, console)
    disk = disk_of(request, console)
    candidate = _asked_for(request, disk, console)
    if candidate is None:
        console.say(f"no 0.x file in {request.start} or above it: {_NOTHING}")
        return
    if candidate.form != "legacy":
        console.say(f"only a file named {LEGACY[0][0]} is read as the 0.x file: {_NOTHING} in {candidate.display_path}")
        return
    document = require(read(candidate, disk))
    lifted = require(lift(document))
    if isinstance(lifted, str):
        console.say(f"{candidate.display_path} {UNLIFTED[lifted]}: {_NOTHING}")
        return
    console.warn(lifted.notes)
    target_of(candidate)
    _print_diff(candidate.display_path, lifted)
    if flags.dry_run:
        console.say("dry run: nothing was written")
    else:
        rewrite(candidate, lifted, request.start, console)


def _asked_for(request: Request, disk: Disk, console: Console) -> Candidate | None:
    """The file that `--config` names, else the nearest 0.x file, even if another configuration takes precedence."""
    searched = locate(request.start, request.config, disk)
    located = value_of(searched)
    if located:
        console.looked_at(located)
    if request.config is not None:
        return require(searched).candidate
    candidate = find_legacy(request.start, disk)
    if candidate and located and located.candidate and located.candidate != candidate:
        console.warn((LegacyUnread(candidate.display_path, located.candidate.display_path),))
    return candidate


def _print_diff(name: str, lifted: Lifted) -> None:
    """Print the diff so that `patch` accepts it: all control characters are escaped except tabs and line ends."""
    before, after = (list(StringIO(text, newline="\n")) for text in (lifted.original.decode(), lifted.text))
    for line in _diff(name, before, after):
        text = line.removesuffix("\n").removesuffix("\r")
        print_line("\t".join(map(escape, text.split("\t"))) + line[len(text) :].removesuffix("\n"))
        if not line.endswith("\n"):
            print_line("\\ No newline at end of file")


def _diff(name: str, before: list[str], after: list[str]) -> Iterable[str]:
    """The lines of a unified diff; beyond `DIFF_LIMIT` it replaces the whole text, as the search takes too long."""
    if len(before) + len(after) > DIFF_LIMIT:
        head = (f"--- {name}\n", f"+++ {name}\n", f"@@ -1,{len(before)} +1,{len(after)} @@\n")
        return (*head, *(f"-{line}" for line in before), *(f"+{line}" for line in after))
    return unified_diff(before, after, name, name)
