"""Files merge: a three-way merge of whole files, which decides the outcome of each path of
a component.

The base is what the tool wrote, the disk has the current file, and the archive has the new one;
each may lack the path. `outcomes.py` lists the verdicts.

Two versions are alike if they have the same content. The executable bit is merged separately: a bit
that the user set stays, else the archive's is used. If one side has a file and the other a folder
with files, the side that did not change gives way. Files that operating systems leave behind count
as the user's, because no archive has them. The rules are in `docs/building.md`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from pipeline.archives.entry_names import folders_above
from pipeline.building.merging.outcomes import WRITTEN, FileOutcome, Merge, Verdict
from pipeline.building.merging.preference import Preferred
from pipeline.building.stores.record import Files, FileState, are_alike, implied_folders, is_denied
from pipeline.values import replace

_FOLDER: Final = FileState(kind="folder")
_SILENT: Final = frozenset({"same", "updated"})
"""Verdicts that are left out for a path that exists nowhere."""
_STAYS: Final[dict[Preferred, Verdict]] = {"mine": "declined", "nobody": "disputed"}
"""The verdict on a disputed path that stays as it is on disk, by whose version is preferred."""


def merge_files(
    base: Files,
    disk: Files,
    archive: Files,
    prefer: Callable[[str], Preferred] = lambda _: "nobody",
) -> Merge:
    """Decide the outcome of every path of a component (`docs/building.md`, "Whose file is it").

    `prefer` says whose version of a disputed file is built. The base is empty if nothing is
    recorded. `disk` and `archive` list only empty folders; files imply the others.
    """
    # Nearly always, and cheaper than to compare path by path.
    if base == disk == archive:
        return Merge({}, disk, base, archive)
    folders = _folders(disk)
    base = _with_folders(base, folders)
    archive = _with_folders(archive, folders)
    implied = _folders(archive).intersection(implied_folders(disk))
    archive = {name: state for name, state in archive.items() if name not in implied}
    outcomes = dict[str, FileOutcome]()
    for name in sorted({*base, *disk, *archive}):
        outcomes[name] = _outcome(
            base=base.get(name),
            disk=disk.get(name),
            archive=archive.get(name),
            prefer=partial(prefer, name),
        )
    outcomes.update(_untangled(outcomes, base, prefer))
    # A folder that loses all its files stays if the archive has it empty.
    if implied:
        remaining = implied_folders(name for name, outcome in outcomes.items() if outcome.result)
        outcomes |= dict.fromkeys(implied - remaining, FileOutcome("updated", _FOLDER))
    for name, outcome in tuple(outcomes.items()):
        if outcome.verdict in _SILENT and not outcome.result and name not in disk:
            del outcomes[name]
    return Merge(outcomes, disk, base, archive)


def replace_all(
    disk: Files,
    archive: Files,
    added: Collection[str],
    named: Callable[[str], Preferred] = lambda _: "nobody",
) -> Merge:
    """Decide the outcomes if the archive is built whole: files that differ from it go to the
    backup, and `added` files stay unless they are in the way.

    `named` says whose version a pattern prefers for a file.
    """
    base = dict[str, FileState]()
    stay = dict[str, FileState]()
    for name in disk.keys() - archive.keys():
        state = disk[name]
        preferred = named(name)
        if state.kind != "folder" and preferred == "mine":
            stay[name] = state
        elif name not in added or (state.kind != "folder" and preferred == "theirs"):
            base[name] = state

    def prefer(name: str) -> Preferred:
        if named(name) == "mine":
            return "mine"
        return "theirs"

    merged = merge_files(base, disk, archive, prefer)
    gone = dict.fromkeys(merged.gone, FileOutcome("forced"))
    declined = {name: FileOutcome("declined", state) for name, state in stay.items()}
    return replace(merged, outcomes={**merged.outcomes, **gone, **declined})


def retire(base: Files, disk: Files, mounts: Collection[str] = ()) -> Merge:
    """Decide the outcomes if a component is removed: files that are not as recorded go to the
    backup, and mount points stay.
    """
    base = _with_folders(base, _folders(disk))
    outcomes = dict[str, FileOutcome]()
    for name in sorted(disk):
        state = disk[name]
        if mounts and not {"", name, *folders_above(name)}.isdisjoint(mounts):
            outcomes[name] = FileOutcome("same", state)
        elif are_alike(state, base.get(name)):
            outcomes[name] = FileOutcome("updated")
        else:
            outcomes[name] = FileOutcome("forced")
    return Merge(outcomes, disk, base)


def changed_since(planned: Files, current: Files) -> tuple[str, ...]:
    """The paths whose content has changed since the plan; a folder that was emptied
    does not count.
    """
    planned = _with_folders(planned, _folders(current))
    return tuple(
        sorted(name for name, state in current.items() if not are_alike(state, planned.get(name)))
    )


def _folders(files: Files) -> set[str]:
    """The paths of the empty folders."""
    return {name for name, state in files.items() if state.kind == "folder"}


def _with_folders(files: Files, folders: Collection[str]) -> Files:
    """The files, and those of the given folders that have a file of these below them."""
    if not folders:
        return files
    return {**files, **dict.fromkeys(implied_folders(files).intersection(folders), _FOLDER)}


def _outcome(
    *,
    base: FileState | None,
    disk: FileState | None,
    archive: FileState | None,
    prefer: Callable[[], Preferred],
) -> FileOutcome:
    """The outcome of a path, given its three versions, by the first row of `outcomes.py`
    that applies.
    """
    executable = _merged_bit(base=base, disk=disk, archive=archive)
    stays = _with_bit(disk, executable)
    built = _with_bit(archive, executable)
    if are_alike(disk, archive):
        return FileOutcome("same", stays)
    if base and disk is None:
        return FileOutcome("restored", built)
    if disk is None or are_alike(disk, base):
        return FileOutcome("updated", built)
    if are_alike(archive, base) and not (archive and is_denied(disk)):
        return FileOutcome(_unchanged_by_archive(base, disk), stays)
    preferred = prefer()
    if preferred == "theirs":
        return FileOutcome("forced", built)
    return FileOutcome(_STAYS[preferred], stays)


def _unchanged_by_archive(base: FileState | None, disk: FileState) -> Verdict:
    """The verdict on a path that only the user changed. An empty folder that no run built is the
    same, so that it is not reported.
    """
    if base:
        return "edited"
    if disk.kind == "folder":
        return "same"
    return "added"


def _merged_bit(
    *, base: FileState | None, disk: FileState | None, archive: FileState | None
) -> bool | None:
    """The executable bit of a path: the user's if the user changed it, else the archive's; `None`
    if the archive has no file there.
    """
    if disk and base and disk.kind == base.kind == "file" and disk.executable != base.executable:
        return disk.executable
    if archive and archive.kind == "file":
        return archive.executable
    return None


def _with_bit(state: FileState | None, executable: bool | None) -> FileState | None:
    """A version of a path with this executable bit, if it is a file; `None` leaves its own bit."""
    if state is None or state.kind != "file":
        return state
    if executable is None or executable == state.executable:
        return state
    return replace(state, executable=executable)


def _untangled(
    outcomes: Mapping[str, FileOutcome], base: Files, prefer: Callable[[str], Preferred]
) -> Iterator[tuple[str, FileOutcome]]:
    """The outcomes of paths at which one side has a file, and the other a folder with files."""
    for name, below in _tangles(outcomes).items():
        built = below
        stays = {name}
        if outcomes[name].verdict in WRITTEN:
            built = {name}
            stays = below
        if all(are_alike(outcomes[path].result, base.get(path)) for path in built):
            yield from dict.fromkeys(built, FileOutcome("edited")).items()
            continue
        preferred = _agreed(map(prefer, (name, *below)))
        if preferred == "theirs":
            yield from dict.fromkeys(stays, FileOutcome("forced")).items()
        else:
            yield from dict.fromkeys(built, FileOutcome(_STAYS[preferred])).items()


def _agreed(preferred: Iterable[Preferred]) -> Preferred:
    """The preference for a file and for the folder in its place; `nobody` if the preferences for
    their paths contradict each other.
    """
    named = {*preferred} - {"nobody"}
    if len(named) == 1:
        return named.pop()
    return "nobody"


def _tangles(outcomes: Mapping[str, FileOutcome]) -> dict[str, set[str]]:
    """The paths that are a file on one side, each with the files of the other side that would be
    below it.
    """
    tangles: dict[str, set[str]] = defaultdict(set)
    there = {name: outcome for name, outcome in outcomes.items() if outcome.result}
    # Nearly always, and cheaper than to look above every path.
    if len({outcome.verdict in WRITTEN for outcome in there.values()}) == 1:
        return tangles
    for name in there:
        for above in folders_above(name):
            other = outcomes.get(above)
            if other and other.result and other.result.kind != "folder":
                tangles[above].add(name)
    return tangles
