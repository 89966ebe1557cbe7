"""Files merge: for each path of a component, what stands there after a run, and why: a three-way merge of whole files.

The base is what the tool wrote, the disk has the current file, the archive has its own; each has a version or none.

    verdict    when                                           result
    same       disk and archive are alike                     the disk's
    restored   the disk has nothing, base and archive have    the archive's
    updated    the disk has the base, or nothing              the archive's, or nothing: the file is removed
    edited     the archive has the base, the disk another     the disk's; nothing, if a folder has taken its place
    added      neither base nor archive have it               the disk's
    disputed   all three differ, or the disk's is unread      the disk's, and the run stops
    forced     the same, and the archive's is preferred       the archive's, or nothing; the disk's goes to the backup
    declined   the same, and the disk's is preferred          the disk's; the archive's goes to the backup
    merged     the same, put together by lines                both; the disk's goes to the backup (`text_merge`)

Two versions are alike if they have the same content. The executable bit is merged by itself: what the user set stays,
else the archive's. Where one side has a file and the other a folder with files in it, the side that did not change
gives way. What operating systems leave behind is the user's, as no archive gives it. The rules are in
`docs/building.md`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pipeline.archives.entry_names import folders_above
from pipeline.building.merging.preference import Preferred
from pipeline.building.stores.record import Files, FileState, are_alike, implied_folders, is_unread
from pipeline.report.diagnostics.conflicts import Dispute
from pipeline.values import replace

Verdict: TypeAlias = Literal[
    "same", "updated", "restored", "edited", "added", "disputed", "forced", "declined", "merged"
]

_FOLDER: Final = FileState(kind="folder")
_WRITTEN: Final[frozenset[Verdict]] = frozenset({"updated", "restored", "forced"})
_SILENT: Final = frozenset({"same", "updated"})
_STAYS: Final[dict[Preferred, Verdict]] = {"mine": "declined", "nobody": "disputed"}


class FileOutcome(Struct, frozen=True, gc=False):
    """The result for one path: why, and the file after the run."""

    verdict: Verdict
    result: FileState | None = None


class Merge(Struct, frozen=True, dict=True):
    """What becomes of the paths of a component, and the three versions that decided it."""

    outcomes: Mapping[str, FileOutcome] = {}
    """Of a component in which nothing differs there are none: what is on the disk and has none stays."""
    disk: Files = {}
    base: Files = {}
    archive: Files = {}

    @property
    def files(self) -> dict[str, FileState]:
        """Every file that is there after the run."""
        if not self.outcomes:
            return {**self.disk}
        stays = {name: state for name, state in self.disk.items() if name not in self.outcomes}
        return stays | {name: each.result for name, each in self.outcomes.items() if each.result}

    @cached_property
    def _verdicts(self) -> frozenset[Verdict]:
        return frozenset(each.verdict for each in self.outcomes.values())

    def of(self, *verdicts: Verdict) -> tuple[str, ...]:
        """The paths with one of these verdicts."""
        if self._verdicts.isdisjoint(verdicts):
            return ()  # nearly always: cheaper than to look at every path
        return tuple(name for name, each in self.outcomes.items() if each.verdict in verdicts)

    @property
    def written(self) -> tuple[str, ...]:
        """The paths that are written from the archive."""
        return tuple(name for name in self.of(*_WRITTEN) if self.outcomes[name].result)

    @property
    def touched(self) -> frozenset[str]:
        """The paths that are not after the run as they are on the disk."""
        return frozenset(name for name, each in self.outcomes.items() if each.result != self.disk.get(name))

    @property
    def switched(self) -> tuple[str, ...]:
        """The paths whose version on the disk stays, with another executable bit."""
        others = {*self.of(*_WRITTEN, "merged"), *self.removed}
        return tuple(name for name in sorted(self.touched) if name not in others)

    @property
    def removed(self) -> tuple[str, ...]:
        """The paths that are on the disk and go."""
        return tuple(name for name, each in self.outcomes.items() if not each.result and name in self.disk)

    @property
    def edited(self) -> tuple[str, ...]:
        """The paths of which the user's version, or a part of it, is not the archive's after the run."""
        whole = (name for name in self.of("declined") if self.outcomes[name].result)
        return (*self.of("edited", "merged"), *whole)

    @property
    def disputes(self) -> dict[str, Dispute]:
        """The paths that are disputed, and how the versions stand against each other, of which none is the base."""
        return {name: self._dispute(name) for name in self.of("disputed")}

    def _dispute(self, name: str) -> Dispute:
        disk = self.disk.get(name)
        archive = self.archive.get(name)
        if archive is None:
            return "deleted"
        if disk is None or archive.kind != disk.kind:
            return "type"
        return "edited" if name in self.base else "added"

    @property
    def changed(self) -> tuple[str, ...]:
        """The files and links that are others after the run, or gone."""
        states = ((name, self.outcomes[name].result or self.disk[name]) for name in sorted(self.touched))
        return tuple(name for name, state in states if state.kind != "folder")

    @property
    def gone(self) -> tuple[str, ...]:
        """Those of them that are gone."""
        return tuple(name for name in self.removed if self.disk[name].kind != "folder")

    @property
    def replaced(self) -> tuple[str, ...]:
        """The files and links whose version on the disk goes to the backup, and another takes its place."""
        return tuple(name for name in self.of("forced") if name in self.disk and self.outcomes[name].result)

    @property
    def untouched(self) -> tuple[str, ...]:
        """The files and links on the disk that stay as they are."""
        stay = sorted(self.disk.keys() - self.touched)
        return tuple(name for name in stay if self.disk[name].kind != "folder")

    @property
    def backed_up(self) -> tuple[str, ...]:
        """The paths whose version on the disk goes to the backup."""
        return self.of("forced", "merged")

    @property
    def archive_backed_up(self) -> tuple[str, ...]:
        """The paths whose version in the archive goes to the backup."""
        return tuple(name for name in self.of("declined") if name in self.archive)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is written, removed or moved to the backup."""
        return not (self.touched or self.backed_up or self.archive_backed_up)


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
    outcomes = {
        name: _outcome(base.get(name), disk.get(name), archive.get(name), partial(prefer, name))
        for name in sorted({*base, *disk, *archive})
    }
    outcomes.update(_untangled(outcomes, base, prefer))
    if implied:  # what empties a folder leaves it, if the archive has it empty
        remaining = implied_folders({name: each.result for name, each in outcomes.items() if each.result})
        outcomes.update((name, FileOutcome("updated", _FOLDER)) for name in implied - remaining)
    reported = {
        name: each for name, each in outcomes.items() if name in disk or each.result or each.verdict not in _SILENT
    }
    return Merge(reported, disk, base, archive)


def replace_all(
    disk: Files, archive: Files, added: Collection[str], named: Callable[[str], Preferred] = lambda _: "nobody"
) -> Merge:
    """Decide for the archive: what differs goes to the backup; what was `added` stays where it can.

    `named` says whose version of a file is built, if somebody has named it.
    """
    others = {name: state for name, state in disk.items() if name not in archive and state.kind != "folder"}
    stay = {name: state for name, state in others.items() if named(name) == "mine"}
    go = {name for name in others if named(name) == "theirs"}
    base = {name: disk[name] for name in disk.keys() - archive.keys() - (set(added) - go) - stay.keys()}

    def preferred(name: str) -> Preferred:
        if named(name) == "mine":
            return "mine"
        return "theirs"

    merged = merge_files(base, disk, archive, preferred)
    saved = {name: FileOutcome("forced") for name in merged.gone}
    remaining = merged.files
    declined = {name: FileOutcome("declined", state) for name, state in stay.items() if remaining.get(name) == state}
    return replace(merged, outcomes={**merged.outcomes, **saved, **declined})


def retire(base: Files, disk: Files, mounts: Collection[str] = ()) -> Merge:
    """Decide about a component that is removed: what is not as recorded goes to the backup; what is mounted stays."""
    base = _with_folders(base, _folders(disk))
    outcomes = {
        name: FileOutcome("updated" if are_alike(disk[name], base.get(name)) else "forced") for name in sorted(disk)
    }
    for name in disk if mounts else ():
        if not {"", name, *folders_above(name)}.isdisjoint(mounts):
            outcomes[name] = FileOutcome("same", disk[name])
    return Merge(outcomes, disk, base)


def changed_since(planned: Files, current: Files) -> tuple[str, ...]:
    """The paths whose content is not as planned; a folder that was emptied since is no change."""
    planned = _with_folders(planned, _folders(current))
    return tuple(sorted(name for name, state in current.items() if not are_alike(state, planned.get(name))))


def _folders(files: Files) -> set[str]:
    return {name for name, state in files.items() if state.kind == "folder"}


def _with_folders(files: Files, folders: Collection[str]) -> Files:
    """Files, and those of some folders that they imply."""
    return {**files, **dict.fromkeys(implied_folders(files).intersection(folders), _FOLDER)} if folders else files


def _outcome(
    base: FileState | None, disk: FileState | None, archive: FileState | None, prefer: Callable[[], Preferred]
) -> FileOutcome:
    stays, built = (_with_bit(each, base, disk, archive) for each in (disk, archive))
    if are_alike(disk, archive):
        return FileOutcome("same", stays)
    if disk is None or are_alike(disk, base):
        return FileOutcome("restored" if base and not disk else "updated", built)
    if are_alike(archive, base) and not (archive and is_unread(disk)):
        return FileOutcome("edited" if base else "same" if disk.kind == "folder" else "added", stays)
    preferred = prefer()
    return FileOutcome("forced", built) if preferred == "theirs" else FileOutcome(_STAYS[preferred], stays)


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


def _untangled(
    outcomes: Mapping[str, FileOutcome], base: Files, prefer: Callable[[str], Preferred]
) -> Iterator[tuple[str, FileOutcome]]:
    """Other outcomes for paths where one side has a file, and the other a folder with files in it."""
    for name, below in _tangles(outcomes).items():
        built, stays = ({name}, below) if outcomes[name].verdict in _WRITTEN else (below, {name})
        if all(are_alike(outcomes[each].result, base.get(each)) for each in built):
            yield from ((each, FileOutcome("edited")) for each in built)
        elif (preferred := _agreed(map(prefer, (name, *below)))) == "theirs":
            yield from ((each, FileOutcome("forced")) for each in stays)
        else:
            yield from ((each, FileOutcome(_STAYS[preferred])) for each in built)


def _agreed(preferred: Iterable[Preferred]) -> Preferred:
    """What is preferred of paths of which one side has only the first, and the other side only the others."""
    named = {*preferred} - {"nobody"}
    return named.pop() if len(named) == 1 else "nobody"


def _tangles(outcomes: Mapping[str, FileOutcome]) -> dict[str, set[str]]:
    """Paths that are a file of one side, with the files of the other side that would be below them."""
    tangles: dict[str, set[str]] = defaultdict(set)
    if len({each.verdict in _WRITTEN for each in outcomes.values() if each.result}) == 1:
        return tangles  # nearly always: cheaper than to look above every path
    for name, each in outcomes.items():
        for above in folders_above(name) if each.result else ():
            other = outcomes.get(above)
            if other and other.result and other.result.kind != "folder":
                tangles[above].add(name)
    return tangles
