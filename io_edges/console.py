"""Console: what is told, to whom, and how it looks.

Nothing is imported when something is to be told: a disk that fails, or a process that has too many files open, could
refuse that, too.
"""

import errno
import os
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TextIO

from msgspec import Struct, field

from io_edges.disk import why
from io_edges.exit_codes import EXIT_CODES, error_name
from io_edges.prose import in_words
from io_edges.stop import Stop
from io_edges.warnings import warning
from pipeline.emit import emit
from pipeline.escape import escape, width
from pipeline.events import ArchiveEvent, ComponentEvent, ErrorEvent, Event, WarningEvent
from pipeline.locate import Located
from pipeline.notes import Note
from pipeline.problems import FileSystemProblem, Problem
from pipeline.schema import LogFormat
from pipeline.source import Source

_COLOURS = ((re.compile(r"^error:"), "1;31"), (re.compile(r"^warning:"), "1;33"), (re.compile(r"^ += help:"), "1;36"))
_GONE = frozenset({errno.EPIPE, errno.EBADF})
"""What writing fails with where nobody reads any more."""
TOLD_LIMIT = 1000
"""How many problems, and how many warnings of a kind, a person is told one by one."""
_EXCERPT_LIMIT = 1024 * 1024


class Console(Struct):
    """Tells events on standard error, in one format. Can be written to from several threads."""

    log_format: LogFormat = "text"
    quiet: bool = False
    verbose: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def listen(self, *, quiet: bool, verbose: bool) -> None:
        """Take what the command line says about telling."""
        self.quiet, self.verbose = quiet, verbose

    def tell(self, *events: Event) -> None:
        """Tell events, aligned with one another in text; with `quiet` only warnings and errors."""
        loud = [event for event in events if not self.quiet or isinstance(event, WarningEvent | ErrorEvent)]
        lines = emit(loud, self.log_format)
        apart = self.log_format == "text" and loud and isinstance(loud[0], ArchiveEvent | ComponentEvent)
        self._write(("", *lines) if apart else lines)

    def warn(self, notes: Iterable[Note]) -> None:
        """Tell notes, each as a warning."""
        if found := tuple(notes):
            most = TOLD_LIMIT if self.log_format == "text" else len(found)
            self.tell(*map(warning, found[:most]))
            self._write(_rest("warning", len(found) - most))

    def looked_at(self, located: Located) -> None:
        """Say, with `--verbose`, where a configuration was looked for."""
        if self.verbose:
            self.say(*(f"looked at {probe.file}: {probe.verdict}" for probe in located.probed))

    def say(self, *lines: str) -> None:
        """Say something that is no event, to a person only."""
        if self.log_format == "text" and not self.quiet:
            self.prompt(*lines)

    def prompt(self, *lines: str) -> None:
        """Show what belongs to a question, to the person who is asked, however little is told beside."""
        self._write(map(escape, lines))

    def correct(self, problems: Iterable[Problem]) -> None:
        """Show the person who is asked what is wrong with the answers."""
        self._write(_reports(problems))

    def fail(self, problems: Iterable[Problem]) -> int:
        """Tell problems and give the exit code, which is the first one's."""
        found = tuple(problems)
        self._write(emit(map(_event, found), "json") if self.log_format == "json" else _reports(found))
        return EXIT_CODES[error_name(found[0])]

    def _write(self, lines: Iterable[str]) -> None:
        coloured = _has_colour(sys.stderr)
        text = "".join(f"{_coloured(line) if coloured else line}\n" for line in lines)
        with self.lock, suppress(OSError, ValueError):  # a reader that went away is no reason to stop
            if sys.stderr is not None and text:
                if self.log_format == "json":  # which is UTF-8, whatever the terminal speaks
                    sys.stderr.buffer.write(text.encode())
                else:
                    sys.stderr.write(text)
                sys.stderr.flush()


def print_line(text: str) -> None:
    """Print one line on standard output, if there is one, as the bytes that the system knows it by. Raises `Stop`."""
    data = os.fsencode(text) + b"\n"
    try:
        while data and sys.stdout is not None:
            data = data[os.write(sys.stdout.fileno(), data) :]
    except OSError as error:
        if error.errno not in _GONE:
            raise Stop(FileSystemProblem("standard output", why(error))) from error


def _event(problem: Problem) -> ErrorEvent:
    name, prose = error_name(problem), in_words(problem)
    path = f"{prose.path}: " if prose.path else ""
    advice = f"; {prose.help}" if prose.help else ""
    source = str(prose.source) if prose.source else None
    return ErrorEvent(name, EXIT_CODES[name], prose.path, f"{path}{prose.message}{advice}", source)


def _reports(problems: Iterable[Problem]) -> Iterator[str]:
    """Problems for a person, as many as anyone reads."""
    found = tuple(problems)
    for problem in found[:TOLD_LIMIT]:
        yield from _report(problem)
    yield from _rest("error", len(found) - TOLD_LIMIT)


def _rest(what: str, count: int) -> tuple[str, ...]:
    """The line for those that are not told one by one, if there are any."""
    return (f"{what}: and {count:,} more",) if count > 0 else ()


def _report(problem: Problem) -> tuple[str, ...]:
    """A problem for a person: what, where with the line and a caret, what to do."""
    name, prose = error_name(problem), in_words(problem)
    path = f"{escape(prose.path)}: " if prose.path else ""
    head = f"error: {name}: {path}{escape(prose.message)}"
    place = (f"  --> {escape(str(prose.source))}",) if prose.source else ()
    help_line = (f"  = help: {escape(prose.help)}",) if prose.help else ()
    return head, *place, *(_excerpt(prose.source) if prose.source else ()), *help_line


def _excerpt(source: Source) -> tuple[str, ...]:
    """The line that a source points to, with a caret under the column; nothing where it cannot be read."""
    lines = _lines(source.name) if source.line else ()
    if source.line > len(lines) or not source.line:
        return ()
    line = lines[source.line - 1]
    start = max(0, source.column - 60)
    before = escape(line[start : source.column - 1].replace("\t", " "))
    shown = before + escape(line[source.column - 1 : start + 100].rstrip("\r").replace("\t", " "))
    gutter = " " * len(str(source.line))
    return f" {gutter} |", f" {source.line} | {shown}", f" {gutter} | {' ' * width(before)}^"


@cache
def _lines(name: str) -> tuple[str, ...]:
    """The lines of a file, as far as it is read for excerpts."""
    try:
        if not Path(name).is_file():
            return ()
        with Path(name).open("rb") as file:
            return tuple(file.read(_EXCERPT_LIMIT).decode("utf-8-sig", errors="replace").split("\n"))
    except (OSError, ValueError):
        return ()


def _has_colour(stream: TextIO | None) -> bool:
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") in {None, "", "dumb"}
    with suppress(ValueError):
        return stream is not None and not dull and stream.isatty()
    return False


def _coloured(line: str) -> str:
    for pattern, colour in _COLOURS:
        line = pattern.sub(f"\x1b[{colour}m\\g<0>\x1b[0m", line)
    return line
