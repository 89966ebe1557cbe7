"""Undoable: the changes of a run that can be undone, all or for single
components (`docs/building.md`).
"""

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from pipeline.archives.entry_names import folders_above
from pipeline.archives.places import USUAL, Places
from pipeline.archives.versions import compare_versions
from pipeline.building.stores.changes import Change, Run, StoreEntry
from pipeline.building.stores.layout import BACKUPS, PATCH_MARKS, PATCH_SUFFIX
from pipeline.building.stores.record import (
    Files,
    FileState,
    Record,
    RecordedComponent,
    with_components,
)
from pipeline.values import replace


class Undoable(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Changes that can be undone, in order."""

    run: Run
    """The run that made the changes."""
    changes: tuple[Change, ...] = ()
    patches: tuple[Change, ...] = ()
    """The changes of patches, as changes of the folder `patches/`."""
    home: str = ""
    """The absolute path of the folder that `patches/` is in; empty if it is the project."""
    places: Places = USUAL
    """The folders that components go into."""
    made: tuple[str, ...] = ()
    """The folders of the project that the run made."""
    was_recorded: bool = True
    """Whether the record file existed before the run."""

    @property
    def moves(self) -> tuple[Change, ...]:
        """The changes of components whose files change."""
        return tuple(change for change in self.changes if change.has_files)

    @property
    def file_changes(self) -> tuple[Change, ...]:
        """All changes of files: the patches, then the components."""
        return (*self.patches, *self.moves)

    @property
    def paths(self) -> frozenset[str]:
        """The paths of the components that were changed, or whose patch was."""
        return frozenset(change.path for change in self.changes).union(
            *map(patched_components, self.patches)
        )

    def only(self, paths: Collection[str]) -> "Undoable":
        """The changes of these components alone."""
        changes = tuple(change for change in self.changes if change.path in paths)
        patches = list[Change]()
        for change in self.patches:
            part = _patches_of(change, paths)
            if part.before or part.after:
                patches.append(part)
        folders = folders_of(changes)
        made = tuple(folder for folder in self.made if folder in folders)
        return replace(self, changes=changes, patches=tuple(patches), made=made)

    def without(self, paths: Collection[str]) -> "Undoable | None":
        """The changes of all other components; `None` if there are none."""
        others = self.paths.difference(paths)
        if not others:
            return None
        return self.only(others)

    def joined(self, rest: "Undoable | None") -> "Undoable":
        """These changes with the rest of the run that made them, as one run."""
        if rest is None:
            return self
        return replace(
            rest,
            changes=(*self.changes, *rest.changes),
            patches=(*self.patches, *rest.patches),
            home=rest.home or self.home,
            made=tuple(sorted({*self.made, *rest.made})),
        )


def folders_of(changes: Collection[Change]) -> frozenset[str]:
    """The folders of a project that changes may have made."""
    folders = {BACKUPS}
    for change in changes:
        folders.update(folders_above(change.path))
    return frozenset(folders)


def patched_components(change: Change) -> frozenset[str]:
    """The paths of the components whose patches a change of `patches/` changes."""
    return frozenset(map(_component_of, {*change.differing}.difference(PATCH_MARKS)))


def _component_of(patch: str) -> str:
    return patch.removesuffix(PATCH_SUFFIX)


def _patches_of(change: Change, paths: Collection[str]) -> Change:
    """A change of `patches/`, limited to the patches of some components."""

    def those(files: Files) -> dict[str, FileState]:
        return {name: state for name, state in files.items() if _component_of(name) in paths}

    return replace(change, before=those(change.before), after=those(change.after))


def record_before(previous: Undoable, record: Record) -> Record:
    """The record as it was before the changes."""
    entries = {change.path: change.entry_before.recorded for change in previous.changes}
    return with_components(record, entries).within(previous.places)


def entries_before(previous: Undoable) -> Mapping[str, StoreEntry]:
    """The entries of each component before the changes, by path, which an undo restores."""
    return {change.path: change.entry_before for change in previous.changes}


def belongs_to(previous: Undoable, record: Record) -> bool:
    """Whether a run used the target folders of the record; a record without components has none."""
    return not record.components or previous.places == record.places


def archives_built_again(
    previous: Undoable, is_in_drop: Callable[[RecordedComponent], bool]
) -> tuple[str, ...]:
    """The archives in the drop that the next build would build again after the undo.

    An archive is not built again if the run changed no file, or if a newer version than the
    archive's comes back.
    """
    archives = list[str]()
    for change in previous.moves:
        undone = change.entry_after.recorded
        back = change.entry_before.recorded
        if undone is None or change.before == change.after or not is_in_drop(undone):
            continue
        is_newer = back is not None and compare_versions(undone.version, back.version) == "newer"
        stays = back and (back.source == undone.source or is_newer)
        if not stays:
            archives.append(undone.archive)
    return tuple(sorted(archives))
