"""Laws of layout: no word is lost, and a line is too wide only if it is a single word
(`docs/reference/events.md`).
"""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.report.escape import width
from pipeline.report.layout import Row, Screen, paragraph, table

WORDS = st.text(st.sampled_from("ab日e\u0301"), min_size=1, max_size=30)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@given(TEXTS, st.integers(20, 130))
def test_every_paragraph_fits(text: str, columns: int) -> None:
    """No word is lost or changed, and a line is too wide only if it is one word behind its
    indent or lead.
    """
    first, *rest = paragraph(text, Screen(columns), "warning: ")
    assert " ".join((first.removeprefix("warning: "), *rest)).split() == text.split()
    assert [line for line in rest if width(line) > columns and " " in line.strip()] == []


@given(st.lists(TEXTS, min_size=1, max_size=5), st.integers(20, 130))
def test_every_row_fits(cells: list[str], columns: int) -> None:
    """No word of a row is lost or changed, and a line is too wide only if it is one name
    behind its indent.
    """
    lines = table((Row(tuple(cells)),), Screen(columns))
    assert " ".join(lines).split() == " ".join(cells).split()
    wide = [line.strip() for line in lines if width(line) > columns]
    assert [line for line in wide if line not in cells and " " in line] == []
