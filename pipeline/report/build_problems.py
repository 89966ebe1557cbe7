"""Problems of choosing and building components, as facts: see `problems`."""

from typing import Literal, TypeAlias

from msgspec import Struct

from pipeline.report.source import Source


class DropNotFound(Struct, frozen=True, tag=True):
    """The folder of archives does not exist, or is not a folder."""

    drop: str
    cause: str
    near: tuple[str, ...] = ()
    """Folders with a similar name."""


class ThemeNotFound(Struct, frozen=True, tag=True):
    """The theme setting names a theme or an archive that the drop does not have."""

    theme: str
    source: Source
    themes: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    is_module: bool = False
    """Whether the named archive exists but holds a module."""
    left_out: tuple[str, ...] = ()
    """Archives that a pattern leaves out by file and that hold it, or that are not opened and are named like it."""


class ThemeAmbiguous(Struct, frozen=True, tag=True):
    """The theme setting is `auto` and the drop has several."""

    themes: tuple[str, ...]
    source: Source


class ComponentAmbiguous(Struct, frozen=True, tag=True):
    """Several archives hold different contents for one component."""

    kind: str
    name: str
    archives: tuple[str, ...]


class ArchiveRejected(Struct, frozen=True, tag=True):
    """An archive that is damaged, hostile or contradictory."""

    archive: str
    reason: str
    """What is wrong with it; after a semicolon, what to do."""
    entry: str | None = None
    is_recent: bool = False
    """Whether the file was changed a moment ago and is incomplete, so that it may still be being copied."""


InTheWay: TypeAlias = Literal["file", "link", "foreign", "config", "key", "dangling", "page", "other"]
"""What is where something would be written."""


Dispute: TypeAlias = Literal["edited", "deleted", "added", "type"]
"""Why a file is a conflict: edited by someone, also where the archive has it no longer; added by both sides; or of
another type on each side."""


class DisputedFile(Struct, frozen=True):
    """A file that both the user and the archive changed; the path is relative to the project."""

    path: str
    dispute: Dispute


class OutputConflict(Struct, frozen=True, tag=True):
    """Something would be overwritten that the tool did not write, or was not told to overwrite."""

    path: str
    files: tuple[str, ...] = ()
    """The files that were changed during the run."""
    disputed: tuple[DisputedFile, ...] = ()
    """The files that both sides changed, if it is a component."""
    reason: Literal["disputed", "changed"] | InTheWay = "disputed"


class OutOfDate(Struct, frozen=True, tag=True):
    """A component, or the record, that a run would change although the project was said to be up to date."""

    path: str
    """Relative to the project."""
    action: Literal["add", "update", "keep", "remove"]


class NotAsRecorded(Struct, frozen=True, tag=True):
    """A component that the record has and the selection has not, or the other way round, or from another archive."""

    path: str
    """Relative to the project."""
    archive: str
    recorded: str
    """SHA-256 of the archive in the record; empty if the component is not in it."""
    digest: str
    """SHA-256 of the archive in the drop; empty if it is not selected, or not there."""


class RecordUnreadable(Struct, frozen=True, tag=True):
    """The record of what the tool wrote, or the journal of a killed run, is damaged."""

    file: str
    is_merging: bool = False
    """Whether version control has left both sides of a merge in it."""


class ProjectLocked(Struct, frozen=True, tag=True):
    """Another run is building the project."""

    project: str


class FileSystemProblem(Struct, frozen=True, tag=True):
    """The operating system refused a read, a write or memory."""

    path: str
    cause: str


class HookFailed(Struct, frozen=True, tag=True):
    """A hook script failed and `hooks.onFailure` is `fail`."""

    stage: str
    script: str
    status: str


BuildProblem: TypeAlias = (
    DropNotFound
    | ThemeNotFound
    | ThemeAmbiguous
    | ComponentAmbiguous
    | ArchiveRejected
    | OutputConflict
    | OutOfDate
    | NotAsRecorded
    | RecordUnreadable
    | ProjectLocked
    | FileSystemProblem
    | HookFailed
)
"""What choosing and building components can fail with."""
