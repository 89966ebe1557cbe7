"""Terminal: ask a person with questionary."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import questionary
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_input
from prompt_toolkit.output import create_output

from io_edges.init.prompts import Ask, Fault, help_of, no_answer
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.init.questions import Question
from pipeline.report.escape import escape
from pipeline.report.layout import paragraph
from pipeline.report.location import Location
from pipeline.schema import AUTO, NONE

_TYPED = Location("the answer")


@contextmanager
def on_terminal(console: Console) -> Iterator[Ask]:
    """Ask on the terminal that standard input and standard error are connected to."""

    def ask(question: Question, default: str, offers: tuple[str, ...], fault: Fault) -> tuple[str, Location]:
        choices = (AUTO, NONE, *offers) if question.path == "theme" else question.setting.choices
        hint = question.help if choices else help_of(question, offers)
        console.prompt("", *paragraph(hint, console.screen, hanging=0))
        prompt = _select(question, default, choices) if choices else _text(question, default, fault)
        try:
            chosen = str(prompt.application.run(handle_sigint=False))  # else a list ignores a signal
        except (EOFError, OSError) as error:
            raise Stop(no_answer(question)) from error
        return "" if chosen == default else chosen, _TYPED  # the default is the empty answer

    with create_app_session(create_input(sys.stdin), create_output(sys.stderr)):
        yield ask


def _select(question: Question, default: str, choices: Iterable[str]) -> questionary.Question:
    titles = [questionary.Choice(escape(each), each) for each in dict.fromkeys((*choices, default))]
    return questionary.select(question.text, titles, default, instruction=f"(default {escape(default)})")


def _text(question: Question, default: str, fault: Fault) -> questionary.Question:
    def verdict(text: str) -> str | bool:
        return escape(fault(text)) or True

    return questionary.text(f"{question.text} (default {escape(default)})", validate=verdict)
