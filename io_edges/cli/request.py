"""Request: what a command that resolves a configuration starts from."""

import os
from pathlib import Path, PurePath

from io_edges.flags import CommonFlags, Flags, flag_layer
from io_edges.report.console import Console
from io_edges.system.stop import os_errors_as_problems, require
from pipeline.config.variables import forbids_exec
from pipeline.resolve import Request


def request_of(flags: CommonFlags, settings: Flags, console: Console) -> Request:
    """What the run starts from. From here on the console follows the flags."""
    console.listen(quiet=flags.quiet, verbose=flags.verbose)
    start, no_exec = start_folder(), require(forbids_exec(os.environ)) or flags.no_exec
    layer = flag_layer(settings, start)
    return Request(start=start, config=flags.config, environ=os.environ, flags=layer, no_exec=no_exec)


def start_folder() -> PurePath:
    """The current folder."""
    with os_errors_as_problems(PurePath()):
        return Path.cwd()
