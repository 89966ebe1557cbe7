"""Progress: a bar on a terminal for work that takes a while, removed when it is done."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from io_edges.report.console import Console
from io_edges.report.screens import can_draw
from pipeline.report.escape import escape

DELAY: Final = 0.3
"""Seconds of work before a bar is shown. Quicker work needs neither a bar nor the time
to import it.
"""
_EVERY: Final = 0.1


Unit: TypeAlias = Literal["bytes", "files"]


class Bar(Struct):
    """The progress of a piece of work, in bytes or in files."""

    title: str = ""
    total: int | None = 0
    """The amount of work; `None` if it is unknown."""
    visible: bool = False
    """Whether the bar may be shown to a person."""
    unit: Unit = "bytes"
    since: float = 0.0
    drawn: float = 0.0
    done: int = 0
    name: str = ""
    live: Any = None

    def begin(self, name: str) -> None:
        """Show the archive or file that is being worked on."""
        self.name = name
        self.advance(0)

    def advance(self, size: int) -> None:
        """Add so many bytes or files to what is done."""
        self.done += size
        if not self.visible:
            return
        now = time.monotonic()
        if now - self.since > DELAY and now - self.drawn > _EVERY:
            self.drawn = now
            self.visible = False
            # Work goes on without a bar.
            with suppress(OSError, ValueError, ImportError, MemoryError):
                self._draw()
                self.visible = True

    def count(self) -> None:
        """Add one file to what is done."""
        self.advance(1)

    def restart(self, title: str, total: int | None) -> None:
        """Begin another piece of work."""
        self.stop()
        self.title = title
        self.total = total
        self.done = 0
        self.name = ""

    def stop(self) -> None:
        """Remove the bar from the terminal."""
        if self.live is not None:
            with suppress(OSError, ValueError):
                self.live.stop()
            self.live = None

    def _draw(self) -> None:
        if self.live is None:
            self.live = _live(self.unit)
            self.live.start()
            self.live.add_task("", total=self.total)
        self.live.update(
            0, completed=self.done, description=f"{self.title} {escape(self.name)}", refresh=True
        )


@contextmanager
def progress(console: Console, title: str, total: int, unit: Unit = "bytes") -> Iterator[Bar]:
    """Show the progress of work of `total` bytes or files, if a person is watching."""
    is_shown = console.log_format == "text" and not console.quiet and can_draw(sys.stderr)
    bar = Bar(title, total, is_shown, unit, time.monotonic())
    try:
        yield bar
    finally:
        bar.stop()


def _live(unit: Unit) -> Any:
    """A bar with the bytes and their rate, or with the number of files. It disappears when
    it is stopped.
    """
    from rich.console import Console as Terminal  # costs start-up time, and only long work needs it
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TransferSpeedColumn,
    )

    amounts: Any = (DownloadColumn(), TransferSpeedColumn())
    if unit == "files":
        amounts = (MofNCompleteColumn(), TextColumn("files"))
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), *amounts)
    return Progress(*columns, console=Terminal(stderr=True), transient=True, auto_refresh=False)
