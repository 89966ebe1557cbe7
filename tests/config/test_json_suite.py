"""JSON: the reader agrees with the JSONTestSuite on every file that a reader must accept or
must refuse.
"""

import json
from base64 import b64decode
from pathlib import Path, PurePath

import pytest
from returns.result import Failure

from pipeline.config.tree import ConfigFile, Document
from pipeline.parse import parse
from pipeline.report.diagnostics.configuration import duplicate_key
from pipeline.report.location import Location
from pipeline.report.outcome import fold

DATA = Path(__file__).parent.parent / "support/data/json_suite.json"
LARGE = {
    "n_structure_100000_opening_arrays.json": b"[" * 100_000,
    "n_structure_open_array_object.json": b'[{"":' * 50_000 + b"\n",
}
"""The two large files of the suite; see `data/README.md` for where the suite comes from and
its licence.
"""
SUITE = {
    name: b64decode(text) for name, text in json.loads(DATA.read_text(encoding="utf-8")).items()
} | LARGE
OWN_RULE = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}
"""Valid JSON that the tool refuses by a rule of its own: one object has one key twice."""


def document(content: bytes) -> Document:
    """A `tool.config.json` with these bytes."""
    path = PurePath("/project/tool.config.json")
    return Document(ConfigFile(path=path, display_path=path.name, kind="json"), content)


def package(content: bytes) -> Document:
    """A `package.json` with these bytes beside the key `tool`."""
    path = PurePath("/project/package.json")
    file = ConfigFile(path=path, display_path=path.name, kind="package")
    return Document(file, b'{"other": ' + content + b', "tool": {}}')


def named(letter: str) -> list[str]:
    """The files whose name begins with a letter, `y` for valid and `n` for invalid."""
    return sorted(name for name in SUITE if name.startswith(f"{letter}_"))


@pytest.mark.rule("JSON, the suite")
def test_the_suite_is_whole() -> None:
    """The suite has 95 files that are valid and 188 that are not."""
    assert len(named("y")) == 95
    assert len(named("n")) == 188
    assert len(SUITE) == 283


def read(file: Document) -> object:
    """The data of a file, or its errors."""
    return fold(parse(file), lambda tree: tree.data, lambda errors: errors)


@pytest.mark.rule("JSON, valid")
def test_what_is_valid_is_read() -> None:
    """Every valid file is read, and gives the value that the standard library reads."""
    valid = {*named("y")} - OWN_RULE
    wanted = {name: json.loads(SUITE[name]) for name in valid}
    assert {name: read(document(SUITE[name])) for name in valid} == wanted


@pytest.mark.rule("JSON, valid")
def test_what_is_valid_may_be_in_a_package() -> None:
    """Every valid file may be a value of a `package.json`, beside the key `tool`."""
    valid = named("y")
    assert {name: read(package(SUITE[name])) for name in valid} == {name: {} for name in valid}


@pytest.mark.rule("JSON, invalid")
def test_what_is_invalid_is_refused() -> None:
    """Every invalid file is one error with its position, and never an exception."""
    for name in named("n"):
        for file in (document(SUITE[name]), package(SUITE[name])):
            errors = fold(parse(file), lambda _: (), lambda found: found)
            assert len(errors) == 1, name
            location = errors[0].location
            assert location and location.line >= 1 and location.column >= 1, name


@pytest.mark.rule("JSON, valid")
@pytest.mark.parametrize("name", sorted(OWN_RULE))
def test_a_key_that_stands_twice_is_refused(name: str) -> None:
    """A repeated key is valid JSON, but a rule of the tool refuses it, with both positions."""
    first, second = (Location("tool.config.json", 1, column) for column in (2, 10))
    assert parse(document(SUITE[name])) == Failure((duplicate_key("a", second, first),))
