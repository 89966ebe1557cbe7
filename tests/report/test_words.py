"""What is said of every error and every warning, to the letter (`docs/reference/events.md`).

After a change that is meant, `python -m tests.support.words` writes the words anew.
"""

import re
from collections import Counter
from inspect import getsource, isfunction

from io_edges.report.codes import EXIT_CODES
from io_edges.report.exit_codes import error_name
from io_edges.report.explanations import CODES, WARNINGS, error_part, warning_part
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import EXAMPLES, MODULES, Error
from tests.support.words import EVERY, KEPT, event, name_of, variants, words


def test_the_words_are_those_that_are_kept() -> None:
    """Each example of an error and of a warning is said in the words that are kept."""
    assert words() == KEPT.read_text(encoding="utf-8")


def test_every_error_and_every_warning_has_one_example() -> None:
    """No variant lacks the example that `tool explain` and the reference show of it, and none has two."""
    makers = {
        name.replace("_", "-")
        for module in MODULES
        for name, make in vars(module).items()
        if isfunction(make) and make.__module__ == module.__name__ and "WarningDiagnostic(" in getsource(make)
    }
    errors = {each.__name__ for each in variants(Error)}
    assert Counter(map(name_of, EXAMPLES)) == Counter(makers | errors)


def test_every_error_says_what_to_do() -> None:
    """None lacks a help, and each error has an exit code that says what happened."""
    errors = [each for each in EVERY if not isinstance(each, WarningDiagnostic)]
    assert [error for error in errors if not error.advice] == []
    assert {error_name(each) for each in errors} == {*EXIT_CODES} - {"InternalError", "Interrupted", "Terminated"}
    assert list(CODES) == [0, *sorted({*EXIT_CODES.values()})]


def test_every_error_and_warning_is_explained() -> None:
    """Each meaning is a paragraph of whole sentences."""
    parts = (*map(error_part, EXIT_CODES), *map(warning_part, WARNINGS))
    paragraphs = [each.paragraph for part in parts for each in part.meanings]
    assert [each for each in paragraphs if not re.fullmatch(r"[A-Z`].*\.", each)] == []


def test_words_are_whole() -> None:
    """No message or help ends in a full stop, begins with a space, or has anything left to be filled in."""
    texts = [text for each in map(event, EVERY) for text in (each.message, each.help) if text is not None]
    assert [text for text in texts if re.search(r"\.$|^\s|\s$|\{\}|``|None", text)] == []
