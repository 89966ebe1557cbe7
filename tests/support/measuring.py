"""What is run without measuring coverage."""

from collections.abc import Iterator
from contextlib import contextmanager

from coverage import Coverage


@contextmanager
def unmeasured() -> Iterator[None]:
    """Measure no coverage in a block: stop every measurement, as a worker of pytest has two."""
    measured: list[Coverage] = []
    while current := Coverage.current():
        current.stop()
        measured.append(current)
    try:
        yield
    finally:
        for each in reversed(measured):
            each.start()
