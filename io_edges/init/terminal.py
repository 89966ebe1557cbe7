"""Terminal: ask a person, with lists to choose from, completion, and the reason why an answer is refused."""

import sys
import termios
from collections.abc import Callable, Iterable, Iterator
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
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from questionary.prompts.common import InquirerControl

from io_edges.init.prompts import Ask, Offers, help_of, no_answer
from io_edges.report.console import Console
from io_edges.system.stop import Stop, require
from pipeline.config.layers import Assignment
from pipeline.init.questions import Question, answer, spelled
from pipeline.report.escape import escape
from pipeline.report.layout import Screen, paragraph
from pipeline.report.location import Location
from pipeline.report.outcome import problems_of, value_of
from pipeline.schema import AUTO, BUNDLED, NONE, Setting

_TYPED = Location("the answer")
_STYLE = questionary.Style([("selected", "noreverse"), ("pointer", "bold")])
"""Only the pointer marks what is about to be chosen: the default does not stand out as well."""
NARROWEST = 20
"""The fewest columns that help is laid out in."""
_OTHER = ""
"""The choice in the list of themes for typing something else."""
_KEYS = "Space chooses; type to find a module, or type another name or a pattern such as shop_*, and then Space"
"""The help of the list of modules."""


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
    """Ask, until the answer is valid."""
    with _session() as screen:

        def ask(question: Question, default: Assignment, offers: Offers, typed: str = "", /) -> Assignment:
            lines = Screen(max(NARROWEST, screen.get_size().columns) - 1)
            listed = _KEYS if _is_list_of_boxes(question, offers) else question.help if question.path == "theme" else ""
            console.prompt("", *paragraph(listed or help_of(question, offers), lines, hanging=0))
            try:
                while True:
                    typed = _ask(question, default, offers, typed)
                    result = answer(question.setting, typed, default, _TYPED)
                    wrong = problems_of(result)
                    if not wrong:
                        return require(result)
                    console.prompt(*paragraph(f"error: {wrong[0].setting}: {wrong[0].message}", lines, hanging=0))
            except (EOFError, OSError) as error:
                raise Stop(no_answer(question)) from error

        yield ask


def _ask(question: Question, default: Assignment, offers: Offers, typed: str) -> str:
    """Show one prompt and return what was typed or chosen."""
    setting, default_text = question.setting, spelled(question.setting, default.value)
    if setting.choices:
        return _said(_select(question, default_text, setting.choices), default_text)
    if setting.path == "theme" and not typed:
        chosen = _select(question, default_text, dict.fromkeys((AUTO, NONE, *offers, default_text, _OTHER)))
        if chosen != _OTHER:
            return _said(chosen, default_text)
    if _is_list_of_boxes(question, offers):
        return _said(spelled(setting, _check(question, default, offers)), default_text)
    message = f"{question.text} (default {escape(default_text)})"
    return str(_run(questionary.text(message, typed, completer=_completer(setting, offers), reserve_space_for_menu=4)))


def _is_list_of_boxes(question: Question, offers: Offers) -> bool:
    return question.path == "modules.exclude" and bool(offers)


def _said(chosen: str, default_text: str) -> str:
    """What was chosen, as if typed: the default is the empty answer."""
    return "" if chosen == default_text else chosen


def _select(question: Question, default_text: str, choices: Iterable[str]) -> str:
    titles = [questionary.Choice(escape(each) or "something else: type it", each) for each in choices]
    prompt = questionary.select(
        question.text, titles, default_text, style=_STYLE, instruction=f"(default {escape(default_text)})"
    )
    return str(_run(prompt))


def _check(question: Question, default: Assignment, offers: Offers) -> tuple[str, ...]:
    """Let modules be checked in a list. Space checks or unchecks, and Enter goes on, unless something is typed."""
    names = dict.fromkeys((*default.strings, *offers))
    choices = [questionary.Choice(escape(each), each, checked=each in default.strings) for each in names]
    hint = f"(default {escape(spelled(question.setting, default.value))})"
    prompt = questionary.checkbox(
        question.text, choices, style=_STYLE, use_jk_keys=False, use_search_filter=True, instruction=hint
    )
    control = next(each for each in prompt.application.layout.find_all_controls() if isinstance(each, InquirerControl))
    return tuple(_run(prompt, _typing(control, lambda text: value_of(answer(question.setting, text, default, _TYPED)))))


def _typing(control: InquirerControl, read: Callable[[str], Assignment | None]) -> KeyBindings:
    """Keys of a list in which what is typed finds a choice: Space or Enter checks that, or adds what is not found."""
    bindings, is_typing = KeyBindings(), Condition(lambda: bool(control.search_filter))

    def add(names: Iterable[str]) -> None:
        for name in names:
            if name not in (choices := [each.value for each in control.choices]):
                control.choices.append(questionary.Choice(escape(name), name))
            control.selected_options += [name] * (name not in control.selected_options)
            control.search_filter, control.pointed_at = None, [*choices, name].index(name)

    def add_typed(text: str) -> None:
        add(assignment.strings if (assignment := read(text)) else ())

    @bindings.add(" ", eager=True, filter=is_typing)
    @bindings.add("enter", eager=True, filter=is_typing)
    def _(_: KeyPressEvent) -> None:
        found = control.filtered_choices
        if found is control.choices:
            add_typed(str(control.search_filter))
        else:
            add((found[control.pointed_at].value,))

    bindings.add(Keys.BracketedPaste)(lambda event: add_typed(event.data))
    for key in ("tab", "c-a"):  # they would choose what is not shown
        bindings.add(key, eager=True)(lambda _: None)
    return bindings


def _run(prompt: questionary.Question, bindings: KeyBindings | None = None) -> Any:
    """Run a prompt; an interrupt ends it, and so does the end of input, wherever the cursor is."""
    bindings = bindings or KeyBindings()

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
