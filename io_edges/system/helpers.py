"""Helpers: forks of this process that share a list of tasks with it, so that every processor has work.

A helper decides nothing and tells nobody but this process, which ends it whatever happens (`docs/building.md`).
"""

import errno
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from io_edges.system.signals import ENDING, held_signals
from io_edges.system.syscalls import end_with_parent

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Task = TypeVar("Task")
Result = TypeVar("Result")

PATIENCE: Final = 60
"""Seconds after which a helper with small tasks is taken to hang."""
_SLOWEST: Final = 1_000_000
"""Bytes that even a slow disk gives in a second."""
_MOST: Final = 4
"""Processes at the most: each takes some 15 MiB of memory, and the disk keeps no more of them busy."""
_WORTH: Final = 8 * 1024**2
"""Bytes of work that are worth a helper: to fork one and to take its results costs as much as a fifth of them."""
_EACH: Final = 64 * 1024
"""How many bytes of work a task is, whatever its size."""
_BATCHES: Final = 16
"""Into so many batches the tasks are divided for each process: each costs, and the last ones should end together."""


class Progress(Protocol):
    """What shows how much is done, here or by helpers."""

    visible: bool

    def advance(self, size: int) -> None:
        """Count `size` more bytes as done."""


_helped: list[Any] = []
"""In a helper: the tasks, and how one is done."""


def processes(work: int) -> int:
    """How many processes share so many bytes of work: as many as there are processors, and as it is worth.

    Only on Linux is it safe to fork whatever libraries are loaded.
    """
    if sys.platform != "linux":
        return 1
    return min(_MOST, len(os.sched_getaffinity(0)), 1 + work // _WORTH)


def patience(size: int) -> int:
    """Seconds after which a helper is taken to hang, for a batch of so many bytes."""
    return PATIENCE + size // _SLOWEST


def share(tasks: Sequence[Task], sizes: Sequence[int], do: Callable[[Task], Result], bar: Progress) -> list[Result]:
    """Do every task, with helpers if it is worth it, the largest first; return the results in the order of the tasks.

    Sizes are in bytes. Raises what `do` raises, and `OSError` if a helper is killed or hangs.
    """
    count = min(len(tasks), processes(sum(sizes) + _EACH * len(tasks)))
    if count <= 1:
        return [do(task) for task in tasks]
    from concurrent.futures import BrokenExecutor, Future  # costs start-up time, and only much work needs it

    order = sorted(range(len(tasks)), key=lambda index: -sizes[index])
    left = deque(order[at :: count * _BATCHES] for at in range(min(len(tasks), count * _BATCHES)))
    given = deque[tuple[list[int], Future[list[Result]]]]()
    results: dict[int, Result] = {}
    try:
        with _helpers(count - 1, (tasks, do, bar)) as pool:
            while left or given:
                while pool and len(left) > 1 and len(given) < 2 * (count - 1):
                    given.append((left[0], pool.submit(_do, left.popleft())))
                if given and (not left or given[0][1].done()):
                    batch, future = given.popleft()
                    size = sum(sizes[index] for index in batch)
                    results |= zip(batch, _result_of(future, patience(size)), strict=True)
                    bar.advance(size)
                else:
                    results |= {index: do(tasks[index]) for index in left.popleft()}
    except BrokenExecutor as error:
        raise OSError(errno.ECHILD, "a process that shares the work was killed") from error
    return [results[index] for index in range(len(tasks))]


@contextmanager
def _helpers(count: int, work: tuple[Any, ...]) -> Iterator["ProcessPoolExecutor | None"]:
    """Have helpers for some work; `None` if the system has no more processes, descriptors or semaphores."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    forked = None
    with ExitStack() as ending:
        with held_signals(), suppress(OSError, RuntimeError, ImportError):
            import ctypes  # noqa: F401 - without which no helper would end when this process is killed

            pool = ProcessPoolExecutor(count, get_context("fork"), _begin, (os.getpid(), *work))
            ending.push(partial(_end, pool))
            pool.submit(int)  # which forks them
            forked = pool
        yield forked


def _end(pool: "ProcessPoolExecutor", failed: object, *_: object) -> None:
    """End the helpers, whatever they do; after an error, do not wait for an incomplete result."""
    from multiprocessing import active_children

    with held_signals():
        for helper in active_children():
            helper.kill()
            helper.join()
        with suppress(RuntimeError):  # there was no more thread to be had, which it would wait for
            pool.shutdown(wait=failed is None)


def _begin(parent: int, *work: Any) -> None:
    """Be a helper. It is ended by the process that it helps, which alone heeds signals and shows the progress."""
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
    end_with_parent(parent)
    _helped[:] = work
    work[-1].visible = False


def _do(batch: Sequence[int]) -> list[Any]:
    """In a helper: do the tasks of a batch; return their results."""
    tasks, do, _ = _helped
    return [do(tasks[index]) for index in batch]


def _result_of(future: "Future[list[Any]]", seconds: int) -> list[Any]:
    """Wait for the results of a batch, whose turn it is once the one before it is done. Raises `OSError`.

    It is seconds of waiting that count, and not those in which the whole run is suspended.
    """
    from concurrent.futures import wait

    if not any(wait([future], 1).done for _ in range(seconds)):
        raise OSError(errno.ETIMEDOUT, "a process that shares the work does not answer")
    return future.result()
