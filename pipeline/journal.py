"""Journal: what a run is about to put in place, so that the next one can tell what a killed run has done.

Takes the record of before and the journal; gives the record of what is there. `docs/building.md` says when.
"""

import re
from collections.abc import Collection
from typing import Final

from msgspec import Struct

from pipeline.record import FileState, Record, RecordedComponent, is_component
from pipeline.sealed import unseal

STAGING: Final = ".tool-staging"
"""The folder in the project for what is not yet, or not any more, in its place."""
JOURNAL_FILE: Final = "journal.json"
PLAN_FILE: Final = "plan.json"
"""What hook scripts are told of the plan."""
BACKUPS: Final = ".tool-backup"

_MADE: Final = frozenset({"themes", "modules", BACKUPS})
_BACKUP: Final = re.compile(rf"{re.escape(BACKUPS)}/[0-9-]+")


class Swap(Struct, frozen=True, kw_only=True):
    """One component that is put in its place, or taken away."""

    path: str
    """In the project: `modules/<name>`."""
    number: int | None = None
    """The inode of the new folder, by which it is known again wherever it stands; none if one is taken away."""
    replaces: bool = False
    """Whether a folder stands there before."""
    component: RecordedComponent | None = None
    """What the record will say."""
    seen: dict[str, FileState] = {}
    """Every file of the old folder as it was when the plan was made."""
    users: tuple[str, ...] = ()
    """Those of them that are the user's, which go to the backup."""

    slot: str
    """The name in the staging folder of what is not in its place: first the new folder, then the old."""

    @property
    def aside(self) -> str:
        """The name there of the old folder, halfway through an exchange that takes three renames."""
        return f"{self.slot}~"


class Journal(Struct, frozen=True, kw_only=True):
    """All swaps of a run, in order; and the folder in the project where the user's files go."""

    swaps: tuple[Swap, ...]
    backup: str
    made: tuple[str, ...] = ()
    """Folders of the project that are made for it."""


def read_journal(data: bytes) -> Journal | None:
    """Decode a journal; nothing if it was damaged, or has a path that leads out of its component."""
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
    """The record of before with the swaps that are done, by their paths."""
    components = dict(record.components)
    for swap in journal.swaps:
        if swap.path in done:
            components.pop(swap.path, None)
            if swap.component:
                components[swap.path] = swap.component
    return Record(components)
