"""A person at a terminal: a pseudo-terminal, the screen as it looks, and keys pressed once a
text is seen.
"""

import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from fcntl import ioctl
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

from tests.support.forks import ON_TERMINALS, Opened

DEADLINE = 60.0
"""Seconds until what should be seen must be there; a quiet machine needs a fraction of one."""
ENTER, DOWN, TAB, INTERRUPT, END, CLEAR = "\r", "\x1b[B", "\t", "\x03", "\x04", "\x15"


class Answering(pyte.Screen):
    """A screen that answers what a program asks its terminal."""

    def __init__(self, columns: int, lines: int, descriptor: int) -> None:
        super().__init__(columns, lines)
        self.descriptor = descriptor

    def write_process_input(self, data: str) -> None:
        """Answer the program."""
        os.write(self.descriptor, data.encode())


class Terminal:
    """A fork of the command, or a shell, on a terminal; the standard output of the command
    is in a pipe.
    """

    def __init__(
        self,
        folder: Path,
        *args: str,
        columns: int = 80,
        lines: int = 40,
        env: Mapping[str, str] | None = None,
        shell: Sequence[str] = (),
    ) -> None:
        self.ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.modes, self.theirs = termios.tcgetattr(theirs), theirs
        self.screen = Answering(columns, lines, self.ours)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        env = {
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            **(env or {}),
        }
        self.process: subprocess.Popen[bytes] | Opened = (
            subprocess.Popen(
                ["setsid", "--ctty", *shell],
                cwd=folder,
                env=env,
                stdin=theirs,
                stderr=theirs,
                stdout=theirs,
            )
            if shell
            else ON_TERMINALS.open(os.ttyname(theirs), folder, *args, env=env)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        os.close(self.ours)
        os.close(self.theirs)

    @property
    def shown(self) -> str:
        """What the screen shows."""
        return "\n".join(map(self._line, range(self.screen.lines))).rstrip()

    def _line(self, number: int) -> str:
        """What a line shows; `display` of the screen, which measures each character, takes twenty
        times as long.
        """
        line = self.screen.buffer[number]
        return "".join(line[column].data for column in range(max(line, default=-1) + 1)).rstrip()

    def see(self, *texts: str) -> None:
        """Wait until texts are on the screen, in this order."""
        until, pattern = (
            time.monotonic() + DEADLINE,
            re.compile(".*".join(map(re.escape, texts)), re.DOTALL),
        )
        while not pattern.search(self.shown):
            assert self._read(until), f"{texts} are not on the screen:\n{self.shown}"

    def see_whole(self) -> None:
        """Wait until a question is drawn to its end, at which lines wrap and the cursor is
        shown again.
        """
        until = time.monotonic() + DEADLINE
        while not self.raw.endswith(b"\x1b[?7h\x1b[0m\x1b[?12l\x1b[?25h"):
            assert self._read(until), f"the question is not drawn to its end:\n{self.shown}"

    def press(self, keys: str, *then: str) -> None:
        """Press keys, and wait until texts are on the screen, in this order."""
        os.write(self.ours, keys.encode())
        self.see(*then)

    def end(self, keys: str = "") -> tuple[int, str]:
        """Press keys, and wait for the end: the exit code, and what is in the pipe of
        standard output.
        """
        os.write(self.ours, keys.encode())
        until = time.monotonic() + DEADLINE
        while self.process.poll() is None:
            self._read(min(until, time.monotonic() + 0.05))
            assert time.monotonic() < until, f"it does not end:\n{self.shown}"
        while self._read(time.monotonic()):
            pass
        printed = self.process.stdout.read().decode() if self.process.stdout else ""
        return self.process.wait(), printed

    def _read(self, until: float) -> bool:
        """Take what was written to the terminal, if anything is before a time."""
        if not select.select([self.ours], [], [], max(0, until - time.monotonic()))[0]:
            return False
        data = os.read(self.ours, 65536)
        self.raw += data
        self.stream.feed(data)
        return True
