"""Errors and warnings about changed files, obstacles and other versions (`docs/building.md`)."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final, Literal, Self, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import Selectable, WarningDiagnostic
from pipeline.report.wording import adding, clause, listed

InTheWay: TypeAlias = Literal[
    "file", "link", "config", "key", "dangling", "other", "case", "interrupted", "changed"
]
"""What occupies a path at which something would be written."""
Dispute: TypeAlias = Literal["edited", "deleted", "added", "type"]
"""Why a file is a conflict: edited by the user; edited, although the new archive does not have it;
added by both sides; or of a different type on each side."""
Unmergeable: TypeAlias = Literal[
    "touching", "alike", "old git", "binary", "large", "unkept", "their ends", "your ends", "ends"
]
"""Why texts are not merged line by line: changes touch; the lines around a change occur in several
places, so its place is ambiguous; git is too old to tell; a text has a NUL; a text is too large;
two of the three texts differ only in their line endings; or the archive that the component was
built from is not kept."""
LineRange: TypeAlias = tuple[int, int]
"""The first and the last line, counted from 1; of an empty range, both are the line
before it, or 1.
"""
_IN_THE_WAY: Final[dict[InTheWay, tuple[str, str]]] = {
    "file": ("is a file where a folder is needed", "move it away"),
    "link": ("is a symbolic link, which is not followed", "move it away"),
    "interrupted": (
        "is not complete: an earlier run was interrupted",
        "`tool create` or `tool undo` completes it",
    ),
    "changed": ("was changed during the run", "run again"),
    "other": ("is not a file", "move it away"),
    "dangling": ("is a broken link", "remove it, or create its target"),
    "case": (
        "and `{}` differ only in case, which this disk ignores",
        "move `{}` away, or rename it",
    ),
    "config": (
        "already exists",
        "`--force` keeps it as a backup and writes a new one with its values",
    ),
    "key": (
        "already has a configuration, in its key `tool`",
        "`--force` writes a new file with its values, which is used instead",
    ),
}
"""Each obstacle in words, and what to do about it."""
_DISPUTES: Final[dict[Dispute, str]] = {
    "edited": "edited",
    "deleted": "edited, and no longer in the archive",
    "added": "added by both",
    "type": "of another type",
}
_OF_FILES: Final = "`--take-theirs PATTERN` and `--keep-mine PATTERN` decide about single files"
_RESTORING: Final = (
    "`--force` restores the files from before that run and moves yours to `.tool/backup/`"
)
_OF_UNDO: Final = f"{_RESTORING}; `--mine` keeps yours; {_OF_FILES}"
_UNMERGEABLE: Final[dict[Unmergeable, str]] = {
    "touching": "the archive changed the same lines",
    "alike": "these lines occur in several places",
    "old git": "merging needs git 2.38 or later",
    "binary": "not text",
    "large": "too large to merge",
    "unkept": "the archive that it was built from is not kept",
    "their ends": "the archive changed only its line endings",
    "your ends": "you changed only its line endings",
    "ends": "it differs from the archive's only in its line endings",
}
_OF_LINE_ENDS: Final[frozenset[Unmergeable]] = frozenset({"their ends", "your ends", "ends"})


class DisputedFile(Struct, frozen=True):
    """A file that both the user and the archive changed; the path is relative to the project."""

    path: str
    dispute: Dispute
    unmerged: Unmergeable | None = None
    """Why it was not merged, if that was tried."""
    lines: tuple[LineRange, ...] = ()
    """Where changes touch, as lines of the file on disk."""
    patch: str = ""
    """The patch that changes the archive's file; empty if none does."""

    def __str__(self) -> str:
        """The path, and why it is a conflict."""
        why = _DISPUTES[self.dispute]
        if self.unmerged:
            why += f", {_UNMERGEABLE[self.unmerged]}"
        lines = clause(": {}", listed([*map(_line_range, self.lines)], mark=""))
        patch = clause("; `{}` changes it", self.patch)
        return f"`{self.path}` ({why}{lines}{patch})"


def _line_range(lines: LineRange) -> str:
    first, last = lines
    if last <= first:
        return str(first)
    return f"{first}-{last}"


class OutputConflict(Selectable, frozen=True):
    """A run would overwrite something that the tool did not write, or that you have changed. It
    changes nothing.
    """

    path: str
    disputed: tuple[DisputedFile, ...] = ()
    """The files that both sides changed, if it is a component."""
    reason: Literal["disputed"] | InTheWay = "disputed"
    undoing: bool = False
    """Whether a run is being undone; the files from before it take the place of the archive's."""
    kind: Literal["", "theme", "module"] = ""
    """The kind of a component whose path something else occupies."""
    other: str = ""
    """The path on disk that differs only in case."""
    flags: str = ""
    """If a target folder is a link, the flags that build into the folder that it leads to."""
    at = "path"
    inside = "project"

    @property
    def message(self) -> str:
        if self.reason != "disputed":
            return f"`{self.path}` {_IN_THE_WAY[self.reason][0].format(self.other)}"
        if self.undoing:
            changed = listed([each.path for each in self.disputed])
            return f"`{self.path}` has changed since the run that is undone: {changed}"
        if _are_added(self.disputed):
            which = (
                f"`{self.path}` has files that no recorded run wrote and that its archive "
                f"would change"
            )
        else:
            which = f"both you and the archive changed `{self.path}`"
        return f"{which}: {_in_conflict(self.disputed)}"

    @property
    def shares_advice(self) -> bool:
        return self.reason == "disputed" and not self.undoing

    def advice_on(self, every: Sequence[Self]) -> str:
        if not self.shares_advice:
            return self.advice
        disputed = [file for each in every for file in each.disputed]
        shows = self.command.line("diff", *(each.path for each in every))
        return _ways_out(disputed, shows)

    @property
    def advice(self) -> str:
        if self.shares_advice:
            return self.advice_on((self,))
        if self.reason == "disputed":
            return _OF_UNDO
        if self.undoing:
            return "put the component's folder back"
        if self.flags:
            return f"to build into the folder that it leads to, pass `{self.flags}`"
        advice = _IN_THE_WAY[self.reason][1].format(self.other or self.path)
        if self.reason == "link":
            advice += self._without()
        return advice

    def _without(self) -> str:
        """The flag that leaves a component out, so that the link in its place can stay; empty for
        any other path.
        """
        if self.kind == "module":
            name = PurePath(self.path).name
            return f"; or leave the module out with `{adding('--exclude', name, self.lists_below)}`"
        if self.kind == "theme":
            return "; or build no theme, with `--theme=none`"
        return ""


def idle_pattern(flag: str, pattern: str) -> WarningDiagnostic:
    """A pattern of `--keep-mine` or `--take-theirs` matches files, but none of them is
    in conflict.
    """
    message = (
        f"{flag}: no file that matches `{pattern}` is in conflict, so the pattern has no effect"
    )
    advice = "omit it; to go back to the archive's version of a file, delete the file and run again"
    return WarningDiagnostic("idle-pattern", message, advice)


def _in_conflict(disputed: tuple[DisputedFile, ...]) -> str:
    """List files in conflict, each with the reason, unless both sides added all of them."""
    if _are_added(disputed):
        return listed([each.path for each in disputed])
    return listed([str(each) for each in disputed], mark="")


def _ways_out(disputed: Sequence[DisputedFile], diff: str) -> str:
    """The flags that settle the conflicts, after the command that shows both changes."""
    whose = "yours"
    shows = f"`{diff} --mine` and `--theirs` show both changes; "
    if _are_added(disputed):
        whose = "these"
        shows = ""
    merge = ""
    if any(file.dispute == "edited" and not file.unmerged for file in disputed):
        merge = "`--merge` (merge changes of different lines), "
    beside = ""
    if any(file.unmerged and file.unmerged not in _OF_LINE_ENDS for file in disputed):
        beside = "--merge "
    return (
        f"{shows}build with {merge}`{beside}--force` (build the archive's files, move {whose} to "
        f"`.tool/backup/`) "
        f"or `{beside}--mine` (keep {whose}), for all components or for those that you name; "
        f"{_OF_FILES}; "
        "`--keep-going` builds the other components"
    )


def _are_added(disputed: Sequence[DisputedFile]) -> bool:
    """Whether both sides added all files, so that the record does not say who changed them."""
    return all(each.dispute == "added" for each in disputed)


ConflictError: TypeAlias = OutputConflict
