"""Cache: what was recognised in archives, and the digests of built files, so that nothing unchanged is read again.

Losing it, or updating the tool, costs time, and what is known of the last build where the record comes from elsewhere
(`last_build`). The rules are in `docs/building.md`.
"""

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Final, TypeAlias

from msgspec import Struct

from pipeline import __version__
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.building.layout import BACKUPS, RECORD_FILE, STAGING
from pipeline.building.record import Stamp, in_order, is_component_path
from pipeline.building.sealed import seal, unseal
from pipeline.report.build_problems import FileSystemProblem
from pipeline.schema import CACHE_FILE

SECOND: Final = 10**9
"""In nanoseconds, as all times here."""
GRAIN: Final = 2 * SECOND
"""The coarsest unit in which a disk keeps the times of files: that of FAT."""

_BEGINNING: Final = b'{"kind":"cache",'


class KnownArchive(Struct, frozen=True):
    """An archive file that was looked into. Its name and place matter, too, for what it is recognised as."""

    file: ArchiveFile
    stamp: tuple[int, ...]
    archives: tuple[Archive, ...]


KnownFiles: TypeAlias = Mapping[str, tuple[Stamp, str]]
"""Files that were read: what shows whether they have changed, and their digests."""


class LastBuild(Struct, frozen=True):
    """What a run built of a component: the digest and the version of its archive."""

    digest: str
    version: str | None = None
    foreign: tuple[str, ...] = ()
    """The files there that are not as the archive has them: somebody edited or added them."""


class Cache(Struct, frozen=True):
    """What a cache file holds."""

    version: str
    known: tuple[KnownArchive, ...] = ()
    files: dict[str, dict[str, tuple[Stamp, str]]] = {}
    """The files of each component, by its path in the project and theirs in it."""
    builds: dict[str, LastBuild] = {}
    """What was built of each component, by its path in the project."""


NO_BUILDS: Final[Mapping[str, LastBuild]] = {}


def read_cache(data: bytes) -> Cache | None:
    """Decode a cache; `None` if it is damaged, empty if another version of the tool wrote it.

    What it says about archives is judged as the archives are: it is damaged if a component has a name that none can
    have, or if it is about another file.
    """
    content = unseal(data, Cache)
    if content is None or content.version != __version__:
        return content and Cache(__version__)
    return content if all(map(_is_sound, content.known)) and all(map(is_component_path, content.files)) else None


def _is_sound(known: KnownArchive) -> bool:
    components = (archive.component for archive in known.archives if archive.component and not archive.refusals)
    return all(archive.file.path == known.file.path for archive in known.archives) and all(
        is_component_path(each.path) for each in components
    )


def is_foreign(file: PurePath, data: bytes) -> bool:
    """Whether a file is something else, and neither a cache, even a damaged one, nor an empty or missing file."""
    begun = data.startswith(_BEGINNING) or _BEGINNING.startswith(data)  # or is cut off
    return file.name == RECORD_FILE or not (begun or file.name == CACHE_FILE)


def is_built(file: PurePath, project: PurePath) -> bool:
    """Whether a file would be in a component, where it would count as the user's, or in a folder that runs use."""
    components = any(project / shelf in file.parents[1:] for shelf in ("themes", "modules"))
    return components or any(file.is_relative_to(project / folder) for folder in (STAGING, BACKUPS))


def write_cache(
    known: Iterable[KnownArchive], files: Mapping[str, KnownFiles], builds: Mapping[str, LastBuild] = NO_BUILDS
) -> bytes:
    """Encode a cache."""
    listed = {path: in_order(dict(each)) for path, each in files.items()}
    return seal(Cache(__version__, tuple(known), listed, dict(builds)))


def shows_changes(stamp: Stamp, now: int) -> bool:
    """Whether a change of a file from `now` on shows in its stamp; soon after another, it may not in whole seconds."""
    times = stamp[1:3]
    return bool(sum(times) % SECOND) or max(times, default=0) + GRAIN <= now


def dependable(files: KnownFiles, now: int) -> KnownFiles:
    """Files with the stamps that show their changes from `now` on; the others have none, so that they are read."""
    return {name: (stamp if shows_changes(stamp, now) else (), digest) for name, (stamp, digest) in files.items()}


def may_be_known(archives: Iterable[Archive]) -> bool:
    """Whether what was found in a file is worth keeping. What the disk refused to read is tried again next time."""
    refusals = (refusal for archive in archives for refusal in archive.refusals)
    return not any(isinstance(refusal, FileSystemProblem) for refusal in refusals)
