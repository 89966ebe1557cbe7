"""The two tables of the bench."""

import os
import platform
import re
import subprocess
import zlib
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from msgspec import Struct

from pipeline import __version__
from tests.support.bench import subjects as of
from tests.support.bench.packages import LOADERS
from tests.support.bench.rounds import Clock, Run, Runs, Spread, ratio, spread


class Goal(Struct, frozen=True):
    """How long a subject may take, in times of what its peer takes."""

    subject: str
    peer: str
    most: float
    clock: Clock = "wall"


GOALS: Final = (
    Goal(of.COLD, of.UNZIP, 0.65),
    Goal(of.COLD, of.UNZIP, 1.25, "processors"),
    Goal(of.LARGE, of.LARGE_UNZIP, 1.4),
    *(Goal(of.COLD, peer, 0.9) for peer in (of.BSDTAR, of.SEVEN)),
    Goal(of.COLD, of.ZIPFILE, 0.85),
    Goal(of.UNCHANGED, of.DRY, 1.3),
    Goal(of.ONE_CHANGED, of.ONE_ALONE, 1.5),
    Goal(of.STATUS, of.GIT_STATUS, 4, "processors"),
    Goal(of.UNCHANGED_MANY, of.GIT_STATUS, 3.8, "processors"),
    Goal(of.DRY, of.IMPORTS, 1.5),
    Goal(of.EVALUATED, of.BY_C12, 1.0),
    Goal(of.PLAN_MANY, of.PLAN_FEW, 11),
)
COMPARED: Final = (
    *((of.COLD, of.WIDE), (of.COLD, of.COPY), (of.UNCHANGED, of.COLD)),
    *((of.DIFF, of.UNCHANGED), (of.UNDO, of.ONE_CHANGED), (of.EVALUATED, of.JSON)),
)
"""What is reported without a goal."""
MEMORY_GOALS: Final = {of.COLD: 120, of.STATUS: 75, of.UNCHANGED_MANY: 75}
"""MiB."""
_CLOCKS: Final[dict[Clock, str]] = {"wall": "", "processors": ": processor time"}


def tables(runs: Runs, memory: Mapping[str, float]) -> str:
    """Give both tables in Markdown, given the peak memory of some subjects as well."""
    ratios = [
        (
            f"{goal.subject}{_CLOCKS[goal.clock]}",
            goal.peer,
            f"≤ {goal.most:g}",
            _ratio_of(goal, runs),
        )
        for goal in GOALS
    ]
    ratios += [(subject, peer, "", ratio(runs, subject, peer)) for subject, peer in COMPARED]
    rows = [
        f"| {subject} | {peer} | {goal} | {_spelled(found, '.2f')} |"
        for subject, peer, goal, found in ratios
    ]
    held = [
        f"| {name}: peak memory | | ≤ {MEMORY_GOALS[name]} MiB | {peak:.0f} MiB |"
        for name, peak in memory.items()
    ]
    head = ("| measure | in times of | goal | median (quartiles) |", "| --- | --- | --- | --- |")
    both = ("| command | wall time, ms | processor time, ms |", "| --- | --- | --- |")
    return "\n".join(
        (*head, *rows, *held, "", *both, *(_row(name, taken) for name, taken in runs.items()), "")
    )


def _ratio_of(goal: Goal, runs: Runs) -> Spread:
    return ratio(runs, goal.subject, goal.peer, goal.clock)


def _row(name: str, runs: Sequence[Run]) -> str:
    wall, processors, _ = (
        spread([1000 * each for each in times]) for times in zip(*runs, strict=True)
    )
    return f"| {name} | {_spelled(wall, '.0f')} | {processors.median:.0f} |"


def _spelled(found: Spread, form: str) -> str:
    return f"{found.median:{form}} ({found.low:{form}} to {found.high:{form}})"


def versions() -> str:
    """Say what was measured, and on what."""
    by = {
        "unzip": _first(r"UnZip (\S+)", "unzip", "-v"),
        "bsdtar": _first(r"bsdtar (\S+)", "bsdtar", "--version"),
        "7zz": _first(r"7-Zip \S+ (\S+)", "7zz"),
        "git": _first(r"version (\S+)", "git", "--version"),
        "Node.js": _first(r"v(\S+)", "node", "--version"),
        **LOADERS,
    }
    programs = ", ".join(f"{name} {version}" for name, version in by.items())
    return (
        f"tool {__version__}, Python {platform.python_version()} with zlib "
        f"{zlib.ZLIB_RUNTIME_VERSION} and "
        f"{_library('zlib-ng')}; {programs}. "
        f"{platform.system()} {platform.release().partition('-')[0]}, {platform.machine()}, "
        f"{of.cores} cores."
    )


def _library(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"no {name}"


def _first(pattern: str, *command: str) -> str:
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]}
    )
    match = re.search(pattern, ran.stdout + ran.stderr)
    return match[1] if match else "?"
