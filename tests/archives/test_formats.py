"""The formats that markers are written in: what is read, and what is no marker (`docs/archives.md`)."""

import pytest

from pipeline.archives.formats import read_header, read_info, read_xml, read_yaml
from tests.support.tables import lists


@pytest.mark.parametrize(
    ("text", "data"),
    lists("formats", "info"),
)
def test_info(text: str, data: object) -> None:
    """`.info` and `.ini` give the values of each key, as far as they stand in no section or in `[info]`."""
    assert read_info(text.encode()) == data


def test_headers() -> None:
    """The header of a style sheet or a PHP file is read as WordPress reads it."""
    text = "<?php /* Plugin Name: A: b */\n * Version: 1\n# Version: 2\r\n// Template: */\n * no field: x\n"
    text += "Requires Plugins: a, b ?>"
    assert read_header(text.encode()) == {"Plugin Name": "A: b", "Version": "1", "Requires Plugins": "a, b"}
    assert read_header(b" " * 8192 + b"\nVersion: 1") == {}


@pytest.mark.parametrize(
    ("text", "data"),
    [*lists("formats", "yaml"), ("[" * 1_000_000, None)],
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
