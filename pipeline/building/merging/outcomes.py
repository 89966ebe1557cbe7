"""Outcomes: what becomes of each path of a component, and why.

The base is what the tool wrote, the disk has the current file, the archive has its own; each has a version or none.

    verdict    when                                           result
    same       disk and archive are alike                     the disk's
    restored   the disk has nothing, base and archive have    the archive's
    updated    the disk has the base, or nothing              the archive's, or nothing: the file is removed
    edited     the archive has the base, the disk another     the disk's; nothing, if a folder has taken its place
    added      neither base nor archive have it               the disk's
    disputed   all three differ, or the disk's is unread      the disk's, and the run stops
    forced     the same, and the archive's is preferred       the archive's, or nothing; the disk's goes to the backup
    declined   the same, and the disk's is preferred          the disk's; the archive's goes to the backup
    merged     the same, put together by lines                both; the disk's goes to the backup (`text_merge`)
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
    """The result for one path: why, and the file after the run."""

    verdict: Verdict
    result: FileState | None = None


class Merge(Struct, frozen=True, dict=True):
    """What becomes of the paths of a component, and the three versions that decided it."""

    outcomes: Mapping[str, FileOutcome] = {}
    """Of a component in which nothing differs there are none: what is on the disk and has none stays."""
    disk: Files = {}
    base: Files = {}
    archive: Files = {}

    @property
    def files(self) -> dict[str, FileState]:
        """Every file that is there after the run."""
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
        return frozenset(outcome.verdict for outcome in self.outcomes.values())

    def of(self, *verdicts: Verdict) -> tuple[str, ...]:
        """The paths with one of these verdicts."""
        if self._verdicts.isdisjoint(verdicts):
            return ()  # nearly always: cheaper than to look at every path
        return tuple(name for name, outcome in self.outcomes.items() if outcome.verdict in verdicts)

    @property
    def written(self) -> tuple[str, ...]:
        """The paths that are written from the archive."""
        return tuple(name for name in self.of(*WRITTEN) if self.outcomes[name].result)

    @property
    def touched(self) -> frozenset[str]:
        """The paths that are not after the run as they are on the disk."""
        return frozenset(name for name, outcome in self.outcomes.items() if outcome.result != self.disk.get(name))

    @property
    def switched(self) -> tuple[str, ...]:
        """The paths whose version on the disk stays, with another executable bit."""
        others = {*self.of(*WRITTEN, "merged"), *self.removed}
        return tuple(name for name in sorted(self.touched) if name not in others)

    @property
    def removed(self) -> tuple[str, ...]:
        """The paths that are on the disk and go."""
        return tuple(name for name, outcome in self.outcomes.items() if not outcome.result and name in self.disk)

    @property
    def edited(self) -> tuple[str, ...]:
        """The paths of which the user's version, or a part of it, is not the archive's after the run."""
        whole = (name for name in self.of("declined") if self.outcomes[name].result)
        return (*self.of("edited", "merged"), *whole)

    @property
    def disputes(self) -> dict[str, Dispute]:
        """The paths that are disputed, and how the versions stand against each other, of which none is the base."""
        return {name: self._dispute(name) for name in self.of("disputed")}

    def _dispute(self, name: str) -> Dispute:
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
        """The files and links that are not after the run as they are on disk, or are gone."""
        states = ((name, self.outcomes[name].result or self.disk[name]) for name in sorted(self.touched))
        return tuple(name for name, state in states if state.kind != "folder")

    @property
    def gone(self) -> tuple[str, ...]:
        """The files and links that are on disk, and are not there after the run."""
        return tuple(name for name in self.removed if self.disk[name].kind != "folder")

    @property
    def replaced(self) -> tuple[str, ...]:
        """The files and links whose version on the disk goes to the backup, and another takes its place."""
        return tuple(name for name in self.of("forced") if name in self.disk and self.outcomes[name].result)

    @property
    def untouched(self) -> tuple[str, ...]:
        """The files and links on the disk that stay as they are."""
        stay = sorted(self.disk.keys() - self.touched)
        return tuple(name for name in stay if self.disk[name].kind != "folder")

    @property
    def backed_up(self) -> tuple[str, ...]:
        """The paths whose version on the disk goes to the backup."""
        return self.of("forced", "merged")

    @property
    def archive_backed_up(self) -> tuple[str, ...]:
        """The paths whose version in the archive goes to the backup."""
        return tuple(name for name in self.of("declined") if name in self.archive)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is written, removed or moved to the backup."""
        return not (self.touched or self.backed_up or self.archive_backed_up)
