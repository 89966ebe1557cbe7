"""The table of rules, and the marks of the tests that hold them."""

from tests.support.rules import RULES, rule_tests


def test_every_rule_has_a_test() -> None:
    """Each rule of the table is in the mark of a test, each mark is a rule, and each test beside this one has one."""
    tests = [test for test in rule_tests() if test.file != "rules/test_table.py"]
    assert {rule for test in tests for rule in test.rules} == RULES.keys()
    assert [test for test in tests if test.file.startswith("rules/") and not test.rules] == []
