"""Journal: what a run is about to change, so that the next one can complete it if it is killed, and undo take it back.

The head of `io_edges/building/transaction.py` has the table of positions, and what is done in each. `docs/building.md`
has the rules.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.entry_names import folders_above
from pipeline.building.files_merge import changed_since, fits
from pipeline.building.layout import BACKUPS, STAGING
from pipeline.building.record import Files, FileState, Record, RecordedComponent, are_alike, are_inside, digest_of
from pipeline.building.sealed import unseal
from pipeline.building.state import LastBuild, State, is_sound_build, state_with
from pipeline.building.target_folders import USUAL, Places
from pipeline.building.tree import Tree

_BACKUP: Final = re.compile(rf"{re.escape(BACKUPS)}/[0-9-]+")

Occupant: TypeAlias = Literal["new", "old", "other"] | None
"""Which folder is at a place: the one that the run made, the one that was there before, another, or none."""
Position: TypeAlias = Literal["before", "after", "doubt"]
"""How far a change has come; the table is in `io_edges/building/transaction.py`."""


class Staged(Struct, frozen=True):
    """A component as it will be once a killed run is completed, of which some files are still staged."""

    slot: str
    """The path in the project of the folder with these."""
    tree: Tree
    """All of its files."""
    names: frozenset[str]
    """Those that are staged."""


class Entry(Struct, frozen=True, omit_defaults=True):
    """What record and state say of a component."""

    recorded: RecordedComponent | None = None
    last: LastBuild | None = None


class Change(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One component that is put in place, merged or removed, or of which the record alone changes."""

    path: str
    """Relative to the project: `modules/<name>`."""
    slot: str = ""
    """The name in the staging folder of the folder that is not in place: first the new one, then the old one. Empty if
    the record alone changes."""
    new: int | None = None
    """The inode of the new folder, which identifies it wherever it is; `None` if the component is removed."""
    old: int | None = None
    """The inode of the old folder; `None` if the component is added."""
    said: Entry = Entry()
    """What record and state say before the run."""
    says: Entry = Entry()
    """What they will say."""
    before: dict[str, FileState] = {}
    """Every file of the old folder as it was when the plan was made."""
    after: dict[str, FileState] = {}
    """Every file of the new folder."""
    users: tuple[str, ...] = ()
    """The files that go to the backup."""
    merged: tuple[str, ...] = ()
    """The files that were merged by lines."""
    in_place: str = ""
    """Why files are replaced one by one; empty if the folders are exchanged."""

    def without_bits(self) -> "Change":
        """The same with the files as they are read from a disk that keeps no executable bits."""
        before, after = (
            {name: replace(state, executable=False) for name, state in files.items()}
            for files in (self.before, self.after)
        )
        return replace(self, before=before, after=after)

    @property
    def undo(self) -> str:
        """The name there of the folder with the files that are replaced one by one, as they were."""
        return f"{self.slot}.undo"

    @property
    def replaced(self) -> str:
        """The name there of the folder with what was replaced, once it is."""
        return self.undo if self.in_place else self.slot

    @property
    def differing(self) -> tuple[str, ...]:
        """The files that are not the same before and after."""
        names = {*self.before, *self.after}
        return tuple(sorted(name for name in names if self.before.get(name) != self.after.get(name)))

    def disputes(self, there: Files) -> bool:
        """Whether somebody has changed a file that is there which the run changes, too."""
        return not all(fits(name, self.before, self.after) for name in changed_since(self.before, there))

    def completed(self, there: Tree) -> Staged:
        """The component once the change is complete, given the files on disk.

        What was changed since the plan was made stays; what was deleted since stays away, unless the archive gives it.
        """
        given = self.says.recorded.files if self.says.recorded else {}
        files: dict[str, FileState] = {}
        names: set[str] = set()
        for name in {*there.files, *self.after}:
            state, before, after = there.files.get(name), self.before.get(name), self.after.get(name)
            is_staged = name in given and not (self.in_place and before == after)
            is_old = are_alike(state, before) or (state is None and is_staged)
            if after and state != after and is_old:
                files[name] = after
                names.add(name)
            elif state and (state == after or not is_old):
                files[name] = state
        signatures = {name: each for name, each in there.signatures.items() if name in files and name not in names}
        return Staged(f"{STAGING}/{self.slot}", Tree(files, signatures), frozenset(names))


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
    undoes: bool = False
    """Whether it undoes another run: it is done as a whole, or not at all."""


class Journal(Struct, frozen=True, kw_only=True):
    """All changes of a run, in order; and the folder in the project for what goes to the backup."""

    run: Run
    changes: tuple[Change, ...]
    backup: str
    places: Places = USUAL
    """The folders that components go into."""
    made: tuple[str, ...] = ()
    """Folders of the project that the run makes."""
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


def read_journal(data: bytes) -> Journal | None:
    """Decode a journal; `None` if it is damaged, or has a path that leads out of its component."""
    journal = unseal(data, Journal)
    if journal is None or not _BACKUP.fullmatch(journal.backup) or not journal.places.is_sound:
        return None
    above = {folder for change in journal.changes for folder in folders_above(change.path)}
    moves = journal.moves
    single = len({each.path for each in journal.changes}) == len(journal.changes)
    single = single and len({each.slot for each in moves}) == len(moves)
    sound = single and all(_is_inside(change, journal.places) for change in journal.changes)
    return journal if sound and set(journal.made) <= {*above, BACKUPS} else None


def _is_inside(change: Change, places: Places) -> bool:
    """Whether all paths of a change are in a component."""
    entries = (change.said, change.says)
    recorded = (name for each in entries if each.recorded for name in each.recorded.files)
    sound = all(is_sound_build(each.last) for each in entries if each.last)
    slot = not change.slot or change.slot.isdecimal()
    return (
        sound
        and slot
        and places.holds(change.path)
        and are_inside((*change.users, *change.before, *change.after, *recorded))
    )


def position(change: Change, place: Occupant, slot: Occupant) -> Position:
    """How far a change has come, from what is in the component's place and in the staging folder."""
    if slot == "other":
        return "doubt"
    if slot == "old":
        put = None if change.new is None else "new"
        return "after" if place == put else "before" if place is None else "doubt"
    is_removed = slot is None and place is None and change.new is None
    return "after" if place == "new" or is_removed else "before"


def record_with(record: Record, journal: Journal) -> Record:
    """A record with what it says after the changes of a run."""
    return _with(record, {each.path: each.says.recorded for each in journal.changes}).within(journal.places)


def leading_to(record: Record, journal: Journal) -> Journal:
    """A journal with the digest of the record after the run, which has none if that leaves none."""
    is_there = journal.is_recorded or record.components
    return replace(journal, record=digest_of(record) if is_there else "")


def record_before(previous: Journal, record: Record) -> Record:
    """The same with what it said before them."""
    return _with(record, {each.path: each.said.recorded for each in previous.changes}).within(previous.places)


def without_changes(record: Record, state: State, left_out: Iterable[Change]) -> tuple[Record, State]:
    """Record and state as they were before changes that are left out, where they say already what these lead to."""
    changes, recorded = tuple(left_out), record.components
    said = {each.path: each.said.recorded for each in changes if recorded.get(each.path) == each.says.recorded}
    left = {
        each.path: each.said.last
        for each in changes
        if (last := state.components.get(each.path)) and each.says.last and last.component == each.says.last.component
    }
    return _with(record, said), state_with(state, left)


def _with(record: Record, told: Mapping[str, RecordedComponent | None]) -> Record:
    others = {path: each for path, each in record.components.items() if path not in told}
    return replace(record, components={**others, **{path: each for path, each in told.items() if each}})


def taken_back(previous: Journal) -> Mapping[str, Entry]:
    """What record and state say again of each component when a run is undone."""
    return {change.path: _entry_before(change.said) for change in previous.changes}


def _entry_before(said: Entry) -> Entry:
    """Where the state did not know a component that the record had, the record stands in."""
    return replace(said, last=LastBuild(component=said.recorded)) if said.recorded and not said.last else said


def is_written(journal: Journal, record: Record) -> bool:
    """Whether a record says what it is to say after the run of each component."""
    return all(record.components.get(each.path) == each.says.recorded for each in journal.changes)


def needed_archives(journal: Journal, record: Record) -> set[str]:
    """The digests of archives and patches: of a record, the one after a run, and of the record before the run."""
    before: Iterable[RecordedComponent] = (each.said.recorded for each in journal.changes if each.said.recorded)
    return {digest for each in (*record.components.values(), *before) for digest in each.kept}
