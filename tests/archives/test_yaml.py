"""YAML as Symfony's parser reads it (`docs/archives.md`)."""

from typing import Any

import pytest

from pipeline.archives.plain_yaml import read_plain_yaml
from pipeline.archives.yaml_files import YamlFile, read_events, read_yaml
from tests.support.tables import lists


@pytest.mark.parametrize(("text", "data", "is_lenient", "fault"), lists("yaml", "read"))
def test_how_it_is_read(text: str, data: Any, is_lenient: bool, fault: str) -> None:
    """What PyYAML refuses is read by lines, as far as each is closed; what Symfony refuses is said."""
    assert read_yaml(text.encode()) == YamlFile(data, is_lenient, fault)


def test_other_encodings() -> None:
    """Symfony reads UTF-8 alone."""
    assert read_yaml("a: é".encode("utf-16")) == YamlFile({"a": "é"}, fault="its text is not UTF-8")
    assert read_yaml(b"a: \xe9\nb: 1") == YamlFile(
        {"a": "\ufffd", "b": "1"}, is_lenient=True, fault="its text is not UTF-8"
    )


@pytest.mark.timeout(20)
@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    "part", ["'", "a: &x [*x]\n", "- ", "a: b:\n", "{", " ", "a: '", "a: x: ", ":", "[a]: ", "<<: *x\n"]
)
def test_yaml_that_never_ends(part: str) -> None:
    """Whatever 64 KiB hold, they are read in proportion to their length."""
    for text in (part * (65536 // len(part)), "a: b:\n" + part * (65536 // len(part)), part + " " * 65536):
        read_yaml(text.encode())


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("name: Harbour\n", {"name": "Harbour"}),
        ("a: 'x # y'\nb: \"null\"\nc: null\nd: ''\n", {"a": "x # y", "b": "null", "c": None, "d": ""}),
        ("# about\r\na:\r\n  b:  c d \r\n\r\n  # of it\r\n  e: f\r\n", {"a": {"b": "c d", "e": "f"}}),
        ("a:\n- b\n- NULL\nc: d:e\n", {"a": ["b", None], "c": "d:e"}),
        ("a:\n  - b: 1\n    c: 2\n  - b: 3\n", {"a": [{"b": "1", "c": "2"}, {"b": "3"}]}),
        ("- a:\n  - b\n- c:\n- d\n", [{"a": ["b"]}, {"c": ""}, "d"]),
    ],
)
def test_plain_lines(text: str, data: Any) -> None:
    """Plain lines are read without PyYAML, and as by PyYAML."""
    assert read_plain_yaml(text) == data
    assert read_events(text.encode(), text) == YamlFile(data)


@pytest.mark.parametrize(
    "text",
    [
        *("", "# about\n", "a\n", "a: b: c\n", "a: b\n  c: d\n", "a:\n    b: c\n  d: e\n", "a: b\n- c\n"),
        *("a: b\na: c\n", "a: [b]\n", "a: b # c\n", "a: 'it''s'\n", 'a: "\\n"\n', "a: &b c\n", "a: |\n  b\n"),
        *("a:\tb\n", "\ufeffa: b\n", "a: \ufffd\n", "---\na: b\n", f"a:\n{' ' * 13}b: c\n"),
    ],
)
def test_lines_that_are_not_plain(text: str) -> None:
    """A file is left to PyYAML if any line of it may mean something else."""
    assert read_plain_yaml(text) is None
