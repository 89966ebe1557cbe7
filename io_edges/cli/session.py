"""Session: begin the run of a command: resolve and report its settings, and find the project."""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePath
from typing import Annotated, Final, Generic, TypeAlias, TypeVar

from cyclopts import Parameter
from msgspec import Struct

from io_edges.cli.flags import CommonFlags, ProjectFlags
from io_edges.disk import Outcomes, real_disk
from io_edges.report.console import Console
from io_edges.system.stop import Stop, os_errors_as_diagnostics, require
from pipeline.config.disk import Disk
from pipeline.config.flags import flags_to_repeat, read_flags
from pipeline.config.layers import Settings
from pipeline.config.presets import probed_files
from pipeline.config.variables import forbids_exec
from pipeline.emit import decisions
from pipeline.locate import Probe, ProbeVerdict, unread_in
from pipeline.report.diagnostic import PathContext
from pipeline.report.diagnostics.conflicts import OutputConflict
from pipeline.report.diagnostics.settings import InvalidValue
from pipeline.report.location import Location
from pipeline.report.paths import display_path
from pipeline.report.wording import shortened
from pipeline.resolve import Request, Resolution, resolve

_Flags = TypeVar("_Flags", bound=ProjectFlags)
_Flags_co = TypeVar("_Flags_co", bound=ProjectFlags, covariant=True)
RunConsole: TypeAlias = Annotated[Console, Parameter(parse=False)]
"""The console of a run, which `main` passes to each command that takes it."""
CURRENT_FOLDER: Final = "."
EPOCH: Final = "SOURCE_DATE_EPOCH"
"""The variable for the times of new files
(https://reproducible-builds.org/specs/source-date-epoch/).
"""
_DIGITS: Final = 11
"""The maximum number of digits of a time, which are enough until the year 5138."""


def read_request(flags: CommonFlags, setting_flags: object, console: Console) -> Request:
    """Collect the sources of the settings, and set the verbosity of the console."""
    console.set_verbosity(quiet=flags.quiet, verbose=flags.verbose)
    start = start_folder()
    no_exec = require(forbids_exec(os.environ)) or flags.no_exec
    layer = read_flags(vars(setting_flags), start)
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


def resolve_and_report(request: Request, flags: CommonFlags, console: Console) -> Resolution:
    """Resolve the settings, and set the log format. Report the search for a configuration, the
    decisions if `flags` asks for them, and warnings.
    """
    resolution = require(resolve(request, disk_of(request, console)))
    console.log_format = resolution.settings.log_format
    if flags.shows_search:
        console.report_probes(probes_of(resolution, request.start))
    if flags.shows_decisions:
        console.report(*decisions(resolution.settings))
    console.warn(resolution.settings.warnings)
    return resolution


class CommandRun(Struct, Generic[_Flags_co], frozen=True):
    """One run of a command that works on a project: its inputs, and what they resolve to."""

    request: Request
    flags: _Flags_co
    console: Console
    drop: str | None
    """The first word after the command, as the user wrote it; `None` if there is none."""
    names: tuple[str, ...]
    """The other words."""
    resolution: Resolution
    project: PurePath
    """The absolute path of the project."""

    @property
    def start(self) -> PurePath:
        """The current folder."""
        return self.request.start

    @property
    def settings(self) -> Settings:
        """The resolved settings."""
        return self.resolution.settings


AnyRun: TypeAlias = CommandRun[ProjectFlags]
"""A run of any command that works on a project."""


def begin(
    request: Request, flags: _Flags, words: Sequence[str | None], console: Console
) -> CommandRun[_Flags]:
    """Resolve and report the settings, and find the project; messages name it from here on.

    `words` are the drop, or `None`, and the names.
    """
    drop, *names = words
    resolution = resolve_and_report(request, flags, console)
    if flags.shows_unread:
        output = PurePath(os.path.realpath(request.start / flags.output))
        folder = PurePath(os.path.realpath(request.start / (drop or CURRENT_FOLDER)))
        disk = disk_of(request, console)
        console.warn(unread_in(request.start, output, folder, resolution.located, disk))
    project = project_path(request.start, flags.output)
    console.context = PathContext(
        drop or CURRENT_FOLDER,
        flags.output,
        request.start,
        resolution.settings.lists_below,
        flags=(*flags.to_repeat, *flags_to_repeat(request.flags)),
    )
    return CommandRun(
        request, flags, console, drop, tuple(filter(None, names)), resolution, project
    )


def project_path(start: PurePath, output: str) -> PurePath:
    """The absolute path of the project, which need not exist yet."""
    project = Path(start / output)
    if ".." in PurePath(output).parts:
        project = Path(os.path.realpath(project))
    with os_errors_as_diagnostics(project):
        nearest = next(path for path in chain([project], project.parents) if path.exists())
        if project.is_symlink() and nearest != project:
            # A broken link.
            raise Stop(OutputConflict(output, reason="link"))
        if not nearest.is_dir():
            name = output
            if nearest != project:
                name = display_path(nearest, start)
            raise Stop(OutputConflict(name, reason="file"))
    return project
