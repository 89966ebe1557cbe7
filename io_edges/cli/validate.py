"""Validate: the command that checks configurations and prints the findings (`docs/howto/git-and-ci.md`)."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Annotated, assert_never

from cyclopts import Parameter
from msgspec import Struct
from toolz import concat, unique

from io_edges.cli.flags import CheckFlags, not_empty
from io_edges.cli.session import RunConsole, disk_of, request_of
from io_edges.report.console import Console, print_line, warning_event
from io_edges.report.findings import Finder
from io_edges.system.stop import Stop
from pipeline.config.disk import Disk
from pipeline.config.layers import Layer
from pipeline.config.tree import READING_CLAUSES, Reading
from pipeline.locate import locate
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.escape import escape
from pipeline.report.findings import FindingsFormat, annotation, json_document
from pipeline.report.outcome import fold
from pipeline.resolve import Request, Resolution, load_located, resolve


class ValidateFlags(CheckFlags):
    """What `tool config validate` takes."""

    format: FindingsFormat = "text"
    """Print findings as text, JSON or annotations of GitHub Actions."""


class CheckVerdict(Struct, frozen=True):
    """What is valid, with how it was read if it is a script, and what is wrong with the rest."""

    valid: tuple[tuple[str, Reading | None], ...] = ()
    warnings: tuple[WarningDiagnostic, ...] = ()
    errors: tuple[Error, ...] = ()


def validate(
    *files: Annotated[
        str, Parameter(validator=not_empty, name="FILE", help="Check these files instead, each read as by --config.")
    ],
    flags: ValidateFlags = ValidateFlags(),
    console: RunConsole,
) -> None:
    """Check the configuration and its presets, or the files that are named.

    Examples:
      Check the configuration and its presets:
        tool config validate
      Check one file, and annotate it on GitHub:
        tool config validate presets/shop.ts --format=github

    Documentation: tool help howto/git-and-ci
    """
    if files and flags.config is not None:
        advice = "to check several files, name each as FILE"
        raise Stop(UsageError(f"--config and FILE contradict each other: {advice}", "tool config validate"))
    request = request_of(flags, flags, console)
    if flags.format == "github":
        console.annotate = None  # once is enough
    try:
        verdict = _verdict(request, files, console)
    except Stop as stop:
        verdict = CheckVerdict(errors=stop.errors)
    console.warn(verdict.warnings)
    for line in _lines(verdict, request.start, flags.format):
        print_line(line)
    if verdict.errors:
        raise Stop(*verdict.errors)
    if not verdict.valid:
        console.print_text(f"no configuration in {request.start} or above it: the defaults hold")


def _verdict(request: Request, files: tuple[str, ...], console: Console) -> CheckVerdict:
    """The verdict on the files, or on what a run would read."""
    disk = disk_of(request, console)
    if not files:
        return _of_run(request, disk, console)
    verdicts = [_of_file(request.start, file, disk) for file in files]
    return CheckVerdict(
        valid=tuple(unique(concat(each.valid for each in verdicts))),
        warnings=tuple(unique(concat(each.warnings for each in verdicts))),
        errors=tuple(unique(concat(each.errors for each in verdicts))),
    )


def _of_file(start: PurePath, file: str, disk: Disk) -> CheckVerdict:
    """The verdict on a file that is read by itself."""

    def valid(layer: Layer) -> CheckVerdict:
        reading = next(iter(layer.readings.values()), None)
        return CheckVerdict(valid=((file, reading),), warnings=layer.warnings)

    return fold(
        locate(start, file, disk).bind(lambda located: load_located(located, disk)),
        valid,
        lambda errors: CheckVerdict(errors=errors),
    )


def _of_run(request: Request, disk: Disk, console: Console) -> CheckVerdict:
    """The verdict on the configuration that a run would read, and its presets."""

    def valid(resolution: Resolution) -> CheckVerdict:
        console.report_search(resolution.located)
        settings = resolution.settings
        files = tuple((file, settings.readings.get(file)) for file in resolution.files)
        return CheckVerdict(valid=files, warnings=settings.warnings)

    return fold(resolve(request, disk), valid, lambda errors: CheckVerdict(errors=errors))


def _lines(verdict: CheckVerdict, start: PurePath, findings_format: FindingsFormat) -> Iterator[str]:
    """What standard output gets."""
    finder = Finder(start)
    findings = (*map(finder.of_error, verdict.errors), *map(finder.of_event, map(warning_event, verdict.warnings)))
    match findings_format:
        case "text":
            yield from (escape(f"{file}: valid{READING_CLAUSES[reading]}") for file, reading in verdict.valid)
        case "json":
            yield json_document(verdict.valid, findings)
        case "github":
            yield from map(annotation, findings)
        case _:
            assert_never(findings_format)
