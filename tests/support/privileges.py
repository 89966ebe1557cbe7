"""What only root may do, and root in a container may not: a test that needs it is skipped, and says
why.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest


def skip_without(what: str, refusal: str) -> NoReturn:
    """Skip a test because the system refuses to do something."""
    if os.geteuid() != 0:
        pytest.skip(f"only root may {what}")
    pytest.skip(f"root may not {what} here: {refusal.strip()}")


def give_away(*paths: Path) -> None:
    """Give files or folders to another user."""
    for path in paths:
        try:
            os.chown(path, 12345, 12345)
        except PermissionError as error:
            skip_without("give files away", str(error))


@contextmanager
def mounted(place: Path, *arguments: str | Path) -> Iterator[None]:
    """Mount something at a place for a while, with the arguments of `mount` for it."""
    done = subprocess.run(["mount", *arguments, place], capture_output=True, text=True, check=False)
    if done.returncode:
        skip_without("mount disks", done.stderr)
    try:
        yield
    finally:
        subprocess.run(["umount", place], check=True)


def set_flag(flag: str, *paths: Path) -> None:
    """Give files or folders a flag, or take it away: `+i`, immutable, `-a`, append-only."""
    done = subprocess.run(["chattr", flag, *paths], capture_output=True, text=True, check=False)
    if done.returncode:
        skip_without("make files immutable", done.stderr)
