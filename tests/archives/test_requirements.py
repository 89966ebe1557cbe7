"""Whether a system has a version that a component runs on (`docs/building.md`)."""

import pytest

from pipeline.archives.constraints import is_beyond, is_constraint, satisfies
from pipeline.systems.table import system_called
from tests.support.tables import rows

VERSIONS = (
    "0.3.1",
    "0.4",
    "1.0.0",
    "1.0.5",
    "1.1",
    "1.2",
    "1.2.9",
    "1.3",
    "1.9.9",
    "2.0",
    "2.0.1",
    "2.1",
    "10.0",
)


@pytest.mark.parametrize(
    ("constraint", "fitting"),
    rows("requirements", "fits"),
)
def test_what_fits(constraint: str, fitting: tuple[str, ...]) -> None:
    """A constraint means what it means to Composer."""
    assert tuple(each for each in VERSIONS if satisfies(each, constraint)) == fitting
    assert None not in {satisfies(each, constraint) for each in VERSIONS}


@pytest.mark.parametrize(("version", "constraint", "verdict"), rows("requirements", "judged"))
def test_stages_and_branches(version: str, constraint: str, verdict: bool) -> None:
    """Pre-releases, patches and branches are compared as in Composer; of a version that only a
    system writes, the numbers are compared.
    """
    assert satisfies(version, constraint) is verdict
    assert is_constraint(constraint)


@pytest.mark.parametrize(
    ("version", "constraint"),
    rows("requirements", "unknown"),
)
def test_what_cannot_be_reported(version: str, constraint: str) -> None:
    """Nothing is said if the version or the constraint is invalid."""
    assert satisfies(version, constraint) is None


@pytest.mark.parametrize("constraint", rows("requirements", "refused"))
def test_what_is_no_constraint(constraint: str) -> None:
    """A constraint that Composer refuses is invalid."""
    assert not is_constraint(constraint)


@pytest.mark.parametrize(
    ("system", "version", "runs_on", "is_too_new"),
    [
        ("WordPress", "6.8.1", ">=6.8p1", False),
        ("WordPress", "6.7-alpha-58000", ">=6.8 or higher", False),
        ("WordPress", "6.8.1", ">=6..9", False),
        ("Omeka Classic", "3.2.1", ">=3.2.1.1", False),
        ("Drupal", "10.2.4", "^10.3 || ^11", False),
        ("Drupal", "10.2.4", ">10.2.4", False),
        ("Drupal", "10.2.4", "^10 !=10.2.4", False),
        ("Drupal", "10.2.4", "^8.8 || ^9", True),
        ("Drupal", "10.2.4", "<10.2", True),
        ("Drupal 7", "7.105", "8.x", False),
        ("Drupal 7", "7.105", "7.x ; c", True),
        ("PrestaShop", "8.1.0", ">=1.7 <=1.7.9", True),
        ("PrestaShop", "8.1.0", ">=8.2 <=8.9", False),
        ("PrestaShop", "8.1.0", "9.0 - 9.x", False),
        ("PrestaShop", "8.1.0", ">=1.7 <=0", True),
    ],
)
def test_what_a_system_is_too_new_for(
    system: str, version: str, runs_on: str, is_too_new: bool
) -> None:
    """A system is too new for a component that does not run on it, unless the component runs on a
    later version.
    """
    accepts = system_called(system).accepts
    assert accepts(version, runs_on) is False
    assert is_beyond(version, runs_on, accepts) is is_too_new
