"""YAML as Symfony's parser reads it (`docs/archives.md`)."""

from typing import Any

import pytest

from pipeline.archives.yaml_files import YamlFile, read_yaml
from tests.support.tables import lists


@pytest.mark.parametrize(("text", "data", "is_lenient", "fault"), lists("yaml", "read"))
def test_how_it_is_read(text: str, data: Any, is_lenient: bool, fault: str) -> None:
    """YAML that PyYAML refuses is read line by line, as far as each value is closed; what Symfony
    refuses is reported.
    """
    assert read_yaml(text.encode()) == YamlFile(data, is_lenient, fault)


def test_other_encodings() -> None:
    """Symfony only reads UTF-8."""
    assert read_yaml("a: é".encode("utf-16")) == YamlFile({"a": "é"}, fault="its text is not UTF-8")
    assert read_yaml(b"a: \xe9\nb: 1") == YamlFile(
        {"a": "\ufffd", "b": "1"}, is_lenient=True, fault="its text is not UTF-8"
    )
    assert read_yaml(b"a: \xe9\nb: \xef\xbf\xbd") == YamlFile(
        {"a": "\ufffd", "b": "\ufffd"}, is_lenient=True, fault="its text is not UTF-8"
    )
    assert read_yaml("a: \ufffd".encode()) == YamlFile({"a": "\ufffd"})


@pytest.mark.parametrize(("length", "is_repeated"), [(64, True), (65, False)])
def test_a_list_that_is_repeated_is_short(length: int, is_repeated: bool) -> None:
    """A list of up to 64 texts can be repeated; a longer one is nothing where it is repeated."""
    texts = ["x"] * length
    repeated = texts if is_repeated else None
    text = f"a: &list [{', '.join(texts)}]\nb: *list\n"
    assert read_yaml(text.encode()) == YamlFile({"a": texts, "b": repeated})


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "part",
    ["'", "a: &x [*x]\n", "- ", "a: b:\n", "{", " ", "a: '", "a: x: ", ":", "[a]: ", "<<: *x\n"],
)
def test_yaml_that_never_ends(part: str) -> None:
    """Any 64 KiB of YAML are read in a time proportional to their length."""
    for text in (
        part * (65536 // len(part)),
        "a: b:\n" + part * (65536 // len(part)),
        part + " " * 65536,
    ):
        read_yaml(text.encode())
