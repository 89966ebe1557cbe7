"""Notes on a run that builds the project, as facts: see `notes`."""

from typing import TypeAlias

from msgspec import Struct

from pipeline.report.build_problems import DisputedFile
from pipeline.report.source import Source


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
    is_archives: bool = False
    """Whether they are the archive's, and the user's stay in their place."""


class KeptComponents(Struct, frozen=True, tag="kept-components"):
    """Components that the tool built and that are not built any longer; they are kept, as only `--prune` removes."""

    left_out: tuple[str, ...]
    """Those that the selection leaves out."""
    gone: tuple[str, ...]
    """Those whose archive is not in the drop."""
    in_doubt: bool = False
    """Whether not even `--prune` removes them: an archive is refused, or the archives are in another folder."""


class InPlace(Struct, frozen=True, tag="in-place"):
    """The files of a component were replaced one by one, as its folder cannot be exchanged, and why."""

    component: str
    cause: str


class ConflictAhead(Struct, frozen=True, tag="conflict-ahead"):
    """Files because of which the next run would stop: both the user and the archive changed them."""

    disputed: tuple[DisputedFile, ...]


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


RunNote: TypeAlias = (
    MissingHookFolder
    | SkippedHook
    | FailedHook
    | ChangedDrop
    | BackedUp
    | KeptComponents
    | InPlace
    | ConflictAhead
    | Repacked
    | InterruptedRun
    | LiveRun
    | NotLocked
    | CacheDamaged
    | CacheUnwritable
    | LeftOver
)
"""What a run warns of while it builds."""
