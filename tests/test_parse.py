"""Parse, run alone: plain data with the position of every value (`docs/configuration.md`)."""

import pytest
from msgspec.structs import replace
from returns.result import Failure, Success

from pipeline.config.tree import ConfigFile, Document, KeyPath, Position, Tree, format_path
from pipeline.parse import parse
from pipeline.report.diagnostics import ConfigError
from pipeline.report.diagnostics.configuration import ConfigNotFound, not_json, too_much
from pipeline.report.diagnostics.scripts import EvaluationFailed
from pipeline.report.location import Location
from tests.support.disks import START
from tests.support.sweep import sweep_only
from tests.support.tables import rows
from tests.support.trees import tree_of

FILE = ConfigFile.at("tool.config.json", START)
PACKAGE = ConfigFile.at("package.json", START)


def at(line: int, column: int) -> Location:
    """A place in the configuration."""
    return Location("tool.config.json", line, column)


def errors_of(text: str | bytes, file: ConfigFile = FILE) -> tuple[ConfigError, ...]:
    """What is wrong with a text."""
    return parse(Document(file, text.encode() if isinstance(text, str) else text)).failure()


def places(tree: Tree) -> dict[str, tuple[str, str]]:
    """The place of each value and of its key."""
    short = {path: (position.value, position.key) for path, position in tree.positions.items()}
    return {format_path(path): (_place(value), _place(key)) for path, (value, key) in short.items()}


def _place(location: Location) -> str:
    return f"{location.line}:{location.column}"


def test_places() -> None:
    """Every value has the line and column, counted from 1 in characters, where it begins, and
    those of its key.
    """
    tree = tree_of(
        '{\n  "theme": "b\u00e4r",\r\n  "modules": {"only": [ "\U0001f600", "x" ], "\\u0061": '
        "{}}\n}"
    )
    assert tree.data == {"theme": "bär", "modules": {"only": ["😀", "x"], "a": {}}}
    assert places(tree) == {
        "": ("1:1", "1:1"),
        "theme": ("2:12", "2:3"),
        "modules": ("3:14", "3:3"),
        "modules.only": ("3:23", "3:15"),
        "modules.only[0]": ("3:25", "3:25"),
        "modules.only[1]": ("3:30", "3:30"),
        "modules.a": ("3:47", "3:37"),
    }


def test_a_byte_order_mark() -> None:
    """A byte order mark is accepted and does not change positions."""
    tree = parse(Document(FILE, b'\xef\xbb\xbf{"theme": "x"}')).unwrap()
    assert places(tree) == {"": ("1:1", "1:1"), "theme": ("1:11", "1:2")}


@pytest.mark.rule("Schema, inline file")
def test_the_key_of_a_package() -> None:
    """In a `package.json` the tree is the value of `tool`, with its places in the whole file."""
    text = '{"name": "tool", "x": {"tool": [1]},\n "tool" : {"theme": "x"}, "y": {"a": 1, "a": 2}}'
    tree = tree_of(text, PACKAGE)
    assert tree.data == {"theme": "x"}
    assert places(tree) == {"": ("2:11", "2:11"), "theme": ("2:21", "2:12")}


@pytest.mark.parametrize("value", ["1", '"s"', "null", "[]", '{"a": [{}]}', "{}"])
def test_any_value_under_the_key(value: str) -> None:
    """The value of `tool` is found whatever it is, last or not, with its key escaped or not."""
    import json

    texts = [f'{{"tool":{value}}}', f'{{"a":[{{"tool":0}}],"t\\u006fol": {value} ,"b":0}}']
    assert [tree_of(text, PACKAGE).data for text in texts] == [json.loads(value)] * 2


def test_a_package_that_lost_its_key() -> None:
    """A `package.json` that lost its key after it was located is reported as one without the
    key.
    """
    assert errors_of("{}", PACKAGE) == (ConfigNotFound("package.json", lacks_key=True),)


@pytest.mark.rule("Errors, 65, not JSON")
@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    rows("parse", "not JSON"),
)
def test_what_is_not_json(text: str, line: int, column: int, reason: str) -> None:
    """Text that is not strict JSON is refused at the place of the fault."""
    [error] = errors_of(text)
    assert (error.location, error.message) == (at(line, column), f"not JSON: {reason}")


def test_bytes_that_are_not_utf_8() -> None:
    """Bytes that are not UTF-8 are refused at the character where they stand."""
    assert errors_of(b'{\n "\xc3\xa4": "\xff"}') == (not_json(at(2, 8), "encoding", "0xff"),)


def test_the_depth_limit() -> None:
    """64 nested objects and arrays are accepted, and not one more."""
    fits = parse(Document(FILE, b"[" * 64 + b"]" * 64))
    assert isinstance(fits, Success)
    assert errors_of("[" * 65 + "]" * 65) == (too_much(at(1, 65), "levels", 64),)
    assert errors_of('{"a":' * 100_000) == (too_much(at(1, 64 * 5 + 1), "levels", 64),)


def test_limits_hold_for_the_value_in_a_package() -> None:
    """In a `package.json`, the limits of depth and size are for the value of `tool`; the rest only
    has to be JSON.
    """
    deep = "[" * 100 + "]" * 100
    assert tree_of(f'{{"deps": {deep}, "tool": {{}}}}', PACKAGE).data == {}
    assert errors_of(f'{{"tool": {deep}}}', PACKAGE) == (
        too_much(Location("package.json", 1, 74), "levels", 64),
    )
    wide = '"' + "x" * (1024 * 1024) + '"'
    assert tree_of(f'{{"deps": {wide}, "tool": {{}}}}', PACKAGE).data == {}
    assert errors_of(f'{{"tool": {wide}}}', PACKAGE) == (
        too_much(Location("package.json", 1, 10), "bytes", 1024 * 1024),
    )
    assert tree_of(f'{{"tool": "{wide[3:]}}}', PACKAGE).data == "x" * (1024 * 1024 - 2)


def test_a_package_beyond_the_parser() -> None:
    """A `package.json` that is nested too deeply for the parser is refused and does not crash
    it.
    """
    text = '{"a":' + "[" * 200_000 + "]" * 200_000 + ', "tool": {}}'
    error = not_json(Location("package.json", 1, 6), "depth")
    assert errors_of(text, PACKAGE) == (error,)
    assert errors_of(text[:9_000] + "@", PACKAGE) == (error,)
    assert errors_of(text[:2_000] + "@", PACKAGE) == (error,)


def test_a_bundled_preset_has_no_places() -> None:
    """The text of a bundled preset is not the user's, so nothing in it has a position."""
    bundled = replace(FILE, bundled=b"{}")
    assert parse(Document(bundled, b'{"theme": "x"}')) == Success(Tree(bundled, {"theme": "x"}, {}))


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (b"export default { theme: f() };", (25, 18)),
        (b"\xef\xbb\xbfexport default { theme: f() };", (25, 18)),
        (b"export default f();", None),
        (b"export default { theme: '\xff' };", None),
    ],
    ids=["written", "behind a byte order mark", "computed", "no text"],
)
def test_a_value_of_a_script_has_its_place(text: bytes, columns: tuple[int, int] | None) -> None:
    """A value of a script has its position in the script's text, if that is certain."""
    script = ConfigFile.at("tool.config.ts", START)
    value, key = (Location("tool.config.ts", 1, column) for column in columns or (0, 0))
    positions: dict[KeyPath, Position] = (
        {("theme",): Position(("theme",), value, key)} if columns else {}
    )
    assert parse(Document(script, b'{"theme":"x"}', text)) == Success(
        Tree(script, {"theme": "x"}, positions)
    )


@sweep_only
@pytest.mark.usefixtures("unmeasured")
def test_a_large_file_is_parsed_in_linear_time() -> None:
    """A file of nearly 1 MiB with a hundred thousand values keeps the place of the last one."""
    text = "[\n" + '"abcdefg",\n' * 90_000 + '"z"]'
    assert places(tree_of(text))["[90000]"] == ("90002:1", "90002:1")


@pytest.mark.parametrize(
    "answer",
    [b'{"theme":"a","theme":"b"}', b'{"theme":1e999}', b'{"theme":"\\ud800"}', b"{", b"\xff"],
)
def test_an_answer_that_is_no_json(answer: bytes) -> None:
    """An answer of a script that no file could hold is not data and has no position."""
    script = ConfigFile.at("tool.config.ts", START)
    error = EvaluationFailed(Location("tool.config.ts"), "not data", "text that is not JSON")
    assert parse(Document(script, answer, b"export default {}")) == Failure((error,))
