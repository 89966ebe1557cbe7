"""The exact text of every error and every warning (`docs/reference/events.md`).

After an intended change, `python -m tests.support.words` writes the words again.
"""

import re

from io_edges.report.exit_codes import EXIT_CODES, error_name
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.building import BadFolder
from tests.support.words import KEPT, event, every, name_of, variants, warning_codes, words


def test_the_words_are_those_that_are_kept() -> None:
    """Each example of an error or a warning has the text in the file."""
    assert words() == KEPT.read_text(encoding="utf-8")


def test_every_error_and_every_warning_has_an_example() -> None:
    """Every error and every warning has an example."""
    errors = {each.__name__ for each in variants(Error)}
    assert {*map(name_of, every())} == {*warning_codes(), *errors}


def test_every_error_says_what_to_do() -> None:
    """Every error has a help, and an exit code that exists."""
    errors = [each for each in every() if not isinstance(each, WarningDiagnostic)]
    assert [error for error in errors if not error.advice] == []
    assert {error_name(each) for each in errors} == {*EXIT_CODES} - {
        "InternalError",
        "Interrupted",
        "Terminated",
    }


def test_the_error_of_a_folder_that_a_variable_names() -> None:
    """A bad folder is a mistake of the command line or of the settings, by what names it."""
    names = [error_name(BadFolder(by, "/", "x")) for by in ("--modules-dir", "TOOL_MODULES_DIR")]
    assert names == ["UsageError", "SchemaValidationError"]


def test_words_are_whole() -> None:
    """No message or help ends in a full stop, begins with a space, or has an unfilled
    placeholder.
    """
    texts = [
        text
        for each in map(event, every())
        for text in (each.message, each.help)
        if text is not None
    ]
    assert [text for text in texts if re.search(r"\.$|^\s|\s$|\s[,;]|\{\}|``|None", text)] == []
