"""Laws of literals: any text gets a verdict at once, and what is JSON is read as JSON is."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.config.json_reader import read_json
from pipeline.config.tree import Json
from pipeline.report.outcome import fold
from pipeline.scripts.literal import read_literal
from property_tests.printing import Printed, printings, unexpected
from property_tests.strategies import json_values
from tests.support.costs import at_most
from tests.support.script_writer import AROUND, EXPORTS, GAPS, HEADS, NUMBERS, ODD_GAPS, STATEMENTS, STRINGS, TYPES
from tests.support.sweep import examples

PIECES = (
    *(
        *"{}[]()<>,:;=!?`'",
        '"',
        "\\",
        "/",
        "/*",
        "...",
        "=>",
        "${",
        "#!",
        "export default ",
        "const a = ",
        "a",
        "as",
        "X",
    ),
    *("satisfies", "module.exports = ", "async ", "function ", "return ", "get ", "__proto__", "é", "😀", "\ud800"),
    *("\\u0061", "\x00", "require(", "if (", "defineConfig"),
    *(*AROUND, *EXPORTS, *GAPS, *HEADS, *NUMBERS, *ODD_GAPS, *STATEMENTS, *STRINGS, *TYPES),
)
SUFFIXES = st.sampled_from([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".TS", ""])
BEFORE = "export default\n"


@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=200).map("".join), SUFFIXES)
@settings(max_examples=examples(2_000), deadline=None)
def test_any_text_gets_a_verdict(text: str, suffix: str) -> None:
    """Total: any text is a literal, or has a first thing that is computed, and that is known within a second."""
    with at_most(1):
        verdict = read_literal(text, suffix, "a")
    lines = text.split("\n")
    places = [each.value for each in verdict.positions.values()] if isinstance(verdict, Json) else [verdict]
    assert all(place.column - 1 <= len(lines[place.line - 1]) for place in places)


@given(printings(json_values))
def test_json_is_a_literal_at_the_same_places(pair: tuple[Any, Printed]) -> None:
    """JSON as a default export, if it is a literal, has the data and the places that it has as JSON."""
    data, printed = pair
    text = printed.text.replace("\r", " ")
    verdict = read_literal(BEFORE + text, ".ts", "a")
    if isinstance(verdict, Json):
        expected = fold(read_json("\n" + text, "a"), lambda json: json.positions, unexpected)
        assert (repr(verdict.data), verdict.positions) == (repr(data), expected)
