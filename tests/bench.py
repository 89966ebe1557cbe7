"""Measure whole processes: `make bench`. Medians in milliseconds, the commands taken in turn so that load is shared."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOOL = Path(sys.executable).with_name("tool")
ROUNDS = 15


def milliseconds(command: Sequence[str | Path], folder: Path) -> float:
    """The wall time of one run."""
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Run every command in turn, and print the median of each."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent)
        commands: dict[str, list[str | Path]] = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "tool --version": [TOOL, "--version"],
            "tool create --dry-run, sample drop": [TOOL, "create", ROOT / "docs/quickstart/drop", "--dry-run"],
        }
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                taken[name].append(milliseconds(command, folder))
        for name, times in taken.items():
            print(f"{statistics.median(times):8.1f} ms  {name}")


if __name__ == "__main__":
    main()
