"""Journal: what a run is about to put in place, so that the next one can find out what a killed run has done.

Takes the previous record and the journal; gives the record of what is there. `docs/building.md` says when. The head
of `io_edges/building/swap.py` has the table of positions, and what is done in each.
"""

import re
from collections.abc import Collection, Iterable
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.entry_names import folders_above
from pipeline.building.layout import BACKUPS
from pipeline.building.places import USUAL, Places
from pipeline.building.record import FileState, Record, RecordedComponent, are_inside, is_sound
from pipeline.building.sealed import unseal
from pipeline.building.state import LastBuild, last_build
from pipeline.building.tree import Tree

_BACKUP: Final = re.compile(rf"{re.escape(BACKUPS)}/[0-9-]+")

Occupant: TypeAlias = Literal["new", "old", "other"] | None
"""Which folder is at a place: the one that the run made, the one that was there before, another, or none."""
Position: TypeAlias = Literal["before", "after", "doubt"]
"""How far a swap has come; the table is in `io_edges/building/swap.py`."""


class Swap(Struct, frozen=True, kw_only=True):
    """One component that is put in place, merged or removed."""

    path: str
    """Relative to the project: `modules/<name>`."""
    slot: str
    """The name in the staging folder of the folder that is not in place: first the new one, then the old one."""
    new: int | None = None
    """The inode of the new folder, which identifies it wherever it is; `None` if the component is removed."""
    old: int | None = None
    """The inode of the old folder; `None` if the component is added."""
    component: RecordedComponent | None = None
    """What the record will say about the component."""
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

    def without_bits(self) -> "Swap":
        """The same with the files as they are read from a disk that keeps no executable bits."""
        before, after = (
            {name: replace(state, executable=False) for name, state in files.items()}
            for files in (self.before, self.after)
        )
        return replace(self, before=before, after=after)

    @property
    def backup(self) -> str:
        """The name there of the folder with those files."""
        return f"{self.slot}.backup"

    @property
    def undo(self) -> str:
        """The name there of the folder with the files that are replaced one by one, as they were."""
        return f"{self.slot}.undo"


class Run(Struct, frozen=True, kw_only=True):
    """A run that changes the project, as `tool undo` and `tool log` need to know it."""

    id: str
    """No other run has it."""
    time: str
    """When it began, as ISO 8601 has it, in UTC."""
    command: tuple[str, ...]
    """The words of the command line."""
    before: Record | None = None
    """The record that was there; `None` if there was none."""
    last: dict[str, LastBuild] = {}
    """What was last written here of the components that it changes."""
    restores: dict[str, LastBuild | None] = {}
    """What the state says again of components if it undoes another run; `None` for those that were not there."""
    keeps: bool = True
    """Whether what it puts aside is kept."""
    undoes: bool = False
    """Whether it undoes another run: it is done as a whole, or not at all."""
    base: Record | None = None
    """The record without its swaps; `None` for the one that is there."""
    unrecords: bool = False
    """Whether there is no record any more if no component is left, as before the first run."""


class Journal(Struct, frozen=True, kw_only=True):
    """All swaps of a run, in order; and the folder in the project for what goes to the backup."""

    swaps: tuple[Swap, ...]
    backup: str
    places: Places = USUAL
    """The folders that components go into."""
    made: tuple[str, ...] = ()
    """Folders of the project that the run makes."""
    run: Run | None = None
    """What is to be known of the run later on; `None` for one of an earlier version."""

    @property
    def keeps(self) -> bool:
        """Whether what the run puts aside is kept."""
        return self.run is not None and self.run.keeps


def read_journal(data: bytes) -> Journal | None:
    """Decode a journal; `None` if it is damaged, or has a path that leads out of its component."""
    journal = unseal(data, Journal)
    if journal is None or not _BACKUP.fullmatch(journal.backup):
        return None
    above = {folder for swap in journal.swaps for folder in folders_above(swap.path)}
    sound = are_sound(journal.swaps, journal.places, journal.run)
    return journal if sound and set(journal.made) <= {*above, BACKUPS} else None


def are_sound(swaps: Collection[Swap], places: Places, run: Run | None) -> bool:
    """Whether no path of what a run does leads out of its component, and each component has one swap and one slot."""
    records = [each for each in (run.before, run.base) if each] if run else []
    sound = places.is_sound and all(map(is_sound, records))
    single = len({swap.path for swap in swaps}) == len({swap.slot for swap in swaps}) == len(swaps)
    return sound and single and all(_is_inside(swap, places, run, records) for swap in swaps)


def _is_inside(swap: Swap, places: Places, run: Run | None, records: Iterable[Record]) -> bool:
    """Whether all paths of a swap are in a component: of the folders after the run, or of those before it.

    The latter only if the component goes, or is left with files of the user by a run that undoes its addition.
    """
    may_go = swap.new is None or (run is not None and run.undoes)
    held = places.holds(swap.path) or (may_go and any(each.places.holds(swap.path) for each in records))
    named = (*swap.users, *swap.before, *swap.after, *(swap.component.files if swap.component else ()))
    return held and swap.slot.isdecimal() and are_inside(named)


def position(swap: Swap, place: Occupant, slot: Occupant) -> Position:
    """How far a swap has come, from what is in the component's place and in the staging folder."""
    if slot == "other":
        return "doubt"
    if slot == "old":
        put = None if swap.new is None else "new"
        return "after" if place == put else "before" if place is None else "doubt"
    is_removed = slot is None and place is None and swap.new is None
    return "after" if place == "new" or is_removed else "before"


def record_after(record: Record, journal: Journal, done: Collection[str]) -> Record:
    """The previous record, updated by the swaps that are done; `done` has their paths."""
    components = dict(record.components)
    for swap in journal.swaps:
        if swap.path in done:
            components.pop(swap.path, None)
            if swap.component:
                components[swap.path] = swap.component
    return Record(components).within(journal.places)


def settled_record(record: Record, journal: Journal, done: Collection[str]) -> Record | None:
    """The record once a killed run is completed; `None` if nothing of it is done, or not all of what undoes another."""
    run, base = journal.run, journal.run.base if journal.run else None
    if run and run.undoes and len(done) < len(journal.swaps):
        return None
    if journal.swaps:
        return record_after(base or record, journal, done) if done else None
    return record if base and base.components == record.components else None


def builds_after(journal: Journal, done: Collection[str]) -> dict[str, LastBuild | None]:
    """What the state says of a killed run that is completed; stat signatures are not known. `None` of what is gone."""
    run, swaps = journal.run, [swap for swap in journal.swaps if swap.path in done]
    if run is None or run.restores:
        return run.restores if run else {}
    return {
        swap.path: last_build(swap.component, *_left_by(swap), run.last.get(swap.path)) if swap.component else None
        for swap in swaps
    }


def _left_by(swap: Swap) -> tuple[Tree, Iterable[str]]:
    """What is there once a swap is done, and the files of the archive that were declined."""
    return Tree(swap.after), (name for name in swap.users if swap.after.get(name) == swap.before.get(name))
