"""Helpers: who does what, and what happens to the work if one of them fails (`docs/building.md`)."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import PurePath
from select import POLLIN, poll
from types import SimpleNamespace

import pytest
from msgspec import Struct

from io_edges.report.console import Console
from io_edges.report.progress import Bar, progress
from io_edges.system import helpers
from io_edges.system.helpers import patience, processes, share


class Done(Struct, frozen=True):
    """What was done, and by whom."""

    task: int
    path: PurePath
    pid: int


Do = Callable[[int], None]
Shared = Callable[[Do], list[Done]]
"""Takes what a helper does; it takes the first of the tasks, and this process waits for that."""


@pytest.fixture
def bar() -> Iterator[Bar]:
    """A bar that nobody watches."""
    with progress(Console(), "", 0) as bar:
        yield bar


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Sees to it that nothing is left of the helpers that were forked."""
    fork, pids = os.fork, list[int]()

    def recorded() -> int:
        pids.append(pid := fork())
        return pid

    def ended() -> None:
        assert pids
        for pid in pids:
            with pytest.raises(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)

    monkeypatch.setattr(os, "fork", recorded)
    return ended


@pytest.fixture
def shared(bar: Bar, ended: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> Shared:
    """Tasks of the sizes 1 to 9, shared with a helper."""
    monkeypatch.setattr(helpers, "processes", lambda work: 2)

    def shared(do: Do) -> list[Done]:
        here, (reading, writing) = os.getpid(), os.pipe()
        waited = False

        def both(task: int) -> Done:
            nonlocal waited
            if os.getpid() != here:
                os.write(writing, b".")
                do(task)
            elif not waited:
                waited = os.read(reading, 1) == b"."
            bar.advance(task)
            return Done(task, PurePath("a"), os.getpid())

        try:
            return share(range(1, 10), range(1, 10), both, bar)
        finally:
            os.close(reading)
            os.close(writing)
            ended()

    return shared


def test_every_task_is_done_once(shared: Shared, bar: Bar) -> None:
    """The results are in the order of the tasks, whoever did them, and all that was done is counted."""
    results = shared(lambda task: None)
    assert [each.task for each in results] == [*range(1, 10)]
    assert {each.path for each in results} == {PurePath("a")}
    assert {each.pid for each in results} != {os.getpid()}
    assert (bar.done, bar.tally) == (sum(range(1, 10)), None)


def test_a_refusal(shared: Shared) -> None:
    """What the system refuses a helper is raised as if it were refused here."""

    def refuse(task: int) -> None:
        raise OSError(28, "No space left on device", "/x")

    with pytest.raises(OSError, match="No space left on device") as caught:
        shared(refuse)
    assert (caught.value.errno, caught.value.filename) == (28, "/x")


def test_no_memory(shared: Shared) -> None:
    """A helper that gets no memory is refused it."""

    def refuse(task: int) -> None:
        raise MemoryError

    with pytest.raises(OSError, match="out of memory"):
        shared(refuse)


def test_a_bug(shared: Shared) -> None:
    """A bug in a helper is told with its traceback."""

    def fail(task: int) -> None:
        raise KeyError("x")

    with pytest.raises(RuntimeError, match="KeyError: 'x'"):
        shared(fail)


def test_a_helper_that_is_killed(shared: Shared) -> None:
    """A helper that is killed is an error of the system."""
    with pytest.raises(OSError, match="a process that shares the work was killed"):
        shared(lambda task: os.kill(os.getpid(), signal.SIGKILL))


def test_a_helper_that_hangs(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper that makes no progress is not waited for, and is ended."""
    monkeypatch.setattr(helpers, "PATIENCE", 10)
    with pytest.raises(OSError, match="a process that shares the work does not answer"):
        shared(lambda task: os.kill(os.getpid(), signal.SIGSTOP))


class Slow:
    """A poll that finds nothing once, and then what there is."""

    def __init__(self) -> None:
        self.real, self.polled = poll(), False

    def register(self, *args: int) -> None:
        """Register a descriptor."""
        self.real.register(*args)

    def poll(self, timeout: float) -> list[tuple[int, int]]:
        """What is ready: nothing at first."""
        self.polled, before = True, self.polled
        return self.real.poll(timeout) if before else []


def test_a_helper_that_has_made_progress_is_waited_for(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper that has no results when the time is up, but has got further, has as much time again."""
    monkeypatch.setattr(helpers, "select", SimpleNamespace(poll=Slow, POLLIN=POLLIN))
    assert [each.task for each in shared(lambda task: None)] == [*range(1, 10)]


def test_a_large_task_takes_its_time() -> None:
    """An archive of 2 GB on a slow disk is no helper that hangs: it is waited for as long as reading it may take."""
    assert [patience([1, 2]), patience([5, 2 * 10**9, 7])] == [60_000, 2_060_000]


def test_signals_are_for_the_process_that_is_helped(shared: Shared) -> None:
    """A helper goes on when it is asked to end, as by Ctrl-C, which asks all processes."""

    def ask(task: int) -> None:
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            os.kill(os.getpid(), each)

    results = shared(ask)
    assert [each.task for each in results] == [*range(1, 10)]


def test_helpers_are_ended(bar: Bar, ended: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """If this process fails, its helpers are ended, whatever they do."""
    monkeypatch.setattr(helpers, "processes", lambda work: 4)
    here = os.getpid()

    def fail(task: int) -> Done:
        if os.getpid() != here:
            signal.pause()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        share(range(9), range(9), fail, bar)
    ended()


def test_a_helper_without_a_process_to_help(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the process that it helps is killed, a helper ends at its next step."""
    monkeypatch.setattr(helpers, "processes", lambda work: 2)
    reading, writing = os.pipe()
    helped = os.fork()
    if helped == 0:
        here = os.getpid()

        def go_on(task: int) -> Done:
            if os.getpid() == here:
                os.kill(here, signal.SIGKILL)
            while True:
                bar.advance(1)

        share(range(2), range(2), go_on, bar)
    os.close(writing)
    os.waitpid(helped, 0)
    assert os.read(reading, 1) == b""  # once nobody has the other end
    os.close(reading)


@pytest.mark.parametrize("refused", ["fork", "pipe"])
def test_no_helper_to_be_had(bar: Bar, monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    """If the system has no more processes or descriptors, the work is done without help."""
    monkeypatch.setattr(helpers, "processes", lambda work: 3)
    pipe, pipes = os.pipe, 0

    def fork() -> int:
        raise BlockingIOError

    def one_pipe() -> tuple[int, int]:
        nonlocal pipes
        pipes += 1
        if pipes > 1:
            raise OSError(24, "Too many open files")
        return pipe()

    monkeypatch.setattr(os, refused, {"fork": fork, "pipe": one_pipe}[refused])
    results = share(range(3), range(3), lambda task: Done(task, PurePath(), os.getpid()), bar)
    assert results == [Done(task, PurePath(), os.getpid()) for task in range(3)]


def test_how_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work has no helper, much has as many as there are processors, up to four in all; so only on Linux."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {*range(64)}, raising=False)
    monkeypatch.setattr(helpers.sys, "platform", "linux")
    assert [processes(size * 1024**2) for size in (0, 7, 8, 16, 1000)] == [1, 1, 2, 3, 4]
    monkeypatch.setattr(helpers.sys, "platform", "darwin")
    assert processes(1024**3) == 1


def test_more_tasks_than_fit_into_a_pipe(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tasks there are, each is done once, and none at all is no work."""
    monkeypatch.setattr(helpers, "processes", lambda work: 2)
    results = share(range(5001), [1] * 5001, lambda task: Done(task, PurePath(), 0), bar)
    assert results == [Done(task, PurePath(), 0) for task in range(5001)]
    assert share([], [], lambda task: Done(task, PurePath(), 0), bar) == []
