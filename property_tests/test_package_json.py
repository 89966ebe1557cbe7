"""Laws of the key in a `package.json`: nothing else changes, byte for byte."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.init.config_text import config_data
from pipeline.init.package_json import with_config
from pipeline.report.outcome import fold
from pipeline.schema import SETTINGS
from property_tests.printing import Printed, printings, unexpected
from property_tests.strategies import json_values, keyed, soups, texts, values_of

keys = st.sampled_from(["name", "version", "scripts", "tools", ""]) | texts.filter(lambda key: key != "tool")
packages = st.dictionaries(keys, keyed(texts), max_size=4)
"""Objects without the key."""
values = st.fixed_dictionaries({}, optional={setting: values_of(setting) for setting in SETTINGS}).map(config_data)
marks = st.sampled_from([b"", b"\xef\xbb\xbf"])


def put(content: bytes, data: Any) -> bytes:
    """Set the key, which must succeed."""
    return fold(with_config(content, data, "package.json"), lambda new: new, unexpected)


@given(printings(packages), values, marks)
def test_a_new_key_changes_nothing_else(pair: tuple[Any, Printed], data: dict[str, Any], mark: bytes) -> None:
    """Without the text that was put in, the file is what it was, but for white space in an object that was empty.

    It decodes as before, with the key at the end.
    """
    text = mark + pair[1].text.encode()
    old, new = text if pair[0] else re.sub(rb"\{\s*\}", b"{}", text), put(text, data)
    head = next(at for at in range(len(old), -1, -1) if new.startswith(old[:at]) and new.endswith(old[at:]))
    assert new[:head] + new[head + len(new) - len(old) :] == old
    decoded = json.loads(new.decode("utf-8-sig"))
    assert list(decoded) == [*pair[0], "tool"]
    assert decoded == {**pair[0], "tool": json.loads(json.dumps(data))}


@given(printings(packages), json_values, values, st.integers(0, 4))
def test_a_new_value_changes_nothing_else(
    pair: tuple[Any, Printed], before: Any, data: dict[str, Any], place: int
) -> None:
    """A value that takes the place of another leaves all that is around it, and setting it twice is setting it once."""
    items = list(pair[0].items())
    printed = Printed([" ", "\n\t"], [json.dumps])
    printed.write(dict([*items[:place], ("tool", before), *items[place:]]))
    old = printed.text.encode()
    new = put(old, data)
    start = len(printed.text[: printed.places[("tool",)][0]].encode())
    tail = old[start + len(_text_of(printed)) :]
    assert (new[:start], new.endswith(tail)) == (old[:start], True)
    assert json.loads(new) == {**json.loads(old), "tool": json.loads(json.dumps(data))}
    assert put(new, data) == new


def _text_of(printed: Printed) -> bytes:
    """The bytes of the value under the key."""
    start = printed.places[("tool",)][0]
    _, end = json.JSONDecoder().raw_decode(printed.text, start)
    return printed.text[start:end].encode()


@given(printings(json_values).map(lambda pair: pair[1].text.encode()) | soups(b'{"tool":', b'"a"', b"}", b",", b"[1]"))
def test_it_is_total(content: bytes) -> None:
    """Whatever the bytes are, the key is set or a problem says why not; never an exception."""
    fold(with_config(content, {"schema": 1}, "package.json"), json.loads, len)
