"""Changes: what a run does to each component, so that it can be completed, taken back, or undone later."""

import shlex
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.entry_names import folders_above
from pipeline.archives.versions import compare_versions
from pipeline.building.stores.record import (
    Files,
    FileState,
    RecordedComponent,
    implied_folders,
    version_of,
    without_folders,
)
from pipeline.building.stores.state import LastBuild
from pipeline.values import replace

RunKind: TypeAlias = Literal["build", "undo", "redo", "patch"]
"""What a run does: build, take back what another did, take back an undo, or save edits as patches."""
RUN_KINDS: Final[tuple[RunKind, ...]] = ("build", "undo", "redo", "patch")


class Entry(Struct, frozen=True, omit_defaults=True):
    """What record and state say of a component."""

    recorded: RecordedComponent | None = None
    last: LastBuild | None = None


class FileMove(Struct, frozen=True):
    """One file that is put in place, replaced or removed."""

    name: str
    """Its path in the component."""
    current: FileState | None
    """What is there before; `None` for nothing."""
    wanted: FileState | None
    """What is there afterwards."""

    @property
    def back(self) -> "FileMove":
        """The same in the other direction."""
        return FileMove(self.name, self.wanted, self.current)


class Change(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One component that is put in place, merged or removed, or of which the record alone changes."""

    path: str
    """Relative to the project: `modules/<name>`."""
    slot: str = ""
    """The name in the staging folder of the folder with the new files. Empty if the record alone changes."""
    adds: bool = False
    """Whether the component was not there."""
    removes: bool = False
    """Whether it is not there afterwards, unless somebody has added something to it."""
    entry_before: Entry = Entry()
    """What record and state say before the run."""
    entry_after: Entry = Entry()
    """What they will say."""
    before: dict[str, FileState] = {}
    """Every file of it as it was when the plan was made."""
    after: dict[str, FileState] = {}
    """Every file of it afterwards."""
    backed_up: tuple[str, ...] = ()
    """The files that go to the backup."""
    merged: tuple[str, ...] = ()
    """The files that were merged by lines."""
    marker: str = ""
    """The file that says the version; empty if none does."""
    holds_back: bool = False
    """Whether its system leaves it out as soon as it says a higher version."""
    previous: str = ""
    """The version that was there, if no run had built it; empty if there was none."""
    aside: str = ""
    """The folder in the project to which an earlier run moved files unread; empty if none of them comes back."""
    backup: str = ""
    """The folder to which this run moves such files; empty until it is kept for `tool undo`."""

    def without_bits(self) -> "Change":
        """The same with the files as they are read from a disk that keeps no executable bits."""
        return replace(self, before=_without_bits(self.before), after=_without_bits(self.after))

    @property
    def replaced_slot(self) -> str:
        """The name in the staging folder of the folder with the files that the run replaces."""
        return f"{self.slot}.undo"

    @property
    def differing(self) -> tuple[str, ...]:
        """The files that are not the same before and after."""
        names = {*self.before, *self.after}
        return tuple(sorted(name for name in names if self.before.get(name) != self.after.get(name)))

    @property
    def file_moves(self) -> tuple[FileMove, ...]:
        """What is done file by file, in order, so that a component never reads as the new version before it is whole.

        First goes what is in the way of a file or folder that comes, then comes what is added, then what changes,
        the marker last, and then goes the rest. Where the system would leave the new version out, the marker comes
        before everything else, so that the system leaves out what is not whole as well.
        """
        if not self.before:  # as in every first build, and there are thousands of files
            return tuple(FileMove(name, None, wanted) for name, wanted in sorted(self.after.items()))
        implied = implied_folders(self.after)
        files = without_folders(self.after).keys()
        first = list[FileMove]()
        added = list[FileMove]()
        changed = list[FileMove]()
        version = list[FileMove]()
        last = list[FileMove]()
        for name in self.differing:
            current = self.before.get(name)
            wanted = self.after.get(name)
            if current and current.kind == "folder" and name in implied:
                continue  # something comes into an empty folder
            if current and wanted and "folder" not in {current.kind, wanted.kind}:
                move = FileMove(name, current, wanted)
                if name == self.marker:
                    version.append(move)
                else:
                    changed.append(move)
                continue
            if current:
                makes_way = wanted or name in implied or not files.isdisjoint(folders_above(name))
                if makes_way:
                    first.append(FileMove(name, current, None))
                else:
                    last.append(FileMove(name, current, None))
            if wanted:
                added.append(FileMove(name, None, wanted))
        if self.holds_back and self._is_raised:
            return (*version, *reversed(first), *added, *changed, *reversed(last))
        return (*reversed(first), *added, *changed, *version, *reversed(last))

    @property
    def _is_raised(self) -> bool:
        """Whether the version after the run is higher than before."""
        before = self.entry_before.recorded
        after = self.entry_after.recorded
        was = self.previous or version_of(before)
        return after is not None and compare_versions(was, after.version) == "newer"


def _without_bits(files: Files) -> dict[str, FileState]:
    """Files none of which is executable."""
    return {name: replace(state, executable=False) for name, state in files.items()}


class Run(Struct, frozen=True, kw_only=True):
    """A run that changes the project, as `tool undo` and `tool log` need to know it."""

    id: str
    """A unique name of the run."""
    time: str
    """When it began, as ISO 8601 has it, in UTC."""
    command: tuple[str, ...]
    """The words of the command line."""
    keeps: bool = True
    """Whether what it replaces is kept."""
    limit: int | None = None
    """How many bytes of archives are kept; `None` for all."""
    kind: RunKind = "build"

    @property
    def words(self) -> str:
        """How messages name it."""
        return f"`{shlex.join(self.command)}` of {self.time}"
