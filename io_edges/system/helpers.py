"""Helpers: forks of this process that share a list of tasks with it, so that every processor has work.

A helper takes tasks from the same queue, and gives its results when the queue is empty. It decides nothing and tells
nobody but this process, which ends it whatever happens (`docs/building.md`).

A pool of the standard library would leave helpers behind if this process is killed, and has a process more, which only
waits and cannot tell the bar what is being read.
"""

import errno
import mmap
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NoReturn, Protocol, TypeVar

from msgspec import Struct

from io_edges.system.folder import write_all
from io_edges.system.signals import ENDING, held_signals

Task = TypeVar("Task")
Result = TypeVar("Result")

PATIENCE: Final = 60_000
"""Milliseconds without any progress after which a helper with small tasks is taken to hang."""
_SLOWEST: Final = 1000
"""Bytes that even a slow disk gives in a millisecond; the progress of a task may be told when it is done."""
_MOST: Final = 4
"""Processes at the most: each takes some 15 MiB of memory, and the disk keeps no more of them busy."""
_WORTH: Final = 8 * 1024**2
"""Bytes of work that are worth a helper: to fork one and to take its results costs as much as a fifth of them."""
_EACH: Final = 64 * 1024
"""How many bytes of work a task is, whatever its size."""
_QUEUED: Final = 1000
"""So many places in the list of tasks fit into a pipe, whatever its size, 4 bytes each."""


class Tally:
    """How much each helper has done, in memory that all processes share."""

    def __init__(self, helpers: int) -> None:
        self._counts = memoryview(mmap.mmap(-1, 8 * helpers)).cast("Q")
        self._parent = os.getpid()
        self.place: int | None = None
        """The place of this process in the tally, if it is a helper."""

    @property
    def total(self) -> int:
        """What all helpers have done together."""
        return sum(self._counts)

    def set(self, done: int) -> None:
        """Say how much this helper has done; end it if the process that it helps is no more."""
        if self.place is not None:
            self._counts[self.place] = done
        if os.getppid() != self._parent:
            os._exit(1)


class Progress(Protocol):
    """What shows how much is done, here and by helpers."""

    done: int
    tally: Tally | None


class _Helper(Struct, frozen=True):
    pid: int
    results: int
    """The end of the pipe from which its results are read."""


class _Work(Struct, frozen=True):
    """Tasks, in the order in which they are taken, and how one is done."""

    tasks: Sequence[Any]
    order: Sequence[int]
    do: Callable[[Any], Any]
    queue: int
    """The end of the pipe from which the next tasks are taken."""

    @property
    def batch(self) -> int:
        """How many tasks are taken at once."""
        return -(-len(self.tasks) // _QUEUED)

    def results(self) -> Iterator[tuple[int, Any]]:
        """Do tasks until none is left; give the result of each with its place."""
        while place := os.read(self.queue, 4):
            begin = int.from_bytes(place, "little")
            for index in self.order[begin : begin + self.batch]:
                yield index, self.do(self.tasks[index])


def processes(work: int) -> int:
    """How many processes share so many bytes of work: as many as there are processors, and as it is worth.

    Only on Linux is it safe to fork whatever libraries are loaded.
    """
    if sys.platform != "linux":
        return 1
    return min(_MOST, len(os.sched_getaffinity(0)), 1 + work // _WORTH)


def patience(sizes: Sequence[int]) -> int:
    """Milliseconds without any progress after which a helper is taken to hang, for tasks of these sizes in bytes."""
    return PATIENCE + max(sizes) // _SLOWEST


def share(tasks: Sequence[Task], sizes: Sequence[int], do: Callable[[Task], Result], bar: Progress) -> list[Result]:
    """Do every task, with helpers if it is worth it, the largest first; return the results in the order of the tasks.

    Sizes are in bytes. Raises what `do` raises, and `OSError` if a helper is killed or hangs.
    """
    count = min(len(tasks), processes(sum(sizes) + _EACH * len(tasks)))
    if count <= 1:
        return [do(task) for task in tasks]
    import pickle  # noqa: F401 - before there are helpers, which may not be able to load it any more

    order = sorted(range(len(tasks)), key=lambda index: -sizes[index])
    queue, places = os.pipe()
    work = _Work(tasks, order, do, queue)
    os.write(places, b"".join(at.to_bytes(4, "little") for at in range(0, len(tasks), work.batch)))
    os.close(places)
    tally = bar.tally = Tally(_MOST)
    helpers: list[_Helper] = []
    try:
        _fork(helpers, work, tally, count - 1)
        results = dict(work.results())
        for helper in helpers:
            results |= _results_of(helper, tally, patience(sizes))
    finally:
        with held_signals():
            os.close(queue)
            for helper in helpers:
                _end(helper)
        bar.done, bar.tally = bar.done + tally.total, None
    return [results[index] for index in range(len(tasks))]


def _fork(helpers: list[_Helper], work: _Work, tally: Tally, count: int) -> None:
    """Fork helpers, as many as the system allows."""
    with held_signals():
        for place in range(count):
            try:
                reading, writing = os.pipe()
            except OSError:
                return
            try:
                pid = os.fork()
            except OSError:
                os.close(reading)
                os.close(writing)
                return
            if pid == 0:
                for descriptor in (reading, *(helper.results for helper in helpers)):
                    os.close(descriptor)
                tally.place = place
                _help(work, writing)
            os.close(writing)
            helpers.append(_Helper(pid, reading))


def _help(work: _Work, writing: int) -> NoReturn:
    """Be a helper. It is ended by the process that it helps, which alone heeds signals."""
    import pickle

    try:
        for each in ENDING:
            signal.signal(each, signal.SIG_IGN)
        try:
            told: object = dict(work.results())
        except OSError as error:
            told = OSError(error.errno or errno.EIO, error.strerror or str(error), error.filename)
        except MemoryError:
            told = OSError(errno.ENOMEM, "out of memory")
        except BaseException:  # noqa: BLE001 - whatever it is, the other process reports it
            import traceback

            told = RuntimeError(traceback.format_exc())
        write_all(writing, pickle.dumps(told))
    finally:
        os._exit(0)


def _results_of(helper: _Helper, tally: Tally, longest: int) -> dict[int, Any]:
    """Wait for the results of a helper, `longest` milliseconds without progress. Raises `OSError` if there are none."""
    import pickle

    done = -1
    poll = select.poll()
    poll.register(helper.results, select.POLLIN)
    chunks: list[bytes] = []
    while True:
        if not poll.poll(longest):
            if done == tally.total:
                raise OSError(errno.ETIMEDOUT, "a process that shares the work does not answer")
            done = tally.total
        elif chunk := os.read(helper.results, 1024**2):
            chunks.append(chunk)
        else:
            break
    try:
        told: dict[int, Any] | Exception = pickle.loads(b"".join(chunks))  # noqa: S301 - from a fork of this process
    except (EOFError, pickle.UnpicklingError) as error:
        raise OSError(errno.ECHILD, "a process that shares the work was killed") from error
    if isinstance(told, Exception):
        raise told
    return told


def _end(helper: _Helper) -> None:
    os.close(helper.results)
    os.kill(helper.pid, signal.SIGKILL)
    os.waitpid(helper.pid, 0)
