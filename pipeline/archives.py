"""Archives as values: what the table of contents of a `.zip` file says, and what was made of it."""

from collections.abc import Iterable
from hashlib import sha256
from operator import itemgetter
from pathlib import PurePath
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pipeline.escape import to_json
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
    """An archive after it was looked into. One that is refused may have a component all the same.

    Its entries are left behind: what is planned needs their number and whether two archives have the same ones.
    """

    file: ArchiveFile
    stamp: tuple[int, ...] = ()
    """What tells, without reading it, whether the file was changed."""
    digest: str = ""
    """SHA-256 of the file, in hexadecimal; empty where it was not read."""
    files: int = 0
    """How many files and links the component has."""
    size: int = 0
    """How many bytes come out of it."""
    content: str = ""
    """What tells the component's files from those of any other: a digest of what the archive says of them."""
    component: Component | None = None
    refusals: tuple[ArchiveRejected | FileSystemProblem, ...] = ()
    notes: tuple[Note, ...] = ()


def contents(entries: Iterable[Entry], root: str) -> tuple[tuple[str, Entry], ...]:
    """The entries that are extracted of a component, all below its root that are no junk, with their names in it."""
    below = (entry for entry in entries if entry.name.startswith(root) and not is_junk(entry.name))
    return tuple((entry.name[len(root) :], entry) for entry in below)


def describe(archive: Archive, component: Component, entries: Iterable[Entry]) -> Archive:
    """Say what component an archive holds, and of what files it is made."""
    files = sorted(
        ((name, each) for name, each in contents(entries, component.root) if each.kind != "folder"), key=itemgetter(0)
    )
    told = to_json([(name, each.size, each.crc, each.executable, each.target) for name, each in files])
    return replace(
        archive,
        component=component,
        files=len(files),
        size=sum(each.size for _, each in files),
        content=sha256(told.encode(errors="surrogatepass")).hexdigest(),
    )


_JUNK_FOLDERS = frozenset({"__MACOSX"})
_JUNK_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


def is_junk(name: str) -> bool:
    """Tell what operating systems leave behind, which is neither extracted nor counted."""
    *folders, last = name.split("/")
    return last in _JUNK_FILES or last.startswith("._") or not _JUNK_FOLDERS.isdisjoint((*folders, last))
