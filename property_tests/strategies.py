"""Strategies that several law groups share: JSON, configurations, layers, bytes."""

from pathlib import PurePath
from typing import Any

from hypothesis import strategies as st

from pipeline.config.layers import Assignment, Layer, make_layer
from pipeline.config.tree import ConfigFile, ConfigKind
from pipeline.report.diagnostics.settings import misspelt_variable
from pipeline.report.location import Location
from pipeline.schema import OBJECTS, SETTINGS, SPLICE, Setting
from tests.support.disks import START
from tests.support.triples import of_code, of_few_lines, of_texts

SETTING = {setting.path: setting for setting in SETTINGS}
LAYERS = ("flag", "env", "config", "preset", "default")
LEGACY_KEYS = (
    *(
        "themeName",
        "themeArchive",
        "includeModules",
        "excludeModules",
        "onlyModules",
        "preset",
        "presetsDir",
    ),
    *(
        "initScripts",
        "postScripts",
        "onFailure",
        "failOnHookError",
        "cacheFile",
        "noCache",
        "logFormat",
        "version",
    ),
)
KEYS = ("schema", "exclude", *dict.fromkeys(key for setting in SETTINGS for key in setting.keys))
"""Every key that means something somewhere in version 1."""


def strings(
    alphabet: st.SearchStrategy[str], odd: str, least: int = 0, most: int = 6
) -> st.SearchStrategy[str]:
    """Text in which every other character is an odd one; `st.text` would draw evenly from both
    alphabets together.
    """
    return st.lists(alphabet | st.sampled_from(odd), min_size=least, max_size=most).map("".join)


in_files = st.characters(codec="utf-8")
ODD = 'a"\\\n\r\t\0\x1b\x7f\x85\u061c\u200f\u2028\u202e\u2069\ufeff\U0001f600'
texts = strings(in_files, ODD)
"""Text that a file can hold."""
words = strings(in_files, ODD, least=1)
"""The same, and not empty, as a setting takes it."""
any_texts = strings(st.characters(), f"{ODD}[]{{}},=.-/ \ud800\udbff\udc80\udfff", most=12)
"""Text with lone surrogates, as an environment or a command line may hold."""
plain_lists = st.lists(st.sampled_from(["ps_*", "blog", "*", "shop"]) | words, max_size=3)


def perhaps_spliced(plain: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    """Lists, every other one with the element `"..."` somewhere."""
    put = st.builds(lambda items, at: [*items[:at], SPLICE, *items[at:]], plain, st.integers(0, 3))
    return plain | put


lists = perhaps_spliced(plain_lists)
paths = st.sampled_from(["hooks", "../up", "/absolute", ".", "a b/c"]) | strings(
    in_files, ODD, least=1
)
numbers = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
locations = st.builds(Location, texts, st.integers(0, 9), st.integers(1, 9))
scalars = st.none() | st.booleans() | numbers | texts


def soups(*shards: bytes) -> st.SearchStrategy[bytes]:
    """Bytes put together of pieces that mean something, and of any bytes."""
    return st.lists(st.sampled_from(shards) | st.binary(max_size=3), max_size=8).map(b"".join)


nested = st.builds(
    lambda before, opening, depth: before + opening * depth,
    st.sampled_from([b"", b'{"tool":', b'{"theme":']),
    st.sampled_from([b"[", b'{"a":', b'{"tool":']),
    st.sampled_from([63, 64, 65, 900, 20_000]),
)
"""JSON that begins with many brackets."""


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


def values_of(setting: Setting) -> st.SearchStrategy[Any]:
    """The values that a setting takes in a file."""
    match setting.type:
        case "boolean":
            return st.booleans()
        case "choice":
            return st.sampled_from(setting.choices)
        case "strings":
            return lists
        case _:
            return (
                paths
                if setting.paths == "path"
                else st.sampled_from(["auto", "none", "x.zip"]) | words
            )


def configs(skip: tuple[str, ...] = ()) -> st.SearchStrategy[dict[str, Any]]:
    """Valid configuration objects in the shape of a file, in any order, with and without
    the shorthand.
    """
    optional: dict[str, Any] = {"schema": st.just(1), "exclude": lists}
    for name in OBJECTS:
        optional[name] = _members(
            {setting.keys[1]: values_of(setting) for setting in SETTINGS if setting.keys[0] == name}
        )
    optional |= {
        setting.path: values_of(setting)
        for setting in SETTINGS
        if len(setting.keys) == 1 and setting.path not in skip
    }
    return _members(optional)


def spoilt() -> st.SearchStrategy[dict[str, Any]]:
    """Valid configurations but for a value or two of another type or with another member."""
    wrong = st.sampled_from(
        [1, 1.5, "a", None, True, [], ["a", 1], {}, {"x": 1}, {"exclude": 5}, {"exclude": ["b", 5]}]
    )
    keys = st.sampled_from(("theme", "schema", "presets", *OBJECTS))
    return st.builds(
        lambda data, other: {"schema": 1, **data, **other},
        configs(),
        st.dictionaries(keys, wrong, max_size=2),
    )


def _members(optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with some of some members, in any order."""
    some = st.fixed_dictionaries({}, optional=optional)
    return some.flatmap(lambda found: st.permutations(list(found.items())).map(dict))


_OLD_KEYS = (*LEGACY_KEYS, "theme", "modules", "exclude", "presets", "cache")
_old_values = st.one_of(
    st.booleans(),
    texts,
    lists,
    st.sampled_from(["", [""], "fail", "json", 1, None, [1], ["a", 1], [None, "b", ""]]),
)
flat = st.dictionaries(
    st.sampled_from((*_OLD_KEYS, "other", "schemaVersion")), _old_values, min_size=1, max_size=9
)
"""Files in the flat shape of 0.x, with right and wrong values."""
legacy_files = flat | spoilt() | legacy_objects | near_configs | json_values
"""Everything that a legacy dot-file may hold, and what it should not."""


@st.composite
def assignments(draw: st.DrawFn, setting: Setting) -> Assignment:
    """One layer that sets a setting."""
    value = draw(values_of(setting))
    written = tuple(value) if isinstance(value, list) else value
    return Assignment(draw(st.sampled_from(LAYERS)), draw(locations), written)


def layers(*bases: PurePath) -> st.SearchStrategy[Layer]:
    """Layers that say anything about any setting, written in one of some folders."""
    warnings = st.lists(st.builds(misspelt_variable, texts, texts), max_size=2).map(tuple)
    said = st.fixed_dictionaries(
        {}, optional={setting: assignments(setting) for setting in SETTINGS}
    )
    return st.builds(make_layer, said, st.sampled_from(bases or (START,)), warnings)


def file(kind: ConfigKind = "json") -> ConfigFile:
    """A configuration file of some form in the current folder."""
    name = {"package": "package.json", "legacy": ".tool.json", "script": "tool.config.ts"}.get(
        kind, "tool.config.json"
    )
    return ConfigFile.at(name, START)


_seeds = st.integers(0, 2**32)
_lines = st.sampled_from(
    [b"a", b"b\n", b"\n", b"a\r\n", b"\xff\n", b"- a\n", b"--- a\n", b"\\ No newline\n", b"\t\n"]
)
_any_lines = st.lists(_lines, max_size=30).map(b"".join)
triples = st.one_of(
    *(st.builds(make, _seeds) for make in (of_few_lines, of_code, of_texts)),
    st.tuples(*[_any_lines] * 3),
)
"""A text, and what two sides made of it."""
