"""Cache: recognised archives, so that unchanged archives are not read again. Losing the cache
costs only time.

The rules are in `docs/building.md`.
"""

from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import Final

from msgspec import Struct

from pipeline import __version__
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.archives.places import Places, is_component_path, is_in
from pipeline.building.stores.layout import LOCAL, PATCHES, RECORD_FILE
from pipeline.building.stores.sealed import seal, unseal
from pipeline.config.layers import Settings
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.disk import FileSystemProblem, misplaced_cache
from pipeline.report.paths import display_path
from pipeline.schema import ARCHIVE_SUFFIX, CACHE_FILE

_BEGINNING: Final = b'{"kind":"cache",'


class KnownArchive(Struct, frozen=True):
    """An archive file that was examined. Its name and folder affect what it is recognised as."""

    file: ArchiveFile
    signature: tuple[int, ...]
    archives: tuple[Archive, ...]


class Cache(Struct, frozen=True):
    """The content of a cache file."""

    version: str
    known: tuple[KnownArchive, ...] = ()


def read_cache(data: bytes) -> Cache | None:
    """Decode a cache; `None` if it is damaged, empty if another version of the tool wrote it.

    A cache counts as damaged if a component has an impossible name, or an entry is about
    another file.
    """
    content = unseal(data, Cache)
    if content is None:
        return None
    if content.version != __version__:
        return Cache(__version__)
    if not all(map(_is_sound, content.known)):
        return None
    return content


def _is_sound(known: KnownArchive) -> bool:
    """Whether the archives belong to their file, and the components have possible paths."""
    for archive in known.archives:
        if archive.file.path != known.file.path:
            return False
        component = archive.component
        if component and not archive.refusals and not is_component_path(component.path):
            return False
    return True


def cache_file(settings: Settings, project: PurePath) -> PurePath | None:
    """The cache file; `None` if the cache is off. By default it is in the project."""
    if not settings.cache_enabled:
        return None
    if settings.decision("cache.file").winner.layer == "default":
        return project / CACHE_FILE
    return settings.cache_file


def misplaced_cache_warnings(
    settings: Settings,
    project: PurePath,
    places: Places | None = None,
    real: Callable[[str], str] = str,
) -> tuple[WarningDiagnostic, ...]:
    """Warn of a cache file that is an archive, one of the tool's own files, or among components.

    Without `places`, the folders of components are not checked. `real` resolves the
    links in a path.
    """
    file = cache_file(settings, project)
    if file is None:
        return ()
    inside = display_path(file, project)
    folders = [RECORD_FILE, LOCAL, PATCHES]
    if places:
        folders += [places.themes, places.modules]
    is_archive = file.name.casefold().endswith(ARCHIVE_SUFFIX)
    paths = (inside, real(inside))
    if not is_archive and not any(is_in(path, folder) for path in paths for folder in folders):
        return ()
    winner = settings.decision("cache.file").winner
    return (misplaced_cache(str(winner.value), winner.location),)


def is_foreign(file: PurePath, data: bytes) -> bool:
    """Whether a file is not a cache: neither a complete or damaged one, nor empty or missing."""
    is_cache = data.startswith(_BEGINNING) or _BEGINNING.startswith(data)  # or is cut off
    return file.name == RECORD_FILE or not (is_cache or file.name == CACHE_FILE)


def write_cache(known: Iterable[KnownArchive]) -> bytes:
    """Encode a cache."""
    return seal(Cache(__version__, tuple(known)))


def may_be_known(archives: Iterable[Archive]) -> bool:
    """Whether the result for a file may be cached; a file that could not be read is tried
    again next time.
    """
    refusals = (refusal for archive in archives for refusal in archive.refusals)
    return not any(isinstance(refusal, FileSystemProblem) for refusal in refusals)
