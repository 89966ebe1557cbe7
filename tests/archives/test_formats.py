"""The formats of markers: which texts are read, and which are not markers (`docs/archives.md`)."""

import pytest

from pipeline.archives.formats import read_xml
from pipeline.archives.yaml_files import read_yaml
from tests.support.tables import lists


@pytest.mark.parametrize(
    ("text", "data"),
    [*lists("formats", "yaml"), ("[" * 1_000_000, None)],
)
def test_yaml(text: str, data: object) -> None:
    """YAML is read as mappings, lists and strings; invalid or deeply nested YAML gives nothing."""
    assert read_yaml(text.encode()).data == data


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
    """XML is read as the text of the elements below the root; with a document type, or if it is
    invalid, it gives nothing.
    """
    assert [read_xml(text.encode(encoding)) for encoding in ("utf-8", "utf-16")] == [data, data]
