"""The table of rules, and the marks of the tests that hold them."""

from tests.support.rules import RULES, rule_tests


def test_every_rule_has_a_test() -> None:
    """Each rule of the table is in the mark of a test."""
    held = {rule for test in rule_tests() for rule in test.rules}
    assert RULES.keys() - held == set()


def test_every_mark_is_a_rule() -> None:
    """What a test is marked with is a rule of the table."""
    assert [test for test in rule_tests() if not RULES.keys() >= {*test.rules}] == []


def test_every_test_of_this_folder_holds_a_rule() -> None:
    """Each test beside this one is marked with a rule."""
    here = [test for test in rule_tests() if test.file.startswith("rules/") and test.file != "rules/test_table.py"]
    assert [test for test in here if not test.rules] == []
