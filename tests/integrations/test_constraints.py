"""Constraints, compared with Composer's own code, by which Drupal and Omeka S judge."""

import random

import pytest

from pipeline.archives.constraints import is_constraint, satisfies
from tests.support.php import run_php
from tests.support.tables import rows

pytestmark = pytest.mark.integration

PARSER = "/usr/share/php/Composer/Semver/autoload.php"
PROGRAM = """
    foreach ($values as [$version, $constraint]) {
        try {
            $verdicts[] = Composer\\Semver\\Semver::satisfies($version, $constraint);
        } catch (UnexpectedValueException) {
            $verdicts[] = null;
        }
    }
    return $verdicts;
"""
VERSIONS = (
    *(
        "11.4.5",
        "10.6.15",
        "1.0.0",
        "2.1",
        "0.3",
        "11.x-dev",
        "11.4-dev",
        "9.5.0-beta2",
        "10.0.0-rc1",
        "1.2.3.4",
    ),
    *("2024.01.15", "dev-main", "3.0.0-alpha1", "1.0-p1", "0.0.0", "8.9.9"),
)
NUMBERS = ("0", "0", "1", "1", "2", "3", "8", "9", "10", "11", "2024")
SUFFIXES = (
    *(
        "-dev",
        ".x-dev",
        ".*",
        ".x",
        ".X.x",
        "-beta1",
        "-beta.2",
        "RC1",
        "-rc2",
        "alpha",
        "-a1",
        "b2",
        "-p1",
        "pl2",
    ),
    *(
        "-patch3",
        "@dev",
        "@stable",
        "@beta",
        "+b.1",
        "-stable",
        ".x-dev#a1",
        "-beta1-dev",
        "_1",
        "-1",
        "-foo",
        " as 2.0",
    ),
)
OPERATORS = (
    "",
    "^",
    "~",
    ">=",
    ">",
    "<",
    "<=",
    "=",
    "==",
    "!=",
    "<>",
    "^",
    "~",
    ">=",
    "^ ",
    ">= ",
    "~>",
    "=<",
)
NAMES = (
    "*",
    "x",
    "dev-main",
    "master",
    "*.*",
    "v*",
    "11.x-dev",
    "feature-dev",
    "@dev",
    "8.x-1.5",
    "",
)
JOINTS = (" || ", "||", " | ", "|", " ", ", ", ",", " , ", " || ", ", ", "  ", " or ", "|| ||")


def version(chance: random.Random) -> str:
    """A version, perhaps an odd one."""
    numbers = ".".join(
        chance.choice(NUMBERS) for _ in range(chance.choice((1, 1, 2, 2, 2, 3, 3, 4, 5)))
    )
    suffix = chance.choice(SUFFIXES) if chance.random() < 0.25 else ""
    return chance.choice(("", "", "", "v", "V")) + numbers + suffix


def constraint(chance: random.Random) -> str:
    """A constraint, perhaps one that is none."""
    if chance.random() < 0.1:
        return version(chance) + chance.choice((" - ", "-", " -", "  -  ")) + version(chance)
    terms = [
        chance.choice(OPERATORS)
        + (version(chance) if chance.random() < 0.85 else chance.choice(NAMES))
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3)))
    ]
    joined = terms[0] + "".join(chance.choice(JOINTS) + term for term in terms[1:])
    return joined + chance.choice(("", "", "", "", "", " ", ",", " ||"))


def test_what_composer_says() -> None:
    """Each verdict on constraints of every shape, valid and invalid, is Composer's."""
    chance = random.Random(1)
    pairs = [(chance.choice(VERSIONS), constraint(chance)) for _ in range(6000)]
    pairs += [(version(chance), "*") for _ in range(1000)]
    verdicts = run_php(PROGRAM, pairs, PARSER)
    differ = [
        (pair, verdict)
        for pair, verdict in zip(pairs, verdicts, strict=True)
        if _ours(*pair) != verdict
    ]
    assert [
        (pair, verdict) for pair, verdict in differ if verdict is not None or pair[1] != "*"
    ] == []
    assert min(map(verdicts.count, (True, False, None))) > 500


def _ours(of: str, wanted: str) -> bool | None:
    return satisfies(of, wanted) if is_constraint(wanted) else None


def test_what_the_tables_say() -> None:
    """The tables say what Composer says, except that a version of no system, which Composer
    refuses, is judged by its numbers.
    """
    judged = [row for row in rows("requirements", "judged") if not row[0].endswith("-src")]
    assert run_php(PROGRAM, [row[:2] for row in judged], PARSER) == [row[2] for row in judged]
    refused = rows("requirements", "refused")
    assert run_php(PROGRAM, [["1.0", each] for each in refused], PARSER) == [None] * len(refused)
