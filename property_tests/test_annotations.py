"""Annotations: whatever a finding says, GitHub Actions reads it back, one line each."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.report.escape import escape
from pipeline.report.findings import Finding, annotation
from tests.support.annotations import read_back

TEXT = st.text(st.characters() | st.sampled_from("%:,=\r\n \x1b\u202e"), max_size=20)
PLACES = st.integers(1, 10_000)


@given(message=TEXT, help_text=TEXT, file=TEXT.filter(bool), line=PLACES, column=PLACES)
def test_an_annotation_is_read_back(message: str, help_text: str, file: str, line: int, column: int) -> None:
    """What is read back is the finding, its text escaped as everywhere; no text begins another command."""
    finding = Finding(
        level="error", name="x", message=message, help=help_text, file=file, line=line, column=column, path="theme"
    )
    text = annotation(finding)
    advice = f"\nhelp: {escape(help_text)}" if help_text else ""
    assert "\n" not in text
    assert "\r" not in text
    assert read_back(text) == (
        "error",
        {"file": escape(file), "line": f"{line}", "col": f"{column}", "title": "x"},
        f"theme: {escape(message)}{advice}",
    )
