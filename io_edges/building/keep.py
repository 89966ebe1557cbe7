"""Keep: copy the archives of what a run builds, so that later runs can read what was built from them.

A copy shares its blocks with the archive where the disk can do that; it is never a hard link, as people overwrite
archives in place.
"""

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from msgspec import Struct

from io_edges.archives.data import Damage
from io_edges.archives.members import Opener
from io_edges.archives.zips import OpenArchive
from io_edges.building.kept import is_digest, kept_path
from io_edges.building.staging import Staging
from io_edges.system.folder import Folder, write_all
from io_edges.system.syscalls import clone, stamp_of
from pipeline.archives.archive import Archive
from pipeline.building.layout import STAGED_ARCHIVES
from pipeline.report.problems.disk import ArchivesNotKept

KEPT_LIMIT: Final = 1024**3
"""How many bytes of archives are kept, at the most."""
_CHUNK: Final = 1024**2
_NOT_COPIED: Final = frozenset({errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM})
"""What the system refuses to copy a file by itself with."""


class _Kept(Struct, frozen=True):
    """An archive to be kept, and its size in bytes."""

    archive: Archive
    size: int


def keep_archives(
    archives: Iterable[Archive], project: Folder, staging: Staging, opener: Opener, limit: int = KEPT_LIMIT
) -> ArchivesNotKept | None:
    """Copy archives that are not kept yet into the staging folder; return which of them are too large to be kept.

    One that has changed since it was looked into is passed over. Raises `OSError`.
    """
    wanted = {each.digest: each for each in archives if is_digest(each.digest)}
    sized = sorted((_Kept(each, _size(each, opener)) for each in wanted.values()), key=_by_size)
    left_out: list[str] = []
    with staging.make(STAGED_ARCHIVES) as folder:
        for each in sized:
            limit -= each.size
            if limit < 0:
                left_out.append(each.archive.file.display_path)
            elif project.status(kept_path(each.archive.digest)) is None:
                _keep(each.archive, folder, opener)
    return ArchivesNotKept(tuple(sorted(left_out))) if left_out else None


def _by_size(kept: _Kept) -> tuple[int, str]:
    return kept.size, kept.archive.digest


def _size(archive: Archive, opener: Opener) -> int:
    """The size of an archive; of one in a bundle that of the bundle, if it cannot be opened any more."""
    if archive.file.inner:
        with suppress(Damage, FileNotFoundError):
            return opener.open(archive.file).opened.size
    return sum(archive.stamp[:1])


def _keep(archive: Archive, folder: Folder, opener: Opener) -> None:
    name = f"{archive.digest}.zip"
    with suppress(Damage, FileNotFoundError):
        if archive.file.inner:
            opened = opener.open(archive.file).opened
            if opened.stamp == archive.stamp:
                _write(opened, folder, name)
            return
        source = os.open(archive.file.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            if stamp_of(os.fstat(source)) == archive.stamp:
                _copy(source, folder, name)
        finally:
            os.close(source)


def _write(opened: OpenArchive, folder: Folder, name: str) -> None:
    with folder.naming_errors(name):
        descriptor = folder.create(name)
        try:
            for offset in range(0, opened.size, _CHUNK):
                write_all(descriptor, opened.read(offset, min(_CHUNK, opened.size - offset)))
        finally:
            os.close(descriptor)


def _copy(source: int, folder: Folder, name: str) -> None:
    with folder.naming_errors(name):
        descriptor = folder.create(name)
        try:
            if not clone(source, descriptor) and not _copied_by_the_system(source, descriptor):
                while chunk := os.read(source, _CHUNK):
                    write_all(descriptor, chunk)
        finally:
            os.close(descriptor)


def _copied_by_the_system(source: int, target: int) -> bool:
    """Copy a file without reading it; `False` if nothing was copied, as the system cannot."""
    if not hasattr(os, "copy_file_range"):
        return False
    try:
        while os.copy_file_range(source, target, _CHUNK * 1024):
            pass
    except OSError as error:
        if error.errno not in _NOT_COPIED:
            raise
        os.lseek(source, 0, os.SEEK_SET)
        os.ftruncate(target, 0)
        os.lseek(target, 0, os.SEEK_SET)
        return False
    return True
