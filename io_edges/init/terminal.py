"""Terminal: ask a person, with lists to choose from, and completion."""

import sys
import termios
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import questionary
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import (
    CompleteEvent,
    Completer,
    Completion,
    PathCompleter,
    WordCompleter,
    merge_completers,
)
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output

from io_edges.init.prompts import Ask, Offers, help_of, no_answer
from io_edges.report.console import Console
from io_edges.system.stop import Stop
from pipeline.init.questions import Question
from pipeline.report.escape import escape
from pipeline.report.layout import Screen, paragraph
from pipeline.report.location import Location
from pipeline.schema import AUTO, BUNDLED, NONE, Setting

_TYPED = Location("the answer")
_STYLE = questionary.Style([("selected", "noreverse"), ("pointer", "bold")])
"""Only the pointer marks what is about to be chosen: the default does not stand out as well."""
NARROWEST = 20
"""The fewest columns that help is laid out in."""
_OTHER = ""
"""The choice in the list of themes for typing something else."""


class _Harmless(Completer):
    """Offers only completions whose text needs no escaping, and escapes what is displayed."""

    def __init__(self, inner: Completer) -> None:
        self.inner = inner

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        for found in self.inner.get_completions(document, complete_event):
            if escape(found.text) == found.text:
                yield Completion(found.text, found.start_position, escape(found.display_text))


class _LastItem(Completer):
    """Completes the last of several items that are separated by commas."""

    def __init__(self, inner: Completer) -> None:
        self.inner = inner

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        item = document.text_before_cursor.rpartition(",")[2].lstrip()
        return self.inner.get_completions(Document(item), complete_event)


@contextmanager
def unechoed(descriptor: int) -> Iterator[None]:
    """Hide what is typed between two prompts, and keep it for the next one. Control keys still send signals."""
    before = termios.tcgetattr(descriptor)
    modes = [*before[:3], before[3] & ~(termios.ECHO | termios.ICANON), *before[4:]]
    termios.tcsetattr(descriptor, termios.TCSANOW, modes)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(descriptor, termios.TCSANOW, before)


@contextmanager
def _session() -> Iterator[Output]:
    """Use the terminal that standard input and standard error are connected to."""
    keys, screen = create_input(sys.stdin), create_output(sys.stderr)
    if isinstance(screen, Vt100_Output):
        screen.enable_cpr = False  # it would wait for a terminal that does not report its cursor position
    with create_app_session(keys, screen), unechoed(keys.fileno()):
        yield screen


@contextmanager
def on_terminal(console: Console) -> Iterator[Ask]:
    """Ask with lists and completion."""
    with _session() as screen:

        def ask(question: Question, default: str, offers: Offers, typed: str, /) -> tuple[str, Location]:
            if not typed:
                hint = question.help if question.path == "theme" else help_of(question, offers)
                lines = Screen(max(NARROWEST, screen.get_size().columns) - 1)
                console.prompt("", *paragraph(hint, lines, hanging=0))
            try:
                return _ask(question, default, offers, typed), _TYPED
            except (EOFError, OSError) as error:
                raise Stop(no_answer(question)) from error

        yield ask


def _ask(question: Question, default: str, offers: Offers, typed: str) -> str:
    """Show one prompt and return what was typed or chosen."""
    setting = question.setting
    if setting.choices:
        return _as_typed(_select(question, default, setting.choices), default)
    if setting.path == "theme" and not typed:
        chosen = _select(question, default, dict.fromkeys((AUTO, NONE, *offers, default, _OTHER)))
        if chosen != _OTHER:
            return _as_typed(chosen, default)
    message = f"{question.text} (default {escape(default)})"
    return str(_run(questionary.text(message, typed, completer=_completer(setting, offers), reserve_space_for_menu=4)))


def _as_typed(chosen: str, default: str) -> str:
    """What was chosen, as if typed: the default is the empty answer."""
    return "" if chosen == default else chosen


def _select(question: Question, default: str, choices: Iterable[str]) -> str:
    titles = [questionary.Choice(escape(each) or "something else: type it", each) for each in choices]
    prompt = questionary.select(
        question.text, titles, default, style=_STYLE, instruction=f"(default {escape(default)})"
    )
    return str(_run(prompt))


def _run(prompt: questionary.Question) -> Any:
    """Run a prompt; an interrupt ends it, and so does the end of input, wherever the cursor is."""
    bindings = KeyBindings()

    @bindings.add("c-d")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError)

    @bindings.add("<sigint>")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt)

    prompt.application.key_bindings = merge_key_bindings([prompt.application.key_bindings or KeyBindings(), bindings])
    return prompt.unsafe_ask()


def _completer(setting: Setting, offers: Offers) -> Completer:
    """Complete what the question offers, and paths if the value may be one."""
    words = WordCompleter(list(BUNDLED if setting.path == "presets" else offers), sentence=True)
    paths = PathCompleter(only_directories=setting.paths == "paths")
    both = _Harmless(merge_completers([words, paths]) if setting.paths != "no" else words)
    return _LastItem(both) if setting.type == "strings" else both
