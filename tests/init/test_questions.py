"""Questions, run alone: the meaning of an answer, and the file that is written
(`docs/configuration.md`).
"""

import re

import pytest

from pipeline.config.disk import FILE_LIMIT
from pipeline.config.layers import Assignment, make_layer
from pipeline.init.config_text import Format, bounded, config_text
from pipeline.init.questions import (
    QUESTIONS,
    Known,
    answer,
    check_writable,
    fault_of,
    format_answer,
    initial_answers,
    names_presets,
    set_by_presets,
    values_to_write,
)
from pipeline.report.diagnostics.configuration import too_much
from pipeline.report.diagnostics.settings import InvalidValue, PresetNotFound
from pipeline.report.location import BUILT_IN, Location
from pipeline.report.outcome import fold
from pipeline.schema import SETTINGS, Setting, Value
from tests.support.disks import START, disk_of
from tests.support.tables import rows

SETTING = {setting.path: setting for setting in SETTINGS}
TYPED = Location("standard input", 3, 1)
KNOWN = Known(START, disk_of({}))
BEFORE = Assignment("config", Location(".tool.json", 1, 2), "before")


def said(path: str, value: Value) -> Assignment:
    """The value of a setting in the 0.x file."""
    return Assignment("config", Location(".tool.json", 1, 2), value)


@pytest.mark.rule("Surface, `init`")
def test_the_seven_questions() -> None:
    """The seven questions come in the order of the design, each in one line."""
    assert [question.path for question in QUESTIONS] == [
        "theme",
        "modules.exclude",
        "presets",
        "presetsSearchPath",
        "hooks.onFailure",
        "cache.file",
        "log.format",
    ]
    assert [question.setting.path for question in QUESTIONS] == [
        question.path for question in QUESTIONS
    ]
    assert all(len(question.text) <= 40 and len(question.help) <= 80 for question in QUESTIONS)


@pytest.mark.parametrize(
    ("path", "text", "value"),
    rows("questions", "answers"),
)
def test_an_answer(path: str, text: str, value: Value) -> None:
    """An answer is read like the text of a variable; `auto` leaves the presets to be detected."""
    assert fault_of(SETTING[path], KNOWN, text) == ""
    assert answer(SETTING[path], text, BEFORE, TYPED) == Assignment("flag", TYPED, value)


@pytest.mark.parametrize("text", ["", "\n", " \r\n"])
def test_no_answer(text: str) -> None:
    """An empty answer sets nothing and keeps the source of the default; typing the default
    sets it.
    """
    nobody = Assignment("default", BUILT_IN, "auto")
    for default in (BEFORE, nobody):
        assert fault_of(SETTING["theme"], KNOWN, text) == ""
        assert answer(SETTING["theme"], text, default, TYPED) == default
    assert answer(SETTING["theme"], "auto", nobody, TYPED) == Assignment("flag", TYPED, "auto")


@pytest.mark.parametrize(
    ("path", "text", "value"), [("theme", "auto", "auto"), ("modules.exclude", "a,b", ("a", "b"))]
)
def test_the_default_that_is_typed(path: str, text: str, value: Value) -> None:
    """If the user types the value of the 0.x file, its source stays that file."""
    before = said(path, value)
    assert answer(SETTING[path], text, before, TYPED) == before


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    rows("questions", "wrong"),
)
def test_what_is_wrong_with_an_answer(path: str, text: str, fault: str) -> None:
    """An answer is checked against the setting, the themes of the drop and the files
    that it names.
    """
    disk = disk_of({"/project/p/a.json": "{}", "/project/p/t.zip": ""})
    assert (
        fault_of(SETTING[path], Known(START, disk, has_archives=True, themes=("bay",)), text)
        == fault
    )


def test_what_the_drop_offers() -> None:
    """The themes of the drop are offered for the theme, its modules to be left out, and nothing for
    other questions.
    """
    known = Known(START, disk_of({}), has_archives=True, themes=("bay",), modules=("m",))
    assert {
        question.path: known.offers(question.path)
        for question in QUESTIONS
        if known.offers(question.path)
    } == {
        "theme": ("bay",),
        "modules.exclude": ("m",),
    }


def test_what_cannot_be_checked() -> None:
    """Without archives in the drop, any theme is accepted; without themes, none can be chosen."""
    assert fault_of(SETTING["theme"], KNOWN, "sea") == ""
    bare = Known(START, disk_of({}), has_archives=True)
    assert fault_of(SETTING["theme"], bare, "sea") == "no theme `sea`; the drop has no theme"


def test_what_a_file_cannot_hold() -> None:
    """A flag whose value is not UTF-8 cannot be written, and is an error."""
    kept = {
        SETTING["cache.enabled"]: said("cache.enabled", False),
        SETTING["theme"]: said("theme", "é"),
    }
    assert fold(check_writable(kept), lambda found: found, repr) == kept
    flag = Assignment("flag", Location("--exclude"), ("a", "\udcff"))
    assert fold(
        check_writable({SETTING["modules.exclude"]: flag}), repr, lambda errors: errors
    ) == (
        InvalidValue(
            "modules.exclude", Location("--exclude"), "text in UTF-8", "bytes that are not"
        ),
    )


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    rows("questions", "shown"),
)
def test_a_default_is_shown_as_it_would_be_typed(path: str, value: Value, shown: str) -> None:
    """A list is shown with commas, or as JSON if commas would be ambiguous."""
    assert format_answer(SETTING[path], value) == shown


def test_the_defaults() -> None:
    """The default of each setting is the value of the configuration, otherwise the built-in one."""
    layer = make_layer({SETTING["theme"]: said("theme", "t.zip")}, START)
    found = initial_answers(layer, START)
    assert {setting.path: each.value for setting, each in found.items()} == {
        **{setting.path: setting.default for setting in SETTINGS},
        "theme": "t.zip",
    }


@pytest.mark.parametrize(
    ("presets", "expected"),
    [("auto", False), ((), False), (("ci", "./p.ts"), False), (("./p.ts", "shop"), True)],
)
def test_presets_that_are_named(presets: Value, expected: bool) -> None:
    """A preset has to be searched for only if it is named and not bundled."""
    assert names_presets({SETTING["presets"]: said("presets", presets)}) is expected


def test_what_is_written() -> None:
    """Answers are written if they differ from the defaults or a preset sets them; so is everything
    that the file had.
    """
    answers = initial_answers(make_layer({}, START), START)
    answers |= {
        SETTING["theme"]: said("theme", "auto"),
        SETTING["cache.enabled"]: said("cache.enabled", True),
    }
    answers |= {
        SETTING[path]: Assignment("flag", TYPED, SETTING[path].default)
        for path in ("log.format", "cache.file")
    }
    answers |= {SETTING["presets"]: Assignment("flag", TYPED, ("./p.json",))}
    written = {
        SETTING["theme"]: "auto",
        SETTING["presets"]: ("./p.json",),
        SETTING["cache.enabled"]: True,
    }
    assert values_to_write(answers, ()) == written
    assert values_to_write(answers, {"log.format", "modules.only"}) == {
        **written,
        SETTING["log.format"]: "text",
    }


def test_presets_are_found_as_the_new_file_would() -> None:
    """A preset is found in the folders that were answered; one that is not found is reported at its
    answer.
    """
    files = {"/project/p/shop.json": '{"theme": "a"}'}
    disk = disk_of(files)
    answers = initial_answers(make_layer({}, START), START) | {
        SETTING["presets"]: Assignment("flag", TYPED, ("shop",))
    }
    missing = fold(set_by_presets(answers, START, disk), repr, lambda errors: errors)
    assert missing == (PresetNotFound("shop", TYPED, (), ()),)
    answers |= {SETTING["presetsSearchPath"]: Assignment("flag", TYPED, ("p",))}
    assert fold(set_by_presets(answers, START, disk), lambda found: found, repr) == {"theme"}
    detected = {**answers, SETTING["presets"]: Assignment("default", BUILT_IN, "auto")}
    assert fold(set_by_presets(detected, START, disk), lambda found: found, repr) == frozenset()
    disk = disk_of({**files, "/project/p/default.json": '{"log": {"format": "json"}}'})
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
    "exclude": ["a", "{", "["]
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
  theme: 'a"\\u202eb\\n',
  modules: {
    exclude: ["a", "{", "["],
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
    """Keys are in the order of the schema, and bare in a script; bidirectional characters are
    escaped.
    """
    values = {SETTING[path]: value for path, value in VALUES.items()}
    assert config_text(values) == JSON
    assert config_text(values, "ts") == (
        "// eslint-disable-next-line @typescript-eslint/triple-slash-reference\n"
        '/// <reference path="./tool.d.ts" />\nimport type { ToolConfig } from "tool";\n\n'
        f"const config: ToolConfig = {LITERAL}"
    )


@pytest.mark.parametrize(
    ("form", "item", "expected"),
    [
        ("json", "a" * 61, '["' + "a" * 61 + '"]'),
        ("json", "a" * 62, '[\n      "' + "a" * 62 + '"\n    ]'),
        ("ts", "a" * 62, '["' + "a" * 62 + '"]'),
        ("ts", "a" * 63, '[\n      "' + "a" * 63 + '",\n    ]'),
        ("ts", "\u6f22" * 31, '["' + "\u6f22" * 31 + '"]'),
        ("ts", "\u6f22" * 32, '[\n      "' + "\u6f22" * 32 + '",\n    ]'),
        ("ts", "'\"", '["\'\\""]'),
        ("ts", '\'""\\', "['\\'\"\"\\\\']"),
        ("json", '""', '["\\"\\""]'),
    ],
)
def test_the_form_of_a_list(form: Format, item: str, expected: str) -> None:
    """As by Prettier, a list is one line if that has at most 80 columns, and a text has the quotes
    that need fewer escapes.
    """
    (shown,) = re.findall(
        r"(?s)exclude\"?: (.*\]),?\n  \}", config_text({SETTING["modules.exclude"]: (item,)}, form)
    )
    assert shown == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("theme", "a" * 68, '  theme: "{}",\n'),
        ("theme", "a" * 69, '  theme:\n    "{}",\n'),
        ("cache.file", "a" * 80, '    file: "{}",\n'),
    ],
)
def test_the_form_of_a_long_text(path: str, text: str, expected: str) -> None:
    """In a script, a text that does not fit beside a key of five characters or more is on the next
    line; in JSON it is not.
    """
    values: dict[Setting, Value] = {SETTING[path]: text}
    assert expected.format(text) in config_text(values, "ts")
    assert f'": "{text}"\n' in config_text(values)


def test_a_long_configuration() -> None:
    """A text that is longer than a configuration may be is refused."""
    one = config_text({SETTING["theme"]: "\u202e" * 200_000})
    assert fold(bounded(one, "a"), repr, lambda errors: errors) == (
        too_much(Location("a"), "bytes to write", FILE_LIMIT),
    )
