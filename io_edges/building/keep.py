"""Keep: copy the archives of what a run builds, so that later runs can read what was built from them.

A copy shares its blocks with the archive where the disk can do that; it is never a hard link, as people overwrite
archives in place.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Final

from io_edges.archives.data import Damage
from io_edges.archives.zips import Opener
from io_edges.building.staging import Staging
from io_edges.system.folder import Folder
from io_edges.system.syscalls import clone, stamp_of
from pipeline.archives.archive import Archive
from pipeline.building.layout import ARCHIVES, STAGED_ARCHIVES, is_digest, kept_path
from pipeline.report.diagnostics.disk import UnwritableFile
from pipeline.report.wording import listed

KEPT_LIMIT: Final = 1024**3
"""How many bytes of archives are kept, at the most."""
_CHUNK: Final = 1024**2


def keep_archives(
    archives: Iterable[Archive], project: Folder, staging: Staging, opener: Opener, limit: int = KEPT_LIMIT
) -> UnwritableFile | None:
    """Copy archives that are not kept yet into the staging folder; return which of them are too large to be kept.

    Raises `OSError`.
    """
    wanted = {each.digest: each for each in archives if is_digest(each.digest)}
    left_out: list[str] = []
    with staging.make(STAGED_ARCHIVES) as folder:
        for size, digest in sorted((_size(each, opener), each.digest) for each in wanted.values()):
            limit -= size
            if limit < 0:
                left_out.append(wanted[digest].file.display_path)
            elif not _is_kept(digest, project):
                _keep(wanted[digest], folder, opener)
    cause = f"it holds 1 GiB, and there is no room for {listed(sorted(left_out))}"
    return UnwritableFile(ARCHIVES, cause, is_cache=False) if left_out else None


def _is_kept(digest: str, project: Folder) -> bool:
    with suppress(OSError):  # the run says so when it cannot put it there
        return project.status(kept_path(digest)) is not None
    return False


def _size(archive: Archive, opener: Opener) -> int:
    """The size of an archive; of one in a bundle that of the bundle, if it cannot be opened any more."""
    if archive.file.inner:
        with suppress(Damage, FileNotFoundError):
            return opener.open(archive.file).size
    return sum(archive.stamp[:1])


def _keep(archive: Archive, folder: Folder, opener: Opener) -> None:
    """Copy an archive, unless it has changed since it was looked into. Raises `OSError`."""
    name = f"{archive.digest}.zip"
    with suppress(Damage, FileNotFoundError):
        if archive.file.inner:
            opened = opener.open(archive.file)
            if opened.stamp == archive.stamp:
                parts = (opened.read(at, min(_CHUNK, opened.size - at)) for at in range(0, opened.size, _CHUNK))
                _write(folder, name, parts)
            return
        source = os.open(archive.file.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            if stamp_of(os.fstat(source)) == archive.stamp:
                _write(folder, name, iter(partial(os.read, source, _CHUNK), b""), source)
        finally:
            os.close(source)


def _write(folder: Folder, name: str, parts: Iterable[bytes], source: int | None = None) -> None:
    """Write a file, if it cannot share the blocks of the one that it is a copy of."""
    with folder.naming_errors(name), os.fdopen(folder.create(name), "wb") as file:
        folder.give_rights(file.fileno())
        if source is None or not clone(source, file.fileno()):
            file.writelines(parts)
