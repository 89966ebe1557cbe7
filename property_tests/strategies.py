"""Strategies that several law groups share: JSON and its text, configurations, layers."""

import json
from collections.abc import Callable, Iterable
from itertools import cycle
from pathlib import PurePath
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct

from pipeline.layers import Layer, Origin, make_layer
from pipeline.notes import MisspeltVariable
from pipeline.outcome import fold
from pipeline.parse import parse
from pipeline.schema import LEAVES, OBJECTS, Leaf
from pipeline.source import Source
from pipeline.tree import Candidate, Document, Form, Path, Tree
from tests.disks import START

LEAF = {leaf.path: leaf for leaf in LEAVES}
LAYERS = ("flag", "env", "config", "preset", "default")
LEGACY_KEYS = (
    *("themeName", "themeArchive", "includeModules", "excludeModules", "onlyModules", "preset", "presetsDir"),
    *("initScripts", "postScripts", "onFailure", "failOnHookError", "cacheFile", "noCache", "logFormat", "version"),
)
KEYS = ("schema", "exclude", *dict.fromkeys(key for leaf in LEAVES for key in leaf.keys))
"""Every key that means something somewhere in version 1."""

characters = st.characters(codec="utf-8") | st.sampled_from('"\\\n\r\t\0\x1b\x7f\x85\u200f\u2028\u202e\ufeff\U0001f600')
"""Any character that a file can hold, the awkward ones often."""
texts = st.text(characters, max_size=6)
any_texts = st.text(st.characters() | st.sampled_from('[]{}",=.-\\/ \ud800\udc80\udfff\0'), max_size=12)
"""Text with lone surrogates, as an environment or a command line may hold."""
lists = st.lists(st.sampled_from(["ps_*", "blog", "*", "shop", ""]) | texts, max_size=3)
paths = st.sampled_from(["hooks", "../up", "/absolute", ".", "a b/c"]) | st.text(characters, min_size=1, max_size=6)
numbers = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
sources = st.builds(Source, texts, st.integers(0, 9), st.integers(1, 9))
scalars = st.none() | st.booleans() | numbers | texts


def soups(*shards: bytes) -> st.SearchStrategy[bytes]:
    """Bytes put together of pieces that mean something, and of any bytes."""
    return st.lists(st.sampled_from(shards) | st.binary(max_size=3), max_size=8).map(b"".join)


def keyed(keys: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """JSON of any shape whose objects have the given keys."""
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5),
        max_leaves=12,
    )


def objects(*keys: str) -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects of any shape in which the given keys are common."""
    names = st.sampled_from(keys) | texts
    values = lists | paths | st.booleans() | st.just(1) | keyed(names)
    return st.dictionaries(names, values, max_size=6)


json_values = keyed(st.sampled_from(KEYS) | texts)
near_configs = objects(*KEYS)
"""Objects that have the keys of a configuration, with right and wrong values."""
legacy_objects = objects(*LEGACY_KEYS, *KEYS)


def values_of(leaf: Leaf) -> st.SearchStrategy[Any]:
    """The values that a leaf takes in a file."""
    match leaf.kind:
        case "boolean":
            return st.booleans()
        case "choice":
            return st.sampled_from(leaf.choices)
        case "strings":
            return lists
        case _:
            return paths if leaf.located == "path" else st.sampled_from(["auto", "none", "x.zip"]) | texts


def configs(skip: tuple[str, ...] = ()) -> st.SearchStrategy[dict[str, Any]]:
    """Valid configuration objects in the shape of a file, in any order, with and without the shorthand."""
    optional: dict[str, Any] = {"schema": st.just(1), "exclude": lists}
    for name in OBJECTS:
        optional[name] = _members({leaf.keys[1]: values_of(leaf) for leaf in LEAVES if leaf.keys[0] == name})
    optional |= {leaf.path: values_of(leaf) for leaf in LEAVES if len(leaf.keys) == 1 and leaf.path not in skip}
    return _members(optional)


def _members(optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with some of some members, in any order."""
    some = st.fixed_dictionaries({}, optional=optional)
    return some.flatmap(lambda found: st.permutations(list(found.items())).map(dict))


@st.composite
def origins(draw: st.DrawFn, leaf: Leaf) -> Origin:
    """One layer that sets a leaf."""
    value = draw(values_of(leaf))
    written = tuple(value) if isinstance(value, list) else value
    return Origin(draw(st.sampled_from(LAYERS)), draw(sources), written)


def layers(*bases: PurePath) -> st.SearchStrategy[Layer]:
    """Layers that say anything about any leaf, written in one of some folders."""
    notes = st.lists(st.builds(MisspeltVariable, texts, texts), max_size=2).map(tuple)
    said = st.fixed_dictionaries({}, optional={leaf: origins(leaf) for leaf in LEAVES})
    return st.builds(make_layer, said, st.sampled_from(bases or (START,)), notes)


def candidate(form: Form = "json") -> Candidate:
    """A configuration file of some form in the current folder."""
    name = {"package": "package.json", "legacy": ".tool.json", "script": "tool.config.ts"}.get(form, "tool.config.json")
    return Candidate(path=START / name, shown=name, form=form)


class Members(Struct, frozen=True):
    """An object whose keys may repeat."""

    pairs: tuple[tuple[str, Any], ...]


class Printed:
    """JSON as text: where each value and its key begin, and each repeated key with its first place."""

    def __init__(self, gaps: Iterable[str], spellings: Iterable[Callable[[str], str]]) -> None:
        self.text = ""
        self.places: dict[Path, tuple[int, int]] = {}
        self.repeats: list[tuple[Path, int, int]] = []
        self._gaps, self._spellings = cycle(gaps), cycle(spellings)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Count lines and columns from 1, naively."""
        before = self.text[:offset].split("\n")
        return len(before), len(before[-1]) + 1

    def write(self, value: Any, path: Path = (), key: int | None = None) -> None:
        """Print a value, whose key is printed already."""
        match value:
            case dict() | Members():
                at = self._put("{")
                self._members(value.items() if isinstance(value, dict) else value.pairs, path)
                self._put("}")
            case list():
                at = self._put("[")
                for index, item in enumerate(value):
                    self._put("," if index else "")
                    self.write(item, (*path, index))
                self._put("]")
            case str():
                at = self._put(next(self._spellings)(value))
            case _:
                at = self._put(json.dumps(value))
        self.places[path] = at, at if key is None else key

    def _members(self, pairs: Iterable[tuple[str, Any]], path: Path) -> None:
        first: dict[str, int] = {}
        for index, (name, item) in enumerate(pairs):
            self._put("," if index else "")
            key = self._put(next(self._spellings)(name))
            self._put(":")
            if first.setdefault(name, key) != key:
                self.repeats.append(((*path, name), key, first[name]))
            self.write(item, (*path, name), key)

    def _put(self, token: str) -> int:
        self.text += next(self._gaps) + token
        return len(self.text) - len(token)


def _all_escapes(text: str) -> str:
    return '"' + "".join(f"\\u{unit}" for unit in text.encode("utf-16-be").hex(" ", 2).split()) + '"'


SPELLINGS = (json.dumps, lambda text: json.dumps(text, ensure_ascii=False), _all_escapes)
"""Ways to spell a string: in ASCII, as it is, in escapes alone."""


@st.composite
def printings(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> tuple[Any, Printed]:
    """Values, each with its text in random white space and spelling of strings."""
    gaps = draw(st.lists(st.text(" \t\n\r", max_size=3), min_size=1, max_size=7))
    printed = Printed(gaps, draw(st.permutations(SPELLINGS)))
    value = draw(values)
    printed.write(value)
    printed.text += gaps[0]
    return value, printed


def tree_of(text: str, form: Form = "json") -> Tree:
    """Parse a text that is JSON."""
    return fold(parse(Document(candidate(form), text.encode())), lambda tree: tree, unexpected)


def unexpected(problems: Any) -> Any:
    """Fail a test that did not get a value."""
    raise AssertionError(problems)
