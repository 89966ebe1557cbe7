"""Explain: the command that says why a setting or an archive is as it is, and what would change it."""

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePath

from msgspec import Struct
from msgspec.structs import replace
from returns.result import Failure
from toolz import unique

from io_edges.archives.find import SHELVES, find_archives, find_unused
from io_edges.building.ahead import look_ahead, would_be_built
from io_edges.building.cache import OpenCache, open_cache
from io_edges.building.project import ProjectView, look_at_project, project_path
from io_edges.commands.choose import DropSelection, archives_in, cache_file, is_elsewhere, open_all
from io_edges.commands.planning import plan_build
from io_edges.commands.run import CreateRun, RunState
from io_edges.disk import real_disk
from io_edges.flags import CreateFlags
from io_edges.report.console import Console, error_event, print_line
from io_edges.report.exit_codes import EXIT_CODES
from io_edges.report.explanations import CODES, EXPLANATIONS
from io_edges.report.places import Bases
from io_edges.report.screens import screen_of
from io_edges.report.warning_explanations import WARNING_EXPLANATIONS
from io_edges.report.wording import meant
from io_edges.system.stop import Stop, require
from pipeline import __version__
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.building.plan_events import component_events, hook_events, summary
from pipeline.building.record import Record
from pipeline.config.disk import Disk
from pipeline.explain.archives import DropCase, FindArchives, explain_archives, select_in
from pipeline.explain.changes import Case
from pipeline.explain.configuration import explain_config
from pipeline.explain.document import ErrorPart, ExitPart, Explanation, PlanPart, WarningPart
from pipeline.explain.names import CONFIG, choices_named, leaves_named, near_what
from pipeline.explain.settings import explain_setting
from pipeline.explain.text import lines
from pipeline.report.build_problems import ArchiveRejected, FileSystemProblem
from pipeline.report.escape import to_json
from pipeline.report.events import ErrorEvent
from pipeline.report.outcome import Outcome
from pipeline.report.problems import Problem, ScriptRuntimeUnavailable, UsageError
from pipeline.resolve import Request, Resolution, resolve
from pipeline.schema import ARCHIVE_SUFFIX, LEAVES, NONE
from pipeline.selection.select import stays_closed


class ExplainRun(Struct, frozen=True):
    """One run of the command. `name` is what is asked about, `None` for everything; the folders are as written."""

    request: Request
    name: str | None
    drop: str
    output: str
    console: Console
    is_complete: bool = False
    """Whether changes are tried for the whole run, even if the log is text, whose overview has none."""


def explain(run: ExplainRun) -> None:
    """Print the explanation: for people, or as one JSON document. Raises `Stop`."""
    document = explanation(_with_own_drop(run))
    if run.console.log_format == "json":
        print_line(to_json(document))
    else:
        print_line("\n".join(lines(document, screen_of(sys.stdout))))


def _with_own_drop(run: ExplainRun) -> ExplainRun:
    """The run with the drop that its name tells, if none is given: a folder of archives, or that of an archive."""
    name = run.name
    if name is None or run.drop != "." or name == CONFIG or leaves_named(name):
        return run
    start, path = run.request.start, PurePath(name.partition("!")[0])
    if Path(start / name).is_dir() and find_archives(name, start, NONE):
        return replace(run, name=None, drop=name)
    if path.suffix.lower() != ARCHIVE_SUFFIX:
        return run
    folder = path.parent
    return replace(run, drop=str(folder.parent if folder.name in SHELVES else folder))


def explanation(run: ExplainRun) -> Explanation:
    """Explain what is asked about; without a name, the whole run. Nothing is written. Raises `Stop`."""
    name = run.name
    document = _of_message(name)
    if document.exit or document.errors or document.warnings:
        return document
    case = _case(run)
    if name is None:
        settings = tuple(explain_setting(leaf, case) for leaf in LEAVES)
        config = explain_config(case.resolution, case.request.start, case.disk)
        return _with_drop(replace(document, settings=settings, config=config), run, case)
    if name == CONFIG:
        return replace(document, config=explain_config(case.resolution, case.request.start, case.disk))
    if leaves := leaves_named(name):
        return replace(document, settings=tuple(explain_setting(leaf, case) for leaf in leaves))
    return _with_drop(document, run, case)


def _of_message(name: str | None) -> Explanation:
    """Explain the error, the warning or the exit code that a name stands for, as it is pasted from a message.

    It is empty if the name stands for something else.
    """
    key = (name or "").removesuffix(":").lower()
    errors = (
        ErrorPart(error=error, exit=code, paragraph=EXPLANATIONS[error])
        for error, code in EXIT_CODES.items()
        if key in {error.lower(), str(code)}
    )
    warnings = (WarningPart(code=key, paragraph=text) for code, text in WARNING_EXPLANATIONS.items() if key == code)
    meanings = (ExitPart(exit=code, meaning=text) for code, text in CODES.items() if key == str(code))
    return Explanation(
        tool=__version__, name=name, exit=next(meanings, None), errors=tuple(errors), warnings=tuple(warnings)
    )


def _case(run: ExplainRun) -> Case:
    """Resolve the settings, and keep everything that was read, to try changes on it."""
    request = run.request
    disk = _remembering(real_disk(request.start, run.console, no_exec=request.no_exec))
    resolution = require(resolve(request, disk))
    run.console.log_format = resolution.settings.log_format
    run.console.warn(resolution.settings.notes)
    is_text = run.console.log_format == "text"
    is_overview = run.name is None and is_text and not run.is_complete
    return Case(request, _without_other_scripts(disk, resolution), resolution, tries=not is_overview)


def _remembering(disk: Disk) -> Disk:
    """A disk on which each thing is looked at once."""
    return replace(disk, look=cache(disk.look), load=cache(disk.load), names=cache(disk.names))


def _without_other_scripts(disk: Disk, resolution: Resolution) -> Disk:
    """A disk on which no script is evaluated but those that were: to try a change runs no other."""
    known = {file.path for file in (resolution.located.candidate, *resolution.presets) if file}
    real = disk.evaluate

    def evaluate(path: PurePath) -> Outcome[bytes]:
        return real(path) if real and path in known else Failure((ScriptRuntimeUnavailable(str(path)),))

    return replace(disk, evaluate=evaluate)


def _with_drop(document: Explanation, run: ExplainRun, case: Case) -> Explanation:
    """Add what is in the drop: all of it and the plan, or what a name stands for."""
    start, console = run.request.start, run.console
    with look_at_project(project_path(start, run.output), console) as view:
        known = open_cache(cache_file(case.settings, view), view.path, console)
        drop = select_in(case, run.drop, _finder(run, case, known))
        document = replace(document, drop=run.drop)
        if run.name is not None:
            return _named(document, run.name, drop, view, known)
        whole = replace(document, archives=explain_archives(drop.selection.choices, drop))
        return _planned(whole, run, drop, view, known)


def _finder(run: ExplainRun, case: Case, known: OpenCache) -> FindArchives:
    """What finds the archives of the drop; each is opened once, and one that stays closed only to try a change."""
    files = cache(lambda theme: find_archives(run.drop, run.request.start, theme))
    there: tuple[ArchiveFile, ...] = files(case.settings.theme)
    opened = open_all((file for file in there if not stays_closed(case.settings, file)), known, run.console)

    def look(file: ArchiveFile) -> tuple[Archive, ...]:
        if file not in opened:
            opened.update(open_all((file,), known, run.console))
        return opened[file]

    return lambda settings: archives_in(settings, files(settings.theme), look)


def _named(document: Explanation, name: str, drop: DropCase, view: ProjectView, known: OpenCache) -> Explanation:
    """Explain the archives that a name stands for, and why a run would stop there. Raises `Stop` if there is none."""
    choices = choices_named(name, drop.selection.choices, drop.drop)
    if not choices:
        raise Stop(_departed(name, drop, view.record) or _unknown(name, drop))
    others = (each for each in drop.selection.problems if not isinstance(each, ArchiveRejected | FileSystemProblem))
    selected = tuple(filter(would_be_built, choices))
    ahead = look_ahead([*unique(choice.component.path for choice in selected)], selected, view, known)
    problems = _events((*others, *ahead.conflicts, *ahead.refused), drop.case)
    return replace(document, archives=explain_archives(choices, drop), problems=problems)


def _departed(name: str, drop: DropCase, record: Record) -> UsageError | None:
    """That a name is that of a component which the tool built, and which has no archive any more."""
    for path in (name, f"modules/{name}", f"themes/{name}"):
        if recorded := record.components.get(path):
            message = f"`{path}` was built from `{recorded.archive}`, and no archive of `{drop.drop}` is that component"
            advice = "it stays until a run with `--prune`; or put an archive of it into the drop"
            return UsageError(message, "tool explain", advice=advice)
    return None


def _unknown(name: str, drop: DropCase) -> UsageError:
    """That a name stands for nothing, with the near names; for a number, with every exit code."""
    if name.isdecimal() and name.isascii():
        codes = ", ".join(map(str, CODES))
        return UsageError(f"`{name}` is not an exit code of tool, which are {codes}", "tool explain")
    near = near_what(name, drop.selection.choices, (*EXIT_CODES, *WARNING_EXPLANATIONS))
    message = f"no setting, error, warning or archive of `{drop.drop}` is called `{name}`"
    return UsageError(message, "tool explain", advice=meant(near))


def _planned(
    document: Explanation, run: ExplainRun, drop: DropCase, view: ProjectView, known: OpenCache
) -> Explanation:
    """Add the plan, or the problems that stop the run."""
    flags = CreateFlags(output=run.output, dry_run=True)
    create = CreateRun(run.request, run.drop, flags, run.console, RunState(view.path))
    unused = find_unused(run.drop, run.request.start)
    run.console.warn(unused)
    selection = DropSelection(drop.selection, is_elsewhere(drop.selection.choices, unused))
    try:
        plan = plan_build(create, drop.case.settings, view, selection, known)
    except Stop as stop:
        return replace(document, problems=_events(stop.problems, drop.case))
    ending = summary(view.path, "planned", plan.steps, plan.refused, 0.0)
    return replace(document, plan=PlanPart(components=component_events(plan), hooks=hook_events(plan), summary=ending))


def _events(problems: Iterable[Problem], case: Case) -> tuple[ErrorEvent, ...]:
    """What would stop the run, as the events of its log."""
    bases = Bases(lists_below=case.settings.lists_below)
    return tuple(error_event(each, bases) for each in problems)
