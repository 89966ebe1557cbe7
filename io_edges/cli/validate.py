"""Validate: the command that checks configurations and prints the findings (`docs/howto/git-and-ci.md`)."""

from collections.abc import Iterator
from pathlib import PurePath
from typing import Annotated, assert_never

from cyclopts import Parameter
from msgspec import Struct
from returns.result import Failure, Result
from toolz import concat, unique

from io_edges.cli.flags import LOG, CommonFlags, not_empty
from io_edges.cli.session import RunConsole, disk_of, probes_of, request_of
from io_edges.report.console import Console, print_line, warning_event
from io_edges.report.findings import Finder
from io_edges.system.stop import Stop
from pipeline.locate import locate
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.escape import escape
from pipeline.report.findings import FindingsFormat, annotation, json_document
from pipeline.report.outcome import Outcome, errors_of, value_of
from pipeline.resolve import Request, Resolution, load_located, resolve
from pipeline.schema import SETTINGS


class ValidateFlags(CommonFlags, of=[(SETTINGS[-1], LOG)]):
    """What `tool config validate` takes: of the settings only the log format."""

    format: FindingsFormat = "text"
    """Print findings as text, JSON or annotations of GitHub Actions."""


class Valid(Struct, frozen=True):
    """Files that are valid, and what to warn of."""

    files: tuple[str, ...]
    warnings: tuple[WarningDiagnostic, ...]


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

    Documentation: docs/howto/git-and-ci.md
    """
    if files and flags.config is not None:
        advice = "to check several files, name each as FILE"
        raise Stop(UsageError(f"--config and FILE contradict each other: {advice}", "tool config validate"))
    request = request_of(flags, flags, console)
    if flags.format == "github":
        console.annotate = None  # once is enough
    outcomes = _outcomes(request, files, console)
    found = [value for each in outcomes if (value := value_of(each))]
    valid = Valid(
        files=tuple(unique(concat(each.files for each in found))),
        warnings=tuple(unique(concat(each.warnings for each in found))),
    )
    errors = tuple(unique(concat(map(errors_of, outcomes))))
    console.warn(valid.warnings)
    for line in _lines(valid, errors, request.start, flags.format):
        print_line(line)
    if errors:
        raise Stop(*errors)
    if not valid.files:
        console.print_text(f"no configuration in {request.start} or above it: the defaults hold")


def _outcomes(request: Request, files: tuple[str, ...], console: Console) -> list[Result[Valid, tuple[Error, ...]]]:
    """What is found of each file by itself, or of the configuration that a run would read, and its presets."""
    disk = disk_of(request, console)

    def of_file(file: str) -> Outcome[Valid]:
        layer = locate(request.start, file, disk).bind(lambda located: load_located(located, disk))
        return layer.map(lambda layer: Valid((file,), layer.warnings))

    def of_run(resolution: Resolution) -> Valid:
        console.report_probes(probes_of(resolution, request.start))
        return Valid(tuple(resolution.files), resolution.settings.warnings)

    try:
        return [of_file(file) for file in files] if files else [resolve(request, disk).map(of_run)]
    except Stop as stop:
        return [Failure(stop.errors)]


def _lines(valid: Valid, errors: tuple[Error, ...], start: PurePath, findings_format: FindingsFormat) -> Iterator[str]:
    """What standard output gets."""
    finder = Finder(start)
    findings = (*map(finder.of_error, errors), *map(finder.of_event, map(warning_event, valid.warnings)))
    match findings_format:
        case "text":
            yield from (escape(f"{file}: valid") for file in valid.files)
        case "json":
            yield json_document(valid.files, findings)
        case "github":
            yield from map(annotation, findings)
        case _:
            assert_never(findings_format)
