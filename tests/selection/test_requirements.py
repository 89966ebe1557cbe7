"""Whether a system has a version that a component says it runs on (`docs/building.md`)."""

import pytest

from pipeline.selection.versions import satisfies

VERSIONS = ("0.3.1", "0.4", "1.0.0", "1.0.5", "1.1", "1.2", "1.2.9", "1.3", "1.9.9", "2.0", "2.0.1", "2.1", "10.0")


@pytest.mark.parametrize(
    ("constraint", "fitting"),
    [
        ("*", VERSIONS),
        ("1.2", ("1.2",)),
        ("=1.2.0 || v2.1", ("1.2", "2.1")),
        ("==1.2.0.0", ("1.2",)),
        ("!=1.2 <2 >1.1", ("1.2.9", "1.3", "1.9.9")),
        ("<> 1.2, < 2, >= 1.1", ("1.1", "1.2.9", "1.3", "1.9.9")),
        ("<=1.0", ("0.3.1", "0.4", "1.0.0")),
        ("^1.2", ("1.2", "1.2.9", "1.3", "1.9.9")),
        ("^0.3", ("0.3.1",)),
        ("^0", ("0.3.1", "0.4")),
        ("^1.9.9 || ^10", ("1.9.9", "10.0")),
        ("^1.9.9|^10", ("1.9.9", "10.0")),
        ("~1.2", ("1.2", "1.2.9", "1.3", "1.9.9")),
        ("~1.2.3", ("1.2.9",)),
        ("~1", ("1.0.0", "1.0.5", "1.1", "1.2", "1.2.9", "1.3", "1.9.9")),
        ("1.x", ("1.0.0", "1.0.5", "1.1", "1.2", "1.2.9", "1.3", "1.9.9")),
        ("1.2.*", ("1.2", "1.2.9")),
        ("1.2.X.x", ("1.2", "1.2.9")),
        ("1.1 - 2.0", ("1.1", "1.2", "1.2.9", "1.3", "1.9.9", "2.0", "2.0.1")),
        ("1.1 - 2.0.0", ("1.1", "1.2", "1.2.9", "1.3", "1.9.9", "2.0")),
        (">=1.9-beta1 <=2.0@stable", ("1.9.9", "2.0")),
    ],
)
def test_what_fits(constraint: str, fitting: tuple[str, ...]) -> None:
    """Constraints mean what they mean to Composer."""
    assert tuple(each for each in VERSIONS if satisfies(each, constraint)) == fitting
    assert None not in {satisfies(each, constraint) for each in VERSIONS}


@pytest.mark.parametrize("version", ["6.5-alpha-58000", "v6.5", "6.5.0.0", " 6.5+build", "6.5-dev"])
def test_suffixes_do_not_count(version: str) -> None:
    """A pre-release counts as what it leads to."""
    assert satisfies(version, "6.5") is True


@pytest.mark.parametrize(
    ("version", "constraint"),
    [
        ("unknown", "^1"),
        ("", "*"),
        ("1.0", ""),
        ("1.0", "^1 || "),
        ("1.0", "dev-main"),
        ("1.0", ">=6.2 or higher"),
        ("1.0", "^1.x"),
        ("1.0", ">*"),
        ("1.0", "1.0 - next"),
        ("1.0", "next - 1.0"),
        ("1.0", "1" * 10),
        ("1.0", "><1"),
    ],
)
def test_what_cannot_be_reported(version: str, constraint: str) -> None:
    """What is no version or no constraint is not judged."""
    assert satisfies(version, constraint) is None
