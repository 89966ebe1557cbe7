"""Variables and flags, run alone (`docs/configuration.md`, Environment variables)."""

from collections.abc import Callable

import pytest
from msgspec import UNSET
from returns.result import Failure, Success

from io_edges.cli.create import CreateFlags
from pipeline.config.flags import check_flags, read_flags
from pipeline.config.layers import Layer
from pipeline.config.variables import FLAGS_ALONE, forbids_exec, read_variables
from pipeline.report.diagnostics.settings import (
    InvalidValue,
    misspelt_variable,
    not_one_of,
    quoted_variable,
    repeated_splice,
)
from pipeline.report.location import Location
from pipeline.schema import Value
from tests.support.disks import START, assignment
from tests.support.tables import rows


def test_every_kind_of_value() -> None:
    """Strings are taken as they are, lists by commas or as JSON, booleans in four spellings, and
    paths relative to the current folder.
    """
    environ = {
        "TOOL_THEME": "x.zip",
        "TOOL_MODULES_EXCLUDE": " a, b*,, ",
        "TOOL_MODULES_ONLY": ' ["a,b", " "]',
        "TOOL_MODULES_INCLUDE": "[]",
        "TOOL_CACHE_ENABLED": "0",
        "TOOL_CACHE_FILE": "c",
        "TOOL_PRESETS": "",
        "TOOL_HOOK_STAGE": "init",
        "TOOLS": "x",
    }
    layer = read_variables(environ, START).unwrap()
    assert layer == Layer(
        {
            "theme": (assignment("env", Location("TOOL_THEME"), "x.zip"),),
            "modules.include": (assignment("env", Location("TOOL_MODULES_INCLUDE"), ()),),
            "modules.exclude": (assignment("env", Location("TOOL_MODULES_EXCLUDE"), ("a", "b*")),),
            "modules.only": (assignment("env", Location("TOOL_MODULES_ONLY"), ("a,b", " ")),),
            "cache.file": (assignment("env", Location("TOOL_CACHE_FILE"), "c"),),
            "cache.enabled": (assignment("env", Location("TOOL_CACHE_ENABLED"), False),),
        },
    )


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("LOG_FORMAT", "xml", lambda at: not_one_of(("text", "json"), "log.format", at, "xml")),
        (
            "CACHE_ENABLED",
            "yes",
            lambda at: not_one_of(("true", "1", "false", "0"), "cache.enabled", at, "yes"),
        ),
        (
            "CACHE_ENABLED",
            "True",
            lambda at: not_one_of(("true", "1", "false", "0"), "cache.enabled", at, "True"),
        ),
        (
            "PRESETS",
            "[1",
            lambda at: InvalidValue(
                "presets", at, "a JSON array of strings", "text that is not JSON"
            ),
        ),
        ("MODULES_ONLY", "...,a,...", lambda at: repeated_splice("modules.only[2]", at)),
        ("PRESETS", '["a", 1]', lambda at: InvalidValue("presets[1]", at, "a string", "a number")),
        (
            "PRESETS",
            "[" * 100_000,
            lambda at: InvalidValue(
                "presets", at, "a JSON array of strings", "text that is not JSON"
            ),
        ),
    ],
)
def test_a_bad_value_names_the_variable(
    name: str, text: str, error: Callable[[Location], InvalidValue]
) -> None:
    """A value that the setting does not take is an error at the variable."""
    variable = f"TOOL_{name}"
    assert read_variables({variable: text}, START) == Failure((error(Location(variable)),))


def test_all_bad_values_at_once() -> None:
    """Several bad variables are reported together, in the order of the schema."""
    errors = (
        not_one_of(
            ("true", "1", "false", "0"), "cache.enabled", Location("TOOL_CACHE_ENABLED"), "2"
        ),
        not_one_of(("text", "json"), "log.format", Location("TOOL_LOG_FORMAT"), "x"),
    )
    assert read_variables({"TOOL_LOG_FORMAT": "x", "TOOL_CACHE_ENABLED": "2"}, START) == Failure(
        errors
    )


def test_misspelt_variables() -> None:
    """A variable with nearly the name of a setting's is reported; one that hooks are given, or any
    other with `TOOL_`, is not.
    """
    names = ("TOOL_LOG_FMT", "TOOL_LOG_FORMT", "TOOL_MODULE_EXCLUDE")
    of_hooks = ("TOOL_HOOK_PLAN", "TOOL_HOOK_STAGE", "TOOL_HOOK_THEME", "tool_hook_plan")
    others = (
        "TOOL_PATH",
        "TOOL_FORMAT",
        "TOOL_FILE",
        "TOOL_HOME",
        "TOOL_NO_EXEC",
        "TOOL_ENABLED",
        "tool",
    )
    assert read_variables(dict.fromkeys((*names, *of_hooks, *others), "x"), START) == Success(
        Layer(
            warnings=(
                misspelt_variable("TOOL_LOG_FMT", "TOOL_LOG_FORMAT"),
                misspelt_variable("TOOL_LOG_FORMT", "TOOL_LOG_FORMAT"),
                misspelt_variable("TOOL_MODULE_EXCLUDE", "TOOL_MODULES_EXCLUDE"),
            )
        )
    )


@pytest.mark.parametrize(
    ("variable", "right"),
    rows("variables", "flags"),
)
def test_variables_that_are_called_like_flags(variable: str, right: str) -> None:
    """A variable in another case, or named like a flag, is reported with the right variable, or
    with the flag if there is none.
    """
    assert read_variables({variable: "1"}, START) == Success(
        Layer(warnings=(misspelt_variable(variable, right),))
    )


@pytest.mark.parametrize(
    ("text", "quoted"),
    rows("variables", "quotes"),
)
def test_quotes_around_a_value(text: str, quoted: bool) -> None:
    """Quotes around a value, as an env file keeps them, are reported; they are part of the
    value.
    """
    layer = read_variables(
        {"TOOL_THEME": text, "TOOL_MODULES_DIR": text, "TOOL_OTHER": text}, START
    ).unwrap()
    names = ("TOOL_MODULES_DIR", "TOOL_THEME") if quoted else ()
    assert layer.warnings == tuple(map(quoted_variable, names))
    assert layer.value("theme") == text.strip()


def test_flags_without_a_variable() -> None:
    """The list of flags that have no variable has every flag of `tool create` that is neither a
    setting nor has one of its own.
    """
    names = set(map(str.upper, CreateFlags.fields)) - {"NO_EXEC", "THEMES_DIR", "MODULES_DIR"}
    assert names == FLAGS_ALONE


FLAGS: dict[str, Value | None] = {
    "theme": "a",
    "modules_exclude": ("x", "y"),
    "cache_enabled": False,
    "log_format": None,
}


def test_flags() -> None:
    """A flag sets its setting, and is the source of its assignment."""
    assert read_flags(FLAGS, START) == Layer(
        {
            "theme": (assignment("flag", Location("--theme"), "a"),),
            "modules.exclude": (assignment("flag", Location("--exclude"), ("x", "y")),),
            "cache.enabled": (assignment("flag", Location("--no-cache"), False),),
        },
    )


def test_a_flag_that_empties_the_list() -> None:
    """`--exclude='[]'` and `--preset='[]'` set the empty list, which overrides lower layers."""
    assert read_flags({"modules_exclude": ("[]",), "presets": ("[]",)}, START) == Layer(
        {
            "modules.exclude": (assignment("flag", Location("--exclude"), ()),),
            "presets": (assignment("flag", Location("--preset"), ()),),
        }
    )


@pytest.mark.parametrize("column", ["a\nb c\n", "a\r\nb c\r\n", "\n a \n\n b c"])
def test_a_column_of_names(column: str) -> None:
    """In a variable and a flag, a line break separates the elements of a list."""
    variables = read_variables({"TOOL_MODULES_EXCLUDE": column}, START).unwrap()
    flags = read_flags({"modules_exclude": (column, " d ")}, START)
    assert variables.value("modules.exclude") == ("a", "b c")
    assert flags.value("modules.exclude") == ("a", "b c", " d ")


def test_blanks_and_line_breaks_around_a_value() -> None:
    """Blanks and line breaks around a value are ignored, such as those of a YAML block; a variable
    with nothing else in it is unset.
    """
    values = {
        "THEME": "none\n",
        "CACHE_FILE": " a b.json\r\n",
        "CACHE_ENABLED": "false\n",
        "LOG_FORMAT": "\n",
    }
    layer = read_variables({f"TOOL_{name}": text for name, text in values.items()}, START).unwrap()
    paths = ("theme", "cache.file", "cache.enabled", "log.format")
    assert [layer.value(path) for path in paths] == ["none", "a b.json", False, UNSET]
    assert forbids_exec({"TOOL_NO_EXEC": "1\n"}) == Success(True)


def test_auto_alone_detects_presets() -> None:
    """`auto` alone, as variable or flag, is the default of `presets`; among others it is a name."""
    path = "presets"
    variables = [{"TOOL_PRESETS": text} for text in (" auto ", "auto,x", '["auto"]')]
    assignments = [
        read_variables(each, START).unwrap().assignments[path][0].value for each in variables
    ]
    assert assignments == ["auto", ("auto", "x"), ("auto",)]
    flags = [{path: value} for value in (("auto",), ("auto", "x"))]
    assert [read_flags(each, START).assignments[path][0].value for each in flags] == [
        "auto",
        ("auto", "x"),
    ]


def test_a_splice_may_be_given_once_as_a_flag() -> None:
    """A flag that is given with `...` twice is refused, and the error names it."""
    layer = read_flags(
        {"modules_only": ("...", "a", "..."), "theme": "x", "presets": ("...",)}, START
    )
    assert check_flags(layer) == Failure((repeated_splice("modules.only", Location("--only")),))
    assert check_flags(Layer()) == Success(Layer())


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [("", False), ("0", False), ("false", False), ("1", True), ("true", True)],
)
def test_whether_nothing_may_be_run(text: str, forbidden: bool) -> None:
    """`TOOL_NO_EXEC` is a boolean, and unset if it is empty; it is not a setting, and not reported
    as misspelt.
    """
    environ = {"TOOL_NO_EXEC": text}
    assert forbids_exec(environ) == Success(forbidden)
    assert read_variables(environ, START) == Success(Layer())


def test_what_is_no_boolean_forbids_nothing() -> None:
    """An invalid value of `TOOL_NO_EXEC` is an error that names the variable."""
    error = not_one_of(("true", "1", "false", "0"), "", Location("TOOL_NO_EXEC"), "yes")
    assert forbids_exec({"TOOL_NO_EXEC": "yes"}) == Failure((error,))
    assert read_variables({"TOOL_NO_EXE": "1"}, START) == Success(
        Layer(warnings=(misspelt_variable("TOOL_NO_EXE", "TOOL_NO_EXEC"),))
    )
