"""Questions, run alone: what an answer means, and what is written (`docs/configuration.md`)."""

import pytest

from pipeline.config.disk import Disk
from pipeline.config.json_reader import FILE_LIMIT
from pipeline.config.layers import Assignment, make_layer
from pipeline.init.config_text import bounded, config_text
from pipeline.init.questions import (
    QUESTIONS,
    answer,
    format_answer,
    initial_answers,
    set_by_presets,
    values_to_write,
    writable,
)
from pipeline.report.diagnostics.configuration import too_much
from pipeline.report.diagnostics.settings import InvalidValue, PresetNotFound, not_one_of, repeated_splice
from pipeline.report.location import BUILT_IN, Location
from pipeline.report.outcome import fold
from pipeline.schema import SETTINGS, Value
from tests.support.disks import START

SETTING = {setting.path: setting for setting in SETTINGS}
PRESETS = ["presets", "presetsSearchPath"]
TYPED = Location("standard input", 3, 1)
BEFORE = Assignment("config", Location(".tool.json", 1, 2), "before")


def said(path: str, value: Value) -> Assignment:
    """What the 0.x file says about a setting."""
    return Assignment("config", Location(".tool.json", 1, 2), value)


@pytest.mark.rule("Surface, `init`")
def test_the_seven_questions() -> None:
    """The questions are those of the design, in its order, each in one line."""
    assert [question.path for question in QUESTIONS] == [
        "theme",
        "modules.exclude",
        "presets",
        "presetsSearchPath",
        "hooks.onFailure",
        "cache.file",
        "log.format",
    ]
    assert all(len(question.text) <= 40 and len(question.help) <= 80 for question in QUESTIONS)


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("theme", " harbour\n", "harbour"),
        ("theme", "auto", "auto"),
        ("modules.exclude", "a, b*,,c ", ("a", "b*", "c")),
        ("modules.exclude", '["a, b", "c"]', ("a, b", "c")),
        ("modules.exclude", '[\n\t"a\\n",\r\n\t"c"\n]', ("a\n", "c")),
        ("modules.exclude", "[]", ()),
        ("modules.exclude", "auto", ("auto",)),
        ("modules.exclude", "a b, c", ("a b", "c")),
        ("presetsSearchPath", '["my presets"]', ("my presets",)),
        ("presetsSearchPath", "my presets, others", ("my presets", "others")),
        ("presets", "auto", "auto"),
        ("presets", "[]", ()),
        ("presets", "none", ("none",)),
        ("hooks.onFailure", "fail", "fail"),
        ("cache.file", "x/y.json", "x/y.json"),
    ],
)
def test_an_answer(path: str, text: str, value: Value) -> None:
    """An answer is read as the text of a variable is; `auto` leaves the presets to be detected."""
    found = fold(answer(SETTING[path], text, BEFORE, TYPED), lambda assignment: assignment, lambda errors: errors)
    assert found == Assignment("flag", TYPED, value)


@pytest.mark.parametrize("text", ["", "\n", " \r\n"])
def test_no_answer(text: str) -> None:
    """Nothing says nothing, and who said the default before is kept; the default that is typed is said."""
    nobody = Assignment("default", BUILT_IN, "auto")
    for default in (BEFORE, nobody):
        assert fold(answer(SETTING["theme"], text, default, TYPED), lambda assignment: assignment, repr) == default
    assert fold(answer(SETTING["theme"], "auto", nobody, TYPED), lambda assignment: assignment, repr) == Assignment(
        "flag", TYPED, "auto"
    )


@pytest.mark.parametrize(("path", "text", "value"), [("theme", "auto", "auto"), ("modules.exclude", "a,b", ("a", "b"))])
def test_the_default_that_is_typed(path: str, text: str, value: Value) -> None:
    """Who typed what the 0.x file says leaves it said by that file."""
    before = said(path, value)
    assert fold(answer(SETTING[path], text, before, TYPED), lambda assignment: assignment, repr) == before


@pytest.mark.parametrize(
    ("path", "text", "error"),
    [
        ("hooks.onFailure", "fial", not_one_of(("continue", "fail"), "hooks.onFailure", TYPED, "fial")),
        ("presets", "[1]", InvalidValue("presets[0]", TYPED, "a string", "a number")),
        ("presets", "[", InvalidValue("presets", TYPED, "a JSON array of strings", "text that is not JSON")),
        (
            "presetsSearchPath",
            '["", "a"]',
            InvalidValue("presetsSearchPath[0]", TYPED, "a path or a name", "an empty string"),
        ),
        ("modules.exclude", "..., a, ...", repeated_splice("modules.exclude[2]", TYPED)),
        ("theme", "\udcff", InvalidValue("theme", TYPED, "text in UTF-8", "bytes that are not")),
        ("modules.exclude", "a,\udcff", InvalidValue("modules.exclude", TYPED, "text in UTF-8", "bytes that are not")),
    ],
)
def test_a_wrong_answer(path: str, text: str, error: object) -> None:
    """A wrong answer is the error that the value would be in a file."""
    assert fold(answer(SETTING[path], text, BEFORE, TYPED), repr, lambda errors: errors) == (error,)


def test_a_boolean_can_be_written() -> None:
    """What is no text is written as it is."""
    assert (
        fold(writable(SETTING["cache.enabled"], said("cache.enabled", False)), lambda each: each.value, repr) is False
    )


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        ("theme", "auto", "auto"),
        ("modules.exclude", (), "[]"),
        ("modules.exclude", ("a", "b*"), "a, b*"),
        ("modules.exclude", ("a, b",), '["a, b"]'),
        ("modules.exclude", (" a", ""), '[" a",""]'),
        ("modules.exclude", ("[a]",), '["[a]"]'),
        ("modules.exclude", ("a\nb",), '["a\\nb"]'),
        ("presets", ("auto",), '["auto"]'),
        ("presets", "auto", "auto"),
    ],
)
def test_a_default_is_shown_as_it_would_be_typed(path: str, value: Value, shown: str) -> None:
    """A list is shown with commas, or as JSON where commas would say something else."""
    assert format_answer(SETTING[path], value) == shown


def test_paths_are_seen_from_the_new_file() -> None:
    """What a 0.x file further up says about paths is relative to its folder, and is written relative to the new one."""
    values: dict[str, Value] = {
        "theme": "t.zip",
        "modules.include": ("a/b",),
        "presets": ("x", "./x", "x.json", "app/ci", "/ci"),
        "presetsSearchPath": ("p", "/q", "..", "..."),
        "hooks.initScriptsDir": "app/init",
        "cache.file": "/c.json",
        "cache.enabled": False,
    }
    layer = make_layer({SETTING[path]: said(path, value) for path, value in values.items()}, START)
    found = {setting.path: each.value for setting, each in initial_answers(layer, START / "app").items()}
    defaults = {setting.path: setting.default for setting in SETTINGS}
    assert found == {
        **defaults,
        **values,
        "theme": "../t.zip",
        "presets": ("x", "../x", "../x.json", "./ci", "/ci"),
        "presetsSearchPath": ("../p", "/q", "../..", "..."),
        "hooks.initScriptsDir": "init",
    }
    assert {setting.path: each.value for setting, each in initial_answers(layer, START).items()} == {
        **defaults,
        **values,
    }


def test_a_theme_that_is_a_name_is_no_path() -> None:
    """The name of a theme, and presets that are detected, are the same from everywhere."""
    layer = make_layer({SETTING["theme"]: said("theme", "harbour")}, START)
    found = initial_answers(layer, START / "app")
    detected = Assignment("default", BUILT_IN, "auto", base=START / "app")
    assert found[SETTING["theme"]].value == "harbour"
    assert found[SETTING["presets"]] == detected


def test_what_is_written() -> None:
    """Answers are written if they differ from the defaults or a preset sets them, and all that a file said."""
    answers = initial_answers(make_layer({}, START), START)
    answers |= {SETTING["theme"]: said("theme", "auto"), SETTING["cache.enabled"]: said("cache.enabled", True)}
    answers |= {
        SETTING[path]: Assignment("flag", TYPED, SETTING[path].default) for path in ("log.format", "cache.file")
    }
    answers |= {SETTING["presets"]: Assignment("flag", TYPED, ("./p.json",))}
    written = {SETTING["theme"]: "auto", SETTING["presets"]: ("./p.json",), SETTING["cache.enabled"]: True}
    assert values_to_write(answers, ()) == written
    assert values_to_write(answers, {"log.format", "modules.only"}) == {**written, SETTING["log.format"]: "text"}


def test_presets_are_found_as_the_new_file_would() -> None:
    """A preset is found in the folders that are answered and read; one that is not has the place of its answer."""
    files = {"/project/p/shop.json": '{"theme": "a"}'}
    disk = Disk.of(files)
    answers = initial_answers(make_layer({}, START), START) | {SETTING["presets"]: Assignment("flag", TYPED, ("shop",))}
    missing = fold(set_by_presets(answers, START, disk), repr, lambda errors: errors)
    assert missing == (PresetNotFound("shop", TYPED, (), ()),)
    answers |= {SETTING["presetsSearchPath"]: Assignment("flag", TYPED, ("p",))}
    assert fold(set_by_presets(answers, START, disk), lambda found: found, repr) == {"theme"}
    detected = {**answers, SETTING["presets"]: Assignment("default", BUILT_IN, "auto")}
    assert fold(set_by_presets(detected, START, disk), lambda found: found, repr) == frozenset()
    disk = Disk.of({**files, "/project/p/default.json": '{"log": {"format": "json"}}'})
    assert fold(set_by_presets(detected, START, disk), lambda found: found, repr) == {"log.format"}


VALUES: dict[str, Value] = {
    "log.format": "json",
    "theme": 'a"\u202eb\n',
    "modules.exclude": ("a", "{", "["),
    "presets": (),
    "cache.enabled": False,
}
JSON = """\
{
  "schema": 1,
  "theme": "a\\"\\u202eb\\n",
  "modules": {
    "exclude": [
      "a",
      "{",
      "["
    ]
  },
  "presets": [],
  "cache": {
    "enabled": false
  },
  "log": {
    "format": "json"
  }
}
"""
LITERAL = """\
{
  schema: 1,
  theme: "a\\"\\u202eb\\n",
  modules: {
    exclude: [
      "a",
      "{",
      "[",
    ],
  },
  presets: [],
  cache: {
    enabled: false,
  },
  log: {
    format: "json",
  },
};

export default config;
"""


def test_the_text_of_a_configuration() -> None:
    """Keys stand in the order of the schema; in a script they are bare, and what turns text round is escaped."""
    values = {SETTING[path]: value for path, value in VALUES.items()}
    assert config_text(values) == JSON
    assert config_text(values, "js") == f'/** @type {{import("tool").ToolConfig}} */\nconst config = {LITERAL}'
    assert config_text(values, "ts") == (
        '/// <reference path="./tool.d.ts" />\nimport type { ToolConfig } from "tool";\n\n'
        f"const config: ToolConfig = {LITERAL}"
    )


def test_a_long_configuration() -> None:
    """A text that is longer than a file may be is refused."""
    one = config_text({SETTING["theme"]: "\u202e" * 200_000})
    assert fold(bounded(one, "a"), repr, lambda errors: errors) == (
        too_much(Location("a"), "bytes to write", FILE_LIMIT),
    )
