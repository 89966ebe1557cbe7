"""Laws of places: any script can be searched quickly, and a value of JSON has the same place in a
script as in JSON.
"""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.config.json_reader import read_json
from pipeline.config.places import places_in
from pipeline.report.outcome import fold
from property_tests.printing import Printed, printings, unexpected
from property_tests.strategies import json_values
from tests.support.costs import at_most
from tests.support.sweep import law
from tests.support.tables import rows

PIECES = rows("fuzz", "pieces of scripts")
BEFORE = "export default\n"


@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=200).map("".join), json_values)
@settings(max_examples=law(2_000), deadline=None)
def test_any_text_is_looked_through(text: str, data: Any) -> None:
    """Whatever a script says and evaluates to, its places are found within a second, and each is
    inside the text.
    """
    with at_most(1):
        places = places_in(text, "a", data)
    lines = text.split("\n")
    assert all(each.value.column - 1 <= len(lines[each.value.line - 1]) for each in places.values())


@given(printings(json_values))
def test_json_has_the_same_places(pair: tuple[Any, Printed]) -> None:
    """JSON as the default export of a script has each value at the place that it has in JSON."""
    data, printed = pair
    text = printed.text.replace("\r", " ")
    places = places_in(BEFORE + text, "a", data)
    expected = fold(read_json("\n" + text, "a"), lambda json: json.positions, unexpected)
    assert places == {path: position for path, position in expected.items() if path in places}
