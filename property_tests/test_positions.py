"""Laws of positions: every position and every error points at what the user wrote."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from returns.result import Failure, Success

from pipeline.config.tree import ConfigKind, Document, Tree, format_path
from pipeline.parse import parse
from pipeline.report.diagnostics.configuration import ConfigSyntaxError, duplicate_key
from pipeline.report.diagnostics.settings import InvalidValue, UnknownKey
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome, fold
from pipeline.validate import validate
from property_tests.printing import Members, Printed, printings, tree_of
from property_tests.strategies import (
    configs,
    file,
    json_values,
    keyed,
    scalars,
    texts,
)

BOM = "\ufeff"
TOP = ("theme", "modules", "presets", "presetsSearchPath", "hooks", "cache", "log")
boms = st.sampled_from(["", BOM])
other_keys = st.sampled_from(["tools", "a tool", "Tool"]) | texts.filter(lambda key: key != "tool")
others = st.lists(st.tuples(other_keys, json_values), max_size=2)
inner_keys = st.sampled_from(["tool", "a", "exclude"])
repeating = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(
            st.tuples(st.sampled_from(["a", "b", "\u00e9", "\U0001f600", 'q"']), inner), max_size=4
        )
        .map(tuple)
        .map(Members)
    ),
    max_leaves=12,
)
packages = st.builds(
    lambda before, tool, after: Members((*before, ("tool", tool), *after)),
    others,
    keyed(inner_keys),
    others,
)
named = st.dictionaries(
    st.sampled_from(["excludes", "Theme", "a.b", "", "\u00fcber"]) | texts, scalars, max_size=3
)


def parsed(text: str, kind: ConfigKind) -> Outcome[Tree]:
    """Parse a text as a form of file."""
    return parse(Document(file(kind), text.encode()))


def place(printed: Printed, offset: int, name: str = "tool.config.json") -> Location:
    """Where an offset of a printed text is."""
    return Location(name, *printed.line_column(offset))


def reported(tree: Tree) -> dict[Any, tuple[Location, Location]]:
    """The place of each value and key that a tree positions."""
    return {path: (position.value, position.key) for path, position in tree.positions.items()}


@given(printings(json_values), boms)
def test_each_mark_points_at_its_own_value(pair: tuple[Any, Printed], bom: str) -> None:
    """In any document, whatever its white space and escapes, each position is where that value and
    its key begin.
    """
    data, printed = pair
    tree = fold(parsed(bom + printed.text, "json"), lambda tree: tree, lambda _: None)
    assert tree is not None and repr(tree.data) == repr(data)
    assert reported(tree) == {
        path: (place(printed, at), place(printed, key))
        for path, (at, key) in printed.places.items()
    }
    assert all(position.written == path for path, position in tree.positions.items())


@given(printings(packages), boms)
def test_each_mark_in_a_package_points_into_the_package(
    pair: tuple[Members, Printed], bom: str
) -> None:
    """In a `package.json`, the positions of the value of `tool` are those in the whole file."""
    data, printed = pair
    tree = fold(parsed(bom + printed.text, "package"), lambda tree: tree, lambda _: None)
    assert tree is not None and repr(tree.data) == repr(dict(data.pairs)["tool"])
    places = {
        path[1:]: offsets for path, offsets in printed.places.items() if path[:1] == ("tool",)
    }
    assert {path: value for path, (value, _) in reported(tree).items()} == {
        path: place(printed, at, "package.json") for path, (at, _) in places.items()
    }
    assert {path: key for path, (_, key) in reported(tree).items() if path} == {
        path: place(printed, key, "package.json") for path, (_, key) in places.items() if path
    }


@given(printings(repeating), boms)
def test_repeated_keys_are_found_exactly_when_there_are_any(
    pair: tuple[Any, Printed], bom: str
) -> None:
    """A document is refused if, and only if, an object repeats a key; each repetition is reported
    with both positions.
    """
    printed = pair[1]
    expected = [
        duplicate_key(format_path(path), place(printed, again), place(printed, first))
        for path, again, first in sorted(printed.repeats, key=lambda repeat: repeat[1])
    ]
    match parsed(bom + printed.text, "json"):
        case Failure(errors):
            assert expected and list(errors) == expected
        case Success(tree):
            assert not expected
            assert reported(tree).keys() == printed.places.keys()


@given(
    printings(
        st.lists(st.tuples(other_keys | st.just("tool"), repeating), max_size=4)
        .map(tuple)
        .map(Members)
    )
)
def test_repeated_keys_in_a_package_count_for_its_key_alone(pair: tuple[Any, Printed]) -> None:
    """In a `package.json`, only `tool` and the keys below it must not be repeated."""
    printed = pair[1]
    repeats = sorted(
        (repeat for repeat in printed.repeats if repeat[0][0] == "tool"),
        key=lambda repeat: repeat[1],
    )
    itself = [repeat for repeat in repeats if repeat[0] == ("tool",)]
    errors = fold(parsed(printed.text, "package"), lambda _: (), lambda errors: errors)
    found = [
        each
        for each in errors
        if isinstance(each, ConfigSyntaxError) and (each.path == "tool" or not itself)
    ]
    assert found == [
        duplicate_key(
            format_path(path[1:] or path),
            *(place(printed, at, "package.json") for at in (again, first)),
        )
        for path, again, first in itself or repeats
    ]


@given(printings(st.tuples(configs(), named).map(lambda both: {**both[1], **both[0]})))
def test_an_unknown_key_stands_where_the_key_stands(pair: tuple[Any, Printed]) -> None:
    """Each unknown key is reported once, at the position of the key and as the user wrote it."""
    data, printed = pair
    unknown = sorted(
        (printed.places[(key,)][1], format_path((key,)))
        for key in data
        if key not in ("schema", "exclude", *TOP)
    )
    errors = fold(validate(tree_of(printed.text)), lambda _: (), lambda errors: errors)
    found = [(error.location, error.path) for error in errors if isinstance(error, UnknownKey)]
    assert len(found) == len(errors)
    assert found == [(place(printed, at), path) for at, path in unknown]


@given(
    printings(configs().map(lambda data: {key: [data.get(key), 1] for key in (*TOP, "exclude")}))
)
def test_a_wrong_value_stands_where_the_value_stands(pair: tuple[Any, Printed]) -> None:
    """All values of a wrong type in a file are reported together, in order, each at its
    position.
    """
    printed = pair[1]
    found = fold(validate(tree_of(printed.text)), lambda _: (), lambda errors: errors)
    errors = [error for error in found if isinstance(error, InvalidValue)]
    assert len(errors) == len(found)
    at = {format_path(path): place(printed, offset) for path, (offset, _) in printed.places.items()}
    assert [error.location for error in errors] == [at[error.path] for error in errors]
    places = [(error.location.line, error.location.column) for error in errors if error.location]
    assert places == sorted(places)
    assert {error.path.partition("[")[0] for error in errors} == {*TOP, "exclude"}
