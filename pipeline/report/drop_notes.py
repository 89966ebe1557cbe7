"""Notes on recognising and selecting what is in the drop, as facts: see `notes`."""

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
    others: tuple[str, ...] = ()
    """More patterns of the same list in the same file, if they are told together; see `notes.together`."""


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


ArchiveNote: TypeAlias = (
    UnrecognisedArchive
    | UnreadMarker
    | PassedOver
    | LeftAlone
    | OlderArchive
    | DamagedArchive
    | DuplicateArchive
    | EmptyArchive
)
"""What there is to say about one archive."""

DropNote: TypeAlias = (
    NothingToBuild
    | UnusedFiles
    | UnmatchedPattern
    | NeededModule
    | NeededTheme
    | CircularNeeds
    | MixedSystems
    | ArchiveNote
)
"""What recognising and selecting archives warns of."""
