"""Record: what the tool wrote into a project (`.tool-manifest.json`), as a function of archives and selection.

It has no times, inodes or absolute paths, so it is the same on every machine and can be committed. The rules are in
`docs/building.md`.
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
"""What no path has in it that stays below a folder, between slashes."""


def are_inside(names: Iterable[str]) -> bool:
    """Whether paths lead to places below the folder that they are relative to."""
    parts = "/".join(("", *names, ""))  # of all at once, as there are thousands of them
    return not any(leading_out in parts for leading_out in _LEADING_OUT)


_Kind: TypeAlias = Literal["file", "link", "folder", "other"]


class FileState(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a file, link or folder of a component holds. Only empty folders are listed; the others are implied."""

    kind: _Kind = "file"
    executable: bool = False
    target: str | None = None
    """What a link points to."""
    digest: str = ""
    """SHA-256 of a file's content, in hexadecimal; empty if it was not read."""


UNREAD: Final = "unread"
"""In place of the digest of a file that may not be read."""


def is_unread(state: FileState | None) -> bool:
    """Whether a file or folder is there, and nobody could look into it."""
    return state is not None and state.digest == UNREAD


Files: TypeAlias = Mapping[str, FileState]
"""The files of a component by their paths in it."""


def are_alike(one: FileState | None, other: FileState | None) -> bool:
    """Whether two versions have the same content, whatever their executable bits."""
    if one is None or other is None:
        return one is other
    return (one.kind, one.digest, one.target) == (other.kind, other.digest, other.target)


def without_folders(files: Files) -> dict[str, FileState]:
    """Files without the empty folders among them."""
    return {name: state for name, state in files.items() if state.kind != "folder"}


def implied_folders(files: Iterable[str]) -> set[str]:
    """The folders that files are in, given the paths of these."""
    implied: set[str] = set()
    for name in files:
        above = name.rpartition("/")[0]
        while above and above not in implied:
            implied.add(above)
            above = above.rpartition("/")[0]
    return implied


class RecordedComponent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A component that the tool wrote: the archive that it came from, and every file and link as the archive has it."""

    archive: str
    """As `archive_name` has it."""
    digest: str
    """SHA-256 of the archive."""
    content: str
    """The archive's own description of the component, as in `Archive`."""
    version: str | None = None
    files: dict[str, FileState]
    patch: str = ""
    """SHA-256 of the patch that it was built with; empty without one."""

    @property
    def source(self) -> tuple[str, str]:
        """What it was built from: another archive with the same is the same."""
        return self.digest, self.content

    @property
    def kept(self) -> tuple[str, ...]:
        """The digests of what it was built from: of its archive, and of its patch."""
        return tuple(filter(None, (self.digest, self.patch)))

    def built_alike(self, other: "RecordedComponent") -> bool:
        """Whether another component is from the same archive with the same patch."""
        return (self.source, self.patch) == (other.source, other.patch)

    def comes_from(self, archive: Archive) -> bool:
        """Whether building an archive would give this component again."""
        return self.source == (archive.digest, archive.content)


def version_of(component: RecordedComponent | None) -> str | None:
    """The version of a component; none if there is no component, or it says no version."""
    if component is None:
        return None
    return component.version


class Record(Struct, frozen=True):
    """Every component that the tool wrote, by its path in the project: `modules/<name>`, or in another folder."""

    components: dict[str, RecordedComponent] = {}
    folders: Places | UnsetType = UNSET
    """The folders of themes and modules, unless they are the usual ones."""

    @property
    def places(self) -> Places:
        """The folders of themes and modules."""
        return self.folders or USUAL

    def differs_from(self, other: "Record") -> bool:
        """Whether another record lists other components, or says something else of one."""
        return self.components != other.components

    def within(self, places: Places) -> "Record":
        """The same in other folders."""
        if places == USUAL:
            return replace(self, folders=UNSET)
        return replace(self, folders=places)


def changed_paths(before: Record, after: Record) -> tuple[str, ...]:
    """The paths of the components of which two records do not say the same."""
    old = before.components
    new = after.components
    return tuple(sorted(path for path in {*old, *new} if old.get(path) != new.get(path)))


def archive_name(file: ArchiveFile) -> str:
    """What the record calls an archive: its path in the drop; of a theme from elsewhere, the name of its file.

    A kept one is called as the archive that was built.
    """
    if file.recorded:
        return file.recorded
    in_drop = f"{file.shelf}/{file.name}".lstrip("/")
    name = file.name
    if file.whole == in_drop:
        name = in_drop
    return f"{name}{file.display_path.removeprefix(file.whole)}"


def as_recorded(archive: Archive, files: Files, known: RecordedComponent | None = None) -> RecordedComponent:
    """What the record says about a component with the files that its archive gives, perhaps those of a `known` one."""
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
    """The files that are recorded: of a `known` component the same object, so that comparing records is quick."""
    if known and known.files is files:
        return known.files
    return dict(sorted(without_folders(files).items()))


def read_record(data: bytes) -> Record | None:
    """Decode a record; `None` if it is damaged, or has a path that no component or file of one can have in its folders.

    Times and sizes, which earlier versions wrote, are passed over.
    """
    record = unseal(data, Record)
    if record is None or not record.places.is_sound:
        return None
    for path, component in record.components.items():
        if not record.places.holds(path) or not are_inside(component.files):
            return None
    return record


def is_merging(data: bytes) -> bool:
    """Whether version control has left both sides of a merge in a record, each after a mark of its own."""
    return all(re.search(rb"^%b(?: |\r?$)" % mark, data, re.MULTILINE) for mark in (b"<{7}", b"={7}", b">{7}"))


def digest_of(record: Record) -> str:
    """What identifies a record, however it is laid out."""
    return sha256(write_record(record)).hexdigest()


def write_record(record: Record) -> bytes:
    """Encode a record, readable for people and version control, too: a line for each fact, all in order of paths.

    Without components it has no folders, as nothing is in them.
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
    """A record in which other components stand at some paths, or none."""
    components = {**record.components, **entries}
    return replace(record, components={path: component for path, component in components.items() if component})
