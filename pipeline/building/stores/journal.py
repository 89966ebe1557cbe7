"""Journal: what a run is about to change, so that the next one can complete it if it is killed, and undo take it back.

`docs/building.md` has the rules.
"""

import re
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from toolz import isdistinct

from pipeline.archives.entry_names import folders_above
from pipeline.archives.places import USUAL, Places
from pipeline.archives.versions import compare_versions
from pipeline.building.stores.layout import BACKUPS, PATCH_MARKS, PATCH_SUFFIX, PATCHES
from pipeline.building.stores.record import FileState, Record, RecordedComponent, are_inside, digest_of, implied_folders
from pipeline.building.stores.sealed import unseal
from pipeline.building.stores.state import LastBuild, is_sound_build
from pipeline.values import replace

_BACKUP: Final = rf"{re.escape(BACKUPS)}/[0-9-]+"


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

    def without_bits(self) -> "Change":
        """The same with the files as they are read from a disk that keeps no executable bits."""
        before, after = (
            {name: replace(state, executable=False) for name, state in files.items()}
            for files in (self.before, self.after)
        )
        return replace(self, before=before, after=after)

    @property
    def undo(self) -> str:
        """The name there of the folder with the files that are replaced, as they were."""
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
        implied = implied_folders(self.after)
        files = {name for name, state in self.after.items() if state.kind != "folder"}
        first = list[FileMove]()
        added = list[FileMove]()
        changed = list[FileMove]()
        gone = list[FileMove]()
        for name in self.differing:
            current = self.before.get(name)
            wanted = self.after.get(name)
            if current and current.kind == "folder" and name in implied:
                continue  # something comes into an empty folder
            if current and wanted and "folder" not in {current.kind, wanted.kind}:
                changed.append(FileMove(name, current, wanted))
                continue
            if current:
                makes_way = wanted or name in implied or not files.isdisjoint(folders_above(name))
                (first if makes_way else gone).append(FileMove(name, current, None))
            if wanted:
                added.append(FileMove(name, None, wanted))
        version = [move for move in changed if move.name == self.marker]
        others = [move for move in changed if move.name != self.marker]
        if self.holds_back and self._is_raised:
            return (*version, *reversed(first), *added, *others, *reversed(gone))
        return (*reversed(first), *added, *others, *version, *reversed(gone))

    @property
    def _is_raised(self) -> bool:
        """Whether the version after the run is higher than before."""
        before = self.entry_before.recorded
        after = self.entry_after.recorded
        was = self.previous or (before.version if before else None)
        return after is not None and compare_versions(was, after.version) == "newer"


class Run(Struct, frozen=True, kw_only=True):
    """A run that changes the project, as `tool undo` and `tool log` need to know it."""

    id: str
    """No other run has it."""
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


class Journal(Struct, frozen=True, kw_only=True):
    """All changes of a run, in order; and the folder in the project for what goes to the backup."""

    run: Run
    changes: tuple[Change, ...]
    backup: str
    patches: Change | None = None
    """The patches that the run writes or removes, as files of the folder `patches/`, which is no component."""
    home: str = ""
    """The absolute path of the folder that `patches/` is in; empty if it is the project."""
    places: Places = USUAL
    """The folders that components go into."""
    made: tuple[str, ...] = ()
    """Folders of the project that the run makes."""
    unmade: tuple[str, ...] = ()
    """Folders that the run which is undone has made: they go if they are left empty."""
    was_recorded: bool = True
    """Whether there was a record before the run."""
    is_recorded: bool = True
    """Whether there is one after it, also if no component is left."""
    record: str = ""
    """The digest of the record after the run; empty if there is none."""

    @property
    def moves(self) -> tuple[Change, ...]:
        """The changes of which there is more than the record."""
        return tuple(change for change in self.changes if change.slot)

    @property
    def is_other_record(self) -> bool:
        """Whether the run changes what the record says."""
        return any(change.entry_before.recorded != change.entry_after.recorded for change in self.changes)

    @property
    def file_changes(self) -> tuple[Change, ...]:
        """Everything that is put in place, in order: the patches, then components."""
        return (*filter(None, (self.patches,)), *self.moves)

    @property
    def paths(self) -> frozenset[str]:
        """The paths of the components that it changes, or of which it writes the patch."""
        files = self.patches.differing if self.patches else ()
        patched = (name.removesuffix(PATCH_SUFFIX) for name in files if name not in PATCH_MARKS)
        return frozenset((*(change.path for change in self.changes), *patched))


def read_journal(data: bytes) -> Journal | None:
    """Decode a journal; `None` if it is damaged, or has a path that leads out of its component."""
    journal = unseal(data, Journal)
    if journal is None or not re.fullmatch(_BACKUP, journal.backup) or not journal.places.is_sound:
        return None
    changes = journal.changes
    above = {folder for change in changes for folder in folders_above(change.path)}
    is_sound = (
        isdistinct(each.path for each in changes)
        and isdistinct(each.slot for each in journal.file_changes)
        and all(_is_inside(change, journal.places) for change in changes)
        and (journal.patches is None or _has_patches(journal.patches, journal.places))
        and (not journal.home or PurePath(journal.home).is_absolute())
        and {*journal.made, *journal.unmade} <= {*above, BACKUPS}
    )
    return journal if is_sound else None


def _is_inside(change: Change, places: Places) -> bool:
    """Whether all paths of a change are in a component."""
    entries = (change.entry_before, change.entry_after)
    recorded = (name for each in entries if each.recorded for name in each.recorded.files)
    backup = change.aside.removesuffix(f"/{change.path}")
    return (
        all(is_sound_build(each.last) for each in entries if each.last)
        and (not change.slot or change.slot.isdecimal())
        and (not change.aside or (backup != change.aside and bool(re.fullmatch(_BACKUP, backup))))
        and places.holds(change.path)
        and are_inside((*change.backed_up, *change.before, *change.after, *recorded))
    )


def _has_patches(change: Change, places: Places) -> bool:
    """Whether all files of a change are patches of components, or what comes with them."""
    expected = Change(path=PATCHES, slot=change.slot, adds=change.adds, before=change.before, after=change.after)
    names = (name for name in {*change.before, *change.after} if name not in PATCH_MARKS)
    return (
        change == expected
        and change.slot.isdecimal()
        and all(name.endswith(PATCH_SUFFIX) and places.holds(name.removesuffix(PATCH_SUFFIX)) for name in names)
    )


def record_with(record: Record, journal: Journal) -> Record:
    """A record with what it says after the changes of a run."""
    return _with(record, {each.path: each.entry_after.recorded for each in journal.changes}).within(journal.places)


def leading_to(record: Record, journal: Journal) -> Journal:
    """A journal with the digest of the record after the run, which has none if that leaves none."""
    is_there = journal.is_recorded or record.components
    return replace(journal, record=digest_of(record) if is_there else "")


def record_before(previous: Journal, record: Record) -> Record:
    """The same with what it said before them."""
    return _with(record, {each.path: each.entry_before.recorded for each in previous.changes}).within(previous.places)


def _with(record: Record, entries: Mapping[str, RecordedComponent | None]) -> Record:
    components = {**record.components, **entries}
    return replace(record, components={path: each for path, each in components.items() if each})


def entries_before(previous: Journal) -> Mapping[str, Entry]:
    """What record and state say again of each component when a run is undone."""
    return {change.path: change.entry_before for change in previous.changes}


def is_written(journal: Journal, record: Record) -> bool:
    """Whether a record says what it is to say after the run of each component."""
    return all(record.components.get(each.path) == each.entry_after.recorded for each in journal.changes)


def needed_archives(journal: Journal, record: Record) -> set[str]:
    """The digests of archives and patches: of a record, the one after a run, and of the record before the run."""
    before = (each.entry_before.recorded for each in journal.changes)
    return {digest for each in (*record.components.values(), *before) if each for digest in each.kept}
