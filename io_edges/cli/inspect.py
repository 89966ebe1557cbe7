"""Inspect: the command that shows what archives and components are, and why they are
built or not.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Annotated

from cyclopts import Parameter
from toolz import concat, unique

from io_edges.archives.data import Damage
from io_edges.archives.examine import look_into
from io_edges.archives.find import find_archives, find_unused
from io_edges.archives.zips import Opener
from io_edges.building.project import ProjectView, view_project
from io_edges.building.view import probe_of
from io_edges.cli.flags import FilePath, PlacesFlags, SettingFlags, as_typed, not_empty
from io_edges.cli.scope import decide_places, read_only_scope
from io_edges.cli.session import (
    CURRENT_FOLDER,
    RunConsole,
    begin,
    project_path,
    read_request,
    start_folder,
)
from io_edges.cli.words import is_component
from io_edges.report.console import Console, print_line
from io_edges.system.stop import Stop, problem_of
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.inspection import (
    Inspection,
    bundle,
    flaw_of,
    inspection,
    inspection_lines,
    inspection_table,
)
from pipeline.building.names import canonical_name
from pipeline.building.showing.foreign import folders_on_disk
from pipeline.building.showing.inspections import inspections_of
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.archives import ArchiveRejected, Flaw
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.schema import AUTO, is_archive_name
from pipeline.values import replace


class InspectFlags(PlacesFlags):
    """The flags of `tool inspect` besides the settings."""

    shows_unread = False

    @property
    def is_of_disk(self) -> bool:
        """Whether NAME may be a component that is only on disk."""
        return True


def inspect(
    *words: Annotated[
        FilePath,
        Parameter(
            converter=as_typed,
            validator=not_empty,
            name="ARCHIVE|FOLDER|NAME",
            required=True,
            help="Archives, folders with archives, or components of the drop or the project.",
        ),
    ],
    flags: InspectFlags = InspectFlags(),
    settings: SettingFlags = SettingFlags(),
    console: RunConsole,
) -> None:
    """Print what an archive or a component is, and why it is built or not.

    No configuration is read for archives and folders.
    The drop of a NAME is the FOLDER before it, or that of a run.

    Examples:
      Show what each archive in drop/ is:
        tool inspect drop
      Show why a module of drop/ is built or not:
        tool inspect drop shop_banner

    Documentation: docs/archives.md
    """
    console.set_verbosity(quiet=flags.quiet, verbose=flags.verbose)
    names = list[str]()
    folders = list[str]()
    archives = list[str]()
    for word in words:
        if _is_name(word, flags):
            names.append(word)
        elif _is_folder(word):
            folders.append(word)
        else:
            archives.append(word)
    errors: tuple[Error, ...] = ()
    if not names:
        errors = _inspect_archives(words, console)
    elif archives:
        errors = _inspect_archives(archives, console)
    if names:
        request = read_request(flags, settings, console)
        run = begin(request, flags, (next(iter(folders), None), *names), console)
        with read_only_scope(run) as scope:
            reader = scope.drop_view.reader
            inspections = inspections_of(
                scope.in_scope, scope.names or frozenset(), scope.view.record, reader
            )
            _print(inspection_lines(inspections, console.log_format, console.product_screen))
        errors = (*errors, *scope.in_scope.errors)
    if errors:
        raise Stop(*errors)


def _is_name(word: str, flags: PlacesFlags) -> bool:
    """Whether a word names a component: it is no file or folder, or it is a component's folder
    without archives.
    """
    if not _is_folder(word):
        return not is_archive_name(word) and not os.path.exists(word)  # noqa: PTH110 - any text
    start = start_folder()
    with view_project(project_path(start, flags.output), Console(quiet=True)) as view:
        return is_component(word, start, view) or _is_on_disk(word, view, flags)


def _is_on_disk(word: str, view: ProjectView, flags: PlacesFlags) -> bool:
    """Whether a folder without archives is in a target folder of the project."""
    request = read_request(flags, SettingFlags(), Console(quiet=True))
    if request.start != view.path or find_archives(word, request.start, AUTO):
        return False
    places = decide_places(view, request, flags, CURRENT_FOLDER).record.places
    return canonical_name(word) in folders_on_disk(places, probe_of(view.path))


def _is_folder(name: str) -> bool:
    return os.path.isdir(name)  # noqa: PTH112 - which looks at any text, also one that is no path


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print_line(line)


def _inspect_archives(archives: Sequence[str], console: Console) -> tuple[Error, ...]:
    """Print what archives are, several as a table; return their errors."""
    in_table = console.log_format == "text" and (len(archives) > 1 or _is_folder(archives[0]))
    errors = list[Error]()
    warnings = list[WarningDiagnostic]()
    rows = list[Inspection]()
    flaws = dict[str, Flaw]()
    for path in _archives(archives, errors, console):
        examined = _read_whole(_examined(path))
        errors += unique(concat(archive.refusals for archive in examined))
        warnings += concat(archive.warnings for archive in examined)
        if in_table:
            rows += _inspections(examined)
            flaws |= {
                archive.file.display_path: flaw_of(archive.refusals[0])
                for archive in examined
                if archive.refusals
            }
        else:
            _print(
                inspection_lines(_inspections(examined), console.log_format, console.product_screen)
            )
    _print(inspection_table(rows, flaws, console.product_screen))
    console.warn(warnings)
    return tuple(errors)


def _archives(names: Sequence[str], errors: list[Error], console: Console) -> Iterator[str]:
    """The archives among the names and in folders among them; folders that cannot be listed go
    to `errors`.
    """
    for name in names:
        if not _is_folder(name):
            yield name
            continue
        try:
            files = find_archives(name, PurePath(), AUTO)
            console.warn(find_unused(name, PurePath()))
        except Stop as stop:
            errors += stop.errors
            continue
        for file in files:
            yield str(PurePath(name, file.display_path))
        if not files:
            console.print_text(f"no archives in `{name}`")


def _examined(archive: str) -> tuple[Archive, ...]:
    """Examine an archive. Only regular files are opened, since reading others might never end."""
    path = Path(archive)
    file = ArchiveFile(path=path, display_path=archive)
    try:
        if path.is_file() or not path.exists():
            return look_into(file)
        problem = FileSystemProblem(archive, "not a regular file", "not regular")
    except OSError as error:
        problem = problem_of(archive, error)
    return (Archive(file=file, refusals=(problem,)),)


def _read_whole(archives: Iterable[Archive]) -> list[Archive]:
    """Read everything that would be extracted from archives; refuse damaged ones."""
    checked = list[Archive]()
    with Opener() as opener:
        for archive in archives:
            if archive.refusals:
                checked.append(archive)
            else:
                checked.append(replace(archive, refusals=_damage(archive, opener)))
    return checked


def _inspections(examined: Sequence[Archive]) -> Iterator[Inspection]:
    """The inspections of one file: first the bundle, if it is one; none for a file that
    cannot be read.
    """
    inspections = list[Inspection]()
    for archive in examined:
        if not any(isinstance(refusal, FileSystemProblem) for refusal in archive.refusals):
            inspections.append(inspection(archive))
    file = examined[0].file
    if file.member:
        yield bundle(file.whole, tuple(inspections))
    elif len(inspections) > 1:
        whole, *members = inspections
        inspections[0] = replace(whole, members=tuple(member.archive for member in members))
    yield from inspections


def _damage(archive: Archive, opener: Opener) -> tuple[ArchiveRejected | FileSystemProblem, ...]:
    """The first error in reading everything that would be extracted from an archive, if
    there is one.
    """
    try:
        if archive.component:
            opened = opener.open(archive.file)
            for entry in opened.index.below(archive.component.root):
                if entry.kind == "file":
                    deque(opened.chunks(entry), maxlen=0)
    except Damage as damage:
        return (damage.rejection_of(archive.file),)
    except OSError as error:
        return (problem_of(archive.file.path, error),)
    return ()
