"""Zip entries: what the records of a zip archive say about the files, folders and links in it.

It never fails: a record that makes no sense becomes an entry that `pipeline/archives/vet.py` refuses.
"""

import stat
from collections.abc import Mapping
from typing import Final

from pipeline.archives.archive import Entry, EntryKind
from pipeline.archives.zip.headers import is_encrypted
from pipeline.archives.zip.records import CentralRecord

_UTF_8: Final = 0x800
"""The flag of an entry whose name is in UTF-8."""
_OLD: Final = "cp437"
"""The encoding of a name that is not UTF-8 and does not claim to be, as the format defines."""
_UNIX: Final = 3
"""The system for which every program reads the upper half of the attributes as a Unix mode.

Some programs do so for other systems. They differ in which, so a link there is refused, and nothing is executable.
"""
_LABEL: Final = 0x08
_FOLDER: Final = 0x10
"""DOS attributes, in the lower half: a volume label, which some programs skip, and a folder."""
_KINDS: Final[dict[tuple[int, bool], EntryKind]] = {
    (0, False): "file",
    (0, True): "folder",
    (stat.S_IFREG, False): "file",
    (stat.S_IFREG, True): "folder",
    (stat.S_IFDIR, True): "folder",
    (stat.S_IFDIR, False): "folder without slash",
    (stat.S_IFLNK, False): "link",
}
"""The kind of an entry, by the file type in its mode and whether its name ends in a slash; others are refused."""


def entries_of(records: list[CentralRecord], starts: Mapping[int, tuple[int, bool]]) -> tuple[Entry, ...]:
    """The entries that an archive lists, in its order, given where the data of each begins, and whether it is streamed.

    A `./` at the beginning of a name, as some programs write it, is left out.
    The targets of links are not in the records.
    """
    decoded = [_decoded(record) for record in records]
    names = with_slashes(tuple(name for name, _ in decoded))
    return tuple(
        _entry(name, guessed, record, *starts.get(at, (None, False)))
        for at, (name, record, (_, guessed)) in enumerate(zip(names, records, decoded, strict=True))
    )


def name_of(record: CentralRecord) -> str:
    """The name of an entry by itself, as `entries_of` gives it unless no name of the archive has a `/`."""
    return _decoded(record)[0].removesuffix("/")


def _decoded(record: CentralRecord) -> tuple[str, bool]:
    """The name of an entry, and whether its encoding is guessed; one that lies about it has lone surrogates."""
    try:
        return record.name.decode(), False
    except UnicodeDecodeError:
        if record.flags & _UTF_8:
            return record.name.decode(errors="surrogateescape"), False
        return record.name.decode(_OLD), True


def with_slashes(names: tuple[str, ...]) -> tuple[str, ...]:
    r"""Take `\` for a separator, as some Windows programs write it, if no name has a `/`."""
    if any("/" in name for name in names):
        return names
    return tuple(name.replace("\\", "/") for name in names)


def _entry(name: str, guessed: bool, record: CentralRecord, start: int | None, streamed: bool) -> Entry:
    kind = _kind(name.endswith("/"), record.attributes, record.host)
    mode = record.attributes >> 16 if record.host == _UNIX else 0
    return Entry(
        name=name.removesuffix("/").removeprefix("./"),
        kind=kind,
        size=record.size,
        packed=record.packed,
        crc=record.crc,
        executable=kind == "file" and bool(mode & 0o111),
        encrypted=is_encrypted(record),
        method=record.method,
        start=start,
        streamed=streamed,
        guessed=guessed,
    )


def _kind(slash: bool, attributes: int, host: int) -> EntryKind:
    form = stat.S_IFMT(attributes >> 16)
    if host == _UNIX and (form or not attributes & _FOLDER):
        return _KINDS.get((form, slash), "other")
    if form == stat.S_IFLNK or attributes & _LABEL:
        return "other"
    return "folder without slash" if attributes & _FOLDER and not slash else _KINDS[0, slash]
