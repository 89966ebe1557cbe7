"""The places of the values of an evaluated script: one certain place, or none."""

import json

import pytest

from pipeline.config.places import KEY_LIMIT, TEXT_LIMIT, places_in
from pipeline.config.tree import format_path
from tests.support.costs import at_most
from tests.support.tables import named

LONG_TEXT = pytest.param(
    f"export default {{ theme: f() }};{' ' * TEXT_LIMIT}", {"theme": "a"}, id="a long text"
)


def placed(text: str, data: object) -> dict[str, str]:
    """The place of each value."""
    found = places_in(text, "tool.config.ts", data)
    return {
        format_path(path): f"{each.value.line}:{each.value.column}" for path, each in found.items()
    }


@pytest.mark.parametrize(("text", "data", "expected"), named("places", "placed"))
def test_a_value_of_the_exported_object_has_its_place(
    text: str, data: object, expected: dict[str, str]
) -> None:
    """A value in the exported object itself has the line and column at which it begins."""
    assert placed(text, data) == expected


@pytest.mark.parametrize(("text", "data"), [*named("places", "nowhere"), LONG_TEXT])
def test_no_place_is_better_than_a_wrong_one(text: str, data: object) -> None:
    """A value that may have been written in more than one place has none."""
    assert placed(text, data) == {}


def test_inside_an_object_that_stands_twice() -> None:
    """Values have no place in an object that may be one of two, nor in one that is computed."""
    twice = "export default { log: { format: f() }, log: { ...g } };"
    computed = "export default { log: { format: f() }[x] };"
    data = {"log": {"format": "json"}}
    assert (placed(twice, data), placed(computed, data)) == ({}, {"log": "1:23"})


def test_as_many_places_as_a_person_reads() -> None:
    """Only the first hundred values have a place."""
    text = "export default {" + ",".join(f"k{number}:0" for number in range(200)) + "}"
    assert [*placed(text, {f"k{number}": 0 for number in range(200)})] == [
        f"k{number}" for number in range(KEY_LIMIT)
    ]


LONG = {
    "brackets": "(" * TEXT_LIMIT,
    "open comments": "/*" * (TEXT_LIMIT // 2),
    "quotes": '"\\' * (TEXT_LIMIT // 2),
    "templates": "`${" * (TEXT_LIMIT // 3),
    "divisions": "a/[" * (TEXT_LIMIT // 3),
    "expressions": "=/[" * (TEXT_LIMIT // 3),
    "exports": "module.exports = 1;" * (TEXT_LIMIT // 20),
    "default exports": "export default 1;" * (TEXT_LIMIT // 20),
    "spreads": "export default {" + "...a," * (TEXT_LIMIT // 6) + "}",
    "nesting": "export default " + "{a:" * (TEXT_LIMIT // 8) + "1" + "}" * (TEXT_LIMIT // 8),
    "one division": "export default {a: 1}; 1 / [" + '"", ' * (TEXT_LIMIT // 5) + "];",
    "calls": "export default defineConfig(" + "defineConfig()," * (TEXT_LIMIT // 20) + ")",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
@pytest.mark.usefixtures("unmeasured")
def test_the_time_grows_with_the_length(text: str) -> None:
    """Any script is searched in a time proportional to its length."""
    data: object = 1
    for _ in range(60):
        data = {"a": data}
    with at_most(5):  # what is not linear takes minutes
        places_in(text, "a.ts", json.loads(json.dumps(data)))
