"""Console: report events to the user.

Reporting imports nothing, because a failing disk, or a process with too many open files, could
refuse that as well.
"""

import errno
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, Literal

from msgspec import Struct, field

from io_edges.report.excerpts import Excerpts
from io_edges.report.exit_codes import EXIT_CODES, error_name
from io_edges.report.screens import is_terminal, screen_of
from io_edges.system.stop import Stop, problem_of
from pipeline.emit import emit
from pipeline.locate import Probe
from pipeline.report.diagnostic import PathContext, WarningDiagnostic, with_advice
from pipeline.report.diagnostics import Error
from pipeline.report.diagnostics.archives import one_each
from pipeline.report.diagnostics.building import OutOfDate
from pipeline.report.escape import escape
from pipeline.report.events import (
    ArchiveEvent,
    ComponentEvent,
    ErrorEvent,
    Event,
    SummaryEvent,
    WarningEvent,
)
from pipeline.report.layout import Screen, paragraph, toned
from pipeline.report.text import ending, error_lines, share_help
from pipeline.report.wording import clause, counted, first_items
from pipeline.schema import LogFormat
from pipeline.values import replace

_GONE = frozenset({errno.EPIPE, errno.EBADF})
"""The errors of writing to a stream whose reader has gone away."""
_LOUD: Final[dict[LogFormat, tuple[type[Event], ...]]] = {
    "text": (WarningEvent, ErrorEvent),
    "json": (WarningEvent, ErrorEvent, SummaryEvent),
}
"""The events that are reported even with `quiet`."""
SHOWN_LIMIT = 1000
"""The maximum number of errors, and of warnings of one `warn` call, that text shows one by one."""
PLANNED_LIMIT = 5
"""The maximum number of outdated components that a screen shows, since the plan above
names them all.
"""


class Console(Struct):
    """Reports events on standard error, in one format."""

    log_format: LogFormat = "text"
    quiet: bool = False
    verbose: bool = False
    opening: Event | None = None
    """The first line of a JSON log."""
    closing: Callable[[], SummaryEvent] | None = None
    """Makes the last line of a log, after everything else is reported."""
    context: PathContext = PathContext()
    """The context of paths and flags in messages. Only the running command sets it."""
    warned: list[WarningEvent] = field(default_factory=list)
    """The warnings so far."""
    holds_back: bool = False
    """Whether warnings wait until it is known which ones the last run reported."""
    has_output: bool = False
    """Whether anything was written."""
    has_failed: bool = False
    """Whether errors were reported."""
    has_broken_line: bool = False
    """Whether the line on which the terminal shows `^C` has ended."""
    excerpts: Excerpts = field(default_factory=Excerpts)

    @property
    def in_full(self) -> bool:
        """Whether everything is reported, and no summary."""
        return self.verbose or self.log_format == "json"

    @property
    def screen(self) -> Screen:
        """The screen of standard error."""
        return screen_of(sys.stderr, is_summary=not self.verbose, verbose=self.verbose)

    @property
    def product_screen(self) -> Screen:
        """The screen of standard output, on which results are always complete."""
        return screen_of(sys.stdout, verbose=self.verbose)

    def set_verbosity(self, *, quiet: bool, verbose: bool) -> None:
        """Apply the flags for the amount of output."""
        self.quiet = quiet
        self.verbose = verbose

    def report(self, *events: Event) -> None:
        """Report events, aligned with one another in text; with `quiet`, only warnings, errors and
        the end in JSON.
        """
        if self.quiet:
            events = tuple(event for event in events if isinstance(event, _LOUD[self.log_format]))
        self.report_always(*events)

    def report_always(self, *loud: Event) -> None:
        """Report events, even with `quiet`."""
        lines = emit(loud, self.log_format, self.screen)
        is_block = (
            self.log_format == "text"
            and loud
            and isinstance(loud[0], ArchiveEvent | ComponentEvent)
        )
        if is_block and lines and self.has_output:
            lines = ("", *lines)
        self._write(lines)

    def warn(
        self, warnings: Iterable[WarningDiagnostic], reported_before: Collection[str] = ()
    ) -> None:
        """Report each warning, except those reported before."""
        every = [warning_event(warning, self.context) for warning in warnings]
        self.warned += every
        if not self.holds_back:
            self._warn(every, reported_before)

    def warn_of_new(self, reported_before: Collection[str] = ()) -> None:
        """Report the warnings that were held back, except those that were reported before."""
        if self.holds_back:
            self.holds_back = False
            self._warn(self.warned, reported_before)

    def _warn(self, every: Iterable[WarningEvent], reported_before: Collection[str]) -> None:
        events = [event for event in every if event.identity not in reported_before]
        shown: Sequence[WarningEvent] = events
        if self.log_format == "text":
            shown = first_items(events, SHOWN_LIMIT)
        if shown:
            self.report(*shown)
            self._write(_rest("warning", len(events) - len(shown), self.screen))

    def report_probes(self, probes: Iterable[Probe]) -> None:
        """With `--verbose`, show where a configuration and presets were looked for."""
        if self.verbose:
            self.print_text(*(f"looked at {probe.file}: {probe.verdict}" for probe in probes))

    def interrupted(self, name: Literal["Interrupted", "Terminated"], done: str) -> int:
        """Report that the run was ended from outside, and what it has done, even with `quiet`;
        return the exit code.
        """
        self.warn_of_new()
        word = name.lower()
        if self.log_format == "json":
            self.report(
                ErrorEvent(
                    name, EXIT_CODES[name], None, "; ".join(filter(None, (word, done))), None
                )
            )
            return EXIT_CODES[name]
        self._break_line()
        if self.closing:
            event = self.closing()
            self.closing = None
            done = ending(event, self.screen)
        if done:
            self._write(paragraph(done, self.screen, f"{word}: ", "warning"))
        else:
            self._write((word,))
        return EXIT_CODES[name]

    def finishing(self, files: int) -> None:
        """Report, in text and even with `quiet`, that an interrupt waits until so many files
        are in place.
        """
        if self.log_format == "text":
            done_first = (
                f"interrupted: finishing {counted(files, 'file')}, so that every component is whole"
            )
            with suppress(RuntimeError):  # the interrupt came while the stream was being written
                self._break_line()
                self._write((toned(done_first, "interrupted:", "warning", self.screen),))

    def close(self) -> None:
        """Report how the run ended, if it has got far enough."""
        self.warn_of_new()
        if closing := self.closing:
            self.closing = None
            event = closing()
            self.report(event)
            is_reported = event.outcome != "planned" and self.has_failed
            if self.quiet and is_reported and self.log_format == "text":
                self.prompt(ending(event, self.screen))

    def print_text(self, *lines: str) -> None:
        """Show lines that are not an event: in text only, and not with `quiet`."""
        if self.log_format == "text" and not self.quiet:
            self.prompt(*lines)

    def prompt(self, *lines: str) -> None:
        """Show lines that belong to a question, even with `quiet`."""
        self._write(map(escape, lines))

    def fail(self, errors: Iterable[Error]) -> int:
        """Report errors, without `verbose` one for each archive; return the exit code
        of the first.
        """
        self.warn_of_new()
        self.has_failed = True
        errors = tuple(errors)
        if not self.verbose:
            errors = one_each(errors)
        if self.log_format == "json":
            self._write(emit([error_event(error, self.context) for error in errors], "json"))
        else:
            if self.has_output and self.screen.columns:
                self._write(("",))
            self._write(self._reports(errors))
        return EXIT_CODES[error_name(errors[0])]

    def ensure_opening_line(self) -> None:
        """Write the first line of a JSON log, unless it is written already."""
        if self.log_format == "json" and (opening := self.opening):
            self.opening = None
            self._write(emit((opening,), "json"))

    def _reports(self, errors: Sequence[Error]) -> Iterator[str]:
        """The errors as text: the first ones, and the number of the others."""
        screen = self.screen
        limit = SHOWN_LIMIT
        if (
            screen.is_summary
            and not self.quiet
            and all(isinstance(error, OutOfDate) for error in errors)
        ):
            limit = PLANNED_LIMIT
        shown = first_items(errors, limit)
        pairs = [*with_advice(shown, self.context)]
        events = [replace(error_event(error, self.context), help=advice) for error, advice in pairs]
        for (error, advice), event, without_shared_help in zip(
            pairs, events, share_help(events), strict=True
        ):
            if advice == error.advice:
                yield from self._report(error, event, without_shared_help)
            else:  # it is one of a list, and its message names its place
                yield from error_lines(without_shared_help, None, (), screen)
        yield from _rest("error", len(errors) - len(shown), screen)

    def _report(
        self, error: Error, event: ErrorEvent, without_shared_help: ErrorEvent
    ) -> Iterator[str]:
        """An error as text, with its help if an excerpt separates it from the next error with
        the same help.
        """
        screen = self.screen
        location = self.context.relativize(error)
        if location is None:
            return error_lines(without_shared_help, None, (), screen)
        excerpt = self.excerpts.at(location, screen)
        if excerpt:
            return error_lines(event, location, excerpt, screen)
        return error_lines(without_shared_help, location, (), screen)

    def _break_line(self) -> None:
        """End the line on which the terminal shows `^C`, once."""
        if not self.has_broken_line and is_terminal(sys.stderr):
            self._write(("",))
        self.has_broken_line = True

    def _write(self, lines: Iterable[str]) -> None:
        lines = tuple(lines)
        if lines:
            self.ensure_opening_line()
        text = "".join(f"{line}\n" for line in lines)
        self.has_output = self.has_output or bool(text)
        with suppress(OSError, ValueError):  # a reader that has gone away does not stop the run
            if sys.stderr is not None and text:
                # JSON is UTF-8, whatever the encoding of the terminal.
                if self.log_format == "json":
                    sys.stderr.buffer.write(text.encode())
                else:
                    sys.stderr.write(text)
                sys.stderr.flush()


def print_path(path: str) -> None:
    """Print a path on standard output: exact bytes for a program, escaped on a terminal."""
    if is_terminal(sys.stdout):
        path = escape(path)
    print_line(path)


def print_line(text: str) -> None:
    """Print one line on standard output, if it is open, in the file system's encoding."""
    try:
        data = os.fsencode(f"{text}\n")
    except UnicodeEncodeError:  # the encoding of this system does not have the characters
        data = f"{text}\n".encode(errors="surrogateescape")
    print_bytes(data)


def print_bytes(data: bytes) -> None:
    """Print bytes on standard output, if it is open."""
    try:
        while data and sys.stdout is not None:
            data = data[os.write(sys.stdout.fileno(), data) :]
    except OSError as error:
        if error.errno not in _GONE:  # a reader that has gone away is not an error, a full disk is
            raise Stop(problem_of("standard output", error)) from error


def error_event(error: Error, context: PathContext) -> ErrorEvent:
    """The event that reports an error."""
    error = context.with_lists(error)
    name = error_name(error)
    message = f"{clause('{}: ', error.setting)}{error.message}"
    location = context.relativize(error)
    if location is None:
        return ErrorEvent(
            name, EXIT_CODES[name], error.setting or None, message, None, error.advice
        )
    return ErrorEvent(
        name,
        EXIT_CODES[name],
        error.setting or None,
        message,
        str(location),
        error.advice,
        **location.place,
    )


def warning_event(warning: WarningDiagnostic, context: PathContext) -> WarningEvent:
    """The event that reports a warning."""
    location = context.relativize(warning)
    if location is None:
        return WarningEvent(warning.code, warning.message, None, warning.advice or None)
    return WarningEvent(
        warning.code, warning.message, str(location), warning.advice or None, **location.place
    )


def _rest(what: Literal["warning", "error"], count: int, screen: Screen) -> tuple[str, ...]:
    """The line with the number of errors or warnings that are not shown, if there are any."""
    if count <= 0:
        return ()
    return paragraph(f"and {count:,} more", screen, f"{what}: ", what)
