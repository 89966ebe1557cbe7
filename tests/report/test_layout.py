"""Layout, run alone: columns, paragraphs and colour on screens of every width (`docs/reference/events.md`)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.report.escape import width
from pipeline.report.layout import PIPE, Row, Screen, cut, paragraph, table
from pipeline.report.wording import LONGEST

ROWS = (
    Row(("add", "modules/shop_banner", "2.1.0", "12 files"), "added"),
    Row(("update", "modules/shop_reviews", "1.0 → 1.1", "2 files; 1 edited by you"), "changed"),
)
WORDS = st.text(st.sampled_from("ab日e\u0301"), min_size=1, max_size=30)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


def on(columns: int) -> tuple[str, ...]:
    """The rows on a screen."""
    return table(ROWS, Screen(columns))


def test_rows_that_fit_are_aligned() -> None:
    """Without a limit, and where there is room, each row is one line in columns."""
    lines = (
        "add     modules/shop_banner   2.1.0      12 files",
        "update  modules/shop_reviews  1.0 → 1.1  2 files; 1 edited by you",
    )
    assert (table(ROWS, PIPE), on(120), on(65)) == (lines,) * 3


def test_columns_of_a_pipe() -> None:
    """In a pipe nothing is shortened, and only a very wide cell is not in a column; read aloud there is none."""
    assert table((Row(("x" * 61, "y", "")), Row(("日本", "y", "z"))), PIPE) == (
        "x" * 61 + "  y",
        f"日本{' ' * 56}  y  z",
    )
    assert table((Row(("日本.zip", "module", "sea")),), Screen(accessible=True)) == ("日本.zip module, sea",)
    assert table((), PIPE) == ()


def test_a_last_cell_goes_on_below_itself() -> None:
    """A row that is a little too long is broken at a space of its last cell, below which it goes on."""
    row = Row(("theme", "harbour", "matches `shop_*` of modules.exclude (tool.config.json:3:5)"))
    assert table((row,), Screen(50)) == (
        "theme  harbour  matches `shop_*` of",
        "                modules.exclude",
        "                (tool.config.json:3:5)",
    )


def test_where_there_is_no_room_a_row_goes_on_indented() -> None:
    """On a narrow screen a cell that does not fit begins the next line, and is itself broken if it has to be."""
    assert on(44) == (
        "add     modules/shop_banner  2.1.0  12 files",
        "update  modules/shop_reviews  1.0 → 1.1",
        "    2 files; 1 edited by you",
    )
    assert on(24) == (
        "add",
        "    modules/shop_banner",
        "    2.1.0  12 files",
        "update",
        "    modules/shop_reviews",
        "    1.0 → 1.1",
        "    2 files; 1 edited by",
        "    you",
    )
    assert table((Row(("x" * 20, "", "y")),), Screen(20)) == ("x" * 20, "    y")


def test_a_row_that_goes_on_in_the_next_line_widens_no_column() -> None:
    """One long list leaves the rows above and below it in one line each."""
    rows = (
        ("theme", "harbour", "config"),
        ("modules.exclude", "[shop_banner, shop_reviews]", "config"),
        ("x", "y", "z"),
    )
    assert table([Row(cells) for cells in rows], Screen(50)) == (
        "theme            harbour  config",
        "modules.exclude  [shop_banner, shop_reviews]",
        "    config",
        "x                y        z",
    )


def test_a_word_is_never_broken() -> None:
    """A name that is wider than the screen is left to the terminal, so that it can be copied."""
    assert table((Row(("skip", "x" * 60, "why not")),), Screen(40)) == ("skip", "    " + "x" * 60, "    why not")
    assert paragraph("x" * 60 + " y", Screen(40), "warning: ") == ("warning: " + "x" * 60, "  y")


def test_blanks_in_a_name_stay() -> None:
    """Only at a single space is a text broken: two in a row are part of a name."""
    assert paragraph("a  b c", Screen(8), "x: ") == ("x: a  b", "  c")


def test_code_is_not_broken() -> None:
    """Code in backquotes is broken only if it does not fit a line of its own and is nothing that is typed."""
    assert paragraph("pass (`--mine --prune`), or else", Screen(24), "help: ") == (
        "help: pass",
        "  (`--mine --prune`), or",
        "  else",
    )
    assert paragraph("move `mine and yours` or", Screen(17), "help: ") == ("help: move `mine", "  and yours` or")
    assert paragraph("pass `--mine --prune` or", Screen(17), "help: ") == ("help: pass", "  `--mine --prune`", "  or")
    assert table((Row(("x" * 30, "then run `tool create drop`")),), Screen(56)) == (
        "x" * 30 + "  then run",
        " " * 32 + "`tool create drop`",
    )
    assert paragraph("it is `a b c", Screen(12)) == ("it is `a b c",)
    assert paragraph("it is `a b c", Screen(11)) == ("it is `a b", "  c")


def test_rows_that_are_read_aloud() -> None:
    """Without columns, the word is followed by the cells that say something, with commas between them."""
    row = Row(("add", "modules/m", "", "1 file"), "added")
    assert table((row,), Screen(accessible=True)) == ("add modules/m, 1 file",)
    assert table((Row(("only",)),), Screen(accessible=True)) == ("only",)


def test_colour_is_that_of_the_word() -> None:
    """The word that says what happens is coloured, and nothing that is not; the columns are those without colour."""
    screen = Screen(colour=True)
    assert table(ROWS[:1], screen) == ("\x1b[32madd\x1b[0m  modules/shop_banner  2.1.0  12 files",)
    assert table((Row(("a", "b")),), screen) == ("a  b",)
    assert paragraph("no", screen, "error: ", "error") == ("\x1b[1;31merror:\x1b[0m no",)
    assert paragraph("error: no", screen, "", "error") == ("error: no",)


def test_what_could_harm_is_escaped() -> None:
    """No cell, paragraph or line below a row reaches a terminal as it is."""
    assert table((Row(("\x1b", "\n"), below=("\u202e",)),), PIPE) == ("\\x1b  \\n", "\\u202e")
    assert paragraph("\r", PIPE) == ("\\r",)


@pytest.mark.parametrize(("columns", "beginning"), [(0, ""), (1, ""), (2, "日"), (3, "日a"), (9, "日a本")])
def test_the_beginning_of_a_text(columns: int, beginning: str) -> None:
    """A text is cut so that it fits, and a wide character is not cut in two."""
    assert cut("日a本", columns) == beginning


@given(st.lists(TEXTS, min_size=1, max_size=5), st.integers(20, 130))
@example(["a " + "b" * 19], 20)
@example(["`a b` " * 9], 20)
def test_every_row_fits(cells: list[str], columns: int) -> None:
    """No word is lost or changed, and a line is too wide only if it is a word that is too wide for it."""
    lines = table((Row(tuple(cells)),), Screen(columns))
    assert " ".join(lines).split() == " ".join(cells).split()
    assert [line for line in lines if width(line) > columns and " " in line.strip()] == []


@given(TEXTS, st.integers(20, 130))
def test_every_paragraph_fits(text: str, columns: int) -> None:
    """Likewise of a paragraph, whose lead stands before the first word."""
    first, *rest = paragraph(text, Screen(columns), "warning: ")
    assert " ".join((first.removeprefix("warning: "), *rest)).split() == text.split()
    assert [line for line in rest if width(line) > columns and " " in line.strip()] == []


BRIEF = Screen(80, is_summary=True)


def test_long_paths_lose_what_they_have_in_common() -> None:
    """On a terminal that is too narrow, paths lose the folders that all begin with, but never `modules/` alone."""
    long = "w" * 60
    rows = [Row(("add", f"wp-content/{name}", "1.0", "2 files"), path=1) for name in ("themes/t", f"plugins/{long}")]
    assert table(rows, Screen(90)) == (
        f"add  …/themes/t{' ' * 62}1.0  2 files",
        f"add  …/plugins/{long}  1.0  2 files",
    )
    assert table(rows[1:], Screen(90)) == (f"add  …/{long}  1.0  2 files",)
    assert table(rows, Screen(100))[1] == f"add  wp-content/plugins/{long}  1.0  2 files"
    modules = [Row(("add", f"modules/{name * 40}"), path=1) for name in "ab"]
    assert "…" not in "".join(table(modules, Screen(40)))


def test_the_middle_of_what_is_very_long_is_left_out() -> None:
    """At a glance, what is very long has its beginning, its end and how much is missing; else it is whole."""
    name = "a" * 120 + "b" * 700 + "c" * 60
    assert paragraph(f"`{name}` is long", Screen(1000, is_summary=True)) == (
        f"`{'a' * 99}… (732 more characters) …{'c' * 49}` is long",
    )
    assert table((Row((name,)),), BRIEF)[0] == f"{'a' * 100}…"
    assert paragraph(name, Screen(80)) == paragraph(name, Screen(is_summary=True)) == (name,)
    assert paragraph("a" * LONGEST, BRIEF) == ("a" * LONGEST,)
    assert "… (1,000 more characters) …" in paragraph("ab " * 833 + "c", Screen(9000, is_summary=True))[0]


def test_what_is_typed_is_never_shortened() -> None:
    """A command that the text tells to type is whole, however long the name in it is."""
    flag = f"`--exclude={'a' * 400}.zip`"
    assert paragraph(f"pass {flag}", BRIEF) == ("pass", f"  {flag}")
