"""Archives: keep the archives that components were built from, each with a file beside it that
says as what.

A kept archive is a copy, which shares its blocks with the original if the disk supports that. It is
never a hard link, because people overwrite archives in place. The files beside archives are written
when everything is in place; then the oldest archives beyond the limit are removed.
"""

import errno
import os
import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from operator import methodcaller
from typing import BinaryIO, Final

from io_edges.archives.data import Damage
from io_edges.archives.zips import OpenArchive, Opener
from io_edges.building.local import Staging
from io_edges.building.store import OWN_LIMIT
from io_edges.system.folder import FRESH, Folder, copy_content, fresh_name
from io_edges.system.stop import cause_of
from io_edges.system.syscalls import open_regular, stat_signature
from io_edges.system.trees import survey
from io_edges.system.whole_file import write_whole
from pipeline.archives.archive import Archive
from pipeline.building.patching.patch import Patch
from pipeline.building.showing.run_log import LoggedRun, archives_by_age, read_log
from pipeline.building.stores.journal import Journal
from pipeline.building.stores.kept import (
    KeptBuilds,
    read_kept,
    with_built,
    without_room,
    write_kept,
)
from pipeline.building.stores.layout import (
    ARCHIVES,
    KEPT_SUFFIX,
    LOCAL,
    LOG_FILE,
    PATCH_SUFFIX,
    PATCHES,
    is_digest,
)
from pipeline.building.stores.record import Record
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import unwritable_file
from pipeline.schema import ARCHIVE_SUFFIX

_CHUNK: Final = 1024**2
_REFUSED: Final = frozenset(
    {
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ELOOP),
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
    }
)
"""The errors of a disk that cannot keep archives. They do not stop the run."""
_ARCHIVES: Final = ARCHIVES.rpartition("/")[2]


def keep_archives(
    sources: Iterable[Archive | Patch], project: Folder, staging: Staging, opener: Opener
) -> WarningDiagnostic | None:
    """Keep archives and patches that are not kept yet; return a warning if one cannot be kept."""
    wanted = {source.digest: source for source in sources if is_digest(source.digest)}
    try:
        with project.inner(LOCAL) as local, local.child(_ARCHIVES, make=True) as kept:
            local.give_rights(kept.fd)
            for source in wanted.values():
                if isinstance(source, Patch):
                    _write(
                        kept, f"{source.digest}.patch", methodcaller("write", source.text), staging
                    )
                else:
                    _keep(source, kept, staging, opener)
    except OSError as error:
        if error.errno not in _REFUSED:
            raise
        return unwritable_file(ARCHIVES, cause_of(error), is_cache=False)
    return None


def keep_patches(texts: Iterable[bytes], project: Folder, staging: Staging) -> None:
    """Keep patches, given by their contents."""
    with project.inner(LOCAL) as local, local.child(_ARCHIVES, make=True) as kept:
        local.give_rights(kept.fd)
        for text in texts:
            name = f"{sha256(text).hexdigest()}{PATCH_SUFFIX}"
            if kept.lstat(name) is None:
                staging.added_archives.append(name)
                # Remove files that a killed run left beside it.
                write_whole(kept, name, text, like="folder")


def _keep(archive: Archive, kept: Folder, staging: Staging, opener: Opener) -> None:
    """Copy an archive, unless it has changed since it was examined."""
    name = f"{archive.digest}.zip"
    with suppress(Damage, FileNotFoundError):
        if archive.file.inner and not kept.lstat(name):
            opened = opener.open(archive.file)
            if opened.signature == archive.signature:
                _write(kept, name, partial(_copy_inner, opened), staging)
        elif not archive.file.inner:
            with open_regular(archive.file.path) as source:
                if stat_signature(os.fstat(source.fileno())) == archive.signature:
                    _write(
                        kept,
                        name,
                        lambda file: copy_content(source.fileno(), file.fileno()),
                        staging,
                    )


def _copy_inner(opened: OpenArchive, file: BinaryIO) -> None:
    """Write an archive that is in another one into a file, piece by piece. Raises `Damage`."""
    for start in range(0, opened.size, _CHUNK):
        file.write(opened.read(start, min(_CHUNK, opened.size - start)))


def _write(kept: Folder, name: str, write: Callable[[BinaryIO], object], staging: Staging) -> None:
    """Write a file in one step, unless it is kept already."""
    if kept.lstat(name):
        return
    fresh = fresh_name()
    try:
        with kept.naming_errors(name), os.fdopen(kept.create(fresh), "wb") as file:
            kept.give_rights(file.fileno())
            write(file)
        staging.added_archives.append(name)
        kept.move(fresh, kept, name)
    except BaseException:
        kept.discard(fresh)
        raise


def forget_archives(
    local: Folder, home: Folder, needed: Collection[str], limit: int | None, forgotten: list[str]
) -> None:
    """Remove the oldest kept archives beyond `limit`, in bytes, and add the names of their versions
    to `forgotten`.

    Archives and patches whose digests are `needed` stay. Kept patches also stay if they are in
    `patches/`, since they may not be built yet, or if a kept archive was built with them.
    """
    with suppress(FileNotFoundError), local.child(_ARCHIVES) as kept:
        names = {name for name, is_folder in kept.entries() if not is_folder}
        sizes = _sizes(kept, names)
        try:
            by_age = archives_by_age(logged_in(local))
        except OSError:  # it is unknown which are the oldest
            return
        without = without_room(sizes, needed, by_age, limit)
        for digest in without:
            for build in read_beside(kept, digest).built:
                forgotten.append(f"{build.path}@{build.version or digest[:6]}")
        remaining = sizes.keys() - {*without}
        idle = {name for name in names if _is_idle(name, remaining, needed)}
        if any(map(_is_patch, idle)):
            idle -= _patches_there(home)
            for digest in remaining:
                idle -= {
                    f"{build.patch}{PATCH_SUFFIX}" for build in read_beside(kept, digest).built
                }
        for name in sorted(idle, reverse=True):  # an archive before the file beside it
            kept.discard(name)


def describe_archives(journal: Journal, record: Record, local: Folder) -> None:
    """Write beside each kept archive what it was built as, unless that is written already."""
    changed = journal.paths
    with suppress(FileNotFoundError), local.child(_ARCHIVES) as kept:
        names = {name for name, _ in kept.entries()}
        for path, component in record.components.items():
            beside = f"{component.digest}{KEPT_SUFFIX}"
            if f"{component.digest}{ARCHIVE_SUFFIX}" not in names or (
                beside in names and path not in changed
            ):
                continue
            before = read_beside(kept, component.digest)
            after = with_built(before, path, component)
            if after != before:
                write_whole(kept, beside, write_kept(after), like="folder")


def read_beside(kept: Folder, digest: str) -> KeptBuilds:
    """What a kept archive was built as, by the file beside it."""
    return read_kept(kept.read(f"{digest}{KEPT_SUFFIX}", OWN_LIMIT) or b"")


def _sizes(kept: Folder, names: Iterable[str]) -> dict[str, int]:
    """The sizes of kept archives in bytes, by digest; zero for a missing one."""
    sizes = dict[str, int]()
    for name in names:
        digest = name.removesuffix(ARCHIVE_SUFFIX)
        if digest != name and is_digest(digest):
            status = kept.lstat(name)
            sizes[digest] = 0
            if status:
                sizes[digest] = status.st_size
    return sizes


def _is_idle(name: str, archives: Collection[str], needed: Collection[str]) -> bool:
    """Whether a file in the folder of kept archives can go: half written, or of an archive
    that is removed.
    """
    stem, _, suffix = name.partition(".")
    if suffix == "patch":
        return is_digest(stem) and stem not in needed
    if suffix in {"zip", "json"}:
        return is_digest(stem) and stem not in archives
    return re.fullmatch(FRESH, name) is not None


def _is_patch(name: str) -> bool:
    return name.endswith(PATCH_SUFFIX)


def _patches_there(home: Folder) -> set[str]:
    """The names of the kept copies of the patches in `patches/`; none if the folder
    cannot be read.
    """
    try:
        if home.lstat(PATCHES) is None:
            return set()
        files = survey(home, PATCHES).files
    except OSError:
        return set()
    return {f"{state.digest}{PATCH_SUFFIX}" for name, state in files.items() if _is_patch(name)}


def load_log(project: Folder) -> tuple[LoggedRun, ...]:
    """The runs that changed a project, by its log, the newest last."""
    if project.status(LOCAL) is None:
        return ()
    with project.inner(LOCAL) as local:
        return logged_in(local)


def logged_in(local: Folder) -> tuple[LoggedRun, ...]:
    """The runs that changed a project, given its local folder, which has the log, the
    newest last.
    """
    return read_log(local.read(LOG_FILE, OWN_LIMIT) or b"")
