"""Look: what a plan is made from: the drop and the project, to be looked at when asked for, and the open cache."""

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath

from msgspec import Struct

from io_edges.archives.find import find_archives, find_unused
from io_edges.building.cache import OpenCache, open_cache, size_of
from io_edges.building.contents import contents_in
from io_edges.building.elsewhere import elsewhere
from io_edges.building.hook_folder import list_scripts
from io_edges.building.project import ProjectView
from io_edges.building.targets import contents_of, installed_at, place_at, targets_at
from io_edges.report.console import Console
from io_edges.report.progress import progress
from pipeline.archives.archive import Archive, ArchiveFile
from pipeline.building.cache import cache_file
from pipeline.building.draft import Drop, Found
from pipeline.config.layers import Settings


class Sight(Struct, frozen=True):
    """What a command looks at that plans."""

    drop: Drop
    found: Found
    cache: OpenCache


def look(drop: str, start: PurePath, settings: Settings, view: ProjectView, console: Console) -> Sight:
    """Open the cache, and have the drop and the project ready to be looked at; warn of a cache that is none."""
    cache = open_cache(cache_file(settings, view.path), view, console)

    def examine(files: Sequence[ArchiveFile]) -> list[tuple[Archive, ...]]:
        with progress(console, "reading", sum(map(size_of, files))) as bar:
            return cache.look_into(files, bar)

    found = Found(
        project=view.path,
        drop=drop,
        places=lambda paths: targets_at(paths, view),
        standings=lambda paths: {path: place_at(path, view) for path in paths},
        contents=lambda choices: contents_of(choices, cache.vetted),
        installed=lambda found: installed_at(found, view),
        elsewhere=partial(elsewhere, view.path),
        scripts=partial(list_scripts, start=start),
        texts=contents_in(view, cache.vetted),
        unused=find_unused(drop, start),
    )
    return Sight(Drop(drop, partial(find_archives, drop, start), examine), found, cache)
