"""Annotator: errors and warnings of a log once more, as annotations of GitHub Actions (`docs/ci.md`)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from io_edges.report.console import Console
from io_edges.report.findings import Finder
from pipeline.report.events import ErrorEvent, Event, WarningEvent
from pipeline.report.findings import annotations

LIMIT: Final = 10
"""How many errors, and how many warnings, of one step GitHub shows."""


class Annotator(Struct):
    """Makes annotations, at most `LIMIT` of a level."""

    finder: Finder
    told: Counter[str] = field(default_factory=Counter)

    def lines(self, events: Iterable[Event]) -> Iterator[str]:
        """The annotations of the errors and warnings among events."""
        for event in events:
            if isinstance(event, ErrorEvent | WarningEvent):
                finding = self.finder.of_event(event)
                self.told[finding.level] += 1
                if self.told[finding.level] <= LIMIT:
                    yield from annotations((finding,))


def annotate_in(console: Console) -> None:
    """Let a console annotate what it reports, unless the current folder, which paths are relative to, is gone."""
    with suppress(OSError):
        console.annotate = Annotator(Finder(Path.cwd())).lines
