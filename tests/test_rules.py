"""The table of rules, and the marks of the tests that hold them."""

from tests.support.rules import RULES, rule_tests


def test_every_rule_has_a_test() -> None:
    """Each rule of the table is in the mark of a test, and each mark is a rule."""
    assert {rule for test in rule_tests() for rule in test.rules} == RULES.keys()
