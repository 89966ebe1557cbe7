"""Fates: what becomes of each path of a component, and whose version it is; `ownership` decides it."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from pipeline.building.record import Files, FileState
from pipeline.report.diagnostics.conflicts import Dispute

Winner: TypeAlias = Literal["nobody", "archive", "disk"]
"""Whose version of a conflict is built: the archive's with `--force`, the disk's with `--mine`."""
Difference: TypeAlias = Literal["edited", "added", "restored"]
"""How the disk's version that stays differs from the archive's; or that a missing file is put back."""


class Fate(Struct, frozen=True, kw_only=True, gc=False):
    """What becomes of one path."""

    result: FileState | None = None
    """What is there after the run."""
    source: Literal["archive", "disk", "merged"] = "archive"
    """Where the result comes from, as from both by lines. What is the same on both sides stays as on the disk."""
    difference: Difference | None = None
    conflict: Dispute | None = None
    backup: Literal["archive", "disk"] | None = None
    """Whose version goes to the backup."""
    is_declined: bool = False
    """Whether a conflict was decided for the disk."""


class Merge(Struct, frozen=True):
    """What becomes of every path of a component, and what is on the disk before."""

    fates: Mapping[str, Fate] = {}
    disk: Files = {}

    @property
    def outcome(self) -> dict[str, FileState]:
        """Every file that is there after the run."""
        return {name: fate.result for name, fate in self.fates.items() if fate.result}

    @property
    def written(self) -> tuple[str, ...]:
        """The paths that are written from the archive."""
        return tuple(name for name, fate in self.fates.items() if fate.result and fate.source == "archive")

    @property
    def merged(self) -> tuple[str, ...]:
        """The paths that are written with what was merged by lines."""
        return tuple(name for name, fate in self.fates.items() if fate.source == "merged")

    @property
    def carried(self) -> tuple[str, ...]:
        """The paths whose version on the disk stays."""
        return tuple(name for name, fate in self.fates.items() if fate.result and fate.source == "disk")

    @property
    def switched(self) -> tuple[str, ...]:
        """Those of them whose executable bit changes."""
        return tuple(name for name in self.carried if self.fates[name].result != self.disk[name])

    @property
    def removed(self) -> tuple[str, ...]:
        """The paths that are on the disk and go."""
        return tuple(name for name, fate in self.fates.items() if not fate.result and name in self.disk)

    @property
    def declined(self) -> tuple[str, ...]:
        """The paths of which the archive's version was declined."""
        return tuple(name for name, fate in self.fates.items() if fate.is_declined)

    @property
    def conflicts(self) -> dict[str, Dispute]:
        """The paths that neither side wins."""
        return {name: fate.conflict for name, fate in self.fates.items() if fate.conflict}

    @property
    def touched(self) -> frozenset[str]:
        """The paths that are written, switched or removed."""
        return frozenset((*self.written, *self.merged, *self.switched, *self.removed))

    @property
    def changed(self) -> tuple[str, ...]:
        """The files and links that are others after the run, or gone."""
        states = ((name, self.fates[name].result or self.disk[name]) for name in sorted(self.touched))
        return tuple(name for name, state in states if state.kind != "folder")

    @property
    def changes(self) -> bool:
        """Whether anything is written, removed or moved to the backup."""
        return bool(self.touched) or any(fate.backup for fate in self.fates.values())

    def differing(self, difference: Difference) -> tuple[str, ...]:
        """The paths with this difference."""
        return tuple(name for name, fate in self.fates.items() if fate.difference == difference)

    def backed_up(self, side: Literal["archive", "disk"]) -> tuple[str, ...]:
        """The paths whose version of this side goes to the backup."""
        return tuple(name for name, fate in self.fates.items() if fate.backup == side)
