"""Prompts: ask a question: on a terminal with lists and completion, else in plain lines (`docs/init.md`)."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Final, Protocol, TypeAlias

from io_edges.archives.examine import look_into
from io_edges.report.console import Console
from io_edges.report.prose import LISTED
from io_edges.system.stop import Stop, os_errors_as_problems, require
from pipeline.archives.archive import ArchiveFile, Component
from pipeline.config.json_places import FILE_LIMIT
from pipeline.config.layers import Origin
from pipeline.init.questions import Question, answer, spelled
from pipeline.report.problems import LimitExceeded, UsageError
from pipeline.report.source import Source

Offers: TypeAlias = tuple[str, ...]
"""What a question offers to choose from."""


_MARK: Final = "\ufeff"
"""The byte order mark that some programs put at the start of a text."""


class Ask(Protocol):
    """Asks one question and returns its answer. Raises `Stop`."""

    def __call__(self, question: Question, default: Origin, offers: Offers, typed: str = "", /) -> Origin:
        """Ask; on a terminal, what was typed before can be corrected."""
        ...


def has_terminal() -> bool:
    """Whether there is a person to ask, who can see the question."""
    able = os.environ.get("TERM") not in {None, "", "dumb"}
    return able and all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


@contextmanager
def in_lines(console: Console) -> Iterator[Ask]:
    """Ask in lines: one on standard error for each question, one from standard input for each answer."""
    count = 0

    def ask(question: Question, default: Origin, offers: Offers, _: str = "", /) -> Origin:
        nonlocal count
        count += 1
        default_text = spelled(question.leaf, default.value)
        console.say(f"{question.text} (default {default_text}): {help_of(question, offers)}")
        source = Source("standard input", count, 1)
        text = _line(question, source)
        return require(answer(question.leaf, text.removeprefix(_MARK) if count == 1 else text, default, source))

    yield ask


def help_of(question: Question, offers: Offers) -> str:
    """The help line of a question, with what there is to choose from."""
    names = ", ".join(offers[:LISTED]) + (f" and {len(offers) - LISTED} more" if offers[LISTED:] else "")
    return f"{question.help}; in the drop: {names}" if offers else question.help


def offers_of(files: tuple[ArchiveFile, ...]) -> dict[str, Offers]:
    """What there is to choose from, by the path of the question."""
    components = sorted({(each.kind, each.name) for file in files for each in _components(file)})
    return {
        "theme": tuple(name for kind, name in components if kind == "theme"),
        "modules.exclude": tuple(name for kind, name in components if kind == "module"),
    }


def _components(file: ArchiveFile) -> tuple[Component, ...]:
    """The components in an archive; in a damaged one there may be none that can be recognised."""
    return tuple(each.component for each in look_into(file) if each.component)


def no_answer(question: Question) -> UsageError:
    """The problem that standard input ends before every question is answered."""
    flag = question.leaf.flag
    return UsageError(f"No answer for {question.path}: pass {flag}, or --yes to take the defaults", "tool init")


def _line(question: Question, source: Source) -> str:
    """The next line of standard input."""
    with os_errors_as_problems(PurePath(source.name)):
        line = sys.stdin.buffer.readline(FILE_LIMIT + 1) if sys.stdin is not None else b""
    if not line:
        raise Stop(no_answer(question))
    if len(line) > FILE_LIMIT:
        raise Stop(LimitExceeded(source, "bytes", FILE_LIMIT))
    return line.decode(errors="surrogateescape")
