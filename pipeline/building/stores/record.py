"""Record: what the tool wrote into a project (`.tool-manifest.json`), as a function of archives
and selection.

The record has no times, inodes or absolute paths, so it is the same on every machine and can be
committed. The rules are in `docs/building.md`.
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.places import USUAL, Places
from pipeline.building.stores.sealed import seal, unseal
from pipeline.values import replace

_LEADING_OUT: Final = ("\0", "//", "/./", "/../")
"""Parts, between slashes, that a path within a folder cannot have."""


def are_inside(names: Iterable[str]) -> bool:
    """Whether relative paths stay below their folder."""
    parts = "/".join(("", *names, ""))  # of all at once, as there are thousands of them
    return not any(leading_out in parts for leading_out in _LEADING_OUT)


_Kind: TypeAlias = Literal["file", "link", "folder", "other"]


class FileState(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The state of a file, link or empty folder of a component. Other folders are implied by
    their files.
    """

    kind: _Kind = "file"
    executable: bool = False
    target: str | None = None
    """The target of a link; `None` for anything else."""
    digest: str = ""
    """SHA-256 of a file's content, in hexadecimal; empty if nothing has read it; `DENIED` if the
    user may not read it.
    """


DENIED: Final = "unread"
"""The digest of a file or folder that the user may not read."""


def is_denied(state: FileState | None) -> bool:
    """Whether a file or folder exists but the user may not read it."""
    return state is not None and state.digest == DENIED


Files: TypeAlias = Mapping[str, FileState]
"""The files of a component by their paths in it."""


def are_alike(one: FileState | None, other: FileState | None) -> bool:
    """Whether two versions have the same content, whatever their executable bits."""
    if one is None or other is None:
        return one is other
    return (one.kind, one.digest, one.target) == (other.kind, other.digest, other.target)


def without_folders(files: Files) -> dict[str, FileState]:
    """The files and links, without empty folders."""
    return {name: state for name, state in files.items() if state.kind != "folder"}


def implied_folders(files: Iterable[str]) -> set[str]:
    """The folders that hold files, given the paths of the files."""
    implied: set[str] = set()
    for name in files:
        above = name.rpartition("/")[0]
        while above and above not in implied:
            implied.add(above)
            above = above.rpartition("/")[0]
    return implied


class RecordedComponent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A component that the tool wrote: its archive, and every file and link as it was built."""

    archive: str
    """The name of the archive as `archive_name` gives it; of a base found among kept archives,
    a description.
    """
    digest: str
    """SHA-256 of the archive."""
    content: str
    """The digest of the component's files in the archive, as in `Archive`."""
    version: str | None = None
    files: dict[str, FileState]
    patch: str = ""
    """SHA-256 of the patch that the component was built with; empty without a patch."""

    @property
    def source(self) -> tuple[str, str]:
        """The digests of the archive and of its content, which identify what the component
        was built from.
        """
        return self.digest, self.content

    @property
    def kept(self) -> tuple[str, ...]:
        """The digests of the archive and the patch, by which both are kept."""
        return tuple(filter(None, (self.digest, self.patch)))

    def built_alike(self, other: "RecordedComponent") -> bool:
        """Whether another component was built from the same archive with the same patch."""
        return (self.source, self.patch) == (other.source, other.patch)

    def comes_from(self, archive: Archive) -> bool:
        """Whether building an archive would give this component again."""
        return self.source == (archive.digest, archive.content)


def version_of(component: RecordedComponent | None) -> str | None:
    """The version of a component; `None` if it states none, or if there is no component."""
    if component is None:
        return None
    return component.version


class Record(Struct, frozen=True):
    """All components that the tool wrote, by project path: `modules/<name>`, or in another
    target folder.
    """

    components: dict[str, RecordedComponent] = {}
    folders: Places | UnsetType = UNSET
    """The target folders; unset if they are the usual ones."""

    @property
    def places(self) -> Places:
        """The target folders of themes and modules."""
        return self.folders or USUAL

    def differs_from(self, other: "Record") -> bool:
        """Whether another record lists other components, or says something else of one."""
        return self.components != other.components

    def within(self, places: Places) -> "Record":
        """The record with other target folders."""
        if places == USUAL:
            return replace(self, folders=UNSET)
        return replace(self, folders=places)


def changed_paths(before: Record, after: Record) -> tuple[str, ...]:
    """The paths of the components whose entries differ between two records."""
    old = before.components
    new = after.components
    return tuple(sorted(path for path in {*old, *new} if old.get(path) != new.get(path)))


def archive_name(file: ArchiveFile) -> str:
    """The name of an archive in the record: its path in the drop, or the file name of a theme
    from elsewhere.

    A kept archive has the name of the archive that was built.
    """
    if file.recorded:
        return file.recorded
    in_drop = f"{file.shelf}/{file.name}".lstrip("/")
    name = file.name
    if file.whole == in_drop:
        name = in_drop
    return f"{name}{file.display_path.removeprefix(file.whole)}"


def as_recorded(
    archive: Archive, files: Files, known: RecordedComponent | None = None
) -> RecordedComponent:
    """The record's entry of a component with these files, which may be those of a `known` entry."""
    version = None
    if archive.component:
        version = archive.component.version
    return RecordedComponent(
        archive=archive_name(archive.file),
        digest=archive.digest,
        content=archive.content,
        version=version,
        files=_recorded_files(files, known),
    )


def _recorded_files(files: Files, known: RecordedComponent | None) -> dict[str, FileState]:
    """The files to record: the same object as a `known` entry's, so that comparing
    records is fast.
    """
    if known and known.files is files:
        return known.files
    return dict(sorted(without_folders(files).items()))


def read_record(data: bytes) -> Record | None:
    """Decode a record; `None` if it is damaged, or has an impossible path of a component or a file.

    Unknown fields, such as times and sizes, are ignored.
    """
    record = unseal(data, Record)
    if record is None or not record.places.is_sound:
        return None
    for path, component in record.components.items():
        if not record.places.holds(path) or not are_inside(component.files):
            return None
    return record


def is_merging(data: bytes) -> bool:
    """Whether version control left the marks of an unresolved merge in a record."""
    return all(
        re.search(rb"^%b(?: |\r?$)" % mark, data, re.MULTILINE)
        for mark in (b"<{7}", b"={7}", b">{7}")
    )


def digest_of(record: Record) -> str:
    """The digest that identifies a record, however its file is laid out."""
    return sha256(write_record(record)).hexdigest()


def write_record(record: Record) -> bytes:
    """Encode a record for people and version control: one fact a line, in the order of paths.

    A record without components has no target folders either.
    """
    components = dict[str, RecordedComponent]()
    for path, component in sorted(record.components.items()):
        components[path] = replace(component, files=dict(sorted(component.files.items())))
    written = Record()
    if components:
        written = Record(components, record.folders)
    data = seal(written)
    if data.isascii() and b"\x7f" not in data and b"\\u" not in data:  # there is nothing to escape
        return msgspec.json.format(data, indent=2) + b"\n"
    import json  # costs start-up time, and nearly never is there anything to escape

    return json.dumps(json.loads(data), indent=2).encode() + b"\n"


def with_components(record: Record, entries: Mapping[str, RecordedComponent | None]) -> Record:
    """The record with other entries at some paths; `None` removes an entry."""
    components = {**record.components, **entries}
    return replace(
        record, components={path: component for path, component in components.items() if component}
    )
