"""Screens: their width, their colours, and whether they are read aloud
(`docs/reference/events.md`).
"""

import os
import pty
from collections.abc import Iterator, Mapping
from fcntl import ioctl
from struct import pack
from termios import TIOCSWINSZ
from typing import TextIO

import pytest

from io_edges.report.screens import screen_of
from pipeline.report.layout import Screen
from tests.support.tables import rows


@pytest.fixture
def terminal() -> Iterator[TextIO]:
    """A terminal of ninety columns."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, pack("HHHH", 24, 90, 0, 0))
    with os.fdopen(theirs, "w") as stream:
        yield stream
    os.close(ours)


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "ACCESSIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def seen(
    monkeypatch: pytest.MonkeyPatch, stream: TextIO | None, environ: Mapping[str, str]
) -> Screen:
    """The screen behind a stream, with these variables."""
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    return screen_of(stream, is_summary=True)


@pytest.mark.parametrize(
    ("environ", "columns"),
    [
        ({}, 90),
        ({"COLUMNS": "50"}, 50),
        ({"COLUMNS": "3"}, 20),
        ({"COLUMNS": "0"}, 90),
        ({"COLUMNS": "wide"}, 90),
        ({"COLUMNS": "9" * 5000}, 90),
    ],
)
def test_the_width(
    monkeypatch: pytest.MonkeyPatch, terminal: TextIO, environ: dict[str, str], columns: int
) -> None:
    """The width is that of the terminal, or `COLUMNS`; lines are not fitted to less than twenty
    columns.
    """
    assert seen(monkeypatch, terminal, environ) == Screen(
        columns, is_summary=True, is_terminal=True, colour=True
    )


def test_a_terminal_that_does_not_say_its_width(
    monkeypatch: pytest.MonkeyPatch, terminal: TextIO
) -> None:
    """A terminal that does not report its width has eighty columns."""
    ioctl(terminal.fileno(), TIOCSWINSZ, pack("HHHH", 0, 0, 0, 0))
    assert seen(monkeypatch, terminal, {}).columns == 80


@pytest.mark.parametrize(
    ("environ", "terminal_has", "pipe_has"),
    rows("screens", "colour"),
)
def test_colour(
    monkeypatch: pytest.MonkeyPatch,
    terminal: TextIO,
    environ: dict[str, str],
    terminal_has: bool,
    pipe_has: bool,
) -> None:
    """A terminal has colours, a pipe has none, and two variables override that; a pipe never has a
    width.
    """
    with open(os.devnull, "w", encoding="utf-8") as pipe:  # noqa: PTH123 - a device
        screens = [seen(monkeypatch, stream, environ) for stream in (terminal, pipe)]
    assert screens == [
        Screen(90, is_summary=True, is_terminal=True, colour=terminal_has),
        Screen(is_summary=True, colour=pipe_has),
    ]


@pytest.mark.parametrize(
    ("value", "accessible"), [("1", True), ("yes", True), ("0", False), ("", False)]
)
def test_what_is_read_aloud(
    monkeypatch: pytest.MonkeyPatch, terminal: TextIO, value: str, accessible: bool
) -> None:
    """`ACCESSIBLE` asks for sentences, unless it is empty or 0."""
    screen = seen(monkeypatch, terminal, {"ACCESSIBLE": value})
    assert (screen.accessible, screen.at_a_glance) == (accessible, True)


def test_a_stream_that_is_closed(monkeypatch: pytest.MonkeyPatch, terminal: TextIO) -> None:
    """A closed or missing stream is not a terminal."""
    terminal.close()
    assert [seen(monkeypatch, stream, {}) for stream in (terminal, None)] == [
        Screen(is_summary=True)
    ] * 2
