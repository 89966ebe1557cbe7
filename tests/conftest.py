"""The fixtures that several packages of tests use, and what a run of the tests tells at its end."""

import gc
import importlib
import os
import pkgutil
import re
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import pipeline
from tests.support import measuring, memory, sweep
from tests.support.checkout import NO_GIT_CONFIG
from tests.support.forks import FORKS, Forks
from tests.support.project import Project

# A shell starts what runs in the background with these signals ignored, and so would every command
# that is tested.
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
    # As Python has it, so that Ctrl-C ends the tests.
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.umask(0o022)  # what tests compare modes with

if not sweep.SWEEP:
    memory.use()


_STEERING: Final = re.compile(
    r"CI|SOURCE_DATE_EPOCH|(TOOL|GIT)_.*|(NO|FORCE)_COLOR|ACCESSIBLE|COLUMNS|LINES"
)
"""The variables that choose what the command and git do, and how wide and coloured it is shown: a
CI service sets `CI` and colours, and a hook of git the repository.
"""
_UNMEASURED: Final = {"docs", "manual", "scripts"}


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Let nothing steer what the tests run, once pytest itself has taken its width and
    its colours from it.
    """
    for name in [*os.environ]:
        if _STEERING.fullmatch(name) and name != sweep.VARIABLE:
            del os.environ[name]
    os.environ.update(NO_GIT_CONFIG)


@pytest.fixture
def counted(record_property: Callable[[str, object], None]) -> sweep.Counted:
    """Count what a test tries."""
    return lambda what, number: record_property(f"counted: {what}", number)


@pytest.fixture
def thinned() -> sweep.Thinned[Any]:
    """Thin a long sequence of cases out: `thinned(cases)` or `thinned(cases, 40)`; in a sweep,
    all of them.
    """
    return sweep.sample


@pytest.fixture
def take_turns() -> sweep.TakeTurns[Any, Any]:
    """Let ways to break cases take turns: `take_turns(cases, ways, 12)`; in a sweep, every way
    has every case.
    """
    return sweep.in_turn


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without measuring coverage, which takes as long again; what importing the pipeline
    covers is measured.
    """
    for module in pkgutil.walk_packages(pipeline.__path__, "pipeline."):
        importlib.import_module(module.name)
    with measuring.unmeasured():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure no coverage of the manual and of scripts: the tests of stages cover every line
    on their own.
    """
    if item.path.parent.name not in _UNMEASURED:
        return (yield)
    with measuring.unmeasured():
        return (yield)


def pytest_collection_finish() -> None:
    """Keep what was collected from being looked through whenever memory is: a seventh of the
    tests' own time.
    """
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make sweep` tries in full."""
    for item in items:
        if {"thinned", "take_turns"} & {*getattr(item, "fixturenames", ())}:
            item.add_marker("sweep")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the sum of each count, and what else tests have to tell of what they tried."""
    sums: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "tried":
                terminalreporter.write_line(str(value))
            elif name.startswith("counted: "):
                sums[name] += value
    for name, count in sorted(sums.items()):
        terminalreporter.write_line(f"{name.removeprefix('counted: ')}: {count:,}")


@pytest.fixture
def unmeasured() -> Iterator[None]:
    """Do not measure coverage, which takes as long again: for what is long and repeats what other
    tests cover.
    """
    with measuring.unmeasured():
        yield


@pytest.fixture
def forks() -> Forks:
    """The process that all tests of a worker share, to break calls of runs."""
    return FORKS


def _project(folder: Path) -> Project:
    (folder / "project/.git").mkdir(parents=True)
    return Project(folder / "project")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A new project folder, the top of its repository."""
    return _project(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project folder that the tests of a module share, for runs that several of
    them ask about.
    """
    return _project(tmp_path_factory.mktemp("shared"))
