"""Laws of `tool init`: in every format, a run decides what the user answered."""

import tempfile
from pathlib import Path, PurePath
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from io_edges.scripts.evaluate import TimeBudget, evaluate
from pipeline.config.disk import Disk
from pipeline.config.layers import Assignment, Layer
from pipeline.config.tree import ConfigFile, Document
from pipeline.init.config_text import FILES, config_text
from pipeline.init.questions import (
    QUESTIONS,
    Known,
    answer,
    fault_of,
    format_answer,
    initial_answers,
    set_by_presets,
    values_to_write,
)
from pipeline.parse import parse
from pipeline.report.location import Location
from pipeline.report.outcome import fold
from pipeline.resolve import Request, resolve
from pipeline.schema import SETTINGS, Setting, Value
from property_tests.printing import unexpected
from property_tests.strategies import SETTING, lists, texts, values_of
from tests.support.disks import START, disk_of
from tests.support.sweep import examples

SOURCE = Location("standard input", 1, 1)
FILES_OF_PRESETS = {
    "p/a.json": '{"theme": "meadow", "exclude": ["x"], "cache": {"file": "p.json"}}',
    "p/b.json": '{"hooks": {"onFailure": "fail"}, "log": {"format": "json"}}',
}
SET: dict[str, dict[str, Value]] = {
    "none": {},
    "ci": {"hooks.onFailure": "fail", "cache.enabled": False},
    "./p/a.json": {"theme": "meadow", "modules.exclude": ("x",), "cache.file": "p.json"},
    "p/b.json": {"hooks.onFailure": "fail", "log.format": "json"},
}
"""What each preset sets."""
PRESETS = st.just("auto") | st.lists(st.sampled_from([*SET]), max_size=3).map(tuple)


def answered(setting: Setting) -> st.SearchStrategy[Value]:
    """The answers to a question, of which some are the default."""
    given = PRESETS if setting.path == "presets" else values_of(setting)
    return given.map(lambda value: tuple(value) if isinstance(value, list) else value) | st.just(
        setting.default
    )


answers = st.fixed_dictionaries(
    {}, optional={question.setting: answered(question.setting) for question in QUESTIONS}
)
carried = st.fixed_dictionaries(
    {},
    optional={
        setting: answered(setting)
        for setting in SETTINGS
        if setting not in {question.setting for question in QUESTIONS}
    },
)
"""What a 0.x file says beside."""


def to_write(given: dict[Setting, Value], said: dict[Setting, Value]) -> dict[Setting, Value]:
    """What is written for answers and for what a file said."""
    before = initial_answers(Layer(), START)
    said_so = {setting: Assignment("config", SOURCE, value) for setting, value in said.items()}
    found = {
        **before,
        **said_so,
        **{setting: Assignment("flag", SOURCE, value) for setting, value in given.items()},
    }
    return values_to_write(
        found, fold(set_by_presets(found, START, disk_with({})), lambda paths: paths, unexpected)
    )


def disk_with(files: dict[str, bytes]) -> Disk:
    """A disk with files, and the presets."""
    laid: dict[str, str | bytes] = {**FILES_OF_PRESETS, **files}
    return disk_of({str(START / name): content for name, content in laid.items()})


def decided(name: str, content: bytes) -> dict[str, tuple[Value, str]]:
    """What a run decides about each setting with one configuration, and in which layer."""
    found = fold(
        resolve(Request(start=START), disk_with({name: content})), lambda found: found, unexpected
    )
    return {each.path: (each.winner.value, each.winner.layer) for each in found.settings.decisions}


@given(answers, carried)
def test_what_is_answered_is_what_is_decided(
    given: dict[Setting, Value], said: dict[Setting, Value]
) -> None:
    """A run gives each setting the value that was answered, whether the file has it or leaves it
    out; presets may set the settings without an answer.
    """
    values = to_write(given, said)
    chosen = given.get(SETTING["presets"])
    presets = chosen if isinstance(chosen, tuple) else ()
    beneath = {
        path: value for preset in presets if preset in SET for path, value in SET[preset].items()
    }
    for setting in SETTINGS:
        value, layer = decided("tool.config.json", config_text(values).encode())[setting.path]
        assert value == {**said, **given}.get(setting, beneath.get(setting.path, setting.default))
        differs = value != setting.default or setting.path in beneath
        assert (layer == "config") == (setting in said or (setting in given and differs))


@settings(max_examples=examples(12))
@given(answers, carried)
def test_a_script_evaluates_to_what_is_answered(
    given: dict[Setting, Value], said: dict[Setting, Value]
) -> None:
    """The script, evaluated by the real runtime, exports the same data as the JSON file."""
    values = to_write(given, said)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, FILES["ts"])
        file.write_text(config_text(values, "ts"), encoding="utf-8")
        content = fold(
            evaluate(file, PurePath(folder), lambda _, line: unexpected(line), TimeBudget()),
            lambda each: each.content,
            unexpected,
        )
    assert data_of(content) == data_of(config_text(values).encode())


def data_of(content: bytes) -> Any:
    """JSON as plain data, read as a configuration is."""
    file = ConfigFile(path=START / "a.json", display_path="a.json", kind="json")
    return fold(parse(Document(file, content)), lambda tree: tree.data, unexpected)


@given(
    st.sampled_from(
        [question.setting for question in QUESTIONS if question.setting.type == "strings"]
    ),
    lists,
)
def test_a_list_that_is_shown_can_be_typed(setting: Setting, items: list[str]) -> None:
    """If a user types a default list as it is shown, the answer is that list."""
    shown = format_answer(setting, tuple(items))
    assert answer(setting, shown, Assignment("default", SOURCE, ()), SOURCE).value == tuple(items)


@given(st.sampled_from([question.setting for question in QUESTIONS]), texts)
def test_an_answer_is_total(setting: Setting, text: str) -> None:
    """Any typed text is either refused with a reason or can be written to the file."""
    default = Assignment("default", SOURCE, setting.default)
    known = Known(START, disk_with({}), has_archives=True, themes=("meadow",))
    if not fault_of(setting, known, text):
        assert decided_alone(setting, answer(setting, text, default, SOURCE).value)


def decided_alone(setting: Setting, value: Any) -> bool:
    """Whether a value is what a file with it alone says."""
    data = data_of(config_text({setting: value}).encode())
    for key in setting.keys:
        data = data[key]
    return bool(data == (list(value) if isinstance(value, tuple) else value))
