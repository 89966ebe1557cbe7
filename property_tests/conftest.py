"""The profile that the laws run under, and how many examples they were tried on."""

import re
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.measuring import unmeasured
from tests.support.sweep import law

_TRIED = re.compile(r"(\d+) passing")
_HERE = Path(__file__).parent

settings.register_profile(
    "laws",
    derandomize=True,  # every run tries the same examples
    database=None,
    deadline=None,
    max_examples=law(120),
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no reason to fail
)
settings.load_profile("laws")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the laws: `make sweep` tries them on more examples."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker("sweep")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Try a law without measuring coverage, which takes as long again: the tests cover every line
    on their own.
    """
    if _HERE not in item.path.parents:
        return (yield)
    with unmeasured():
        return (yield)


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Note with each law how many examples it held for."""
    if _HERE in item.path.parents:
        tried = sum(map(int, _TRIED.findall(getattr(item, "hypothesis_statistics", ""))))
        item.user_properties.append(("examples", tried))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell how much was tried."""
    tried = tuple(_tried(terminalreporter))
    if tried:
        terminalreporter.write_line(
            f"property_tests: {len(tried)} laws held for {sum(tried):,} examples"
        )


def _tried(terminalreporter: pytest.TerminalReporter) -> Iterator[int]:
    for report in terminalreporter.stats.get("", ()):  # where passed set-ups and teardowns are kept
        if isinstance(report, pytest.TestReport) and report.when == "teardown":
            yield from (
                int(str(value)) for name, value in report.user_properties if name == "examples"
            )
