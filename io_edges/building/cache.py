"""Cache: recognise archives, or take the results of the previous run from the cache file."""

import errno
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePath

from msgspec import Struct, field

from io_edges.archives.examine import look_into
from io_edges.archives.zips import Vetted
from io_edges.building.project import make_folder
from io_edges.building.store import OWN_LIMIT
from io_edges.report.console import Console
from io_edges.report.progress import Bar
from io_edges.system.folder import Folder
from io_edges.system.helpers import share
from io_edges.system.stop import cause_of
from io_edges.system.syscalls import open_regular, stat_signature
from io_edges.system.whole_file import sweep_beside, write_whole
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.building.stores.cache import (
    KnownArchive,
    is_foreign,
    may_be_known,
    read_cache,
    write_cache,
)
from pipeline.building.stores.tree import StatSignature, shows_changes
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import damaged_file, unwritable_file


class OpenCache(Struct):
    """The archives that the previous run and this one examined. If `file` is `None`, there
    is no cache.
    """

    file: PurePath | None
    data: bytes = b""
    before: dict[str, KnownArchive] = field(default_factory=dict)
    findings: list[KnownArchive] = field(default_factory=list)
    vetted: Vetted = field(default_factory=Vetted)
    """The structure of the archives that were read."""

    def look_into(
        self, signatures: Mapping[ArchiveFile, StatSignature], bar: Bar
    ) -> list[tuple[Archive, ...]]:
        """Recognise archives, given their signatures; they are read only if they are unknown or
        have changed.
        """
        known = dict[ArchiveFile, KnownArchive]()
        unread = list[KnownArchive]()
        for file, signature in signatures.items():
            before = self.before.get(str(file.path))
            if before and before.file == file and before.signature == signature:
                known[file] = before
            else:
                unread.append(KnownArchive(file, signature, ()))
        bar.advance(sum(size_in(archive.signature) for archive in known.values()))

        def read(archive: KnownArchive) -> tuple[KnownArchive, bytes]:
            """Examine an archive; return it with its structure."""
            file = archive.file
            bar.begin(file.display_path)
            examined = KnownArchive(file, archive.signature, look_into(file, self.vetted))
            bar.advance(size_in(archive.signature))
            return examined, self.vetted.archives.get(file.path, b"")

        sizes = [size_in(archive.signature) for archive in unread]
        for archive, structure in share(unread, sizes, read, bar):
            known[archive.file] = archive
            if structure:
                self.vetted.archives[archive.file.path] = structure
        found = [known[file] for file in signatures if file in known]
        self.findings += [archive for archive in found if may_be_known(archive.archives)]
        return [archive.archives for archive in found]


def open_cache(file: PurePath | None, console: Console) -> OpenCache:
    """Read the cache, if there is one; warn if it is damaged, or is another file, which is
    never overwritten.
    """
    if file is None:
        return OpenCache(None)
    try:
        data = _load(file)
    except (OSError, ValueError) as error:
        console.warn((_unwritable(file, error, console),))
        return OpenCache(None)
    if is_foreign(file, data or b""):
        console.warn((damaged_file(_shown(file, console), "foreign"),))
        return OpenCache(None)
    if data is None:
        return OpenCache(file)
    content = read_cache(data)
    if content is None:
        console.warn((damaged_file(_shown(file, console), "cache"),))
        return OpenCache(file, data)
    return OpenCache(file, data, {str(archive.file.path): archive for archive in content.known})


def _load(file: PurePath) -> bytes | None:
    """The bytes of a cache file, if there is one. Raises `OSError` for a link or anything else."""
    if Path(file).is_symlink():
        raise OSError(errno.ELOOP, "it is a link")
    with suppress(FileNotFoundError), open_regular(file) as content:
        # `read` allocates as much as it is asked for.
        return content.read(min(OWN_LIMIT, os.fstat(content.fileno()).st_size))
    return None


def save_cache(cache: OpenCache, console: Console) -> None:
    """Write the cache, if there is one and it has changed; warn if it cannot be written."""
    if cache.file is None or not cache.findings:
        return
    now = time.time_ns()
    data = write_cache(
        archive for archive in cache.findings if shows_changes(archive.signature, now)
    )
    if data == cache.data:
        with suppress(OSError), Folder.at(str(cache.file.parent)) as folder:
            sweep_beside(folder, cache.file.name)  # left by a killed run with other results
        return
    try:
        make_folder(Path(cache.file.parent))
        with Folder.at(str(cache.file.parent)) as folder:
            write_whole(folder, cache.file.name, data)
    except (OSError, ValueError) as error:
        console.warn((_unwritable(cache.file, error, console),))


def _unwritable(file: PurePath, error: OSError | ValueError, console: Console) -> WarningDiagnostic:
    # A link, or no file.
    is_unfit = isinstance(error, OSError) and error.errno in {
        errno.ELOOP,
        errno.EINVAL,
    }
    return unwritable_file(_shown(file, console), cause_of(error), is_unfit=is_unfit)


def _shown(file: PurePath, console: Console) -> str:
    """The path of a cache file for messages: relative if it is below the current folder."""
    start = console.context.start
    if start and file.is_relative_to(start):
        return file.relative_to(start).as_posix()
    return str(file)


def signature_of(file: ArchiveFile) -> StatSignature:
    """The signature of an archive; empty if it cannot be determined."""
    try:
        return stat_signature(os.stat(file.path))  # noqa: PTH116 - a `Path` costs more
    except (OSError, ValueError):
        return ()


def size_in(signature: StatSignature) -> int:
    """The size in a signature, in bytes; zero if it could not be determined."""
    return sum(signature[:1])
