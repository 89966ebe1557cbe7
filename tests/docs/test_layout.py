"""The layout of the code: each module is found, and each test can be read and run alone."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ("tests.support", "property_tests.strategies", "property_tests.printing")
"""Where helpers are."""
MODULES = sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("property_tests/*.py")])
PACKAGES = ("pipeline", "io_edges", "tests/support")
SUBPACKAGES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("__init__.py"))


def test_no_test_imports_another() -> None:
    """A test imports from `tests/support` or a module of strategies, and never from another test or
    a `conftest`.
    """
    imported = re.compile(r"^ *(?:from|import) +((?:tests|property_tests)\b[\w.]*)", re.MULTILINE)
    found = {path: imported.findall(path.read_text(encoding="utf-8")) for path in MODULES}
    assert {path: names for path, names in found.items() if not all(map(_is_shared, names))} == {}


def _is_shared(name: str) -> bool:
    return name.startswith(SHARED)


@pytest.mark.parametrize(
    "package", SUBPACKAGES, ids=lambda path: path.parent.relative_to(ROOT).as_posix()
)
def test_each_package_lists_its_modules(package: Path) -> None:
    """The docstring of a package names every module in it, or its table of contents imports it."""
    contents = [package, *package.parent.glob("table.py")]
    words = {
        word for path in contents for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))
    }
    modules = {path.stem for path in package.parent.glob("*.py")} - {"__init__"}
    assert modules - words == set()


def test_the_names_that_stay_are_there() -> None:
    """Each name that the page on the architecture promises to keep can be imported."""
    page = (ROOT / "docs/contributing/architecture.md").read_text(encoding="utf-8")
    section = page.partition("## Names that stay\n")[2].partition("\n## ")[0]
    promised = {
        module: re.findall(r"`(\w+)`", names)
        for module, names in re.findall(r"^\| `([\w.]+)` \| (.+) \|$", section, re.MULTILINE)
    }
    assert len(promised) > 10
    missing = [
        f"{module}.{name}"
        for module, names in promised.items()
        for name in names
        if not hasattr(importlib.import_module(module), name)
    ]
    assert missing == []
