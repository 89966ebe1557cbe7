"""Preference: whose version of a file is built where both the user and the archive changed it.

`--mine` and `--force` decide about every file and about whole components; `--keep-mine` and
`--take-theirs` decide about the files that a pattern matches. A pattern overrides the other flags,
and prevents a merge.
"""

from collections.abc import Collection, Iterator
from itertools import repeat
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.conflicts import idle_pattern
from pipeline.report.diagnostics.settings import UsageError
from pipeline.selection.patterns import matches, spellings

Preferred: TypeAlias = Literal["nobody", "mine", "theirs"]
"""Whose version is built: the disk's (`mine`), the archive's (`theirs`), or none, so that
the run stops.
"""
_COMMAND: Final = "tool create"


class Preference(Struct, frozen=True):
    """What the flags of a run prefer."""

    whole: Preferred = "nobody"
    """The preference for components as a whole, and for files that no pattern matches."""
    mine: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()

    def of(self, path: str) -> Preferred:
        """Whose version of a file is preferred, given its project path."""
        named = self.named(path)
        if named == "nobody":
            return self.whole
        return named

    def named(self, path: str) -> Preferred:
        """Whose version a pattern prefers, given the project path of a file; `nobody` if
        none matches.
        """
        if is_matched(self.mine, path):
            return "mine"
        if is_matched(self.theirs, path):
            return "theirs"
        return "nobody"

    def names_exactly(self, path: str) -> bool:
        """Whether a pattern is exactly the project path of a file."""
        return path in {*self.mine, *self.theirs}

    @property
    def patterns(self) -> tuple[tuple[str, str], ...]:
        """All patterns, each after its flag."""
        mine = zip(repeat("--keep-mine"), self.mine)
        theirs = zip(repeat("--take-theirs"), self.theirs)
        return (*mine, *theirs)


def wrong_patterns(prefer: Preference, files: Collection[str]) -> Iterator[UsageError]:
    """The errors of patterns that match no file in scope or contradict each other.

    `files` are the project paths of the files in scope.
    """
    for flag, pattern in prefer.patterns:
        if not any(is_matched((pattern,), path) for path in files):
            which = f"{flag}: no file of a component matches `{pattern}`"
            yield UsageError(which, _COMMAND, instead="name paths in the project: `modules/m/*`")
    both = (
        path
        for path in sorted(files)
        if is_matched(prefer.mine, path) and is_matched(prefer.theirs, path)
    )
    if contradicted := next(both, ""):
        both_match = f"--keep-mine and --take-theirs both match `{contradicted}`"
        yield UsageError(both_match, _COMMAND, instead="give each file to one of them")


def idle_patterns(prefer: Preference, decided: Collection[str]) -> Iterator[WarningDiagnostic]:
    """Warn of patterns that match none of the files that a preference decided."""
    for flag, pattern in prefer.patterns:
        if not any(is_matched((pattern,), path) for path in decided):
            yield idle_pattern(flag, pattern)


def is_matched(patterns: tuple[str, ...], path: str) -> bool:
    """Whether any of the patterns matches a project path."""
    return any(matches(pattern, spellings((path,))) for pattern in patterns)
