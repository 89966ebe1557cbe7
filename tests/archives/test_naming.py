"""What names and versions say (`docs/archives.md`)."""

import pytest

from pipeline.archives.markers import version_of
from pipeline.archives.naming import is_of_a_product


@pytest.mark.parametrize(
    ("rest", "is_product"),
    [("-child", True), (" Pro 2", True), ("_lite-2", True), ("-2-pro", False), ("-main", False), ("", False)],
)
def test_the_name_of_another_product(rest: str, is_product: bool) -> None:
    """The first word behind the name of a component can make it the name of another."""
    assert is_of_a_product(rest) is is_product


@pytest.mark.parametrize(
    ("value", "version"),
    [
        ("1" * 64, "1" * 64),
        ("1" * 65, "1" * 64),
        (1.5, "1.5"),
        (-2, "-2"),
        (10**9 - 1, "999999999"),
        (10**9, None),
        (True, None),
        (None, None),
        ("", None),
        ("@version@", None),
    ],
)
def test_what_is_a_version(value: object, version: str | None) -> None:
    """A text is a version, cut to 64 characters, or a number below a thousand million; a placeholder is none."""
    assert version_of(value) == version
