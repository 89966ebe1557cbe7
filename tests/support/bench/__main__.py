"""Measure, and print the tables."""

import os
import sys
import time
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final

from tests.support import memory as disks
from tests.support.bench import report
from tests.support.bench.packages import install
from tests.support.bench.rounds import Runs, disturbed, in_turn, memory
from tests.support.bench.subjects import Stage

ROUNDS: Final = 15
PLAN_ROUNDS: Final = 5
PEERS: Final = ("unzip", "bsdtar", "7zz", "git", "node", "npm")


def main() -> None:
    """Measure everything once."""
    missing = [peer for peer in PEERS if which(peer) is None]
    if missing:
        sys.exit(f"missing, to compare with: {', '.join(missing)}")
    install()
    began, load = time.monotonic(), os.getloadavg()[0]
    with TemporaryDirectory(dir=disks.place()) as root:
        stage = Stage(Path(root))
        stage.check()
        cold = stage.cold()
        many = stage.many()
        runs: Runs = {
            **in_turn(cold, ROUNDS),
            **in_turn(many, ROUNDS),
            **in_turn(stage.large(), ROUNDS),
            **in_turn(stage.again() + stage.small(), ROUNDS),
            **in_turn(stage.plans(), PLAN_ROUNDS),
        }
        held = {
            each.name: memory(each) for each in (*cold, *many) if each.name in report.MEMORY_GOALS
        }
    where = "in memory" if disks.place() else "on a disk"
    drop = (
        f"The drop, {where}: {stage.archives} archives, {stage.files:,} files, "
        f"{stage.bytes / 1e6:.0f} MB."
    )
    quiet = f"load before, {load:.1f}; other programs disturbed {disturbed(runs):.0%} of the runs"
    print(f"{report.versions()}\n{drop} {ROUNDS} rounds; {quiet}.\n\n{report.tables(runs, held)}")
    print(f"measured in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
