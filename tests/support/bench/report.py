"""The two tables of the bench."""

import os
import platform
import re
import subprocess
import zlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from msgspec import Struct

from pipeline import __version__
from tests.support.bench import subjects as of
from tests.support.bench.packages import LOADERS
from tests.support.bench.rounds import Run, Runs, Spread, ratio, spread


class Goal(Struct, frozen=True):
    """How long a subject may take, in times of what its peer takes."""

    subject: str
    peer: str
    most: float


GOALS: Final = (
    Goal(of.COLD, of.UNZIP, 0.7),
    *(Goal(of.COLD, peer, 0.9) for peer in (of.BSDTAR, of.SEVEN)),
    Goal(of.COLD, of.ZIPFILE, 0.85),
    Goal(of.UNCHANGED, of.DRY, 1.3),
    Goal(of.ONE_CHANGED, of.ONE_ALONE, 1.5),
    Goal(of.DRY, of.IMPORTS, 1.4),
    Goal(of.EVALUATED, of.BY_C12, 1.0),
    Goal(of.PLAN_MANY, of.PLAN_FEW, 11),
)
COMPARED: Final = (
    *((of.COLD, of.WIDE), (of.COLD, of.COPY), (of.UNCHANGED, of.COLD)),
    *((of.DIFF, of.UNCHANGED), (of.UNDO, of.ONE_CHANGED), (of.EVALUATED, of.JSON)),
)
"""What is reported without a goal."""
MEMORY_GOAL: Final = 120
"""MiB."""


def tables(runs: Runs, memory: float) -> str:
    """Give both tables in Markdown."""
    ratios = [(goal.subject, goal.peer, f"≤ {goal.most:g}", ratio(runs, goal.subject, goal.peer)) for goal in GOALS]
    ratios += [(subject, peer, "", ratio(runs, subject, peer)) for subject, peer in COMPARED]
    rows = [f"| {subject} | {peer} | {goal} | {_spelled(found, '.2f')} |" for subject, peer, goal, found in ratios]
    held = f"| {of.COLD}: peak memory | | ≤ {MEMORY_GOAL} MiB | {memory:.0f} MiB |"
    head = ("| measure | in times of | goal | median (quartiles) |", "| --- | --- | --- | --- |")
    both = ("| command | wall time, ms | processor time, ms |", "| --- | --- | --- |")
    return "\n".join((*head, *rows, held, "", *both, *(_row(name, taken) for name, taken in runs.items()), ""))


def _row(name: str, runs: Sequence[Run]) -> str:
    wall, processors, _ = (spread([1000 * each for each in times]) for times in zip(*runs, strict=True))
    return f"| {name} | {_spelled(wall, '.0f')} | {processors.median:.0f} |"


def _spelled(found: Spread, form: str) -> str:
    return f"{found.median:{form}} ({found.low:{form}} to {found.high:{form}})"


def versions() -> str:
    """Say what was measured, and on what."""
    by = {
        "unzip": _first(r"UnZip (\S+)", "unzip", "-v"),
        "bsdtar": _first(r"bsdtar (\S+)", "bsdtar", "--version"),
        "7zz": _first(r"7-Zip \S+ (\S+)", "7zz"),
        "Node.js": _first(r"v(\S+)", "node", "--version"),
        **LOADERS,
    }
    programs = ", ".join(f"{name} {version}" for name, version in by.items())
    return (
        f"tool {__version__}, Python {platform.python_version()} with zlib {zlib.ZLIB_RUNTIME_VERSION} and "
        f"{_library('zlib-ng')}; {programs}. "
        f"{platform.system()} {platform.release().partition('-')[0]}, {platform.machine()}, {of.cores} cores."
    )


def _library(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"no {name}"


def _first(pattern: str, *command: str) -> str:
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})
    match = re.search(pattern, ran.stdout + ran.stderr)
    return match[1] if match else "?"
