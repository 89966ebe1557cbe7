"""Zip entries: what the records of a zip archive say about the files, folders and links in it.

Total: a record that says nothing sensible becomes an entry that `pipeline/vet.py` refuses.
"""

import stat
from typing import Final

from pipeline.archives import Entry, EntryKind
from pipeline.zip_headers import is_encrypted
from pipeline.zip_records import Record

_UNIX_HOSTS: Final = frozenset({3, 19})
"""The systems whose attributes hold a mode as on Unix, in their upper half."""
_LABEL: Final = 0x08
_FOLDER: Final = 0x10
"""Attributes as on DOS, in the lower half: the name of a disk, which some programs skip, and a folder."""
_KINDS: Final[dict[tuple[int, bool], EntryKind]] = {
    (0, False): "file",
    (0, True): "folder",
    (stat.S_IFREG, False): "file",
    (stat.S_IFREG, True): "folder",
    (stat.S_IFDIR, True): "folder",
    (stat.S_IFLNK, False): "link",
}
"""What an entry is, by the form in its mode and whether its name ends in a slash; in any other case they disagree."""


def entries_of(records: tuple[Record, ...]) -> tuple[Entry, ...]:
    """Give the entries that an archive lists, in its order. What links point to is not in the records."""
    names = with_slashes(tuple(record.name.decode(errors="surrogateescape") for record in records))
    return tuple(map(_entry, names, records))


def with_slashes(names: tuple[str, ...]) -> tuple[str, ...]:
    r"""Take `\` for a separator, as some Windows programs write it, if no name has a `/`."""
    if any("/" in name for name in names):
        return names
    return tuple(name.replace("\\", "/") for name in names)


def _entry(name: str, record: Record) -> Entry:
    kind = _kind(name.endswith("/"), record.attributes, record.host)
    mode = record.attributes >> 16 if record.host in _UNIX_HOSTS else 0
    return Entry(
        name=name.removesuffix("/"),
        kind=kind,
        size=record.size,
        packed=record.packed,
        crc=record.crc,
        executable=kind == "file" and bool(mode & 0o111),
        encrypted=is_encrypted(record),
        method=record.method,
    )


def _kind(slash: bool, attributes: int, host: int) -> EntryKind:
    form = stat.S_IFMT(attributes >> 16)
    if host in _UNIX_HOSTS:
        return _KINDS.get((form, slash), "other")
    if form == stat.S_IFLNK or attributes & _LABEL or (attributes & _FOLDER and not slash):
        return "other"
    return _KINDS[0, slash]
