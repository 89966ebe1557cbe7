"""The cost of a run of the installed command."""

import gc
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from tests.support.forks import TOOL

MIB: Final = 1024
"""A MiB, in KiB."""
_MEASURE: Final = """
import os, resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
"""A small process between, as a large one would pass its own size on to the command
that it starts.
"""


class Cost(Struct, frozen=True):
    """How a run ended, what it reported, its processor time, and the memory of its largest
    process, in KiB.
    """

    code: int
    err: str
    seconds: float
    memory: int


def cost_of(cwd: Path, *args: str) -> Cost:
    """Run the command in a folder, with its log in JSON; what it prints on standard output is
    passed over.
    """
    done = subprocess.run(
        [sys.executable, "-ISc", _MEASURE, TOOL, *args],
        cwd=cwd,
        env={**os.environ, "TOOL_LOG_FORMAT": "json"},
        capture_output=True,
        check=True,
        text=True,
    )
    code, seconds, memory = done.stdout.split()[-3:]
    return Cost(int(code), done.stderr, float(seconds), int(memory))


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail if a block of this process takes more processor time; garbage of other tests is not
    collected meanwhile.
    """
    gc.freeze()
    began = time.process_time()
    try:
        yield
        took = time.process_time() - began
    finally:
        gc.unfreeze()
    assert took < seconds, took
