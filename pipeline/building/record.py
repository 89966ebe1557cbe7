"""Record: what the tool wrote into a project (`.tool-manifest.json`), and how what is there differs from it.

Whatever is not in the record, or not as the record says, is the user's. The rules are in `docs/building.md`.
"""

import json
import re
from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from pipeline.archives.archive import Archive
from pipeline.building.sealed import seal, unseal

_PATH: Final = re.compile(r"(themes|modules)/(?!\.)[A-Za-z0-9_.-]{1,255}")


def is_component(path: str) -> bool:
    """Whether a path in the project is one that a component can have."""
    return bool(_PATH.fullmatch(path))


class FileState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One file or link of a component, as it is on the disk."""

    kind: Literal["file", "link", "folder", "other"] = "file"
    size: int = 0
    """In bytes."""
    mtime: int = 0
    """The time of its last change, in nanoseconds."""
    executable: bool = False
    target: str | None = None
    """What a link points to."""
    digest: str = ""
    """SHA-256 of a file's content, in hexadecimal; empty if it was not read."""


Files = Mapping[str, FileState]
"""The files and links of a component by their paths in it."""


class RecordedComponent(Struct, frozen=True, kw_only=True):
    """A component that the tool wrote: the archive that it came from, and every file."""

    archive: str
    digest: str
    """SHA-256 of the archive."""
    content: str
    """The archive's own description of the component, as in `Archive`."""
    files: dict[str, FileState]

    def comes_from(self, archive: Archive) -> bool:
        """Whether building an archive would give this component again."""
        return (self.digest, self.content) == (archive.digest, archive.content)


class Record(Struct, frozen=True):
    """Every component that the tool wrote, by its path in the project: `modules/<name>`."""

    components: dict[str, RecordedComponent] = {}


def read_record(data: bytes) -> Record | None:
    """Decode a record; `None` if it is damaged, or has a path that no component can have."""
    record = unseal(data, Record)
    return record if record and all(map(is_component, record.components)) else None


def write_record(record: Record) -> bytes:
    """Encode a record, readable for people and version control, too: a line for each fact, components by path."""
    data = seal(Record(dict(sorted(record.components.items()))))
    return json.dumps(json.loads(data), indent=2).encode() + b"\n"


def without_times(record: Record) -> dict[str, tuple[RecordedComponent, dict[str, FileState]]]:
    """What a record says, except the times of files, which a fresh checkout changes."""
    return {
        path: (replace(each, files={}), {name: replace(state, mtime=0) for name, state in each.files.items()})
        for path, each in record.components.items()
    }


def is_untouched(written: Files, seen: Files) -> bool:
    """Whether every file is as it was written, judged without reading it: by size, time, mode and target."""
    return written.keys() == seen.keys() and not changed_since(written, seen)


def changed_since(before: Files, seen: Files) -> tuple[str, ...]:
    """The files that were changed or added since, by size, time, mode and target."""
    return tuple(
        sorted(
            name
            for name, state in seen.items()
            if name not in before or _at_a_glance(state) != _at_a_glance(before[name])
        )
    )


def users_files(written: Files, read: Files) -> tuple[str, ...]:
    """The files that the user changed or added; `read` has their digests."""
    return tuple(
        sorted(name for name, state in read.items() if name not in written or _said(state) != _said(written[name]))
    )


def users_contents(given: Files, read: Files) -> tuple[str, ...]:
    """The files whose content is the user's. Modes are ignored: unpacking an archive by hand may lose them."""
    modes = {name: state.executable for name, state in given.items()}
    alike = {name: replace(state, executable=modes.get(name, state.executable)) for name, state in read.items()}
    return users_files(given, alike)


def _at_a_glance(state: FileState) -> tuple[object, ...]:
    return state.kind, state.size, state.mtime if state.kind == "file" else 0, state.executable, state.target


def _said(state: FileState) -> tuple[object, ...]:
    return state.kind, state.digest, state.executable, state.target
