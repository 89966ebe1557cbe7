"""Migrate: the command that rewrites the 0.x file in the version 1 shape (`docs/legacy.md`)."""

from dataclasses import dataclass
from typing import Annotated, Final

from cyclopts import Parameter

from io_edges.cli.diff import print_diff
from io_edges.cli.flags import CheckFlags, Switch
from io_edges.cli.session import RunConsole, disk_of, request_of
from io_edges.init.legacy import UNLIFTED, rewrite, target_of
from io_edges.report.console import Console
from io_edges.system.stop import require
from pipeline.building.line_diff import Version, file_diff
from pipeline.config.disk import Disk
from pipeline.config.tree import LEGACY, ConfigFile
from pipeline.init.lift import lift
from pipeline.locate import find_legacy, locate
from pipeline.read import read
from pipeline.report.diagnostics.configuration import ShadowedConfig
from pipeline.report.outcome import value_of
from pipeline.resolve import Request

_NOTHING: Final = "there is nothing to migrate"


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
    file = _asked_for(request, disk, console)
    if file is None:
        console.say(f"no 0.x file in {request.start} or above it: {_NOTHING}")
        return
    if file.kind != "legacy":
        console.say(f"only a file named {LEGACY} is read as the 0.x file: {_NOTHING} in {file.display_path}")
        return
    document = require(read(file, disk))
    lifted = require(lift(document))
    if isinstance(lifted, str):
        console.say(f"{file.display_path} {UNLIFTED[lifted]}: {_NOTHING}")
        return
    console.warn(lifted.notes)
    target_of(file)
    before, after = Version(lifted.original), Version(lifted.text.encode())
    print_diff(file_diff(file.display_path, before, after).text)
    if flags.dry_run:
        console.say("dry run: nothing was written")
    else:
        rewrite(file, lifted, request.start, console)


def _asked_for(request: Request, disk: Disk, console: Console) -> ConfigFile | None:
    """The file that `--config` names, else the nearest 0.x file, even if another configuration takes precedence."""
    searched = locate(request.start, request.config, disk)
    located = value_of(searched)
    if located:
        console.looked_at(located)
    if request.config is not None:
        return require(searched).file
    file = find_legacy(request.start, disk)
    if file and located and located.file and located.file != file:
        console.warn((ShadowedConfig(located.file.display_path, (file.display_path,)),))
    return file
