"""Archives as values: what the table of contents of a `.zip` file says, and what was made of it."""

from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct

from pipeline.events import Kind
from pipeline.notes import Note
from pipeline.problems import ArchiveRejected, FileSystemProblem

EntryKind: TypeAlias = Literal["file", "folder", "link", "other"]
Shelf: TypeAlias = Literal["", "themes", "modules"]
"""The subfolder of the drop that an archive lies in."""


class Entry(Struct, frozen=True, kw_only=True):
    """One entry of an archive. Sizes are in bytes."""

    name: str
    """Path within the archive, with `/` between its parts and none at the end."""
    kind: EntryKind = "file"
    size: int = 0
    packed: int = 0
    crc: int = 0
    executable: bool = False
    target: str | None = None
    """What a link points to."""
    encrypted: bool = False
    method: int = 0
    """Compression: 0 stored, 8 deflate; any other is refused."""


class ArchiveFile(Struct, frozen=True, kw_only=True):
    """An archive as a file on the disk."""

    path: PurePath
    shown: str
    """Relative to the drop; of a theme that lies elsewhere, relative to the current folder."""
    shelf: Shelf = ""
    named: bool = False
    """Whether the theme setting names this file."""

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.name


class Component(Struct, frozen=True, kw_only=True):
    """What an archive turned out to hold."""

    kind: Kind
    name: str
    version: str | None = None
    evidence: str | None = None
    """The marker that told, as a path in the archive."""
    root: str = ""
    """The folder in the archive that is the component, ending in `/`, or nothing."""


class Archive(Struct, frozen=True, kw_only=True):
    """An archive after it was looked into. One that is refused may have a component all the same."""

    file: ArchiveFile
    entries: tuple[Entry, ...] = ()
    component: Component | None = None
    refusals: tuple[ArchiveRejected | FileSystemProblem, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def contents(self) -> tuple[Entry, ...]:
        """The entries that are extracted: all below the component's root that are not junk."""
        root = self.component.root if self.component else ""
        return tuple(entry for entry in self.entries if entry.name.startswith(root) and not is_junk(entry.name))

    @property
    def files(self) -> tuple[Entry, ...]:
        """The contents that are no folders."""
        return tuple(entry for entry in self.contents if entry.kind != "folder")


_JUNK_FOLDERS = frozenset({"__MACOSX"})
_JUNK_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


def is_junk(name: str) -> bool:
    """Tell what operating systems leave behind, which is neither extracted nor counted."""
    *folders, last = name.split("/")
    return last in _JUNK_FILES or last.startswith("._") or not _JUNK_FOLDERS.isdisjoint((*folders, last))
