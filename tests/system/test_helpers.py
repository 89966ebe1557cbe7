"""Helper processes: who does what, and what happens to the work if one fails
(`docs/building.md`).
"""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import PurePath
from threading import Timer
from typing import NoReturn

import pytest
from msgspec import Struct

from io_edges.report.console import Console
from io_edges.report.progress import Bar, progress
from io_edges.system import helpers
from io_edges.system.helpers import patience, processes, share
from io_edges.system.stop import problem_of

DEADLINE = 60
"""Seconds after which a process that waits for ever is ended."""


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
    """The results are in the order of the tasks, whoever did them, and all work is counted."""
    results = shared(lambda task: None)
    assert [each.task for each in results] == [*range(1, 10)]
    assert {each.path for each in results} == {PurePath("a")}
    assert {each.pid for each in results} != {os.getpid()}
    assert bar.done == sum(range(1, 10))


def test_a_helper_draws_no_bar(shared: Shared, bar: Bar) -> None:
    """The bar of a terminal is drawn by the process that waits for the helpers, not by them."""
    bar.visible = True
    bar.since = bar.drawn = float("inf")

    def check(task: int) -> None:
        if bar.visible:
            raise RuntimeError

    shared(check)
    assert bar.visible


def test_a_refusal(shared: Shared) -> None:
    """If the system refuses a helper something, the same error is raised as without one."""

    def refuse(task: int) -> None:
        raise OSError(28, "No space left on device", "/x")

    with pytest.raises(OSError, match="No space left on device") as caught:
        shared(refuse)
    assert (caught.value.errno, caught.value.filename) == (28, "/x")


def test_no_memory(shared: Shared) -> None:
    """A helper that gets no memory raises the same error as this process would."""

    def refuse(task: int) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        shared(refuse)


def test_a_bug(shared: Shared) -> None:
    """A bug in a helper is reported with the helper's traceback."""

    def fail(task: int) -> None:
        raise KeyError("x")

    with pytest.raises(KeyError, match="x") as caught:
        shared(fail)
    assert "in fail\n" in caught.value.__notes__[0]


def test_a_helper_that_is_killed(shared: Shared) -> None:
    """A killed helper is an error of the system."""
    with pytest.raises(OSError, match="a process that shares the work was killed") as caught:
        shared(lambda task: os.kill(os.getpid(), signal.SIGKILL))
    advice = "the system may be out of memory: free some, then run again"
    assert problem_of(".", caught.value).advice == advice


def test_a_helper_that_hangs(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper that takes far too long is ended and not waited for."""
    monkeypatch.setattr(helpers, "PATIENCE", 0)
    with pytest.raises(OSError, match="a process that shares the work does not answer"):
        shared(lambda task: os.kill(os.getpid(), signal.SIGSTOP))


def test_a_large_task_takes_its_time() -> None:
    """A helper that reads an archive of 2 GB from a slow disk is waited for as long as that may
    take.
    """
    assert [patience(3), patience(2 * 10**9)] == [60, 2060]


def test_signals_are_for_the_process_that_is_helped(shared: Shared) -> None:
    """A helper goes on if it is asked to end, as by Ctrl-C, which asks all processes."""

    def ask(task: int) -> None:
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            os.kill(os.getpid(), each)

    results = shared(ask)
    assert [each.task for each in results] == [*range(1, 10)]


def test_helpers_are_ended(
    bar: Bar, ended: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If this process fails, its helpers are ended, whatever they are doing."""
    monkeypatch.setattr(helpers, "processes", lambda work: 4)
    here = os.getpid()

    def fail(task: int) -> Done:
        if os.getpid() != here:
            signal.pause()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        share(range(9), range(9), fail, bar)
    ended()


def ends_well(do: Callable[[], object]) -> bool:
    """Whether something ends in a process of its own, which ends as the command does, whatever its
    threads wait for.
    """
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(DEADLINE)
            do()
            code = 0
        except BaseException:  # noqa: BLE001 - pytest shows it
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


@pytest.mark.parametrize("milliseconds", [10, 50, 150])
def test_helpers_are_ended_while_they_answer(
    milliseconds: int, bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If this process fails while a helper sends a large result, it does not wait for the rest."""
    monkeypatch.setattr(helpers, "processes", lambda work: 2)

    def fail() -> None:
        here, (reading, writing) = os.getpid(), os.pipe()

        def answer(task: int) -> bytes:
            if os.getpid() == here:
                os.write(writing, bytes(40))
                time.sleep(milliseconds / 1000)
                raise KeyboardInterrupt
            os.read(reading, 1)  # until this process has its first task
            return bytes(50_000_000)

        with pytest.raises(KeyboardInterrupt):
            share(range(40), range(40), answer, bar)

    assert ends_well(fail)


def test_a_helper_that_is_killed_while_it_answers(
    bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A helper that is killed in the middle of its answer is an error of the system, too."""
    monkeypatch.setattr(helpers, "processes", lambda work: 2)
    monkeypatch.setattr(helpers, "PATIENCE", 1)

    def fail() -> None:
        here, (reading, writing) = os.getpid(), os.pipe()

        def answer(task: int) -> bytes:
            if os.getpid() != here:
                os.write(writing, b".")
                Timer(0.05, os.kill, (os.getpid(), signal.SIGKILL)).start()
                return bytes(1_000_000_000)
            return os.read(reading, 1)  # once the helper has a task

        with pytest.raises(OSError, match="a process that shares the work"):
            share(range(2), range(2), answer, bar)

    assert ends_well(fail)


def test_a_helper_without_a_process_to_help(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the process that it helps is killed, a helper ends, whatever it is doing."""
    monkeypatch.setattr(helpers, "processes", lambda work: 2)
    reading, writing = os.pipe()
    helped = os.fork()
    if helped == 0:
        here = os.getpid()

        def go_on(task: int) -> NoReturn:
            if os.getpid() == here:
                os.kill(here, signal.SIGKILL)
            while True:
                pass

        share(range(2), range(2), go_on, bar)
    os.close(writing)
    os.waitpid(helped, 0)
    assert os.read(reading, 1) == b""  # once nobody has the other end
    os.close(reading)


@pytest.mark.parametrize(
    ("refused", "allowed"), [*product(["fork"], range(2)), *product(["pipe"], range(3))]
)
def test_no_helper_to_be_had(
    refused: str, allowed: int, bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the system has too few processes or descriptors, fewer helpers do the work, or none."""
    monkeypatch.setattr(helpers, "processes", lambda work: 3)
    here, real, calls = os.getpid(), getattr(os, refused), 0

    def refusing() -> object:
        nonlocal calls
        calls += 1
        if calls > allowed:
            raise OSError(24, "Too many open files")
        return real()

    monkeypatch.setattr(os, refused, refusing)
    results = share(range(3), range(3), lambda task: Done(task, PurePath(), os.getpid()), bar)
    assert [each.task for each in results] == [0, 1, 2]
    others = {each.pid for each in results} - {here}
    assert len(others) <= max(0, allowed - (refused == "pipe"))
    for pid in others:
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def test_no_helper_that_would_not_end(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Python cannot end helpers when this process is killed, the work is done without them."""
    monkeypatch.setattr(helpers, "processes", lambda work: 3)
    monkeypatch.setitem(sys.modules, "ctypes", None)
    results = share(range(3), range(3), lambda task: Done(task, PurePath(), os.getpid()), bar)
    assert {each.pid for each in results} == {os.getpid()}


def test_how_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work has no helper; much work has as many processes as processors, at most four, and
    only on Linux.
    """
    monkeypatch.setattr(os, "sysconf", {"SC_OPEN_MAX": 256}.__getitem__)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {*range(64)}, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert [processes(size * 1024**2) for size in (0, 3, 4, 8, 1000)] == [1, 1, 2, 3, 4]
    monkeypatch.setattr(os, "sysconf", {"SC_OPEN_MAX": 255}.__getitem__)
    assert processes(1024**3) == 1
    monkeypatch.setattr(os, "sysconf", {"SC_OPEN_MAX": 256}.__getitem__)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert processes(1024**3) == 1


def test_many_tasks(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any number of tasks is done, each once, and no task is no work."""
    monkeypatch.setattr(helpers, "processes", lambda work: 2)
    results = share(range(5001), [1] * 5001, lambda task: Done(task, PurePath(), 0), bar)
    assert results == [Done(task, PurePath(), 0) for task in range(5001)]
    assert share([], [], lambda task: Done(task, PurePath(), 0), bar) == []
