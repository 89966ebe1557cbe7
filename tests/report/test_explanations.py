"""What each error means (`docs/reference/exit-codes.md`)."""

from io_edges.report.exit_codes import EXIT_CODES
from io_edges.report.explanations import EXPLANATIONS


def test_every_error_is_explained() -> None:
    """Each error has its paragraph, in the order of the exit codes: at least what it means, why, and what to do."""
    assert list(EXPLANATIONS) == list(EXIT_CODES)
    short = [name for name, text in EXPLANATIONS.items() if text.count(". ") < 2 or not text.endswith(".")]
    assert short == []
