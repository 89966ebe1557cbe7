"""Findings: the problems and notes of a check in words, and the rules that they come under (`docs/ci.md`)."""

import os
import re
from pathlib import PurePath
from typing import Final, get_args

from msgspec import Struct

from io_edges.report.exit_codes import EXIT_CODES, error_name
from io_edges.report.explanations import EXPLANATIONS
from io_edges.report.prose import in_words
from io_edges.report.warning_explanations import WARNING_EXPLANATIONS
from io_edges.report.warnings import warning
from pipeline.report.drop_notes import DropNote
from pipeline.report.events import ErrorEvent, WarningEvent
from pipeline.report.findings import Finding, Rule
from pipeline.report.notes import Note
from pipeline.report.problems import ConfigNotFound, ConfigUnreadable, Problem, ScriptRuntimeUnavailable
from pipeline.report.run_notes import RunNote
from pipeline.report.source import Source

_CODES: Final = {65, 66, 67, 69, 74}
"""The exit codes of a check."""
_PLACE: Final = re.compile(r"(.+):(\d+):(\d+)")
_NO_FILE: Final = ("--", "TOOL_", "preset:", "built-in")
"""How a source without a line begins that is a flag, a variable, a bundled preset or a default."""


class Finder(Struct, frozen=True):
    """Makes findings in a current folder, whose files are named from the root of its repository."""

    start: PurePath

    @property
    def root(self) -> PurePath:
        """The nearest folder with `.git`; without one that can be looked into, the current folder."""
        return next((each for each in (self.start, *self.start.parents) if os.path.lexists(each / ".git")), self.start)

    def of_problem(self, problem: Problem) -> Finding:
        """The finding of a problem."""
        prose, name = in_words(problem), error_name(problem)
        source = prose.source
        if isinstance(problem, ConfigNotFound | ConfigUnreadable | ScriptRuntimeUnavailable):
            source = Source(problem.file)
        file, line, column = self._place(source)
        return Finding(
            level="error",
            name=name,
            message=prose.message,
            help=prose.help,
            path=prose.path,
            source=str(source) if source else None,
            file=file,
            line=line,
            column=column,
        )

    def of_note(self, note: Note) -> Finding:
        """The finding of a note, which is a warning."""
        return self.of_event(warning(note))

    def of_event(self, event: ErrorEvent | WarningEvent) -> Finding:
        """The finding of a line of the log."""
        place = _PLACE.fullmatch(event.source or "")
        source = Source(place[1], int(place[2]), int(place[3])) if place else Source(event.source or "")
        file, line, column = self._place(source)
        return Finding(
            level="error" if isinstance(event, ErrorEvent) else "warning",
            name=event.error if isinstance(event, ErrorEvent) else event.code,
            message=event.message,
            help=event.help or "",
            source=event.source,
            file=file,
            line=line,
            column=column,
        )

    def _place(self, source: Source | None) -> tuple[str, int, int]:
        """The file, line and column of a source; empty and 0 if it is in no file."""
        if source is None or not (source.line or _is_file(source.name)):
            return "", 0, 0
        path = PurePath(os.path.normpath(self.start / source.name))
        relative = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        return relative.as_posix(), source.line, source.column


def rules() -> tuple[Rule, ...]:
    """Every rule that a finding can come under."""
    errors = (
        Rule(name, "error", _sentence(text), text) for name, text in EXPLANATIONS.items() if EXIT_CODES[name] in _CODES
    )
    notes = set(get_args(Note)) - {*get_args(DropNote), *get_args(RunNote)}
    codes = sorted(str(kind.__struct_config__.tag) for kind in notes)
    warnings = ((code, WARNING_EXPLANATIONS[code]) for code in codes)
    return (*errors, *(Rule(code, "warning", _sentence(text), text) for code, text in warnings))


def _is_file(name: str) -> bool:
    return bool(name) and not name.startswith(_NO_FILE)


def _sentence(text: str) -> str:
    """The first sentence of a text."""
    return re.split(r"(?<=\.) ", text, maxsplit=1)[0]
