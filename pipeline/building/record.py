"""Record: what the tool wrote into a project (`.tool-manifest.json`), as a function of archives and selection.

It has no times, inodes or absolute paths, so it is the same on every machine and can be committed. The rules are in
`docs/building.md`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.building.sealed import seal, unseal
from pipeline.report.events import ComponentKind

_State = TypeVar("_State")
_PATH: Final = r"(themes|modules)/(?!\.)[A-Za-z0-9_.-]{1,255}"


def is_component_path(path: str) -> bool:
    """Whether a path in the project is one that a component can have."""
    return bool(re.fullmatch(_PATH, path))


def kind_and_name(path: str) -> tuple[ComponentKind, str]:
    """The kind and the name of the component at a path in the project."""
    shelf, _, name = path.partition("/")
    return "theme" if shelf == "themes" else "module", name


def are_inside(names: Iterable[str]) -> bool:
    """Whether paths lead to places below the folder that they are relative to."""
    parts = "/".join(("", *names, ""))  # of all at once, as there are thousands of them
    return not any(each in parts for each in ("\0", "//", "/./", "/../"))


class FileState(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a file, link or folder of a component holds. Only empty folders are listed; the others are implied."""

    kind: Literal["file", "link", "folder", "other"] = "file"
    executable: bool = False
    target: str | None = None
    """What a link points to."""
    digest: str = ""
    """SHA-256 of a file's content, in hexadecimal; empty if it was not read."""


Files: TypeAlias = Mapping[str, FileState]
"""The files of a component by their paths in it."""
Stamp: TypeAlias = tuple[int, ...]
"""What shows, without reading it, whether a file was changed: size in bytes, two times in nanoseconds, and inode."""


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

    def comes_from(self, archive: Archive) -> bool:
        """Whether building an archive would give this component again."""
        return (self.digest, self.content) == (archive.digest, archive.content)


class Record(Struct, frozen=True):
    """Every component that the tool wrote, by its path in the project: `modules/<name>`."""

    components: dict[str, RecordedComponent] = {}


def archive_name(file: ArchiveFile) -> str:
    """What the record calls an archive: its path in the drop; of a theme from elsewhere, the name of its file."""
    in_drop = f"{file.shelf}/{file.name}".lstrip("/")
    return f"{file.name if file.whole != in_drop else in_drop}{file.display_path.removeprefix(file.whole)}"


def as_recorded(archive: Archive, files: Files) -> RecordedComponent:
    """What the record says about a component with the files that its archive gives."""
    kept = {name: state for name, state in sorted(files.items()) if state.kind != "folder"}
    return RecordedComponent(
        archive=archive_name(archive.file),
        digest=archive.digest,
        content=archive.content,
        version=archive.component.version if archive.component else None,
        files=kept,
    )


def in_order(files: dict[str, _State]) -> dict[str, _State]:
    """Files in the order of their paths; the same mapping if it has that order, as what was read has."""
    paths = sorted(files)
    return files if paths == list(files) else {path: files[path] for path in paths}


def read_record(data: bytes) -> Record | None:
    """Decode a record; `None` if it is damaged, or has a path that no component or file of one can have.

    Times and sizes, which earlier versions wrote, are passed over.
    """
    record = unseal(data, Record)
    sound = record and all(
        is_component_path(path) and are_inside(each.files) for path, each in record.components.items()
    )
    return record if sound else None


def is_merging(data: bytes) -> bool:
    """Whether version control has left both sides of a merge in a record, each after a mark of its own."""
    return all(re.search(rb"^%b(?: |\r?$)" % mark, data, re.MULTILINE) for mark in (b"<{7}", b"={7}", b">{7}"))


def write_record(record: Record) -> bytes:
    """Encode a record, readable for people and version control, too: a line for each fact, all in order of paths."""
    components = {path: replace(each, files=in_order(each.files)) for path, each in sorted(record.components.items())}
    data = seal(Record(components))
    if data.isascii() and b"\x7f" not in data and b"\\u" not in data:  # there is nothing to escape
        return msgspec.json.format(data, indent=2) + b"\n"
    import json  # costs start-up time, and only such names need it

    return json.dumps(json.loads(data), indent=2).encode() + b"\n"
