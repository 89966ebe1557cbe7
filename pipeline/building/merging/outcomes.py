"""Outcomes: the file that a run leaves at each path of a component, and why.

The base is what the tool wrote, the disk has the current file, and the archive has the new one;
each may lack the path. The rows are tested in order:

    verdict    when                                   the file after the run
    same       disk and archive are alike             the disk's
    restored   base and archive have it, the disk     the archive's
               does not
    updated    the disk is like the base, or has      the archive's; nothing if the archive removes
               nothing                                it
    edited     the archive is like the base, the      the disk's; nothing if a folder replaces it
               disk is not
    added      only the disk has it                   the disk's
    disputed   otherwise: all differ, or the disk's   the disk's, and the run stops
               is unread
    forced     as disputed, but the archive's is      the archive's, or nothing; the disk's goes to
               preferred                              the backup
    declined   as disputed, but the disk's is         the disk's; the archive's goes to the backup
               preferred
    merged     as disputed, but merged by lines       both (`text_merge`); the disk's goes to the
                                                      backup
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.building.stores.record import Files, FileState
from pipeline.report.diagnostics.conflicts import Dispute

Verdict: TypeAlias = Literal[
    "same", "updated", "restored", "edited", "added", "disputed", "forced", "declined", "merged"
]

WRITTEN: Final[frozenset[Verdict]] = frozenset({"updated", "restored", "forced"})
"""The verdicts by which the archive's version is built."""


class FileOutcome(Struct, frozen=True, gc=False):
    """The outcome of one path: the verdict, and the file after the run, `None` for no file."""

    verdict: Verdict
    result: FileState | None = None


class Merge(Struct, frozen=True, dict=True):
    """The outcomes of the paths of a component, and the three versions that decided them."""

    outcomes: Mapping[str, FileOutcome] = {}
    """The outcome of each path; a path on disk without one stays as it is, so there may be none."""
    disk: Files = {}
    """The files on disk before the run."""
    base: Files = {}
    """The files that the component on disk was made from."""
    archive: Files = {}
    """The files that the component is built of."""

    @property
    def files(self) -> dict[str, FileState]:
        """Every file on disk after the run."""
        if not self.outcomes:
            return {**self.disk}
        files = {**self.disk}
        for name, outcome in self.outcomes.items():
            files.pop(name, None)
            if outcome.result:
                files[name] = outcome.result
        return files

    @cached_property
    def _verdicts(self) -> frozenset[Verdict]:
        """All verdicts that any path has."""
        return frozenset(outcome.verdict for outcome in self.outcomes.values())

    def of(self, *verdicts: Verdict) -> tuple[str, ...]:
        """The paths with one of these verdicts."""
        # Nearly always, and cheaper than to look at every path.
        if self._verdicts.isdisjoint(verdicts):
            return ()
        return tuple(name for name, outcome in self.outcomes.items() if outcome.verdict in verdicts)

    @property
    def written(self) -> tuple[str, ...]:
        """The paths that are written from the archive."""
        return tuple(name for name in self.of(*WRITTEN) if self.outcomes[name].result)

    @property
    def touched(self) -> frozenset[str]:
        """The paths that the run changes on disk."""
        return frozenset(
            name for name, outcome in self.outcomes.items() if outcome.result != self.disk.get(name)
        )

    @property
    def switched(self) -> tuple[str, ...]:
        """The paths whose content stays and whose executable bit changes."""
        others = {*self.of(*WRITTEN, "merged"), *self.removed}
        return tuple(name for name in sorted(self.touched) if name not in others)

    @property
    def removed(self) -> tuple[str, ...]:
        """The paths that the run removes from the disk."""
        return tuple(
            name
            for name, outcome in self.outcomes.items()
            if not outcome.result and name in self.disk
        )

    @property
    def edited(self) -> tuple[str, ...]:
        """The paths that keep the user's edits, whole or in part, after the run."""
        whole = (name for name in self.of("declined") if self.outcomes[name].result)
        return (*self.of("edited", "merged"), *whole)

    @property
    def disputes(self) -> dict[str, Dispute]:
        """The disputed paths, each with how the two versions differ."""
        return {name: self._dispute(name) for name in self.of("disputed")}

    def _dispute(self, name: str) -> Dispute:
        """How the versions of a disputed path differ."""
        disk = self.disk.get(name)
        archive = self.archive.get(name)
        if archive is None:
            return "deleted"
        if disk is None or archive.kind != disk.kind:
            return "type"
        if name in self.base:
            return "edited"
        return "added"

    @property
    def changed(self) -> tuple[str, ...]:
        """The files and links that the run writes, changes or removes, without folders."""
        states = (
            (name, self.outcomes[name].result or self.disk[name]) for name in sorted(self.touched)
        )
        return tuple(name for name, state in states if state.kind != "folder")

    @property
    def gone(self) -> tuple[str, ...]:
        """The files and links that the run removes from the disk, without folders."""
        return tuple(name for name in self.removed if self.disk[name].kind != "folder")

    @property
    def replaced(self) -> tuple[str, ...]:
        """The files and links that the run replaces after it moves them to the backup."""
        return tuple(
            name for name in self.of("forced") if name in self.disk and self.outcomes[name].result
        )

    @property
    def untouched(self) -> tuple[str, ...]:
        """The files and links on disk that stay as they are."""
        stay = sorted(self.disk.keys() - self.touched)
        return tuple(name for name in stay if self.disk[name].kind != "folder")

    @property
    def backed_up(self) -> tuple[str, ...]:
        """The paths whose version on disk goes to the backup."""
        return self.of("forced", "merged")

    @property
    def archive_backed_up(self) -> tuple[str, ...]:
        """The paths whose version in the archive goes to the backup."""
        return tuple(name for name in self.of("declined") if name in self.archive)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is written, removed or moved to the backup."""
        return not (self.touched or self.backed_up or self.archive_backed_up)
