"""View: implement `Drop` and `ProjectReader`, by which a plan reads the drop and the project.

Nothing is read before the plan asks for it. The cache of archives is opened with the drop.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct
from returns.result import Failure, Success

from io_edges.archives.find import find_archives, find_unused
from io_edges.archives.zips import Vetted
from io_edges.building.cache import OpenCache, open_cache, signature_of, size_in
from io_edges.building.contents import (
    contents_in,
    contents_of,
    installed_at,
    place_at,
    targets_at,
)
from io_edges.building.kept import kept_archives
from io_edges.building.local import ignores_case_in
from io_edges.building.patches import patches_of
from io_edges.building.project import ProjectView
from io_edges.disk import plain_path
from io_edges.report.console import Console
from io_edges.report.progress import progress
from io_edges.system.stop import Stop, os_errors_as_diagnostics
from io_edges.system.syscalls import open_regular
from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.archives.places import FolderProbe
from pipeline.building.draft import Drop, Occupant, ProjectReader, Theme
from pipeline.building.hooks import BEGINNING, Script
from pipeline.building.merging.lines import MOST_BYTES
from pipeline.building.stores.cache import cache_file, misplaced_cache_warnings
from pipeline.config.layers import Settings
from pipeline.recognition.recognise import installed
from pipeline.report.diagnostic import Command
from pipeline.report.events import ComponentKind
from pipeline.report.outcome import BuildOutcome
from pipeline.report.paths import display_path
from pipeline.values import replace

_LIMIT: Final = 50_000
"""The maximum number of names that are searched. Beyond it, as in an unreadable folder,
nothing is known.
"""
_NEVER: Final = frozenset(
    {
        *(
            "assets",
            "config",
            "css",
            "files",
            "images",
            "js",
            "lib",
            "node_modules",
            "src",
            "templates",
            "tests",
        ),
        *("translations", "vendor"),
    }
)
"""Folders that are not searched for modules."""
_FOREIGN: Final = frozenset({".git", "node_modules", "vendor"})
"""Folders of a theme whose files it never shows."""


class DropView(Struct, frozen=True):
    """The drop and the project, ready to be read by a plan."""

    drop: Drop
    reader: ProjectReader
    cache: OpenCache


def view_drop(
    drop: str, start: PurePath, settings: Settings, view: ProjectView, console: Console
) -> DropView:
    """Open the cache and prepare to read the drop and the project; warn if the cache
    cannot be used.
    """
    cache = OpenCache(None)
    warnings = misplaced_cache_warnings(
        settings, view.path, view.record.places, probe_of(view.path).real
    )
    console.warn(warnings)
    if not warnings:
        cache = open_cache(cache_file(settings, view.path), console)

    def examine(files: Sequence[ArchiveFile]) -> list[tuple[Archive, ...]]:
        signatures = {file: signature_of(file) for file in files}
        with progress(console, "reading", sum(map(size_in, signatures.values()))) as bar:
            return cache.look_into(signatures, bar)

    reader = reader_in(view, start, cache.vetted, console.context.command)
    reader = replace(reader, unused=find_unused(drop, start))
    return DropView(Drop(drop, partial(find_archives, drop, start), examine), reader, cache)


def reader_in(
    view: ProjectView, start: PurePath, vetted: Vetted, command: Command
) -> ProjectReader:
    """Prepare to read a project; suggested command lines repeat `command`."""
    patches = patches_of(view, start)
    return ProjectReader(
        project=view.path,
        view_targets=lambda paths: targets_at(paths, view),
        view_occupancies=lambda paths: {path: place_at(path, view) for path in paths},
        list_contents=lambda choices: contents_of(choices, vetted),
        recognise_installed=lambda found: installed_at(found, view),
        find_named=partial(called, view.path),
        list_scripts=partial(list_scripts, start=start),
        texts=contents_in(view, patches.home, vetted),
        recognise_themes=partial(themes_in, view.path),
        recognise_occupants=lambda kinds: {
            path: occupant_at(view.path, path, kind) for path, kind in kinds.items()
        },
        command=command,
        patches=patches,
        interrupted=view.interrupted,
        list_kept=partial(kept_archives, view),
        ignores_case=lambda: view.folder is not None and ignores_case_in(view.folder),
        probe=probe_of(view.path),
    )


def probe_of(project: PurePath) -> FolderProbe:
    """Prepare to read the folders of a project. Links are followed."""
    return FolderProbe(
        project.name,
        is_there=lambda path: Path(project, path).exists(),
        real=lambda path: os.path.relpath(
            os.path.realpath(project / path), os.path.realpath(project)
        ),
        content=partial(content_of, project),
        folders=cache(partial(_folders, project)),
        names=lambda path: _names(Path(project, path)),
    )


def _folders(project: PurePath, path: str) -> list[str]:
    """The names of the readable folders in a folder of a project, including links to folders."""
    parent = Path(project, path)
    folders = list[str]()
    for name in _names(parent):
        folder = parent / name
        if folder.is_dir() and os.access(folder, os.X_OK):
            folders.append(name)
    return folders


def list_scripts(folder: PurePath, start: PurePath) -> BuildOutcome[tuple[Script, ...] | None]:
    """List the files of a hook folder, including links to files; `None` if there is no folder."""
    place = Path(folder)
    try:
        with os_errors_as_diagnostics(place):
            if not place.is_dir():
                return Success(None)
            files = (path for path in place.iterdir() if path.is_file())
            return Success(
                tuple(_script_at(path, display_path(plain_path(path), start)) for path in files)
            )
    except Stop as stop:
        return Failure(stop.errors)


def _script_at(path: Path, name: str) -> Script:
    """A script with its first bytes; none if it cannot be read."""
    script = Script(path, name, os.access(path, os.X_OK))
    with suppress(OSError):
        content = path.read_bytes()
        return replace(script, digest=sha256(content).hexdigest(), beginning=content[:BEGINNING])
    return script


def called(
    project: PurePath,
    folders: Sequence[str],
    names: frozenset[str],
    removed: frozenset[str],
    is_deep: bool,
) -> tuple[str, ...] | None:
    """The paths in folders of a project that end with one of the names; `None` if that cannot
    be determined.

    `names` are in lower case, those on disk may be in any. Paths that are `removed` do not count.
    """
    found = list[str]()
    try:
        for number, path in enumerate(_paths(project, folders, removed, is_deep)):
            if number == _LIMIT:
                return None
            if path.rpartition("/")[2].casefold() in names:
                found.append(path)
    except OSError:
        return None
    for path in found:
        if Path(project, path).exists() and not os.access(project / path, os.R_OK):
            return None
    return tuple(found)


def content_of(project: PurePath, path: str) -> bytes:
    """The content of a file of a project, up to the limit for texts; empty if it cannot be read.
    Follows links.
    """
    with suppress(OSError), open_regular(project / path) as file:
        return file.read(MOST_BYTES)
    return b""


def themes_in(project: PurePath, folders: Sequence[str]) -> dict[str, Theme]:
    """The themes in folders of a project, including links to folders, but without themes that have
    too many files.
    """
    themes: dict[str, Theme] = {}
    for folder in folders:
        for name in _names(Path(project, folder)):
            path = f"{folder}/{name}"
            files = frozenset(islice(_files(Path(project, path)), _LIMIT))
            if len(files) == _LIMIT:
                continue
            component = _marked(project / path, "theme", name, files)
            if component:
                themes[path] = Theme(component, files)
    return themes


def occupant_at(project: PurePath, path: str, kind: ComponentKind) -> Occupant:
    """Read what is at a path in the folders of themes and modules. Links are followed."""
    place = Path(project, path)
    above, _, name = path.rpartition("/")
    if os.path.isdir(place):  # noqa: PTH112 - which never fails
        files = frozenset(_files(place, frozenset()))
        component = _marked(project / path, kind, name, files)
        if component is None:
            return Occupant("folder", file_count=len(files))
        return Occupant("component", component, len(files))
    if not os.path.exists(place):  # noqa: PTH110 - likewise
        return Occupant("link")
    return Occupant(
        "file", _marked(project / above, kind, PurePath(name).stem, frozenset({name})), 1
    )


def _marked(
    folder: PurePath, kind: ComponentKind, name: str, files: frozenset[str]
) -> Component | None:
    """The component in a folder with these files, if one is a marker, which may give it
    another name.
    """
    return installed(
        kind, name, files, lambda file, limit: content_of(folder, file)[:limit], any_name=True
    )


def _names(folder: Path) -> list[str]:
    with suppress(OSError):
        return sorted(os.listdir(folder))  # noqa: PTH208
    return []


def _files(folder: Path, skipped: frozenset[str] = _FOREIGN) -> Iterator[str]:
    """The paths of readable files below a folder, by default without folders whose files no
    theme shows.
    """
    for place, inside, files in os.walk(folder):
        inside[:] = [name for name in inside if name not in skipped]
        above = Path(place).relative_to(folder).as_posix()
        prefix = f"{above}/"
        if above == ".":
            prefix = ""
        for name in files:
            yield prefix + name


def _paths(
    project: PurePath, folders: Sequence[str], removed: frozenset[str], is_deep: bool
) -> Iterator[str]:
    """The paths of everything in some folders, at any depth if `is_deep`. Raises `OSError`
    beyond the limit.

    Links to folders are followed, each folder once.
    """
    followed = set[str]()
    pending = list(reversed(folders))
    while pending:
        folder = pending.pop()
        for entry in _scanned(project / folder):
            path = f"{folder}/{entry.name}"
            if path in removed:
                continue
            yield path
            if is_deep and entry.name not in _NEVER and entry.is_dir() and _follow(entry, followed):
                pending.append(path)


def _scanned(folder: PurePath) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []


def _follow(entry: os.DirEntry[str], followed: set[str]) -> bool:
    """Note the folder that a link leads to as followed; `False` if it was followed before."""
    if not entry.is_symlink():
        return True
    real = os.path.realpath(entry.path)
    if real in followed:
        return False
    followed.add(real)
    return True
