"""Files merge: for each path of a component, what stands there after a run, and why: a three-way merge of whole files.

The base is what the tool wrote, the disk has the current file, the archive has its own; each has a version or none. The
verdicts are in `outcomes.py`.

Two versions are alike if they have the same content. The executable bit is merged by itself: what the user set stays,
else the archive's. Where one side has a file and the other a folder with files in it, the side that did not change
gives way. What operating systems leave behind is the user's, as no archive gives it. The rules are in
`docs/building.md`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from pipeline.archives.entry_names import folders_above
from pipeline.building.merging.outcomes import WRITTEN, FileOutcome, Merge, Verdict
from pipeline.building.merging.preference import Preferred
from pipeline.building.stores.record import Files, FileState, are_alike, implied_folders, is_unread
from pipeline.values import replace

_FOLDER: Final = FileState(kind="folder")
_SILENT: Final = frozenset({"same", "updated"})
_STAYS: Final[dict[Preferred, Verdict]] = {"mine": "declined", "nobody": "disputed"}


def merge_files(
    base: Files,
    disk: Files,
    archive: Files,
    prefer: Callable[[str], Preferred] = lambda _: "nobody",
) -> Merge:
    """Decide about every path of a component; `prefer` says whose version of a disputed one is built.

    Without a record the base is empty. Of folders, `disk` and `archive` have those that are empty; the others are
    implied by what is in them.
    """
    if base == disk == archive:  # nearly always: cheaper than to compare path by path
        return Merge({}, disk, base, archive)
    folders = _folders(disk)
    base = _with_folders(base, folders)
    archive = _with_folders(archive, folders)
    implied = _folders(archive).intersection(implied_folders(disk))
    archive = {name: state for name, state in archive.items() if name not in implied}
    outcomes = dict[str, FileOutcome]()
    for name in sorted({*base, *disk, *archive}):
        outcomes[name] = _outcome(base.get(name), disk.get(name), archive.get(name), partial(prefer, name))
    outcomes.update(_untangled(outcomes, base, prefer))
    if implied:  # what empties a folder leaves it, if the archive has it empty
        remaining = implied_folders(name for name, outcome in outcomes.items() if outcome.result)
        outcomes |= dict.fromkeys(implied - remaining, FileOutcome("updated", _FOLDER))
    for name, outcome in tuple(outcomes.items()):
        if outcome.verdict in _SILENT and not outcome.result and name not in disk:
            del outcomes[name]
    return Merge(outcomes, disk, base, archive)


def replace_all(
    disk: Files, archive: Files, added: Collection[str], named: Callable[[str], Preferred] = lambda _: "nobody"
) -> Merge:
    """Decide for the archive: what differs goes to the backup; what was `added` stays where it can.

    `named` says whose version of a file is built, if somebody has named it.
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
    """Decide about a component that is removed: what is not as recorded goes to the backup; what is mounted stays."""
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
    """The paths whose content is not as planned; a folder that was emptied since is no change."""
    planned = _with_folders(planned, _folders(current))
    return tuple(sorted(name for name, state in current.items() if not are_alike(state, planned.get(name))))


def _folders(files: Files) -> set[str]:
    return {name for name, state in files.items() if state.kind == "folder"}


def _with_folders(files: Files, folders: Collection[str]) -> Files:
    """Files, and those of some folders that they imply."""
    if not folders:
        return files
    return {**files, **dict.fromkeys(implied_folders(files).intersection(folders), _FOLDER)}


def _outcome(
    base: FileState | None, disk: FileState | None, archive: FileState | None, prefer: Callable[[], Preferred]
) -> FileOutcome:
    stays = _with_bit(disk, base, disk, archive)
    built = _with_bit(archive, base, disk, archive)
    if are_alike(disk, archive):
        return FileOutcome("same", stays)
    if base and disk is None:
        return FileOutcome("restored", built)
    if disk is None or are_alike(disk, base):
        return FileOutcome("updated", built)
    if are_alike(archive, base) and not (archive and is_unread(disk)):
        return FileOutcome(_unchanged_by_archive(base, disk), stays)
    preferred = prefer()
    if preferred == "theirs":
        return FileOutcome("forced", built)
    return FileOutcome(_STAYS[preferred], stays)


def _unchanged_by_archive(base: FileState | None, disk: FileState) -> Verdict:
    """The verdict on what the user alone has changed; an empty folder that nobody has built is nothing to tell."""
    if base:
        return "edited"
    if disk.kind == "folder":
        return "same"
    return "added"


def _with_bit(
    state: FileState | None, base: FileState | None, disk: FileState | None, archive: FileState | None
) -> FileState | None:
    """A version with the executable bit that it is to have."""
    if state is None or state.kind != "file":
        return state
    by_user = disk and base and disk.kind == base.kind == "file" and disk.executable != base.executable
    chosen = archive
    if by_user:
        chosen = disk
    if chosen and chosen.kind == "file" and chosen.executable != state.executable:
        return replace(state, executable=chosen.executable)
    return state


def _untangled(
    outcomes: Mapping[str, FileOutcome], base: Files, prefer: Callable[[str], Preferred]
) -> Iterator[tuple[str, FileOutcome]]:
    """Other outcomes for paths where one side has a file, and the other a folder with files in it."""
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
    """What is preferred of paths of which one side has only the first, and the other side only the others."""
    named = {*preferred} - {"nobody"}
    if len(named) == 1:
        return named.pop()
    return "nobody"


def _tangles(outcomes: Mapping[str, FileOutcome]) -> dict[str, set[str]]:
    """Paths that are a file of one side, with the files of the other side that would be below them."""
    tangles: dict[str, set[str]] = defaultdict(set)
    there = {name: outcome for name, outcome in outcomes.items() if outcome.result}
    if len({outcome.verdict in WRITTEN for outcome in there.values()}) == 1:
        return tangles  # nearly always: cheaper than to look above every path
    for name in there:
        for above in folders_above(name):
            other = outcomes.get(above)
            if other and other.result and other.result.kind != "folder":
                tangles[above].add(name)
    return tangles
