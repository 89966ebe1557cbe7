"""The code is laid out so that each module is found, and each test can be read and run alone."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ("tests.support", "property_tests.strategies", "property_tests.printing")
"""Where helpers are."""
MODULES = sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("property_tests/*.py")])
ROOMS = sorted(path for package in ("pipeline", "io_edges") for path in (ROOT / package).rglob("__init__.py"))


def imports(module: Path) -> Iterator[str]:
    """The modules of the tests that a module imports."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(name), names=names):
                yield from (f"{name}.{each.name}" for each in names)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_test_imports_another(module: Path) -> None:
    """What a module imports of the tests is in `tests/support` or a module of strategies: no test, no `conftest`."""
    tests = [name for name in imports(module) if name.split(".")[0] in {"tests", "property_tests"}]
    assert [name for name in tests if not name.startswith(SHARED)] == []


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: path.parent.relative_to(ROOT).as_posix())
def test_each_room_lists_its_modules(room: Path) -> None:
    """The docstring of a package names every module in it."""
    words = set(re.findall(r"\w+", room.read_text(encoding="utf-8")))
    modules = {path.stem for path in room.parent.glob("*.py")} - {"__init__"}
    assert modules - words == set()
