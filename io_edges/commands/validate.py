"""Validate: the command that checks configurations and prints what it finds, also for programs (`docs/ci.md`)."""

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace
from toolz import concat, unique

from io_edges.disk import real_disk
from io_edges.report.console import Console, print_line
from io_edges.report.findings import Finder, rules
from io_edges.system.stop import Stop
from pipeline import __version__
from pipeline.config.disk import Disk
from pipeline.config.layers import Layer
from pipeline.config.tree import READING_CLAUSES, Reading
from pipeline.locate import discover
from pipeline.report.escape import escape, escape_json
from pipeline.report.findings import FindingsFormat, annotations, code_quality, json_document
from pipeline.report.notes import Note
from pipeline.report.outcome import fold, problems_of, value_of
from pipeline.report.problems import ConfigNotFound, Problem
from pipeline.report.redundancies import Redundancy
from pipeline.report.sarif import sarif
from pipeline.resolve import Request, Resolution, load_named, resolve


class Check(Struct, frozen=True):
    """What is checked: the files that are named, or what a run would read; and whether strictly."""

    request: Request
    files: tuple[str, ...] = ()
    strict: bool = False
    discover: bool = False
    """Whether the files only name the folders of runs, and what these would read is checked."""


class CheckVerdict(Struct, frozen=True):
    """What is valid, with how it was read if it is a script, and what is wrong with the rest."""

    valid: tuple[tuple[str, Reading | None], ...] = ()
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()


def validate(check: Check, findings_format: FindingsFormat, console: Console) -> None:
    """Check the named files, or the configuration of a run and its presets, and print the verdict. Raises `Stop`."""
    start = check.request.start
    if findings_format == "github":
        console.annotate = None  # once is enough
    of_files = _of_runs if check.discover else _of_files
    try:
        verdict = (of_files if check.files else _of_run)(check, console)
    except Stop as stop:
        verdict = CheckVerdict(problems=stop.problems)
    console.warn(verdict.notes)
    for line in _lines(verdict, start, findings_format):
        print_line(line)
    if verdict.problems:
        raise Stop(*verdict.problems)
    if not verdict.valid:
        console.say(f"no configuration in {start} or above it: the defaults hold")


def _of_files(check: Check, console: Console) -> CheckVerdict:
    """The verdict on each file, which is read by itself."""
    return _together([_of_file(file, check, console) for file in check.files])


def _together(verdicts: Sequence[CheckVerdict]) -> CheckVerdict:
    """All of several verdicts, without what an earlier one has, as of a preset that two configurations share."""
    return CheckVerdict(
        valid=tuple(unique(concat(each.valid for each in verdicts))),
        notes=tuple(unique(concat(each.notes for each in verdicts))),
        problems=tuple(unique(concat(each.problems for each in verdicts))),
    )


def _of_file(file: str, check: Check, console: Console) -> CheckVerdict:
    def valid(layer: Layer) -> CheckVerdict:
        problems = _redundancies_of(file, check, disk) if check.strict else ()
        reading = next(iter(layer.readings.values()), None)
        return CheckVerdict(valid=() if problems else ((file, reading),), notes=layer.notes, problems=problems)

    start, no_exec = check.request.start, check.request.no_exec
    disk = real_disk(start, console, no_exec=no_exec)
    return fold(load_named(start, file, disk), valid, _of_problems)


def _of_run(check: Check, console: Console) -> CheckVerdict:
    """The verdict on the configuration that a run would read, and its presets."""

    def valid(resolution: Resolution) -> CheckVerdict:
        console.looked_at(resolution.located)
        settings = resolution.settings
        problems = _redundancies(resolution, check.request.start, disk) if check.strict else ()
        refused = {problem.source.name for problem in problems}
        files = tuple((file, settings.readings.get(file)) for file in resolution.files if file not in refused)
        return CheckVerdict(valid=files, notes=settings.notes, problems=problems)

    disk = real_disk(check.request.start, console, no_exec=check.request.no_exec)
    return fold(resolve(check.request, disk), valid, _of_problems)


def _of_runs(check: Check, console: Console) -> CheckVerdict:
    """The verdict on what runs in the folders of the files would read, each configuration once."""
    start = check.request.start
    disk = real_disk(start, console, no_exec=check.request.no_exec)
    missing = tuple(ConfigNotFound(file) for file in check.files if disk.look(start / file) == "missing")
    paths = (start / file for file in check.files)
    folders = unique(path if disk.look(path) == "folder" else path.parent for path in paths)
    searches = [discover(folder, start, disk) for folder in folders]
    located = [each for each in map(value_of, searches) if each]
    configs = unique(str(each.candidate.path) for each in located if each.candidate)
    runs = [_of_run(replace(check, request=replace(check.request, config=config)), console) for config in configs]
    notes = tuple(concat(each.notes for each in located))
    problems = tuple(concat(map(problems_of, searches)))
    return _together((CheckVerdict(notes=notes, problems=(*missing, *problems)), *runs))


def _redundancies_of(file: str, check: Check, disk: Disk) -> tuple[Redundancy, ...]:
    """What in a file changes nothing over the presets that it lists, if they are there, and the defaults."""
    request = Request(start=check.request.start, config=file, no_exec=check.request.no_exec)
    resolution = value_of(resolve(request, disk))
    every = _redundancies(resolution, request.start, disk) if resolution else ()
    return tuple(problem for problem in every if resolution and problem.source.name == resolution.files[0])


def _redundancies(resolution: Resolution, start: PurePath, disk: Disk) -> tuple[Redundancy, ...]:
    from pipeline.explain.redundant import redundancies  # costs start-up time, and only a strict check needs it

    return redundancies(resolution, start, disk)


def _of_problems(problems: tuple[Problem, ...]) -> CheckVerdict:
    return CheckVerdict(problems=problems)


def _lines(verdict: CheckVerdict, start: PurePath, findings_format: FindingsFormat) -> Iterator[str]:
    """What standard output gets."""
    finder = Finder(start)
    findings = (*map(finder.of_problem, verdict.problems), *map(finder.of_note, verdict.notes))
    match findings_format:
        case "text":
            yield from (escape(f"{file}: valid{READING_CLAUSES[reading]}") for file, reading in verdict.valid)
        case "json":
            yield json_document(verdict.valid, findings)
        case "github":
            yield from annotations(findings)
        case "gitlab":
            yield code_quality(findings)
        case "sarif":
            yield escape_json(json.dumps(sarif(findings, rules(), __version__), indent=2, ensure_ascii=False))
        case _:
            assert_never(findings_format)
