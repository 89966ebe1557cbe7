"""Findings: the diagnostics of a check or a log, for programs (`docs/howto/git-and-ci.md`)."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from io_edges.report.console import Console, error_event
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.configuration import ConfigNotFound, ConfigUnreadable
from pipeline.report.diagnostics.scripts import ScriptRuntimeUnavailable
from pipeline.report.events import ErrorEvent, Event, WarningEvent
from pipeline.report.findings import Finding, annotation

LIMIT: Final = 10
"""How many errors, and how many warnings, of one step GitHub shows."""
_PLACE: Final = re.compile(r"(.+):(\d+):(\d+)")
_NO_FILE: Final = ("--", "TOOL_", "preset:", "built-in")
"""How a source without a line begins that is a flag, a variable, a bundled preset or a default."""


class Finder(Struct, frozen=True):
    """Makes findings in a current folder, whose files are named from the root of its repository."""

    start: PurePath

    @property
    def root(self) -> PurePath:
        """The nearest folder with `.git`; without one that can be looked into, the current folder."""
        return next((each for each in (self.start, *self.start.parents) if os.path.lexists(each / ".git")), self.start)

    def of_error(self, error: Error) -> Finding:
        """The finding of an error."""
        event = error_event(error)
        if isinstance(error, ConfigNotFound | ConfigUnreadable | ScriptRuntimeUnavailable):
            event = replace(event, source=error.file)
        return replace(self.of_event(event), path=event.path, message=error.message)

    def of_event(self, event: ErrorEvent | WarningEvent) -> Finding:
        """The finding of a line of the log."""
        file, line, column = self._place(event.source or "")
        return Finding(
            level="error" if isinstance(event, ErrorEvent) else "warning",
            name=event.error if isinstance(event, ErrorEvent) else event.code,
            message=event.message,
            help=event.help or "",
            source=event.source,
            file=file,
            line=line,
            column=column,
        )

    def _place(self, source: str) -> tuple[str, int, int]:
        """The file, line and column of a source; empty and 0 if it is in no file."""
        place = _PLACE.fullmatch(source)
        name, line, column = (place[1], int(place[2]), int(place[3])) if place else (source, 0, 0)
        if not name or (not line and name.startswith(_NO_FILE)):
            return "", 0, 0
        path = PurePath(os.path.normpath(self.start / name))
        relative = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        return relative.as_posix(), line, column


def annotate_in(console: Console) -> None:
    """Let a console annotate what it reports, unless the current folder, which paths are relative to, is gone."""
    with suppress(OSError):
        finder, reported = Finder(Path.cwd()), Counter[str]()
        console.annotate = lambda events: _annotated(events, finder, reported)


def _annotated(events: Iterable[Event], finder: Finder, reported: Counter[str]) -> Iterator[str]:
    """Errors and warnings of a log as annotations of GitHub Actions, at most `LIMIT` of a level in all."""
    for event in events:
        if isinstance(event, ErrorEvent | WarningEvent):
            finding = finder.of_event(event)
            reported[finding.level] += 1
            if reported[finding.level] <= LIMIT:
                yield annotation(finding)
