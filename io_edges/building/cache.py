"""Cache: look into archives, or take what is known about them from the cache file."""

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
from pipeline.building.stores.cache import KnownArchive, is_foreign, may_be_known, read_cache, write_cache
from pipeline.building.stores.tree import StatSignature, shows_changes
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import damaged_file, unwritable_file


class OpenCache(Struct):
    """The archives that the previous run knew, and those that this run examined; no cache if `file` is `None`."""

    file: PurePath | None
    data: bytes = b""
    before: dict[str, KnownArchive] = field(default_factory=dict)
    findings: list[KnownArchive] = field(default_factory=list)
    vetted: Vetted = field(default_factory=Vetted)
    """The structure of the archives that were read."""

    def look_into(self, signatures: Mapping[ArchiveFile, StatSignature], bar: Bar) -> list[tuple[Archive, ...]]:
        """Recognise archives, given their signatures; they are read only if they are unknown or have changed."""
        known = {file: self._recall(file, signature) for file, signature in signatures.items()}
        unread = [KnownArchive(file, signature, ()) for file, signature in signatures.items() if known[file] is None]
        sizes = [sum(each.signature[:1]) for each in unread]

        def read(each: KnownArchive) -> tuple[KnownArchive, bytes]:
            """Examine an archive; return it with its structure."""
            bar.begin(each.file.display_path)
            known = KnownArchive(each.file, each.signature, look_into(each.file, self.vetted))
            bar.advance(sum(each.signature[:1]))
            return known, self.vetted.archives.get(each.file.path, b"")

        bar.advance(sum(sum(signature[:1]) for signature in signatures.values()) - sum(sizes))
        for each, made_of in share(unread, sizes, read, bar):
            known[each.file] = each
            if made_of:
                self.vetted.archives[each.file.path] = made_of
        found = [each for each in map(known.get, signatures) if each]
        self.findings += [each for each in found if may_be_known(each.archives)]
        return [each.archives for each in found]

    def _recall(self, file: ArchiveFile, signature: StatSignature) -> KnownArchive | None:
        known = self.before.get(str(file.path))
        return known if known and known.file == file and known.signature == signature else None


def open_cache(file: PurePath | None, console: Console) -> OpenCache:
    """Read the cache, if one is used; warn if it is damaged, or is something else, which is never overwritten."""
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
    content = None if data is None else read_cache(data)
    if data is not None and content is None:
        console.warn((damaged_file(_shown(file, console), "cache"),))
    return OpenCache(file, data or b"", {str(each.file.path): each for each in content.known} if content else {})


def _load(file: PurePath) -> bytes | None:
    """The bytes of a cache file, if there is one. Raises `OSError`, also for a link or another kind of file."""
    if Path(file).is_symlink():
        raise OSError(errno.ELOOP, "it is a link")
    with suppress(FileNotFoundError), open_regular(file) as content:
        return content.read(min(OWN_LIMIT, os.fstat(content.fileno()).st_size))  # `read` allocates what it is asked for
    return None


def save_cache(cache: OpenCache, console: Console) -> None:
    """Write the cache, if one is used and it has changed; warn if it cannot be written."""
    if cache.file is None or not cache.findings:
        return
    now = time.time_ns()
    data = write_cache(each for each in cache.findings if shows_changes(each.signature, now))
    if data == cache.data:
        with suppress(OSError), Folder.at(str(cache.file.parent)) as folder:
            sweep_beside(folder, cache.file.name)  # of a killed run that found other things than this one
        return
    try:
        make_folder(Path(cache.file.parent))
        with Folder.at(str(cache.file.parent)) as folder:
            write_whole(folder, cache.file.name, data)
    except (OSError, ValueError) as error:
        console.warn((_unwritable(cache.file, error, console),))


def _unwritable(file: PurePath, error: OSError | ValueError, console: Console) -> WarningDiagnostic:
    is_unfit = isinstance(error, OSError) and error.errno in {errno.ELOOP, errno.EINVAL}  # a link, or no file
    return unwritable_file(_shown(file, console), cause_of(error), is_unfit=is_unfit)


def _shown(file: PurePath, console: Console) -> str:
    """The path of a cache file as it is shown: relative, if it is below the current folder."""
    start = console.context.start
    return file.relative_to(start).as_posix() if start and file.is_relative_to(start) else str(file)


def signature_of(file: ArchiveFile) -> StatSignature:
    """The signature of an archive; empty if it cannot be determined."""
    try:
        return stat_signature(os.stat(file.path))  # noqa: PTH116 - a `Path` costs more than the call
    except (OSError, ValueError):
        return ()
