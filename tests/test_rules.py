"""The rules in `support/data/rules.json`, and the tests that are marked with them."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent


def marks() -> Iterator[str]:
    """Give the rules that test functions are marked with."""
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.parse(text).body if "mark.rule(" in text else ():
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    if (
                        isinstance(decorator, ast.Call)
                        and ast.unparse(decorator.func) == "pytest.mark.rule"
                    ):
                        yield from map(ast.literal_eval, decorator.args)


def test_every_rule_has_a_test() -> None:
    """Each rule of the table is in the mark of a test, and each mark is a rule."""
    rules = json.loads((TESTS / "support/data/rules.json").read_text(encoding="utf-8"))
    assert {*marks()} == rules.keys()
