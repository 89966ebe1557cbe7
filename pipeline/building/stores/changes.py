"""Changes: what a run changes in each component, so that the run can be completed, rolled
back or undone.
"""

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
"""What a run does: build, undo another run, redo an undone run, or save edits as patches."""
RUN_KINDS: Final[tuple[RunKind, ...]] = ("build", "undo", "redo", "patch")


class StoreEntry(Struct, frozen=True, omit_defaults=True):
    """A component's entries in the record and the state; `None` where it has none."""

    recorded: RecordedComponent | None = None
    last: LastBuild | None = None


class FileMove(Struct, frozen=True):
    """One file that is added, replaced or removed."""

    name: str
    """The path of the file in the component."""
    current: FileState | None
    """The file before the move; `None` for none."""
    wanted: FileState | None
    """The file after the move; `None` for none."""

    @property
    def back(self) -> "FileMove":
        """The move in the other direction."""
        return FileMove(self.name, self.wanted, self.current)


class Change(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The change of one component: it is added, updated or removed, or only its record
    entry changes.
    """

    path: str
    """The path of the component, relative to the project: `modules/<name>`."""
    slot: str = ""
    """The number that names the folder with the new files in the staging folder; empty if no
    file changes.
    """
    adds: bool = False
    """Whether the component is new."""
    removes: bool = False
    """Whether the component is removed; files that somebody added while the run works may stay."""
    entry_before: StoreEntry = StoreEntry()
    """The entries of the component before the run."""
    entry_after: StoreEntry = StoreEntry()
    """The entries of the component after the run."""
    before: dict[str, FileState] = {}
    """Every file of the component when the plan was made."""
    after: dict[str, FileState] = {}
    """Every file of the component after the run."""
    backed_up: tuple[str, ...] = ()
    """The files that go to the backup."""
    merged: tuple[str, ...] = ()
    """The files that were merged by lines."""
    marker: str = ""
    """The marker, which states the version, as a path in the component; empty if there is none."""
    holds_back: bool = False
    """Whether the system stops loading the component as soon as its marker states a
    higher version.
    """
    previous: str = ""
    """The version on disk before the run, if no run had built it; else empty."""
    aside: str = ""
    """The folder in the project from which an undo restores unreadable files; empty if
    there are none.
    """
    backup: str = ""
    """The folder in the project to which this run moves unreadable files; empty before the
    run is kept.
    """

    @property
    def has_files(self) -> bool:
        """Whether files of the component change, so that the change has a slot; else only
        its entries do.
        """
        return bool(self.slot)

    def without_bits(self) -> "Change":
        """The change as it reads on a disk that keeps no executable bits."""
        return replace(self, before=_without_bits(self.before), after=_without_bits(self.after))

    @property
    def replaced_slot(self) -> str:
        """The name in the staging folder of the folder with the files that the run replaces."""
        return f"{self.slot}.undo"

    @property
    def differing(self) -> tuple[str, ...]:
        """The files that differ before and after the run."""
        names = {*self.before, *self.after}
        return tuple(
            sorted(name for name in names if self.before.get(name) != self.after.get(name))
        )

    @property
    def file_moves(self) -> tuple[FileMove, ...]:
        """The moves of single files, in an order in which a component states the new version only
        when it is complete.

        Files in the way of new files or folders are removed first. Then files are added, then
        changed, the marker last, and the other files are removed at the end. If the system stops
        loading the new version, the marker comes first of all, so that the system does not load an
        incomplete component either.
        """
        if not self.before:  # as in every first build, and there are thousands of files
            return tuple(
                FileMove(name, None, wanted) for name, wanted in sorted(self.after.items())
            )
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
        """Whether the run raises the version."""
        before = self.entry_before.recorded
        after = self.entry_after.recorded
        was = self.previous or version_of(before)
        return after is not None and compare_versions(was, after.version) == "newer"


def _without_bits(files: Files) -> dict[str, FileState]:
    """The files without executable bits."""
    return {name: replace(state, executable=False) for name, state in files.items()}


class Run(Struct, frozen=True, kw_only=True):
    """A run that changes the project, with what `tool undo` and `tool log` need."""

    id: str
    """A unique name of the run."""
    time: str
    """The time at which the run began, in UTC, as ISO 8601 writes it."""
    command: tuple[str, ...]
    """The words of the command line."""
    keeps: bool = True
    """Whether the run keeps the files that it replaces."""
    limit: int | None = None
    """The most bytes of archives to keep; `None` for no limit."""
    kind: RunKind = "build"

    @property
    def words(self) -> str:
        """The name of the run in messages: its command and time."""
        return f"`{shlex.join(self.command)}` of {self.time}"
