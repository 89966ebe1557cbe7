"""Prompts: ask questions, on a terminal with questionary, or else in plain
lines (`docs/configuration.md`).
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from typing import Final, TypeAlias

from io_edges.archives.examine import look_into
from io_edges.report.console import Console
from io_edges.report.screens import can_draw, is_terminal
from io_edges.system.stop import Stop, os_errors_as_diagnostics
from pipeline.archives.archive import ArchiveFile
from pipeline.config.disk import FILE_LIMIT, Disk
from pipeline.config.layers import Assignment
from pipeline.init.questions import Known, Question, answer, fault_of, format_answer
from pipeline.report.diagnostics.configuration import too_much
from pipeline.report.diagnostics.settings import UsageError
from pipeline.report.location import Location
from pipeline.report.wording import listed

INPUT: Final = "standard input"
"""The location of answers that are read in lines."""
_MARK: Final = "\ufeff"
"""The byte order mark, which some programs put at the start of a text."""


Fault: TypeAlias = Callable[[str], str]
"""A function that returns what is wrong with a text; empty if nothing is."""
Ask: TypeAlias = Callable[[Question, str, tuple[str, ...], Fault], tuple[str, Location]]
"""A function that asks a question, given its default and choices; returns the answer and
its location.
"""


def answered(
    question: Question, default: Assignment, known: Known, ask: Ask, console: Console
) -> Assignment:
    """Ask a question, and read the answer. A person is asked again until it is valid."""
    fault = partial(fault_of, question.setting, known)
    while True:
        shown = format_answer(question.setting, default.value)
        typed, location = ask(question, shown, known.offers(question.path), fault)
        wrong = fault(typed)
        if not wrong:
            return answer(question.setting, typed, default, location)
        if not has_person():
            raise Stop(wrong_answer(question, wrong, location))
        console.prompt(f"{question.text}: {wrong}")


def wrong_answer(question: Question, wrong: str, location: Location) -> UsageError:
    """The error of a wrong answer, which names its question."""
    return UsageError(
        wrong, "tool init", question.path, location, f"{question.text}: {question.help}"
    )


def has_person() -> bool:
    """Whether there is a person who sees the questions."""
    return is_terminal(sys.stdin) and is_terminal(sys.stderr)


def has_terminal() -> bool:
    """Whether there is a person with a terminal on which lists can be drawn."""
    return has_person() and can_draw(sys.stderr)


def in_lines(console: Console) -> Ask:
    """Ask in lines: one on standard error for each question, one from standard input for
    each answer.
    """
    count = 0

    def ask(
        question: Question, default: str, offers: tuple[str, ...], _: Fault
    ) -> tuple[str, Location]:
        nonlocal count
        count += 1
        line = f"{question.text} (default {default}): {help_of(question, offers)}"
        if has_person():
            console.prompt(line)
        else:
            console.print_text(line)
        location = Location(INPUT, count, 1)
        text = _line(location, no_answer(question))
        if count == 1:
            text = text.removeprefix(_MARK)
        return text, location

    return ask


def help_of(question: Question, offers: tuple[str, ...]) -> str:
    """The help line of a question, with its choices."""
    if not offers:
        return question.help
    return f"{question.help}; in the drop: {listed(offers, mark='')}"


def known_of(files: tuple[ArchiveFile, ...], start: PurePath, disk: Disk) -> Known:
    """The facts for checking answers, with the components of the archives in a drop."""
    # A damaged file may have none.
    found = (each.component for file in files for each in look_into(file))
    components = sorted({(each.kind, each.name) for each in found if each})
    themes = tuple(name for kind, name in components if kind == "theme")
    modules = tuple(name for kind, name in components if kind == "module")
    return Known(start, disk, bool(files), themes, modules)


def no_answer(question: Question) -> UsageError:
    """The error of standard input that ends before every question is answered."""
    flag = question.setting.flag
    return UsageError(
        f"No answer for {question.path}: pass {flag}, or --yes to take the defaults", "tool init"
    )


def _line(location: Location, missing: UsageError) -> str:
    """The next line of standard input."""
    if sys.stdin is None:
        raise Stop(missing)
    with os_errors_as_diagnostics(PurePath(location.name)):
        line = sys.stdin.buffer.readline(FILE_LIMIT + 1)
    if not line:
        raise Stop(missing)
    if len(line) > FILE_LIMIT:
        raise Stop(too_much(location, "bytes", FILE_LIMIT))
    return line.decode(errors="surrogateescape")
