"""The progress bar of long work (`docs/reference/events.md`)."""

import os
import pty
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, suppress
from pathlib import Path
from typing import TextIO

import pytest
from msgspec import Struct

from io_edges.report import progress
from io_edges.report.console import Console


class Terminal(Struct, frozen=True):
    """A terminal: what is written to, and the descriptor that gives what is on it."""

    stream: TextIO
    master: int

    def work(self, console: Console) -> str:
        """Read two archives of 3 MB in all; give what came to the terminal."""
        work(self.stream, console)
        return self.shown()

    def shown(self) -> str:
        """Give what came to the terminal since it was asked for last."""
        found = b""
        os.set_blocking(self.master, False)
        with suppress(BlockingIOError):
            while piece := os.read(self.master, 100_000):
                found += piece
        return found.decode()


def work(stream: TextIO, console: Console) -> None:
    """Read two archives of 3 MB in all, with standard error going to a stream."""
    with redirect_stderr(stream), progress.progress(console, "reading", 3_000_000) as bar:
        bar.begin("a.zip")
        bar.advance(1_000_000)
        bar.begin("b\x1b[31m.zip")
        bar.advance(2_000_000)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    """A terminal without colours, on which all work is worth a bar."""
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    for name, value in (("TERM", "xterm"), ("COLUMNS", "100"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as stream:
        yield Terminal(stream, master)
    os.close(master)


def test_long_work_has_a_bar(terminal: Terminal) -> None:
    """The bar shows the current archive, escaped, with bytes and rate, and is erased when the
    work is done.
    """
    shown = terminal.work(Console())
    texts = ("reading a.zip", "reading b\\x1b[31m.zip", "1.0/3.0 MB", "3.0/3.0 MB", "B/s")
    assert [text for text in texts if text not in shown] == []
    assert "\x1b[31m" not in shown
    assert shown.endswith("\x1b[1A\x1b[2K")


def test_work_that_is_counted_in_files(terminal: Terminal) -> None:
    """The bar shows how many files are done, and of how many, if that is known; other work gets
    another bar.
    """
    with (
        redirect_stderr(terminal.stream),
        progress.progress(Console(), "putting in place", 7500, "files") as bar,
    ):
        bar.begin("modules/m")
        bar.count()
        bar.restart("removing", None)
        bar.count()
    shown = terminal.shown()
    texts = ("putting in place modules/m", "1/7500 files", "removing", "1/? files")
    assert [text for text in texts if text not in shown] == []
    assert shown.count("\x1b[1A\x1b[2K") >= 2


def test_a_bar_that_cannot_be_drawn(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a bar cannot be drawn, the work is done all the same, and no other bar is tried."""
    tried = list[object]()

    def refused(unit: object) -> None:
        tried.append(unit)
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(progress, "_live", refused)
    assert (terminal.work(Console()), tried) == ("", ["bytes"])


@pytest.mark.parametrize("console", [Console(quiet=True), Console(log_format="json")])
def test_who_wants_no_bar(terminal: Terminal, console: Console) -> None:
    """With `--quiet`, or a log that a program reads, there is no bar, even on a terminal."""
    assert terminal.work(console) == ""


@pytest.mark.parametrize(("variable", "value"), [("ACCESSIBLE", "1"), ("TERM", "dumb")])
def test_where_no_bar_is_drawn(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    """With `ACCESSIBLE=1`, and on a dumb terminal, no bar is drawn."""
    monkeypatch.setenv(variable, value)
    assert terminal.work(Console()) == ""


def test_quick_work_has_no_bar(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is done at once has no bar, and does not import what draws it."""
    monkeypatch.setattr(progress, "DELAY", 60.0)
    monkeypatch.delitem(sys.modules, "rich.progress", raising=False)
    assert terminal.work(Console()) == ""
    assert "rich.progress" not in sys.modules


def test_without_a_terminal_there_is_no_bar(terminal: Terminal, tmp_path: Path) -> None:
    """In a file or a pipe there are only lines."""
    with (tmp_path / "log").open("w", encoding="utf-8") as log:
        work(log, Console())
    assert (tmp_path / "log").read_text(encoding="utf-8") == ""
