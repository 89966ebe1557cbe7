"""The key in a `package.json`, run alone (`docs/init.md`)."""

from typing import Any

import pytest
from returns.result import Failure

from pipeline.config.json_reader import FILE_LIMIT, PACKAGE_LIMIT
from pipeline.init.package_json import with_config
from pipeline.report.diagnostics.configuration import DuplicateKey, LimitExceeded, MalformedJson
from pipeline.report.diagnostics.settings import WrongType
from pipeline.report.location import Location
from pipeline.report.outcome import Outcome, fold

DATA = {"schema": 1, "modules": {"exclude": ("a",)}}
LONG = {"modules": {"exclude": ["a"] * 250_000}}
AT = Location("package.json")


def put(text: str) -> object:
    """The new text, or the problems."""
    return fold(with_config(text.encode(), DATA, "package.json"), lambda new: new.decode(), lambda problems: problems)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            '{\n  "name": "x",\n  "version": "1"\n}\n',
            '{\n  "name": "x",\n  "version": "1",\n  "tool": {\n    "schema": 1,\n    "modules": {\n'
            '      "exclude": [\n        "a"\n      ]\n    }\n  }\n}\n',
        ),
        (
            '{\r\n\t"name" : "x"\r\n}',
            '{\r\n\t"name" : "x",\r\n\t"tool" : {\r\n\t\t"schema": 1,\r\n\t\t"modules": {\r\n\t\t\t"exclude": [\r\n'
            '\t\t\t\t"a"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}',
        ),
        ('{"name": "x"}\n', '{"name": "x", "tool": {"schema": 1, "modules": {"exclude": ["a"]}}}\n'),
        ('{"name":"x"}', '{"name":"x","tool":{"schema":1,"modules":{"exclude":["a"]}}}'),
        ('{ "name": "x" }', '{ "name": "x", "tool": {"schema": 1, "modules": {"exclude": ["a"]}} }'),
        (
            '{\n"tool":\n5\n,"b":1}',
            '{\n"tool":\n{\n"schema": 1,\n"modules": {\n"exclude": [\n"a"\n]\n}\n}\n,"b":1}',
        ),
        ('{"to\\u006fl":5,"b":1}', '{"to\\u006fl":{"schema":1,"modules":{"exclude":["a"]}},"b":1}'),
    ],
)
def test_the_style_of_the_file_is_kept(old: str, new: str) -> None:
    """Indent, line ends and spacing are those that the file has."""
    assert put(old) == new


@pytest.mark.parametrize(
    ("old", "head", "tail"),
    [
        ("{}", "{\n", "\n}"),
        ("{}\r\n", "{\r\n", "\r\n}\r\n"),
        ("{\n}\n", "{\n", "\n}\n"),
        ("{ } ", "{\n", "\n} "),
        ("{\n\n }", "{\n", "\n}"),
    ],
)
def test_an_empty_object(old: str, head: str, tail: str) -> None:
    """An object without a member gets one, two spaces deep."""
    new = put(old)
    assert isinstance(new, str)
    assert new.startswith(f'{head}  "tool": {{')
    assert new.endswith(f"  }}{tail}")


@pytest.mark.parametrize(
    ("old", "problem"),
    [
        ('{"a": }', MalformedJson(Location("package.json", 1, 7), "invalid character")),
        ("[1]", WrongType("", Location("package.json", 1, 1), "an object", "another value")),
        (
            '{"tool": 1,\n "tool": 2}',
            DuplicateKey("tool", Location("package.json", 2, 2), Location("package.json", 1, 2)),
        ),
    ],
)
def test_what_cannot_hold_the_key(old: str, problem: object) -> None:
    """What is no JSON, no object, or has the key twice is left to the user."""
    assert put(old) == (problem,)


@pytest.mark.parametrize(
    ("old", "data", "new"),
    [
        ('{\n  "a": 1\n}', {"theme": "a" * FILE_LIMIT}, Failure((LimitExceeded(AT, "bytes to write", FILE_LIMIT),))),
        (f'{{"a": "{"a" * PACKAGE_LIMIT}"}}', DATA, Failure((LimitExceeded(AT, "bytes to write", PACKAGE_LIMIT),))),
    ],
)
def test_a_long_value(old: str, data: dict[str, Any], new: Outcome[bytes]) -> None:
    """What no command would read is refused."""
    assert with_config(old.encode(), data, "package.json") == new
