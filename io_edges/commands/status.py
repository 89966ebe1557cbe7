"""Status: the command that shows what is built, and what differs from the record and the drop (`docs/everyday.md`)."""

import sys
from collections.abc import Iterable

from msgspec import Struct
from toolz import concat, unique

from io_edges.archives.find import find_archives, find_unused
from io_edges.building.ahead import look_ahead, would_be_built
from io_edges.building.cache import open_cache
from io_edges.building.project import ProjectView, look_at_project, project_path
from io_edges.commands.choose import cache_file, choose
from io_edges.disk import real_disk
from io_edges.report.console import Console, print_line
from io_edges.report.places import Bases
from io_edges.report.screens import screen_of
from io_edges.report.wording import listed
from io_edges.system.stop import Stop, require
from pipeline.building.departures import departures
from pipeline.building.status import status_events
from pipeline.emit import emit
from pipeline.report.drop_notes import NothingToBuild
from pipeline.report.events import StatusEvent
from pipeline.report.layout import paragraph
from pipeline.report.run_notes import ConflictAhead
from pipeline.resolve import Request, resolve


class StatusRun(Struct, frozen=True):
    """One run of the command. `drop` and `output` are the folders as the user wrote them."""

    request: Request
    drop: str
    output: str
    console: Console


def status(run: StatusRun) -> None:
    """Print each component that is built or selected, and what differs. Reads only. Raises `Stop`."""
    start, console = run.request.start, run.console
    resolution = require(resolve(run.request, real_disk(start, console, no_exec=run.request.no_exec)))
    settings = resolution.settings
    console.log_format = settings.log_format
    console.warn(settings.notes)
    path = project_path(start, run.output)
    console.bases = Bases(run.drop, run.output, start, settings.lists_below)
    with look_at_project(path, console) as view:
        cache = open_cache(cache_file(settings, view), view.path, console)
        files = find_archives(run.drop, start, settings.theme)
        selection = choose(settings, files, run.drop, cache, console)
        console.warn(find_unused(run.drop, start))
        console.warn(note for note in selection.notes if not isinstance(note, NothingToBuild))
        selected = tuple(filter(would_be_built, selection.choices))
        paths = [*unique((*view.record.components, *(choice.component.path for choice in selected)))]
        ahead = look_ahead(paths, selected, view, cache)
        leaving = departures(view.record, selection)
        events = tuple(status_events(ahead.record, selected, leaving, ahead.targets, ahead.conflicts))
        others = _others(view, events) if console.verbose else ()
    _print(events, others, console)
    if disputed := tuple(concat(each.disputed for each in ahead.conflicts)):
        console.warn((ConflictAhead(disputed),))
    if problems := (*selection.problems, *ahead.refused):
        raise Stop(*problems)


def _others(view: ProjectView, events: Iterable[StatusEvent]) -> tuple[str, ...]:
    """The folders beside the components that are in no record and come from no archive: mostly of the system itself."""
    known, others = {event.path for event in events}, set[str]()
    for shelf in ("modules", "themes"):
        if view.folder and view.folder.status(shelf) and not view.folder.obstacle(shelf):
            with view.folder.inner(shelf) as folder:
                names = (name for name, is_folder in folder.entries() if is_folder and not name.startswith("."))
                others |= {f"{shelf}/{name}" for name in names}
    return tuple(sorted(others - known))


def _print(events: tuple[StatusEvent, ...], others: tuple[str, ...], console: Console) -> None:
    """Print the events; with `--verbose`, text has the files that differ and other folders; else a screen is brief."""
    screen = screen_of(sys.stdout, brief=not console.verbose, verbose=console.verbose)
    for line in emit(events, console.log_format, screen):
        print_line(line)
    if others and console.log_format == "text":
        for line in paragraph(listed(others, len(others)), screen, "in no record: "):
            print_line(line)
    if not events:
        console.say("nothing is built, and nothing is selected")
