"""Small values, run alone: escapes, widths, paths, locations, spelling, similar names."""

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
    """A character that could move the cursor, colour, break a line, reverse text or command a CI
    service is shown as an escape.
    """
    assert escape(text) == harmless


def test_json_is_harmless_too() -> None:
    """In JSON, the same characters are JSON escapes, so that the value is kept."""
    import json

    data = {"a": "\x1b\x85\u202e\n😀", "b": "::error:: ##[error]"}
    text = to_json(data)
    assert text == '{"a":"\\u001b\\u0085\\u202e\\n😀","b":"::error:: \\u0023#[error]"}'
    assert json.loads(text) == data


def test_a_lone_surrogate_in_json() -> None:
    """In JSON, a lone surrogate is its escape as text, and the rest of the event is the same as
    without it.
    """
    assert to_json(HookEvent("init", "\udcff", "ok")) == (
        '{"event":"hook","stage":"init","script":"\\\\udcff","status":"ok","exit":null,"seconds":null}'
    )
    assert to_json(["\ud800", "\udfff"]) == '["\\\\ud800","\\\\udfff"]'
    assert to_json(["\udcff", {"a": (1, None, True)}]) == '["\\\\udcff",{"a":[1,null,true]}]'


@pytest.mark.parametrize(
    ("path", "start", "spelled"),
    rows("escapes", "paths"),
)
def test_shown(path: str, start: str, spelled: str) -> None:
    """A path is shown relative to a folder, also upwards, in its shortest form; with another root
    it is unchanged.
    """
    assert display_path(PurePath(path), PurePath(start)) == spelled


@pytest.mark.parametrize(
    ("value", "text"),
    rows("escapes", "values"),
)
def test_values(value: Value, text: str) -> None:
    """In text, a string is bare, or quoted as in JSON if it could be read as something else."""
    assert value_text(value) == text


def test_spelling() -> None:
    """A path of keys and indices is written as in JavaScript, and a location as a position in a
    file.
    """
    assert (
        format_path(("modules", "exclude", 3, "a b", "$x", "c-d"))
        == 'modules.exclude[3]["a b"].$x.c-d'
    )
    assert [str(Location("f", 3, 4)), str(Location("--theme"))] == ["f:3:4", "--theme"]


def test_near_names() -> None:
    """The most similar names come first, whatever their case; without a similar one there are
    none.
    """
    assert suggest("THEM", ("theme", "modules", "them2")) == ("theme", "them2")
    assert suggest("zzz", ("theme",)) == ()
    assert suggest("theme", ("theme", "themes")) == ("themes",)


def test_near_names_of_a_long_name() -> None:
    """Only the beginning of a very long name is compared, as the rest would take too long."""
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
    """A wide character takes two columns, a combining mark none, and a soft hyphen one."""
    assert width(text) == columns
