"""What each error means (`docs/reference/problems.md`)."""

from typing import get_args

from io_edges.report.exit_codes import DONE, EXIT_CODES
from io_edges.report.explanations import CODES, EXPLANATIONS
from io_edges.report.warning_explanations import WARNING_EXPLANATIONS
from pipeline.report.notes import Note


def test_every_error_is_explained() -> None:
    """Each error has its paragraph, in the order of the exit codes: at least what it means, why, and what to do."""
    assert list(EXPLANATIONS) == list(EXIT_CODES)
    short = [name for name, text in EXPLANATIONS.items() if text.count(". ") < 2 or not text.endswith(".")]
    assert short == []


def test_every_warning_is_explained() -> None:
    """Each warning has its paragraph: what it means, and what to do or why there is nothing to do."""
    assert sorted(WARNING_EXPLANATIONS) == sorted(str(note.__struct_config__.tag) for note in get_args(Note))
    short = [code for code, text in WARNING_EXPLANATIONS.items() if ". " not in text or not text.endswith(".")]
    assert short == []


def test_every_exit_code_says_what_happened() -> None:
    """There is a sentence for success and for the exit code of each error, in their order."""
    assert list(CODES) == sorted({DONE, *EXIT_CODES.values()})
    assert [text for text in CODES.values() if not text.endswith(".")] == []
