"""Laws of the places in a script: for any text there is an answer, within it."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.config.tree import Written
from pipeline.scripts.statements import read_script
from tests.support.sweep import examples

PIECES = (
    *("{", "}", "[", "]", "(", ")", "<", ">", ",", ":", ";", "...", "=", "=>", "!", "?", "`", "${", '"', "'", "\\"),
    *("export ", "default ", "const ", "a", "b", " as ", " satisfies ", "X", "module.exports", "async ", "function "),
    *("return ", "get ", "__proto__", "1", "0x1n", "é", "😀", "\ud800", "\r\n", "\n", "// c\n", "/* c */", "import "),
    *(" from ", '"tool"', "defineConfig", "{a: 1}", "\\u0061", "\x00", "/", "require(", "if (", "#!", "<!--"),
)


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
@settings(max_examples=examples(800), deadline=None)
def test_any_text_is_read(text: str) -> None:
    """Total: for any text there is an answer; each place in it is in the text, or at its end if a value is missing."""
    script = read_script(text, ".ts")
    assert 0 <= (script.hole or 0) <= len(text)
    assert script.written is None or all(0 <= start <= len(text) for start in _starts(script.written))


def _starts(written: Written) -> Iterator[int]:
    yield written.start
    for member in written.members.values():
        yield member.key
        yield from _starts(member.value)
