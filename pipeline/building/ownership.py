"""Ownership: for each path of a component, whose version stands there after a run.

A three-way merge of whole files. The base is what the record says that the tool wrote, the disk is what is there, the
archive is what it gives. The executable bit is merged by itself: what the user set stays, else the archive's.

    the disk is the base, or what the archive gives      the archive's version
    the disk has nothing, and the base has something     the archive's version: a missing file is put back
    the archive gives the base, and the disk differs     the disk's version stays: edited, or added by someone
    all three differ, and the disk has something         a conflict, unless the system writes the file anew, or lines
                                                         can be merged (`text_merge`)

What operating systems leave behind is the user's, as no archive gives it. The rules are in `docs/building.md`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from msgspec.structs import replace
from toolz import concat

from pipeline.archives.entry_names import folders_above
from pipeline.building.fates import Difference, Fate, Merge, Winner
from pipeline.building.record import Files, FileState
from pipeline.report.diagnostics.conflicts import Dispute

_FOLDER: Final = FileState(kind="folder")


def merge_files(
    base: Files,
    disk: Files,
    archive: Files,
    wins: Winner = "nobody",
    is_rewritten: Callable[[str], bool] = lambda _: False,
) -> Merge:
    """Decide about every path of a component. Without a record the base is empty.

    What the system writes anew is no conflict: the archive's version is built, whoever wins. Of folders, `disk` and
    `archive` have those that are empty; the others are implied by what is in them.
    """
    if base == disk == archive:  # nearly always: cheaper than to compare path by path
        return Merge({name: Fate(result=disk[name], source="disk") for name in sorted(disk)}, disk)
    folders = _folders(disk)
    base, archive = _with_folders(base, folders), _with_folders(archive, folders)
    implied = implied_folders(disk) if _folders(archive) else set[str]()
    archive = {name: state for name, state in archive.items() if state.kind != "folder" or name not in implied}
    names = sorted({*base, *disk, *archive})
    fates = {
        name: _fate(base.get(name), disk.get(name), archive.get(name), "archive" if is_rewritten(name) else wins)
        for name in names
    }
    fates.update(_untangled(fates, base, wins))
    return Merge({name: fate for name, fate in fates.items() if fate != Fate() or name in disk}, disk)


def without_deleting(merged: Merge) -> Merge:
    """The same where nothing was written by the tool: what would be deleted goes to the backup."""
    return replace(merged, fates={name: _backed_up(name, fate, merged) for name, fate in merged.fates.items()})


def _backed_up(name: str, fate: Fate, merged: Merge) -> Fate:
    is_deleted = fate.result is None and name in merged.disk and merged.disk[name].kind != "folder"
    return replace(fate, backup=fate.backup or "disk") if is_deleted else fate


def leave(base: Files, disk: Files) -> Merge:
    """Decide for the disk everywhere: nothing is written, removed or put back."""
    written = {name: state for name, state in base.items() if name in disk}
    return merge_files(written, disk, written)


def replace_all(disk: Files, archive: Files, added: Collection[str]) -> Merge:
    """Decide for the archive everywhere: what differs goes to the backup; what was `added` stays where it can."""
    base = {name: state for name, state in disk.items() if name not in archive and name not in added}
    return without_deleting(merge_files(base, disk, archive, "archive"))


def retire(base: Files, disk: Files, mounts: Collection[str] = ()) -> Merge:
    """Decide about a component that is removed: what is not as recorded goes to the backup; what is mounted stays."""
    base = _with_folders(base, _folders(disk))
    fates = {name: Fate(backup=None if are_alike(disk[name], base.get(name)) else "disk") for name in sorted(disk)}
    for name in disk if mounts else ():
        if not {"", name, *folders_above(name)}.isdisjoint(mounts):
            fates[name] = Fate(result=disk[name], source="disk")
    return Merge(fates, disk)


def _folders(files: Files) -> set[str]:
    return {name for name, state in files.items() if state.kind == "folder"}


def implied_folders(files: Files) -> set[str]:
    """The folders that files are in."""
    return set(concat(map(folders_above, files)))


def _with_folders(files: Files, folders: Collection[str]) -> Files:
    """Files, and those of some folders that they imply."""
    return {**files, **dict.fromkeys(implied_folders(files).intersection(folders), _FOLDER)} if folders else files


def _fate(base: FileState | None, disk: FileState | None, archive: FileState | None, wins: Winner) -> Fate:
    stays = _with_bit(disk, base, disk, archive)
    if are_alike(disk, archive):
        return Fate(result=stays, source="disk")
    built = _with_bit(archive, base, disk, archive)
    if disk is None:
        return Fate(result=built, difference="restored" if base and archive else None)
    if are_alike(disk, base):
        return Fate(result=built)
    if are_alike(archive, base):
        added: Difference | None = None if disk.kind == "folder" else "added"
        return Fate(result=stays, source="disk", difference="edited" if base else added)
    if wins == "archive":
        return Fate(result=built, backup="disk")
    if wins == "disk":
        return Fate(
            result=stays,
            source="disk",
            difference="edited",
            backup="archive" if archive else None,
            is_declined=True,
        )
    return Fate(result=stays, source="disk", conflict=_dispute(base, disk, archive))


def _dispute(base: FileState | None, disk: FileState, archive: FileState | None) -> Dispute:
    """How two versions of a path stand against each other, of which neither is the base."""
    if archive is None:
        return "deleted"
    if archive.kind != disk.kind:
        return "type"
    return "edited" if base else "added"


def _with_bit(
    state: FileState | None, base: FileState | None, disk: FileState | None, archive: FileState | None
) -> FileState | None:
    """A version with the executable bit that it is to have."""
    if state is None or state.kind != "file":
        return state
    by_user = disk and base and disk.kind == base.kind == "file" and disk.executable != base.executable
    chosen = disk if by_user else archive
    is_changed = chosen and chosen.kind == "file" and chosen.executable != state.executable
    return replace(state, executable=not state.executable) if is_changed else state


def _untangled(fates: Mapping[str, Fate], base: Files, wins: Winner) -> Iterator[tuple[str, Fate]]:
    """Other fates for paths where one side has a file, and the other a folder with files in it."""
    for name, below in _tangles(fates).items():
        is_archives = fates[name].source == "archive"
        built, stays = ({name}, below) if is_archives else (below, {name})
        if all(are_alike(fates[each].result, base.get(each)) for each in built):
            yield from ((each, Fate(difference="edited")) for each in built)
        elif wins == "archive":
            yield from ((each, Fate(backup="disk")) for each in stays)
        else:
            lost = Fate(backup="archive", is_declined=True) if wins == "disk" else Fate(conflict="type")
            yield from ((each, lost) for each in built)


def _tangles(fates: Mapping[str, Fate]) -> dict[str, set[str]]:
    """Paths that are a file of one side, with the files of the other side that would be below them."""
    tangles: dict[str, set[str]] = defaultdict(set)
    if len({fate.source for fate in fates.values() if fate.result}) == 1:
        return tangles  # nearly always: cheaper than to look above every path
    for name, fate in fates.items():
        for above in folders_above(name) if fate.result else ():
            other = fates.get(above)
            if other and other.result and other.result.kind != "folder":
                tangles[above].add(name)
    return tangles


def are_alike(one: FileState | None, other: FileState | None) -> bool:
    """Whether two versions have the same content, whatever their executable bits."""
    if one is None or other is None:
        return one is other
    return (one.kind, one.digest, one.target) == (other.kind, other.digest, other.target)


def changed_since(planned: Files, current: Files) -> tuple[str, ...]:
    """The paths whose content is not as planned; a folder that was emptied since is no change."""
    planned = _with_folders(planned, _folders(current))
    return tuple(sorted(name for name, state in current.items() if not are_alike(state, planned.get(name))))


def fits(name: str, planned: Files, current: Files) -> bool:
    """Whether a file that was added, or changed since it was as planned, can be carried into the files of a run."""
    if name in planned or name in current:
        return are_alike(planned.get(name), current.get(name))
    files = (current.get(above) for above in folders_above(name))
    return all(file is None or file.kind == "folder" for file in files) and not any(
        other.startswith(f"{name}/") for other in current
    )
