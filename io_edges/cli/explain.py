"""Explain: the command that reports why a setting, a component, an archive or a file is as it is."""

import os
from collections.abc import Iterable
from functools import partial
from pathlib import PurePath
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct

from io_edges.archives.find import SHELVES, find_archives
from io_edges.building.project import ProjectView, project_path, view_project
from io_edges.building.view import DropView
from io_edges.cli.flags import Drop as DropFolder
from io_edges.cli.flags import PlacesFlags, SettingFlags, not_empty
from io_edges.cli.scope import CURRENT_FOLDER, Positionals, in_places, look_into, read_words, report_drop
from io_edges.cli.session import RunConsole, disk_of, request_of, resolve_and_report
from io_edges.cli.usage import WHOLE_RUN
from io_edges.report.codes import EXIT_CODES
from io_edges.report.console import Console, error_event, print_line
from io_edges.report.explanations import CODES, WARNINGS, error_part, warning_part
from io_edges.system.stop import Stop, require
from pipeline.building.draft import PlanOptions
from pipeline.building.names import canonical_name, known_components, warnings_on
from pipeline.building.record import Record
from pipeline.config.layers import Settings
from pipeline.explain.archives import explain_archive
from pipeline.explain.document import ExitPart, Explanation
from pipeline.explain.files import explain_file
from pipeline.explain.names import CONFIG, choices_named, settings_named, suggest_for
from pipeline.explain.settings import explain_config, explain_setting
from pipeline.explain.text import lines
from pipeline.plan import choose, plan
from pipeline.report.diagnostic import PathContext
from pipeline.report.diagnostics.archives import ArchiveRejected
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.escape import to_json
from pipeline.report.wording import did_you_mean
from pipeline.resolve import Request, Resolution
from pipeline.schema import ARCHIVE_SUFFIX, AUTO
from pipeline.selection.select import Selection


class _Run(Struct):
    """What was resolved, and from what."""

    request: Request
    resolution: Resolution
    console: Console

    @property
    def settings(self) -> Settings:
        """The settings."""
        return self.resolution.settings


def explain(
    name: Annotated[
        str,
        Parameter(
            validator=not_empty,
            help="A component, file, archive, drop, setting, config, error, warning or exit code.",
        ),
    ],
    drop: DropFolder = None,
    /,
    *,
    flags: PlacesFlags = PlacesFlags(),
    settings: SettingFlags = SettingFlags(),
    console: RunConsole,
) -> None:
    """Explain why a setting has its value, or why a component is built or not.

    Examples:
      Show which layer sets a setting:
        tool explain theme
      Show why a module is built or not:
        tool explain shop_banner drop

    Documentation: tool help configuration
    """
    request = request_of(flags, settings, console)
    document = _of_message(name)
    if document is None:
        run = _Run(request, resolve_and_report(request, console), console)
        document = _of_settings(name, run) or _in_drop(name, drop, flags, run)
    if console.log_format == "json":
        print_line(to_json(document))
    else:
        print_line("\n".join(lines(document, console.product_screen)))


def _of_message(name: str) -> Explanation | None:
    """Explain the error, the warning or the exit code that a name stands for, as it is pasted from a message."""
    key = name.removesuffix(":").lower()
    code = next((code for code in CODES if key == str(code)), None)
    errors = tuple(error_part(error) for error, each in EXIT_CODES.items() if key == error.lower() or each == code)
    warnings = tuple(map(warning_part, {key} & {*WARNINGS}))
    meaning = ExitPart(exit=code, meaning=CODES[code]) if code is not None else None
    explanation = Explanation(name=name, exit=meaning, errors=errors, warnings=warnings)
    return explanation if meaning or errors or warnings else None


def _of_settings(name: str, run: _Run) -> Explanation | None:
    """Explain the configuration, or the settings that a name stands for."""
    if name == CONFIG:
        disk = disk_of(run.request, run.console)
        return Explanation(name=name, config=explain_config(run.resolution, run.request.start, disk))
    parts = tuple(explain_setting(setting, run.settings.decision(setting.path)) for setting in settings_named(name))
    return Explanation(name=name, settings=parts) if parts else None


def _in_drop(name: str, given: str | None, flags: PlacesFlags, run: _Run) -> Explanation:
    """Explain the archives or the file that a name stands for; without a drop, the name says which. Raises `Stop`."""
    console, start, own = run.console, run.request.start, given or CURRENT_FOLDER
    console.context = PathContext(own, flags.output, start, run.settings.lists_below)
    with view_project(project_path(start, flags.output), console) as found:
        if own == CURRENT_FOLDER and not _owner(start / name, found.path, found.record.components):
            is_drop = given is None and os.path.isdir(start / name) and find_archives(name, start, AUTO)  # noqa: PTH112 - which looks at any text
            console.context.drop = own = name if is_drop else _folder_of(name)
        words = read_words((None,), start, found) if given is None and own == CURRENT_FOLDER else Positionals(own)
        view = in_places(found, run.request, flags, words.drop)
        drop_view = look_into(words, start, run.settings, view, console)
        report_drop(words, console)
        console.warn(drop_view.found.unused)
        return _explained(name, run, drop_view, view)


def _explained(name: str, run: _Run, drop_view: DropView, view: ProjectView) -> Explanation:
    """Explain the archives that a name stands for or, if there are none, the file of the project. Raises `Stop`."""
    drop, found, record = drop_view.drop, drop_view.found, view.record
    selection = choose(run.settings, drop, record=record)
    choices = selection.choices if name == drop.name else choices_named(name, selection.choices, drop.name)
    file, built = run.request.start / name, (each.path for each in selection.choices if each.is_built)
    owner = "" if choices else _owner(file, view.path, (*record.components, *built))
    names = frozenset((owner,) if owner else (each.path for each in choices if each.is_built))
    planned = partial(plan, selection, record, view.state, found)
    preview = require(planned(PlanOptions(preview=True, names=names)))
    next_run = require(planned(PlanOptions(reads_only=True, keep_going=True, names=names))) if owner else preview
    files = explain_file(file.relative_to(view.path).as_posix(), owner, preview, next_run, found) if owner else ()
    if not (choices or files):
        raise Stop(_unknown(name, drop.name, record, selection))
    run.console.warn(warnings_on(choices, selection.warnings))
    others = (each for each in selection.errors if not isinstance(each, ArchiveRejected | FileSystemProblem))
    return Explanation(
        name=name,
        drop=drop.name,
        archives=tuple(explain_archive(choice, selection.choices, run.settings, preview) for choice in choices),
        files=files,
        problems=tuple(error_event(each, run.console.context) for each in (*others, *next_run.refused)),
    )


def _owner(path: PurePath, project: PurePath, components: Iterable[str]) -> str:
    """The component that a path is in, or is; empty if there is none."""
    return next((each for each in components if path.is_relative_to(project / each)), "")


def _folder_of(name: str) -> str:
    """The drop of an archive that is named by its path; else the current folder."""
    path = PurePath(name.partition("!")[0])
    if path.suffix.lower() != ARCHIVE_SUFFIX:
        return CURRENT_FOLDER
    return str(path.parent.parent if path.parent.name in SHELVES else path.parent)


def _unknown(name: str, drop: str, record: Record, selection: Selection) -> UsageError:
    """That a name stands for nothing, with similar names: for a component that was built, its archive is gone."""
    drop = "the current folder" if drop == CURRENT_FOLDER else f"`{drop}`"
    every = f"no setting, error or warning, no archive of {drop}, no component or file of the project"
    message = f"nothing is called `{name}`: {every}"
    advice = did_you_mean(suggest_for(name, selection.choices, (*EXIT_CODES, *WARNINGS))) or WHOLE_RUN
    if name.isdecimal() and name.isascii():
        message, advice = f"`{name}` is not an exit code of tool, which are {', '.join(map(str, CODES))}", ""
    if built := next(iter(known_components(Selection(()), record).get(canonical_name(name), ())), None):
        archive = record.components[built].archive
        message = f"`{built}` was built from `{archive}`, and no archive of {drop} is that component"
        advice = "it stays until a run with `--prune`; or put an archive of it into the drop"
    return UsageError(message, "tool explain", instead=advice)
