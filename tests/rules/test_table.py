"""The table of rules in `docs/rules.md` and the tests that it names are the same."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
DOCS = TESTS.parent.parent / "docs/rules.md"


def named() -> list[tuple[str, str]]:
    """Every test that the table names: file and function."""
    return re.findall(r"`(test_\w+\.py)::(test_\w+)`", DOCS.read_text(encoding="utf-8"))


def written(file: Path) -> set[tuple[str, str]]:
    """Every test function of a file."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    return {(file.name, each.name) for each in body if isinstance(each, ast.FunctionDef) and "test_" in each.name[:5]}


def test_every_test_in_the_table_exists() -> None:
    """Each test that the table of rules names is a function of the file that it names."""
    tests = named()
    there = {test for file in TESTS.parent.rglob("test_*.py") for test in written(file)}
    assert sorted(set(tests) - there) == []


def test_every_test_of_a_rule_is_in_the_table() -> None:
    """Each test function of this folder is named in the table of rules."""
    there = {test for file in TESTS.glob("test_*.py") if file != Path(__file__) for test in written(file)}
    assert sorted(there - set(named())) == []
