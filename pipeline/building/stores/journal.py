"""Journal: what a run is about to change, so that the next run can complete it, and `tool undo` can
take it back.

The rules are in `docs/building.md`.
"""

import re
from pathlib import PurePath
from typing import Final

from msgspec import Struct
from toolz import concat, isdistinct

from pipeline.archives.places import USUAL, Places
from pipeline.building.stores.changes import Change, Run, RunKind
from pipeline.building.stores.layout import BACKUPS, PATCH_MARKS, PATCH_SUFFIX, PATCHES
from pipeline.building.stores.record import Record, are_inside, digest_of, with_components
from pipeline.building.stores.sealed import unseal
from pipeline.building.stores.state import is_sound_build
from pipeline.building.stores.undoable import Undoable, folders_of
from pipeline.values import replace

_BACKUP: Final = rf"{re.escape(BACKUPS)}/[0-9-]+"
_LONGEST_SLOT: Final = 9


class Journal(Struct, frozen=True, kw_only=True):
    """All changes of a run, in order."""

    run: Run
    changes: tuple[Change, ...]
    backup: str
    patches: Change | None = None
    """The patches that the run writes or removes, as a change of the folder `patches/`; `None`
    without any.
    """
    home: str = ""
    """The absolute path of the folder that `patches/` is in; empty if it is the project."""
    places: Places = USUAL
    """The folders that components go into."""
    made: tuple[str, ...] = ()
    """The folders of the project that the run makes."""
    unmade: tuple[str, ...] = ()
    """The folders that the undone run made; they are removed if they are empty."""
    was_recorded: bool = True
    """Whether the record file existed before the run."""
    is_recorded: bool = True
    """Whether the record file exists after the run, even without components."""
    record: str = ""
    """The digest of the record after the run; empty if there is none."""
    rest: Undoable | None = None
    """The rest of an earlier run that can still be undone, if this run undoes or redoes
    a part of it.
    """

    @property
    def moves(self) -> tuple[Change, ...]:
        """The changes of components whose files change."""
        return tuple(change for change in self.changes if change.has_files)

    @property
    def is_other_record(self) -> bool:
        """Whether the run changes the record."""
        return any(
            change.entry_before.recorded != change.entry_after.recorded for change in self.changes
        )

    @property
    def file_changes(self) -> tuple[Change, ...]:
        """All changes of files, in order: the patches, then the components."""
        return (*filter(None, (self.patches,)), *self.moves)

    @property
    def paths(self) -> frozenset[str]:
        """The paths of the components that the run changes, or whose patch it writes."""
        return self.own.paths

    @property
    def own(self) -> Undoable:
        """The undoable changes of this run alone, without the rest of an earlier one."""
        changes = (
            replace(change, backup=f"{self.backup}/{change.path}") for change in self.changes
        )
        return Undoable(
            run=self.run,
            changes=tuple(changes),
            patches=tuple(filter(None, (self.patches,))),
            home=self.home,
            places=self.places,
            made=self.made,
            was_recorded=self.was_recorded,
        )

    def taken_back_by(self, kind: RunKind) -> Undoable | None:
        """The changes that `tool undo` or `tool redo` takes back; `None` if there are none.

        `tool redo` takes back an undo; `tool undo` takes back everything else that is
        left of a run.
        """
        is_undo = self.run.kind == "undo"
        if kind == "redo" and is_undo:
            return self.own
        if kind == "redo":
            return None
        if is_undo:
            return self.rest
        return self.own.joined(self.rest)


def read_journal(data: bytes) -> Journal | None:
    """Decode a journal; `None` if it is damaged, or has a path that leads out of its component."""
    journal = unseal(data, Journal)
    if journal is None or not _is_whole(journal):
        return None
    return journal


def _is_whole(journal: Journal) -> bool:
    """Whether every path of a journal is possible and occurs once."""
    if not re.fullmatch(_BACKUP, journal.backup) or not journal.places.is_sound:
        return False
    own = journal.own
    every = own.joined(journal.rest)
    if not isdistinct(change.path for change in every.changes):
        return False
    if not isdistinct(change.slot for change in every.file_changes):
        return False
    if journal.rest and not _is_sound(journal.rest, journal.places):
        return False
    return _is_sound(own, journal.places) and folders_of(own.changes).issuperset(journal.unmade)


def _is_sound(undoable: Undoable, places: Places) -> bool:
    """Whether all paths are within components or the folder of patches."""
    return (
        undoable.places == places
        and all(_is_inside(change, places) for change in undoable.changes)
        and all(_has_patches(change, places) for change in undoable.patches)
        and (not undoable.home or PurePath(undoable.home).is_absolute())
        and folders_of(undoable.changes).issuperset(undoable.made)
    )


def _is_inside(change: Change, places: Places) -> bool:
    """Whether all paths of a change are within its component."""
    names = [*change.backed_up, *change.before, *change.after]
    for entry in (change.entry_before, change.entry_after):
        if entry.recorded:
            names += entry.recorded.files
        if entry.last and not is_sound_build(entry.last):
            return False
    for folder in filter(None, (change.aside, change.backup)):
        if not _is_backup(folder, change.path):
            return False
    if change.has_files and not _is_slot(change.slot):
        return False
    return places.holds(change.path) and are_inside(names)


def _is_slot(name: str) -> bool:
    return name.isdecimal() and len(name) <= _LONGEST_SLOT


def _is_backup(folder: str, path: str) -> bool:
    """Whether a folder is a component's folder in a backup."""
    backup = folder.removesuffix(f"/{path}")
    return backup != folder and bool(re.fullmatch(_BACKUP, backup))


def _has_patches(change: Change, places: Places) -> bool:
    """Whether all files of a change are patches of components, or the files that
    accompany patches.
    """
    expected = Change(
        path=PATCHES, slot=change.slot, adds=change.adds, before=change.before, after=change.after
    )
    if change != expected or not _is_slot(change.slot):
        return False
    patches = {*change.before, *change.after}.difference(PATCH_MARKS)
    return all(_is_patch(name, places) for name in patches)


def _is_patch(name: str, places: Places) -> bool:
    """Whether a path below `patches/` belongs to the patch of a component."""
    return name.endswith(PATCH_SUFFIX) and places.holds(name.removesuffix(PATCH_SUFFIX))


def record_with(record: Record, journal: Journal) -> Record:
    """The record after the changes of a run."""
    entries = {change.path: change.entry_after.recorded for change in journal.changes}
    return with_components(record, entries).within(journal.places)


def leading_to(record: Record, journal: Journal) -> Journal:
    """The journal with the digest of the record after the run; empty if the run
    leaves no record.
    """
    digest = ""
    if journal.is_recorded or record.components:
        digest = digest_of(record)
    return replace(journal, record=digest)


def is_written(journal: Journal, record: Record) -> bool:
    """Whether a record has the entries that a run leaves."""
    return all(
        record.components.get(change.path) == change.entry_after.recorded
        for change in journal.changes
    )


def needed_archives(journal: Journal, record: Record) -> set[str]:
    """The digests of the archives and patches that the record needs, and that an undo of the
    run would need.
    """
    components = [*record.components.values()]
    changes = journal.changes
    if journal.rest:
        changes += journal.rest.changes
    for change in changes:
        if change.entry_before.recorded:
            components.append(change.entry_before.recorded)
    return set(concat(component.kept for component in components))
