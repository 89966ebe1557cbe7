"""Archives as values: the entries of a `.zip` file, and the component that was recognised in it."""

from bisect import bisect_left
from collections.abc import Iterable
from hashlib import sha256
from operator import itemgetter
from pathlib import PurePath
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct, field

from pipeline.archives.entry_names import is_junk, is_within, stem_of
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import ArchiveRejected, Unbuilt
from pipeline.report.diagnostics.disk import FileSystemProblem
from pipeline.report.escape import to_json
from pipeline.report.events import ArchiveKind, ComponentKind
from pipeline.values import replace

EntryKind: TypeAlias = Literal["file", "folder", "folder without slash", "link", "other"]
Shelf: TypeAlias = Literal["", "themes", "modules"]
"""The subfolder of the drop that an archive is in."""


class Entry(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One entry of an archive. Sizes are in bytes."""

    name: str
    """Path within the archive, with `/` between its parts and none at the end."""
    kind: EntryKind = "file"
    size: int = 0
    packed: int = 0
    crc: int = 0
    executable: bool = False
    target: str | None = None
    """The target of a link."""
    encrypted: bool = False
    method: int = 0
    """Compression: 0 is stored, 8 is deflate; any other is refused."""
    start: int | None = None
    """Where its data begins in the archive; `None` if its header could not be read."""
    streamed: bool = False
    """Whether a program that reads a pipe would look for the end of its data in the data."""
    guessed: bool = False
    """Whether its name was read in an old code page, as nothing says which."""


class ArchiveFile(Struct, frozen=True, kw_only=True):
    """An archive as a file on the disk."""

    path: PurePath
    display_path: str
    """Its path relative to the drop; for a theme outside the drop, relative to the current folder, from `./` or `../`
    on, or absolute."""
    shelf: Shelf = ""
    is_theme_setting: bool = False
    """Whether the theme setting names this file."""
    inner: tuple[str, ...] = ()
    """For an archive in a bundle: the name of its entry, after those of the archives around it."""
    member: str = ""
    """For a member of a bundle: the path of its folder or archive in it. `display_path` is `bundle.zip!member`."""
    own: str = ""
    """For a member: the last part of that path, which is the name of the folder or archive."""
    recorded: str = ""
    """For a kept archive: what the record calls it, which is the name of the one that was built."""

    @property
    def zip_file(self) -> tuple[str, ...]:
        """The zip file that its entries are in, to sort by: the path, and the names of the archives in it."""
        return str(self.path), *self.inner

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.name

    @property
    def whole(self) -> str:
        """As `display_path`, but of the whole file that a member is in."""
        if not self.member:
            return self.display_path
        return self.display_path.removesuffix(f"!{self.member}")

    @property
    def stem(self) -> str:
        """Its own name without the suffix; for a folder in a bundle, the whole name."""
        if not self.own_file:
            return self.own
        return stem_of(self.own_file)

    @property
    def own_file(self) -> str:
        """The name of the archive itself, which may be in another one; empty for a folder in a bundle."""
        name = self.path.name
        if self.inner:
            name = self.inner[-1].rpartition("/")[2]
        if self.own and self.own != name:
            return ""
        return name

    @property
    def is_in_drop(self) -> bool:
        """Whether it is in the drop; a theme that a setting names may be elsewhere."""
        return not self.display_path.startswith(("./", "../", "/"))

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a pattern can match: the file's; for a member also `bundle.zip!member` and its own name."""
        if not self.member:
            return (self.name,)
        return self.name, f"{self.name}!{self.member}", self.own

    def at(self, member: str, inner: str = "") -> "ArchiveFile":
        """A member of this archive: a folder, or an archive, given the name of its entry."""
        path = f"{self.member}!{member}".removeprefix("!")
        own = member.rpartition("/")[2]
        within = self.inner
        if inner:
            within = (*self.inner, inner)
        return replace(self, display_path=f"{self.display_path}!{member}", inner=within, member=path, own=own)


class Unusable(Struct, frozen=True):
    """What of a component its system would not see, cannot read or refuses, and why, each as a clause."""

    what: str
    """The file or field, as a path in the component or a name."""
    why: str


class Component(Struct, frozen=True, kw_only=True):
    """The component in an archive."""

    kind: ArchiveKind
    name: str
    what: Unbuilt | None = None
    """The reason why it is not built, if it is neither a theme nor a module."""
    data: str = ""
    """The kind of data, if it is data."""
    named_by: str = ""
    """The path and the field that gave the name, if the marker did not."""
    is_guessed: bool = False
    """Whether a download named the folder that gives the name, so that the name is a guess."""
    version: str | None = None
    version_by: str = ""
    """The name of the file that the version comes from, if no marker says it."""
    evidence: str | None = None
    """The marker that identified it, as a path in the archive."""
    field: str = ""
    """The field of the marker that identified it."""
    title: str = ""
    """The value of that field, where it tells a component from others with a marker of the same name."""
    root: str = ""
    """The folder in the archive that is the component, ending in `/`; empty for the whole archive."""
    apart: str = ""
    """The folder in it that its system takes out of it, so that it is not built."""
    system: str = ""
    """The system that it is for; empty if its marker does not tell."""
    requires: tuple[str, ...] = ()
    """The modules that it declares as needed, as `module`, or as `project:module` if a project is named, too."""
    runs_on: str = ""
    """The versions of its system that it says it runs on, as Composer writes them; empty if it does not say."""
    php: str = ""
    """The version of PHP that it asks for, as its marker has it."""
    provides: tuple[str, ...] = ()
    """The modules and themes within it, as Drupal finds them at any depth."""
    parent: str | None = None
    """The theme that it builds on."""
    bundled_in: str = ""
    """The theme that contains it."""
    unusable: tuple[Unusable, ...] = ()
    """What its system would not see of it, or cannot read."""
    lacks: tuple[str, ...] = ()
    """The files of which its system demands one, if it has none of them."""
    has_sources: bool = False
    """Whether it has what these are built from, too."""

    @property
    def built_kind(self) -> ComponentKind:
        """The kind as which it is built; `module` if it is not built."""
        if self.kind == "theme":
            return "theme"
        return "module"

    @property
    def marker(self) -> str:
        """The path of its marker in it; empty if it has none."""
        return (self.evidence or "").removeprefix(self.root)

    @property
    def which(self) -> str:
        """Which system, or which data, it is or belongs to, where that is why it is not built."""
        return self.data or " ".join(filter(None, (self.system, self.version)))

    @property
    def needs(self) -> tuple[tuple[str, ...], ...]:
        """For each need the module, then its project if one is named: either satisfies the need."""
        return tuple(tuple(reversed(need.split(":"))) for need in self.requires)

    @property
    def path(self) -> str:
        """Its canonical name, which does not depend on the project: `themes/<name>` or `modules/<name>`."""
        return f"{self.kind}s/{self.name}"


class Archive(Struct, frozen=True, kw_only=True):
    """An archive after it was looked into. A refused one may still have a component.

    Its entries are not kept: all that is needed is their number, and whether two archives have the same ones.
    """

    file: ArchiveFile
    signature: tuple[int, ...] = ()
    """The stat signature, which shows whether the file has changed."""
    digest: str = ""
    """SHA-256 of the file, in hexadecimal; empty if it was not read."""
    entries: int = 0
    """How many entries it was recognised in."""
    file_count: int = field(name="files", default=0)
    """How many files and links the component has."""
    size: int = 0
    """How many bytes come out of it."""
    content: str = ""
    """A digest of the names, sizes, checksums and modes of the component's files."""
    component: Component | None = None
    others: tuple[Component, ...] = ()
    """The same as other systems read it, whose markers are there as well."""
    refusals: tuple[ArchiveRejected | FileSystemProblem, ...] = ()
    warnings: tuple[WarningDiagnostic, ...] = ()


class EntryIndex:
    """The entries of an archive, found by folder without looking at the others."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._sorted = sorted(enumerate(entries), key=lambda placed: placed[1].name)
        self._names = [entry.name for _, entry in self._sorted]

    def below(self, folder: str) -> tuple[Entry, ...]:
        """The entries below a folder, which ends in `/`, in the order of the archive; all for the empty one."""
        begin = bisect_left(self._names, folder)
        end = len(self._names)
        if folder:
            end = bisect_left(self._names, f"{folder[:-1]}0")  # `0` comes after `/`
        return tuple(entry for _, entry in sorted(self._sorted[begin:end], key=itemgetter(0)))


def contents(entries: Iterable[Entry], root: str, apart: str = "") -> tuple[tuple[str, Entry], ...]:
    """The entries to extract for a component: those below its root except junk, with their names in it.

    What is in the folder `apart`, if there is one, is not built with it.
    """
    below = (entry for entry in entries if entry.name.startswith(root) and not is_junk(entry.name))
    named = ((entry.name[len(root) :], entry) for entry in below)
    return tuple((name, entry) for name, entry in named if not is_within(name, apart))


def with_component(archive: Archive, component: Component, entries: Iterable[Entry]) -> Archive:
    """Set the component of an archive, and the number, size and digest of its files."""
    files = sorted(
        ((name, each) for name, each in contents(entries, component.root, component.apart) if each.kind != "folder"),
        key=itemgetter(0),
    )
    listing = _listing([(name, each.size, each.crc, each.executable, each.target) for name, each in files])
    return replace(
        archive,
        component=component,
        file_count=len(files),
        size=sum(each.size for _, each in files),
        content=sha256(listing).hexdigest(),
    )


def _listing(rows: list[tuple[str, int, int, bool, str | None]]) -> bytes:
    """As JSON, also if names are not UTF-8."""
    try:
        return msgspec.json.encode(rows)
    except UnicodeEncodeError:  # a name is not UTF-8, which is refused
        return to_json(rows).encode()
