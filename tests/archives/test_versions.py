"""Versions, run alone: which of two is the higher (`docs/archives.md`)."""

from itertools import combinations

import pytest

from pipeline.archives.versions import are_equal, compare_versions, rank
from tests.support.tables import rows


@pytest.mark.parametrize("versions", rows("versions", "rising"))
def test_versions_that_rise(versions: tuple[str, ...]) -> None:
    """Each version is lower than every version after it."""
    ranks = [known for version in versions if (known := rank(version))]
    assert len(ranks) == len(versions)
    assert [pair for pair in combinations(versions, 2) if compare_versions(*pair) != "newer"] == []


@pytest.mark.parametrize("versions", rows("versions", "equal"))
def test_versions_that_are_equal(versions: tuple[str, ...]) -> None:
    """Trailing zeros, a `v`, separators, words that are not a stage, and build metadata make no
    difference.
    """
    assert len({rank(version) for version in versions}) == 1
    assert rank(versions[0]) is not None


@pytest.mark.parametrize("version", rows("versions", "unknown"))
def test_versions_that_cannot_be_compared(version: str | None) -> None:
    """A version without a digit has no rank."""
    assert rank(version) is None


@pytest.mark.parametrize(
    ("version", "other", "how"),
    [
        ("1.0", "1.1", "newer"),
        ("1.1", "1.0", "older"),
        ("1.0", "v1", "changed"),
        ("1.0", "trunk", "changed"),
    ],
)
def test_how_another_version_stands_to_one(version: str, other: str, how: str) -> None:
    """Another version is newer, older, incomparable, or only written differently."""
    assert compare_versions(version, other) == how
    assert compare_versions(None, other) == "changed"


def test_versions_that_are_one() -> None:
    """Versions that compare as equal are one version, however they are written; without a digit,
    only equal texts are.
    """
    pairs = [
        ("1.0", "v1"),
        ("trunk", "trunk"),
        ("1.0", "1.1"),
        ("trunk", "edge"),
        ("1.0", "trunk"),
        (None, None),
    ]
    assert [are_equal(*pair) for pair in pairs] == [True, True, False, False, False, False]


@pytest.mark.parametrize(("version", "other", "how", "_"), rows("versions", "php"))
def test_where_php_differs(version: str, other: str, how: str, _: str) -> None:
    """PHP's `version_compare` orders the pairs of the table in the docs differently."""
    assert {"older": "higher", "newer": "lower"}.get(
        compare_versions(version, other), "equal"
    ) == how
