"""Small values, run alone: escapes, widths, paths, sources, spelling, near names."""

from pathlib import PurePath

import pytest

from pipeline.config.tree import format_path
from pipeline.report.escape import escape, to_json, width
from pipeline.report.events import HookEvent
from pipeline.report.location import Location
from pipeline.report.paths import display_path
from pipeline.report.wording import suggest, value_text
from pipeline.schema import Value


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("plain ünïcode 😀", "plain ünïcode 😀"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x00\x7f\x85\x9f", "\\x00\\x7f\\x85\\x9f"),
        ("\u202e\u2066\u200f\u061c\u2028", "\\u202e\\u2066\\u200f\\u061c\\u2028"),
        ("\udcff", "\\udcff"),
        ("::error::a b::c :: d", "\\x3a:error::a b::c \\x3a: d"),
        ("\u3000::error::a", "\u3000\\x3a:error::a"),
        ("a\n::error::b", "a\\n::error::b"),
        ("a ##[error]b ##vso[task.debug]c", "a \\x23#[error]b \\x23#vso[task.debug]c"),
        ("## a [b]", "## a [b]"),
    ],
)
def test_escape(text: str, harmless: str) -> None:
    """What could move a cursor, colour, break a line, turn text round or command a CI service is shown as an escape."""
    assert escape(text) == harmless


def test_json_is_harmless_too() -> None:
    """In JSON the same characters are escapes of JSON, so that the value is kept."""
    import json

    data = {"a": "\x1b\x85\u202e\n😀", "b": "::error:: ##[error]"}
    text = to_json(data)
    assert text == '{"a":"\\u001b\\u0085\\u202e\\n😀","b":"::error:: \\u0023#[error]"}'
    assert json.loads(text) == data


def test_a_lone_surrogate_in_json() -> None:
    """JSON in UTF-8 has no lone surrogate, so its escape stands there as text; the rest of a struct is as without."""
    assert to_json(HookEvent("init", "\udcff", "ok")) == (
        '{"event":"hook","stage":"init","script":"\\\\udcff","status":"ok","exit":null,"seconds":null}'
    )
    assert to_json(["\udcff", {"a": (1, None, True)}]) == '["\\\\udcff",{"a":[1,null,true]}]'


@pytest.mark.parametrize(
    ("path", "start", "spelled"),
    [
        ("/a/b/c", "/a/b", "c"),
        ("/a/b", "/a/b", "."),
        ("/a", "/a/b/c", "../.."),
        ("/x/y", "/a", "../x/y"),
        ("/", "/", "."),
        ("rel/x", "/a", "rel/x"),
        ("rel/y/../x", "/a", "rel/x"),
        ("/a/sites/north/../../presets/b.json", "/a", "presets/b.json"),
        ("/a/sites/../../x", "/a/sites", "../../x"),
        ("../../x", "/a", "../../x"),
        ("/../x", "/", "../x"),
    ],
)
def test_shown(path: str, start: str, spelled: str) -> None:
    """A path is shown relative to a folder, upward too, without detours; with another anchor it is unchanged."""
    assert display_path(PurePath(path), PurePath(start)) == spelled


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("auto", "auto"),
        (True, "true"),
        ((), "[]"),
        (("shop_*", "./presets", "..."), "[shop_*, ./presets, ...]"),
        (("a, b", "c"), '["a, b", c]'),
        (("a", "b, c"), '[a, "b, c"]'),
        (("",), '[""]'),
        ((" ", "a b", "\u00a0"), '[" ", "a b", "\u00a0"]'),
        (("true", "null", "1", "-1.5e3", "v1"), '["true", "null", "1", "-1.5e3", v1]'),
        (("[ab]", "{}", 'a"', "a\\n", "a\n"), '["[ab]", "{}", "a\\"", "a\\\\n", "a\\n"]'),
        (("\x1b", "\x7f", "\u202e"), '["\\u001b", "\\u007f", "\\u202e"]'),
        (("caf\udce9.zip",), '["caf\\\\udce9.zip"]'),
        (("a(1).zip", "it's", "a;b", "a!b"), '["a(1).zip", "it\'s", "a;b", a!b]'),
        ("My Theme", '"My Theme"'),
        ("", '""'),
        ("true", '"true"'),
        ("[]", '"[]"'),
    ],
)
def test_values(value: Value, text: str) -> None:
    """A string is bare in text, or quoted as in JSON where it could be read as something else."""
    assert value_text(value) == text


def test_spelling() -> None:
    """A path of keys and indices is written as in JavaScript, and a source as a place in a file."""
    assert format_path(("modules", "exclude", 3, "a b", "$x", "c-d")) == 'modules.exclude[3]["a b"].$x.c-d'
    assert [str(Location("f", 3, 4)), str(Location("--theme"))] == ["f:3:4", "--theme"]


def test_near_names() -> None:
    """The nearest known names come first, whatever their case, and none where nothing is near."""
    assert suggest("THEM", ("theme", "modules", "them2")) == ("theme", "them2")
    assert suggest("zzz", ("theme",)) == ()
    assert suggest("theme", ("theme", "themes")) == ("themes",)


def test_near_names_of_a_long_name() -> None:
    """Of a very long name only the beginning is compared, which would take too long otherwise."""
    assert suggest("a" * 100 + "b" * 900, ("a" * 100,)) == ("a" * 100,)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("abc", 3), ("caf\u00e9", 4), ("cafe\u0301", 4), ("\u8336", 2), ("a\u00adb", 3), ("\u200d", 0)],
)
def test_the_width_of_a_text(text: str, columns: int) -> None:
    """A wide character takes two columns, a mark that joins another none, and a soft hyphen one."""
    assert width(text) == columns
