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
        files = {**self.disk}
        for name, outcome in self.outcomes.items():
            files.pop(name, None)
            if outcome.result:
                files[name] = outcome.result
        return files

    @cached_property
    def _verdicts(self) -> frozenset[Verdict]:
        return frozenset(outcome.verdict for outcome in self.outcomes.values())

    def of(self, *verdicts: Verdict) -> tuple[str, ...]:
        """The paths with one of these verdicts."""
        if self._verdicts.isdisjoint(verdicts):
            return ()  # nearly always: cheaper than to look at every path
        return tuple(name for name, outcome in self.outcomes.items() if outcome.verdict in verdicts)

    @property
    def written(self) -> tuple[str, ...]:
        """The paths that are written from the archive."""
        return tuple(name for name in self.of(*_WRITTEN) if self.outcomes[name].result)

    @property
    def touched(self) -> frozenset[str]:
        """The paths that are not after the run as they are on the disk."""
        return frozenset(name for name, outcome in self.outcomes.items() if outcome.result != self.disk.get(name))

    @property
    def switched(self) -> tuple[str, ...]:
        """The paths whose version on the disk stays, with another executable bit."""
        others = {*self.of(*_WRITTEN, "merged"), *self.removed}
        return tuple(name for name in sorted(self.touched) if name not in others)

    @property
    def removed(self) -> tuple[str, ...]:
        """The paths that are on the disk and go."""
        return tuple(name for name, outcome in self.outcomes.items() if not outcome.result and name in self.disk)

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
        if name in self.base:
            return "edited"
        return "added"

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
        if outcomes[name].verdict in _WRITTEN:
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
    if len({outcome.verdict in _WRITTEN for outcome in there.values()}) == 1:
        return tangles  # nearly always: cheaper than to look above every path
    for name in there:
        for above in folders_above(name):
            other = outcomes.get(above)
            if other and other.result and other.result.kind != "folder":
                tangles[above].add(name)
    return tangles
