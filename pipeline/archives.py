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
Key: TypeAlias = tuple[PurePath, str, str]
"""What tells an archive or member from every other: its file, the archive in that, and the folder in that."""


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
    inner: str = ""
    """Of an archive in a bundle, the entry of the bundle that it is."""
    member: str = ""
    """Of a member of a bundle, its path in the bundle: a folder, or an archive. `shown` is `bundle.zip!member`."""
    own: str = ""
    """Of a member, the last part of that: what the folder or archive is called."""

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.name

    @property
    def whole(self) -> str:
        """As `shown`, of the file that a member lies in."""
        return self.shown.removesuffix(f"!{self.member}") if self.member else self.shown

    @property
    def stem(self) -> str:
        """The name that it has of itself, without a suffix; a folder in a bundle has none."""
        is_folder = self.own and self.own != PurePath(self.inner).name
        return self.own if is_folder else PurePath(self.inner or self.path.name).stem

    @property
    def names(self) -> tuple[str, ...]:
        """What a pattern may call it: the file's own name; of a member also `bundle.zip!member` and its own name."""
        return (self.name, f"{self.name}!{self.member}", self.own) if self.member else (self.name,)

    def at(self, member: str, inner: str = "") -> "ArchiveFile":
        """A member of this archive: a folder of it or, by the name of its entry, an archive in it."""
        path, own = f"{self.member}!{member}" if self.member else member, member.rpartition("/")[2]
        return replace(self, shown=f"{self.shown}!{member}", inner=inner or self.inner, member=path, own=own)


class Component(Struct, frozen=True, kw_only=True):
    """What an archive turned out to hold."""

    kind: Kind
    name: str
    version: str | None = None
    evidence: str | None = None
    """The marker that told, as a path in the archive."""
    field: str = ""
    """What in the marker told."""
    root: str = ""
    """The folder in the archive that is the component, ending in `/`, or nothing."""
    system: str = ""
    """The system that it is for; nothing where its marker is of none."""
    requires: tuple[str, ...] = ()
    """The modules that it says it needs, less those that its system has anyway."""
    parent: str | None = None
    """The theme that it builds on."""
    bundled_in: str = ""
    """The theme that brings it along."""


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

    @property
    def key(self) -> Key:
        """What tells it from every other archive and member: several may lie in one file."""
        return self.file.path, self.file.inner, self.component.root if self.component else self.file.shown


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


_JUNK_FOLDER = "__MACOSX"
_JUNK_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


def is_junk(name: str) -> bool:
    """Tell what operating systems leave behind, which is neither extracted nor counted."""
    last = name.rpartition("/")[2]
    return last in _JUNK_FILES or last.startswith("._") or (_JUNK_FOLDER in name and _JUNK_FOLDER in name.split("/"))
