"""Readers of formats that a system's own code reads, and PHP's order of
versions (`docs/archives.md`).

The rows of `.info` were run by `drupal_parse_info_format` of Drupal 7.105
and `backdrop_parse_info_format` of Backdrop 1.28.x-dev; the others are run
by `tests/integrations/test_readers.py`.
"""

from typing import Any

import pytest

from pipeline.archives.headers import read_header
from pipeline.archives.info import read_info, read_loosely
from pipeline.archives.ini import IniFault, read_ini
from pipeline.archives.php_versions import compare_as_php
from tests.support.tables import lists, rows


@pytest.mark.parametrize(("text", "fields"), lists("readers", "headers"))
def test_headers(text: str, fields: dict[str, str]) -> None:
    """Each field of a header has the value of its first line; only LF, CR and CRLF end a line."""
    assert read_header(text.encode()) == fields


def test_the_start_of_a_file_has_its_header() -> None:
    """Only the first 8 KiB of a file can have a header."""
    assert [read_header(b" " * size + b"\nVersion: 1") for size in (8181, 8192)] == [
        {"Version": "1"},
        {},
    ]


@pytest.mark.parametrize(("text", "fields"), lists("readers", "info"))
def test_info(text: str, fields: dict[str, Any]) -> None:
    """An `.info` file is read by the single expression of its systems, even where a person would
    read it in another way.
    """
    assert read_info(text.encode()) == fields


@pytest.mark.parametrize(("text", "fields"), lists("readers", "ini"))
def test_ini(text: str, fields: dict[str, Any]) -> None:
    """An ini file is read as PHP reads it."""
    assert read_ini(text.encode()) == fields


@pytest.mark.parametrize(("text", "line", "at"), rows("readers", "ini_faults"))
def test_ini_that_php_refuses(text: str, line: int, at: str) -> None:
    """An ini file that PHP refuses is refused, with the place where PHP stops."""
    assert read_ini(text.encode()) == IniFault(line, at)


def test_what_people_read() -> None:
    """A lenient reader takes the values before any section and in one section, or in all, ignoring
    case and comments.
    """
    text = "\ufeffA = 'x ; y' z\r\n[Info]\rB b = 1 ; c\n[more]\nc = \"2\n# d = 3\n= 4\n".encode()
    assert read_loosely(text, "info") == {"a": "x ; y", "b b": "1"}
    assert read_loosely(text) == {"a": "x ; y", "b b": "1", "c": '"2'}


@pytest.mark.parametrize(("version", "other", "sign"), rows("readers", "php_versions"))
def test_the_order_of_php(version: str, other: str, sign: int) -> None:
    """Any two texts are compared as PHP compares them, in both directions."""
    assert (compare_as_php(version, other), compare_as_php(other, version)) == (sign, -sign)


def test_a_number_of_any_length_in_a_version() -> None:
    """A number with more digits than Python converts counts as PHP's largest; zeros in front of a
    number do not count.
    """
    longest = "9" * 5000
    assert [compare_as_php("1.7", longest), compare_as_php(longest, f"{2**63 - 1}")] == [-1, 0]
    assert compare_as_php(f"{'0' * 5000}12", "12") == 0


def test_half_a_character_in_a_version() -> None:
    """Half of a surrogate pair in a version counts as a question mark."""
    assert compare_as_php("1.0\ud800", "1.0?") == 0
