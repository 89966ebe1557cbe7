"""Laws of emit: its output can be read back, and is harmless to a terminal."""

import json
import re
import unicodedata
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from toolz import assoc_in

from pipeline.config.layers import Settings
from pipeline.emit import decisions, emit
from pipeline.merge import merge
from pipeline.report.escape import escape
from pipeline.report.events import (
    ArchiveEvent,
    ComponentEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    HookEvent,
    ListElement,
    OutputEvent,
    Overridden,
    SummaryEvent,
    WarningEvent,
)
from pipeline.report.layout import Screen
from pipeline.report.outcome import fold
from pipeline.report.wording import value_text
from pipeline.resolve import load
from pipeline.schema import SETTINGS
from property_tests.printing import unexpected
from property_tests.strategies import ODD, any_texts, file, in_files, layers, strings
from tests.support.disks import START, disk_of

BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
MARKS = "\u061c\u200e\u200f"

counts = st.integers(0, 10**6)
seconds = st.floats(0, 10**6)
outcomes = st.sampled_from(["done", "planned", "unchanged", "stopped"])
kinds = st.sampled_from(["theme", "module"])
maybe = st.none() | any_texts
values = any_texts | st.booleans() | st.lists(any_texts, max_size=3).map(tuple)
overridden = st.lists(
    st.builds(Overridden, any_texts, any_texts, values, st.booleans()), max_size=3
).map(tuple)
elements = st.lists(st.builds(ListElement, any_texts, any_texts, any_texts), max_size=2).map(tuple)
lists_of_text = st.lists(any_texts, max_size=2).map(tuple)
events = st.one_of(
    st.builds(
        DecisionEvent,
        any_texts,
        values,
        any_texts,
        any_texts,
        overridden,
        lists_of_text,
        elements,
        lists_of_text,
    ),
    st.builds(
        ArchiveEvent,
        any_texts,
        st.none() | kinds,
        maybe,
        maybe,
        st.booleans(),
        any_texts,
        maybe,
        st.booleans(),
    ),
    st.builds(
        ComponentEvent, kinds, any_texts, st.sampled_from(["add", "keep"]), any_texts, counts
    ),
    st.builds(
        HookEvent,
        any_texts,
        any_texts,
        st.sampled_from(["planned", "ok", "failed"]),
        st.none() | counts,
        st.none() | seconds,
    ),
    st.builds(OutputEvent, any_texts, st.sampled_from(["stdout", "stderr"]), any_texts),
    st.builds(WarningEvent, any_texts, any_texts, maybe, maybe),
    st.builds(ErrorEvent, any_texts, counts, maybe, any_texts, maybe, maybe),
    st.builds(SummaryEvent, any_texts, outcomes, *[counts] * 5, seconds, counts),
)
settled = st.lists(layers(), max_size=4).map(lambda found: merge(found, START))


def harmful(text: str) -> set[str]:
    """The characters of a text that a terminal might obey, or that cannot be written to one."""
    return {
        character
        for character in text
        if unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
        or unicodedata.bidirectional(character) in BIDI
        or character in MARKS
    }


def reassembled(lines: tuple[str, ...]) -> dict[str, Any]:
    """Make a configuration of the decisions that were reported; detected presets are those of a
    silent file.
    """
    data: dict[str, Any] = {}
    for decision in map(json.loads, lines):
        if (decision["path"], decision["value"]) != ("presets", "auto"):
            data = assoc_in(data, decision["path"].split("."), decision["value"])
    return data


@given(settled)
def test_validate_after_emit_gives_the_layer_back(settings: Settings) -> None:
    """The decisions that are reported as JSON, written to a file, load as a layer that sets all of
    these values.
    """
    content = json.dumps(reassembled(emit(decisions(settings), "json")))
    layer = fold(
        load(file(), disk_of({str(START / "tool.config.json"): content})),
        lambda layer: layer,
        unexpected,
    )
    for setting in SETTINGS:
        value = settings.decision(setting.path).value
        if (setting.path, value) == ("presets", "auto"):
            assert setting.path not in layer.assignments
        else:
            assert layer.assignments[setting.path][0].value == value
            assert getattr(merge((layer,), START), setting.name) == getattr(settings, setting.name)


@given(st.lists(events, max_size=4))
def test_a_json_line_loses_nothing(reported: list[Event]) -> None:
    """A JSON line can be read back as the same event; a lone surrogate, which UTF-8 cannot hold,
    comes back as its escape.
    """
    plain = [json.dumps(to_builtins(event), ensure_ascii=False) for event in reported]
    held = [
        re.sub("[\ud800-\udfff]", lambda lone: f"\\\\u{ord(lone[0]):04x}", text) for text in plain
    ]
    assert [json.loads(line) for line in emit(reported, "json")] == [
        json.loads(text) for text in held
    ]


@given(st.lists(events, max_size=4), st.sampled_from([0, 20, 40, 80]), st.booleans(), st.booleans())
def test_no_line_has_a_character_that_a_terminal_obeys(
    reported: list[Event], columns: int, is_summary: bool, accessible: bool
) -> None:
    """Whatever the values, no line contains a control character, a line separator, a bidirectional
    character or a lone surrogate.

    This holds in JSON, and in text that is fitted to a screen, shortened or read aloud.
    """
    screen = Screen(columns, is_summary=is_summary, verbose=not is_summary, accessible=accessible)
    assert not set().union(*map(harmful, emit(reported, "text", screen) + emit(reported, "json")))


def test_each_such_character_is_escaped_wherever_it_stands() -> None:
    """Every character that a terminal obeys is escaped in each of these formats."""
    every = "".join(sorted(harmful("".join(map(chr, range(0x110000))))))
    assert len(every) > 2048 + 65
    for log_format in ("text", "json"):
        (line,) = emit([OutputEvent(every, "stdout", every)], log_format)
        assert not harmful(line)


WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^,\s\]]+')
from_a_disk = strings(in_files, f'{ODD}, []{{}}:1"\\\udc80\udcff', most=8) | st.sampled_from(
    ["true", "null", "-1.5"]
)


@given(st.lists(from_a_disk, max_size=3).map(tuple))
def test_a_list_in_text_reads_back(value: tuple[str, ...]) -> None:
    """No two lists are written alike in text: the words in brackets, bare or as JSON, are the
    strings of the list.

    A byte that is not UTF-8 is written as its escape, which a pattern also matches.
    """
    words = WORD.findall(value_text(value), 1)
    spelled = tuple(re.sub("[\ud800-\udfff]", lambda lone: escape(lone[0]), each) for each in value)
    assert tuple(json.loads(each) if each[0] == '"' else each for each in words) == spelled
