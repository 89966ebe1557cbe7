"""Helpers: forks of this process that share its tasks, so that every processor has work.

A helper decides nothing and reports only to this process, which ends it whatever happens
(`docs/building.md`). All of them take batches of tasks from one queue; a helper sends its results
when the queue is empty.

`concurrent.futures` was tried in its place: a cold build of 28 archives with 82 MB took 5 % more
processor time (median of the ratios of 14 or 15 pairs) if this process took batches as well, and 8
% more if it only waited. The machine was too busy to show a difference in elapsed time. Its pool
cannot continue with fewer processes if the system refuses one, end one that hangs, or wait for a
suspended one, so most of this module would still be needed.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any, Final, NoReturn, Protocol, TypeVar

from msgspec import Struct

from io_edges.system.signals import ENDING, held_signals
from io_edges.system.syscalls import end_with_parent

Task = TypeVar("Task")
Result = TypeVar("Result")

PATIENCE: Final = 60
"""Seconds after which a helper with small tasks counts as hanging."""
_SLOWEST: Final = 1_000_000
"""The bytes per second that even a slow disk delivers."""
_MOST: Final = 4
"""The maximum number of processes: each takes some 15 MiB, and a disk cannot keep more
of them busy.
"""
_WORTH: Final = 4 * 1024**2
"""The bytes of work for which a helper pays."""
_EACH: Final = 64 * 1024
"""The cost of a task besides its size, in bytes of work."""
_BATCHES: Final = 16
"""Batches per process: fewer cost less, but more let the processes end together."""
_OPEN_FILES: Final = 256
"""The limit of open files below which no helper is started: archives and pipes that stay open would
take descriptors that one process alone has for folders below each other.
"""
_BLOCK: Final = 1024**2
"""The bytes of an answer that are read at once."""


class Progress(Protocol):
    """A display of how much is done, by this process or by helpers."""

    visible: bool

    def advance(self, size: int) -> None:
        """Count `size` more bytes as done."""


class _Helper(Struct, frozen=True):
    """A helper: its process, and the pipe with its answer."""

    pid: int
    pipe: int


def processes(work: int) -> int:
    """The number of processes for so many bytes of work: at most one per processor, and only as
    many as pay.

    On other systems than Linux it is 1, because forking is not safe with every library. With a
    small limit of open files it is 1, too. That limit is not raised: `ulimit -n` lowers the hard
    limit as well, and hook scripts would inherit the change.
    """
    if sys.platform != "linux" or os.sysconf("SC_OPEN_MAX") < _OPEN_FILES:
        return 1
    return min(_MOST, len(os.sched_getaffinity(0)), 1 + work // _WORTH)


def share_of(work: int) -> int:
    """How many of so many bytes of work each process does, if all do the same."""
    return work // processes(work)


def patience(size: int) -> int:
    """Seconds after which a helper counts as hanging, for a batch of so many bytes."""
    return PATIENCE + size // _SLOWEST


def share(
    tasks: Sequence[Task],
    sizes: Sequence[int],
    do: Callable[[Task], Result],
    bar: Progress,
    work: Sequence[int] = (),
) -> list[Result]:
    """Do every task, with helpers if they pay, the longest first.

    Returns the results in the order of the tasks. Sizes are in bytes; so is the `work` of each
    task, if that is not its size. Raises any exception of `do`, and `OSError` if a helper is killed
    or hangs.
    """
    work = work or sizes
    count = min(len(tasks), processes(sum(work) + _EACH * len(tasks)))
    if count <= 1:
        return [do(task) for task in tasks]
    order = sorted(range(len(tasks)), key=lambda index: -work[index])
    batches = [order[at :: count * _BATCHES] for at in range(min(len(tasks), count * _BATCHES))]
    weights = [sum(sizes[index] for index in batch) for batch in batches]
    longest = max(sum(work[index] for index in batch) for batch in batches)

    def help_with(queue: Iterator[int]) -> dict[int, Result]:
        bar.visible = False
        return {index: do(tasks[index]) for number in queue for index in batches[number]}

    results: dict[int, Result] = {}
    begun = 0
    with _helpers(count - 1, len(batches), help_with) as (queue, helpers):
        for number in queue:
            bar.advance(sum(weights[begun:number]))  # the batches that helpers have taken
            begun = number + 1
            results |= {index: do(tasks[index]) for index in batches[number]}
        bar.advance(sum(weights[begun:]))
        for helper in helpers:
            results |= _answer_of(helper, patience(longest))
    return [results[index] for index in range(len(tasks))]


@contextmanager
def _helpers(
    count: int, batches: int, do: Callable[[Iterator[int]], Any]
) -> Iterator[tuple[Iterator[int], Sequence[_Helper]]]:
    """Start helpers; yield the queue of the numbers of batches, which they share with this process,
    and the helpers.

    There are fewer helpers, or none, if the system has no more processes or descriptors.
    """
    queue = iter(range(batches))
    helpers = list[_Helper]()
    with ExitStack() as ending:
        ending.callback(_end, helpers)
        with held_signals(), suppress(OSError, ImportError):
            import ctypes  # noqa: F401 - a helper uses it to end with this process

            reading, writing = os.pipe()
            ending.callback(os.close, reading)
            os.write(writing, bytes(range(batches)))
            os.close(writing)
            queue = map(ord, iter(partial(os.read, reading, 1), b""))
            while len(helpers) < count:
                helpers.append(_forked(partial(do, queue)))
        yield queue, helpers


def _forked(do: Callable[[], Any]) -> _Helper:
    """Fork a helper."""
    parent = os.getpid()
    (reading, writing) = os.pipe()
    try:
        pid = os.fork()
        if pid == 0:
            _help(do, parent, writing)
    except OSError:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    return _Helper(pid, reading)


def _help(do: Callable[[], Any], parent: int, pipe: int) -> NoReturn:
    """Run as a helper: call `do`, and send its result. Only the parent handles signals, and ends
    this process.
    """
    import pickle
    import traceback

    try:
        for each in ENDING:
            signal.signal(each, signal.SIG_IGN)
        end_with_parent(parent)
        try:
            answer = True, do()
        except BaseException as error:  # noqa: BLE001 - raised there
            error.add_note(f"In a helper:\n{traceback.format_exc()}")
            answer = False, error
        with open(pipe, "wb") as file:
            pickle.dump(answer, file)
    finally:
        os._exit(0)


def _answer_of(helper: _Helper, seconds: int) -> Any:
    """Wait for the results of a helper with its last batch. Raises the exception that it raised.

    Only seconds of waiting count, not those in which the whole run is suspended.
    """
    import pickle
    import select

    poll = select.poll()
    chunks = list[bytes]()
    poll.register(helper.pipe)
    while not chunks or chunks[-1]:
        if not any(poll.poll(1000) for _ in range(seconds)):
            raise OSError(errno.ETIMEDOUT, "a process that shares the work does not answer")
        chunks.append(os.read(helper.pipe, _BLOCK))
    try:
        is_done, answer = pickle.loads(b"".join(chunks))  # noqa: S301 - written by a fork
    except (EOFError, pickle.UnpicklingError) as error:
        raise OSError(errno.ECHILD, "a process that shares the work was killed") from error
    if not is_done:
        raise answer
    return answer


def _end(helpers: Sequence[_Helper]) -> None:
    """Kill helpers, whatever they are doing."""
    with held_signals():
        for helper in helpers:
            os.kill(helper.pid, signal.SIGKILL)
            os.waitpid(helper.pid, 0)
            os.close(helper.pipe)
