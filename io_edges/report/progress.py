"""Progress: a bar on a terminal for work that takes a while, removed when it is done."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from msgspec import Struct

from io_edges.report.console import Console
from io_edges.report.screens import can_draw
from pipeline.report.escape import escape

DELAY: Final = 0.3
"""Seconds of work before a bar is shown: quicker work needs none, nor the time to import it."""
_EVERY: Final = 0.1


class Bar(Struct):
    """The progress of a piece of work. Sizes are in bytes."""

    title: str
    total: int
    visible: bool
    """Whether anybody is watching."""
    since: float = 0.0
    drawn: float = 0.0
    done: int = 0
    name: str = ""
    live: Any = None

    def begin(self, name: str) -> None:
        """Set which archive is being worked on."""
        self.name = name
        self.advance(0)

    def advance(self, size: int) -> None:
        """Add `size` bytes to what is done."""
        self.done += size
        now = time.monotonic()
        if self.visible and now - self.since > DELAY and now - self.drawn > _EVERY:
            self.drawn = now
            self._draw()

    def _draw(self) -> None:
        if self.live is None:
            self.live = _live()
            self.live.start()
            self.live.add_task("", total=self.total)
        self.live.update(0, completed=self.done, description=f"{self.title} {escape(self.name)}", refresh=True)


@contextmanager
def progress(console: Console, title: str, total: int) -> Iterator[Bar]:
    """Show the progress of work of `total` bytes, if a person is watching."""
    is_shown = console.log_format == "text" and not console.quiet and can_draw(sys.stderr)
    bar = Bar(title, total, is_shown, time.monotonic())
    try:
        yield bar
    finally:
        if bar.live is not None:
            bar.live.stop()


def _live() -> Any:
    """A bar with the current archive, the bytes and the rate, which disappears when it is stopped."""
    from rich.console import Console as Terminal  # costs start-up time, and only long work needs it
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    return Progress(*columns, console=Terminal(stderr=True), transient=True, auto_refresh=False)
