"""Signals: a request to end unwinds the run, so that it can clean up."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Terminated(KeyboardInterrupt):
    """Raised when another process asks the tool to end. Libraries treat it as an interrupt."""


class _State:
    is_unwinding = False
    """Whether a request to end was received, so that later ones are ignored."""
    held = False
    asked: BaseException | None = None
    """The request to end that is held back."""
    answer: Callable[[], None] | None = None


_state = _State()


def unwind_on_signals() -> None:
    """Let the first request to end raise `KeyboardInterrupt` or `Terminated`; later ones
    are ignored.
    """
    for each in ENDING:
        if signal.getsignal(each) is not signal.SIG_IGN:  # as under nohup
            signal.signal(each, _end)


@contextmanager
def held_signals(answer: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold back a request to end until the block is done, which must not be interrupted.

    A long block passes an `answer`, which is called as soon as the request comes, between any two
    instructions of the block; it must not raise. It also holds for blocks inside this one.
    """
    outer = _state.held
    outer_answer = _state.answer
    _state.held = True
    _state.answer = answer or outer_answer
    try:
        yield
    finally:
        _state.held = outer
        _state.answer = outer_answer
    if _state.asked and not outer:
        asked = _state.asked
        _state.asked = None
        raise asked


def reap(child: "subprocess.Popen[bytes]") -> None:
    """Wait for a child process that is ending, even if an interrupted `Popen.wait` still
    holds its lock.
    """
    if child.returncode is None:
        child.returncode = 0  # as `Popen` does for a child that was waited for elsewhere
        with suppress(ChildProcessError):
            child.returncode = os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1])


def _end(number: int, _: FrameType | None) -> None:
    if _state.is_unwinding:
        return
    _state.is_unwinding = True
    ending: BaseException = Terminated()
    if number == signal.SIGINT:
        ending = KeyboardInterrupt()
    if not _state.held:
        raise ending
    _state.asked = ending
    if _state.answer:
        _state.answer()
