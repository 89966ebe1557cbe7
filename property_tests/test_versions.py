"""Laws of the order of versions: it is a total order of any texts (`docs/archives.md`)."""

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.archives.versions import are_equal, compare_versions, rank
from property_tests.strategies import any_texts
from tests.support.sweep import law

PIECES: Final = (
    *(
        "0",
        "1",
        "2",
        "10",
        "2024",
        "007",
        "7.x-",
        "8.x-",
        ".x",
        "v",
        "V",
        "+",
        "a",
        "b",
        "c",
        "g",
        "x",
        "p",
        "r",
    ),
    *(
        "dev",
        "SNAPSHOT",
        "alpha",
        "beta",
        "rc",
        "RC",
        "pl",
        "patch",
        "hotfix",
        "pro",
        "lts",
        "final",
        "Release",
    ),
    *(".", "-", "_", ",", " ", "(", "~", "/", "\u00e9"),
)
versions = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
texts = versions | any_texts
SIGNS: Final = {"older": -1, "changed": 0, "newer": 1}


def sign(version: str, other: str) -> int:
    """1 if the other version is newer, -1 if it is older."""
    return SIGNS[compare_versions(version, other)]


@settings(max_examples=law(300))
@given(texts, texts)
def test_of_two_versions_one_is_newer_or_they_are_one(one: str, other: str) -> None:
    """No version is newer than itself, both directions agree, and of two different versions with a
    rank one is newer.
    """
    assert sign(one, one) == 0
    assert sign(one, other) == -sign(other, one)
    have_ranks = rank(one) is not None and rank(other) is not None
    assert not have_ranks or are_equal(one, other) == (sign(one, other) == 0)
    assert have_ranks or sign(one, other) == 0


@settings(max_examples=law(300))
@given(st.lists(versions, min_size=3, max_size=3))
def test_the_order_has_no_circles(three: list[str]) -> None:
    """The order is transitive: if one version is not older than a second, and that is not older
    than a third, the first is not older than the third.
    """
    first, second, third = (version if rank(version) else f"1{version}" for version in three)
    if sign(first, second) >= 0 and sign(second, third) >= 0:
        assert sign(first, third) == max(sign(first, second), sign(second, third))
