"""The formats that markers are written in: what is read, and what is no marker (`docs/archives.md`)."""

import pytest

from pipeline.archives.formats.header import read_header
from pipeline.archives.formats.info import last, read_info
from pipeline.archives.formats.plain_yaml import read_plain
from pipeline.archives.formats.xml import read_xml
from pipeline.archives.formats.yaml import read_yaml


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a = 1\nB b = ' x = ; y '\n", {"a": ("1",), "b b": (" x = ; y ",)}),
        ("a[] = 1\na [] = 2 ; more\na[x] = 3\na = 4\na = 5", {"a[]": ("1", "2", "3"), "a": ("5",)}),
        ("; a = 1\n# b = 2\n= 3\n[x]\nc = 4\n[Info]\nd = 'e\nf", {"d": ("'e",)}),
        ("\ufeffa=1\r\nb =\r\n", {"a": ("1",), "b": ("",)}),
    ],
)
def test_info(text: str, data: object) -> None:
    """`.info` and `.ini` are read as the values of each key, as far as they stand in no section or in `[info]`."""
    assert read_info(text.encode()) == data


def test_the_last_value_of_a_key() -> None:
    """A key that is empty or missing has no value."""
    info = {"a": ("1", "2"), "b": ("",), "c": ()}
    assert [last(info, key) for key in "abcd"] == ["2", None, None, None]


def test_headers() -> None:
    """The header of a style sheet or a PHP file is read as WordPress reads it."""
    text = "<?php /* Plugin Name: A: b */\n * Version: 1\n# Version: 2\r\n// Template: */\n * no field: x\n"
    text += "Requires Plugins: a, b ?>"
    assert read_header(text.encode()) == {"Plugin Name": "A: b", "Version": "1", "Requires Plugins": "a, b"}
    assert read_header(b" " * 8192 + b"\nVersion: 1") == {}


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (
            "a: 1\r\n# c\n\nb-c:\n  d: \"e: f\"  \n  g: 'h #i'\nj:\nk: l m:n\n",
            {"a": "1", "b-c": {"d": "e: f", "g": "h #i"}, "j": "", "k": "l m:n"},
        ),
        ("a:\n- b\n- c: d\n  e:\n    - f\ng:\n", {"a": ["b", {"c": "d", "e": ["f"]}], "g": ""}),
        ("- a\n- ~", ["a", "~"]),
        ("", None),
        (" a: b", None),
        ("a: b\n  c: d", None),
        ("- a\n  b: c", None),
        ("a:\n    b: c\n  d: e", None),
        ("a: b # c", None),
        ("a: [b]", None),
        ("a", None),
        ("- ", None),
        ("é: a", None),
        ("a: b\tc", None),
        ("".join(f"{' ' * level}a:\n" for level in range(17)), None),
    ],
)
def test_plain_yaml(text: str, data: object) -> None:
    """Plain YAML is read without PyYAML, and nothing else is."""
    assert read_plain(text.encode()) == data
    assert data is None or read_yaml(text.encode()) == data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: 1\nb: [x, {c: d}]\n", {"a": "1", "b": ["x", {"c": "d"}]}),
        ("a: &x y\nb: *x", {"a": "y", "b": None}),
        ("? [k]\n: v\na: b", {"a": "b"}),
        ("", None),
        ("a: [", None),
        ("\x01", None),
        ("- a\n---\n- b", ["a"]),
        ("[" * 16 + "]" * 16, eval("[" * 16 + "]" * 16)),
        ("[" * 17 + "]" * 17, None),
        ("[" * 1_000_000, None),
    ],
)
def test_yaml(text: str, data: object) -> None:
    """YAML is read as mappings, lists and strings; deep nesting and what is no YAML give nothing."""
    assert read_yaml(text.encode()) == data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (
            "<m><name> a </name><version><![CDATA[1]]></version><deep><name>b</name></deep>c</m>",
            {"name": "a", "version": "1"},
        ),
        ('<!DOCTYPE m [<!ENTITY a "b">]><m><name>&a;</name></m>', {}),
        ("<m><name>a</name>", {}),
        ("", {}),
    ],
)
def test_xml(text: str, data: object) -> None:
    """XML is read as the text of the elements below the root; with a document type, or broken, it gives nothing."""
    assert [read_xml(text.encode(encoding)) for encoding in ("utf-8", "utf-16")] == [data, data]
