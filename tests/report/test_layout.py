"""Layout, run alone: columns, paragraphs and colour on screens of every
width (`docs/reference/events.md`).
"""

import pytest

from pipeline.report.layout import PIPE, Row, Screen, cut, paragraph, table

ROWS = (
    Row(("add", "modules/shop_banner", "2.1.0", "12 files"), "added"),
    Row(("update", "modules/shop_reviews", "1.0 → 1.1", "2 files; 1 edited by you"), "changed"),
)


def test_rows_that_fit_are_aligned() -> None:
    """Each row is one line in columns."""
    lines = (
        "add     modules/shop_banner   2.1.0      12 files",
        "update  modules/shop_reviews  1.0 → 1.1  2 files; 1 edited by you",
    )
    assert table(ROWS, PIPE) == table(ROWS, Screen(80)) == lines


def test_columns() -> None:
    """A cell that is wider than 60 columns pushes the rest of its row; on a terminal, the rest goes
    on in the next line.
    """
    rows = (Row(("x" * 61, "y", "")), Row(("日本", "y", "z")), Row(("cafe\u0301", "y", "z")))
    assert table(rows, PIPE) == (
        "x" * 61 + "  y",
        f"日本{' ' * 56}  y  z",
        f"cafe\u0301{' ' * 56}  y  z",
    )
    assert table(rows, Screen(20)) == (
        "x" * 61,
        f"{' ' * 12}y",
        f"日本{' ' * 6}  y  z",
        f"cafe\u0301{' ' * 6}  y  z",
    )
    assert table((), PIPE) == ()


def test_a_row_that_is_wider_than_a_terminal() -> None:
    """Each cell stays in its column, the last one wrapped by words; a path that is too wide is
    broken after a slash.
    """
    rows = (
        Row(("a.zip", "module", "one 1.0", "not built: neither theme nor module")),
        Row(
            (
                "drop/of my vendor/full-package-2.1.0.zip!how to read.zip",
                "bundle",
                "",
                "2 components",
            )
        ),
        Row(("b.zip", "module", "with_a_name_of_26_letters_", "")),
    )
    assert table(rows[:1], Screen(40)) == (
        "a.zip  module  one 1.0",
        "    not built: neither theme nor module",
    )
    assert table(rows, Screen(50)) == (
        "a.zip                      module  one 1.0",
        "    not built: neither theme nor module",
        "drop/of my vendor/full-package-2.1.0.zip!",
        "how to read.zip            bundle  2 components",
        "b.zip                      module",
        "    with_a_name_of_26_letters_",
    )
    below = Row(
        ("modules/m", "1 edited"), below=("  edited   modules/m/views/templates/front/a name.tpl",)
    )
    assert table((below,), Screen(40)) == (
        "modules/m  1 edited",
        "  edited   modules/m/views/",
        "    templates/front/a name.tpl",
    )


def test_a_path_that_fills_a_line() -> None:
    """A path that fits into a line is not broken; the parts of one that does not fill each line."""
    assert table((Row(("a abc/ab abc/abcdef",)),), Screen(14)) == ("a abc/ab", "    abc/abcdef")
    assert table((Row(("abcd/abcd/ab",)),), Screen(11)) == ("abcd/", "    abcd/ab")


def test_a_column_that_is_wider_than_half_a_terminal() -> None:
    """A wide column keeps its full width if the table needs no more lines for that; so a slightly
    longer name sticks out of no column, and a very long one does not push the others.
    """
    names = ("modules/blockreassurance_extended_edition", "modules/ps_banner")
    rows = [Row((name, "5.1.3", "1 edited")) for name in names]
    assert table(rows, Screen(80)) == (
        f"{names[0]}  5.1.3  1 edited",
        f"{names[1]:41}  5.1.3  1 edited",
    )
    rows = [Row(("x" * 74, "5", "as built")), *(Row((name, "5", "as built")) for name in "yz")]
    assert table(rows, Screen(80)) == (
        "x" * 74 + "  5",
        " " * 45 + "as built",
        *(f"{name:40}  5  as built" for name in "yz"),
    )


def test_a_paragraph_is_wrapped() -> None:
    """A paragraph is broken between words and indented from its second line on; a word that is too
    wide is left to the terminal.
    """
    assert paragraph("one two three", Screen(11), "help: ", hanging=6) == (
        "help: one",
        "      two",
        "      three",
    )
    assert paragraph("x" * 60 + " y", Screen(40), "warning: ") == ("warning: " + "x" * 60, "  y")
    assert paragraph("one two", PIPE, "help: ") == ("help: one two",)
    # Two spaces are part of a name.
    assert paragraph("a  b c", Screen(8), "x: ") == (
        "x: a  b",
        "  c",
    )


def test_code_is_not_broken() -> None:
    """Code in backquotes is one word, so that it can be pasted; a single backquote is an ordinary
    character.
    """
    assert paragraph("pass (`--mine --prune`), or else", Screen(24), "help: ") == (
        "help: pass",
        "  (`--mine --prune`), or",
        "  else",
    )
    assert paragraph("pass `--mine --prune` or", Screen(17), "help: ") == (
        "help: pass",
        "  `--mine --prune`",
        "  or",
    )
    assert paragraph("it is `a b c", Screen(11)) == ("it is `a b", "  c")


def test_rows_that_are_read_aloud() -> None:
    """Without columns, the word is followed by the non-empty cells, separated by commas."""
    row = Row(("add", "modules/m", "", "1 file"), "added")
    assert table((row,), Screen(accessible=True)) == ("add modules/m, 1 file",)
    assert table((Row(("only",)),), Screen(accessible=True)) == ("only",)


def test_colour_is_that_of_the_word() -> None:
    """Only the word of the action is coloured; colours do not change the columns."""
    screen = Screen(colour=True)
    assert table(ROWS[:1], screen) == ("\x1b[32madd\x1b[0m  modules/shop_banner  2.1.0  12 files",)
    assert table((Row(("a", "b")),), screen) == ("a  b",)
    assert paragraph("no", screen, "error: ", "error") == ("\x1b[1;31merror:\x1b[0m no",)
    assert paragraph("error: no", screen, "", "error") == ("error: no",)


def test_what_could_harm_is_escaped() -> None:
    """Harmful characters in cells, paragraphs and lines below a row are escaped."""
    assert table((Row(("\x1b", "\n"), below=("\u202e",)),), PIPE) == ("\\x1b  \\n", "\\u202e")
    assert paragraph("\r", PIPE) == ("\\r",)


@pytest.mark.parametrize(
    ("columns", "beginning"), [(0, ""), (1, ""), (2, "日"), (3, "日a"), (9, "日a本")]
)
def test_the_beginning_of_a_text(columns: int, beginning: str) -> None:
    """A text is cut so that it fits, and never inside a wide character."""
    assert cut("日a本", columns) == beginning


def test_the_middle_of_what_is_very_long_is_left_out() -> None:
    """On a terminal, the middle of a text of more than 2,000 characters is left out; in a log, the
    text is whole.
    """
    name = "a" * 3000
    assert paragraph(name, Screen(80)) == paragraph(name, Screen(is_summary=True)) == (name,)
    assert paragraph(name, Screen(5000, is_summary=True, is_terminal=True)) == (
        f"{'a' * 1000}… (1,500 more characters) …{'a' * 500}",
    )
