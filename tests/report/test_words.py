"""What is said of every problem and every note, to the letter (`docs/output.md`).

After a change that is meant, `python -m tests.support.words` writes the words anew.
"""

import re

from io_edges.report.console import error_event
from io_edges.report.exit_codes import EXIT_CODES, error_name
from io_edges.report.explanations import EXPLANATIONS
from io_edges.report.warnings import warning
from tests.support.words import ALL, KEPT, NOTES, PROBLEMS, words


def test_the_words_are_those_that_are_kept() -> None:
    """Each example of a problem and of a note is said in the words that are kept, in text and as JSON."""
    assert words() == KEPT.read_text(encoding="utf-8")


def test_every_problem_and_every_note_has_its_words() -> None:
    """No variant lacks an example."""
    assert ({*map(type, PROBLEMS)}, {*map(type, NOTES)}) == ALL


def test_every_problem_says_what_to_do() -> None:
    """None lacks a help, and each error has a name that is explained and has an exit code."""
    assert [problem for problem in PROBLEMS if not error_event(problem).help] == []
    names = {error_name(problem) for problem in PROBLEMS}
    assert names == {*EXPLANATIONS} - {"InternalError", "Interrupted", "Terminated"}
    assert names <= {*EXIT_CODES}


def test_words_are_whole() -> None:
    """No message or help ends in a full stop, begins with a space, or has anything left to be filled in."""
    events = (*map(error_event, PROBLEMS), *map(warning, NOTES))
    texts = [text for event in events for text in (event.message, event.help) if text is not None]
    assert [text for text in texts if re.search(r"\.$|^\s|\s$|\{\}|``|None", text)] == []
