"""Terminal: ask a person with questionary."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import questionary
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.input import create_input
from prompt_toolkit.output import create_output

from io_edges.init.prompts import Ask, Fault, help_of, no_answer
from io_edges.report.console import Console
from io_edges.system.signals import held_signals
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

    def ask(
        question: Question, default: str, offers: tuple[str, ...], fault: Fault
    ) -> tuple[str, Location]:
        choices = question.setting.choices
        if question.path == "theme":
            choices = (AUTO, NONE, *offers)
        if choices:
            hint = question.help
            prompt = _select(question, default, choices)
        else:
            hint = help_of(question, offers)
            prompt = _text(question, default, fault)
        console.prompt("", *paragraph(hint, console.screen, hanging=0))
        try:
            chosen = _run(prompt.application)
        except (EOFError, OSError) as error:
            raise Stop(no_answer(question)) from error
        if chosen == default:
            return "", _TYPED
        return chosen, _TYPED

    with create_app_session(create_input(sys.stdin), create_output(sys.stderr)):
        yield ask


class _Left(Exception):  # noqa: N818 - a way out, not an error
    """Raised to leave a prompt when another process has asked the tool to end."""


def _run(application: Application[str]) -> str:
    """Run a prompt. A request to end leaves it between two events; raised within one, it would
    break the loop.
    """
    requests = list[bool]()

    def leave() -> None:
        if requests and not application.is_done:
            application.exit(exception=_Left())

    def note_request() -> None:
        requests.append(True)
        if application.loop:
            application.loop.call_soon_threadsafe(leave)

    with held_signals(note_request), suppress(_Left):
        # Its own handler knows one signal alone.
        return str(application.run(pre_run=leave, handle_sigint=False))
    return ""  # not reached: the request is raised at the end of the block


def _select(question: Question, default: str, choices: Iterable[str]) -> questionary.Question:
    titles = [questionary.Choice(escape(each), each) for each in dict.fromkeys((*choices, default))]
    return questionary.select(
        question.text, titles, default, instruction=f"(default {escape(default)})"
    )


def _text(question: Question, default: str, fault: Fault) -> questionary.Question:
    def verdict(text: str) -> str | bool:
        return escape(fault(text)) or True

    return questionary.text(f"{question.text} (default {escape(default)})", validate=verdict)
