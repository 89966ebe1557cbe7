"""Console: what is told, to whom, and how it looks."""

import os
import re
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from msgspec import Struct, field

from pipeline.emit import emit
from pipeline.escape import escape
from pipeline.events import ErrorEvent, Event, WarningEvent
from pipeline.locate import Located
from pipeline.notes import Note
from pipeline.problems import Problem
from pipeline.schema import LogFormat
from pipeline.source import Source

if TYPE_CHECKING:
    from io_edges.exit_codes import ErrorName
    from io_edges.prose import Prose

_COLOURS = ((re.compile(r"^error:"), "1;31"), (re.compile(r"^warning:"), "1;33"), (re.compile(r"^ += help:"), "1;36"))
TOLD_LIMIT = 1000
"""How many problems a person is told one by one."""
_EXCERPT_LIMIT = 1024 * 1024


class Console(Struct):
    """Tells events on standard error, in one format. Can be written to from several threads."""

    log_format: LogFormat = "text"
    quiet: bool = False
    verbose: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def listen(self, log_format: LogFormat, quiet: bool, verbose: bool) -> None:
        """Take what the command line says about telling."""
        self.log_format, self.quiet, self.verbose = log_format, quiet, verbose

    def tell(self, *events: Event) -> None:
        """Tell events, aligned with one another in text; with `quiet` only warnings and errors."""
        loud = [event for event in events if not self.quiet or isinstance(event, WarningEvent | ErrorEvent)]
        self._write(emit(loud, self.log_format))

    def warn(self, notes: Iterable[Note]) -> None:
        """Tell notes, each as a warning."""
        if found := tuple(notes):
            from io_edges.warnings import warning  # costs start-up time, and few runs need it

            self.tell(*map(warning, found))

    def looked_at(self, located: Located) -> None:
        """Say, with `--verbose`, where a configuration was looked for."""
        if self.verbose:
            self.say(*(f"looked at {probe.file}: {probe.verdict}" for probe in located.probed))

    def say(self, *lines: str) -> None:
        """Say something that is no event, to a person only."""
        if self.log_format == "text" and not self.quiet:
            self._write(map(escape, lines))

    def fail(self, problems: Iterable[Problem]) -> int:
        """Tell problems and give the exit code, which is the first one's."""
        from io_edges.exit_codes import EXIT_CODES, error_name
        from io_edges.prose import in_words

        told = [(error_name(problem), in_words(problem)) for problem in problems]
        if self.log_format == "json":
            self._write(emit([_event(name, prose) for name, prose in told], "json"))
        else:
            self._write(line for name, prose in told[:TOLD_LIMIT] for line in _report(name, prose))
            self._write(f"error: and {len(told) - TOLD_LIMIT:,} more" for _ in told[TOLD_LIMIT : TOLD_LIMIT + 1])
        return EXIT_CODES[told[0][0]]

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
    """Print one line on standard output, if there is one, as the bytes that the system knows it by."""
    if sys.stdout is not None:
        with suppress(OSError):
            os.write(sys.stdout.fileno(), os.fsencode(text) + b"\n")


def _event(name: "ErrorName", prose: "Prose") -> ErrorEvent:
    from io_edges.exit_codes import EXIT_CODES

    path = f"{prose.path}: " if prose.path else ""
    advice = f"; {prose.help}" if prose.help else ""
    source = str(prose.source) if prose.source else None
    return ErrorEvent(name, EXIT_CODES[name], prose.path, f"{path}{prose.message}{advice}", source)


def _report(name: "ErrorName", prose: "Prose") -> tuple[str, ...]:
    """A problem for a person: what, where with the line and a caret, what to do."""
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
    return f" {gutter} |", f" {source.line} | {shown}", f" {gutter} | {' ' * len(before)}^"


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
        line = pattern.sub(rf"\x1b[{colour}m\g<0>\x1b[0m".replace(r"\x1b", "\x1b"), line)
    return line
