"""Zips: read archives, with `zipfile`, which is not trusted: what it says is vetted before it is used."""

import errno
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import IO, Final

from msgspec import Struct

from pipeline.archives import Entry, EntryKind
from pipeline.vet import with_slashes

LINK_LIMIT: Final = 1024
"""Bytes of a link's target; a longer one is refused."""
_UTF_8_FLAG: Final = 0x800
_ENCRYPTED_FLAG: Final = 0x1
_UNIX_SYSTEMS: Final = frozenset({3, 19})
_CHUNK: Final = 256 * 1024
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
)
"""What `zipfile` raises for an archive that is not what it says."""


class Damage(Exception):  # noqa: N818 - the archive's fault, told as a refusal
    """An archive, or one entry of it, cannot be read."""

    def __init__(self, reason: str, entry: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.entry = reason, entry


class OpenArchive(Struct, frozen=True):
    """An archive that is open: its entries, and by name what `zipfile` needs to read it."""

    entries: tuple[Entry, ...]
    infos: dict[str, zipfile.ZipInfo]
    zip: zipfile.ZipFile

    def chunks(self, entry: Entry) -> Iterator[bytes]:
        """Give the data of an entry, checked against its declared size and checksum. Raises `Damage`."""
        count = 0
        try:
            with self.zip.open(self.infos[entry.name]) as file:
                while chunk := file.read(_CHUNK):
                    count += len(chunk)
                    yield chunk
        except _DAMAGE as error:
            raise Damage(_in_words(error), entry.name) from error
        except OSError as error:
            raise _damage_or(error, entry.name) from error
        if count != entry.size:
            raise Damage(f"it holds {count:,} bytes and declares {entry.size:,}", entry.name)

    def content(self, entry: Entry) -> bytes:
        """Give the whole data of an entry. Raises `Damage`."""
        return b"".join(self.chunks(entry))


@contextmanager
def open_archive(path: PurePath) -> Iterator[OpenArchive]:
    """Open an archive. Raises `Damage` for one that is no archive, and `OSError`."""
    with open(path, "rb") as file, read_archive(file) as opened:  # noqa: PTH123 - a pure path has no open
        yield opened


@contextmanager
def read_archive(file: IO[bytes]) -> Iterator[OpenArchive]:
    """Read an archive from a file that is open. Raises `Damage` for one that is no archive, and `OSError`."""
    archive = _read(file)
    try:
        infos = archive.infolist()
        names = with_slashes(tuple(map(_name, infos)))
        entries = tuple(_entry(name, info, archive) for name, info in zip(names, infos, strict=True))
        yield OpenArchive(entries, {entry.name: info for entry, info in zip(entries, infos, strict=True)}, archive)
    finally:
        archive.close()


def _read(file: IO[bytes]) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except _DAMAGE as error:
        raise Damage(_in_words(error)) from error
    except OSError as error:
        raise _damage_or(error) from error


def _damage_or(error: OSError, entry: str | None = None) -> Exception:
    """An offset that no file can have is the archive's fault, any other refusal the disk's."""
    return Damage("it is damaged: an offset is out of range", entry) if error.errno == errno.EINVAL else error


def _in_words(error: Exception) -> str:
    """What `zipfile` says, as the end of a sentence."""
    text = str(error) or type(error).__name__
    return "it is not a zip archive, or it is damaged" if text == "File is not a zip file" else f"it is damaged: {text}"


def _name(info: zipfile.ZipInfo) -> str:
    """The name in UTF-8, whether or not the archive says that it is; other bytes become lone surrogates."""
    if info.flag_bits & _UTF_8_FLAG:
        return info.orig_filename
    return info.orig_filename.encode("cp437").decode(errors="surrogateescape")


def _entry(name: str, info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> Entry:
    mode = info.external_attr >> 16 if info.create_system in _UNIX_SYSTEMS else 0
    kind = _kind(name, mode)
    return Entry(
        name=name.removesuffix("/"),
        kind=kind,
        size=info.file_size,
        packed=info.compress_size,
        crc=info.CRC,
        executable=kind == "file" and bool(mode & 0o111),
        target=_target(info, archive) if kind == "link" else None,
        encrypted=bool(info.flag_bits & _ENCRYPTED_FLAG),
        method=info.compress_type,
    )


def _kind(name: str, mode: int) -> EntryKind:
    if stat.S_ISLNK(mode):
        return "link"
    if name.endswith("/") or stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_IFMT(mode) in {0, stat.S_IFREG} else "other"


def _target(info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> str | None:
    if info.file_size > LINK_LIMIT:
        return None
    try:
        with archive.open(info) as file:
            return file.read(LINK_LIMIT).decode(errors="surrogateescape")
    except _DAMAGE:
        return None
