"""Commands run in turn, so that whatever else the machine does falls on all of them; medians
and quartiles.

A round in which other programs kept the processors busy is repeated, and the quietest counts.
hyperfine and pyperf take all the runs of one command before those of the next, which on a machine
that is not quiet compares two moments instead of two commands. So this is a loop of its own.
"""

import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

_ENVIRON: Final = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("TOOL_", "PYTHON")) and name != "CI"
}


_TRIES: Final = 5
"""How often a round is run at the most."""
_SHARE: Final = 0.1
_TICKS: Final = 0.03
"""Seconds, as the system counts in hundredths of them, for each processor."""


class Subject(Struct, frozen=True):
    """A command that is measured."""

    name: str
    command: Sequence[str | Path]
    prepare: Callable[[], Path]
    """Called before each run, and not measured: lays what the command needs and gives the folder
    that it runs in.
    """
    environ: Mapping[str, str] = {}


class Spread(Struct, frozen=True):
    """What several measurements come to."""

    median: float
    low: float
    """The first quartile."""
    high: float
    """The third."""


class Run(NamedTuple):
    """What a run took, in seconds."""

    wall: float
    processors: float
    """Of all its processes, in user and system mode."""
    others: float
    """Of all other processes meanwhile."""

    @property
    def is_disturbed(self) -> bool:
        """Whether others kept a processor busy for a good part of it."""
        return self.others > _TICKS + _SHARE * self.wall


Clock: TypeAlias = Literal["wall", "processors"]
"""A field of `Run`: what is compared."""
Runs = Mapping[str, Sequence[Run]]
"""The runs of each subject, by its name, a round each."""


def spread(values: Sequence[float]) -> Spread:
    """Give the median and the quartiles."""
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, low, high)


def ratio(runs: Runs, subject: str, peer: str, clock: Clock = "wall") -> Spread:
    """How many times as long as its peer a subject takes, round by round."""
    pairs = zip(runs[subject], runs[peer], strict=True)
    return spread([getattr(mine, clock) / getattr(theirs, clock) for mine, theirs in pairs])


def in_turn(subjects: Sequence[Subject], rounds: int) -> Runs:
    """Run every subject once unmeasured, and then once a round, each round beginning with
    another one.

    A round that is disturbed is repeated, and that with the least disturbance counts.
    """
    for subject in subjects:
        run(subject)
    runs: dict[str, list[Run]] = {subject.name: [] for subject in subjects}
    for number in range(rounds):
        first = number % len(subjects)
        order = (*subjects[first:], *subjects[:first])
        tries = [[run(subject) for subject in order]]
        while any(each.is_disturbed for each in tries[-1]) and len(tries) < _TRIES:
            tries.append([run(subject) for subject in order])
        quietest = min(tries, key=lambda each: sum(one.others for one in each))
        for subject, took in zip(order, quietest, strict=True):
            runs[subject.name].append(took)
    return runs


def disturbed(runs: Runs) -> float:
    """The share of the runs that count that are disturbed, as the machine was never quiet."""
    every = [each.is_disturbed for taken in runs.values() for each in taken]
    return sum(every) / len(every)


def run(subject: Subject) -> Run:
    """Run once."""
    folder = subject.prepare()
    busy, used, started = _busy(), _processors(), time.perf_counter()
    done = subprocess.run(
        subject.command,
        cwd=folder,
        env=_environ(subject),
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wall, own = time.perf_counter() - started, _processors() - used
    took = Run(wall, own, max(0.0, _busy() - busy - own))
    if done.returncode:
        raise SystemExit(f"{subject.name} ended with {done.returncode}")
    return took


def _processors() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _busy() -> float:
    """Seconds for which the processors of the machine were busy, all in all; 0 where the system
    does not say.
    """
    with suppress(OSError):
        user, nice, system, _, _, *interrupts = map(
            int, Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
        )
        return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def output(subject: Subject) -> str:
    """What one run prints."""
    folder = subject.prepare()
    return subprocess.run(
        subject.command,
        cwd=folder,
        env=_environ(subject),
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def memory(subject: Subject) -> float:
    """The peak memory of a run, in MiB: of each of its processes, added up, so that what they share
    counts twice.
    """
    folder = subject.prepare()
    peaks: dict[int, int] = {}
    with subprocess.Popen(
        subject.command,
        cwd=folder,
        env=_environ(subject),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while process.poll() is None:
            peaks |= {each: peak for each in _family(process.pid) if (peak := _peak(each))}
            time.sleep(0.002)
    return sum(peaks.values()) / 1024


def _environ(subject: Subject) -> dict[str, str]:
    return {**_ENVIRON, **subject.environ}


def _family(process: int) -> list[int]:
    children: list[int] = []
    with suppress(OSError):
        children = [
            int(child)
            for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    return [process, *(each for child in children for each in _family(child))]


def _peak(process: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0
