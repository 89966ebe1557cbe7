"""Targets: what is already in the project where a component goes, and what its archive gives."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256

from msgspec.structs import replace
from returns.result import Failure, Success

from io_edges.archives.data import Damage
from io_edges.archives.zips import OpenArchive, Opener, Vetted
from io_edges.building.project import ProjectView
from io_edges.system.modes import keeps_modes
from io_edges.system.mounts import mounts_below
from io_edges.system.trees import NOTHING, survey
from pipeline.archives.archive import Component, Entry, contents
from pipeline.archives.installed import installed
from pipeline.building.judging.obstacles import inside
from pipeline.building.steps import Target
from pipeline.building.stores.record import Files, FileState, implied_folders
from pipeline.report.outcome import BuildOutcome
from pipeline.selection.choices import Choice


def place_at(path: str, project: ProjectView) -> Target:
    """Look at what is in a component's place, but not at its files. Raises `OSError`."""
    if project.folder is None:
        return Target()
    if obstacle := project.folder.obstacle(path):
        is_folder = obstacle == (path.rpartition("/")[0], "link")
        real = os.path.realpath(project.path / obstacle[0]) if is_folder else ""
        return Target(occupancy=obstacle[1], obstacle=obstacle[0], leads_to=real)
    status = project.folder.status(path)
    has_modes = keeps_modes(status or os.fstat(project.folder.fd))
    return Target(occupancy="present" if status else "absent", has_modes=has_modes)


def targets_at(paths: Sequence[str], project: ProjectView) -> dict[str, Target]:
    """Look at what is in the places of components, and at its files. Raises `OSError`."""
    targets, last = {path: place_at(path, project) for path in paths}, project.state.components
    is_there = any(place.occupancy == "present" for place in targets.values())
    mounts = mounts_below(project.folder) if project.folder and is_there else ()
    for path, place in targets.items():
        if project.folder and place.occupancy == "present":
            try:
                tree = survey(project.folder, path, last[path].tree if path in last else NOTHING)
                targets[path] = replace(place, tree=tree, mounts=inside(path, mounts))
            except PermissionError:
                targets[path] = replace(place, is_closed=True)
    return targets


def installed_at(found: Mapping[str, Files], project: ProjectView) -> dict[str, Component | None]:
    """What components say that they are, given their files. Raises `OSError`."""
    places = project.record.places
    return {
        path: installed(places.kind_of(path), path.rpartition("/")[2], files, partial(_peek, project, path))
        for path, files in found.items()
    }


def _peek(project: ProjectView, path: str, name: str, limit: int) -> bytes | None:
    """The first bytes of a file of a component; `None` if there is no such file, or it cannot be read."""
    above, _, last = f"{path}/{name}".rpartition("/")
    with suppress(OSError):
        if project.folder:
            with project.folder.inner(above) as folder:
                return folder.read(last, limit)
    return None


def contents_of(choices: Iterable[Choice], vetted: Vetted) -> list[BuildOutcome[Files]]:
    """The files that building components gives, with digests, or why an archive is refused. Raises `OSError`."""
    with Opener(vetted) as opener:
        return [_files_of(choice, opener) for choice in choices]


def _files_of(choice: Choice, opener: Opener) -> BuildOutcome[Files]:
    archive, root = choice.archive, choice.component.root
    try:
        opened = opener.open(archive.file)
        entries = without_parents(contents(opened.index.below(root), root))
        return Success({name: _state(entry, opened) for name, entry in entries})
    except Damage as damage:
        return Failure((damage.rejection_of(archive.file),))


def without_parents(entries: tuple[tuple[str, Entry], ...]) -> tuple[tuple[str, Entry], ...]:
    """Entries without the folders that others imply."""
    implied = implied_folders(name for name, _ in entries)
    return tuple((name, entry) for name, entry in entries if entry.kind != "folder" or (name and name not in implied))


def _state(entry: Entry, opened: OpenArchive) -> FileState:
    if entry.kind == "folder":
        return FileState(kind="folder")
    if entry.kind == "link":
        return FileState(kind="link", target=entry.target)
    digest = sha256()
    for chunk in opened.chunks(entry):
        digest.update(chunk)
    return FileState(executable=entry.executable, digest=digest.hexdigest())
