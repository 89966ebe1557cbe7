"""Session: resolve the settings of a command, and report them."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Annotated, Final, TypeAlias

from cyclopts import Parameter

from io_edges.cli.flags import CommonFlags
from io_edges.disk import Outcomes, real_disk
from io_edges.report.console import Console
from io_edges.system.stop import Stop, os_errors_as_diagnostics, require
from pipeline.config.disk import Disk
from pipeline.config.flags import read_flags
from pipeline.config.presets import probed_files
from pipeline.config.variables import forbids_exec
from pipeline.emit import decisions
from pipeline.locate import Probe, ProbeVerdict, unread_in
from pipeline.report.diagnostics.settings import InvalidValue
from pipeline.report.location import Location
from pipeline.report.paths import display_path
from pipeline.report.wording import shortened
from pipeline.resolve import Request, Resolution, resolve

RunConsole: TypeAlias = Annotated[Console, Parameter(parse=False)]
"""The console of a run, which `main` passes to each command that takes it."""
EPOCH: Final = "SOURCE_DATE_EPOCH"
"""The variable for the times of new files
(https://reproducible-builds.org/specs/source-date-epoch/).
"""
_DIGITS: Final = 11
"""The maximum number of digits of a time, so that every file system can hold it."""


def read_request(flags: CommonFlags, settings: object, console: Console) -> Request:
    """Collect the sources of the settings, and set the verbosity of the console. `settings` has
    their flags.
    """
    console.set_verbosity(quiet=flags.quiet, verbose=flags.verbose)
    start = start_folder()
    no_exec = require(forbids_exec(os.environ)) or flags.no_exec
    layer = read_flags(vars(settings), start)
    return Request(
        start=start, config=flags.config, environ=os.environ, flags=layer, no_exec=no_exec
    )


def start_folder() -> PurePath:
    """The current folder."""
    with os_errors_as_diagnostics(PurePath()):
        return Path.cwd()


def file_times(environ: Mapping[str, str]) -> tuple[int, int] | None:
    """The access and modification times of new files, in nanoseconds since 1970;
    `None` if not set.
    """
    text = environ.get(EPOCH, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
        expected = f"seconds since 1970, at most {_DIGITS} digits"
        raise Stop(InvalidValue("", Location(EPOCH), expected, f"`{shortened(text)}`"))
    time = int(text) * 10**9
    return time, time


def disk_of(request: Request, console: Console, outcomes: Outcomes | None = None) -> Disk:
    """The disk that settings are read from. Disks that share `outcomes` evaluate a script
    once together.
    """
    return real_disk(request.start, console, no_exec=request.no_exec, outcomes=outcomes)


def probes_of(resolution: Resolution, start: PurePath) -> Iterator[Probe]:
    """Every path where a configuration or a preset was looked for."""
    settings = resolution.settings
    used = {file.path for file in resolution.presets}
    yield from resolution.located.probes
    for path, is_used in probed_files(
        settings.decision("presets"), settings.presets_search_path, used
    ):
        verdict: ProbeVerdict = "missing"
        if is_used:
            verdict = "taken"
        yield Probe(display_path(path, start), verdict)


def resolve_and_report(
    request: Request,
    console: Console,
    *,
    at: tuple[str, str | None] | None = None,
    with_search: bool = True,
    with_decisions: bool = False,
) -> Resolution:
    """Resolve the settings, and set the log format. Report the search for a configuration,
    decisions and warnings.

    The search is shown with `--verbose`, unless `with_search` is false. `at` are the project and
    the drop: a configuration in them that is not read gives a warning.
    """
    disk = disk_of(request, console)
    resolution = require(resolve(request, disk))
    console.log_format = resolution.settings.log_format
    if with_search:
        console.report_probes(probes_of(resolution, request.start))
    if with_decisions:
        console.report(*decisions(resolution.settings))
    console.warn(resolution.settings.warnings)
    if at:
        project, drop = (PurePath(os.path.realpath(request.start / (path or "."))) for path in at)
        console.warn(unread_in(request.start, project, drop, resolution.located, disk))
    return resolution
