"""The law of plain YAML: what is read without PyYAML is read as PyYAML does it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.archives.plain_yaml import read_plain_yaml
from pipeline.archives.yaml_files import YamlFile, read_events
from property_tests.strategies import any_texts
from tests.support.sweep import law

VALUES = (
    *("", "b", "1.0", "c d", "'q'", '"d"', "null", "~", "^10 || ^11", "v:w", "x:", "a#b", "é", "(>=8)"),
    *("# c", "[", "{}", "&a", "*a", "|", "!x", "-", "?", "it's", "...", "---", "<<", "\\", "\t", "\r"),
)
lines = st.builds(
    "{}{}{}{}".format,
    st.integers(0, 13).map(" ".__mul__),
    st.sampled_from(["", "", "", "- ", "-"]),
    st.sampled_from(["", "k: ", "k:", "name: ", "a.b:  "]),
    st.sampled_from(VALUES) | any_texts,
)
files = st.lists(lines, max_size=16)
stairs = st.lists(st.sampled_from(["k:", "- k:", "- a"]), max_size=16).map(
    lambda steps: [" " * column + step for column, step in enumerate(steps)]
)
"""Files in which every line is indented further than the one before."""


@settings(max_examples=law(2000))
@given((files | stairs).map("\n".join))
def test_plain_lines_are_read_as_by_pyyaml(text: str) -> None:
    """If a file is read without PyYAML, PyYAML reads the same, and finds no fault."""
    data = read_plain_yaml(text)
    if data is not None:
        assert read_events(text.encode(), text) == YamlFile(data)
