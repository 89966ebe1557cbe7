"""Versions, run alone: which of two is the higher (`docs/archives.md`)."""

from itertools import combinations

import pytest

from pipeline.archives.versions import compare_versions, rank
from tests.support.tables import rows


@pytest.mark.parametrize("versions", rows("versions", "rising"))
def test_versions_that_rise(versions: tuple[str, ...]) -> None:
    """Each is lower than every one after it."""
    ranks = [known for version in versions if (known := rank(version))]
    assert len(ranks) == len(versions)
    assert [pair for pair in combinations(ranks, 2) if pair[0] >= pair[1]] == []


@pytest.mark.parametrize("versions", rows("versions", "equal"))
def test_versions_that_are_equal(versions: tuple[str, ...]) -> None:
    """Trailing zeros, a `v`, separators and what a build adds make no difference."""
    assert len({rank(version) for version in versions}) == 1
    assert rank(versions[0]) is not None


@pytest.mark.parametrize("version", rows("versions", "unknown"))
def test_versions_that_cannot_be_compared(version: str | None) -> None:
    """What is no version has no rank."""
    assert rank(version) is None


@pytest.mark.parametrize(
    ("version", "other", "how"),
    [("1.0", "1.1", "newer"), ("1.1", "1.0", "older"), ("1.0", "v1", "changed"), ("1.0", "trunk", "changed")],
)
def test_how_another_version_stands_to_one(version: str, other: str, how: str) -> None:
    """It is newer or older, or another one that cannot be compared or is written differently."""
    assert compare_versions(version, other) == how
    assert compare_versions(None, other) == "changed"
