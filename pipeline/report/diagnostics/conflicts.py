"""Errors and warnings about changed files, obstacles and other versions (`docs/building.md`)."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final, Literal, Self, TypeAlias

from msgspec import Struct

from pipeline.report.diagnostic import Selectable, WarningDiagnostic
from pipeline.report.diagnostics.bases import Command
from pipeline.report.wording import adding, clause, listed

InTheWay: TypeAlias = Literal["file", "link", "config", "key", "dangling", "other", "case", "interrupted", "changed"]
"""What is where something would be written."""
Dispute: TypeAlias = Literal["edited", "deleted", "added", "type"]
"""Why a file is a conflict: edited by someone, also where the archive has it no longer; added by both sides; or of
another type on each side."""
Unmergeable: TypeAlias = Literal[
    "touching", "alike", "old git", "binary", "large", "unkept", "their ends", "your ends", "ends"
]
"""Why texts are not merged by lines: changes touch; the lines around one stand in several places, so that nobody can
say where it belongs; git is too old to say; there is a NUL; they are too large; two of the three differ in their line
ends alone; or what the component was built from is not kept."""
LineRange: TypeAlias = tuple[int, int]
"""The first and the last line, from 1; where there is none, both are the one before, or 1."""
_IN_THE_WAY: Final[dict[InTheWay, tuple[str, str]]] = {
    "file": ("is a file where a folder is needed", "move it away"),
    "link": ("is a symbolic link, which is not followed", "move it away"),
    "interrupted": ("is not complete: an earlier run was interrupted", "`tool create` or `tool undo` completes it"),
    "changed": ("was changed during the run", "run again"),
    "other": ("is not a file", "move it away"),
    "dangling": ("is a broken link", "remove it, or create its target"),
    "case": ("and `{}` differ only in case, which this disk does not tell apart", "move `{}` away, or rename it"),
    "config": ("already exists", "`--force` keeps it as a backup and writes a new one with its values"),
    "key": (
        "already has a configuration, in its key `tool`",
        "`--force` writes a new one, with its values, that is used",
    ),
}
"""What each thing in the way is, and what to do."""
_DISPUTES: Final[dict[Dispute, str]] = {
    "edited": "edited",
    "deleted": "edited, and no longer in the archive",
    "added": "added by both",
    "type": "of another type",
}
_OF_FILES: Final = "`--take-theirs PATTERN` and `--keep-mine PATTERN` decide about single files"
_RESTORING: Final = "`--force` restores what was there before that run and moves yours to `.tool/backup/`"
_OF_UNDO: Final = f"{_RESTORING}; `--mine` keeps yours; {_OF_FILES}"
_UNMERGEABLE: Final[dict[Unmergeable, str]] = {
    "touching": "the archive changed the same lines",
    "alike": "these lines stand in several places",
    "old git": "merging needs git 2.38 or later",
    "binary": "not text",
    "large": "too much to merge",
    "unkept": "the archive that it was built from is not kept",
    "their ends": "the archive changed its line ends alone",
    "your ends": "you changed its line ends alone",
    "ends": "it differs from the archive's in its line ends alone",
}
_OF_LINE_ENDS: Final[frozenset[Unmergeable]] = frozenset({"their ends", "your ends", "ends"})


class DisputedFile(Struct, frozen=True):
    """A file that both the user and the archive changed; the path is relative to the project."""

    path: str
    dispute: Dispute
    unmerged: Unmergeable | None = None
    """Why it was not merged, if that was tried."""
    lines: tuple[LineRange, ...] = ()
    """Where changes touch: the lines of the file that is there."""
    patch: str = ""
    """The patch that changes the file of the archive, if one does."""

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
    """A run would overwrite something that the tool did not write, or that you have changed. It changes nothing."""

    path: str
    disputed: tuple[DisputedFile, ...] = ()
    """The files that both sides changed, if it is a component."""
    reason: Literal["disputed"] | InTheWay = "disputed"
    undoing: bool = False
    """Whether a run is undone, so that what was there before it stands for the archive."""
    kind: Literal["", "theme", "module"] = ""
    """The kind of the component, if something is in the place of one that is to be built."""
    other: str = ""
    """What is there by a name that differs only in case."""
    flags: str = ""
    """The flags that build into the folder that a target folder leads to, if that is a link."""
    at = "path"
    inside = "project"

    @property
    def message(self) -> str:
        if self.reason != "disputed":
            return f"`{self.path}` {_IN_THE_WAY[self.reason][0].format(self.other)}"
        if self.undoing:
            changed = listed([each.path for each in self.disputed])
            return f"`{self.path}` was changed since the run that is undone: {changed}"
        if _are_added(self.disputed):
            which = f"`{self.path}` has files that no recorded run wrote, and that its archive changes"
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
        shows = Command(self.drop, self.output, self.named).line("diff", *(each.path for each in every))
        return _ways_out(disputed, shows)

    @property
    def advice(self) -> str:
        if self.shares_advice:
            return self.advice_on((self,))
        if self.reason == "disputed":
            return _OF_UNDO
        if self.undoing:
            return "put the folder of the component there again"
        if self.flags:
            return f"to build into the folder that it leads to, pass `{self.flags}`"
        advice = _IN_THE_WAY[self.reason][1].format(self.other or self.path)
        if self.reason == "link":
            advice += self._without()
        return advice

    def _without(self) -> str:
        """The flag that leaves a component out, so that the link in its place may stay; empty for another path."""
        if self.kind == "module":
            name = PurePath(self.path).name
            return f"; or leave the module out with `{adding('--exclude', name, self.lists_below)}`"
        if self.kind == "theme":
            return "; or build no theme, with `--theme=none`"
        return ""


def idle_pattern(flag: str, pattern: str) -> WarningDiagnostic:
    """A pattern of `--keep-mine` or `--take-theirs` matches files, and none of them is in conflict."""
    message = f"{flag}: no file that `{pattern}` matches is in conflict, so it decides nothing"
    advice = "leave it out; to go back to the archive's version of a file, delete the file and run again"
    return WarningDiagnostic("idle-pattern", message, advice)


def _in_conflict(disputed: tuple[DisputedFile, ...]) -> str:
    """List files in conflict, each with what was done to it, unless that is the same of all: added by both."""
    if _are_added(disputed):
        return listed([each.path for each in disputed])
    return listed([str(each) for each in disputed], mark="")


def _ways_out(disputed: Sequence[DisputedFile], diff: str) -> str:
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
        f"{shows}build with {merge}`{beside}--force` (build the archive's files, move {whose} to `.tool/backup/`) "
        f"or `{beside}--mine` (keep {whose}), for all components or for those that you name; {_OF_FILES}; "
        "`--keep-going` builds the other components"
    )


def _are_added(disputed: Sequence[DisputedFile]) -> bool:
    """Whether there is no record of the files, so that nobody can say who changed them."""
    return all(each.dispute == "added" for each in disputed)


ConflictError: TypeAlias = OutputConflict
