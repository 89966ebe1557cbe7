"""The order of versions, compared with PHP's `version_compare`, which WordPress, PrestaShop and
Omeka use.
"""

from itertools import permutations

import pytest

from pipeline.archives.versions import compare_versions
from tests.support.php import run_php
from tests.support.tables import rows

pytestmark = pytest.mark.integration

SIGNS = {-1: "lower", 0: "equal", 1: "higher"}
PROGRAM = "return array_map(fn($pair) => version_compare(...$pair), $values);"


def by_php(pairs: list[tuple[str, str]]) -> list[str]:
    """How PHP compares versions."""
    return [SIGNS[sign] for sign in run_php(PROGRAM, pairs)]


def test_where_php_differs() -> None:
    """PHP orders the versions of the table as it says."""
    table = rows("versions", "php")
    assert by_php([(version, other) for version, other, *_ in table]) == [row[-1] for row in table]
    assert [row for row in table if row[2] == row[3]] == []


def test_where_php_agrees() -> None:
    """PHP orders the versions of the other table as the tool does."""
    table = rows("versions", "as_php")
    assert by_php([(version, other) for version, other, _ in table]) == [how for *_, how in table]
    ours = [compare_versions(version, other) for version, other, _ in table]
    assert ours == [{"lower": "newer", "equal": "changed"}[how] for *_, how in table]


def test_plain_numbers_are_compared_as_php_does() -> None:
    """Any two versions of numbers and dots, with any stage and count, are in PHP's order."""
    numbers = ("0", "0.1", "0.9", "0.10", "1", "1.0.1", "1.2", "1.10", "2.0.0.1", "10", "2024.1")
    words = ("-dev", "-alpha1", "-alpha2", "-beta", "-beta10", "-RC2", "")
    versions = [f"{number}{word}" for number in numbers for word in words]
    pairs = list(permutations(versions, 2))
    ours = [compare_versions(*pair) for pair in pairs]
    theirs = [{"higher": "older", "lower": "newer"}[how] for how in by_php(pairs)]
    assert ours == theirs
