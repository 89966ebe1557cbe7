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
from tests.support.tables import rows


@pytest.mark.parametrize(
    ("text", "harmless"),
    rows("escapes", "escaped"),
)
def test_escape(text: str, harmless: str) -> None:
    """What could move a cursor, colour, break a line, turn text round or command a CI service is
    shown as an escape.
    """
    assert escape(text) == harmless


def test_json_is_harmless_too() -> None:
    """In JSON the same characters are escapes of JSON, so that the value is kept."""
    import json

    data = {"a": "\x1b\x85\u202e\n😀", "b": "::error:: ##[error]"}
    text = to_json(data)
    assert text == '{"a":"\\u001b\\u0085\\u202e\\n😀","b":"::error:: \\u0023#[error]"}'
    assert json.loads(text) == data


def test_a_lone_surrogate_in_json() -> None:
    """JSON in UTF-8 has no lone surrogate, so its escape stands there as text; the rest of a struct
    is as without.
    """
    assert to_json(HookEvent("init", "\udcff", "ok")) == (
        '{"event":"hook","stage":"init","script":"\\\\udcff","status":"ok","exit":null,"seconds":null}'
    )
    assert to_json(["\udcff", {"a": (1, None, True)}]) == '["\\\\udcff",{"a":[1,null,true]}]'


@pytest.mark.parametrize(
    ("path", "start", "spelled"),
    rows("escapes", "paths"),
)
def test_shown(path: str, start: str, spelled: str) -> None:
    """A path is shown relative to a folder, upward too, without detours; with another anchor it
    is unchanged.
    """
    assert display_path(PurePath(path), PurePath(start)) == spelled


@pytest.mark.parametrize(
    ("value", "text"),
    rows("escapes", "values"),
)
def test_values(value: Value, text: str) -> None:
    """A string is bare in text, or quoted as in JSON where it could be read as something else."""
    assert value_text(value) == text


def test_spelling() -> None:
    """A path of keys and indices is written as in JavaScript, and a source as a place in a file."""
    assert (
        format_path(("modules", "exclude", 3, "a b", "$x", "c-d"))
        == 'modules.exclude[3]["a b"].$x.c-d'
    )
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
    [
        ("", 0),
        ("abc", 3),
        ("caf\u00e9", 4),
        ("cafe\u0301", 4),
        ("\u8336", 2),
        ("a\u00adb", 3),
        ("\u200d", 0),
    ],
)
def test_the_width_of_a_text(text: str, columns: int) -> None:
    """A wide character takes two columns, a mark that joins another none, and a soft hyphen one."""
    assert width(text) == columns
