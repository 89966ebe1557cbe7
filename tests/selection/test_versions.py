"""Versions, run alone: which of two is the higher (`docs/archives.md`)."""

from itertools import combinations

import pytest

from pipeline.selection.versions import rank

RISING = (
    (
        "1.0.0-dev",
        "1.0.0-alpha",
        "1.0.0-alpha.2",
        "1.0.0-beta",
        "1.0.0-beta4",
        "1.0.0-rc1",
        "1.0.0",
        "1.0.0-pl1",
        "1.0.1",
    ),
    ("1.9", "1.10", "1.10.1", "2", "10.0"),
    ("7.x-1.0-beta4", "7.x-1.0", "7.x-3.5", "8.x-1.x-dev", "8.x-1.0-alpha1", "8.x-1.0", "8.x-2.20", "3.0.0", "9.x-1.0"),
    ("1.x-1.2.0", "1.x-1.10.0", "2.x-1.0.0"),
    ("1.x", "1.0-alpha1", "1.0", "1.5"),
    ("1.0a1", "1.0b2", "1.0rc1", "v1.0", "V1.0.1"),
    ("0.9.8-SNAPSHOT", "0.9.8"),
)
EQUAL = (
    ("1.0", "1", "v1.0.0", " 1.0 ", "1.0+build.5"),
    ("1.0-beta4", "1.0beta4", "1.0.beta.4", "1.0-b4"),
    ("0", "0.0"),
)
UNKNOWN = (
    *(None, "", "trunk", "1.", ".1", "1..2", "1.0-4", "1.0-preview", "x.1", "1.0 final", "²"),
    *("1" * 30, "1.0-rc" + "1" * 10),
)


@pytest.mark.parametrize("versions", RISING)
def test_versions_that_rise(versions: tuple[str, ...]) -> None:
    """Each is lower than every one after it."""
    ranks = [known for version in versions if (known := rank(version))]
    assert len(ranks) == len(versions)
    assert [pair for pair in combinations(ranks, 2) if pair[0] >= pair[1]] == []


@pytest.mark.parametrize("versions", EQUAL)
def test_versions_that_are_equal(versions: tuple[str, ...]) -> None:
    """Trailing zeros, a `v`, separators and what a build adds make no difference."""
    assert len({rank(version) for version in versions}) == 1
    assert rank(versions[0]) is not None


@pytest.mark.parametrize("version", UNKNOWN)
def test_versions_that_cannot_be_compared(version: str | None) -> None:
    """What is no version has no rank."""
    assert rank(version) is None
