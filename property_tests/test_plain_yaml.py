"""Laws of plain YAML: what is read without PyYAML is what PyYAML reads."""

from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.archives.formats.plain_yaml import read_plain
from tests.support.sweep import examples

LINES = st.sampled_from(
    [
        "name: x",
        "version: 1.0",
        "a:",
        "  b: ~",
        '  c: "d: e"',
        "    f: 'g #h'",
        "- i",
        "  - j",
        "- k: l",
        "    m: n",
        "  - o:",
        "    - p",
    ]
)
PIECES = st.sampled_from(
    [
        ": ",
        ":",
        "- ",
        " ",
        "  ",
        "\n",
        "\r\n",
        "#",
        " #",
        "'",
        '"',
        "\\",
        "!",
        "&",
        "*",
        "|",
        ">",
        "{",
        "[",
        ",",
        "%",
        "@",
        "`",
        "?",
        "---",
        "...",
        "\t",
        "\0",
        "é",
        "<<",
        "a b",
    ]
)


@given(st.lists(LINES, max_size=8), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 2), PIECES), max_size=2))
@settings(max_examples=examples(600), deadline=None)
def test_plain_yaml_is_yaml(lines: list[str], edits: list[tuple[int, int, str]]) -> None:
    """Agreement: whatever is taken for plain YAML is read as by PyYAML, with every scalar a string."""
    text = "\n".join(lines)
    for at, length, piece in edits:
        text = text[:at] + piece + text[at + length :]
    data: Any = read_plain(text.encode())
    assert data is None or data == yaml.load(text.encode(), yaml.BaseLoader)
