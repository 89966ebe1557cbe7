"""Journal: what a run is about to put in place, so that the next one can find out what a killed run has done.

Takes the previous record and the journal; gives the record of what is there. `docs/building.md` says when.
"""

import re
from collections.abc import Collection
from typing import Final

from msgspec import Struct

from pipeline.building.layout import BACKUPS
from pipeline.building.record import FileState, Record, RecordedComponent, is_component
from pipeline.building.sealed import unseal

_MADE: Final = frozenset({"themes", "modules", BACKUPS})
_BACKUP: Final = re.compile(rf"{re.escape(BACKUPS)}/[0-9-]+")


class Swap(Struct, frozen=True, kw_only=True):
    """One component that is put in place or removed."""

    path: str
    """Relative to the project: `modules/<name>`."""
    inode: int | None = None
    """The inode of the new folder, which identifies it wherever it is; `None` if the component is removed."""
    replaces: bool = False
    """Whether there is an old folder."""
    component: RecordedComponent | None = None
    """What the record will say about the component."""
    seen: dict[str, FileState] = {}
    """Every file of the old folder as it was when the plan was made."""
    users: tuple[str, ...] = ()
    """Those of them that are the user's, which go to the backup."""

    slot: str
    """The name in the staging folder of the folder that is not in place: first the new one, then the old one."""

    @property
    def aside(self) -> str:
        """The name there of the old folder, halfway through an exchange by three renames."""
        return f"{self.slot}~"


class Journal(Struct, frozen=True, kw_only=True):
    """All swaps of a run, in order; and the folder in the project where the user's files go."""

    swaps: tuple[Swap, ...]
    backup: str
    made: tuple[str, ...] = ()
    """Folders of the project that the run makes."""


def read_journal(data: bytes) -> Journal | None:
    """Decode a journal; `None` if it is damaged, or has a path that leads out of its component."""
    journal = unseal(data, Journal)
    if journal is None or not _BACKUP.fullmatch(journal.backup):
        return None
    inside = all(
        is_component(swap.path) and swap.slot.isdecimal() and not any(map(_climbs, (*swap.users, *swap.seen)))
        for swap in journal.swaps
    )
    return journal if inside and set(journal.made) <= _MADE else None


def _climbs(name: str) -> bool:
    return not {"", ".", ".."}.isdisjoint(name.split("/"))


def settled(record: Record, journal: Journal, done: Collection[str]) -> Record:
    """The previous record, updated by the swaps that are done; `done` has their paths."""
    components = dict(record.components)
    for swap in journal.swaps:
        if swap.path in done:
            components.pop(swap.path, None)
            if swap.component:
                components[swap.path] = swap.component
    return Record(components)
