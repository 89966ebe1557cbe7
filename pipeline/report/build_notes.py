"""Notes on choosing and building components, as facts: see `notes`."""

from typing import Literal, TypeAlias

from msgspec import Struct

from pipeline.report.source import Source


class NothingToBuild(Struct, frozen=True, tag="nothing-to-build"):
    """The drop has no archive, or none is selected."""

    drop: str
    archives: int


UnusedKind: TypeAlias = Literal["other format", "unfinished", "unpacked", "folder", "broken link", "deeper"]
"""Why something in the drop is not read: it is an archive of another format, a download that has not finished, an
unpacked component, a folder or a link to nothing that is called like an archive, or a folder of archives."""


class UnusedFiles(Struct, frozen=True, tag="unused-files"):
    """Something in the drop that is not read, though it looks as if it were meant to be."""

    drop: str
    kind: UnusedKind
    names: tuple[str, ...]
    """Paths relative to the drop."""


class UnmatchedPattern(Struct, frozen=True, tag="unmatched-pattern"):
    """A pattern of a module list that no module of the drop matches."""

    leaf: str
    pattern: str
    source: Source
    near: tuple[str, ...] = ()


class UnrecognisedArchive(Struct, frozen=True, tag="unrecognised-archive"):
    """An archive without a marker, taken for a module."""

    archive: str
    name: str


class UnreadMarker(Struct, frozen=True, tag="unread-marker"):
    """An archive that no marker identifies, with a file named like a marker: it is broken, too large or has no name."""

    archive: str
    marker: str


class PassedOver(Struct, frozen=True, tag="passed-over"):
    """An archive in a bundle that has no marker, so may be documentation, or that is itself a bundle."""

    archive: str
    nested: bool


class LeftAlone(Struct, frozen=True, tag="left-alone"):
    """Folders and files directly in a bundle that belong to none of its members, or only in part."""

    archive: str
    names: tuple[str, ...]


class OlderArchive(Struct, frozen=True, tag="older-archive"):
    """An archive of a component that the drop has in a higher version."""

    archive: str
    version: str
    newer_archive: str
    newer_version: str


class NeededModule(Struct, frozen=True, tag="needed-module"):
    """A module of the drop that is left out although a component that is built needs it."""

    module: str
    needed_by: tuple[str, ...]
    leaf: str
    """The list of patterns that leaves it out; empty if it is left out for another reason."""
    source: Source | None
    by_flag: bool
    """Whether a flag leaves it out, which no other flag can overrule."""


class NeededTheme(Struct, frozen=True, tag="needed-theme"):
    """A theme of the drop that a pattern leaves out although the theme that is built builds on it."""

    theme: str
    needed_by: str
    file: str
    """The name that a pattern can match its file by."""
    source: Source | None
    by_flag: bool
    """Whether a flag leaves it out, which no other flag can overrule."""


class CircularNeeds(Struct, frozen=True, tag="circular-needs"):
    """Components that need one another, or themes that are one another's parents."""

    kind: str
    names: tuple[str, ...]


class MixedSystems(Struct, frozen=True, tag="mixed-systems"):
    """Components of different systems are built together."""

    counts: tuple[tuple[str, int], ...]


class DamagedArchive(Struct, frozen=True, tag="damaged-archive"):
    """An archive that would be refused if it were selected."""

    archive: str
    reason: str
    entry: str | None = None


class DuplicateArchive(Struct, frozen=True, tag="duplicate-archive"):
    """Two archives with the same content for one component."""

    archive: str
    built_archive: str


class EmptyArchive(Struct, frozen=True, tag="empty-archive"):
    """An archive without files."""

    archive: str


class MissingHookFolder(Struct, frozen=True, tag="missing-hook-folder"):
    """A folder of hook scripts that a setting names but that does not exist."""

    leaf: str
    folder: str
    source: Source


class SkippedHook(Struct, frozen=True, tag="skipped-hook"):
    """A file in a hook folder that cannot be run."""

    stage: str
    script: str
    suffix: str


class FailedHook(Struct, frozen=True, tag="failed-hook"):
    """A hook script that failed while `hooks.onFailure` is `continue`."""

    stage: str
    script: str
    status: str


class ChangedDrop(Struct, frozen=True, tag="changed-drop"):
    """The init scripts changed the drop after it was planned."""

    drop: str


class BackedUp(Struct, frozen=True, tag="backed-up"):
    """Files of a component were moved aside: the user's because of `--force`, or the archive's because of `--mine`."""

    component: str
    files: tuple[str, ...]
    backup: str
    dry: bool = False


class KeptComponents(Struct, frozen=True, tag="kept-components"):
    """Components that the tool built and that are not built any longer; they are kept, as only `--prune` removes."""

    left_out: tuple[str, ...]
    """Those that the selection leaves out."""
    gone: tuple[str, ...]
    """Those whose archive is not in the drop."""


class InPlace(Struct, frozen=True, tag="in-place"):
    """The files of a component were replaced one by one, as the system refuses to exchange its folder, and why."""

    component: str
    cause: str


class Repacked(Struct, frozen=True, tag="repacked-archive"):
    """With `--frozen`, an archive that is not the recorded one and holds the same files."""

    archive: str
    path: str
    """The component, relative to the project."""


class InterruptedRun(Struct, frozen=True, tag="interrupted-run"):
    """A run was killed while it built the project."""

    dry: bool = False


class LiveRun(Struct, frozen=True, tag="live-run"):
    """Another run is building the project while this one looks at it."""


class NotLocked(Struct, frozen=True, tag="not-locked"):
    """The project's file system has no locks, so a second run would not be noticed."""

    project: str
    cause: str


class CacheDamaged(Struct, frozen=True, tag="cache-damaged"):
    """The cache cannot be read. It is recreated, unless the file is not a cache at all."""

    file: str
    foreign: bool = False


class CacheUnwritable(Struct, frozen=True, tag="cache-unwritable"):
    """The cache cannot be written, so the next run will be slower."""

    file: str
    cause: str


class LeftOver(Struct, frozen=True, tag="left-over"):
    """Temporary files that could not be removed."""

    path: str
    cause: str


DropNote: TypeAlias = (
    NothingToBuild
    | UnusedFiles
    | UnmatchedPattern
    | UnrecognisedArchive
    | UnreadMarker
    | PassedOver
    | LeftAlone
    | OlderArchive
    | NeededModule
    | NeededTheme
    | CircularNeeds
    | MixedSystems
    | DamagedArchive
    | DuplicateArchive
    | EmptyArchive
)
"""What recognising and selecting archives warns of."""

RunNote: TypeAlias = (
    MissingHookFolder
    | SkippedHook
    | FailedHook
    | ChangedDrop
    | BackedUp
    | KeptComponents
    | InPlace
    | Repacked
    | InterruptedRun
    | LiveRun
    | NotLocked
    | CacheDamaged
    | CacheUnwritable
    | LeftOver
)
"""What a run warns of while it builds."""
