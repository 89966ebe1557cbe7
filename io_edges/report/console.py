"""Console: what is reported, to whom, and how it looks.

Nothing is imported when there is something to report: a disk that fails, or a process with too many open files, could
refuse that as well.
"""

import errno
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from msgspec import Struct, field

from io_edges.report.excerpts import Excerpts
from io_edges.report.exit_codes import EXIT_CODES, error_name
from io_edges.report.prose import in_words
from io_edges.report.warnings import warning
from io_edges.system.stop import Stop, cause_of
from pipeline.emit import emit
from pipeline.locate import Located
from pipeline.report.build_problems import FileSystemProblem
from pipeline.report.escape import escape
from pipeline.report.events import ArchiveEvent, ComponentEvent, ErrorEvent, Event, WarningEvent
from pipeline.report.notes import Note
from pipeline.report.problems import Problem
from pipeline.schema import LogFormat

_COLOURS = ((re.compile(r"^error:"), "1;31"), (re.compile(r"^warning:"), "1;33"), (re.compile(r"^ += help:"), "1;36"))
_GONE = frozenset({errno.EPIPE, errno.EBADF})
"""What writing fails with if the reader has gone away."""
TOLD_LIMIT = 1000
"""How many problems, and how many warnings of one `warn` call, are shown one by one in text."""


class Console(Struct):
    """Reports events on standard error, in one format. Can be used from several threads."""

    log_format: LogFormat = "text"
    quiet: bool = False
    verbose: bool = False
    opening: Callable[[], Event] | None = None
    """Makes the first line of a JSON log."""
    closing: Callable[[], Event] | None = None
    """Makes the last line of a log, when everything else has been reported."""
    excerpts: Excerpts = field(default_factory=Excerpts)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def listen(self, *, quiet: bool, verbose: bool) -> None:
        """Apply what the command line says about the amount of output."""
        self.quiet, self.verbose = quiet, verbose

    def tell(self, *events: Event) -> None:
        """Report events; in text, aligned with one another; with `quiet`, only warnings and errors."""
        loud = [event for event in events if not self.quiet or isinstance(event, WarningEvent | ErrorEvent)]
        lines = emit(loud, self.log_format)
        apart = self.log_format == "text" and loud and isinstance(loud[0], ArchiveEvent | ComponentEvent)
        self._write(("", *lines) if apart else lines)

    def warn(self, notes: Iterable[Note]) -> None:
        """Report each note as a warning."""
        if every := tuple(notes):
            most = TOLD_LIMIT if self.log_format == "text" else len(every)
            self.tell(*map(warning, every[:most]))
            self._write(_rest("warning", len(every) - most))

    def looked_at(self, located: Located) -> None:
        """With `--verbose`, show where a configuration was looked for."""
        if self.verbose:
            self.say(*(f"looked at {probe.file}: {probe.verdict}" for probe in located.probes))

    def break_line(self) -> None:
        """On a terminal, end the line on which it has shown `^C`."""
        if _is_terminal(sys.stderr):
            self.say("")

    def close(self) -> None:
        """Report how the run ended, if it has got so far that there is something to say."""
        if closing := self.closing:
            self.closing = None
            self.tell(closing())

    def say(self, *lines: str) -> None:
        """Show lines that are not an event: in text only, and not with `quiet`."""
        if self.log_format == "text" and not self.quiet:
            self.prompt(*lines)

    def prompt(self, *lines: str) -> None:
        """Show lines that belong to a question, even with `quiet`."""
        self._write(map(escape, lines))

    def correct(self, problems: Iterable[Problem]) -> None:
        """Show what is wrong with the answers to the person who gave them."""
        self._write(_reports(problems, self.excerpts))

    def fail(self, problems: Iterable[Problem]) -> int:
        """Report problems and return the exit code, which is that of the first."""
        every = tuple(problems)
        self._write(
            emit(map(error_event, every), "json") if self.log_format == "json" else _reports(every, self.excerpts)
        )
        return EXIT_CODES[error_name(every[0])]

    def _write(self, lines: Iterable[str]) -> None:
        coloured = _has_colour(sys.stderr)
        lines = tuple(lines)
        if lines and self.log_format == "json" and (opening := self.opening):
            self.opening = None
            lines = (*emit((opening(),), "json"), *lines)
        text = "".join(f"{_coloured(line) if coloured else line}\n" for line in lines)
        with self.lock, suppress(OSError, ValueError):  # a reader that has gone away does not stop the run
            if sys.stderr is not None and text:
                if self.log_format == "json":  # JSON is UTF-8, whatever the encoding of the terminal
                    sys.stderr.buffer.write(text.encode())
                else:
                    sys.stderr.write(text)
                sys.stderr.flush()


def print_path(path: str) -> None:
    """Print a path on standard output: for a program byte for byte, on a terminal with harmless characters only."""
    print_line(escape(path) if sys.stdout is not None and sys.stdout.isatty() else path)


def print_line(text: str) -> None:
    """Print one line on standard output, if it is open, in the file system's encoding. Raises `Stop`."""
    try:
        data = os.fsencode(f"{text}\n")
    except UnicodeEncodeError:  # the encoding of this system does not have the characters
        data = f"{text}\n".encode(errors="surrogateescape")
    with standard_output():
        while data and sys.stdout is not None:
            data = data[os.write(sys.stdout.fileno(), data) :]


@contextmanager
def standard_output() -> Iterator[None]:
    """Write to standard output; a reader that has gone away is not an error. Raises `Stop`, as for a full disk."""
    try:
        yield
    except OSError as error:
        if error.errno not in _GONE:
            raise Stop(FileSystemProblem("standard output", cause_of(error))) from error


def error_event(problem: Problem) -> ErrorEvent:
    """The event that reports a problem."""
    name, prose = error_name(problem), in_words(problem)
    path = f"{prose.path}: " if prose.path else ""
    advice = f"; {prose.help}" if prose.help else ""
    source = str(prose.source) if prose.source else None
    return ErrorEvent(name, EXIT_CODES[name], prose.path, f"{path}{prose.message}{advice}", source)


def _reports(problems: Iterable[Problem], excerpts: Excerpts) -> Iterator[str]:
    """Problems for a person: the first `TOLD_LIMIT`, and how many more there are."""
    every = tuple(problems)
    for problem in every[:TOLD_LIMIT]:
        yield from _report(problem, excerpts)
    yield from _rest("error", len(every) - TOLD_LIMIT)


def _rest(what: str, count: int) -> tuple[str, ...]:
    """The line for those that are not shown one by one, if there are any."""
    return (f"{what}: and {count:,} more",) if count > 0 else ()


def _report(problem: Problem, excerpts: Excerpts) -> tuple[str, ...]:
    """A problem for a person: what is wrong, where, the line with a caret, and what to do."""
    name, prose = error_name(problem), in_words(problem)
    path = f"{escape(prose.path)}: " if prose.path else ""
    head = f"error: {name}: {path}{escape(prose.message)}"
    place = (f"  --> {escape(str(prose.source))}",) if prose.source else ()
    help_line = (f"  = help: {escape(prose.help)}",) if prose.help else ()
    return head, *place, *(excerpts.at(prose.source) if prose.source else ()), *help_line


def _is_terminal(stream: TextIO | None) -> bool:
    with suppress(ValueError):  # it is closed
        return stream is not None and stream.isatty()
    return False


def _has_colour(stream: TextIO | None) -> bool:
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") in {None, "", "dumb"}
    return not dull and _is_terminal(stream)


def _coloured(line: str) -> str:
    for pattern, colour in _COLOURS:
        line = pattern.sub(f"\x1b[{colour}m\\g<0>\x1b[0m", line)
    return line
