"""Laws of normalise: the shorthand `exclude` is folded into `modules.exclude`, and nothing
else happens.
"""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pipeline.config.tree import ConfigKind, KeyPath
from pipeline.normalise import normalise
from property_tests.printing import Printed, printings, tree_of
from property_tests.strategies import (
    configs,
    json_values,
    legacy_objects,
    lists,
    near_configs,
    scalars,
)

forms = st.sampled_from(["json", "legacy"])
items = st.lists(st.sampled_from(["a", "b", "c"]) | scalars, max_size=4)


@st.composite
def with_shorthand(draw: st.DrawFn) -> dict[str, Any]:
    """Configurations in which the shorthand stands, beside a list of its own or not."""
    data = draw(configs()) | {"schema": 1, "exclude": draw(items)}
    if draw(st.booleans()):
        data["modules"] = {**data.get("modules", {}), "exclude": draw(items)}
    return data


@given(printings(near_configs | legacy_objects | json_values), forms)
def test_normalise_is_idempotent(pair: tuple[Any, Printed], kind: ConfigKind) -> None:
    """Normalising twice is the same as normalising once, for any JSON in any kind of file."""
    tree = tree_of(pair[1].text, kind)
    assert normalise(normalise(tree)) == normalise(tree)


@given(printings(near_configs | legacy_objects | json_values), forms)
def test_normalise_does_without_marks(pair: tuple[Any, Printed], kind: ConfigKind) -> None:
    """A tree without positions, such as that of a script, normalises to the same data as one with
    positions.
    """
    tree = tree_of(pair[1].text, kind)
    assert repr(normalise(replace(tree, positions={})).data) == repr(normalise(tree).data)


@given(printings(with_shorthand()))
def test_own_items_come_first_and_a_string_comes_once(pair: tuple[Any, Printed]) -> None:
    """The folded list has its own items first, then those of the shorthand, each in order, and no
    string twice.
    """
    data, printed = pair
    folded = normalise(tree_of(printed.text)).data
    both = [*data.get("modules", {}).get("exclude", []), *data["exclude"]]
    first = [
        item
        for index, item in enumerate(both)
        if not (isinstance(item, str) and item in both[:index])
    ]
    rest = {key: value for key, value in data.items() if key != "exclude"}
    assert repr(_sorted(folded)) == repr(
        _sorted({**rest, "modules": {**data.get("modules", {}), "exclude": first}})
    )


@given(
    printings(
        configs().map(lambda data: {key: value for key, value in data.items() if key != "exclude"})
    )
)
def test_without_the_shorthand_nothing_changes(pair: tuple[Any, Printed]) -> None:
    """A file without the shorthand is not changed, even if a list has a string twice."""
    tree = tree_of(pair[1].text)
    assert normalise(tree) == tree


@given(st.sampled_from([1, "a", None, {"a": 1}, True]), lists, st.booleans())
def test_what_cannot_be_folded_is_left_to_validate(
    wrong: Any, right: list[str], inside: bool
) -> None:
    """If one of the two lists is not a list, or `modules` is not an object, nothing changes."""
    data = (
        {"exclude": right, "modules": {"exclude": wrong}}
        if inside
        else {"exclude": wrong, "modules": {}}
    )
    tree = tree_of(json.dumps(data))
    assert normalise(tree) == tree
    beside = tree_of(
        json.dumps({"exclude": right, "modules": wrong if not isinstance(wrong, dict) else []})
    )
    assert normalise(beside) == beside


@given(printings(with_shorthand()))
def test_each_item_keeps_the_mark_of_what_the_user_wrote(pair: tuple[Any, Printed]) -> None:
    """Each folded item has the position at which the user wrote it, and no other position is
    left.
    """
    data, printed = pair
    tree = normalise(tree_of(printed.text))
    assert isinstance(tree.data, dict)
    assert all(stands(tree.data, path) for path in tree.positions)
    places = {printed.line_column(at): path for path, (at, _) in printed.places.items()}
    for index, item in enumerate(tree.data["modules"]["exclude"]):
        position = tree.position(("modules", "exclude", index))
        written: Any = data
        for step in position.written:
            written = written[step]
        assert repr(written) == repr(item)
        assert places[position.value.line, position.value.column] == position.written


@given(printings(with_shorthand()))
def test_the_folded_list_stands_where_a_list_stood(pair: tuple[Any, Printed]) -> None:
    """The folded list has the position of the list under `modules` if there is one, otherwise that
    of the shorthand.
    """
    data, printed = pair
    position = normalise(tree_of(printed.text)).position(("modules", "exclude"))
    stood = ("modules", "exclude") if "exclude" in data.get("modules", {}) else ("exclude",)
    assert position.written == stood
    assert (position.value.line, position.value.column) == printed.line_column(
        printed.places[stood][0]
    )


def stands(data: Any, path: KeyPath) -> bool:
    """Whether there is a value at a path."""
    for step in path:
        there = (
            step in range(len(data))
            if isinstance(data, list)
            else isinstance(data, dict) and step in data
        )
        if not there:
            return False
        data = data[step]
    return True


def _sorted(data: Any) -> Any:
    """The same data whatever the order of keys."""
    return {key: _sorted(data[key]) for key in sorted(data)} if isinstance(data, dict) else data
