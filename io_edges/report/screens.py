"""Screens: the terminals of standard output and standard error, and the variables about them."""

import os
from contextlib import suppress
from typing import TextIO

from pipeline.report.layout import Screen

_USUAL = 80
"""The columns of a terminal that does not report its width."""
_NARROWEST = 20
"""The fewest columns that lines are fitted to."""


def screen_of(stream: TextIO | None, *, is_summary: bool = False, verbose: bool = False) -> Screen:
    """The screen behind a stream. A file, a pipe or a screen reader has no width."""
    terminal = is_terminal(stream)
    accessible = _is_on("ACCESSIBLE")
    columns = 0
    if terminal and not accessible:
        columns = _columns(stream)
    return Screen(
        columns=columns,
        is_summary=is_summary,
        is_terminal=terminal,
        verbose=verbose,
        colour=_has_colour(terminal),
        accessible=accessible,
    )


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person is watching."""
    with suppress(ValueError):  # it is closed
        return stream is not None and stream.isatty()
    return False


def can_draw(stream: TextIO | None) -> bool:
    """Whether a person is watching a terminal with a movable cursor, without a screen reader."""
    return is_terminal(stream) and not _is_dumb() and not _is_on("ACCESSIBLE")


def _is_dumb() -> bool:
    """Whether a terminal can neither move the cursor nor show colours."""
    return os.environ.get("TERM") in {None, "", "dumb"}


def _has_colour(terminal: bool) -> bool:
    """Whether to use colours.

    `NO_COLOR` (https://no-color.org) overrides `FORCE_COLOR` (https://force-color.org).
    """
    if os.environ.get("NO_COLOR"):
        return False
    return _is_on("FORCE_COLOR") or (terminal and not _is_dumb())


def _is_on(variable: str) -> bool:
    return os.environ.get(variable, "") not in {"", "0"}


def _columns(stream: TextIO | None) -> int:
    """The columns of a terminal, which `COLUMNS` overrides."""
    columns = 0
    asked = os.environ.get("COLUMNS", "")
    if asked.isascii() and asked.isdecimal() and len(asked) < len("10000"):
        columns = int(asked)
    if stream and not columns:
        with suppress(OSError, ValueError):
            columns = os.get_terminal_size(stream.fileno()).columns
    return max(_NARROWEST, columns or _USUAL)
