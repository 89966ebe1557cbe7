"""Zip extra fields: what the fields of a record say about the name and the mode of its entry.

Programs read these fields in different ways. Where the difference would be seen, the fields cannot
be trusted, which is a flaw (`docs/archives.md`).
"""

import re
import stat
import zlib
from functools import lru_cache
from struct import Struct as Format
from typing import Final, TypeAlias

from pipeline.report.diagnostics.archives import DISTRUST, REPACK, Flaw

Fields: TypeAlias = tuple[tuple[int, bytes], ...]
"""The identifier and the data of each field."""

ZIP64: Final = 0x0001
ASI_UNIX: Final = 0x756E
UNICODE_PATH: Final = 0x7075
JUDGED: Final = frozenset({ASI_UNIX, UNICODE_PATH})
"""The fields that matter whatever else the record says."""
_FIELD: Final = Format("<HH")
_ASI: Final = Format("<4xH8x")
"""An ASi Unix field, of which the mode counts; checksum, device and owners do not."""
_PATH_HEAD: Final = Format("<BI")
_EXECUTABLE: Final = 0o111
_NO_KIND: Final = 0
_NO_MODE: Final = 0o170000
_BEYOND_ASCII: Final = rb"[\x80-\xff]+"
_ASI_MARK: Final = ASI_UNIX.to_bytes(2, "little")


@lru_cache(maxsize=16)
def fields_of(extra: bytes) -> Fields | None:
    """Split an extra field into identifiers and data; `None` if the lengths do not add up.

    Up to three zeros at the end are padding. Most entries of an archive have the same extra field.
    Few are kept: each may have 64 KiB.
    """
    fields = []
    at = 0
    while at + _FIELD.size <= len(extra):
        identifier, length = _FIELD.unpack_from(extra, at)
        at += _FIELD.size + length
        fields.append((identifier, extra[at - length : at]))
    is_whole = at <= len(extra) and not any(extra[at:])
    return tuple(fields) if is_whole else None


def unicode_name(name: bytes, fields: Fields) -> str | None:
    """The name that a Unicode path field gives to an entry whose name is in an old code page.

    `None` if there is no such field, or it does not belong to this name. Both names have the same
    parts in ASCII, so that the field cannot change the folder or the suffix of a file.
    """
    path = next((data for identifier, data in fields if identifier == UNICODE_PATH), b"")
    new = path[_PATH_HEAD.size :]
    if not new or not _belongs(path, name):
        return None
    if re.sub(_BEYOND_ASCII, b"\xff", new) != re.sub(_BEYOND_ASCII, b"\xff", name):
        return None
    try:
        return new.decode()
    except UnicodeDecodeError:
        return None


def path_fault(fields: Fields, name: bytes, *, is_old: bool) -> Flaw | None:
    """Why a Unicode path field cannot be trusted, given a name, and whether that is in an
    old code page.

    Beside any other name the field is of no use, but some programs follow one that belongs
    to the name.
    """
    paths = [data for identifier, data in fields if identifier == UNICODE_PATH]
    if not paths:
        return None
    if len(paths) > 1:
        return Flaw("its Unicode path field occurs twice", DISTRUST)
    is_sound = not _belongs(paths[0], name) or paths[0][_PATH_HEAD.size :] in {b"", name}
    if is_old:
        is_sound = unicode_name(name, fields) is not None
    if not is_sound:
        return Flaw("its Unicode path field is not its name", DISTRUST)
    return None


def _belongs(path: bytes, name: bytes) -> bool:
    """Whether a Unicode path field has the version and the checksum that belong to a name."""
    return path.startswith(_PATH_HEAD.pack(1, zlib.crc32(name)))


def is_executable_by_asi(extra: bytes) -> bool:
    """Whether the ASi Unix field of an extra field makes a file executable."""
    return _ASI_MARK in extra and any(
        mode & _EXECUTABLE for mode in _asi_modes(fields_of(extra) or ())
    )


def asi_fault(fields: Fields, name: bytes, mode: int, listed: bytes) -> Flaw | None:
    """Why an ASi Unix field cannot be trusted, given the name, the mode and the listed extra field
    of its entry.

    If its mode has a kind, it has to be the entry's. Its permissions count only if the entry
    has no mode.
    """
    modes = _asi_modes(fields)
    usual = stat.S_IFREG
    if name.endswith(b"/"):
        usual = stat.S_IFDIR
    kinds = {_NO_KIND, stat.S_IFMT(mode) or usual}
    executable = is_executable_by_asi(listed)
    for each in modes:
        contradicts = not mode and bool(each & _EXECUTABLE) != executable
        if stat.S_IFMT(each) not in kinds or contradicts:
            return Flaw("its ASi Unix field has not its mode", REPACK)
    return None


def _asi_modes(fields: Fields) -> list[int]:
    """The mode in each ASi Unix field; one that is too short has none that an entry can have."""
    return [_mode_of(data) for identifier, data in fields if identifier == ASI_UNIX]


def _mode_of(asi: bytes) -> int:
    if len(asi) < _ASI.size:
        return _NO_MODE
    mode: int = _ASI.unpack_from(asi)[0]
    return mode
