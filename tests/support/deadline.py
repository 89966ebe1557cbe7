"""Deadline: no test waits for ever, whatever it waits for: what hangs fails, and says where."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from tests.support.sweep import SWEEP

SECONDS: Final = 3600 if SWEEP else 600
"""What a test may take: far more than any does on a slow and busy machine."""
_AGAIN: Final = 30
"""After how many seconds a test is ended again that goes on waiting while it is ended."""


@contextmanager
def deadline(seconds: float = SECONDS) -> Iterator[None]:
    """End the block, at the place where it waits, when its time is up. Only the main thread can be ended so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        pytest.fail(f"it has not ended after {seconds:g} s")

    previous = signal.signal(signal.SIGALRM, end)
    outer = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        signal.setitimer(signal.ITIMER_REAL, *outer)
