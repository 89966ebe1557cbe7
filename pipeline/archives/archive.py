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
    """The path within the archive, with `/` between its parts and none at the end."""
    kind: EntryKind = "file"
    size: int = 0
    packed: int = 0
    crc: int = 0
    executable: bool = False
    target: str | None = None
    """The target of a link."""
    encrypted: bool = False
    method: int = 0
    """The compression: 0 is stored, 8 is deflate; any other is refused."""
    start: int | None = None
    """The offset of its data in the archive; `None` if its header could not be read."""
    streamed: bool = False
    """Whether a program that reads from a pipe would search the data for its end."""
    guessed: bool = False
    """Whether the name was decoded with an old code page because its encoding is unknown."""


class ArchiveFile(Struct, frozen=True, kw_only=True):
    """An archive as a file on disk."""

    path: PurePath
    display_path: str
    """The path relative to the drop. A theme outside the drop has a path from `./` or `../` on, or
    an absolute one.
    """
    shelf: Shelf = ""
    is_theme_setting: bool = False
    """Whether the theme setting names this file."""
    inner: tuple[str, ...] = ()
    """For an archive in a bundle: the name of its entry, after those of the archives around it."""
    member: str = ""
    """For a member of a bundle: the path of its folder or archive there. `display_path`
    is `bundle.zip!member`.
    """
    own: str = ""
    """For a member: the last part of that path, the name of the folder or archive."""
    recorded: str = ""
    """For a kept archive: its name in the record, which is that of the archive that was built."""

    @property
    def zip_file(self) -> tuple[str, ...]:
        """A sort key: the path of the zip file, and the names of the archives in it that lead to
        the entries.
        """
        return str(self.path), *self.inner

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.name

    @property
    def whole(self) -> str:
        """The path of the file on disk, as in `display_path`; for a member, that of its bundle."""
        if not self.member:
            return self.display_path
        return self.display_path.removesuffix(f"!{self.member}")

    @property
    def stem(self) -> str:
        """The name without its suffix; for a folder in a bundle, the whole name."""
        if not self.own_file:
            return self.own
        return stem_of(self.own_file)

    @property
    def own_file(self) -> str:
        """The name of the archive itself, which may be inside another; empty for a folder in
        a bundle.
        """
        name = self.path.name
        if self.inner:
            name = self.inner[-1].rpartition("/")[2]
        if self.own and self.own != name:
            return ""
        return name

    @property
    def is_in_drop(self) -> bool:
        """Whether it is in the drop; the theme setting may name one elsewhere."""
        return not self.display_path.startswith(("./", "../", "/"))

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a pattern can match: the file's and, for a member, also
        `bundle.zip!member` and its own.
        """
        if not self.member:
            return (self.name,)
        return self.name, f"{self.name}!{self.member}", self.own

    def at(self, member: str, inner: str = "") -> "ArchiveFile":
        """A member of this archive: a folder, or an archive with the name of its entry."""
        path = f"{self.member}!{member}".removeprefix("!")
        own = member.rpartition("/")[2]
        within = self.inner
        if inner:
            within = (*self.inner, inner)
        return replace(
            self, display_path=f"{self.display_path}!{member}", inner=within, member=path, own=own
        )


class Unusable(Struct, frozen=True):
    """A part of a component that its system would not see, cannot read or refuses, and why, each as
    a clause.
    """

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
    """The path and field that gave the name, if the marker did not."""
    is_guessed: bool = False
    """Whether the name is a guess, because a download named the folder."""
    version: str | None = None
    version_by: str = ""
    """The name of the file that gave the version, if no marker did."""
    evidence: str | None = None
    """The marker that identified it, as a path in the archive."""
    field: str = ""
    """The field of the marker that identified it."""
    title: str = ""
    """The value of that field, where several components have markers with the same name."""
    root: str = ""
    """The folder in the archive that is the component, ending in `/`; empty for the
    whole archive.
    """
    apart: str = ""
    """A folder in it that its system moves elsewhere; it is not built."""
    system: str = ""
    """The system that it is for; empty if its marker does not tell."""
    requires: tuple[str, ...] = ()
    """The modules that it needs, as `module`, or `project:module` if a project is named."""
    runs_on: str = ""
    """The versions of its system that it runs on, as Composer writes them; empty if it
    names none.
    """
    php: str = ""
    """The version of PHP that it needs, as its marker has it."""
    provides: tuple[str, ...] = ()
    """The modules and themes inside it, at any depth, as Drupal finds them."""
    parent: str | None = None
    """The theme that it builds on."""
    bundled_in: str = ""
    """The theme that contains it."""
    unusable: tuple[Unusable, ...] = ()
    """The parts that its system would not see or cannot read."""
    lacks: tuple[str, ...] = ()
    """Files of which its system demands one, if it has none of them."""
    has_sources: bool = False
    """Whether it has the sources from which the missing files are built."""

    @property
    def built_kind(self) -> ComponentKind:
        """The kind under which it is built; `module` if it is not built."""
        if self.kind == "theme":
            return "theme"
        return "module"

    @property
    def marker(self) -> str:
        """The path of its marker in the component; empty if it has none."""
        return (self.evidence or "").removeprefix(self.root)

    @property
    def which(self) -> str:
        """The system or kind of data that it belongs to, if that is why it is not built."""
        return self.data or " ".join(filter(None, (self.system, self.version)))

    @property
    def needs(self) -> tuple[tuple[str, ...], ...]:
        """For each need, the module and, if one is named, its project: either satisfies
        the need.
        """
        return tuple(tuple(reversed(need.split(":"))) for need in self.requires)

    @property
    def path(self) -> str:
        """Its canonical name, the same in every project: `themes/<name>` or `modules/<name>`."""
        return f"{self.kind}s/{self.name}"


class Archive(Struct, frozen=True, kw_only=True):
    """An archive after it was examined. A refused one may still have a component.

    The entries themselves are not kept: their number and a digest are enough.
    """

    file: ArchiveFile
    signature: tuple[int, ...] = ()
    """The stat signature, which shows whether the file has changed."""
    digest: str = ""
    """The SHA-256 of the file, in hexadecimal; empty if it was not read."""
    entries: int = 0
    """How many entries the archive had when it was recognised."""
    file_count: int = field(name="files", default=0)
    """How many files and links the component has."""
    size: int = 0
    """The size of all entries, extracted, in bytes."""
    content: str = ""
    """A digest of the names, sizes, checksums and modes of the component's files."""
    component: Component | None = None
    others: tuple[Component, ...] = ()
    """The same archive as other systems read it, if it has their markers as well."""
    refusals: tuple[ArchiveRejected | FileSystemProblem, ...] = ()
    warnings: tuple[WarningDiagnostic, ...] = ()


class EntryIndex:
    """The entries of an archive, by folder, so that a search looks only at the entries below it."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._sorted = sorted(enumerate(entries), key=lambda placed: placed[1].name)
        self._names = [entry.name for _, entry in self._sorted]

    def below(self, folder: str) -> tuple[Entry, ...]:
        """The entries below a folder, which ends in `/`, in the order of the archive; for an empty
        path, all.
        """
        begin = bisect_left(self._names, folder)
        end = len(self._names)
        if folder:
            end = bisect_left(self._names, f"{folder[:-1]}0")  # `0` comes after `/`
        return tuple(entry for _, entry in sorted(self._sorted[begin:end], key=itemgetter(0)))


def contents(entries: Iterable[Entry], root: str, apart: str = "") -> tuple[tuple[str, Entry], ...]:
    """The entries to extract for a component: those below its root except junk, with their
    names there.

    The folder `apart`, if there is one, is left out.
    """
    found = list[tuple[str, Entry]]()
    for entry in entries:
        if entry.name.startswith(root) and not is_junk(entry.name):
            name = entry.name[len(root) :]
            if not (apart and is_within(name, apart)):
                found.append((name, entry))
    return tuple(found)


def with_component(archive: Archive, component: Component, entries: Iterable[Entry]) -> Archive:
    """Set the component of an archive, and the number, size and digest of its files."""
    files = sorted(
        (
            (name, each)
            for name, each in contents(entries, component.root, component.apart)
            if each.kind != "folder"
        ),
        key=itemgetter(0),
    )
    listing = _listing(
        [(name, each.size, each.crc, each.executable, each.target) for name, each in files]
    )
    return replace(
        archive,
        component=component,
        file_count=len(files),
        size=sum(each.size for _, each in files),
        content=sha256(listing).hexdigest(),
    )


def _listing(rows: list[tuple[str, int, int, bool, str | None]]) -> bytes:
    """The listing as JSON, which also holds names that are not UTF-8."""
    try:
        return msgspec.json.encode(rows)
    except UnicodeEncodeError:  # a name is not UTF-8, which is refused
        return to_json(rows).encode()
